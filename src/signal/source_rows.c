/* SPDX-License-Identifier: MIT
 * source_rows.c - rows of a table of sensor channels as they come.
 *
 *     tail -n +1 -f sensor.csv | loco detect -m steps.loco -
 *
 * A line is read byte by byte into a buffer of its own, so that a row is known as soon as its end is. The row of names
 * is kept: names point into it.
 *
 * The rate is stated above the names, or found from the first rows: the mean of their steps. Another rate than the model's
 * must be resampled, which takes 100 samples, 2 s at 50 Hz. So what differs by less than a hundredth, as clocks of sensors
 * do, is taken for the model's: the network does not see it, and times are those of rows, counted at that rate.
 *
 * Where these first rows are even (series_even.h), or a rate is stated, a row within half a step of the time at which one is
 * due is the next sample, whatever its own clock; a sample that is missing lies on the straight line between the rows around
 * it, up to a gap that would hide events. Where they are not even, all samples lie on such lines, at times that are. Rows
 * that are late by little cannot be put in their place any more, and are dropped. */
#include "signal/source_rows.h"

#include "base/status.h"
#include "signal/series_clock.h"
#include "signal/series_even.h"
#include "signal/series_rows.h"
#include "signal/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NEAR = 0.01, NEAR_UNEVEN = 0.1;

struct lc_live_rows {
    FILE *file;
    lc_track_name name; /* a copy: the rows are read long after they were opened */
    lc_row_reader rows;
    char *header, *line; /* LC_LIVE_LINE + 1 each */
    size_t length;       /* of line */
    double rate;
    double unit;        /* of the times, in seconds; 0: not known before the second row */
    double start;       /* the first time, in its unit; NAN: there was none */
    double before, now; /* seconds after that, of the last two rows */
    double due;         /* of the next sample */
    float *last[2];     /* values of these rows, (channels) */
    bool follow;        /* rows are samples, where they are near; else all are interpolated */
    double quantum;     /* of the first times, in their unit */
    float *first;       /* (LC_LIVE_FIRST + 2, channels): rows that were read to learn the rate, and `last` */
    double times[LC_LIVE_FIRST];
    size_t lines[LC_LIVE_FIRST];
    size_t firsts, given;
};

/* ---- lines ---- */

/* The next line without its end; false at the end of all. */
static loco_status read_line(lc_live_rows *l, char *line, bool *there, loco_err *err)
{
    size_t n = 0;
    int c = 0;
    while (n <= LC_LIVE_LINE && (c = getc(l->file)) != EOF && c != '\n')
        line[n++] = (char)c;
    if (c == EOF && ferror(l->file))
        return lc_err_set(err, LOCO_EIO, "%s: cannot be read on", l->name.text);
    if (n > LC_LIVE_LINE)
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: a line of more than %d bytes; rows of numbers are wanted",
                          l->name.text, l->rows.line + 1, LC_LIVE_LINE);
    l->length = n;
    *there = n > 0 || c != EOF;
    return LOCO_OK;
}

/* The next line that is neither blank nor a comment, at rows.at; *end is NULL at the end of all. */
static loco_status next_content(lc_live_rows *l, char *line, const char **end, loco_err *err)
{
    bool there = true;
    *end = NULL;
    while (there) {
        loco_status status = read_line(l, line, &there, err);
        if (status != LOCO_OK)
            return status;
        size_t mark = l->rows.line == 0 && l->length >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        l->rows.at = line + mark;
        l->rows.end = line + l->length;
        if (there && l->rows.at == l->rows.end)
            l->rows.line++; /* lc_rows_next skips an empty line */
        else if (there && lc_rows_next(&l->rows, end))
            return LOCO_OK;
    }
    return LOCO_OK;
}

static loco_status read_names(lc_live_rows *l, const char *columns, loco_err *err)
{
    const char *end;
    loco_status status = next_content(l, l->header, &end, err);
    if (status != LOCO_OK)
        return status;
    if (end != NULL)
        l->rows.line--; /* lc_rows_header goes to it again */
    return lc_rows_header(&l->rows, columns, err);
}

/* ---- rows ---- */

/* A row with all of its values, without a check of its time. */
static loco_status read_row(lc_live_rows *l, float *values, double *time, bool *there, loco_err *err)
{
    const char *end;
    loco_status status = next_content(l, l->line, &end, err);
    *there = status == LOCO_OK && end != NULL;
    if (!*there)
        return status;
    status = lc_rows_read(&l->rows, end, values, time, err);
    for (size_t c = 0; status == LOCO_OK && c < l->rows.channels; c++)
        if (isnan(values[c]))
            status = lc_err_set(err, LOCO_EDATA, "%s:%zu: column \"%s\" has no value; live, each row must be whole",
                                l->name.text, l->rows.line, lc_text_cell_show(l->rows.titles[c]).text);
    return status;
}

/* ---- the rate ---- */

/* Reads rows to learn the rate from. */
static loco_status read_first(lc_live_rows *l, loco_err *err)
{
    bool there = true;
    size_t n = 0;
    for (; n < LC_LIVE_FIRST && there; n += there) {
        loco_status status = read_row(l, l->first + n * l->rows.channels, &l->times[n], &there, err);
        if (status != LOCO_OK)
            return status;
        lc_text_cell cell = l->rows.cells[l->rows.time];
        double quantum = there ? lc_clock_quantum(cell.at, cell.length) : l->quantum;
        l->quantum = n == 0 ? quantum : fmin(l->quantum, quantum);
        l->lines[n] = l->rows.line;
    }
    l->firsts = n;
    if (n < 3)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu rows; at least 3 are needed to find the rate", l->name.text, n);
    return LOCO_OK;
}

static double near_rate(double rate, double usual)
{
    double whole = nearbyint(rate);
    return fabs(rate - usual) <= NEAR * usual ? usual : fabs(rate - whole) <= NEAR * whole ? whole : rate;
}

static loco_status rate_of_times(lc_live_rows *l, double usual, loco_err *err)
{
    double seconds[LC_LIVE_FIRST];
    loco_status status = read_first(l, err);
    if (status != LOCO_OK)
        return status;
    size_t n = l->firsts;
    double step = lc_stamped_step(&(lc_stamped){.times = l->times, .len = n});
    if (isnan(step))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %s", l->name.text);
    if (l->rows.dated)
        l->unit = 1;
    else if (l->unit <= 0 && step > 0)
        l->unit = lc_clock_unit(l->times[0], step, 0);
    step *= l->unit;
    for (size_t i = 0; i < n; i++)
        seconds[i] = (l->times[i] - l->times[0]) * l->unit;
    l->follow = n > 1 && step > 0 && lc_even_line(seconds, n, step, l->quantum * l->unit);
    double rate = l->follow ? (double)(n - 1) / seconds[n - 1] : 1 / step;
    if (!(step > 0 && rate >= 1 && rate <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: rows are %s s apart, which is not a rate from 1 to %d Hz; times must rise, and a name "
                          "such as time_ms states their unit",
                          l->name.text, lc_seconds_show(step).text, LC_SOUND_RATE);
    bool near = fabs(rate - usual) <= NEAR_UNEVEN * usual;
    l->rate = l->follow ? near_rate(rate, usual) : near ? usual : lc_even_rate(rate);
    return LOCO_OK;
}

static loco_status find_rate(lc_live_rows *l, double usual, loco_err *err)
{
    if (l->rows.stated < 0)
        return lc_err_set(err, LOCO_EDATA, "%s: the comment with the rate has no number; write # rate: 50",
                          l->name.text);
    if (l->rows.stated > 0 && !(l->rows.stated >= 1 && l->rows.stated <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EDATA, "%s: a rate of %.4f Hz is stated; it may be 1 to %d Hz", l->name.text,
                          fmin(l->rows.stated, 1e12), LC_SOUND_RATE);
    l->rate = l->rows.stated;
    l->follow = true;
    l->unit = l->rows.unit;
    if (l->rate > 0)
        return LOCO_OK;
    if (l->rows.time < LC_ROW_COLUMNS)
        return rate_of_times(l, usual, err);
    return lc_err_set(err, LOCO_EDATA,
                      "%s: no column is named time, and no rate is stated; write # rate: 50 above the header",
                      l->name.text);
}

/* ---- all ---- */

void lc_live_rows_free(lc_live_rows *l)
{
    if (l == NULL)
        return;
    free(l->header);
    free(l->line);
    free(l->first);
    free(l);
}

loco_status lc_live_rows_open(lc_live_rows **rows, FILE *file, const char *name, const char *columns, double usual,
                              loco_err *err)
{
    lc_live_rows *l = calloc(1, sizeof *l);
    loco_status status = LOCO_OK;
    if (l != NULL) {
        *l = (lc_live_rows){.file = file, .name = lc_track_show(name), .start = (double)NAN};
        l->rows.name = l->name.text;
        l->header = malloc(LC_LIVE_LINE + 1);
        l->line = malloc(LC_LIVE_LINE + 1);
        l->first = calloc((LC_LIVE_FIRST + 2) * LC_SOUND_CHANNELS, sizeof *l->first);
    }
    if (l == NULL || l->header == NULL || l->line == NULL || l->first == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_track_show(name).text);
    for (size_t i = 0; status == LOCO_OK && i < 2; i++)
        l->last[i] = l->first + (LC_LIVE_FIRST + i) * LC_SOUND_CHANNELS;
    if (status == LOCO_OK)
        status = read_names(l, columns, err);
    if (status == LOCO_OK)
        status = find_rate(l, usual, err);
    if (status == LOCO_OK)
        *rows = l;
    else
        lc_live_rows_free(l);
    return status;
}

double lc_live_rows_rate(const lc_live_rows *l)
{
    return l->rate;
}

size_t lc_live_rows_channels(const lc_live_rows *l)
{
    return l->rows.channels;
}

const char *lc_live_rows_notice(const lc_live_rows *l)
{
    return l->follow ? "" : "the time stamps of standard input vary; rows are resampled";
}

/* The next row and its time; those that gave the rate come first. */
static loco_status next_row(lc_live_rows *l, float *values, double *time, size_t *line, bool *there, loco_err *err)
{
    *there = l->given < l->firsts;
    if (!*there) {
        loco_status status = read_row(l, values, time, there, err);
        *line = l->rows.line;
        return status;
    }
    memcpy(values, l->first + l->given * l->rows.channels, l->rows.channels * sizeof *values);
    *line = l->lines[l->given];
    *time = l->times[l->given++];
    return LOCO_OK;
}

/* Seconds after the first row; the unit is found from the first step, where nothing states it. */
static double seconds_of(lc_live_rows *l, double time)
{
    if (isnan(l->start))
        l->start = time;
    if (l->rows.dated)
        l->unit = 1;
    else if (l->unit <= 0 && time > l->start)
        l->unit = lc_clock_unit(l->start, time - l->start, l->rate);
    return (time - l->start) * l->unit;
}

/* Makes a row the last one, unless it is late. */
static loco_status take_row(lc_live_rows *l, float *values, double time, size_t line, loco_err *err)
{
    bool first = isnan(l->start);
    double seconds = seconds_of(l, time), step = first ? 0 : seconds - l->now;
    if (step < -lc_even_back(l->rate))
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: the clock goes back by %s s", l->name.text, line,
                          lc_seconds_show(-step).text);
    if (step > lc_even_gap(l->rate))
        return lc_err_set(err, LOCO_EDATA, "%s:%zu: a gap of %s s to the row before, where rows are %s s apart",
                          l->name.text, line, lc_seconds_show(step).text, lc_seconds_show(1 / l->rate).text);
    if (!first && !(step > 0))
        return LOCO_OK;
    l->before = first ? seconds : l->now;
    l->now = seconds;
    l->last[1] = l->last[0];
    l->last[0] = values;
    return LOCO_OK;
}

/* Whether the next sample can be made of the last two rows; makes it. */
static bool make_sample(lc_live_rows *l, float *values)
{
    double step = l->now - l->before, off = (l->now - l->due) * l->rate,
           part = step > 0 ? (l->due - l->before) / step : 1;
    if (isnan(l->start) || off < (l->follow ? -0.5 : -1e-6))
        return false;
    bool whole = !(step > 0) || (l->follow ? off <= 0.5 : off <= 1e-6);
    for (size_t c = 0; c < l->rows.channels; c++)
        values[c] = whole ? l->last[0][c] : (float)(part * (double)l->last[0][c] + (1 - part) * (double)l->last[1][c]);
    l->due = (l->follow && whole ? l->now : l->due) + 1 / l->rate;
    return true;
}

loco_status lc_live_rows_read(lc_live_rows *l, float *values, size_t *got, loco_err *err)
{
    bool timed = l->rows.time < LC_ROW_COLUMNS, there = true;
    double time = 0;
    size_t line;
    while (!timed || !make_sample(l, values)) {
        float *row = timed ? l->last[1] : values;
        loco_status status = next_row(l, row, &time, &line, &there, err);
        if (status == LOCO_OK && there && timed)
            status = take_row(l, row, time, line, err);
        if (status != LOCO_OK)
            return status;
        if (!timed || !there)
            break;
    }
    *got = there;
    return LOCO_OK;
}

/* ---- as a source ---- */

static loco_status read_stream(lc_source *source, size_t *got, loco_err *err)
{
    loco_status status = lc_live_rows_read(source->state, source->block, got, err);
    return status == LOCO_OK && *got == 0 ? lc_source_check_end(source, err) : status;
}

static void close_stream(lc_source *source)
{
    lc_live_rows_free(source->state);
}

const lc_source_ops lc_source_rows = {.name = "rows", .live = true, .read = read_stream, .close = close_stream};

/* A row at a time: the next may be long in coming. */
loco_status lc_source_open_rows(lc_source *source, FILE *file, const char *name, const char *columns, double usual,
                                loco_err *err)
{
    lc_live_rows *rows = NULL;
    *source = lc_source_begin(&lc_source_rows, name, 1);
    loco_status status = lc_live_rows_open(&rows, file, source->name, columns, usual, err);
    source->state = rows;
    if (status == LOCO_OK) {
        source->rate = lc_live_rows_rate(rows);
        source->channels = lc_live_rows_channels(rows);
        source->notice = lc_live_rows_notice(rows);
    }
    return lc_source_ready(source, status, err);
}
