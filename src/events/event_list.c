/* SPDX-License-Identifier: MIT
 *
 * event_list.c - lists of events from a file, from files beside sounds, or from a folder.
 *
 * formats.c decides which reader a file needs. All readers put their events into one lc_gather, whether there is one
 * file or a folder of them; so classes are numbered over all files, in the order of their names.
 */
#include "events/event_list.h"

#include "base/csv.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"
#include "events/formats.h"

#include <stdlib.h>
#include <string.h>

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for a list of events");
}

/* ---- one file ---- */

static loco_status gather_bytes(lc_gather *gather, const lc_event_bytes *from, loco_err *err)
{
    return lc_format_detect(from)->read(gather, from, err);
}

/* Every format has its own limit within that of tables. */
static loco_status gather_path(lc_gather *gather, const char *name, const char *path, loco_err *err)
{
    char *bytes;
    size_t length;
    loco_status status = lc_file_load(path, LC_CSV_BYTES, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    status = gather_bytes(gather, &(lc_event_bytes){name, path, bytes, length}, err);
    free(bytes);
    return status;
}

/* ---- beside sounds, and folders ---- */

/* The label track or MIDI file beside a sound, or NULL; two are an error. */
static loco_status find_beside(const char **found, lc_store *store, const char *sound, loco_err *err)
{
    *found = NULL;
    size_t stem = lc_path_stem(sound);
    const char *ending;
    for (size_t i = 0; (ending = lc_format_beside(i)) != NULL; i++) {
        size_t size = strlen(ending) + 1;
        char *path = lc_store_take(store, stem + size, 1);
        if (path == NULL)
            return out_of_memory(err);
        memcpy(path, sound, stem);
        memcpy(path + stem, ending, size);
        if (!lc_path_is_file(path) ||
            strcmp(path, sound) == 0) /* a recording may be called .txt: a series of numbers */
            continue;
        if (*found != NULL)
            return lc_err_set(err, LOCO_EDATA, "%s: events also in %s; keep one of the two",
                              lc_place_show((lc_place){*found, 0, NULL}).text, ending);
        *found = path;
    }
    return LOCO_OK;
}

/* names[i] is the name of sounds[i] in the list. */
static loco_status gather_beside(lc_gather *gather, const char *const *names, const char *const *sounds, size_t len,
                                 loco_err *err)
{
    lc_store store = {0};
    loco_status status = LOCO_OK;
    for (size_t i = 0; i < len && status == LOCO_OK; i++) {
        const char *path;
        status = find_beside(&path, &store, sounds[i], err);
        if (status == LOCO_OK && path != NULL)
            status = gather_path(gather, names[i], path, err);
    }
    lc_store_free(&store);
    return status;
}

typedef struct folder_names {
    const char *path;
    const char *const *names;
    size_t len;
} folder_names;

/* Texts about a folder of labels, which are not labels. */
static bool is_remark(const char *name)
{
    return strncmp(name, "README", 6) == 0 || strncmp(name, "LICENSE", 7) == 0 || strncmp(name, "COPYING", 7) == 0;
}

/* The files of a folder that are of one kind, with their names in it. */
typedef struct chosen_files {
    const char **names, **paths;
    size_t len;
} chosen_files;

static bool is_events(const char *name)
{
    return lc_format_is_beside(name) && !is_remark(name);
}

/* Fills chosen, which has room for all names, with those that `is` accepts. */
static loco_status choose(chosen_files *chosen, bool (*is)(const char *name), lc_store *store,
                          const folder_names *folder, loco_err *err)
{
    chosen->len = 0;
    for (size_t i = 0; i < folder->len; i++) {
        if (!is(folder->names[i]))
            continue;
        const char *path = lc_path_join(store, folder->path, strlen(folder->path), folder->names[i]);
        if (path == NULL)
            return out_of_memory(err);
        chosen->names[chosen->len] = folder->names[i];
        chosen->paths[chosen->len++] = path;
    }
    return LOCO_OK;
}

/* Sounds with events beside them; or, in a folder without sounds, the files of events alone. */
static loco_status gather_names(lc_gather *gather, lc_store *store, const folder_names *folder, loco_err *err)
{
    chosen_files chosen = {.names = lc_store_take(store, folder->len, sizeof *chosen.names),
                           .paths = lc_store_take(store, folder->len, sizeof *chosen.paths)};
    if (chosen.names == NULL || chosen.paths == NULL)
        return out_of_memory(err);
    loco_status status = choose(&chosen, lc_path_is_sound, store, folder, err);
    if (status == LOCO_OK && chosen.len > 0)
        return gather_beside(gather, chosen.names, chosen.paths, chosen.len, err);
    if (status == LOCO_OK)
        status = choose(&chosen, is_events, store, folder, err);
    for (size_t i = 0; i < chosen.len && status == LOCO_OK; i++)
        status = gather_path(gather, chosen.names[i], chosen.paths[i], err);
    return status;
}

/* events.csv, if there is one, stands for the whole folder; files beside the recordings are then not read. */
static loco_status gather_folder(lc_gather *gather, lc_store *store, const char *folder, loco_err *err)
{
    folder_names listed = {.path = folder};
    const char *table = lc_path_join(store, folder, strlen(folder), "events.csv");
    if (table == NULL)
        return out_of_memory(err);
    if (lc_path_is_file(table))
        return gather_path(gather, "", table, err);
    loco_status status = lc_folder_list(&listed.names, &listed.len, store, folder, err);
    if (status == LOCO_OK)
        status = gather_names(gather, store, &listed, err);
    if (status == LOCO_OK && gather->files.len == 0)
        return lc_err_set(err, LOCO_EDATA,
                          "%s: no counts.csv, no events.csv, and no .txt or .mid file with the name of a recording",
                          lc_place_show((lc_place){folder, 0, NULL}).text);
    return status;
}

/* ---- lists ---- */

/* Makes the list if status is LOCO_OK, and frees gather. */
static loco_status finish(lc_event_list **list, lc_gather *gather, loco_status status, loco_err *err)
{
    if (status == LOCO_OK)
        status = lc_gather_end(list, gather, err);
    lc_gather_free(gather);
    return status;
}

loco_status lc_event_list_parse(lc_event_list **list, const char *path, const char *bytes, size_t length,
                                const char *const *classes, size_t classes_len, loco_err *err)
{
    lc_gather gather = {0};
    loco_status status = lc_gather_begin(&gather, classes, classes_len, err);
    if (status == LOCO_OK)
        status = gather_bytes(&gather, &(lc_event_bytes){path + lc_path_folder(path), path, bytes, length}, err);
    return finish(list, &gather, status, err);
}

/* fixed: classes that are not given are refused. */
static loco_status load(lc_event_list **list, const char *path, const char *const *classes, size_t classes_len,
                        bool fixed, loco_err *err)
{
    lc_gather gather = {0};
    lc_store store = {0};
    loco_status status = lc_gather_begin(&gather, classes, classes_len, err);
    gather.fixed = gather.fixed && fixed;
    if (status == LOCO_OK)
        status = lc_path_is_folder(path) ? gather_folder(&gather, &store, path, err)
                                         : gather_path(&gather, path + lc_path_folder(path), path, err);
    lc_store_free(&store);
    return finish(list, &gather, status, err);
}

loco_status lc_event_list_load(lc_event_list **list, const char *path, const char *const *classes, size_t classes_len,
                               loco_err *err)
{
    return load(list, path, classes, classes_len, true, err);
}

loco_status lc_event_list_load_more(lc_event_list **list, const char *path, const char *const *classes,
                                    size_t classes_len, loco_err *err)
{
    return load(list, path, classes, classes_len, false, err);
}

loco_status lc_event_list_beside(lc_event_list **list, const char *const *sounds, size_t sounds_len,
                                 const char *const *classes, size_t classes_len, loco_err *err)
{
    lc_gather gather = {0};
    loco_status status = lc_gather_begin(&gather, classes, classes_len, err);
    if (status == LOCO_OK)
        status = gather_beside(&gather, sounds, sounds, sounds_len, err);
    return finish(list, &gather, status, err);
}

void lc_event_list_free(lc_event_list *list)
{
    if (list == NULL)
        return;
    lc_store_free(&list->owns);
    free(list);
}

const lc_event_file *lc_event_list_find(const lc_event_list *list, const char *recording)
{
    size_t stem = lc_path_stem(recording);
    for (size_t i = 0; i < list->files_len; i++)
        if (strcmp(list->files[i].name, recording) == 0)
            return &list->files[i];
    for (size_t i = 0; i < list->files_len; i++)
        if (lc_path_stem(list->files[i].name) == stem && strncmp(list->files[i].name, recording, stem) == 0)
            return &list->files[i];
    return list->files_len == 1 && list->files[0].name[0] == '\0' ? &list->files[0] : NULL;
}
