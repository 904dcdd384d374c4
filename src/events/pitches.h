/* SPDX-License-Identifier: MIT
 * pitches.h - classes that are pitches: the keys of a piano, by their numbers in MIDI.
 *
 * One rule for the whole project: classes are pitches where there are 12 or more, each a whole number from 12 to 127.
 * Below 12 lies what nobody listens to (16 Hz), and digits 0 to 9 are not pitches; nor are the few drums of a kit that a data set
 * calls 36, 38 and 42. */
#ifndef LC_EVENTS_PITCHES_H
#define LC_EVENTS_PITCHES_H

#include <stdbool.h>
#include <stddef.h>

enum { LC_PITCHES = 128, LC_PITCH_LEAST = 12, LC_PITCH_CLASSES = 12 };

/* Whether a name is a whole number from 0 to 127. */
bool lc_pitch_of(unsigned *pitch, const char *name);

/* Whether the classes are pitches, by the rule above. */
bool lc_pitched(const char *const *classes, size_t classes_len);

#endif
