/* SPDX-License-Identifier: MIT
 * fft.h - the power spectrum of real numbers. Nothing else here knows which library transforms. */
#ifndef LC_SIGNAL_FFT_H
#define LC_SIGNAL_FFT_H

#include "loco.h"

enum { LC_FFT_MOST = 65536 };

typedef struct lc_fft lc_fft;

/* n numbers, even, 16 to LC_FFT_MOST. */
LOCO_MUST_USE loco_status lc_fft_new(lc_fft **fft, size_t n, loco_err *err);
void lc_fft_free(lc_fft *fft);

/* Where the n numbers go; at first all are 0, and a transform does not change them. */
float *lc_fft_input(lc_fft *fft);

/* power[k] = |sum_j x[j] exp(-2 pi i j k / n)|^2, k = 0..n/2. */
void lc_fft_power(lc_fft *fft, float *power);

#endif
