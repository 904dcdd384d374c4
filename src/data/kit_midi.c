/* SPDX-License-Identifier: MIT
 *
 * kit_midi.c - writes a MIDI file of format 0. 5000 ticks a quarter of half a second: a tick is 0.1 ms.
 */
#include "data/kit_midi.h"

#include "data/store.h"

#include <stdlib.h>
#include <string.h>

#define TICKS_A_SECOND 10000.0

static void add(lc_midi_out *midi, double time, const uint8_t *bytes, uint8_t length)
{
    lc_midi_message *items = midi->failed ? NULL
                                          : lc_list_grow(midi->items, &midi->capacity, midi->len + 1, sizeof *items);
    if (items == NULL) {
        midi->failed = true;
        return;
    }
    midi->items = items;
    lc_midi_message *m = &items[midi->len];
    double tick = time * TICKS_A_SECOND + 0.5;
    *m = (lc_midi_message){.tick = tick > 0 ? (uint32_t)(tick < 1e9 ? tick : 1e9) : 0, .order = (uint32_t)midi->len};
    memcpy(m->bytes, bytes, length);
    m->length = length;
    midi->len++;
}

void lc_midi_control(lc_midi_out *midi, double time, unsigned channel, unsigned control, unsigned value)
{
    add(midi, time, (const uint8_t[]){(uint8_t)(0xb0 | channel), (uint8_t)control, (uint8_t)value}, 3);
}

void lc_midi_note_on(lc_midi_out *midi, double time, double length, unsigned channel, unsigned note, unsigned velocity)
{
    add(midi, time, (const uint8_t[]){(uint8_t)(0x90 | channel), (uint8_t)note, (uint8_t)velocity}, 3);
    add(midi, time + length, (const uint8_t[]){(uint8_t)(0x80 | channel), (uint8_t)note, 0}, 3);
}

void lc_midi_program(lc_midi_out *midi, double time, unsigned channel, unsigned bank, unsigned program)
{
    lc_midi_control(midi, time, channel, 0, bank >> 7 & 127);
    lc_midi_control(midi, time, channel, 32, bank & 127);
    add(midi, time, (const uint8_t[]){(uint8_t)(0xc0 | channel), (uint8_t)program}, 2);
}

static int by_tick(const void *a, const void *b)
{
    const lc_midi_message *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Seven bits a byte, the highest first; all but the last byte have their top bit set. */
static void append_length(lc_text *text, uint32_t value)
{
    char bytes[5];
    size_t at = sizeof bytes;
    bytes[--at] = (char)(value & 127);
    while ((value >>= 7) > 0)
        bytes[--at] = (char)(0x80 | (value & 127));
    lc_text_append(text, bytes + at, sizeof bytes - at);
}

static void append_big(lc_text *text, uint32_t value)
{
    char bytes[4] = {(char)(value >> 24 & 255), (char)(value >> 16 & 255), (char)(value >> 8 & 255),
                     (char)(value & 255)};
    lc_text_append(text, bytes, sizeof bytes);
}

void lc_midi_format(lc_midi_out *midi, double end, lc_text *text)
{
    lc_text track = {0};
    uint32_t now = 0, last = (uint32_t)(end * TICKS_A_SECOND);
    if (midi->len > 0)
        qsort(midi->items, midi->len, sizeof *midi->items, by_tick);
    for (size_t i = 0; i < midi->len; i++) {
        append_length(&track, midi->items[i].tick - now);
        lc_text_append(&track, (const char *)midi->items[i].bytes, midi->items[i].length);
        now = midi->items[i].tick;
    }
    append_length(&track, last > now ? last - now : 0);
    lc_text_append(&track, "\xff\x2f\0", 3);
    lc_text_append(text, "MThd\0\0\0\6\0\0\0\1\x13\x88MTrk", 18);
    append_big(text, (uint32_t)track.length);
    lc_text_append(text, track.bytes, track.length);
    text->failed = text->failed || track.failed || midi->failed;
    lc_text_free(&track);
}

void lc_midi_out_free(lc_midi_out *midi)
{
    free(midi->items);
    *midi = (lc_midi_out){0};
}
