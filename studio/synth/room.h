/* SPDX-License-Identifier: MIT
 *
 * room.h - turns dry drums into a recording: room, microphone, compressor, noise.
 *
 * Everything is causal: no sound comes before its event.
 */
#ifndef LC_STUDIO_SYNTH_ROOM_H
#define LC_STUDIO_SYNTH_ROOM_H

#include "base/rng.h"
#include "loco.h"

/* A room's early reflections and reverberation, drawn at random, added in place. */
LOCO_MUST_USE loco_status lc_room_apply(float *samples, size_t n, double rate, lc_rng *rng, loco_err *err);

/* The same with longer ways and decays of 0.8 to 3.2 s: a hall, or the effect of that name. */
LOCO_MUST_USE loco_status lc_room_hall(float *samples, size_t n, double rate, lc_rng *rng, loco_err *err);

/* Skins and shells of the kit that ring along softly with every stroke. */
void lc_room_ring(float *samples, size_t n, double rate, lc_rng *rng);

/* A duller copy, some milliseconds late, as of a second microphone. */
LOCO_MUST_USE loco_status lc_room_bleed(float *samples, size_t n, double rate, lc_rng *rng, loco_err *err);

/* Evens out levels above a threshold somewhere below peak, the largest magnitude; then, sometimes, soft saturation. */
void lc_room_compress(float *samples, size_t n, double rate, double peak, lc_rng *rng);

/* Mains hum of 50 or 60 Hz with harmonics, of the given amplitude. */
void lc_room_hum(float *samples, size_t n, double rate, double amplitude, lc_rng *rng);

#endif
