/* SPDX-License-Identifier: MIT
 * onset.h - how much sound begins at each moment, without any training: where a model's events should lie. */
#ifndef LC_SIGNAL_ONSET_H
#define LC_SIGNAL_ONSET_H

#include "loco.h"

/* Rises of log10 power since the frame before, 0 where it falls, in LC_ONSET_BANDS mel bands; frame t, from 0 on,
 * belongs to the time t * hop. Samples as they come; 2000 Hz to 1 MHz. */
enum { LC_ONSET_BANDS = 20 };
typedef struct lc_onset lc_onset;

LOCO_MUST_USE loco_status lc_onset_new(lc_onset **onset, double rate, loco_err *err);
void lc_onset_free(lc_onset *onset);

double lc_onset_hop(const lc_onset *onset); /* seconds, about 0.005 */

/* The frames that rises must have room for where n samples are pushed, 0 for the finish: more than will be written. */
size_t lc_onset_most(const lc_onset *onset, size_t n);

/* Writes the frames (*, LC_ONSET_BANDS) that are complete now, and returns how many. The finish resets. */
size_t lc_onset_push(lc_onset *onset, const float *samples, size_t n, float *rises);
size_t lc_onset_finish(lc_onset *onset, float *rises);

/* All at once: strength[t] >= 0 for the time t * hop_seconds, the sum of the rises over the bands. Attacks peak within
 * 2 ms of their true time on average. At least 2000 Hz; strength, ceil(n / hop) values, is the caller's to free(). */
LOCO_MUST_USE loco_status lc_onset_strength(const float *samples, size_t n, double rate, float **strength,
                                            size_t *frames, double *hop_seconds, loco_err *err);

#endif
