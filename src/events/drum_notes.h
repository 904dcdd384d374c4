/* SPDX-License-Identifier: MIT
 * drum_notes.h - names of drums and the notes of General MIDI that stand for them. */
#ifndef LC_EVENTS_DRUM_NOTES_H
#define LC_EVENTS_DRUM_NOTES_H

#include <stddef.h>
#include <stdint.h>

enum { LC_DRUM_NAMES = 5, LC_DRUM_NOTES = 8 };

typedef struct lc_drum {
    const char *names[LC_DRUM_NAMES]; /* in lower case, without spaces, - and _; NULL behind the last */
    uint8_t written;                  /* the note that stands for it in a file of ours */
    uint8_t read[LC_DRUM_NOTES];      /* notes of any file that are this drum, 0 behind the last; none: not read */
} lc_drum;

/* The drum of that name, in any case, spaces, - and _ left out; NULL: no drum. */
const lc_drum *lc_drum_find(const char *name);

#endif
