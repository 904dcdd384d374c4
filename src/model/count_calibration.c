/* SPDX-License-Identifier: MIT
 * count_calibration.c - intervals of counts: the p-value at their edge for each level, measured by rank, and for parts
 * of other lengths than those that were measured. */
#include "model/count_calibration.h"

#include <math.h>
#include <stdlib.h>

static const double negligible = 1e-18;

const double lc_tail_levels[LC_TAILS] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};

lc_count_calibration lc_count_calibration_default(void)
{
    lc_count_calibration calibration = {.scale = 1};
    for (size_t i = 0; i < LC_TAILS; i++)
        calibration.tails[i] = calibration.sum_tails[i] = 1 - lc_tail_levels[i];
    return calibration;
}

/* Between the logarithms of two tails; part is cut at 0 and 1. */
static double between(double low, double high, double part)
{
    low = log(fmax(low, negligible));
    high = log(fmax(high, negligible));
    return exp(low + fmin(fmax(part, 0), 1) * (high - low));
}

static double tail_of(const double *tails, double level)
{
    size_t i = 0;
    while (i + 2 < LC_TAILS && level > lc_tail_levels[i + 1])
        i++;
    double part = (level - lc_tail_levels[i]) / (lc_tail_levels[i + 1] - lc_tail_levels[i]);
    return between(tails[i], tails[i + 1], part);
}

double lc_count_calibration_tail(const lc_count_calibration *calibration, double level)
{
    return tail_of(calibration->tails, level);
}

/* Behind the length of recordings, the cautious tail is reached at four times that length. */
double lc_count_calibration_tail_at(const lc_count_calibration *calibration, double level, double frames)
{
    const lc_count_calibration *c = calibration;
    double clips = tail_of(c->tails, level), sums = tail_of(c->sum_tails, level);
    if (!(c->frames > 0) || frames <= c->frames)
        return clips;
    if (frames < c->sum_frames)
        return between(clips, sums, log(frames / c->frames) / log(c->sum_frames / c->frames));
    return between(sums, fmin(sums, 1 - level), log(frames / c->sum_frames) / log(4));
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Levels whose rank is 0 take the least p-value, at most 1 - level. */
static void rank_tails(double *tails, double *p_values, size_t n, size_t even)
{
    qsort(p_values, n, sizeof *p_values, by_size);
    for (size_t i = 0; n > 0 && i < LC_TAILS; i++) {
        /* a little more, for (1 - 0.9) * 10 is less than 1 */
        size_t rank = (size_t)((double)(n + even + 1) * (1 - lc_tail_levels[i]) + 1e-9), own = 0, others = 0;
        double tail = fmin(1 - lc_tail_levels[i], p_values[0]);
        while (own + others < rank && own + others < n + even) {
            double next = others < even ? ((double)others + 0.5) / (double)even : INFINITY;
            bool mine = own < n && p_values[own] <= next;
            tail = mine ? p_values[own] : next;
            own += mine;
            others += !mine;
        }
        tails[i] = fmin(tail, 1);
    }
}

void lc_count_calibration_learn(lc_count_calibration *calibration, double *p_values, size_t n, size_t even)
{
    rank_tails(calibration->tails, p_values, n, even);
}

void lc_count_calibration_learn_sums(lc_count_calibration *calibration, double *p_values, size_t n, size_t even)
{
    rank_tails(calibration->sum_tails, p_values, n, even);
}
