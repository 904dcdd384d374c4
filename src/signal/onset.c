/* SPDX-License-Identifier: MIT
 * onset.c - onset strength: half-wave rectified differences of log-mel power, summed over 20 bands.
 *   A front end of its own with short windows: 256 samples at 22.05 kHz, and as long at other rates. Mel bands for log
 *   bands: below 700 Hz a log band would be narrower than a bin.
 *   Measured, bursts of noise and of a 100 Hz tone in faint noise, 16 to 48 kHz: the peak lies -1.2 to -0.5 ms (spread
 *   1.6) from a sudden attack, 1.2 to 1.7 ms after the start of one that takes 4 ms. No correction
 *   needed. */
#include "signal/onset.h"

#include "base/mem.h"
#include "base/status.h"
#include "signal/frontend.h"

#include <math.h>
#include <stdlib.h>

enum { BANDS = 20, PIECE = 4096 };

static const double WINDOW = 256.0 / 22050, HOP = 0.005; /* seconds */

static lc_frontend_settings settings_for(double rate)
{
    lc_frontend_settings s = {
        .rate = rate,
        .window = (size_t)lround(WINDOW * rate),
        .hop = (size_t)lround(HOP * rate),
        .bands = BANDS,
        .low = 27,
        .high = fmin(11000, rate / 2),
        .shape = LC_SHAPE_HANN,
        .gain = 44,
        .floor = -3,
        .scale = 1,
        .delta = LC_DELTA_CHANNEL,
        .delta_scale = 1,
    };
    for (s.fft = 16; s.fft < s.window; s.fft *= 2)
        continue;
    return s;
}

/* frames (n, BANDS, 2) into strengths. */
static void sum_rises(const float *frames, size_t n, float *strength)
{
    for (size_t t = 0; t < n; t++) {
        float sum = 0;
        for (size_t b = 0; b < BANDS; b++) {
            float rise = frames[(t * BANDS + b) * 2 + 1];
            sum += rise > 0 ? rise : 0;
        }
        strength[t] = sum;
    }
}

/* Pushes all samples by pieces. */
static void run(lc_frontend *frontend, const float *samples, size_t n, float *frames, float *strength)
{
    for (size_t i = 0; i < n; i += PIECE) {
        size_t got = lc_frontend_push(frontend, samples + i, n - i < PIECE ? n - i : PIECE, frames);
        sum_rises(frames, got, strength);
        strength += got;
    }
    sum_rises(frames, lc_frontend_finish(frontend, frames), strength);
}

loco_status lc_onset_strength(const float *samples, size_t n, double rate, float **strength, size_t *frames,
                              double *hop_seconds, loco_err *err)
{
    if (!(rate >= 2000 && rate <= 1e6))
        return lc_err_set(err, LOCO_EARG, "onset strength of sound at %.0f Hz; it must be 2000 to 1000000 Hz", rate);
    lc_frontend_settings s = settings_for(rate);
    lc_frontend *frontend;
    loco_status status = lc_frontend_new(&frontend, &s, err);
    if (status != LOCO_OK)
        return status;
    size_t count = n / s.hop + (n % s.hop != 0);
    float *values = calloc(count + 1, sizeof *values);
    float *piece = malloc(lc_frontend_most(frontend, PIECE) * BANDS * 2 * sizeof *piece);
    if (values == NULL || piece == NULL) {
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu values of onset strength", count);
        free(values);
    } else {
        run(frontend, samples, n, piece, values);
        *strength = values;
        *frames = count;
        *hop_seconds = (double)s.hop / rate;
    }
    free(piece);
    lc_frontend_free(frontend);
    return status;
}
