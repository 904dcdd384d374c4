/* SPDX-License-Identifier: MIT
 * mel.h - the constants of a front end: window and mel bands. */
#ifndef LC_SIGNAL_MEL_H
#define LC_SIGNAL_MEL_H

#include "base/mem.h"
#include "signal/frontend.h"
#include "signal/spectrum.h"

typedef struct lc_mel {
    float *window;  /* (window) */
    lc_band *bands; /* (bands): bins of each */
    float *weights; /* of all bands, one after the other */
} lc_mel;

/* The arrays, for settings that fit together. */
void lc_mel_layout(lc_mel *mel, const lc_frontend_settings *settings, lc_arena *arena);
void lc_mel_fill(lc_mel *mel, const lc_frontend_settings *settings);

/* Which sample of a window is its centre. */
size_t lc_mel_centre(const lc_frontend_settings *settings);

/* How many bins of the power spectrum the bands need, at most fft/2 + 1. */
size_t lc_mel_bins(const lc_frontend_settings *settings);

#endif
