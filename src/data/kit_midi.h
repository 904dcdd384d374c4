/* SPDX-License-Identifier: MIT
 * kit_midi.h - a MIDI file that is put together message by message, at times in seconds. */
#ifndef LC_DATA_KIT_MIDI_H
#define LC_DATA_KIT_MIDI_H

#include "base/text.h"

#include <stdint.h>

typedef struct lc_midi_message {
    uint32_t tick;
    uint32_t order; /* of being added */
    uint8_t bytes[3], length;
} lc_midi_message;

/* Zero at first. */
typedef struct lc_midi_out {
    lc_midi_message *items;
    size_t len, capacity;
    bool failed; /* out of memory */
} lc_midi_out;

/* Times from 0 to 1e5 s; those below are taken for 0. Channels 0..15, all else 0..127. */
void lc_midi_control(lc_midi_out *midi, double time, unsigned channel, unsigned control, unsigned value);
void lc_midi_note_on(lc_midi_out *midi, double time, double length, unsigned channel, unsigned note, unsigned velocity);

/* Bank 0..16383 as two controls, where the player reads them so (MMA), then the program. */
void lc_midi_program(lc_midi_out *midi, double time, unsigned channel, unsigned bank, unsigned program);

/* Appends the whole file, which ends at `end` seconds or with the last message. Sorts the messages. */
void lc_midi_format(lc_midi_out *midi, double end, lc_text *text);
void lc_midi_out_free(lc_midi_out *midi);

#endif
