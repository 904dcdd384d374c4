/* SPDX-License-Identifier: MIT
 * series_csv.c - a whole table of sensor channels: its rows (series_rows.h) and its rate.
 *
 * Times must rise evenly: no step may differ from the median one by more than a tenth of it, and what the number of
 * decimals rounds away, up to half a step. The rate is that of the first and the last time, a whole number where it is one but for 1e-4
 * or what the decimals leave open. */
#include "base/status.h"
#include "signal/series_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double JITTER = 0.1, WHOLE = 1e-4, AGREE = 0.01;

typedef struct series_reader {
    lc_row_reader rows;
    float *values; /* (len, channels) */
    double *times;
    size_t *lines; /* of each row */
    size_t len, capacity;
    double quantum; /* of the times: 0.001 where they have three decimals */
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

/* 0.001 for 12.345, 1 for 12; a time with an exponent says nothing. */
static void note_quantum(series_reader *r, lc_text_cell time)
{
    const char *point = memchr(time.at, '.', time.length);
    size_t decimals = point != NULL ? time.length - (size_t)(point - time.at) - 1 : 0;
    double quantum = memchr(time.at, 'e', time.length) != NULL || memchr(time.at, 'E', time.length) != NULL
                         ? 0
                         : pow(10, -(double)decimals);
    r->quantum = r->len == 0 ? quantum : fmin(r->quantum, quantum);
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
        note_quantum(r, r->rows.cells[r->rows.time]);
        r->times[r->len] = time;
    }
    r->lines[r->len++] = r->rows.line;
    return LOCO_OK;
}

/* ---- times ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle step; NAN without memory. */
static double median_step(const series_reader *r)
{
    double *steps = malloc(r->len * sizeof *steps);
    if (steps == NULL)
        return (double)NAN;
    for (size_t i = 1; i < r->len; i++)
        steps[i - 1] = r->times[i] - r->times[i - 1];
    qsort(steps, r->len - 1, sizeof *steps, by_size);
    double median = steps[(r->len - 1) / 2];
    free(steps);
    return median;
}

static loco_status check_steps(const series_reader *r, double median, loco_err *err)
{
    double tolerance = JITTER * median + fmin(r->quantum, median / 2);
    const lc_track_name name = lc_track_show(r->rows.name);
    for (size_t i = 1; i < r->len; i++) {
        double step = r->times[i] - r->times[i - 1];
        if (!(step > 0))
            return lc_err_set(err, LOCO_EDATA, "%s:%zu: the time %s does not rise: it was %s before", name.text,
                              r->lines[i], lc_seconds_show(r->times[i]).text, lc_seconds_show(r->times[i - 1]).text);
        if (fabs(step - median) <= tolerance)
            continue;
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: %s of %s s to the row before, where rows are %s s apart; %s",
                          name.text, r->lines[i], step > 1.5 * median ? "a gap" : "a step", lc_seconds_show(step).text,
                          lc_seconds_show(median).text,
                          step > 1.5 * median ? "cut the file there, or fill the gap"
                                              : "sample it evenly, and write times with enough decimals");
    }
    return LOCO_OK;
}

/* A whole number, where the decimals of the times leave that open. */
static double whole_rate(double rate, double open)
{
    double whole = nearbyint(rate);
    return fabs(rate - whole) <= fmax(WHOLE, open) * rate ? whole : rate;
}

static loco_status rate_of_times(const series_reader *r, double *rate, loco_err *err)
{
    const lc_track_name name = lc_track_show(r->rows.name);
    if (r->len < 3)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu row%s; at least 3 are needed to find the rate", name.text, r->len,
                          r->len == 1 ? "" : "s");
    double median = median_step(r);
    if (isnan(median))
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory for %zu times", name.text, r->len);
    if (!(median > 0))
        return lc_err_set(err, LOCO_EDATA, "%s: the times do not rise from row to row", name.text);
    loco_status status = check_steps(r, median, err);
    if (status != LOCO_OK)
        return status;
    double span = r->times[r->len - 1] - r->times[0];
    double found = whole_rate((double)(r->len - 1) / span, fmin(r->quantum / span, AGREE));
    if (r->rows.stated > 0 && fabs(r->rows.stated - found) > AGREE * found)
        return lc_err_set(err, LOCO_EDATA, "%s: a rate of %.0f Hz is stated, but the times rise by %s s", name.text,
                          r->rows.stated, lc_seconds_show(median).text);
    if (!(found >= 1 && found <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: rows are %s s apart, which is not a rate from 1 to %d Hz; times must be in seconds",
                          name.text, lc_seconds_show(median).text, LC_SOUND_RATE);
    *rate = found;
    return LOCO_OK;
}

/* ---- all ---- */

static loco_status find_rate(const series_reader *r, double *rate, loco_err *err)
{
    if (r->rows.stated < 0)
        return lc_err_set(err, LOCO_EDATA, "%s: the comment with the rate has no number; write # rate: 50",
                          lc_track_show(r->rows.name).text);
    if (r->rows.time < LC_ROW_COLUMNS)
        return rate_of_times(r, rate, err);
    if (r->rows.stated > 0) {
        *rate = r->rows.stated;
        return LOCO_OK;
    }
    return lc_err_set(err, LOCO_EDATA,
                      "%s: no column is named time, and no rate is stated; write # rate: 50 above the header",
                      lc_track_show(r->rows.name).text);
}

/* The line and the name of what is missing say more than the number of the row. */
static loco_status check_missing(const series_reader *r, lc_missing missing, loco_err *err)
{
    size_t C = r->rows.channels;
    for (size_t i = 0; missing == LC_MISSING_REFUSE && i < r->len * C; i++)
        if (isnan(r->values[i]))
            return lc_rows_no_value(&r->rows, r->lines[i / C], i % C, err);
    return LOCO_OK;
}

static loco_status read_all(series_reader *r, lc_track *made, const lc_track_format *format, loco_err *err)
{
    const char *end;
    double rate = 0;
    loco_status status = lc_rows_header(&r->rows, format->columns, err);
    while (status == LOCO_OK && lc_rows_next(&r->rows, &end))
        status = read_row(r, end, err);
    if (status == LOCO_OK)
        status = find_rate(r, &rate, err);
    if (status == LOCO_OK)
        status = check_missing(r, format->missing, err);
    if (status == LOCO_OK) /* of no columns: zeros, as many as there are rows */
        status = lc_track_new(made, r->rows.name, r->len, r->rows.channels > 0 ? r->rows.channels : 1, rate, err);
    if (status != LOCO_OK)
        return status;
    lc_rows_titles(&r->rows, made->columns);
    made->ignored = r->rows.ignored;
    if (r->values != NULL) /* for the analyser: without rows there is no track */
        memcpy(made->samples, r->values, r->len * r->rows.channels * sizeof *r->values);
    return lc_track_fill(made, r->rows.name, format->missing, "row", err);
}

loco_status lc_series_csv_parse(lc_track *track, const char *name, const void *bytes, size_t length,
                                const lc_track_format *format, loco_err *err)
{
    const char *text = bytes;
    size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    series_reader r = {
        .rows = {.name = name, .at = text + mark, .end = text + length, .stated = format->rate}
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
