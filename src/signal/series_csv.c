/* SPDX-License-Identifier: MIT
 * series_csv.c - a whole table of sensor channels: its rows (series_rows.h), its rate, and what the user should know.
 *
 * The rate is what a .format file states (then times are not read), or that of the times, which series_even.c makes even,
 * or what a comment in the file states. The unit of times: series_clock.c. */
#include "base/status.h"
#include "base/text.h"
#include "signal/series_clock.h"
#include "signal/series_even.h"
#include "signal/series_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct series_reader {
    lc_row_reader rows;
    float *values; /* (len, channels) */
    double *times;
    size_t *lines; /* of each row */
    size_t len, capacity;
    double quantum; /* of the times, in their unit: 0.001 where they have three decimals */
    double unit;    /* of the times, in seconds; 0: there are none */
    lc_pace pace;
} series_reader;

/* ---- rows ---- */

/* Makes room for one more row. */
static bool grow(series_reader *r)
{
    if (r->len < r->capacity)
        return true;
    size_t width = r->rows.channels > 0 ? r->rows.channels : 1, room = r->capacity > 0 ? 2 * r->capacity : 1024;
    if (room > LC_TRACK_SAMPLES / width + 1024)
        return false;
    float *values = realloc(r->values, room * width * sizeof *values);
    if (values == NULL)
        return false;
    r->values = values;
    size_t *lines = realloc(r->lines, room * sizeof *lines);
    if (lines == NULL)
        return false;
    r->lines = lines;
    if (r->rows.time < LC_ROW_COLUMNS) {
        double *times = realloc(r->times, room * sizeof *times);
        if (times == NULL)
            return false;
        r->times = times;
    }
    r->capacity = room;
    return true;
}

static loco_status read_row(series_reader *r, const char *end, loco_err *err)
{
    double time = 0;
    if (!grow(r))
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory at line %zu", lc_track_show(r->rows.name).text,
                          r->rows.line);
    loco_status status = lc_rows_read(&r->rows, end, r->values + r->len * r->rows.channels, &time, err);
    if (status != LOCO_OK)
        return status;
    if (r->rows.time < LC_ROW_COLUMNS) {
        lc_text_cell cell = r->rows.cells[r->rows.time];
        double quantum = lc_clock_quantum(cell.at, cell.length);
        r->quantum = r->len == 0 ? quantum : fmin(r->quantum, quantum);
        r->times[r->len] = time;
    }
    r->lines[r->len++] = r->rows.line;
    return LOCO_OK;
}

/* ---- times ---- */

/* Times become seconds after the first. */
static loco_status find_unit(series_reader *r, lc_stamped *rows, double *step, loco_err *err)
{
    const lc_track_name name = lc_track_show(r->rows.name);
    double first = r->times[0], raw = lc_stamped_step(rows);
    if (isnan(raw))
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory for %zu times", name.text, r->len);
    if (!(raw > 0))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: the times do not rise from row to row; state rate=50 in series.format beside it, and "
                          "they are not read",
                          name.text);
    bool known = r->rows.dated || r->rows.unit > 0;
    r->unit = r->rows.dated ? 1 : known ? r->rows.unit : lc_clock_unit(first, raw, r->rows.stated);
    for (size_t i = 0; i < r->len; i++)
        r->times[i] = (r->times[i] - first) * r->unit;
    rows->quantum = r->quantum * r->unit;
    *step = raw * r->unit;
    return LOCO_OK;
}

static loco_status rate_of_times(series_reader *r, lc_missing missing, loco_err *err)
{
    double step = 0;
    lc_stamped rows = {.name = r->rows.name,
                       .times = r->times,
                       .lines = r->lines,
                       .values = r->values,
                       .len = r->len,
                       .channels = r->rows.channels};
    if (r->len < 3)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu row%s; at least 3 are needed to find the rate",
                          lc_track_show(r->rows.name).text, r->len, r->len == 1 ? "" : "s");
    loco_status status = find_unit(r, &rows, &step, err);
    if (status == LOCO_OK)
        status = lc_stamped_pace(&r->pace, &rows, step, r->rows.stated, missing, err);
    r->len = rows.len;
    return status;
}

static loco_status find_rate(series_reader *r, const lc_track_format *format, loco_err *err)
{
    r->pace = (lc_pace){.rate = format->rate > 0 ? format->rate : r->rows.stated, .even = true, .frames = r->len};
    if (format->rate > 0)
        return LOCO_OK;
    if (r->rows.stated < 0)
        return lc_err_set(err, LOCO_EDATA, "%s: the comment with the rate has no number; write # rate: 50",
                          lc_track_show(r->rows.name).text);
    if (r->rows.time < LC_ROW_COLUMNS)
        return rate_of_times(r, format->missing, err);
    if (r->rows.stated > 0)
        return LOCO_OK;
    return lc_err_set(err, LOCO_EDATA,
                      "%s: no column is named time, and no rate is stated; write # rate: 50 above the header",
                      lc_track_show(r->rows.name).text);
}

/* ---- notices ---- */

/* A number with a point in every locale, and without zeros at its end. */
static void add_number(lc_text *text, double number)
{
    lc_text_number(text, number, number >= 10 ? 0 : number >= 1 ? 1 : 3);
}

/* "; not read: seconds_elapsed, activity" */
static void note_aside(const series_reader *r, lc_text *text)
{
    size_t n = 0;
    for (size_t i = 0; r->rows.all && i < r->rows.columns; i++)
        if (r->rows.aside[i] && r->rows.names[i].length > 0)
            lc_text_format(text, "%s%s", n++ > 0 ? ", " : "; columns that are not read (text or more times): ",
                           lc_text_cell_show(r->rows.names[i]).text);
}

/* What was decided about the table, in one sentence; "": it is as it should be. */
static loco_status note(const series_reader *r, char notice[LC_TRACK_NOTICE], loco_err *err)
{
    lc_text text = {0};
    bool guessed = r->unit > 0 && r->unit < 1 && !(r->rows.unit > 0);
    if (guessed)
        lc_text_format(&text, "; times are taken for %s", lc_clock_unit_name(r->unit));
    if (!r->pace.even) {
        lc_text_string(&text, "; time stamps vary (");
        add_number(&text, 1000 * r->pace.shortest);
        lc_text_string(&text, " to ");
        add_number(&text, 1000 * r->pace.longest);
        lc_text_string(&text, " ms); resampled to ");
        add_number(&text, r->pace.rate);
        lc_text_string(&text, " rows a second");
    }
    note_aside(r, &text);
    loco_status status = text.failed
                             ? lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_track_show(r->rows.name).text)
                             : LOCO_OK;
    if (status == LOCO_OK && text.length > 0)
        snprintf(notice, LC_TRACK_NOTICE, "%s: %s", lc_track_show(r->rows.name).text, text.bytes + 2);
    lc_text_free(&text);
    return status;
}

/* ---- all ---- */

/* The line and the name of what is missing say more than the number of the row. */
static loco_status check_missing(const series_reader *r, lc_missing missing, loco_err *err)
{
    size_t C = r->rows.channels;
    for (size_t i = 0; missing == LC_MISSING_REFUSE && i < r->len * C; i++)
        if (isnan(r->values[i]))
            return lc_rows_no_value(&r->rows, r->lines[i / C], i % C, err);
    return LOCO_OK;
}

static loco_status read_rows(series_reader *r, const lc_track_format *format, loco_err *err)
{
    const char *end;
    loco_status status = lc_rows_header(&r->rows, format->columns, err);
    if (status == LOCO_OK)
        lc_rows_set_text_aside(&r->rows);
    if (format->rate > 0)
        r->rows.time = LC_ROW_COLUMNS; /* not a channel, and not read */
    while (status == LOCO_OK && lc_rows_next(&r->rows, &end))
        status = read_row(r, end, err);
    if (status == LOCO_OK)
        status = check_missing(r, format->missing, err);
    return status == LOCO_OK ? find_rate(r, format, err) : status;
}

static loco_status read_all(series_reader *r, lc_track *made, const lc_track_format *format, loco_err *err)
{
    lc_stamped rows = {.name = r->rows.name};
    loco_status status = read_rows(r, format, err);
    if (status == LOCO_OK) /* of no columns: zeros, as many as there are rows */
        status = lc_track_new(made, r->rows.name, r->pace.frames, r->rows.channels > 0 ? r->rows.channels : 1,
                              r->pace.rate, err);
    if (status != LOCO_OK)
        return status;
    lc_rows_titles(&r->rows, made->columns);
    made->ignored = r->rows.ignored;
    rows.times = r->times;
    rows.values = r->values;
    rows.len = r->len;
    rows.channels = r->rows.channels;
    if (!r->pace.even)
        lc_stamped_resample(made->samples, &rows, &r->pace);
    else if (r->values != NULL) /* for the analyser: without rows there is no track */
        memcpy(made->samples, r->values, r->len * r->rows.channels * sizeof *r->values);
    status = note(r, made->notice, err);
    return status == LOCO_OK ? lc_track_fill(made, r->rows.name, format->missing, "row", err) : status;
}

loco_status lc_series_csv_parse(lc_track *track, const char *name, const void *bytes, size_t length,
                                const lc_track_format *format, loco_err *err)
{
    const char *text = bytes;
    size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    series_reader r = {
        .rows = {.name = name, .at = text + mark, .end = text + length}
    };
    lc_track made = {0};
    loco_status status = read_all(&r, &made, format, err);
    free(r.values);
    free(r.times);
    free(r.lines);
    if (status == LOCO_OK)
        *track = made;
    else
        lc_track_free(&made);
    return status;
}
