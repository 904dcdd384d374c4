/* SPDX-License-Identifier: MIT
 * kernels.h - inner loops of resampling, one table per instruction set. */
#ifndef LC_SIGNAL_KERNELS_H
#define LC_SIGNAL_KERNELS_H

#include "base/cpu.h"

enum {
    LC_DOT_STEP = 8,     /* a dot product's length is a multiple of it */
    LC_FILTER_STEP = 32, /* outputs of a filter that are summed side by side */
};

typedef struct lc_signal_kernels {
    /* the sum of a[i] b[i]; n is a multiple of LC_DOT_STEP */
    float (*dot)(const float *a, const float *b, size_t n);
    /* y[i] += sum_k h[k] x[i + k] for i < n, which is rounded up to a multiple of LC_FILTER_STEP */
    void (*filter)(const float *x, const float *h, size_t taps, float *y, size_t n);
} lc_signal_kernels;

extern const lc_signal_kernels lc_signal_kernels_ref, lc_signal_kernels_avx2;

/* At most 8 floats to a register. */
const lc_signal_kernels *lc_signal_kernels_of(lc_isa isa);

#endif
