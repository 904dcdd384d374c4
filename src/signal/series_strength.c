/* SPDX-License-Identifier: MIT
 * series_strength.c - where something happens in a recording of sensors: the size of its slope, or of what the front
 * end's filters leave of it.
 *
 * Slope. |x[i + 1] - x[i - 1]| is symmetric around a peak or a step, does not depend on the level, and has no delay.
 *
 * Peak. Forwards and then backwards through the filters, so that nothing is late: the square of their response, without phase.
 * |x| around its mean is largest at the top of a pulse, whichever way it points. A slope is largest beside the top, before
 * or behind it as the pulse leans. Of heart beats, averaged around the marks of cardiologists, in milliseconds:
 *
 *     MIT-BIH record     100  102  104  105  108  116  121  200
 *     largest slope      +11  -11  -14  -17  +19  +14  -22  +17
 *     largest |x|          0    0   -3    0    0   +3    0   +3      5 to 35 Hz */
#include "signal/series_strength.h"

#include "base/status.h"
#include "signal/sound_strength.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- slope ---- */

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

/* ---- peak ---- */

/* (n, channels) turned round, the last first. */
static void reverse(float *x, size_t n, size_t channels)
{
    for (size_t i = 0; i < n / 2; i++)
        for (size_t c = 0; c < channels; c++) {
            float *early = &x[i * channels + c], *late = &x[(n - 1 - i) * channels + c], kept = *early;
            *early = *late;
            *late = kept;
        }
}

/* Adds one channel's |x - mean|, divided by its mean. */
static void add_channel(const float *x, size_t n, size_t channels, size_t c, float *strength)
{
    double mean = 0, size = 0;
    for (size_t i = 0; i < n; i++)
        mean += (double)x[i * channels + c] / (double)n;
    for (size_t i = 0; i < n; i++)
        size += fabs((double)x[i * channels + c] - mean) / (double)n;
    for (size_t i = 0; i < n && size > 0; i++)
        strength[i] += (float)(fabs((double)x[i * channels + c] - mean) / size);
}

loco_status lc_series_peak(const lc_frontend_settings *settings, const float *samples, size_t n, float *strength,
                           loco_err *err)
{
    lc_frontend_settings plain = *settings;
    lc_frontend *front = NULL;
    size_t C = settings->channels;
    plain.hop = 1;
    plain.norm = LC_NORM_FIXED;
    plain.delta = LC_DELTA_NONE;
    plain.usual = (lc_scale){0};
    float *x = calloc(n + 1, C * sizeof *x), *y = calloc(n + 1, C * sizeof *y);
    loco_status status = x == NULL || y == NULL
                             ? lc_err_set(err, LOCO_ENOMEM, "out of memory to find peaks of a series")
                             : lc_frontend_new(&front, &plain, err);
    if (status == LOCO_OK) {
        lc_frontend_push(front, samples, n, x);
        reverse(x, n, C);
        lc_frontend_reset(front);
        lc_frontend_push(front, x, n, y);
        reverse(y, n, C);
        memset(strength, 0, n * sizeof *strength);
        for (size_t c = 0; c < C; c++)
            add_channel(y, n, C, c, strength);
    }
    lc_frontend_free(front);
    free(x);
    free(y);
    return status;
}

/* One channel, the magnitude of all; the caller frees. NULL without memory. */
static float *magnitude_of(const float *samples, size_t n, size_t channels)
{
    float *made = calloc(n + 1, sizeof *made);
    for (size_t i = 0; made != NULL && i < n; i++) {
        double sum = 0;
        for (size_t c = 0; c < channels; c++)
            sum += (double)samples[i * channels + c] * (double)samples[i * channels + c];
        made[i] = (float)sqrt(sum);
    }
    return made;
}

static loco_status strength_of_magnitude(lc_strength *strength, const lc_frontend_settings *settings, lc_anchor anchor,
                                         const float *samples, size_t n, loco_err *err)
{
    lc_frontend_settings one = *settings;
    float *made = magnitude_of(samples, n, settings->channels);
    if (made == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    one.channels = 1;
    one.magnitude = 0;
    loco_status status = lc_series_strength(strength, &one, anchor, made, n, err);
    free(made);
    return status;
}

loco_status lc_series_strength(lc_strength *strength, const lc_frontend_settings *settings, lc_anchor anchor,
                               const float *samples, size_t n, loco_err *err)
{
    loco_status status = LOCO_OK;
    if (settings->magnitude > 0)
        return strength_of_magnitude(strength, settings, anchor, samples, n, err);
    float *values = calloc(n + 1, sizeof *values);
    if (values == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    if (anchor == LC_ANCHOR_PEAK || anchor == LC_ANCHOR_CENTRE)
        status = lc_series_peak(settings, samples, n, values, err);
    else
        lc_series_slope(samples, n, settings->channels, values);
    if (status == LOCO_OK && anchor == LC_ANCHOR_CENTRE &&
        !lc_strength_smooth(values, n, LC_CENTRE_SECONDS * settings->rate))
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    if (status != LOCO_OK) {
        free(values);
        return status;
    }
    *strength = (lc_strength){.values = values, .len = n, .hop = 1 / settings->rate};
    return LOCO_OK;
}
