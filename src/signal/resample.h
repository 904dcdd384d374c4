/* SPDX-License-Identifier: MIT
 * resample.h - samples at one rate into samples at another, with a short delay, for the usual pairs of rates.
 *
 * Output i is the value at input i * from / to, by a symmetric filter: sample 0 stays at time 0, nothing moves. It needs
 * lc_resampler_reach input samples to either side, and comes out as soon as the last of these is there. Outside of the
 * input are zeros. N samples give round(N * to / from). */
#ifndef LC_SIGNAL_RESAMPLE_H
#define LC_SIGNAL_RESAMPLE_H

#include "loco.h"

#include <stdbool.h>

typedef struct lc_resampler lc_resampler;

/* Whether it is made for these rates: whole numbers in a ratio of small ones. */
bool lc_resampler_takes(double from, double to);

/* For rates that it takes, and one channel or more. NULL: no memory. */
lc_resampler *lc_resampler_new(double from, double to, size_t channels);
void lc_resampler_free(lc_resampler *resampler);
void lc_resampler_reset(lc_resampler *resampler); /* starts again at sample 0 */

/* Input samples to either side. */
size_t lc_resampler_reach(double from, double to);

/* Takes up to n frames of interleaved samples (NULL: the input is over, n is 0) and puts out up to `most`. What comes
 * does not depend on the sizes of the pieces. */
void lc_resampler_run(lc_resampler *r, const float *in, size_t n, size_t *taken, float *out, size_t most, size_t *got);

#endif
