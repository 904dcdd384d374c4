/* SPDX-License-Identifier: MIT
 *
 * counts.c - counts.csv into a data set, and back.
 *
 *     file,start,end,kick,snare
 *     a.wav,0,1.5,3,2..4            start and end in seconds; without them the whole recording
 *     a.wav,1.5,3,0,?               a cell that is empty or ? says nothing
 *
 *     file,x0,y0,x1,y1,cell         of images: rectangles in pixels in place of start and end
 *     field.png,0,0,128,64,17
 *
 *     file,kick,kick+snare          a sum of classes, which need no column of their own
 *     a.wav,3,5                     a count that follows from the others is filled in: 2 of snare
 *
 *   Classes come in the order in which the header names them first, alone or in a sum. Labels lie in one block (clips,
 *   classes and sums); clip i has row i of it. Recordings are numbered by their first row. */
#include "base/csv.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/status.h"
#include "data/dataset.h"
#include "data/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { X0, Y0, X1, Y1, SIDES };

static const char *const sides[SIDES] = {"x0", "y0", "x1", "y1"};

/* A table while it becomes a set. Columns that are missing are LC_CSV_NONE. */
typedef struct builder {
    const lc_csv *table;
    size_t file, start, end;
    size_t sides[SIDES]; /* of a rectangle */
    bool places;         /* there are such columns */
    size_t *columns;     /* of each label: those of classes, then those of sums */
    size_t *of_sums;     /* columns of sums */
    lc_names classes;
    lc_sum *sums;
    size_t sums_len, members_len;
    lc_dataset named; /* classes and sums alone */
    lc_names recordings;
    lc_clip *clips;
    loco_label *labels, *bounds;
    lc_store store;
} builder;

/* Every failure of the store ends here: it is never the table that is at fault. */
static loco_status out_of_memory(const builder *b, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show((lc_place){b->table->path, 0, NULL}).text);
}

/* ---- columns ---- */

/* The length of a part of a name without the spaces around it; moves *part to its first character. */
static size_t trim(const char **part, size_t length)
{
    while (length > 0 && **part == ' ') {
        ++*part;
        length--;
    }
    while (length > 0 && (*part)[length - 1] == ' ')
        length--;
    return length;
}

/* Columns that are not classes. */
static bool is_reserved(const char *name, size_t length)
{
    static const char *const reserved[] = {"file", "start", "end", "x0", "y0", "x1", "y1"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (strlen(reserved[i]) == length && memcmp(reserved[i], name, length) == 0)
            return true;
    return false;
}

/* Adds the classes of `kick+snare` to those that are known, and the sum to the sums. */
static loco_status add_sum(builder *b, const char *name, size_t column, loco_err *err)
{
    lc_sum *sum = &b->sums[b->sums_len];
    lc_where where = lc_place_show((lc_place){b->table->path, 0, name});
    size_t most = 1;
    for (const char *c = name; *c != 0; c++)
        most += *c == '+';
    size_t *members = lc_store_take(&b->store, most, sizeof *members);
    *sum = (lc_sum){.name = lc_store_string(&b->store, name, strlen(name)), .members = members};
    if (members == NULL || sum->name == NULL)
        return out_of_memory(b, err);
    if ((b->members_len += most) > LC_MEMBERS_MOST)
        return lc_err_set(err, LOCO_EDATA, "%s: sums of more than %d classes in all", where.text, LC_MEMBERS_MOST);
    for (const char *part = name; sum->members_len < most;) {
        size_t whole = strcspn(part, "+"), length = whole;
        const char *from = part;
        length = trim(&from, length);
        if (length == 0)
            return lc_err_set(err, LOCO_EDATA, "%s: + stands between two classes, as in kick+snare", where.text);
        if (is_reserved(from, length))
            return lc_err_set(err, LOCO_EDATA, "%s: \"%.*s\" is not a class", where.text, (int)length, from);
        size_t k = lc_names_add(&b->classes, &b->store, from, length);
        if (k == LC_NAMES_NONE)
            return out_of_memory(b, err);
        for (size_t i = 0; i < sum->members_len; i++)
            if (members[i] == k)
                return lc_err_set(err, LOCO_EDATA, "%s: a class is there twice", where.text);
        members[sum->members_len++] = k;
        part += whole + 1;
    }
    b->of_sums[b->sums_len++] = column;
    return LOCO_OK;
}

/* kick+snare and snare+kick are one sum. */
static bool same_classes(const lc_sum *a, const lc_sum *b)
{
    size_t found = 0;
    for (size_t i = 0; i < a->members_len; i++)
        for (size_t j = 0; j < b->members_len; j++)
            found += a->members[i] == b->members[j];
    return a->members_len == b->members_len && found == a->members_len;
}

/* Two columns for one sum are refused, as two of one class are. */
static loco_status check_sums(const builder *b, loco_err *err)
{
    for (size_t i = 1; i < b->sums_len; i++)
        for (size_t j = 0; j < i; j++)
            if (same_classes(&b->sums[i], &b->sums[j]))
                return lc_err_set(err, LOCO_EDATA, "%s: the same classes as in column \"%s\"",
                                  lc_place_show((lc_place){b->table->path, 0, b->sums[i].name}).text,
                                  lc_show(b->sums[j].name).text);
    return LOCO_OK;
}

/* One column that is a class or a sum. */
static loco_status add_column(builder *b, size_t c, loco_err *err)
{
    const char *name = lc_csv_column(b->table, c);
    if (*name == '\0')
        return lc_err_set(err, LOCO_EDATA, "%s: column %zu has no name; each column but file, start and end is a class",
                          lc_place_show((lc_place){b->table->path, 0, NULL}).text, c + 1);
    if (!lc_show_passes(name))
        return lc_err_set(err, LOCO_EDATA, "%s: a line feed or another control character in the name of a class",
                          lc_place_show((lc_place){b->table->path, 0, name}).text);
    if (strchr(name, '+') != NULL)
        return add_sum(b, name, c, err);
    return lc_names_add(&b->classes, &b->store, name, strlen(name)) != LC_NAMES_NONE ? LOCO_OK : out_of_memory(b, err);
}

/* The columns of all classes and sums. */
static loco_status place_columns(builder *b, loco_err *err)
{
    size_t K = b->classes.len;
    const char **classes = lc_store_take(&b->store, K, sizeof *classes);
    b->columns = lc_store_take(&b->store, K + b->sums_len, sizeof *b->columns);
    b->bounds = lc_store_take(&b->store, K + b->sums_len, sizeof *b->bounds);
    if (classes == NULL || b->columns == NULL || b->bounds == NULL)
        return out_of_memory(b, err);
    for (size_t k = 0; k < K; k++) {
        classes[k] = b->classes.items[k];
        b->columns[k] = lc_csv_find(b->table, classes[k]);
    }
    for (size_t s = 0; s < b->sums_len; s++)
        b->columns[K + s] = b->of_sums[s];
    b->named = (lc_dataset){.classes = classes, .classes_len = K, .sums = b->sums, .sums_len = b->sums_len};
    return check_sums(b, err);
}

/* The four columns of a rectangle, or none of them. */
static loco_status find_sides(builder *b, loco_err *err)
{
    const lc_csv *t = b->table;
    size_t found = 0;
    lc_where where = lc_place_show((lc_place){t->path, 0, NULL});
    for (size_t i = 0; i < SIDES; i++) {
        b->sides[i] = lc_csv_find(t, sides[i]);
        found += b->sides[i] != LC_CSV_NONE;
    }
    for (size_t i = 0; i < SIDES; i++)
        if (found > 0 && b->sides[i] == LC_CSV_NONE)
            return lc_err_set(err, LOCO_EDATA, "%s: no column \"%s\"; a rectangle needs x0, y0, x1 and y1", where.text,
                              sides[i]);
    b->places = found > 0;
    if (b->places && (b->start != LC_CSV_NONE || b->end != LC_CSV_NONE))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: x0, y0, x1, y1 are for images, start and end for all else; leave two or four out",
                          where.text);
    return LOCO_OK;
}

/* Whether a column is not a class. */
static bool is_place(const builder *b, size_t column)
{
    bool side = false;
    for (size_t i = 0; i < SIDES; i++)
        side = side || column == b->sides[i];
    return side || column == b->file || column == b->start || column == b->end;
}

/* The columns that are not classes. */
static loco_status find_places(builder *b, loco_err *err)
{
    loco_status status = lc_csv_need(&b->file, b->table, "file", err);
    b->start = lc_csv_find(b->table, "start");
    b->end = lc_csv_find(b->table, "end");
    return status == LOCO_OK ? find_sides(b, err) : status;
}

/* Every other column. */
static loco_status find_classes(builder *b, loco_err *err)
{
    const lc_csv *t = b->table;
    loco_status status = find_places(b, err);
    if (status != LOCO_OK)
        return status;
    b->sums = lc_store_take(&b->store, t->columns, sizeof *b->sums);
    b->of_sums = lc_store_take(&b->store, t->columns, sizeof *b->of_sums);
    if (b->sums == NULL || b->of_sums == NULL)
        return out_of_memory(b, err);
    for (size_t c = 0; status == LOCO_OK && c < t->columns; c++)
        if (!is_place(b, c))
            status = add_column(b, c, err);
    if (status == LOCO_OK && b->classes.len == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no classes; each column but file, start and end is one",
                          lc_place_show((lc_place){t->path, 0, NULL}).text);
    return status == LOCO_OK ? place_columns(b, err) : status;
}

/* ---- rows ---- */

/* The length of a label without decimals that are zeros: spreadsheets and pandas write 2.0 for 2. */
static size_t whole_length(const char *cell)
{
    size_t length = strlen(cell), digits = length;
    while (digits > 0 && cell[digits - 1] == '0')
        digits--;
    bool decimals = digits > 1 && digits < length && (cell[digits - 1] == '.' || cell[digits - 1] == ',');
    return decimals && cell[digits - 2] >= '0' && cell[digits - 2] <= '9' ? digits - 1 : length;
}

/* A cell that is empty says nothing, as `?` does. */
static loco_status read_label(loco_label *label, const lc_csv *t, size_t row, size_t column, loco_err *err)
{
    const char *cell = lc_csv_cell(t, row, column);
    loco_err why;
    *label = loco_label_unknown();
    if (*cell == '\0')
        return LOCO_OK;
    if (loco_label_parse(label, cell, whole_length(cell), &why) != LOCO_OK) {
        lc_shown shown = lc_show(cell);
        lc_where where = lc_place_show(lc_csv_place(t, row, column));
        return lc_err_set(err, LOCO_EDATA,
                          "%s: \"%s\" is not a count; write 3, 2..5 (the smaller first), >=1, <=4 or ?", where.text,
                          shown.text);
    }
    if (label->lo > LC_COUNT_MOST || (label->hi > LC_COUNT_MOST && label->hi != LOCO_NO_LIMIT))
        return lc_err_set(err, LOCO_EDATA, "%s: the count %s is larger than %d",
                          lc_place_show(lc_csv_place(t, row, column)).text, lc_show(cell).text, LC_COUNT_MOST);
    return LOCO_OK;
}

/* Whether there is such a column, and something in it. */
static bool has_cell(const lc_csv *t, size_t row, size_t column)
{
    return column != LC_CSV_NONE && *lc_csv_cell(t, row, column) != '\0';
}

/* Missing times are the start and the end of the recording; its length is not known yet. */
static loco_status read_times(lc_clip *clip, const builder *b, size_t row, loco_err *err)
{
    const lc_csv *t = b->table;
    loco_status status = LOCO_OK;
    clip->start = clip->left = clip->right = 0;
    clip->end = INFINITY;
    if (has_cell(t, row, b->start))
        status = lc_csv_seconds(&clip->start, t, row, b->start, err);
    if (status == LOCO_OK && has_cell(t, row, b->end))
        status = lc_csv_seconds(&clip->end, t, row, b->end, err);
    if (status == LOCO_OK && clip->start >= clip->end)
        return lc_err_set(err, LOCO_EDATA, "%s: the end %s is not after the start",
                          lc_place_show(lc_csv_place(t, row, b->end)).text, lc_csv_cell(t, row, b->end));
    return status;
}

/* All four sides, or none: the whole image. */
static loco_status read_sides(lc_clip *clip, const builder *b, size_t row, loco_err *err)
{
    const lc_csv *t = b->table;
    double *to[SIDES] = {&clip->left, &clip->start, &clip->right, &clip->end};
    size_t given = 0;
    loco_status status = LOCO_OK;
    for (size_t i = 0; i < SIDES; i++)
        given += has_cell(t, row, b->sides[i]);
    for (size_t i = 0; status == LOCO_OK && given > 0 && i < SIDES; i++)
        status = lc_csv_pixels(to[i], t, row, b->sides[i], err);
    if (status != LOCO_OK || given == 0)
        return status;
    for (size_t i = 0; i < 2; i++)
        if (*to[i] >= *to[i + X1])
            return lc_err_set(err, LOCO_EDATA, "%s: %s is not beyond %s, which is %s",
                              lc_place_show(lc_csv_place(t, row, b->sides[i + X1])).text,
                              lc_csv_cell(t, row, b->sides[i + X1]), sides[i], lc_csv_cell(t, row, b->sides[i]));
    return LOCO_OK;
}

/* Row `row` of the table is clip `row` of the set. */
static loco_status read_row(builder *b, size_t row, loco_err *err)
{
    const lc_csv *t = b->table;
    lc_clip *clip = &b->clips[row];
    size_t n = b->named.classes_len + b->named.sums_len;
    loco_label *labels = b->labels + row * n;
    const char *name = lc_csv_cell(t, row, b->file);
    while (strncmp(name, "./", 2) == 0) /* one name for one recording, or a split would take it for two */
        name += 2;
    if (*name == '\0')
        return lc_err_set(err, LOCO_EDATA, "%s: no file; write the name of the recording",
                          lc_place_show(lc_csv_place(t, row, b->file)).text);
    clip->labels = labels;
    clip->row = t->lines[row];
    clip->recording = lc_names_add(&b->recordings, &b->store, name, strlen(name));
    if (clip->recording == LC_NAMES_NONE)
        return out_of_memory(b, err);
    loco_status status = read_times(clip, b, row, err);
    if (status == LOCO_OK && b->places)
        status = read_sides(clip, b, row, err);
    for (size_t k = 0; k < n && status == LOCO_OK; k++) {
        labels[k] = loco_label_unknown();
        if (b->columns[k] != LC_CSV_NONE)
            status = read_label(&labels[k], t, row, b->columns[k], err);
    }
    if (status == LOCO_OK && b->named.sums_len > 0)
        status = lc_sums_settle(&b->named, labels, b->bounds, lc_csv_place(t, row, b->file), err);
    return status;
}

/* Refuses what would take more than 2 GiB of labels before it allocates. */
static loco_status read_rows(builder *b, loco_err *err)
{
    size_t rows = b->table->rows, n = b->named.classes_len + b->named.sums_len;
    lc_where where = lc_place_show((lc_place){b->table->path, 0, NULL});
    if (rows == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: no rows; write one for each clip", where.text);
    if (rows > LC_LABELS_MOST / (n + b->members_len))
        return lc_err_set(err, LOCO_EDATA, "%s: %zu rows of %zu classes; at most %d counts are read", where.text, rows,
                          n + b->members_len, LC_LABELS_MOST);
    b->clips = lc_store_take(&b->store, rows, sizeof *b->clips);
    b->labels = lc_store_take(&b->store, rows * n, sizeof *b->labels);
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
                         .classes = b->named.classes,
                         .classes_len = b->named.classes_len,
                         .sums = b->named.sums,
                         .sums_len = b->named.sums_len,
                         .recordings = recordings,
                         .recordings_len = len,
                         .clips = b->clips,
                         .clips_len = b->table->rows,
                         .owns = b->store,
                         .places = b->places};
    b->store = (lc_store){0};
    *set = made;
    return LOCO_OK;
}

/* The table is freed. */
static loco_status build(lc_dataset **set, const char *where, lc_csv *table, loco_err *err)
{
    builder b = {.table = table};
    loco_status status = find_classes(&b, err);
    if (status == LOCO_OK)
        status = read_rows(&b, err);
    if (status == LOCO_OK)
        status = make_set(set, &b, where, err);
    lc_names_free(&b.classes);
    lc_names_free(&b.recordings);
    lc_store_free(&b.store);
    lc_csv_free(table);
    return status;
}

loco_status lc_counts_parse(lc_dataset **set, const char *where, const char *text, size_t length, loco_err *err)
{
    lc_csv *table;
    loco_status status = lc_csv_parse(&table, where, text, length, err);
    return status == LOCO_OK ? build(set, where, table, err) : status;
}

/* The text of the file is freed before clips and labels are allocated. */
loco_status lc_counts_load(lc_dataset **set, const char *path, loco_err *err)
{
    lc_csv *table;
    loco_status status = lc_csv_load(&table, path, err);
    return status == LOCO_OK ? build(set, path, table, err) : status;
}

/* ---- writing ---- */

static bool is_rectangle(const lc_clip *clip)
{
    return clip->right > 0;
}

/* A whole image has no sides. */
static void format_sides(lc_text *text, const lc_clip *clip)
{
    const double values[SIDES] = {clip->left, clip->start, clip->right, clip->end};
    for (size_t i = 0; i < SIDES; i++) {
        lc_text_append(text, ",", 1);
        if (is_rectangle(clip))
            lc_text_number(text, values[i], 6);
    }
}

/* A clip of the whole recording has no times, so that it stays right when the recording is replaced. */
static void format_times(lc_text *text, const lc_clip *clip)
{
    bool open = !isfinite(clip->end);
    lc_text_append(text, ",", 1);
    if (clip->start > 0 || !open)
        lc_text_fixed(text, clip->start, 6);
    lc_text_append(text, ",", 1);
    if (!open)
        lc_text_fixed(text, clip->end, 6);
}

static void format_clip(lc_text *text, const lc_dataset *set, const lc_clip *clip, bool rectangles)
{
    lc_csv_quote(text, set->recordings[clip->recording].name);
    if (rectangles)
        format_sides(text, clip);
    else
        format_times(text, clip);
    for (size_t k = 0; k < set->classes_len + set->sums_len; k++) {
        char label[64];
        loco_label_format(label, sizeof label, clip->labels[k]);
        lc_text_append(text, ",", 1);
        lc_text_string(text, label);
    }
    lc_text_append(text, "\n", 1);
}

/* Reading the file gives the same clips and labels. */
void lc_counts_format(lc_text *text, const lc_dataset *set)
{
    bool rectangles = false;
    for (size_t i = 0; i < set->clips_len; i++)
        rectangles = rectangles || is_rectangle(&set->clips[i]);
    lc_text_string(text, rectangles ? "file,x0,y0,x1,y1" : "file,start,end");
    for (size_t k = 0; k < set->classes_len + set->sums_len; k++) {
        lc_text_append(text, ",", 1);
        lc_csv_quote(text, lc_label_name(set, k));
    }
    lc_text_append(text, "\n", 1);
    for (size_t i = 0; i < set->clips_len; i++)
        format_clip(text, set, &set->clips[i], rectangles);
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
