/* SPDX-License-Identifier: MIT
 * count_calibration.c - intervals of counts: the p-value at their edge for each level, measured by rank. */
#include "model/count_calibration.h"

#include <math.h>
#include <stdlib.h>

static const double negligible = 1e-18;

const double lc_tail_levels[LC_TAILS] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};

lc_count_calibration lc_count_calibration_default(void)
{
    lc_count_calibration calibration = {.scale = 1};
    for (size_t i = 0; i < LC_TAILS; i++)
        calibration.tails[i] = 1 - lc_tail_levels[i];
    return calibration;
}

double lc_count_calibration_tail(const lc_count_calibration *calibration, double level)
{
    size_t i = 0;
    while (i + 2 < LC_TAILS && level > lc_tail_levels[i + 1])
        i++;
    double part = (level - lc_tail_levels[i]) / (lc_tail_levels[i + 1] - lc_tail_levels[i]);
    double low = log(fmax(calibration->tails[i], negligible)), high = log(fmax(calibration->tails[i + 1], negligible));
    return exp(low + fmin(fmax(part, 0), 1) * (high - low));
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void lc_count_calibration_learn(lc_count_calibration *calibration, double *p_values, size_t n)
{
    qsort(p_values, n, sizeof *p_values, by_size);
    for (size_t i = 0; n > 0 && i < LC_TAILS; i++) {
        /* a little more, for (1 - 0.9) * 10 is less than 1 */
        size_t rank = (size_t)((double)(n + 1) * (1 - lc_tail_levels[i]) + 1e-9);
        calibration->tails[i] = p_values[rank > 0 ? rank - 1 : 0];
    }
}
