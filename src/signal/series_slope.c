/* SPDX-License-Identifier: MIT
 * series_slope.c - where something happens in a series: the size of its slope.
 *   |x[i + 1] - x[i - 1]| is symmetric around a peak or a step, knows no level, and is late by nothing. */
#include "signal/series_front.h"

#include <math.h>

/* Between the neighbours, which the ends are themselves. */
static float slope_at(const float *samples, size_t n, size_t channels, size_t i, size_t c)
{
    size_t left = i > 0 ? i - 1 : 0, right = i + 1 < n ? i + 1 : n - 1;
    return fabsf(samples[right * channels + c] - samples[left * channels + c]);
}

void lc_series_slope(const float *samples, size_t n, size_t channels, float *strength)
{
    for (size_t i = 0; i < n; i++)
        strength[i] = 0;
    for (size_t c = 0; c < channels; c++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += (double)slope_at(samples, n, channels, i, c);
        float weight = sum > 0 ? (float)((double)n / sum) : 0;
        for (size_t i = 0; i < n; i++)
            strength[i] += weight * slope_at(samples, n, channels, i, c);
    }
}
