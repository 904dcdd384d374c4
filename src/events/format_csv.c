/* SPDX-License-Identifier: MIT
 *
 * format_csv.c - events as CSV: tables that are read, lists that are written as events.csv, and detected events.
 *
 *     file,time,class,probability
 *     take 1.wav,12.345678,snare,0.9731
 *
 *     file,x,y,class,probability                 of images
 *     field 1.png,101.250,37.667,cell,0.9731
 *
 * Two writers, since their output is compared byte by byte with that of earlier versions: detected events always have
 * all four columns and quote names by RFC 4180 only; a list leaves the columns out that say nothing (file where there
 * is one nameless recording, probability where all are 1) and also quotes what our reader would take for a comment or a
 * separator.
 */
#include "events/formats.h"

#include "base/csv.h"
#include "base/file.h"
#include "base/number.h"
#include "base/status.h"

#include <string.h>

/* ---- reading ---- */

typedef struct columns {
    size_t file, time, class, probability; /* LC_CSV_NONE where there is none */
    size_t x;                              /* of images, where the time is y; else LC_CSV_NONE */
} columns;

/* Either time, or x and y. A column x beside time may be anything, but with y as well it is not clear what is meant. */
static loco_status find_position(columns *c, const lc_csv *table, loco_err *err)
{
    size_t y = lc_csv_find(table, "y");
    c->time = lc_csv_find(table, "time");
    c->x = lc_csv_find(table, "x");
    if (c->x != LC_CSV_NONE && y != LC_CSV_NONE && c->time != LC_CSV_NONE)
        return lc_err_set(err, LOCO_EDATA,
                          "%s: columns time, x and y; an event has a time or a place in an image: leave one out",
                          lc_place_show((lc_place){table->path, 0, NULL}).text);
    if (c->time != LC_CSV_NONE || (c->x == LC_CSV_NONE && y == LC_CSV_NONE)) {
        c->x = LC_CSV_NONE;
        return lc_csv_need(&c->time, table, "time", err);
    }
    loco_status status = lc_csv_need(&c->x, table, "x", err);
    return status == LOCO_OK ? lc_csv_need(&c->time, table, "y", err) : status;
}

/* A position and the class must be there. */
static loco_status find_columns(columns *c, const lc_csv *table, loco_err *err)
{
    loco_status status = find_position(c, table, err);
    if (status == LOCO_OK)
        status = lc_csv_need(&c->class, table, "class", err);
    c->file = lc_csv_find(table, "file");
    c->probability = lc_csv_find(table, "probability");
    return status;
}

static loco_status read_position(loco_event *event, const lc_csv *table, const columns *c, size_t row, loco_err *err)
{
    event->x = 0;
    if (c->x == LC_CSV_NONE)
        return lc_csv_seconds(&event->time, table, row, c->time, err);
    loco_status status = lc_csv_pixels(&event->x, table, row, c->x, err);
    return status == LOCO_OK ? lc_csv_pixels(&event->time, table, row, c->time, err) : status;
}

/* Neither a position nor a class. */
static bool is_bare(const lc_csv *table, const columns *c, size_t row)
{
    return *lc_csv_cell(table, row, c->class) == '\0' && *lc_csv_cell(table, row, c->time) == '\0' &&
           (c->x == LC_CSV_NONE || *lc_csv_cell(table, row, c->x) == '\0');
}

/* 1 where the column or the cell is missing. */
static loco_status read_probability(double *probability, const lc_csv *table, size_t row, size_t column, loco_err *err)
{
    *probability = 1;
    const char *cell = column == LC_CSV_NONE ? "" : lc_csv_cell(table, row, column);
    if (*cell == '\0')
        return LOCO_OK;
    if (!lc_number_parse(cell, strlen(cell), probability) || !(*probability >= 0 && *probability <= 1))
        return lc_err_set(err, LOCO_EDATA, "%s: \"%s\" is not a probability; write a number from 0 to 1",
                          lc_place_show(lc_csv_place(table, row, column)).text, lc_show(cell).text);
    return LOCO_OK;
}

/* A row without position and class only says that its file is part of the list. */
static loco_status read_row(lc_gather *gather, const lc_csv *table, const columns *c, size_t row, loco_err *err)
{
    const char *name = c->file == LC_CSV_NONE ? "" : lc_csv_cell(table, row, c->file);
    const char *class = lc_csv_cell(table, row, c->class);
    size_t file;
    loco_event event;
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    if (*name == '\0' && c->file != LC_CSV_NONE)
        return lc_err_set(err, LOCO_EDATA, "%s: no file; write the name of the recording",
                          lc_place_show(lc_csv_place(table, row, c->file)).text);
    loco_status status = lc_gather_file(&file, gather, name, err);
    if (status != LOCO_OK || is_bare(table, c, row))
        return status;
    status = read_position(&event, table, c, row, err);
    if (status == LOCO_OK)
        status = read_probability(&event.probability, table, row, c->probability, err);
    lc_place place = lc_csv_place(table, row, c->class);
    if (status == LOCO_OK)
        status = lc_gather_class(&event.kind, gather, place, class, strlen(class), err);
    if (status == LOCO_OK)
        status = lc_gather_event(gather, place, file, event, err);
    return status;
}

static loco_status read_table(lc_gather *gather, const lc_event_bytes *from, loco_err *err)
{
    lc_csv *table;
    loco_status status = lc_csv_parse(&table, from->path, from->bytes, from->length, err);
    if (status != LOCO_OK)
        return status;
    columns c = {0};
    status = find_columns(&c, table, err);
    gather->places = status == LOCO_OK && c.x != LC_CSV_NONE;
    for (size_t row = 0; row < table->rows && status == LOCO_OK; row++)
        status = read_row(gather, table, &c, row, err);
    size_t file;
    if (status == LOCO_OK && c.file == LC_CSV_NONE) /* about one recording, even without a row */
        status = lc_gather_file(&file, gather, "", err);
    lc_csv_free(table);
    return status;
}

/* ---- detected events ---- */

static void csv_line(lc_text *out, const lc_events_view *view, const loco_event *event)
{
    lc_csv_quote(out, view->file);
    lc_text_string(out, ",");
    if (view->places) {
        lc_text_fixed(out, event->x, LC_PLACE_DECIMALS);
        lc_text_string(out, ",");
    }
    lc_text_fixed(out, event->time, view->places ? LC_PLACE_DECIMALS : LC_TIME_DECIMALS);
    lc_text_string(out, ",");
    lc_csv_quote(out, view->classes[event->kind]);
    lc_text_string(out, ",");
    lc_text_fixed(out, event->probability, LC_PROBABILITY_DECIMALS);
    const lc_note *note = lc_events_note(view, event);
    if (note != NULL) {
        lc_text_string(out, ",");
        lc_text_fixed(out, note->end, LC_TIME_DECIMALS);
        lc_text_string(out, ",");
        lc_text_fixed(out, note->velocity, 0);
    }
    lc_text_string(out, "\n");
}

const lc_format lc_format_csv = {
    .name = "csv",
    .endings = {{".csv", LC_ENDING_WRITES | LC_ENDING_READS}, {".tsv", LC_ENDING_READS}},
    .read = read_table,
    .heading = "file,time,class,probability\n",
    .places = LC_PLACES_TOO,
    .places_heading = "file,x,y,class,probability\n",
    .notes_heading = "file,time,class,probability,end,velocity\n",
    .line = csv_line,
};

/* ---- lists ---- */

/* Anything that is not certain, so that probabilities must be written. */
static bool any_doubt(const lc_event_list *list)
{
    for (size_t f = 0; f < list->files_len; f++)
        for (size_t e = 0; e < list->files[f].events_len; e++)
            if (list->files[f].events[e].probability < 1)
                return true;
    return false;
}

/* The rest of a row, behind the name of the file. Pixels are mostly whole. */
static void format_event(lc_text *text, const loco_event *event, const char *class, bool doubt, bool places)
{
    if (places) {
        lc_text_number(text, event->x, LC_TIME_DECIMALS);
        lc_text_append(text, ",", 1);
        lc_text_number(text, event->time, LC_TIME_DECIMALS);
    } else {
        lc_text_fixed(text, event->time, LC_TIME_DECIMALS);
    }
    lc_text_append(text, ",", 1);
    lc_csv_quote(text, class);
    if (doubt) {
        lc_text_append(text, ",", 1);
        lc_text_number(text, event->probability, 6);
    }
    lc_text_append(text, "\n", 1);
}

/* A file without events has a row with its name only: so it stays in the list. */
void lc_events_format(lc_text *text, const lc_event_list *list)
{
    bool doubt = any_doubt(list), nameless = list->files_len == 1 && list->files[0].name[0] == '\0';
    lc_text_format(text, "%s%s,class%s\n", nameless ? "" : "file,", list->places ? "x,y" : "time",
                   doubt ? ",probability" : "");
    for (size_t f = 0; f < list->files_len; f++) {
        const lc_event_file *file = &list->files[f];
        for (size_t e = 0; e < file->events_len; e++) {
            if (!nameless) {
                lc_csv_quote(text, file->name);
                lc_text_append(text, ",", 1);
            }
            format_event(text, &file->events[e], list->classes[file->events[e].kind], doubt, list->places);
        }
        if (file->events_len == 0 && !nameless) {
            lc_csv_quote(text, file->name);
            lc_text_string(text, list->places ? "," : "");
            lc_text_string(text, doubt ? ",,,\n" : ",,\n");
        }
    }
}

loco_status lc_event_list_save_csv(const char *path, const lc_event_list *list, loco_err *err)
{
    lc_text text = {0};
    lc_events_format(&text, list);
    loco_status status = text.failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for a list of events")
                                     : lc_file_save(path, text.bytes, text.length, err);
    lc_text_free(&text);
    return status;
}
