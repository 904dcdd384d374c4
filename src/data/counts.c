/* SPDX-License-Identifier: MIT
 *
 * counts.c - counts.csv into a data set, and back.
 *
 *     file,start,end,kick,snare
 *     a.wav,0,1.5,3,2..4            start and end in seconds; without them the whole recording
 *     a.wav,1.5,3,0,?               a cell that is empty or ? says nothing
 *
 *   Labels lie in one block (clips, classes); clip i has row i of it. Recordings are numbered by their first row. */
#include "base/file.h"
#include "base/status.h"
#include "data/dataset.h"
#include "data/folder.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* While the table becomes a set. The columns are LC_TABLE_NONE where there is none. */
typedef struct builder {
    const lc_table *table;
    size_t file, start, end;
    size_t *columns; /* of each class */
    const char **classes;
    size_t classes_len;
    lc_names recordings;
    lc_clip *clips;
    loco_label *labels;
    lc_store store;
} builder;

/* Every failure of the store ends here: it is never the table that is at fault. */
static loco_status out_of_memory(const builder *b, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show((lc_place){b->table->path, 0, NULL}).text);
}

/* Every column but file, start and end. */
static loco_status find_classes(builder *b, loco_err *err)
{
    const lc_table *t = b->table;
    loco_status status = lc_table_need(&b->file, t, "file", err);
    if (status != LOCO_OK)
        return status;
    b->start = lc_table_find(t, "start");
    b->end = lc_table_find(t, "end");
    b->columns = lc_store_take(&b->store, t->columns, sizeof *b->columns);
    b->classes = lc_store_take(&b->store, t->columns, sizeof *b->classes);
    if (b->columns == NULL || b->classes == NULL)
        return out_of_memory(b, err);
    for (size_t c = 0; c < t->columns; c++) {
        const char *name = lc_table_column(t, c);
        if (c == b->file || c == b->start || c == b->end)
            continue;
        lc_where where = lc_place_show((lc_place){t->path, 0, NULL});
        if (*name == '\0')
            return lc_err_set(err, LOCO_EDATA,
                              "%s: column %zu has no name; each column but file, start and end is a class", where.text,
                              c + 1);
        b->columns[b->classes_len] = c;
        b->classes[b->classes_len] = lc_store_string(&b->store, name, strlen(name));
        if (b->classes[b->classes_len++] == NULL)
            return out_of_memory(b, err);
    }
    if (b->classes_len == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no classes; each column but file, start and end is one",
                          lc_place_show((lc_place){t->path, 0, NULL}).text);
    return LOCO_OK;
}

/* A cell that is empty says nothing, as `?` does. */
static loco_status read_label(loco_label *label, const lc_table *t, size_t row, size_t column, loco_err *err)
{
    const char *cell = lc_table_cell(t, row, column);
    loco_err why;
    *label = loco_label_unknown();
    if (*cell == '\0')
        return LOCO_OK;
    if (loco_label_parse(label, cell, strlen(cell), &why) != LOCO_OK) {
        lc_field_shown shown = lc_field_show(cell, strlen(cell));
        lc_where where = lc_place_show(lc_table_place(t, row, column));
        return lc_err_set(err, LOCO_EDATA,
                          "%s: \"%s\" is not a count; write 3, 2..5 (the smaller first), >=1, <=4 or ?", where.text,
                          shown.text);
    }
    if (label->lo > LC_COUNT_MOST || (label->hi > LC_COUNT_MOST && label->hi != LOCO_NO_LIMIT))
        return lc_err_set(err, LOCO_EDATA, "%s: the count %s is larger than %d",
                          lc_place_show(lc_table_place(t, row, column)).text, lc_field_show(cell, strlen(cell)).text,
                          LC_COUNT_MOST);
    return LOCO_OK;
}

/* Whether there is such a column, and something in it. */
static bool has_cell(const lc_table *t, size_t row, size_t column)
{
    return column != LC_TABLE_NONE && *lc_table_cell(t, row, column) != '\0';
}

/* Missing times are the start and the end of the recording; how long it is nobody knows yet. */
static loco_status read_times(lc_clip *clip, const builder *b, size_t row, loco_err *err)
{
    const lc_table *t = b->table;
    loco_status status = LOCO_OK;
    clip->start = 0;
    clip->end = INFINITY;
    if (has_cell(t, row, b->start))
        status = lc_table_seconds(&clip->start, t, row, b->start, err);
    if (status == LOCO_OK && has_cell(t, row, b->end))
        status = lc_table_seconds(&clip->end, t, row, b->end, err);
    if (status == LOCO_OK && clip->start >= clip->end)
        return lc_err_set(err, LOCO_EDATA, "%s: the end %s is not after the start",
                          lc_place_show(lc_table_place(t, row, b->end)).text, lc_table_cell(t, row, b->end));
    return status;
}

/* Row `row` of the table is clip `row` of the set. */
static loco_status read_row(builder *b, size_t row, loco_err *err)
{
    const lc_table *t = b->table;
    lc_clip *clip = &b->clips[row];
    loco_label *labels = b->labels + row * b->classes_len;
    const char *name = lc_table_cell(t, row, b->file);
    while (strncmp(name, "./", 2) == 0) /* one name for one recording, or a split would take it for two */
        name += 2;
    if (*name == '\0')
        return lc_err_set(err, LOCO_EDATA, "%s: no file; write the name of the recording",
                          lc_place_show(lc_table_place(t, row, b->file)).text);
    clip->labels = labels;
    clip->row = t->lines[row];
    clip->recording = lc_names_add(&b->recordings, &b->store, name, strlen(name));
    if (clip->recording == LC_NAMES_NONE)
        return out_of_memory(b, err);
    loco_status status = read_times(clip, b, row, err);
    for (size_t k = 0; k < b->classes_len && status == LOCO_OK; k++)
        status = read_label(&labels[k], t, row, b->columns[k], err);
    return status;
}

/* Refuses what would take more than 256 MiB of labels before it allocates. */
static loco_status read_rows(builder *b, loco_err *err)
{
    size_t rows = b->table->rows;
    lc_where where = lc_place_show((lc_place){b->table->path, 0, NULL});
    if (rows == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no rows; write one for each clip", where.text);
    if (rows > LC_LABELS_MOST / b->classes_len)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu rows of %zu classes; at most %d counts are read", where.text, rows,
                          b->classes_len, LC_LABELS_MOST);
    b->clips = lc_store_take(&b->store, rows, sizeof *b->clips);
    b->labels = lc_store_take(&b->store, rows * b->classes_len, sizeof *b->labels);
    if (b->clips == NULL || b->labels == NULL)
        return out_of_memory(b, err);
    for (size_t row = 0; row < rows; row++) {
        loco_status status = read_row(b, row, err);
        if (status != LOCO_OK)
            return status;
    }
    return LOCO_OK;
}

/* Hands what was read over to a new set, which owns the store from then on. Paths of recordings start from the
 * folder of the table, so that a data set can be moved as a whole. */
static loco_status make_set(lc_dataset **set, builder *b, const char *where, loco_err *err)
{
    size_t len = b->recordings.len, folder = lc_path_folder(where);
    lc_recording *recordings = lc_store_take(&b->store, len, sizeof *recordings);
    const char *copy = lc_store_string(&b->store, where, strlen(where));
    if (recordings == NULL || copy == NULL)
        return out_of_memory(b, err);
    for (size_t i = 0; i < len; i++) {
        const char *name = b->recordings.items[i], *path = lc_path_join(&b->store, where, folder, name);
        if (path == NULL)
            return out_of_memory(b, err);
        recordings[i] = (lc_recording){.name = name, .path = path};
    }
    lc_dataset *made = malloc(sizeof *made);
    if (made == NULL)
        return out_of_memory(b, err);
    *made = (lc_dataset){.where = copy,
                         .classes = b->classes,
                         .classes_len = b->classes_len,
                         .recordings = recordings,
                         .recordings_len = len,
                         .clips = b->clips,
                         .clips_len = b->table->rows,
                         .owns = b->store};
    b->store = (lc_store){0};
    *set = made;
    return LOCO_OK;
}

loco_status lc_counts_parse(lc_dataset **set, const char *where, const char *text, size_t length, loco_err *err)
{
    lc_table *table;
    loco_status status = lc_table_parse(&table, where, text, length, err);
    if (status != LOCO_OK)
        return status;
    builder b = {.table = table};
    status = find_classes(&b, err);
    if (status == LOCO_OK)
        status = read_rows(&b, err);
    if (status == LOCO_OK)
        status = make_set(set, &b, where, err);
    lc_names_free(&b.recordings);
    lc_store_free(&b.store);
    lc_table_free(table);
    return status;
}

/* ---- writing ---- */

/* A clip of the whole recording has no times, so that it stays right when the recording is replaced. */
static void format_clip(lc_text *text, const lc_dataset *set, const lc_clip *clip)
{
    bool open = !isfinite(clip->end);
    lc_table_quote(text, set->recordings[clip->recording].name);
    lc_text_append(text, ",", 1);
    if (clip->start > 0 || !open)
        lc_text_fixed(text, clip->start, 6);
    lc_text_append(text, ",", 1);
    if (!open)
        lc_text_fixed(text, clip->end, 6);
    for (size_t k = 0; k < set->classes_len; k++) {
        char label[64];
        loco_label_format(label, sizeof label, clip->labels[k]);
        lc_text_append(text, ",", 1);
        lc_text_string(text, label);
    }
    lc_text_append(text, "\n", 1);
}

/* The same columns whatever the set: reading the file gives the same clips and labels. */
void lc_counts_format(lc_text *text, const lc_dataset *set)
{
    lc_text_string(text, "file,start,end");
    for (size_t k = 0; k < set->classes_len; k++) {
        lc_text_append(text, ",", 1);
        lc_table_quote(text, set->classes[k]);
    }
    lc_text_append(text, "\n", 1);
    for (size_t i = 0; i < set->clips_len; i++)
        format_clip(text, set, &set->clips[i]);
}

loco_status lc_dataset_save_counts(const char *path, const lc_dataset *set, loco_err *err)
{
    lc_text text = {0};
    lc_counts_format(&text, set);
    loco_status status = LOCO_OK;
    if (text.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory while writing counts");
    else
        status = lc_file_save(path, text.bytes, text.length, err);
    lc_text_free(&text);
    return status;
}
