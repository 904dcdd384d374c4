/* SPDX-License-Identifier: MIT
 * fft.h - power spectra of real numbers, of several frames side by side. */
#ifndef LC_SIGNAL_FFT_H
#define LC_SIGNAL_FFT_H

#include "loco.h"

enum { LC_FFT_MOST = 65536 };

typedef struct lc_fft lc_fft;

/* Spectra of `length` numbers times a window (NULL: ones) that are padded with zeros to n, even, 16 to LC_FFT_MOST;
 * length is 1 to n. Only the first bins are formed, 1 to n/2 + 1. The window is copied. */
LOCO_MUST_USE loco_status lc_fft_new(lc_fft **fft, size_t n, const float *window, size_t length, size_t bins,
                                     loco_err *err);
void lc_fft_free(lc_fft *fft);

/* The most frames at once, a power of two up to LC_SPECTRUM_LANES; fewer take as long as these. */
size_t lc_fft_lanes(const lc_fft *fft);

/* power[k * lanes + l] = |sum_j window[j] x[l * hop + j] exp(-2 pi i j k / n)|^2 for k < bins and frame l < count <=
 * lanes; the other lanes hold no meaning. A frame's numbers depend neither on its lane nor on the others, not in the
 * last bit. */
void lc_fft_power(lc_fft *fft, const float *x, size_t hop, size_t count, float *power);

#endif
