/* SPDX-License-Identifier: MIT
 * spectra.h - log spectra in bands, from samples to frames: what the front ends of sound share (front_mel.c,
 * front_pitch.c). They differ in their keys, and in where their bands lie. */
#ifndef LC_SIGNAL_SPECTRA_H
#define LC_SIGNAL_SPECTRA_H

#include "base/mem.h"
#include "signal/fft.h"
#include "signal/frontend.h"
#include "signal/spectrum.h"

enum { LC_SPECTRA_WINDOWS = 3 };

#define LC_SPECTRA_TUNING 0.5

/* ---- the constants of one window length: settings->window and settings->fft ---- */

typedef struct lc_filters {
    float *window;  /* (window) */
    lc_band *bands; /* (bands): bins of each */
    float *weights; /* of all bands, one after the other */
} lc_filters;

/* The arrays, for settings that fit together. */
void lc_filters_layout(lc_filters *filters, const lc_frontend_settings *settings, lc_arena *arena);
void lc_filters_fill(lc_filters *filters, const lc_frontend_settings *settings);

/* Which sample of a window is its centre. */
size_t lc_filters_centre(const lc_frontend_settings *settings);

/* How many bins of the power spectrum the bands need, at most fft/2 + 1. */
size_t lc_filters_bins(const lc_frontend_settings *settings);

/* ---- windows of a frame ---- */

/* The settings of the window number w, with its length and fft; false: there are fewer. fft= of a line is that of the
 * first window of mel; all others have the smallest that holds them. */
bool lc_spectra_window(const lc_frontend_settings *settings, size_t w, lc_frontend_settings *one);

/* ---- functions of lc_front_ops, with the state below ---- */

typedef struct lc_spectra_part { /* of one window length */
    lc_frontend_settings settings;
    lc_fft *fft;
    lc_filters filters;
    size_t at;     /* its first sample in the samples of a frame */
    float *levels; /* (1 + lanes, room): of the frame before, and of a group */
    float *mean;   /* (room) */
} lc_spectra_part;

typedef struct lc_spectra {
    lc_frontend_settings settings;
    const lc_spectrum_kernels *kernels;
    lc_spectra_part parts[LC_SPECTRA_WINDOWS];
    size_t parts_len;
    lc_block block;
    float *line;
    float *power;        /* (bins of the longest, lanes) */
    float *sums;         /* (room, lanes) */
    size_t room;         /* bands, rounded up to lanes */
    size_t group;        /* frames that a full line has at least: lanes, or fewer with a long hop */
    size_t before, span; /* samples of a frame before its time, and in all */
    size_t line_len, have, at;
    float last;          /* the sample before, for the emphasis */
    size_t frames;       /* since the start */
    double slowest_rate; /* of the running mean; 0: there is none */
    double tuning;       /* semitones by which the bands are higher than those of the settings */
} lc_spectra;

size_t lc_spectra_bins(const lc_frontend_settings *settings);
size_t lc_spectra_channels(const lc_frontend_settings *settings);
size_t lc_spectra_delay(const lc_frontend_settings *settings);
/* Samples before the time of a frame that its windows read. */
size_t lc_spectra_before(const lc_frontend_settings *settings);
lc_front_shades lc_spectra_shades(const lc_frontend_settings *settings);

LOCO_MUST_USE loco_status lc_spectra_open(void *state, const lc_frontend_settings *settings, loco_err *err);
void lc_spectra_close(void *state);
void lc_spectra_reset(void *state);
size_t lc_spectra_push(void *state, const float *samples, size_t n, float *frames);
size_t lc_spectra_finish(void *state, float *frames);

/* Moves all bands by so many semitones, at most LC_SPECTRA_TUNING up or down, for what is pushed from now on; the settings
 * must say tuning=record. */
void lc_spectra_tune(lc_spectra *spectra, double semitones);

/* Hz of the right corner of the last band at the highest tuning. */
double lc_spectra_top(const lc_frontend_settings *settings);

/* The smallest transform that holds a window. */
size_t lc_spectra_fft(size_t window);

#endif
