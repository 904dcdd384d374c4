/* SPDX-License-Identifier: MIT
 * kernels.h - inner loops of the front end, one table per instruction set. */
#ifndef LC_SIGNAL_KERNELS_H
#define LC_SIGNAL_KERNELS_H

#include "base/cpu.h"

enum {
    LC_BAND_STEP = 8,    /* a band's number of bins is a multiple of it */
    LC_FILTER_STEP = 32, /* outputs of a filter that are summed side by side */
};

/* A run of bins; its weights follow those of the band before. */
typedef struct lc_band {
    size_t first, length;
} lc_band;

typedef struct lc_signal_kernels {
    /* out[i] = x[i] * window[i] */
    void (*window)(const float *x, const float *window, float *out, size_t n);
    /* z: the transform (half, 2) of 2 * half real numbers that were taken for half complex ones. power[0..half] of the
     * real numbers; cos and sin of pi k / half for k <= half / 2. */
    void (*power)(const float *z, const float *cos, const float *sin, float *power, size_t half);
    /* sums[b] = weights of band b times power */
    void (*bands)(const float *power, const lc_band *bands, const float *weights, float *sums, size_t n);
    /* y[i] = log10(x[i]) with a relative error below 1e-6. Below the least normal float, and without a number: its
     * logarithm, -37.9. n is rounded up to a multiple of LC_BAND_STEP. */
    void (*log10)(const float *x, float *y, size_t n);
    /* the sum of a[i] b[i]; n is a multiple of LC_BAND_STEP */
    float (*dot)(const float *a, const float *b, size_t n);
    /* y[i] += sum_k h[k] x[i + k] for i < n, which is rounded up to a multiple of LC_FILTER_STEP */
    void (*filter)(const float *x, const float *h, size_t taps, float *y, size_t n);
} lc_signal_kernels;

extern const lc_signal_kernels lc_signal_kernels_ref, lc_signal_kernels_avx2;

/* 8 floats to a register are enough: the transform itself takes most of the time. */
const lc_signal_kernels *lc_signal_kernels_of(lc_isa isa);

#endif
