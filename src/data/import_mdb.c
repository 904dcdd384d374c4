/* SPDX-License-Identifier: MIT
 * import_mdb.c - MDB Drums (Southall et al. 2017): audio/NAME_Drum.* and class/NAME_class.txt with lines `time TAB class`.
 *   KD, SD and HH become kick, snare and hihat; TT, CY and OT are left out. */
#include "base/status.h"
#include "data/events.h"
#include "data/folder.h"
#include "data/import.h"
#include "data/table.h"

#include <string.h>

static const char *const names[][2] = {
    {"KD", "kick" },
    {"SD", "snare"},
    {"HH", "hihat"},
};

/* Ours, or NULL for a class that is left out. */
static const char *our_name(const char *theirs)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(theirs, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

/* A recording without events of ours has a row that says so. */
static void write_events(lc_import *import, const char *sound, const lc_event_list *list)
{
    size_t before = import->strokes;
    for (size_t i = 0; list->files_len > 0 && i < list->files[0].events_len; i++) {
        const loco_event *event = &list->files[0].events[i];
        const char *name = our_name(list->classes[event->kind]);
        if (name == NULL)
            continue;
        lc_table_quote(&import->events, sound);
        lc_text_string(&import->events, ",");
        lc_text_fixed(&import->events, event->time, 6);
        lc_text_format(&import->events, ",%s\n", name);
        import->strokes++;
    }
    if (import->strokes == before) {
        lc_table_quote(&import->events, sound);
        lc_text_string(&import->events, ",,\n");
    }
}

/* class/NAME_class.txt for audio/NAME_Drum.flac; NULL without memory. */
static char *class_path(lc_import *import, const char *sound)
{
    lc_text name = {0};
    size_t stem = lc_path_stem(sound), drum = strlen("_Drum");
    if (stem > drum && memcmp(sound + stem - drum, "_Drum", drum) == 0)
        stem -= drum;
    lc_text_string(&name, "class/");
    lc_text_append(&name, sound, stem);
    lc_text_string(&name, "_class.txt");
    char *path = name.failed ? NULL : lc_path_join(&import->store, import->from, strlen(import->from), name.bytes);
    lc_text_free(&name);
    return path;
}

static loco_status import_one(lc_import *import, const char *audio, const char *sound, loco_err *err)
{
    lc_event_list *list = NULL;
    char *path = lc_path_join(&import->store, audio, strlen(audio), sound), *labels = class_path(import, sound);
    if (path == NULL || labels == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %.150s", sound);
    loco_status status = lc_event_list_load(&list, labels, NULL, 0, err);
    if (status == LOCO_OK)
        status = lc_import_sound(import, path, err);
    if (status == LOCO_OK)
        write_events(import, sound, list);
    lc_event_list_free(list);
    return status;
}

loco_status lc_import_mdb(lc_import *import, loco_err *err)
{
    const char *const *sounds;
    size_t sounds_len;
    char *audio = lc_path_join(&import->store, import->from, strlen(import->from), "audio");
    if (audio == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %.150s", import->from);
    if (!lc_path_is_folder(audio))
        return lc_err_set(err, LOCO_EDATA,
                          "%.150s has no folder audio; name the folder of MDB Drums that holds audio and "
                          "class",
                          import->from);
    loco_status status = lc_folder_list(&sounds, &sounds_len, &import->store, audio, err);
    for (size_t i = 0; status == LOCO_OK && i < sounds_len; i++)
        if (lc_path_is_sound(sounds[i]))
            status = import_one(import, audio, sounds[i], err);
    if (status == LOCO_OK && import->recordings == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s holds no sound files", audio);
    return status;
}
