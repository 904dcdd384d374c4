/* SPDX-License-Identifier: MIT
 *
 * events.c - lists of events with their times: which reader a file needs, folders, and writing.
 *
 * A file that begins with MThd, or is called so, is MIDI; one called .csv or .tsv is a table; of others the first
 * character tells: label tracks begin with a number (or with \), tables with the name of a column.
 *
 * All readers put what they find into one lc_gather, whether there is one file or a folder of them; so classes are
 * numbered over all files, in the order of their names.
 */
#include "data/events.h"

#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "data/folder.h"
#include "data/gather.h"
#include "data/midi_read.h"
#include "data/table.h"

#include <stdlib.h>
#include <string.h>

static const char *const midi_endings[] = {".mid", ".midi", NULL};
static const char *const table_endings[] = {".csv", ".tsv", NULL};

/* What may lie beside a sound, in the order in which it is looked for. */
static const char *const beside_endings[] = {".txt", ".lab", ".mid", ".midi", NULL};

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for a list of events");
}

/* ---- events.csv ---- */

typedef struct columns {
    size_t file, time, class, probability; /* LC_TABLE_NONE where there is none */
} columns;

/* time and class must be there. */
static loco_status find_columns(columns *c, const lc_table *table, loco_err *err)
{
    loco_status status = lc_table_need(&c->time, table, "time", err);
    if (status == LOCO_OK)
        status = lc_table_need(&c->class, table, "class", err);
    c->file = lc_table_find(table, "file");
    c->probability = lc_table_find(table, "probability");
    return status;
}

/* 1 where the column or the cell is missing. */
static loco_status read_probability(double *probability, const lc_table *table, size_t row, size_t column,
                                    loco_err *err)
{
    *probability = 1;
    const char *cell = column == LC_TABLE_NONE ? "" : lc_table_cell(table, row, column);
    if (*cell == '\0')
        return LOCO_OK;
    if (!lc_number_parse(cell, strlen(cell), probability) || !(*probability >= 0 && *probability <= 1))
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is no probability; write a number from 0 to 1",
                          lc_place_show(lc_table_place(table, row, column)).text,
                          lc_field_show(cell, strlen(cell)).text);
    return LOCO_OK;
}

/* A row without time and class only says that its file is part of the list. */
static loco_status read_row(lc_gather *gather, const lc_table *table, const columns *c, size_t row, loco_err *err)
{
    const char *name = c->file == LC_TABLE_NONE ? "" : lc_table_cell(table, row, c->file);
    const char *class = lc_table_cell(table, row, c->class);
    size_t file;
    loco_event event;
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    if (*name == '\0' && c->file != LC_TABLE_NONE)
        return lc_err_set(err, LOCO_EDATA, "%s: no file; write the name of the recording",
                          lc_place_show(lc_table_place(table, row, c->file)).text);
    loco_status status = lc_gather_file(&file, gather, name, err);
    if (status != LOCO_OK || (*class == '\0' && *lc_table_cell(table, row, c->time) == '\0'))
        return status;
    status = lc_table_seconds(&event.time, table, row, c->time, err);
    if (status == LOCO_OK)
        status = read_probability(&event.probability, table, row, c->probability, err);
    lc_place place = lc_table_place(table, row, c->class);
    if (status == LOCO_OK)
        status = lc_gather_class(&event.kind, gather, place, class, strlen(class), err);
    if (status == LOCO_OK)
        status = lc_gather_event(gather, place, file, event, err);
    return status;
}

loco_status lc_gather_table(lc_gather *gather, const char *path, const char *text, size_t length, loco_err *err)
{
    lc_table *table;
    loco_status status = lc_table_parse(&table, path, text, length, err);
    if (status != LOCO_OK)
        return status;
    columns c = {0};
    status = find_columns(&c, table, err);
    for (size_t row = 0; row < table->rows && status == LOCO_OK; row++)
        status = read_row(gather, table, &c, row, err);
    size_t file;
    if (status == LOCO_OK && c.file == LC_TABLE_NONE) /* about one recording, even without a row */
        status = lc_gather_file(&file, gather, "", err);
    lc_table_free(table);
    return status;
}

/* ---- one file ---- */

/* An empty file is a label track without labels, as a program writes it. */
static bool begins_as_labels(const char *bytes, size_t length)
{
    for (size_t i = lc_field_mark(bytes, length); i < length; i++) {
        if (bytes[i] == '#')
            while (i + 1 < length && bytes[i] != '\n')
                i++;
        if (strchr(" \t\r\n#", bytes[i]) == NULL)
            return strchr("0123456789+-.\\", bytes[i]) != NULL;
    }
    return true;
}

/* Under name, where the file itself names none. */
static loco_status gather_bytes(lc_gather *gather, const char *name, const char *path, const char *bytes, size_t length,
                                loco_err *err)
{
    bool midi = lc_path_ends(path, midi_endings) || (length >= 4 && memcmp(bytes, "MThd", 4) == 0);
    if (!midi && (lc_path_ends(path, table_endings) || !begins_as_labels(bytes, length)))
        return lc_gather_table(gather, path, bytes, length, err);
    size_t file;
    loco_status status = lc_gather_file(&file, gather, name, err);
    if (status != LOCO_OK)
        return status;
    return midi ? lc_gather_midi(gather, file, path, bytes, length, err)
                : lc_gather_labels(gather, file, path, bytes, length, err);
}

/* Every kind has its own limit within that of tables. */
static loco_status gather_path(lc_gather *gather, const char *name, const char *path, loco_err *err)
{
    char *bytes;
    size_t length;
    loco_status status = lc_file_load(path, LC_TABLE_BYTES, &bytes, &length, err);
    if (status != LOCO_OK)
        return status;
    status = gather_bytes(gather, name, path, bytes, length, err);
    free(bytes);
    return status;
}

/* ---- beside sounds, and folders ---- */

/* The label track or MIDI file beside a sound, or NULL; two are one too many. */
static loco_status find_beside(const char **found, lc_store *store, const char *sound, loco_err *err)
{
    *found = NULL;
    size_t stem = lc_path_stem(sound);
    for (const char *const *ending = beside_endings; *ending != NULL; ending++) {
        size_t size = strlen(*ending) + 1;
        char *path = lc_store_take(store, stem + size, 1);
        if (path == NULL)
            return out_of_memory(err);
        memcpy(path, sound, stem);
        memcpy(path + stem, *ending, size);
        if (!lc_path_is_file(path) ||
            strcmp(path, sound) == 0) /* a recording may be called .txt: a series of numbers */
            continue;
        if (*found != NULL)
            return lc_err_set(err, LOCO_EDATA, "%s: events also in %s; keep one of the two",
                              lc_place_show((lc_place){*found, 0, NULL}).text, *ending);
        *found = path;
    }
    return LOCO_OK;
}

/* names[i] is how the list calls sounds[i]. */
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

/* What lies in folders of labels beside labels. */
static bool is_remark(const char *name)
{
    return strncmp(name, "README", 6) == 0 || strncmp(name, "LICENSE", 7) == 0 || strncmp(name, "COPYING", 7) == 0;
}

/* Puts the names that are sounds, or else labels, first, and their paths into paths; returns how many. */
static loco_status choose(const char **chosen, const char **paths, size_t *len, bool sounds, lc_store *store,
                          const char *folder, const char *const *names, size_t names_len, loco_err *err)
{
    *len = 0;
    for (size_t i = 0; i < names_len; i++) {
        if (sounds ? !lc_path_is_sound(names[i]) : !lc_path_is_labels(names[i]) || is_remark(names[i]))
            continue;
        const char *path = lc_path_join(store, folder, strlen(folder), names[i]);
        if (path == NULL)
            return out_of_memory(err);
        chosen[*len] = names[i];
        paths[(*len)++] = path;
    }
    return LOCO_OK;
}

/* Sounds with events beside them; or, in a folder without sounds, the files of events alone. */
static loco_status gather_names(lc_gather *gather, lc_store *store, const char *folder, const char *const *names,
                                size_t names_len, loco_err *err)
{
    const char **chosen = lc_store_take(store, names_len, sizeof *chosen);
    const char **paths = lc_store_take(store, names_len, sizeof *paths);
    if (chosen == NULL || paths == NULL)
        return out_of_memory(err);
    size_t len;
    loco_status status = choose(chosen, paths, &len, true, store, folder, names, names_len, err);
    if (status == LOCO_OK && len > 0)
        return gather_beside(gather, chosen, paths, len, err);
    if (status == LOCO_OK)
        status = choose(chosen, paths, &len, false, store, folder, names, names_len, err);
    for (size_t i = 0; i < len && status == LOCO_OK; i++)
        status = gather_path(gather, chosen[i], paths[i], err);
    return status;
}

static loco_status gather_folder(lc_gather *gather, lc_store *store, const char *folder, loco_err *err)
{
    const char *const *names;
    size_t names_len;
    const char *table = lc_path_join(store, folder, strlen(folder), "events.csv");
    if (table == NULL)
        return out_of_memory(err);
    if (lc_path_is_file(table))
        return gather_path(gather, "", table, err);
    loco_status status = lc_folder_list(&names, &names_len, store, folder, err);
    if (status == LOCO_OK)
        status = gather_names(gather, store, folder, names, names_len, err);
    if (status == LOCO_OK && gather->files.len == 0)
        return lc_err_set(err, LOCO_EDATA,
                          "%s: no counts.csv, no events.csv, and no .txt or .mid file with the name of a recording",
                          lc_place_show((lc_place){folder, 0, NULL}).text);
    return status;
}

/* ---- lists ---- */

/* Ends the list when all went well, and frees what was gathered. */
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
        status = gather_bytes(&gather, path + lc_path_folder(path), path, bytes, length, err);
    return finish(list, &gather, status, err);
}

loco_status lc_event_list_load(lc_event_list **list, const char *path, const char *const *classes, size_t classes_len,
                               loco_err *err)
{
    lc_gather gather = {0};
    lc_store store = {0};
    loco_status status = lc_gather_begin(&gather, classes, classes_len, err);
    if (status == LOCO_OK)
        status = lc_path_is_folder(path) ? gather_folder(&gather, &store, path, err)
                                         : gather_path(&gather, path + lc_path_folder(path), path, err);
    lc_store_free(&store);
    return finish(list, &gather, status, err);
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

/* ---- writing ---- */

/* Anything that is not certain, so that probabilities must be written. */
static bool any_doubt(const lc_event_list *list)
{
    for (size_t f = 0; f < list->files_len; f++)
        for (size_t e = 0; e < list->files[f].events_len; e++)
            if (list->files[f].events[e].probability < 1)
                return true;
    return false;
}

/* The rest of a row, behind the name of the file. */
static void format_event(lc_text *text, const loco_event *event, const char *class, bool doubt)
{
    lc_text_fixed(text, event->time, 6);
    lc_text_append(text, ",", 1);
    lc_table_quote(text, class);
    if (doubt) {
        lc_text_append(text, ",", 1);
        lc_text_number(text, event->probability, 6);
    }
    lc_text_append(text, "\n", 1);
}

void lc_events_format(lc_text *text, const lc_event_list *list)
{
    bool doubt = any_doubt(list), nameless = list->files_len == 1 && list->files[0].name[0] == '\0';
    lc_text_format(text, "%stime,class%s\n", nameless ? "" : "file,", doubt ? ",probability" : "");
    for (size_t f = 0; f < list->files_len; f++) {
        const lc_event_file *file = &list->files[f];
        for (size_t e = 0; e < file->events_len; e++) {
            if (!nameless) {
                lc_table_quote(text, file->name);
                lc_text_append(text, ",", 1);
            }
            format_event(text, &file->events[e], list->classes[file->events[e].kind], doubt);
        }
        if (file->events_len == 0 && !nameless) {
            lc_table_quote(text, file->name);
            lc_text_string(text, doubt ? ",,,\n" : ",,\n");
        }
    }
}

loco_status lc_event_list_save_csv(const char *path, const lc_event_list *list, loco_err *err)
{
    lc_text text = {0};
    lc_events_format(&text, list);
    loco_status status = text.failed ? out_of_memory(err) : lc_file_save(path, text.bytes, text.length, err);
    lc_text_free(&text);
    return status;
}
