/* SPDX-License-Identifier: MIT
 *
 * maps.c - MAPS (Emiya et al. 2010): pianos, of which every note is known.
 *
 *     flac/NAME.flac, tsv/NAME.tsv           notes in a folder of their own
 *     AkPnBcht/MUS/NAME.wav, NAME.txt        MAPS itself, in any folders: notes beside the sound, .txt or .tsv
 *
 * Notes that have no sound are an error, since they say which recording was lost; a sound without notes is skipped.
 */
#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"
#include "events/event_list.h"
#include "studio/import/import.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8, ENDINGS = 2 };

static const char *const note_endings[] = {".tsv", ".txt", NULL};

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory while importing");
}

static loco_status read_notes(lc_import_take *take, loco_err *err)
{
    char *text;
    size_t length;
    loco_status status = lc_file_load(take->path, LC_EVENTS_LABELS, &text, &length, err);
    if (status != LOCO_OK)
        return status;
    status = lc_strokes_parse_notes(&take->strokes, take->path, text, length, err);
    free(text);
    return status;
}

/* One recording: its sound, the name it gets, and its notes. */
static loco_status add(lc_import *import, const char *sound, const char *notes, loco_err *err)
{
    lc_import_take take = {
        .file = {.name = sound + lc_path_folder(sound), .sound = sound},
          .path = notes
    };
    loco_status status = read_notes(&take, err);
    if (status == LOCO_OK)
        status = lc_import_measure(&take, err);
    if (status == LOCO_OK)
        status = lc_import_add_notes(import, &take, err);
    lc_strokes_free(&take.strokes);
    return status;
}

/* The file of the same stem with one of the endings in a folder; *path stays NULL where there is none. */
static loco_status find_notes(const char **path, lc_import *import, const char *folder, const char *name, loco_err *err)
{
    for (size_t i = 0; i < ENDINGS && *path == NULL; i++) {
        const char *one = lc_import_format(import, "%s/%.*s%s", folder, (int)lc_path_stem(name), name, note_endings[i]);
        if (one == NULL)
            return out_of_memory(err);
        *path = lc_path_is_file(one) ? one : NULL;
    }
    return LOCO_OK;
}

/* Whether a file of notes is one of a recording: any .tsv, and .txt of MAPS, since others may be about the set. */
static bool must_have_sound(const char *name)
{
    static const char *const tables[] = {".tsv", NULL};
    return lc_path_ends(name, tables) || (lc_path_ends(name, note_endings) && strncmp(name, "MAPS_", 5) == 0);
}

/* LOCO_EDATA when no sound among the names has the stem. */
static loco_status check_sound(const char *notes, const char *const *names, size_t names_len, const char *folder,
                               loco_err *err)
{
    size_t stem = lc_path_stem(notes);
    for (size_t i = 0; i < names_len; i++)
        if (lc_path_is_sound(names[i]) && lc_path_stem(names[i]) == stem && memcmp(names[i], notes, stem) == 0)
            return LOCO_OK;
    return lc_err_set(err, LOCO_EDATA, "%s: no sound of the same name in %s; add it, or remove the notes",
                      lc_show(notes).text, lc_place_show((lc_place){folder, 0, NULL}).text);
}

/* All sounds of a folder, with notes from another, or from the same. */
static loco_status import_pair(lc_import *import, const char *sounds, const char *notes, loco_err *err)
{
    const char *const *names, *const *texts;
    size_t names_len = 0, texts_len = 0;
    loco_status status = lc_folder_list(&names, &names_len, &import->store, sounds, err);
    if (status == LOCO_OK)
        status = lc_folder_list(&texts, &texts_len, &import->store, notes, err);
    for (size_t i = 0; status == LOCO_OK && i < texts_len; i++)
        if (must_have_sound(texts[i]))
            status = check_sound(texts[i], names, names_len, sounds, err);
    for (size_t i = 0; status == LOCO_OK && i < names_len; i++) {
        const char *own = NULL, *path = lc_import_format(import, "%s/%s", sounds, names[i]);
        if (!lc_path_is_sound(names[i]))
            continue;
        status = path != NULL ? find_notes(&own, import, notes, names[i], err) : out_of_memory(err);
        if (status == LOCO_OK && own == NULL)
            lc_import_skip(import, names[i]);
        else if (status == LOCO_OK)
            status = add(import, path, own, err);
    }
    return status;
}

/* A folder and those below it. */
static loco_status import_tree(lc_import *import, const char *folder, size_t depth, loco_err *err)
{
    const char *const *names;
    size_t names_len = 0;
    loco_status status = import_pair(import, folder, folder, err);
    if (status == LOCO_OK)
        status = lc_folder_list(&names, &names_len, &import->store, folder, err);
    for (size_t i = 0; status == LOCO_OK && depth < DEEPEST && i < names_len; i++) {
        const char *below = lc_import_format(import, "%s/%s", folder, names[i]);
        if (below == NULL)
            return out_of_memory(err);
        if (lc_path_is_folder(below))
            status = import_tree(import, below, depth + 1, err);
    }
    return status;
}

loco_status lc_import_maps(lc_import *import, loco_err *err)
{
    loco_status status = lc_import_use_pitches(import, "MAPS", err);
    if (status != LOCO_OK)
        return status;
    const char *sounds = lc_import_format(import, "%s/flac", import->from);
    const char *notes = lc_import_format(import, "%s/tsv", import->from);
    if (sounds == NULL || notes == NULL)
        return out_of_memory(err);
    return lc_path_is_folder(sounds) && lc_path_is_folder(notes) ? import_pair(import, sounds, notes, err)
                                                                 : import_tree(import, import->from, 0, err);
}
