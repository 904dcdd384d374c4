/* SPDX-License-Identifier: MIT
 * measure_lag.c - how late a model's events are, from the sound alone.
 *
 * Averaged over many detections of a class, the onset strength of the sound has a peak where the sounds really begin:
 *
 *     A(l) = mean over detections t of s(t + l)        offset = -argmax A, searched within +-60 ms
 *
 * s is interpolated between its frames, so lags are on a grid of 1 ms whatever the hop. For series a step is 5 ms, and
 * so the window +-300 ms: their events are wider, and a network with a long memory may report them later. Each
 * recording's s is scaled to standard deviation 1, so that loud recordings do not outweigh the others. From the
 * strength around each detection its mean over the lags is subtracted: loud passages then have no effect, only the
 * place within the window. A is smoothed by a Gaussian of 3 ms, and the peak refined by the parabola through it and its
 * neighbours.
 *
 * Sharpness is the height of the peak over its standard error, as in a test of paired differences. The peak is the
 * largest of 121 lags, so it is never near 0.
 *
 * Uncertainty has two parts: the standard error, by leaving out each eighth of the detections in turn, and a sixth of
 * the width of the peak at half its height, without that of the Gaussian, for a sound that begins slowly has no sharp beginning. */
#include "base/status.h"
#include "calibrate/measure.h"

#include <math.h>

enum { LAGS = 2 * LC_LAG_STEPS + 1, REACH = 9 };

static const double default_step = 0.001, width = 3, longest_hop = 20; /* seconds, steps, steps */

/* 1 / standard deviation of the strength, in two passes; 0 for a constant strength, which then has no effect. */
static loco_status measure(double *scale, const lc_lag_curve *s, loco_err *err)
{
    double mean = 0, squares = 0, n = (double)s->length;
    for (size_t i = 0; i < s->length; i++) {
        if (!isfinite(s->values[i]))
            return lc_err_set(err, LOCO_EDATA, "onset strength %zu is not a finite number", i);
        mean += s->values[i] / n;
    }
    for (size_t i = 0; i < s->length; i++)
        squares += (s->values[i] - mean) * (s->values[i] - mean);
    *scale = squares > 0 ? sqrt(n / squares) : 0;
    return LOCO_OK;
}

/* Linear between frames. False outside of the strength. */
static bool strength_at(const lc_lag_curve *s, double scale, double time, double *value)
{
    double place = (time - s->start) / s->hop;
    if (!(place >= 0 && place < (double)(s->length - 1)))
        return false;
    size_t i = (size_t)place;
    double part = place - (double)i;
    *value = scale * ((1 - part) * s->values[i] + part * s->values[i + 1]);
    return true;
}

static double step_of(const lc_lag *lag)
{
    return lag->step > 0 ? lag->step : default_step;
}

/* The strength at every lag around one detection, less its mean; nothing where a lag is outside of the strength. */
static void add_event(lc_lag *lag, const lc_lag_curve *s, double scale, double time)
{
    double around[LAGS] = {0}, mean = 0;
    for (int i = 0; i < LAGS; i++) {
        if (!strength_at(s, scale, time + (i - LC_LAG_STEPS) * step_of(lag), &around[i]) && !lag->open)
            return;
        mean += around[i] / LAGS;
    }
    double *part = lag->parts[lag->events++ % LC_LAG_PARTS];
    for (int i = 0; i < LAGS; i++) {
        double value = around[i] - mean;
        lag->sum[i] += value;
        part[i] += value;
        lag->squares[i] += value * value;
    }
}

loco_status lc_lag_add(lc_lag *lag, const lc_lag_curve *strength, const double *times, size_t n, loco_err *err)
{
    double scale;
    if (lag == NULL || (strength->values == NULL && strength->length > 0) || (times == NULL && n > 0))
        return lc_err_set(err, LOCO_EARG, "lag, strength and times must not be NULL");
    if (!(strength->hop > 0 && strength->hop <= longest_hop * step_of(lag) && isfinite(strength->start)))
        return lc_err_set(err, LOCO_EARG, "a hop of %g s; it must be above 0 and at most %g s", strength->hop,
                          longest_hop * step_of(lag));
    loco_status status = measure(&scale, strength, err);
    if (status != LOCO_OK || strength->length < 2)
        return status;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(times[i]))
            return lc_err_set(err, LOCO_EDATA, "detection %zu: its time is not a finite number", i);
    }
    for (size_t i = 0; i < n; i++)
        add_event(lag, strength, scale, times[i]);
    return LOCO_OK;
}

/* The strength around lag number i, weighted by the Gaussian; without[]: what is left out of the sum, or NULL. */
static double smooth(const lc_lag *lag, const double *without, int i)
{
    double sum = 0, weights = 0;
    for (int d = -REACH; d <= REACH; d++) {
        double weight = exp(-0.5 * d * d / (width * width));
        sum += weight * (lag->sum[i + d] - (without != NULL ? without[i + d] : 0));
        weights += weight;
    }
    return sum / weights;
}

/* The top of the parabola through three neighbours, as a part of a step from the middle one. */
static double top(double left, double middle, double right)
{
    double bend = left - 2 * middle + right;
    return bend < 0 ? 0.5 * (left - right) / bend : 0;
}

static int find_peak(const lc_lag *lag, const double *without)
{
    int best = LC_LAG_STEPS - LC_LAG_PEAK, last = LC_LAG_STEPS + LC_LAG_PEAK;
    double most = smooth(lag, without, best);
    for (int i = best + 1; i <= last; i++) {
        double value = smooth(lag, without, i);
        best = value > most ? i : best;
        most = fmax(most, value);
    }
    return best;
}

/* Seconds from the detection to the sound, refined. */
static double offset_at(const lc_lag *lag, const double *without, int i)
{
    double refined = top(smooth(lag, without, i - 1), smooth(lag, without, i), smooth(lag, without, i + 1));
    return -step_of(lag) * (i - LC_LAG_STEPS + refined);
}

static double standard_error(const lc_lag *lag)
{
    double offsets[LC_LAG_PARTS], mean = 0, squares = 0;
    for (int b = 0; b < LC_LAG_PARTS; b++) {
        offsets[b] = offset_at(lag, lag->parts[b], find_peak(lag, lag->parts[b]));
        mean += offsets[b] / LC_LAG_PARTS;
    }
    for (int b = 0; b < LC_LAG_PARTS; b++)
        squares += (offsets[b] - mean) * (offsets[b] - mean);
    return sqrt(squares * (LC_LAG_PARTS - 1) / LC_LAG_PARTS);
}

/* Of the peak at half its height, in seconds; it may end where the lags do. */
static double peak_width(const lc_lag *lag, int best)
{
    double half = smooth(lag, NULL, best) / 2;
    int left = best, right = best;
    while (left > REACH && smooth(lag, NULL, left) > half)
        left--;
    while (right + REACH + 1 < LAGS && smooth(lag, NULL, right) > half)
        right++;
    double wide = right - left, own = 2.35 * width; /* of the Gaussian at half its height */
    return step_of(lag) * sqrt(fmax(0, wide * wide - own * own));
}

lc_lag_row lc_lag_read(const lc_lag *lag)
{
    lc_lag_row row = {.events = lag->events, .uncertainty = INFINITY};
    if (lag->events == 0)
        return row;
    int best = find_peak(lag, NULL), away = best - LC_LAG_STEPS;
    double n = (double)lag->events, peak = smooth(lag, NULL, best) / n, mean = lag->sum[best] / n;
    double variance = lag->squares[best] / n - mean * mean;
    row.inside = away > -LC_LAG_PEAK && away < LC_LAG_PEAK;
    row.offset = offset_at(lag, NULL, best);
    if (lag->events < LC_LAG_EVENTS || !(peak > 0))
        return row;
    row.sharpness = variance > 0 ? peak / sqrt(variance / (n - 1)) : INFINITY;
    row.uncertainty = hypot(standard_error(lag), peak_width(lag, best) / 6);
    return row;
}
