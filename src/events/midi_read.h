/* SPDX-License-Identifier: MIT
 * midi_read.h - the notes of a standard MIDI file, with their times in seconds. */
#ifndef LC_EVENTS_MIDI_READ_H
#define LC_EVENTS_MIDI_READ_H

#include "loco.h"

enum {
    LC_MIDI_BYTES = 16 << 20,
    LC_MIDI_NOTES = 1 << 20, /* and as many changes of tempo */
    LC_MIDI_DRUMS = 9,       /* the channel of drums in General MIDI, which people call 10 */
    LC_MIDI_PEDAL = 128      /* in the place of a note: the sustain pedal */
};

/* A note that begins: note-on with a velocity above 0. */
typedef struct lc_midi_note {
    double time; /* seconds */
    uint64_t tick;
    size_t byte; /* where it is in the file */
    uint8_t channel, note, velocity;
} lc_midi_note;

/* Reads formats 0 and 1. Notes come track by track, in order of time within each. The caller frees them by free().
 * LOCO_EDATA names the byte; path is for messages only. */
LOCO_MUST_USE loco_status lc_midi_parse(lc_midi_note **notes, size_t *notes_len, const char *path, const char *bytes,
                                        size_t length, loco_err *err);

/* The same with all that a player's hands and feet do: a velocity of 0 is a key that is released; a note LC_MIDI_PEDAL
 * is the sustain pedal, its velocity how far down it is. */
LOCO_MUST_USE loco_status lc_midi_parse_keys(lc_midi_note **notes, size_t *notes_len, const char *path,
                                             const char *bytes, size_t length, loco_err *err);

#endif
