/* SPDX-License-Identifier: MIT
 *
 * idmt.c - IDMT-SMT-Drums, version 2 (Dittmar and Gaertner 2014).
 *
 *     audio/RealDrum01_00#MIX.wav             whole recordings; those that end with #HH, #KD, #SD and #train are parts
 *                                             of them and single strokes, and left out
 *     annotation_xml/RealDrum01_00#MIX.xml    events; where there is none
 *     annotation_svl/RealDrum01_00#HH.svl     layers of Sonic Visualiser, one for each of #HH, #KD and #SD
 *
 * The names begin with the part of the set: RealDrum, TechnoDrum, WaveDrum.
 */
#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"
#include "studio/import/import.h"
#include "studio/import/xml.h"

#include <stdlib.h>
#include <string.h>

static const char *const labels[][2] = {
    {"KD", "kick" },
    {"SD", "snare"},
    {"HH", "hihat"},
};
enum { LABELS = sizeof labels / sizeof labels[0] };

static const lc_vocabulary vocabulary = {"IDMT-SMT-Drums", labels, LABELS, false};

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for an annotation");
}

static loco_status read_events(lc_import_take *take, const char *path, loco_err *err)
{
    char *bytes;
    size_t length;
    loco_status status = lc_file_load(path, LC_XML_BYTES, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    take->path = path;
    status = lc_strokes_parse_events(&take->strokes, &vocabulary, path, bytes, length, err);
    free(bytes);
    return status;
}

static loco_status read_layer(lc_import_take *take, size_t label, const char *path, loco_err *err)
{
    char *bytes;
    size_t length;
    loco_status status = lc_file_load(path, LC_XML_BYTES, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    take->path = path;
    status = lc_strokes_parse_layer(&take->strokes, label, take->rate, path, bytes, length, err);
    free(bytes);
    return status;
}

/* One layer for each label. *found is false unless all are there, since a missing one would be strokes that are
 * missing. */
static loco_status read_layers(lc_import *import, lc_import_take *take, const char *name, size_t length, bool *found,
                               loco_err *err)
{
    const char *paths[LABELS];
    for (size_t i = 0; i < LABELS; i++) {
        paths[i] = lc_import_format(import, "%s/annotation_svl/%.*s#%s.svl", import->from, (int)length, name,
                                    labels[i][0]);
        if (paths[i] == NULL)
            return out_of_memory(err);
        *found = lc_path_is_file(paths[i]);
        if (!*found)
            return LOCO_OK;
    }
    loco_status status = LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < LABELS; i++) {
        status = read_layer(take, i, paths[i], err);
        if (status == LOCO_OK)
            status = lc_import_check(take, err);
    }
    return status;
}

/* name, up to #MIX, has length bytes. */
static loco_status read_annotation(lc_import *import, lc_import_take *take, const char *name, size_t length,
                                   bool *found, loco_err *err)
{
    const char *events = lc_import_format(import, "%s/annotation_xml/%.*s#MIX.xml", import->from, (int)length, name);
    if (events == NULL)
        return out_of_memory(err);
    *found = lc_path_is_file(events);
    return *found ? read_events(take, events, err) : read_layers(import, take, name, length, found, err);
}

/* Events from the XML, or else from the layers; without both the recording is skipped. */
static loco_status import_one(lc_import *import, const char *audio, const char *name, size_t length, loco_err *err)
{
    bool found = false;
    lc_import_take take = {
        .file = {.name = name, .sound = lc_import_format(import, "%s/%s", audio, name)}
    };
    if (take.file.sound == NULL)
        return out_of_memory(err);
    loco_status status = lc_import_measure(&take, err);
    if (status == LOCO_OK)
        status = read_annotation(import, &take, name, length, &found, err);
    if (status == LOCO_OK && found)
        status = lc_import_add(import, &take, err);
    else if (status == LOCO_OK)
        lc_import_skip(import, name);
    lc_strokes_free(&take.strokes);
    return status;
}

loco_status lc_import_idmt(lc_import *import, loco_err *err)
{
    static const char *const none[] = {NULL}, *const audio_names[] = {"audio", NULL};
    static const char *const annotation_names[] = {"annotation_xml", "annotation_svl", NULL};
    const char *const *names;
    const char *audio = NULL, *annotation;
    size_t choice, names_len = 0, mix = strlen("#MIX");
    loco_status status = lc_import_use(import, &vocabulary, err);
    if (status == LOCO_OK && import->options.mix != NULL)
        status = lc_import_choose(&choice, "mix", import->options.mix, none, err);
    if (status == LOCO_OK && import->options.labels != NULL)
        status = lc_import_choose(&choice, "labels", import->options.labels, none, err);
    if (status == LOCO_OK)
        status = lc_import_folder(&audio, import, audio_names, err);
    if (status == LOCO_OK)
        status = lc_import_folder(&annotation, import, annotation_names, err);
    if (status == LOCO_OK)
        status = lc_folder_list(&names, &names_len, &import->store, audio, err);
    for (size_t i = 0; status == LOCO_OK && i < names_len; i++) {
        size_t stem = lc_path_stem(names[i]);
        if (lc_path_is_sound(names[i]) && stem > mix && memcmp(names[i] + stem - mix, "#MIX", mix) == 0)
            status = import_one(import, audio, names[i], stem - mix, err);
    }
    return status;
}
