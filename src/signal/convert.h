/* SPDX-License-Identifier: MIT
 * convert.h - samples at one rate into samples at another, block by block, for any pair of rates.
 *
 *     lc_converter *converter;
 *     lc_converter_new(&converter, 44100, 22050, 1, false, err);
 *     while (...)
 *         lc_converter_run(converter, in, n, &taken, out, most, &got, err);
 *     do lc_converter_run(converter, NULL, 0, &taken, out, most, &got, err); while (got > 0);
 *
 * Sample 0 stays at time 0, sample i is at time i / rate; of N samples come round(N * to / from). Usual pairs of rates go
 * through resample.c, which has a short delay; others through soxr; equal rates are copied. What comes out does not
 * depend on the sizes of the blocks. */
#ifndef LC_SIGNAL_CONVERT_H
#define LC_SIGNAL_CONVERT_H

#include "loco.h"

enum { LC_CONVERT_CHUNK = 4096 }; /* frames of input that one call takes, at most */

typedef struct lc_converter lc_converter;

/* channels: 1 to LC_SOUND_CHANNELS, interleaved. keep_level: before its first sample a resampler sees zeros. Sound begins
 * near 0; a series may begin anywhere, and the jump would ring for a hundred samples. So the first sample of each channel
 * is subtracted before, and added again behind. */
LOCO_MUST_USE loco_status lc_converter_new(lc_converter **converter, double from, double to, size_t channels,
                                           bool keep_level, loco_err *err);
void lc_converter_free(lc_converter *converter);

/* Starts again at sample 0. */
void lc_converter_reset(lc_converter *converter);

/* Takes up to n frames (in NULL: the input is over) and puts out up to `most`. */
LOCO_MUST_USE loco_status lc_converter_run(lc_converter *converter, const float *in, size_t n, size_t *taken,
                                           float *out, size_t most, size_t *got, loco_err *err);

/* How many seconds of input after a sample must have come until it is put out, at most. For soxr, which works in blocks,
 * it is measured on a resampler of its own, in a few milliseconds. */
LOCO_MUST_USE loco_status lc_converter_delay(double *seconds, double from, double to, loco_err *err);

#endif
