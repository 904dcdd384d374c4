/* SPDX-License-Identifier: MIT
 * spectrum.h - inner loops of spectra on several frames side by side, one table per instruction set.
 *
 * Number i of frame l lies at [i * lanes + l]: a vector holds the same number of all frames, so that nothing is
 * shuffled inside a vector and every frame goes through the same operations, whichever lane it is in. A complex number
 * is two such rows: real, imaginary. */
#ifndef LC_SIGNAL_SPECTRUM_H
#define LC_SIGNAL_SPECTRUM_H

#include "base/cpu.h"

enum { LC_SPECTRUM_LANES = 16 };

/* A run of bins; its weights follow those of the band before. */
typedef struct lc_band {
    size_t first, length;
} lc_band;

/* How levels become the numbers of a frame (frontend.h): value = (level - mean + shift) * scale, delta = (level -
 * before) * delta_scale. Values go to frame[i * stride]; deltas, if any, to delta[i * stride]. Where the
 * stride is 2, delta is frame + 1 or NULL. */
typedef struct lc_frame_rule {
    float shift, scale, delta_scale;
    size_t stride;
} lc_frame_rule;

/* Where the transform of 2 * half real numbers lies, and what of its power is wanted: bins 0..bins-1, at most half +
 * 1. */
typedef struct lc_power_job {
    size_t half, bins;
    const unsigned *places; /* (half): of number k */
    const float *turns;     /* (half / 2 + 1, 2): cos and sin of pi k / half */
} lc_power_job;

typedef struct lc_spectrum_kernels {
    size_t lanes;
    /* z (n rounded up to lanes, lanes) = n numbers of the rows at x, x + hop, ... times the window, zeros behind. */
    void (*gather)(const float *x, size_t hop, const float *window, float *z, size_t n);
    /* One pass of a transform, in place: blocks of `size` complex numbers, each as `radix` (4 or 8) parts. twiddles
     * (size / radix, radix - 1, 2); NULL where all are 1, that is size = radix. */
    void (*pass4)(float *z, const float *twiddles, size_t size, size_t blocks);
    void (*pass8)(float *z, const float *twiddles, size_t size, size_t blocks);
    /* out[k] = in[places[k]] * factor[k], conjugated for sign = -1, k < n, complex; factor (n, 2). */
    void (*multiply)(const float *in, const unsigned *places, const float *factor, float sign, float *out, size_t n);
    /* z: the transform, times 1/2, of real numbers that were taken for complex ones; power (bins, lanes) of these. */
    void (*power)(const lc_power_job *job, const float *z, float *power);
    /* sums (n, lanes): weights of band b times power */
    void (*bands)(const float *power, const lc_band *bands, const float *weights, float *sums, size_t n);
    /* y[i] = log10(x[i]) with a relative error below 1e-6, i < n, a multiple of lanes. Below the least normal float,
     * and without a number: its logarithm, -37.9. */
    void (*log10)(const float *x, float *y, size_t n);
    /* rows (lanes, stride) = max(levels (n, lanes), floor), turned over; stride is at least n rounded up to lanes, and
     * so is the room of levels. */
    void (*scatter)(const float *levels, float floor, float *rows, size_t n, size_t stride);
    /* One frame of n bands. delta NULL: none. */
    void (*frame)(const lc_frame_rule *rule, const float *level, const float *mean, const float *before, float *frame,
                  float *delta, size_t n);
} lc_spectrum_kernels;

extern const lc_spectrum_kernels lc_spectrum_kernels_ref, lc_spectrum_kernels_avx2, lc_spectrum_kernels_avx512;

const lc_spectrum_kernels *lc_spectrum_kernels_of(lc_isa isa);

#endif
