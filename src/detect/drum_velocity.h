/* SPDX-License-Identifier: MIT
 * drum_velocity.h - how hard a drum is struck, from the sound around its stroke.
 *
 *     level    = 10 log10(E(5 ms before .. 35 ms after) - E(25 .. 10 ms before)), mean energies in the band of the drum
 *     velocity = 100 * 10^((level - reference) / 40), within 1..127
 *
 * reference is the level that a quarter of the strokes of this drum in the recording exceed: no recording states its gain,
 * and every font has its own balance, so that velocities compare strokes of one drum. Players of General MIDI make a
 * note of velocity v louder by 40 log10(v) dB, so that differences of level become those of the recording. */
#ifndef LC_DETECT_DRUM_VELOCITY_H
#define LC_DETECT_DRUM_VELOCITY_H

#include "events/event_array.h"
#include "signal/sound.h"

/* Sets notes[i] of each of the n events, which are in order of time; an end is 50 ms later. The sound was opened at
 * LC_DRUM_RATE with one channel, and is read to its end. */
enum { LC_DRUM_RATE = 22050 };
LOCO_MUST_USE loco_status lc_drum_velocities(lc_note *notes, lc_sound *sound, const loco_event *events, size_t n,
                                             const char *const *classes, size_t classes_len, loco_err *err);

/* Whether all classes have names of drums (events/drum_notes.h). */
bool lc_drum_classes(const char *const *classes, size_t classes_len);

#endif
