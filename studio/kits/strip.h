/* SPDX-License-Identifier: MIT
 *
 * strip.h - what an engineer does to a sound: equaliser, attack, tape, and what old or small machines leave of it.
 *
 * All work in place, are causal, cannot fail, and take their settings from the random generator.
 */
#ifndef LC_STUDIO_KITS_STRIP_H
#define LC_STUDIO_KITS_STRIP_H

#include "base/rng.h"

#include <stddef.h>

/* A tilt, two shelves and a bell, each of up to +-range dB. */
void lc_strip_equalise(float *samples, size_t n, double rate, double range, lc_rng *rng);

/* Lifts `decibels` at frequency, within a band of frequency / q. */
void lc_strip_bell(float *samples, size_t n, double rate, double frequency, double q, double decibels);

/* Makes attacks harder or softer against what follows them. */
void lc_strip_attack(float *samples, size_t n, double rate, lc_rng *rng);

/* A kick with a hard beater: its attack above 1.5 kHz becomes up to 18 dB louder. */
void lc_strip_click(float *samples, size_t n, double rate, lc_rng *rng);

/* Turns kicks and toms into the rattle of snare wires that they set off: noise above 1 kHz that follows their level, 16 to
 * 36 dB below it. */
void lc_strip_buzz(float *samples, size_t n, double rate, lc_rng *rng);

/* x / (1 + drive |x|), or the harder tanh, with x relative to the peak. */
void lc_strip_saturate(float *samples, size_t n, lc_rng *rng);

/* Steeply limits the band: a cheap codec of some kbit/s, with noise that follows the sound. */
void lc_strip_codec(float *samples, size_t n, double rate, lc_rng *rng);

/* A band of 100 Hz to 5 or 8 kHz, with crackles: shellac, radio. */
void lc_strip_old(float *samples, size_t n, double rate, lc_rng *rng);

#endif
