/* SPDX-License-Identifier: MIT
 * stretch.h - slower or faster sound of the same pitch. */
#ifndef LC_DATA_STRETCH_H
#define LC_DATA_STRETCH_H

#include "loco.h"

/* round(n * factor) samples in which what was at time t is at t * factor; factor 0.25 to 4. out is the caller's to
 * free(). Finite samples, 1 to 2^31 of them, rate 1000 Hz to 192 kHz. */
LOCO_MUST_USE loco_status lc_stretch(const float *in, size_t n, double rate, double factor, float **out, size_t *out_n,
                                     loco_err *err);

#endif
