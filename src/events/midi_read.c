/* SPDX-License-Identifier: MIT
 *
 * midi_read.c - the notes of a standard MIDI file, with their times in seconds.
 *
 *     file   := "MThd" size=6 format tracks division, then chunks; "MTrk" size event*, others are skipped
 *     event  := delta (status data | data with the status before | F0 F7 size bytes | FF type size bytes)
 *     sizes of chunks are 32 bits, big-endian; delta and size within a track have 7 bits a byte, at most 4 bytes
 *
 * A tick lasts tempo / (1e6 * division) seconds, with tempo in microseconds a quarter note, 500000 until the file sets
 * another; or, when division is negative, 1 / (frames a second * ticks a frame) whatever the tempo. In format 1 the
 * tracks play together, and a tempo in any of them holds for all from its tick on. So tempos are gathered first,
 * sorted, and summed up; then each note's time is looked up.
 *
 * What is read was compared with a plain reader in another language on 1021 files of drum performances: all 402,418
 * notes agree. What is not read: format 2 (patterns that do not play together), RIFF around MIDI.
 *
 * A tick is below 2^28 * bytes of the file < 2^52: sums in 64 bits cannot wrap.
 */
#include "events/midi_read.h"

#include "base/plain_text.h"
#include "base/status.h"
#include "base/store.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_TEMPO = 500000,
    META = 0xff,
    META_END = 0x2f,
    META_TEMPO = 0x51,
    SYSEX = 0xf0,
    ESCAPE = 0xf7,
    SUSTAIN = 64
};

typedef struct tempo {
    uint64_t tick;
    uint32_t micros; /* a quarter note */
    uint32_t order;  /* of two at one tick, the later in the file holds */
    double seconds;  /* at tick */
} tempo;

typedef struct midi_reader {
    const char *path;
    const unsigned char *bytes;
    size_t at, end, length; /* here; the end of this chunk; of the file */
    unsigned format, division;
    unsigned status; /* running status: of a message that begins with a data byte; 0: none yet */
    bool over;       /* the end of the track was read */
    bool keys;       /* also wanted: keys that are released, and the pedal */
    uint64_t tick;
    lc_midi_note *notes;
    size_t notes_len, notes_capacity;
    tempo *tempos;
    size_t tempos_len, tempos_capacity;
} midi_reader;

static loco_status refuse(const midi_reader *r, size_t byte, const char *problem, loco_err *err)
{
    return lc_err_set(err, LOCO_EDATA, "%s: %s", lc_place_byte(r->path, byte).text, problem);
}

static loco_status out_of_memory(const midi_reader *r, loco_err *err)
{
    return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", lc_place_show((lc_place){r->path, 0, NULL}).text);
}

static uint32_t big_endian(const unsigned char *bytes, int n)
{
    uint32_t value = 0;
    for (int i = 0; i < n; i++)
        value = value << 8 | bytes[i];
    return value;
}

/* A number of 7 bits a byte. */
static loco_status take_variable(midi_reader *r, uint32_t *value, loco_err *err)
{
    size_t start = r->at;
    *value = 0;
    for (int i = 0; i < 4; i++) {
        if (r->at == r->end)
            return refuse(r, start, "the track ends within a number", err);
        unsigned byte = r->bytes[r->at++];
        *value = *value << 7 | (byte & 0x7f);
        if (byte < 0x80)
            return LOCO_OK;
    }
    return refuse(r, start, "a number of more than 4 bytes", err);
}

/* At the current tick; its time follows when all tempos are known. */
static loco_status add_note(midi_reader *r, size_t byte, unsigned channel, unsigned note, unsigned velocity,
                            loco_err *err)
{
    if (r->notes_len == LC_MIDI_NOTES)
        return refuse(r, byte, "more than 1048576 notes", err);
    lc_midi_note *notes = lc_list_grow(r->notes, &r->notes_capacity, r->notes_len + 1, sizeof *notes);
    if (notes == NULL)
        return out_of_memory(r, err);
    r->notes = notes;
    notes[r->notes_len++] = (lc_midi_note){.tick = r->tick,
                                           .byte = byte,
                                           .channel = (uint8_t)channel,
                                           .note = (uint8_t)note,
                                           .velocity = (uint8_t)velocity};
    return LOCO_OK;
}

/* From the current tick on, for all tracks. */
static loco_status add_tempo(midi_reader *r, size_t byte, uint32_t micros, loco_err *err)
{
    if (micros == 0)
        return refuse(r, byte, "a tempo of 0 microseconds a quarter note", err);
    if (r->tempos_len == LC_MIDI_NOTES)
        return refuse(r, byte, "more than 1048576 changes of tempo", err);
    tempo *tempos = lc_list_grow(r->tempos, &r->tempos_capacity, r->tempos_len + 1, sizeof *tempos);
    if (tempos == NULL)
        return out_of_memory(r, err);
    r->tempos = tempos;
    tempos[r->tempos_len] = (tempo){.tick = r->tick, .micros = micros, .order = (uint32_t)r->tempos_len};
    r->tempos_len++;
    return LOCO_OK;
}

/* A length and as many bytes, behind F0, F7, or FF and its type; r->at is at the length. */
static loco_status take_block(midi_reader *r, size_t start, bool is_tempo, loco_err *err)
{
    uint32_t size;
    loco_status status = take_variable(r, &size, err);
    if (status != LOCO_OK)
        return status;
    if (size > r->end - r->at)
        return refuse(r, start, "an event reaches beyond the end of its track", err);
    r->at += size;
    if (!is_tempo)
        return LOCO_OK;
    if (size != 3)
        return refuse(r, start, "a tempo has 3 bytes", err);
    return add_tempo(r, start, big_endian(r->bytes + r->at - 3, 3), err);
}

/* Behind FF. Behind the end of a track, anything may stand. */
static loco_status take_meta(midi_reader *r, size_t start, loco_err *err)
{
    if (r->at == r->end)
        return refuse(r, start, "an event reaches beyond the end of its track", err);
    unsigned type = r->bytes[r->at++];
    r->over = type == META_END;
    return take_block(r, start, type == META_TEMPO, err);
}

/* A message of a channel; its first data byte is at r->at. */
static loco_status take_message(midi_reader *r, size_t start, loco_err *err)
{
    unsigned kind = r->status >> 4, data[2] = {0};
    for (int i = 0, n = kind == 0xc || kind == 0xd ? 1 : 2; i < n; i++) {
        if (r->at == r->end)
            return refuse(r, start, "an event reaches beyond the end of its track", err);
        data[i] = r->bytes[r->at++];
        if (data[i] > 0x7f)
            return refuse(r, r->at - 1, "a status byte where data must come", err);
    }
    if (kind == 0x9 && data[1] > 0)
        return add_note(r, start, r->status & 0xf, data[0], data[1], err);
    if (r->keys && (kind == 0x8 || kind == 0x9))
        return add_note(r, start, r->status & 0xf, data[0], 0, err);
    if (r->keys && kind == 0xb && data[0] == SUSTAIN)
        return add_note(r, start, r->status & 0xf, LC_MIDI_PEDAL, data[1], err);
    return LOCO_OK;
}

/* The standard says that system messages end the running status. Files that go on with it exist and leave no doubt
 * what they mean, so it is kept. */
static loco_status take_event(midi_reader *r, loco_err *err)
{
    uint32_t delta;
    loco_status status = take_variable(r, &delta, err);
    if (status != LOCO_OK)
        return status;
    r->tick += delta;
    size_t start = r->at;
    if (r->at == r->end)
        return refuse(r, start, "the track ends where an event must come", err);
    unsigned byte = r->bytes[r->at];
    if (byte >= 0x80)
        r->at++;
    if (byte == META)
        return take_meta(r, start, err);
    if (byte == SYSEX || byte == ESCAPE)
        return take_block(r, start, false, err);
    if (byte > SYSEX)
        return refuse(r, start, "a status byte that MIDI files cannot have", err);
    if (byte >= 0x80)
        r->status = byte;
    if (r->status == 0)
        return refuse(r, start, "data before the first status byte of the track", err);
    return take_message(r, start, err);
}

/* Up to its end event or the end of the chunk: some programs leave the event out. */
static loco_status take_track(midi_reader *r, loco_err *err)
{
    r->tick = 0;
    r->status = 0;
    r->over = false;
    while (r->at < r->end && !r->over) {
        loco_status status = take_event(r, err);
        if (status != LOCO_OK)
            return status;
    }
    return LOCO_OK;
}

/* Ticks a quarter note; or, with the highest bit set, minus the frames a second, and ticks a frame. */
static loco_status check_division(const midi_reader *r, loco_err *err)
{
    if ((r->division & 0x8000) == 0)
        return r->division > 0 ? LOCO_OK : refuse(r, 12, "a quarter note of 0 ticks", err);
    unsigned frames = 256 - (r->division >> 8);
    if (frames != 24 && frames != 25 && frames != 29 && frames != 30)
        return refuse(r, 12, "frames a second must be 24, 25, 29 or 30", err);
    return (r->division & 0xff) > 0 ? LOCO_OK : refuse(r, 12, "a frame of 0 ticks", err);
}

/* Leaves r->at at the first chunk behind the header; *tracks as the header says. */
static loco_status take_header(midi_reader *r, unsigned *tracks, loco_err *err)
{
    if (r->length < 14 || memcmp(r->bytes, "MThd", 4) != 0)
        return refuse(r, 0, "this is not a MIDI file: it does not begin with MThd and 10 more bytes", err);
    size_t size = big_endian(r->bytes + 4, 4);
    if (size < 6 || size > r->length - 8)
        return refuse(r, 4, "the header must have 6 bytes or more, and end within the file", err);
    r->format = big_endian(r->bytes + 8, 2);
    *tracks = big_endian(r->bytes + 10, 2);
    r->division = big_endian(r->bytes + 12, 2);
    if (r->format > 1)
        return refuse(r, 8, "MIDI files of formats 0 and 1 are read; save it as one of these", err);
    r->at = 8 + size;
    return check_division(r, err);
}

/* Reads as many tracks as the header says, and nothing behind them. */
static loco_status take_chunks(midi_reader *r, loco_err *err)
{
    unsigned tracks = 0, found = 0;
    loco_status status = take_header(r, &tracks, err);
    while (status == LOCO_OK && r->at < r->length && found < tracks) {
        if (r->length - r->at < 8)
            return refuse(r, r->at, "the file ends within the head of a chunk", err);
        size_t size = big_endian(r->bytes + r->at + 4, 4), start = r->at;
        bool track = memcmp(r->bytes + start, "MTrk", 4) == 0;
        r->at += 8;
        if (size > r->length - r->at)
            return refuse(r, start, "a chunk reaches beyond the end of the file", err);
        r->end = r->at + size;
        if (track)
            status = take_track(r, err);
        found += track;
        r->at = r->end;
    }
    if (status == LOCO_OK && found < tracks)
        return refuse(r, r->length, "the file ends before its last track", err);
    return status;
}

/* In order of time, then of the file. */
static int by_tick(const void *a, const void *b)
{
    const tempo *x = a, *y = b;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* How long a tick is at a tempo. */
static double tick_seconds(const midi_reader *r, uint32_t micros)
{
    if ((r->division & 0x8000) == 0)
        return micros / (1e6 * r->division);
    unsigned frames = 256 - (r->division >> 8);
    return 1 / ((frames == 29 ? 30000 / 1001.0 : frames) * (r->division & 0xff));
}

/* seconds(i) = seconds(i-1) + ticks between the two * length of a tick at tempo i-1. */
static void sum_tempos(midi_reader *r)
{
    if (r->tempos_len > 0)
        qsort(r->tempos, r->tempos_len, sizeof *r->tempos, by_tick);
    tempo last = {.micros = FIRST_TEMPO};
    for (size_t i = 0; i < r->tempos_len; i++) {
        tempo *t = &r->tempos[i];
        t->seconds = last.seconds + (double)(t->tick - last.tick) * tick_seconds(r, last.micros);
        last = *t;
    }
}

/* The last tempo at or before the tick, by bisection. */
static double time_of(const midi_reader *r, uint64_t tick)
{
    size_t low = 0, high = r->tempos_len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->tempos[middle].tick <= tick)
            low = middle + 1;
        else
            high = middle;
    }
    tempo holds = low > 0 ? r->tempos[low - 1] : (tempo){.micros = FIRST_TEMPO};
    return holds.seconds + (double)(tick - holds.tick) * tick_seconds(r, holds.micros);
}

static loco_status read_file(midi_reader *r, loco_err *err)
{
    if (r->length > LC_MIDI_BYTES)
        return refuse(r, LC_MIDI_BYTES, "a MIDI file of more than 16 MiB", err);
    loco_status status = take_chunks(r, err);
    if (status != LOCO_OK)
        return status;
    sum_tempos(r);
    for (size_t i = 0; i < r->notes_len; i++) {
        r->notes[i].time = time_of(r, r->notes[i].tick);
        if (!(r->notes[i].time < LC_TIME_END))
            return refuse(r, r->notes[i].byte, "a note later than 10000000 seconds", err);
    }
    return LOCO_OK;
}

static loco_status parse(midi_reader *r, lc_midi_note **notes, size_t *notes_len, loco_err *err)
{
    loco_status status = read_file(r, err);
    free(r->tempos);
    if (status != LOCO_OK) {
        free(r->notes);
        return status;
    }
    *notes = r->notes;
    *notes_len = r->notes_len;
    return LOCO_OK;
}

loco_status lc_midi_parse(lc_midi_note **notes, size_t *notes_len, const char *path, const char *bytes, size_t length,
                          loco_err *err)
{
    midi_reader r = {.path = path, .bytes = (const unsigned char *)bytes, .length = length};
    return parse(&r, notes, notes_len, err);
}

loco_status lc_midi_parse_keys(lc_midi_note **notes, size_t *notes_len, const char *path, const char *bytes,
                               size_t length, loco_err *err)
{
    midi_reader r = {.path = path, .bytes = (const unsigned char *)bytes, .length = length, .keys = true};
    return parse(&r, notes, notes_len, err);
}
