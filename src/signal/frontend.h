/* SPDX-License-Identifier: MIT
 * frontend.h - sound or series into frames for a network, described by one line. Of sound, log-mel spectra:
 *
 *     mel rate=22050 window=1024 hop=220 fft=1024 bands=72 low=27 high=11000 shape=hann emphasis=0 gain=44 floor=-3
 *         shift=1.5 scale=1.35 delta=channel delta_scale=0.35 adapt=0
 *
 * For frame t, with the samples around t*hop, zeros before the first and after the last:
 *     P[k]      power spectrum of `window` samples times the window's shape, zero-padded to `fft`, scaled so that the
 *               bins of a full-scale sine add up to 1, whatever window and fft are
 *     x[f]      max(log10(sum_k triangle_f[k] P[k]) + gain / 10, floor); triangles between `low` and `high` Hz, evenly
 *               spaced in mel = 2595 log10(1 + Hz / 700), of height 1
 *     value[f]  (x[f] - mean[f] + shift) / scale; mean is 0, or with adapt=S the running mean of the last S seconds
 *     delta[f]  (x[f] - x[f] of the frame before) / delta_scale; 0 in the first frame
 * A frame is (F, C), channels innermost. delta=none: F = bands, C = 1. delta=channel: F = bands, C = 2: value, delta.
 * delta=stacked: F = 2 * bands, C = 1: all values, then all deltas.
 *
 * Of series, the samples themselves:
 *
 *     series rate=120 channels=1 hop=2 low=0.7 high=35 scale=record adapt=10 delta=none delta_scale=0.35
 *
 *     y[c]      channel c above `low` and below `high` Hz (0: no limit); both filters only look back, see series_front.c
 *     value[c]  (y[c] - mean[c]) / spread[c]. scale=fixed: those of the training data, which the model keeps;
 *               scale=record: those of the whole recording, where it is known before (lc_frontend_rescale), else fixed;
 *               scale=running: those of the last `adapt` seconds, beginning with fixed
 *     delta[c]  (value[c] - value[c] of the sample before) / delta_scale
 * A frame is `hop` samples: F = 1, C = hop * channels values and, with delta=channel, as many deltas behind them. Frame t
 * begins with sample t * hop; behind the end the last sample is repeated.
 *
 * Samples are (n, channels), interleaved; of sound there is one channel. Frame t of sound is centred on sample t * hop
 * exactly; N samples have ceil(N / hop) frames. Frames do not depend on the sizes
 * of the pieces in which the samples come, not in the last bit.
 */
#ifndef LC_SIGNAL_FRONTEND_H
#define LC_SIGNAL_FRONTEND_H

#include "base/text.h"
#include "signal/sound.h"

#include <stdbool.h>

typedef enum lc_shape { LC_SHAPE_HANN, LC_SHAPE_HAMMING } lc_shape;
typedef enum lc_delta { LC_DELTA_NONE, LC_DELTA_CHANNEL, LC_DELTA_STACKED } lc_delta;

enum { LC_FRONT_LEAD = 60 }; /* seconds, at most */

typedef enum lc_front { LC_FRONT_MEL, LC_FRONT_SERIES } lc_front;
typedef enum lc_norm { LC_NORM_FIXED, LC_NORM_RECORD, LC_NORM_RUNNING } lc_norm;

/* Mean and standard deviation of each channel behind the filters. */
typedef struct lc_scale {
    double mean[LC_SOUND_CHANNELS], spread[LC_SOUND_CHANNELS];
} lc_scale;

typedef struct lc_frontend_settings {
    lc_front kind;
    double rate;             /* Hz */
    size_t window, hop, fft; /* samples */
    size_t bands;
    double low, high; /* Hz */
    lc_shape shape;
    double emphasis; /* sample - emphasis * sample before */
    double gain;     /* dB */
    double floor, shift, scale;
    lc_delta delta;
    double delta_scale;
    double adapt;    /* seconds, 0: none */
    size_t channels; /* of series: that come in */
    lc_norm norm;
    lc_scale usual; /* of series: scale=fixed. Not in the line; spread 0, as at first, is read as 1 */
    char columns
        [LC_COLUMNS_BYTES]; /* of series: the names of the channels, "ax,ay"; "": as they come. Not in the line */
} lc_frontend_settings;

/* Reads a line. Keys may come in any order; one that is missing has the value of the preset "drums", but fft is then
 * the smallest power of two that holds the window, and high at most half the rate. */
LOCO_MUST_USE loco_status lc_frontend_parse(lc_frontend_settings *settings, const char *line, loco_err *err);

/* Changes one setting: "hop=441". Whether all fit together is told by lc_frontend_check and lc_frontend_new. */
LOCO_MUST_USE loco_status lc_frontend_set(lc_frontend_settings *settings, const char *pair, loco_err *err);
LOCO_MUST_USE loco_status lc_frontend_check(const lc_frontend_settings *settings, loco_err *err);

/* Appends the line with all keys; reading it gives the same settings. */
void lc_frontend_format(const lc_frontend_settings *settings, lc_text *text);

/* The line of a preset, or NULL: "drums", "drums-paper", "piano-paper", "series", "ecg". */
const char *lc_frontend_preset(const char *name);

size_t lc_frontend_bins(const lc_frontend_settings *settings);     /* F */
size_t lc_frontend_channels(const lc_frontend_settings *settings); /* C */

/* Channels that must come in: 1 of sound. Those to ask lc_sound_open_channels for: 0 of sound, which is mixed; the names stay the settings'. */
size_t lc_frontend_inputs(const lc_frontend_settings *settings);
lc_columns lc_frontend_apart(const lc_frontend_settings *settings);

/* Whether the scale of a recording should be measured before its frames are made: scale=record. */
bool lc_frontend_wants_scale(const lc_frontend_settings *settings);

/* Seconds of series that must go before a clip until filters and running scale have settled; 0 of sound. */
double lc_frontend_lead(const lc_frontend_settings *settings);

/* Seconds of the centre of frame t, without drift. */
double lc_frontend_time(const lc_frontend_settings *settings, size_t t);

/* How many samples after its centre a frame needs. */
size_t lc_frontend_delay(const lc_frontend_settings *settings);

typedef struct lc_frontend lc_frontend;

LOCO_MUST_USE loco_status lc_frontend_new(lc_frontend **frontend, const lc_frontend_settings *settings, loco_err *err);
void lc_frontend_free(lc_frontend *frontend);

/* The most frames that a push of so many samples can give; lc_frontend_most(fe, 0) for the finish. */
size_t lc_frontend_most(const lc_frontend *frontend, size_t samples);

/* Takes n samples, and writes the frames that are complete with them; how many. Nothing is allocated. */
size_t lc_frontend_push(lc_frontend *frontend, const float *samples, size_t n, float *frames);

/* Writes the frames that are left, with zeros behind the last sample, and begins anew. */
size_t lc_frontend_finish(lc_frontend *frontend, float *frames);

/* Of series: how the scale of a recording is found, and set for what is pushed from now on; NULL: as the settings say.
 * Measuring takes all samples, in pieces; reading the result begins anew. With sound they do nothing. */
void lc_frontend_measure(lc_frontend *frontend, const float *samples, size_t n);
void lc_frontend_measured(lc_frontend *frontend, lc_scale *scale);
void lc_frontend_rescale(lc_frontend *frontend, const lc_scale *scale);

/* Forgets all samples: the next one is number 0. The scale stays. */
void lc_frontend_reset(lc_frontend *frontend);

#endif
