/* SPDX-License-Identifier: MIT
 *
 * take.c - what all layouts share: where things are, what labels become, and recordings taken up one by one.
 */
#include "base/csv.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"
#include "data/dataset.h"
#include "signal/sound.h"
#include "studio/import/import.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static loco_status out_of_memory(loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "out of memory while importing");
}

/* ---- what labels become ---- */

/* One `theirs=ours` of the user's list. */
static loco_status map_one(lc_import *import, const char *item, size_t length, loco_err *err)
{
    const lc_vocabulary *v = import->vocabulary;
    const char *sign = memchr(item, '=', length);
    size_t theirs = sign != NULL ? (size_t)(sign - item) : length;
    if (sign == NULL || theirs == 0 || theirs + 1 == length)
        return lc_err_set(err, LOCO_EARG, "map: \"%s\" has no class; write it as in %s=kick",
                          lc_show_bytes(item, length).text, v->labels[0][0]);
    size_t label = lc_vocabulary_find(v, item, theirs);
    if (label == SIZE_MAX)
        return lc_err_set(err, LOCO_EARG, "map: \"%s\" is not a label of %s: %s", lc_show_bytes(item, theirs).text,
                          v->set, lc_vocabulary_show(v).text);
    if (import->ours[label] != NULL)
        return lc_err_set(err, LOCO_EARG, "map: %s is there twice", v->labels[label][0]);
    import->ours[label] = lc_store_string(&import->store, sign + 1, length - theirs - 1);
    return import->ours[label] != NULL ? LOCO_OK : out_of_memory(err);
}

/* A list of `theirs=ours` with commas between them. */
static loco_status map_all(lc_import *import, const char *map, loco_err *err)
{
    loco_status status = lc_plain_text_check("map", map, strlen(map), err);
    if (status != LOCO_OK)
        return LOCO_EARG;
    for (const char *at = map; status == LOCO_OK;) {
        size_t length = strcspn(at, ",");
        status = map_one(import, at, length, err);
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    return status;
}

loco_status lc_import_use(lc_import *import, const lc_vocabulary *vocabulary, loco_err *err)
{
    const char *map = import->options.map;
    import->vocabulary = vocabulary;
    for (size_t i = 0; i < vocabulary->len; i++)
        import->ours[i] = map == NULL               ? vocabulary->labels[i][1]
                          : strcmp(map, "all") == 0 ? vocabulary->labels[i][0]
                                                    : NULL;
    return map == NULL || strcmp(map, "all") == 0 ? LOCO_OK : map_all(import, map, err);
}

/* ---- where things are ---- */

char *lc_import_format(lc_import *import, const char *format, ...)
{
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, values);
    char *text = length < 0 ? NULL : lc_store_take(&import->store, (size_t)length + 1, 1);
    if (text != NULL)
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(values);
    return text;
}

/* The first names of a folder, as many as fit: `audio, docs, ...`. */
typedef struct shown_names {
    char text[64];
} shown_names;

static shown_names show_names(const char *const *names, size_t len)
{
    shown_names shown = {"nothing"};
    size_t used = 0;
    for (size_t i = 0; i < len; i++) {
        char name[48]; /* short enough that one always fits */
        lc_show_into(name, sizeof name, names[i], strlen(names[i]));
        size_t length = strlen(name), comma = i > 0 ? 2 : 0;
        if (used + comma + length + 6 > sizeof shown.text) {
            memcpy(shown.text + used, used > 0 ? ", ..." : "...", used > 0 ? 6 : 4);
            break;
        }
        memcpy(shown.text + used, ", ", comma);
        memcpy(shown.text + used + comma, name, length + 1);
        used += comma + length;
    }
    return shown;
}

loco_status lc_import_folder(const char **path, lc_import *import, const char *const *names, loco_err *err)
{
    const char *const *found;
    size_t found_len;
    for (size_t i = 0; names[i] != NULL; i++) {
        const char *one = lc_import_format(import, "%s/%s", import->from, names[i]);
        if (one == NULL)
            return out_of_memory(err);
        if (lc_path_is_folder(one)) {
            *path = one;
            return LOCO_OK;
        }
    }
    loco_status status = lc_folder_list(&found, &found_len, &import->store, import->from, err);
    if (status != LOCO_OK)
        return status;
    return lc_err_set(err, LOCO_EDATA, "%s: no folder %s%s%s, as %s has; this folder holds %s",
                      lc_place_show((lc_place){import->from, 0, NULL}).text, names[0], names[1] != NULL ? " or " : "",
                      names[1] != NULL ? names[1] : "", import->vocabulary->set, show_names(found, found_len).text);
}

/* ---- recordings ---- */

loco_status lc_import_measure(lc_import_take *take, loco_err *err)
{
    return lc_sound_length(take->file.sound, &take->seconds, &take->rate, err);
}

/* In order of time; those at one time in order of label, so that the order of the file does not matter. */
static int in_order(const void *a, const void *b)
{
    const lc_stroke *x = a, *y = b;
    if (x->time < y->time || x->time > y->time)
        return x->time < y->time ? -1 : 1;
    return x->label < y->label ? -1 : x->label > y->label;
}

loco_status lc_import_check(const lc_import_take *take, loco_err *err)
{
    for (size_t i = 0; i < take->strokes.len; i++) {
        const lc_stroke *stroke = &take->strokes.items[i];
        if (stroke->time > take->seconds + LC_EVENT_LATE)
            return lc_err_set(err, LOCO_EDATA, "%s: a stroke at %s s, but \"%s\" lasts %s s",
                              lc_place_show((lc_place){take->path, stroke->line, NULL}).text,
                              lc_time_show(stroke->time).text, lc_show(take->file.name).text,
                              lc_time_show(take->seconds).text);
    }
    return LOCO_OK;
}

/* A recording without events of ours has a row that says so. */
static void write_events(lc_import *import, const char *name, const lc_strokes *strokes)
{
    size_t before = import->done.events;
    for (size_t i = 0; i < strokes->len; i++) {
        const char *ours = import->ours[strokes->items[i].label];
        if (ours == NULL) {
            import->done.left_out++;
            continue;
        }
        lc_csv_quote(&import->events, name);
        lc_text_string(&import->events, ",");
        lc_text_fixed(&import->events, strokes->items[i].time, 6);
        lc_text_string(&import->events, ",");
        lc_csv_quote(&import->events, ours);
        lc_text_string(&import->events, "\n");
        import->done.events++;
    }
    if (import->done.events == before) {
        lc_csv_quote(&import->events, name);
        lc_text_string(&import->events, ",,\n");
    }
}

/* Events find their recording by its name up to the ending, so that this must be the only one. */
static loco_status add_file(lc_import *import, const lc_import_file *file, loco_err *err)
{
    size_t before = import->stems.len;
    lc_import_file *files = lc_list_grow(import->files, &import->capacity, import->files_len + 1, sizeof *files);
    if (files != NULL)
        import->files = files;
    size_t stem = lc_names_add(&import->stems, &import->store, file->name, lc_path_stem(file->name));
    if (files == NULL || stem == LC_NAMES_NONE)
        return out_of_memory(err);
    if (import->stems.len == before)
        return lc_err_set(err, LOCO_EDATA, "%s: there is another sound of this name with another ending",
                          lc_place_show((lc_place){file->sound, 0, NULL}).text);
    files[import->files_len++] = *file;
    import->done.recordings++;
    return LOCO_OK;
}

loco_status lc_import_add(lc_import *import, lc_import_take *take, loco_err *err)
{
    loco_status status = lc_import_check(take, err);
    if (status == LOCO_OK)
        status = add_file(import, &take->file, err);
    if (status == LOCO_OK && take->strokes.len > 0)
        qsort(take->strokes.items, take->strokes.len, sizeof *take->strokes.items, in_order);
    if (status == LOCO_OK)
        write_events(import, take->file.name, &take->strokes);
    return status;
}

loco_status lc_import_choose_none(const lc_import *import, loco_err *err)
{
    static const char *const none[] = {NULL};
    size_t chosen;
    if (import->options.mix != NULL)
        return lc_import_choose(&chosen, "mix", import->options.mix, none, err);
    return import->options.labels != NULL ? lc_import_choose(&chosen, "labels", import->options.labels, none, err)
                                          : LOCO_OK;
}

void lc_import_skip(lc_import *import, const char *name)
{
    if (import->done.skipped++ == 0)
        lc_show_into(import->done.first_skipped, sizeof import->done.first_skipped, name, strlen(name));
}

static loco_status read_lines(const lc_import *import, lc_import_take *take, loco_err *err)
{
    char *text;
    size_t length;
    loco_status status = lc_file_load(take->path, LC_EVENTS_LABELS, &text, &length, err);
    if (status != LOCO_OK)
        return status;
    status = lc_strokes_parse_lines(&take->strokes, import->vocabulary, take->path, text, length, err);
    free(text);
    return status;
}

loco_status lc_import_lines(lc_import *import, lc_import_file file, const char *annotation, loco_err *err)
{
    if (file.name == NULL || file.sound == NULL || annotation == NULL)
        return out_of_memory(err);
    if (!lc_path_is_file(annotation)) {
        lc_import_skip(import, file.name);
        return LOCO_OK;
    }
    lc_import_take take = {.file = file, .path = annotation};
    loco_status status = read_lines(import, &take, err);
    if (status == LOCO_OK)
        status = lc_import_measure(&take, err);
    if (status == LOCO_OK)
        status = lc_import_add(import, &take, err);
    lc_strokes_free(&take.strokes);
    return status;
}
