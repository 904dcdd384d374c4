/* SPDX-License-Identifier: MIT
 * sound_strength.h - where something happens in sound, without any training: where it begins, is loudest, or has its
 * middle. */
#ifndef LC_SIGNAL_SOUND_STRENGTH_H
#define LC_SIGNAL_SOUND_STRENGTH_H

#include "signal/frontend.h"

/* Standard deviation of the smoothing that makes the middle of an event its largest value. */
#define LC_CENTRE_SECONDS 0.1

/* Onset strength (onset.h), or the amplitude, smoothed by 10 ms for the peak and by LC_CENTRE_SECONDS for the centre; a
 * value about every 5 ms. For words: bumps of 30 ms where sound begins after 0.15 s of silence, else 0. Silence is what is nearer to the
 * quietest twentieth of the recording than to its loudest, on a scale of decibels; where they are less than 12 dB apart
 * there is none. */
LOCO_MUST_USE loco_status lc_sound_strength(lc_strength *strength, double rate, lc_anchor anchor, const float *samples,
                                            size_t n, loco_err *err);

/* In place, by nearly a Gaussian of that standard deviation, in values; 0 outside. False, and nothing done: out of
 * memory. */
bool lc_strength_smooth(float *values, size_t n, double deviation);

#endif
