/* SPDX-License-Identifier: MIT
 * series_csv.c - sensor channels as a table of text.
 *
 *     # rate: 50                 or a column of times in seconds, named time, t, seconds or timestamp
 *     time,x,y,z
 *     0.00,0.1,-9.8,0.3
 *     0.02,0.1,,0.3              a cell that is empty, nan or NA is missing: see lc_track_mend
 *
 * Cells are separated by commas; by semicolons, or else tabs, when the header has no comma. Numbers have a point. Unlike
 * data/table.h nothing but numbers is kept: an hour of three channels at 1 kHz is 3.6 million rows.
 *
 * Times must rise evenly: no step may differ from the median one by more than a tenth of it, and what the number of
 * decimals rounds away, up to half a step. The rate is that of the first and the last time, a whole number where it is one but for 1e-4. */
#include "base/number.h"
#include "base/status.h"
#include "signal/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = LC_SOUND_CHANNELS + 1, SHOWN = 32 };
static const double JITTER = 0.1, WHOLE = 1e-4, AGREE = 0.01;

typedef struct cell {
    const char *at;
    size_t length;
} cell;

typedef struct reader {
    const char *name;
    const char *at, *end;
    size_t line; /* of what was read last, from 1 */
    char separator;
    cell names[COLUMNS], cells[COLUMNS + 1];
    size_t columns;
    size_t time;   /* its column, or COLUMNS */
    double stated; /* rate, or 0 */
    float *values; /* (rows, columns without time) */
    double *times;
    size_t *lines; /* of each row */
    size_t rows, capacity, channels;
    double quantum; /* of the times: 0.001 where they have three decimals */
} reader;

typedef struct shown {
    char text[SHOWN + 1];
} shown;

static shown show(cell c)
{
    shown s;
    size_t n = c.length < SHOWN ? c.length : SHOWN;
    for (size_t i = 0; i < n; i++)
        s.text[i] = c.at[i] >= ' ' && c.at[i] <= '~' ? c.at[i] : '?';
    s.text[n] = '\0';
    return s;
}

static bool is(cell c, const char *word)
{
    size_t n = strlen(word), i = 0;
    while (i < n && i < c.length && (c.at[i] | 0x20) == (word[i] | 0x20))
        i++;
    return i == n && c.length == n;
}

/* ---- lines and cells ---- */

static cell strip(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    if (end - at >= 2 && *at == '"' && end[-1] == '"') {
        at++;
        end--;
    }
    return (cell){at, (size_t)(end - at)};
}

static const char *line_end(const reader *r)
{
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    return end != NULL ? end : r->end;
}

/* "# rate: 50", "#rate=50 Hz": 50; anything else: 0. */
static double rate_of_comment(const char *at, const char *end)
{
    double rate = 0;
    at++;
    while (at < end && *at == ' ')
        at++;
    if (end - at < 5 || memcmp(at, "rate", 4) != 0)
        return 0;
    at += 4;
    while (at < end && (*at == ' ' || *at == ':' || *at == '='))
        at++;
    cell number = strip(at, end);
    if (number.length > 2 && is((cell){number.at + number.length - 2, 2}, "hz"))
        number = strip(number.at, number.at + number.length - 2);
    return lc_number_parse(number.at, number.length, &rate) && rate >= 0 ? rate : -1;
}

/* Goes to the next line with something in it; false at the end. */
static bool next_line(reader *r, const char **end)
{
    while (r->at < r->end) {
        *end = line_end(r);
        r->line++;
        if (*r->at != '#' && strip(r->at, *end).length > 0)
            return true;
        double rate = *r->at == '#' ? rate_of_comment(r->at, *end) : 0;
        r->stated = rate > 0 || rate < 0 ? rate : r->stated;
        r->at = *end + (*end < r->end);
    }
    return false;
}

/* Cells of the line at r->at, up to COLUMNS + 1 of them; goes behind it. */
static size_t split(reader *r, const char *end)
{
    size_t n = 0;
    const char *at = r->at;
    while (n <= COLUMNS) {
        const char *stop = r->separator != '\0' ? memchr(at, r->separator, (size_t)(end - at)) : NULL;
        r->cells[n++] = strip(at, stop != NULL ? stop : end);
        if (stop == NULL)
            break;
        at = stop + 1;
    }
    r->at = end + (end < r->end);
    return n;
}

/* ---- the header ---- */

static bool is_time(cell name)
{
    static const char *const names[] = {"time", "t", "seconds", "timestamp", "time_s", "time (s)", "time [s]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(name, names[i]))
            return true;
    return false;
}

static loco_status check_name(const reader *r, size_t column, loco_err *err)
{
    cell name = r->names[column];
    double number;
    if (lc_number_parse(name.at, name.length, &number))
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: \"%s\" where a name should stand; the first row names the columns",
                          lc_track_show(r->name).text, r->line, show(name).text);
    for (size_t i = 0; i < column; i++)
        if (name.length > 0 && name.length == r->names[i].length && memcmp(name.at, r->names[i].at, name.length) == 0)
            return lc_err_set(err, LOCO_EDATA, "%s:%zu: column \"%s\" is there twice", lc_track_show(r->name).text,
                              r->line, show(name).text);
    return LOCO_OK;
}

static loco_status read_header(reader *r, loco_err *err)
{
    const char *end;
    const lc_track_name name = lc_track_show(r->name);
    if (!next_line(r, &end))
        return lc_err_set(err, LOCO_EDATA, "%s: is empty; the first row names the columns", name.text);
    size_t length = (size_t)(end - r->at);
    r->separator = memchr(r->at, ',', length) != NULL    ? ','
                   : memchr(r->at, ';', length) != NULL  ? ';'
                   : memchr(r->at, '\t', length) != NULL ? '\t'
                                                         : '\0';
    r->columns = split(r, end);
    if (r->columns > COLUMNS)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: more than %d columns", name.text, r->line, COLUMNS);
    memcpy(r->names, r->cells, sizeof r->names);
    r->time = COLUMNS;
    for (size_t i = 0; i < r->columns; i++) {
        loco_status status = check_name(r, i, err);
        if (status != LOCO_OK)
            return status;
        if (r->time == COLUMNS && is_time(r->names[i]))
            r->time = i;
    }
    r->channels = r->columns - (r->time < COLUMNS);
    if (r->channels == 0 || r->channels > LC_SOUND_CHANNELS)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: %zu columns beside the time; 1 to %d are read", name.text, r->line,
                          r->channels, LC_SOUND_CHANNELS);
    return LOCO_OK;
}

/* ---- rows ---- */

/* What is wrong with a row that has too few or too many cells. */
static loco_status refuse_row(const reader *r, const char *row, const char *end, size_t found, loco_err *err)
{
    char others[] = {',', ';', '\t', '\0'};
    const char *hint = "";
    for (const char *other = others; *other != '\0' && found == 1; other++)
        if (*other != r->separator && memchr(row, *other, (size_t)(end - row)) != NULL)
            hint = "; does this row have another separator than the header?";
    if (r->separator == ',' && found > r->columns)
        hint = "; are there decimal commas? write points";
    if (found > COLUMNS)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: more than %d cells, where the header has %zu%s",
                          lc_track_show(r->name).text, r->line, COLUMNS, r->columns, hint);
    return lc_err_set(err, LOCO_EDATA, "%s:%zu: %zu cell%s, where the header has %zu%s", lc_track_show(r->name).text,
                      r->line, found, found == 1 ? "" : "s", r->columns, hint);
}

static loco_status refuse_cell(const reader *r, size_t column, loco_err *err)
{
    cell c = r->cells[column];
    const char *comma = memchr(c.at, ',', c.length);
    const char *hint = comma != NULL ? "; write a decimal point, not a comma" : "";
    if (column == r->time && comma == NULL)
        hint = "; times are seconds, such as 12.5";
    if (c.length == 0 && column == r->time)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: column \"%s\": a time is missing", lc_track_show(r->name).text,
                          r->line, show(r->names[column]).text);
    return lc_err_set(err, LOCO_EDATA, "%s:%zu: column \"%s\": \"%s\" is not a number%s", lc_track_show(r->name).text,
                      r->line, show(r->names[column]).text, show(c).text, hint);
}

static bool is_missing(cell c)
{
    return c.length == 0 || is(c, "nan") || is(c, "na") || is(c, "null");
}

/* Makes room for one more row. */
static bool grow(reader *r)
{
    if (r->rows < r->capacity)
        return true;
    size_t room = r->capacity > 0 ? 2 * r->capacity : 1024;
    if (room > LC_TRACK_SAMPLES / r->channels + 1024)
        return false;
    float *values = realloc(r->values, room * r->channels * sizeof *values);
    if (values == NULL)
        return false;
    r->values = values;
    size_t *lines = realloc(r->lines, room * sizeof *lines);
    if (lines == NULL)
        return false;
    r->lines = lines;
    if (r->time < COLUMNS) {
        double *times = realloc(r->times, room * sizeof *times);
        if (times == NULL)
            return false;
        r->times = times;
    }
    r->capacity = room;
    return true;
}

/* 0.001 for 12.345, 1 for 12; a time with an exponent says nothing. */
static void note_quantum(reader *r, cell time)
{
    const char *point = memchr(time.at, '.', time.length);
    size_t decimals = point != NULL ? time.length - (size_t)(point - time.at) - 1 : 0;
    double quantum = memchr(time.at, 'e', time.length) != NULL || memchr(time.at, 'E', time.length) != NULL
                         ? 0
                         : pow(10, -(double)decimals);
    r->quantum = r->rows == 0 ? quantum : fmin(r->quantum, quantum);
}

static loco_status read_row(reader *r, const char *end, loco_err *err)
{
    const char *row = r->at;
    size_t found = split(r, end), channel = 0;
    if (found != r->columns)
        return refuse_row(r, row, end, found, err);
    if (!grow(r))
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory at line %zu", lc_track_show(r->name).text, r->line);
    for (size_t c = 0; c < r->columns; c++) {
        double number = (double)NAN;
        bool missing = c != r->time && is_missing(r->cells[c]);
        if (!missing && !lc_number_parse(r->cells[c].at, r->cells[c].length, &number))
            return refuse_cell(r, c, err);
        if (c == r->time) {
            r->times[r->rows] = number;
            note_quantum(r, r->cells[c]);
        } else {
            float value = missing ? NAN : (float)fmax(-1e30, fmin(1e30, number));
            r->values[r->rows * r->channels + channel++] = value;
        }
    }
    r->lines[r->rows++] = r->line;
    return LOCO_OK;
}

/* ---- times ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle step; 0 without memory. */
static double median_step(const reader *r)
{
    double *steps = malloc(r->rows * sizeof *steps);
    if (steps == NULL)
        return 0;
    for (size_t i = 1; i < r->rows; i++)
        steps[i - 1] = r->times[i] - r->times[i - 1];
    qsort(steps, r->rows - 1, sizeof *steps, by_size);
    double median = steps[(r->rows - 1) / 2];
    free(steps);
    return median;
}

/* Decimal numbers in a sentence have a point in every locale. */
static shown show_seconds(double seconds)
{
    shown s;
    double micro = fabs(seconds) < 1e9 ? nearbyint(fabs(seconds) * 1e6) : 1e15;
    snprintf(s.text, sizeof s.text, "%s%.0f.%06.0f", seconds < 0 ? "-" : "", floor(micro / 1e6), fmod(micro, 1e6));
    return s;
}

static loco_status check_steps(const reader *r, double median, loco_err *err)
{
    double tolerance = JITTER * median + fmin(r->quantum, median / 2);
    const lc_track_name name = lc_track_show(r->name);
    for (size_t i = 1; i < r->rows; i++) {
        double step = r->times[i] - r->times[i - 1];
        if (!(step > 0))
            return lc_err_set(err, LOCO_EDATA, "%s:%zu: the time %s does not rise: it was %s before", name.text,
                              r->lines[i], show_seconds(r->times[i]).text, show_seconds(r->times[i - 1]).text);
        if (fabs(step - median) <= tolerance)
            continue;
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: %s of %s s to the row before, where rows are %s s apart; %s",
                          name.text, r->lines[i], step > 1.5 * median ? "a gap" : "a step", show_seconds(step).text,
                          show_seconds(median).text,
                          step > 1.5 * median ? "cut the file there, or fill the gap"
                                              : "sample it evenly, and write times with enough decimals");
    }
    return LOCO_OK;
}

static double whole_rate(double rate)
{
    double whole = nearbyint(rate);
    return fabs(rate - whole) <= WHOLE * rate ? whole : rate;
}

static loco_status rate_of_times(const reader *r, double *rate, loco_err *err)
{
    const lc_track_name name = lc_track_show(r->name);
    if (r->rows < 3)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu rows; at least 3 tell a rate", name.text, r->rows);
    double median = median_step(r);
    if (!(median > 0))
        return lc_err_set(err, LOCO_EDATA, "%s: the times do not rise from row to row", name.text);
    loco_status status = check_steps(r, median, err);
    if (status != LOCO_OK)
        return status;
    double found = whole_rate((double)(r->rows - 1) / (r->times[r->rows - 1] - r->times[0]));
    if (r->stated > 0 && fabs(r->stated - found) > AGREE * found)
        return lc_err_set(err, LOCO_EDATA, "%s: a rate of %.0f Hz is stated, but the times rise by %s s", name.text,
                          r->stated, show_seconds(median).text);
    if (!(found >= 1 && found <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: rows are %s s apart, which is no rate of 1 to %d Hz; times must be in seconds",
                          name.text, show_seconds(median).text, LC_SOUND_RATE);
    *rate = found;
    return LOCO_OK;
}

/* ---- all ---- */

static loco_status find_rate(const reader *r, double *rate, loco_err *err)
{
    if (r->stated < 0)
        return lc_err_set(err, LOCO_EDATA, "%s: the comment with the rate has no number; write # rate: 50",
                          lc_track_show(r->name).text);
    if (r->time < COLUMNS)
        return rate_of_times(r, rate, err);
    if (r->stated > 0) {
        *rate = r->stated;
        return LOCO_OK;
    }
    return lc_err_set(err, LOCO_EDATA,
                      "%s: no column is named time, and no rate is stated; write # rate: 50 above the header",
                      lc_track_show(r->name).text);
}

/* The line and the name of what is missing say more than the number of the row. */
static loco_status check_missing(const reader *r, lc_missing missing, loco_err *err)
{
    for (size_t i = 0; missing == LC_MISSING_REFUSE && i < r->rows * r->channels; i++) {
        size_t c = i % r->channels;
        if (isnan(r->values[i]))
            return lc_err_set(err, LOCO_EDATA,
                              "%s:%zu: column \"%s\" has no value; put one in, or write missing=hold, linear or zero "
                              "into series.format beside it",
                              lc_track_show(r->name).text, r->lines[i / r->channels],
                              show(r->names[c + (r->time <= c)]).text);
    }
    return LOCO_OK;
}

static loco_status read_all(reader *r, lc_track *made, lc_missing missing, loco_err *err)
{
    const char *end;
    double rate = 0;
    loco_status status = read_header(r, err);
    while (status == LOCO_OK && next_line(r, &end))
        status = read_row(r, end, err);
    if (status == LOCO_OK)
        status = find_rate(r, &rate, err);
    if (status == LOCO_OK)
        status = check_missing(r, missing, err);
    if (status == LOCO_OK)
        status = lc_track_new(made, r->name, r->rows, r->channels, rate, err);
    if (status != LOCO_OK)
        return status;
    if (r->values != NULL) /* for the analyser: without rows there is no track */
        memcpy(made->samples, r->values, r->rows * r->channels * sizeof *r->values);
    return lc_track_mend(made, r->name, missing, "row", err);
}

loco_status lc_series_csv_parse(lc_track *track, const char *name, const char *text, size_t length,
                                const lc_track_format *format, loco_err *err)
{
    reader r = {.name = name, .stated = format->rate};
    lc_track made = {0};
    size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    r.at = text + mark;
    r.end = text + length;
    loco_status status = read_all(&r, &made, format->missing, err);
    free(r.values);
    free(r.times);
    free(r.lines);
    if (status == LOCO_OK)
        *track = made;
    else
        lc_track_free(&made);
    return status;
}
