/* SPDX-License-Identifier: MIT
 *
 * events_midi.c - events as a Standard MIDI File.
 *
 * Format 1, big-endian:
 *
 *     "MThd" 6  | 1 (format)  1 + K (tracks)  960 (ticks a quarter)
 *     "MTrk" n  | name of the recording, tempo 500000 us a quarter, end
 *     "MTrk" n  | name of the class, then pairs of note on and note off, end      one for each class
 *
 * A quarter lasts half a second, so a tick is 1/1920 s and a time is off by at most 0.26 ms, half a tick. Each
 * event in a track stands behind the ticks since the one before it, as a number of 7 bits a byte, highest first, where
 * the top bit says that more follow: 0x3fff is ff 7f. Four bytes at most hold 2^28 - 1 ticks, 38.8 hours.
 *
 * A class becomes a note so that a file opens as expected in a sequencer:
 *     its name is that of a drum (kick, snare, KD, hi-hat ...)   its note of General MIDI on channel 10
 *     its name is a number 0..127                                that pitch on channel 1
 *     otherwise                                                  60 + its place on channel 1
 * Velocity is 20 + 107 * probability: doubtful events are soft, and none is silent. A note lasts 50 ms, or less if the
 * next of its class comes sooner.
 */
#include "report/events_write.h"

#include "base/mem.h"
#include "base/status.h"
#include "model/json.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICKS_PER_QUARTER = 960,
    TICKS_PER_SECOND = 2 * TICKS_PER_QUARTER,
    MOST_TICKS = (1 << 28) - 1,
    NOTE_TICKS = TICKS_PER_SECOND / 20,
    MOST_CLASSES = 4096,
    LONGEST_NAME = 32,
    LONGEST_META = 1000, /* bytes of a track name */
    DRUM_CHANNEL = 9,    /* channels count from 0 on the wire */
    FIRST_NOTE = 60
};

/* ---- which note ------------------------------------------------------------------------------------------ */

typedef struct note {
    unsigned channel, pitch;
} note;

/* Names as letters and digits alone, in lower case. */
static const struct drum {
    const char *name;
    unsigned char pitch;
} drums[] = {
    {"kick",        36},
    {"kickdrum",    36},
    {"bassdrum",    36},
    {"kd",          36},
    {"bd",          36},
    {"snare",       38},
    {"snaredrum",   38},
    {"sd",          38},
    {"rim",         37},
    {"rimshot",     37},
    {"sidestick",   37},
    {"clap",        39},
    {"handclap",    39},
    {"hihat",       42},
    {"closedhihat", 42},
    {"hihatclosed", 42},
    {"hh",          42},
    {"chh",         42},
    {"pedalhihat",  44},
    {"openhihat",   46},
    {"hihatopen",   46},
    {"ohh",         46},
    {"tom",         45},
    {"tt",          45},
    {"toms",        45},
    {"floortom",    41},
    {"lowtom",      45},
    {"midtom",      47},
    {"hightom",     50},
    {"crash",       49},
    {"cymbal",      49},
    {"cy",          49},
    {"ride",        51},
    {"rd",          51},
    {"bell",        53},
    {"tambourine",  54},
    {"cowbell",     56},
    {"cb",          56},
    {"shaker",      70},
    {"maracas",     70},
    {"claves",      75},
    {"woodblock",   76},
    {"triangle",    81},
};

/* "Hi-Hat" and "hi_hat" become "hihat"; what is too long is no drum. */
static void plain_name(char plain[LONGEST_NAME], const char *name)
{
    size_t used = 0;
    for (; *name != 0; name++) {
        if (*name == ' ' || *name == '-' || *name == '_')
            continue;
        if (used == LONGEST_NAME - 1) {
            used = 0;
            break;
        }
        plain[used++] = (char)tolower((unsigned char)*name);
    }
    plain[used] = 0;
}

static bool is_pitch(const char *name, unsigned *pitch)
{
    size_t length = strspn(name, "0123456789");
    if (length == 0 || length > 3 || name[length] != 0)
        return false;
    *pitch = (unsigned)strtoul(name, NULL, 10);
    return *pitch <= 127;
}

static note note_of(const char *name, size_t kind)
{
    char plain[LONGEST_NAME];
    plain_name(plain, name);
    for (size_t i = 0; i < sizeof drums / sizeof drums[0]; i++)
        if (strcmp(plain, drums[i].name) == 0)
            return (note){DRUM_CHANNEL, drums[i].pitch};
    unsigned pitch;
    if (is_pitch(name, &pitch))
        return (note){0, pitch};
    return (note){0, FIRST_NOTE + (unsigned)(kind % (128 - FIRST_NOTE))};
}

/* ---- bytes ----------------------------------------------------------------------------------------------- */

static void big_endian(lc_text *out, uint32_t value, size_t bytes)
{
    for (size_t i = bytes; i-- > 0;)
        lc_text_append(out, &(char){(char)(value >> (8 * i) & 0xff)}, 1);
}

static void variable_length(lc_text *out, uint32_t value)
{
    for (int shift = 21; shift >= 0; shift -= 7)
        if (shift == 0 || value >> shift != 0)
            big_endian(out, (value >> shift & 0x7f) | (shift > 0 ? 0x80u : 0), 1);
}

/* A track's length stands before it and is known only behind it: 0 now, put right by track_close. */
static size_t track_open(lc_text *out, const char *name)
{
    size_t length = strlen(name) < LONGEST_META ? strlen(name) : LONGEST_META;
    lc_text_append(out, "MTrk\0\0\0\0", 8);
    size_t start = out->length;
    lc_text_append(out, "\0\xff\x03", 3); /* after 0 ticks: the name of the track */
    variable_length(out, (uint32_t)length);
    lc_text_append(out, name, length);
    return start;
}

static void track_close(lc_text *out, size_t start)
{
    lc_text_append(out, "\0\xff\x2f\0", 4);
    if (out->failed)
        return;
    uint32_t length = (uint32_t)(out->length - start);
    for (size_t i = 0; i < 4; i++)
        out->bytes[start - 4 + i] = (char)(length >> (24 - 8 * i) & 0xff);
}

/* ---- tracks ---------------------------------------------------------------------------------------------- */

/* An event in ticks; order keeps equal times as they were. */
typedef struct strike {
    size_t kind, order;
    uint32_t tick;
    unsigned velocity;
} strike;

static int compare(const void *a, const void *b)
{
    const strike *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->tick != y->tick)
        return x->tick < y->tick ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The events of one class, which are sorted by tick. */
static void write_notes(lc_text *out, const strike *strikes, size_t n, note sound)
{
    uint32_t now = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t on = strikes[i].tick, off = on + NOTE_TICKS;
        if (i + 1 < n && strikes[i + 1].tick < off)
            off = strikes[i + 1].tick;
        variable_length(out, on - now);
        big_endian(out, (0x90u | sound.channel) << 16 | sound.pitch << 8 | strikes[i].velocity, 3);
        variable_length(out, off - on);
        big_endian(out, (0x80u | sound.channel) << 16 | sound.pitch << 8 | 64, 3);
        now = off;
    }
}

/* By class, then by time. An event slightly before the start, as a model's time offset may give, is put at the start.
 * */
static loco_status sort_strikes(strike *strikes, const lc_events_view *view, loco_err *err)
{
    for (size_t i = 0; i < view->events_len; i++) {
        const loco_event *event = &view->events[i];
        double tick = fmax(0, round(event->time * TICKS_PER_SECOND));
        if (tick > MOST_TICKS - NOTE_TICKS)
            return lc_err_set(err, LOCO_EDATA, "%s: an event at %.0f s; a MIDI file of ours ends at %d s",
                              lc_show(view->file).text, event->time, MOST_TICKS / TICKS_PER_SECOND);
        strikes[i] = (strike){event->kind, i, (uint32_t)tick, (unsigned)lround(20 + 107 * event->probability)};
    }
    qsort(strikes, view->events_len, sizeof *strikes, compare);
    return LOCO_OK;
}

static void write_tracks(lc_text *out, const lc_events_view *view, const strike *strikes)
{
    lc_text_append(out, "MThd\0\0\0\6\0\1", 10);
    big_endian(out, (uint32_t)view->classes_len + 1, 2);
    big_endian(out, TICKS_PER_QUARTER, 2);
    size_t start = track_open(out, view->file);
    lc_text_append(out, "\0\xff\x51\3\x07\xa1\x20", 7); /* 500000 us */
    track_close(out, start);
    size_t at = 0;
    for (size_t kind = 0; kind < view->classes_len; kind++) {
        size_t first = at;
        while (at < view->events_len && strikes[at].kind == kind)
            at++;
        start = track_open(out, view->classes[kind]);
        write_notes(out, strikes + first, at - first, note_of(view->classes[kind], kind));
        track_close(out, start);
    }
}

loco_status lc_events_midi(lc_text *out, const lc_events_view *view, loco_err *err)
{
    if (view->classes_len > MOST_CLASSES)
        return lc_err_set(err, LOCO_EDATA, "%zu classes; a MIDI file of ours has at most %d tracks", view->classes_len,
                          MOST_CLASSES);
    size_t bytes;
    strike *strikes = lc_size_mul(view->events_len + 1, sizeof *strikes, &bytes) ? malloc(bytes) : NULL;
    if (strikes == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", view->events_len);
    loco_status status = sort_strikes(strikes, view, err);
    if (status == LOCO_OK)
        write_tracks(out, view, strikes);
    free(strikes);
    if (status == LOCO_OK && out->failed)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a MIDI file of %zu events", view->events_len);
    return status;
}
