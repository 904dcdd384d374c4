/* SPDX-License-Identifier: MIT
 *
 * midi_write.h - writes MIDI files: tracks that are put together message by message, in any order.
 *
 * A whole file of one track, with times in seconds:        Or track by track, with times in ticks:
 *     lc_midi_out midi = {0};                                  lc_midi_head(&text, 1, tracks, 960);
 *     lc_midi_program(&midi, 0, 0, 0, 33);                     lc_midi_key(&midi, &(lc_midi_span){...});
 *     lc_midi_note_on(&midi, 1.5, 0.2, 0, 40, 100);            lc_midi_track(&text, &midi, &(lc_midi_track_head){...});
 *     lc_midi_format(&midi, 10, &text);                        lc_midi_clear(&midi);
 *     lc_midi_out_free(&midi);                                 ...
 *
 * A failure to allocate is kept, and passed on to the text: check text.failed once at the end.
 */
#ifndef LC_EVENTS_MIDI_WRITE_H
#define LC_EVENTS_MIDI_WRITE_H

#include "base/text.h"

#include <stdint.h>

enum { LC_MIDI_MOST_TICKS = (1 << 28) - 1 }; /* between two messages: what four bytes of 7 bits hold */

typedef struct lc_midi_message {
    uint32_t tick;
    uint32_t order; /* of being added */
    uint8_t bytes[3], length;
} lc_midi_message;

/* The messages of one track. Zero-initialised at first. */
typedef struct lc_midi_out {
    lc_midi_message *items;
    size_t len, capacity;
    bool failed; /* out of memory */
} lc_midi_out;

/* ---- messages at seconds, 10000 ticks each ---- */

/* Times from 0 to 1e5 s; those below are taken for 0. Channels 0..15, all else 0..127. */
void lc_midi_control(lc_midi_out *midi, double time, unsigned channel, unsigned control, unsigned value);
void lc_midi_note_on(lc_midi_out *midi, double time, double length, unsigned channel, unsigned note, unsigned velocity);

/* Bank 0..16383 as two controls, where the player reads them so (MMA), then the program. */
void lc_midi_program(lc_midi_out *midi, double time, unsigned channel, unsigned bank, unsigned program);

/* Appends the whole file, of format 0, which ends at `end` seconds or with the last message. Sorts the messages. */
void lc_midi_format(lc_midi_out *midi, double end, lc_text *text);

/* ---- messages at ticks, and tracks ---- */

/* A note from tick on to tick off. */
typedef struct lc_midi_span {
    uint32_t on, off;
    unsigned channel, pitch, velocity, release; /* release: the velocity of note-off */
} lc_midi_span;

typedef struct lc_midi_track_head {
    const char *name; /* at most 1000 bytes of it are written; NULL: none */
    uint32_t tempo;   /* microseconds a quarter; 0: none */
    uint32_t end;     /* the tick at which the track ends, if no message is later */
} lc_midi_track_head;

void lc_midi_key(lc_midi_out *midi, const lc_midi_span *span);

/* Appends the head of a file: its format, how many tracks follow, ticks a quarter. */
void lc_midi_head(lc_text *text, unsigned format, size_t tracks, unsigned division);

/* Appends one track. Sorts the messages; those at one tick stay in the order in which they were added. */
void lc_midi_track(lc_text *text, lc_midi_out *midi, const lc_midi_track_head *head);

void lc_midi_clear(lc_midi_out *midi); /* keeps the memory for the next track */
void lc_midi_out_free(lc_midi_out *midi);

#endif
