/* SPDX-License-Identifier: MIT
 *
 * sample.h - one recorded stroke, cut so that it begins at its attack, and played at any pitch near its own.
 *
 *     lc_sample sample;
 *     status = lc_sample_load(&sample, "snare.wav", 22050, err);
 *     size_t n = lc_sample_play(&sample, 1.03, 0.2, out, most);      half a semitone higher, at level 0.2
 *     lc_sample_free(&sample);
 *
 * Levels are root mean squares of the attack and not peaks: a click and a boom of one peak are not equally loud. */
#ifndef LC_STUDIO_KITS_SAMPLE_H
#define LC_STUDIO_KITS_SAMPLE_H

#include "loco.h"

enum { LC_SAMPLE_SECONDS = 6 }; /* what is longer is faded out */

/* A peak of 1 is 32767: the 16 bits follow the loudness of the stroke. Memory of kits is half of what floats need. */
typedef struct lc_sample {
    int16_t *values;
    size_t n;
    double level; /* of its attack: see lc_sample_level */
} lc_sample;

/* The root mean square of the first 50 ms, or of all where there is less: how loud a stroke is, whatever its peak. */
double lc_sample_level(const float *stroke, size_t n, double rate);

/* Where the stroke of these samples begins to be audible; n when all are 0. */
size_t lc_sample_onset(const float *samples, size_t n, double rate);

/* Cuts, scales and fades out the stroke in samples, which are changed; an empty sample for silence. False
 * without memory. */
LOCO_MUST_USE bool lc_sample_cut(lc_sample *sample, float *samples, size_t n, double rate);
void lc_sample_free(lc_sample *sample);

/* More than half of the energy of its first 200 ms lies below 150 Hz, in the band of a kick. */
bool lc_sample_is_low(const lc_sample *sample, double rate);

/* The first LC_SAMPLE_SECONDS of a sound file, mono at rate; the caller frees it. */
LOCO_MUST_USE loco_status lc_sample_load(lc_sample *sample, const char *path, double rate, loco_err *err);

/* Fills out with at most `most` samples of the stroke, `pitch` times as high, with the given level of
 * its attack. Returns how many. */
size_t lc_sample_play(const lc_sample *sample, double pitch, double level, float *out, size_t most);

#endif
