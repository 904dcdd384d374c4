/* SPDX-License-Identifier: MIT
 * onset.h - how much sound begins at each moment, without any training: tells where a model's events should lie. */
#ifndef LC_SIGNAL_ONSET_H
#define LC_SIGNAL_ONSET_H

#include "loco.h"

/* strength[t] >= 0 for the time t * hop_seconds, about 5 ms apart: the sum over 20 bands of the rise of log10 power
 * since the value before. Attacks peak within 2 ms of their true time on average. At least 2000 Hz; strength, ceil(n /
 * hop) values, is the caller's to free(). */
LOCO_MUST_USE loco_status lc_onset_strength(const float *samples, size_t n, double rate, float **strength,
                                            size_t *frames, double *hop_seconds, loco_err *err);

#endif
