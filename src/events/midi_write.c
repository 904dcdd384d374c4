/* SPDX-License-Identifier: MIT
 *
 * midi_write.c - writes MIDI files, big-endian:
 *
 *     "MThd" 6 | format  tracks  ticks a quarter                       16 bits each
 *     "MTrk" n | ticks message  ticks message ...  ticks FF 2F 00      n: bytes of the track, 32 bits
 *
 * Each message follows the ticks since the one before it, a number of 7 bits a byte, highest first, where the top bit
 * says that more follow: 0x3fff is FF 7F. A file of lc_midi_format has format 0 and 5000 ticks a quarter of half a
 * second, which is the tempo of a file that states none: a tick is 0.1 ms.
 */
#include "events/midi_write.h"

#include "base/store.h"

#include <stdlib.h>
#include <string.h>

enum { TICKS_A_QUARTER = 5000, TICKS_A_SECOND = 2 * TICKS_A_QUARTER, LONGEST_NAME = 1000 };

/* ---- messages ---- */

static void add(lc_midi_out *midi, uint32_t tick, const uint8_t *bytes, uint8_t length)
{
    lc_midi_message *items = midi->failed ? NULL
                                          : lc_list_grow(midi->items, &midi->capacity, midi->len + 1, sizeof *items);
    if (items == NULL) {
        midi->failed = true;
        return;
    }
    midi->items = items;
    lc_midi_message *m = &items[midi->len];
    *m = (lc_midi_message){.tick = tick, .order = (uint32_t)midi->len};
    memcpy(m->bytes, bytes, length);
    m->length = length;
    midi->len++;
}

/* Rounded to the nearest tick, within what lc_midi_message holds. */
static uint32_t tick_of(double time)
{
    double tick = time * TICKS_A_SECOND + 0.5;
    return tick > 0 ? (uint32_t)(tick < 1e9 ? tick : 1e9) : 0;
}

void lc_midi_key(lc_midi_out *midi, const lc_midi_span *s)
{
    add(midi, s->on, (const uint8_t[]){(uint8_t)(0x90 | s->channel), (uint8_t)s->pitch, (uint8_t)s->velocity}, 3);
    add(midi, s->off, (const uint8_t[]){(uint8_t)(0x80 | s->channel), (uint8_t)s->pitch, (uint8_t)s->release}, 3);
}

void lc_midi_note_on(lc_midi_out *midi, double time, double length, unsigned channel, unsigned note, unsigned velocity)
{
    lc_midi_key(midi, &(lc_midi_span){tick_of(time), tick_of(time + length), channel, note, velocity, 0});
}

void lc_midi_control(lc_midi_out *midi, double time, unsigned channel, unsigned control, unsigned value)
{
    add(midi, tick_of(time), (const uint8_t[]){(uint8_t)(0xb0 | channel), (uint8_t)control, (uint8_t)value}, 3);
}

void lc_midi_program(lc_midi_out *midi, double time, unsigned channel, unsigned bank, unsigned program)
{
    lc_midi_control(midi, time, channel, 0, bank >> 7 & 127);
    lc_midi_control(midi, time, channel, 32, bank & 127);
    add(midi, tick_of(time), (const uint8_t[]){(uint8_t)(0xc0 | channel), (uint8_t)program}, 2);
}

/* ---- bytes ---- */

static void append_big(lc_text *text, uint32_t value, size_t bytes)
{
    for (size_t i = bytes; i-- > 0;)
        lc_text_append(text, &(char){(char)(value >> (8 * i) & 0xff)}, 1);
}

/* Seven bits a byte, the highest first; all but the last byte have their top bit set. */
static void append_variable(lc_text *text, uint32_t value)
{
    char bytes[5];
    size_t at = sizeof bytes;
    bytes[--at] = (char)(value & 127);
    while ((value >>= 7) > 0)
        bytes[--at] = (char)(0x80 | (value & 127));
    lc_text_append(text, bytes + at, sizeof bytes - at);
}

static void append_head(lc_text *track, const lc_midi_track_head *head)
{
    if (head->name != NULL) {
        size_t length = strlen(head->name) < LONGEST_NAME ? strlen(head->name) : LONGEST_NAME;
        lc_text_append(track, "\0\xff\x03", 3); /* after 0 ticks: the name of the track */
        append_variable(track, (uint32_t)length);
        lc_text_append(track, head->name, length);
    }
    if (head->tempo > 0) {
        lc_text_append(track, "\0\xff\x51\3", 4);
        append_big(track, head->tempo, 3);
    }
}

/* ---- tracks and files ---- */

static int by_tick(const void *a, const void *b)
{
    const lc_midi_message *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void lc_midi_head(lc_text *text, unsigned format, size_t tracks, unsigned division)
{
    lc_text_append(text, "MThd\0\0\0\6", 8);
    append_big(text, format, 2);
    append_big(text, (uint32_t)tracks, 2);
    append_big(text, division, 2);
}

/* The length of a track stands before it and is known only behind it: so the track is a text of its own first. */
void lc_midi_track(lc_text *text, lc_midi_out *midi, const lc_midi_track_head *head)
{
    lc_text track = {0};
    uint32_t now = 0;
    if (midi->len > 0)
        qsort(midi->items, midi->len, sizeof *midi->items, by_tick);
    append_head(&track, head);
    for (size_t i = 0; i < midi->len; i++) {
        append_variable(&track, midi->items[i].tick - now);
        lc_text_append(&track, (const char *)midi->items[i].bytes, midi->items[i].length);
        now = midi->items[i].tick;
    }
    append_variable(&track, head->end > now ? head->end - now : 0);
    lc_text_append(&track, "\xff\x2f\0", 3);
    lc_text_append(text, "MTrk", 4);
    append_big(text, (uint32_t)track.length, 4);
    lc_text_append(text, track.bytes, track.length);
    text->failed = text->failed || track.failed || midi->failed;
    lc_text_free(&track);
}

void lc_midi_format(lc_midi_out *midi, double end, lc_text *text)
{
    lc_midi_head(text, 0, 1, TICKS_A_QUARTER);
    lc_midi_track(text, midi, &(lc_midi_track_head){.end = (uint32_t)(end * TICKS_A_SECOND)});
}

void lc_midi_clear(lc_midi_out *midi)
{
    midi->len = 0;
}

void lc_midi_out_free(lc_midi_out *midi)
{
    free(midi->items);
    *midi = (lc_midi_out){0};
}
