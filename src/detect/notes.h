/* SPDX-License-Identifier: MIT
 * notes.h - what a musician wants beside the onset of a note: how loud it is struck, and when it ends.
 *
 * Both are estimates from the sound around the partials of the note, which lie at h f0 sqrt(1 + B h^2); B, the stiffness
 * of strings, grows with the pitch. With P the power of a band at a frame,
 *
 *     rise(band, from, to) = 10 log10(max(P(onset + to) - P(onset - from), a part of P(onset + to)))
 *     score    = 0.52 rise(6 partials, 40 ms, 40 ms)
 *              + 0.24 (rise(1.5..4 kHz, 30 ms, 10 ms) + rise(4..8 kHz, 30 ms, 10 ms)) + 3.87 octave + 0.89 octave^2
 *     velocity = 64 + score - median of the scores of the recording, within 1..127
 *
 * where octave counts from C4. Struck harder, a note is louder in its own partials, and its hammer in all of the sound;
 * high strings are weaker. No recording states its gain, so that most of its notes are around 64: velocities are relative.
 *
 *     end        the first moment from 50 ms after the onset on at which 3 partials fall by 3.6 dB within 60 ms (a damper;
 *                a free string loses 5 to 20 dB a second), or are 25 dB below their peak; or the next onset of the
 *                same pitch; or 8 s
 *
 * The weights were fitted to three renders of MAPS with true onsets, and bands and rules chosen with six others in sight.
 * On the 59 pieces that are left, the correlation with the true velocity within a piece has quartiles 0.67, 0.73 and
 * 0.79 (36 reach 0.7; the least is 0.33), and the median error of ends 34, 72 and 174 ms (experiments/piano/notes). */
#ifndef LC_DETECT_NOTES_H
#define LC_DETECT_NOTES_H

#include "events/event_array.h"
#include "signal/sound.h"

/* Sets notes[i] of each of the n events, which are in order of time. pitches: of each class, 0..127. The sound was opened
 * at LC_NOTES_RATE with one channel, and is read to its end. Memory is bounded, whatever the length. */
enum { LC_NOTES_RATE = 16000 };
LOCO_MUST_USE loco_status lc_notes_measure(lc_note *notes, lc_sound *sound, const loco_event *events, size_t n,
                                           const unsigned *pitches, loco_err *err);

/* The same for events of classes that are pitches (events/pitches.h). */
LOCO_MUST_USE loco_status lc_notes_of(lc_note *notes, lc_sound *sound, const loco_event *events, size_t n,
                                      const char *const *classes, size_t classes_len, loco_err *err);

#endif
