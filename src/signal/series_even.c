/* SPDX-License-Identifier: MIT
 * series_even.c - rows with times of their own as rows at one rate.
 *
 * Phones and loggers deliver rows when they can: 18 to 22 ms apart, some twice, some late, some not at all. Where steps are
 * all alike and times lie on a straight line, but for a fiftieth of a step and what the decimals round away, rows are
 * taken as they are, at the rate of the first and the last time: a whole number where it is one but for 1e-4 or what the
 * decimals leave open. Otherwise
 *     order     rows that are late by up to 1 s (or 5 steps) move to their place
 *     twins     rows of the same time become their mean
 *     rate      1 / the middle step (the mean of the middle half of all: 20 ms where half are 18 and half 22), or a usual
 *               rate within 3 % of it, so that files of one sensor have one rate
 *     samples   at first time + k / rate, on the straight line between the two rows around it
 *     gaps      up to 0.25 s (or 5 steps) are crossed by this line; longer ones are missing values
 * A step that drifts from 19 to 21 ms within a minute would move events by up to 1.5 s if rows were only counted. */
#include "signal/series_even.h"

#include "base/status.h"
#include "signal/series_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double JITTER = 0.02, WHOLE = 1e-4, AGREE = 0.01, AGREE_UNEVEN = 0.1;
static const double NEAR = 0.03; /* a usual rate */
static const double STEPS = 5, GAP = 0.25, BACK = 1;

enum { MOST_FRAMES = 10, SPARE_FRAMES = 1000 }; /* of resampled rows, for each row and besides */

double lc_even_gap(double rate)
{
    return fmax(GAP, STEPS / rate);
}

double lc_even_back(double rate)
{
    return fmax(BACK, STEPS / rate);
}

/* ---- steps and rates ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double lc_stamped_step(const lc_stamped *rows)
{
    size_t n = 0, edge;
    double sum = 0, *steps = malloc((rows->len + 1) * sizeof *steps);
    if (steps == NULL)
        return (double)NAN;
    for (size_t i = 1; i < rows->len; i++)
        if (rows->times[i] > rows->times[i - 1])
            steps[n++] = rows->times[i] - rows->times[i - 1];
    qsort(steps, n, sizeof *steps, by_size);
    edge = (n + 1) / 4;
    for (size_t i = edge; i < n - edge; i++)
        sum += steps[i];
    free(steps);
    return n > 0 && 4 * n + 1 >= rows->len ? sum / (double)(n - 2 * edge) : 0;
}

bool lc_even_line(const double *times, size_t n, double middle, double quantum)
{
    double step = (times[n - 1] - times[0]) / (double)(n - 1), tolerance = JITTER * middle + fmin(quantum, middle / 2);
    for (size_t i = 1; i < n; i++) {
        bool alike = times[i] > times[i - 1] && fabs(times[i] - times[i - 1] - middle) <= tolerance;
        if (!alike || !(fabs(times[i] - times[0] - (double)i * step) <= tolerance))
            return false;
    }
    return true;
}

/* A whole number, where the decimals of the times leave that open. */
static double whole_rate(double rate, double open)
{
    double whole = nearbyint(rate);
    return fabs(rate - whole) <= fmax(WHOLE, open) * rate ? whole : rate;
}

double lc_even_rate(double rate)
{
    static const double usual[] = {1, 1.2, 1.28, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    double power = pow(10, floor(log10(rate))), best = rate >= 10 ? nearbyint(rate) : rate;
    double nearest = NEAR * rate;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (fabs(usual[i] * power - rate) < nearest) {
            best = usual[i] * power;
            nearest = fabs(best - rate);
        }
    return best;
}

/* ---- order ---- */

typedef struct place {
    double time;
    size_t row;
} place;

static int by_time(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->time < y->time || x->time > y->time)
        return x->time < y->time ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Rows that are late by little are allowed; *late: whether there are any. */
static loco_status check_order(const lc_stamped *rows, double rate, bool *late, loco_err *err)
{
    double latest = rows->times[0];
    *late = false;
    for (size_t i = 1; i < rows->len; i++) {
        double back = latest - rows->times[i];
        *late |= back > 0;
        if (back > lc_even_back(rate))
            return lc_err_set(err, LOCO_EDATA, "%s:%zu: the clock goes back by %s s; cut the file there",
                              lc_track_show(rows->name).text, rows->lines[i], lc_seconds_show(back).text);
        latest = fmax(latest, rows->times[i]);
    }
    return LOCO_OK;
}

static void move_rows(lc_stamped *rows, const place *places, float *values, size_t *lines)
{
    size_t C = rows->channels;
    memcpy(lines, rows->lines, rows->len * sizeof *lines);
    if (C > 0)
        memcpy(values, rows->values, rows->len * C * sizeof *values);
    for (size_t i = 0; i < rows->len; i++) {
        rows->times[i] = places[i].time;
        rows->lines[i] = lines[places[i].row];
        if (C > 0)
            memcpy(rows->values + i * C, values + places[i].row * C, C * sizeof *values);
    }
}

static loco_status sort_rows(lc_stamped *rows, loco_err *err)
{
    place *places = malloc(rows->len * sizeof *places);
    float *values = malloc((rows->len * rows->channels + 1) * sizeof *values);
    size_t *lines = malloc(rows->len * sizeof *lines);
    loco_status status = LOCO_OK;
    if (places == NULL || values == NULL || lines == NULL) {
        status = lc_err_set(err, LOCO_ENOMEM, "%s: out of memory for %zu rows", lc_track_show(rows->name).text,
                            rows->len);
    } else {
        for (size_t i = 0; i < rows->len; i++)
            places[i] = (place){rows->times[i], i};
        qsort(places, rows->len, sizeof *places, by_time);
        move_rows(rows, places, values, lines);
    }
    free(places);
    free(values);
    free(lines);
    return status;
}

/* ---- twins ---- */

/* The mean of rows first .. end-1, without missing values, as row `to`. */
static void join_rows(lc_stamped *rows, size_t to, size_t first, size_t end)
{
    size_t C = rows->channels;
    for (size_t c = 0; c < C; c++) {
        double sum = 0, n = 0;
        for (size_t i = first; i < end; i++)
            if (!isnan(rows->values[i * C + c])) {
                sum += (double)rows->values[i * C + c];
                n++;
            }
        rows->values[to * C + c] = n > 0 ? (float)(sum / n) : NAN;
    }
    rows->times[to] = rows->times[first];
    rows->lines[to] = rows->lines[first];
}

static void join_twins(lc_stamped *rows)
{
    size_t len = 0;
    for (size_t first = 0, end; first < rows->len; first = end) {
        end = first + 1;
        while (end < rows->len && !(rows->times[end] > rows->times[first]))
            end++;
        join_rows(rows, len++, first, end);
    }
    rows->len = len;
}

/* ---- the pace ---- */

static loco_status check_gaps(const lc_stamped *rows, const lc_pace *pace, loco_err *err)
{
    for (size_t i = 1; i < rows->len; i++)
        if (rows->times[i] - rows->times[i - 1] > lc_even_gap(pace->rate))
            return lc_err_set(err, LOCO_EDATA,
                              "%s:%zu: a gap of %s s to the row before; cut the file there, or write missing=hold, "
                              "linear or zero into series.format beside it",
                              lc_track_show(rows->name).text, rows->lines[i],
                              lc_seconds_show(rows->times[i] - rows->times[i - 1]).text);
    return LOCO_OK;
}

static loco_status check_rate(const lc_stamped *rows, double rate, double step, double stated, double agree,
                              loco_err *err)
{
    const lc_track_name name = lc_track_show(rows->name);
    if (stated > 0 && fabs(stated - rate) > agree * rate)
        return lc_err_set(err, LOCO_EDATA, "%s: a rate of %.0f Hz is stated, but the times rise by %s s", name.text,
                          stated, lc_seconds_show(step).text);
    if (!(rate >= 1 && rate <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EDATA,
                          "%s: rows are %s s apart, which is not a rate from 1 to %d Hz; state the unit in the name of "
                          "the column, such as time_ms, or rate=50 in series.format beside it",
                          name.text, lc_seconds_show(step).text, LC_SOUND_RATE);
    return LOCO_OK;
}

/* Rows in order, and how they will be resampled. */
static loco_status plan_frames(lc_pace *pace, lc_stamped *rows, lc_missing missing, loco_err *err)
{
    bool late;
    loco_status status = check_order(rows, pace->rate, &late, err);
    if (status == LOCO_OK && late)
        status = sort_rows(rows, err);
    if (status != LOCO_OK)
        return status;
    join_twins(rows);
    pace->shortest = (double)INFINITY;
    for (size_t i = 1; i < rows->len; i++) {
        pace->shortest = fmin(pace->shortest, rows->times[i] - rows->times[i - 1]);
        pace->longest = fmax(pace->longest, rows->times[i] - rows->times[i - 1]);
    }
    double frames = nearbyint((rows->times[rows->len - 1] - rows->times[0]) * pace->rate) + 1;
    if (missing == LC_MISSING_REFUSE)
        status = check_gaps(rows, pace, err);
    if (status == LOCO_OK && frames > (double)rows->len * MOST_FRAMES + SPARE_FRAMES)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu rows in %s s; most of this time has no rows: cut the file at gaps",
                          lc_track_show(rows->name).text, rows->len,
                          lc_seconds_show(rows->times[rows->len - 1] - rows->times[0]).text);
    pace->frames = status == LOCO_OK ? (size_t)frames : 0;
    return status;
}

loco_status lc_stamped_pace(lc_pace *pace, lc_stamped *rows, double step, double stated, lc_missing missing,
                            loco_err *err)
{
    lc_pace made = {.even = lc_even_line(rows->times, rows->len, step, rows->quantum), .frames = rows->len};
    double span = rows->times[rows->len - 1] - rows->times[0];
    if (made.even)
        made.rate = whole_rate((double)(rows->len - 1) / span, fmin(rows->quantum / span, AGREE));
    else
        made.rate = lc_even_rate(1 / step);
    loco_status status = check_rate(rows, made.rate, step, stated, made.even ? AGREE : AGREE_UNEVEN, err);
    if (status == LOCO_OK && !made.even) {
        made.rate = stated > 0 ? stated : made.rate;
        status = plan_frames(&made, rows, missing, err);
    }
    if (status == LOCO_OK)
        *pace = made;
    return status;
}

/* ---- samples ---- */

/* One row at a time between rows `left` and left + 1. */
static void sample_at(float *sample, const lc_stamped *rows, size_t left, double time, double rate)
{
    size_t C = rows->channels, right = left + 1 < rows->len ? left + 1 : left;
    double from = rows->times[left], step = rows->times[right] - from;
    double part = step > 0 ? fmax(0, fmin(1, (time - from) / step)) : 0;
    bool gap = step > lc_even_gap(rate) && part * step * rate > 0.5 && (1 - part) * step * rate > 0.5;
    if (step > lc_even_gap(rate))
        part = part > 0.5; /* the row beside the gap */
    for (size_t c = 0; c < C; c++) {
        float a = rows->values[left * C + c], b = rows->values[right * C + c];
        sample[c] = gap                    ? NAN
                    : part > 0 && part < 1 ? (float)((1 - part) * (double)a + part * (double)b)
                    : part > 0             ? b
                                           : a;
    }
}

void lc_stamped_resample(float *samples, const lc_stamped *rows, const lc_pace *pace)
{
    size_t left = 0;
    for (size_t i = 0; i < pace->frames; i++) {
        double time = rows->times[0] + (double)i / pace->rate;
        while (left + 1 < rows->len && rows->times[left + 1] <= time)
            left++;
        sample_at(samples + i * rows->channels, rows, left, time, pace->rate);
    }
}
