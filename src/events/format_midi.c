/* SPDX-License-Identifier: MIT
 *
 * format_midi.c - notes of a MIDI file as events, and events as notes.
 *
 * Reading. A note belongs to the class of its number, "36". Where classes are given and some have the names of drums
 * (drum_notes.c: kick, snare, hihat), notes go by General MIDI. Other notes are then left out, or classes of their own
 * where these may be added, and other channels are left out when there is anything on the channel of drums: a bass plays note 36 as well.
 *
 * Writing. Format 1, 960 ticks a quarter: a first track with the name of the recording and the tempo, 120 quarters a
 * minute, then one track for each class with its name and pairs of note on and note off. A tick is 1/1920 s, so a time
 * is off by at most 0.26 ms, half a tick. At other tempos events keep their times, and get other ticks; where a tick
 * would be longer, a quarter has 2, 4, ... times as many. A class becomes a note so that a file opens as expected in a sequencer:
 *     its name is that of a drum (kick, snare, KD, hi-hat ...)   its note of General MIDI on channel 10
 *     its name is a number 0..127                                that pitch on channel 1
 *     otherwise                                                  60 + its place on channel 1
 * Velocity is 20 + 107 * probability: doubtful events are soft, and none is silent. A note lasts 50 ms, or less if the
 * next of its class comes sooner. Where notes are known (detect/notes.h), they have their own velocities and ends.
 * Classes that are pitches (pitches.h), such as the 88 keys of a piano, share one track, and the file has format 0.
 */
#include "events/formats.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/status.h"
#include "events/drum_notes.h"
#include "events/midi_read.h"
#include "events/midi_write.h"
#include "events/pitches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NOTES = 128,
    TICKS_PER_QUARTER = 960,
    TICKS_PER_SECOND = 2 * TICKS_PER_QUARTER, /* at least */
    TEMPO = 120,                              /* quarters a minute */
    LEAST_TEMPO = 10,
    MOST_TEMPO = 1000,
    MOST_CLASSES = 4096,
    FIRST_NOTE = 60,
    RELEASE = 64 /* velocity of note-off */
};

/* ---- reading ---- */

/* The class of each note; LC_NAMES_NONE: not yet known, or left out. */
typedef struct meaning {
    size_t kind[NOTES];
    size_t notes[NOTES]; /* of the drum that has it */
    bool by_drums;
} meaning;

/* All notes of the drum are of that class, unless a drum with fewer notes has them. */
static void set_drum(meaning *m, const lc_drum *drum, size_t kind)
{
    size_t n = 0;
    while (n < LC_DRUM_NOTES && drum->read[n] != 0)
        n++;
    for (size_t i = 0; i < n; i++) {
        size_t note = drum->read[i];
        m->by_drums = true;
        if (m->kind[note] != LC_NAMES_NONE && m->notes[note] < n)
            continue;
        m->kind[note] = kind;
        m->notes[note] = n;
    }
}

/* Only classes that were given can have the names of drums; classes that are found are numbers. */
static void find_drums(meaning *m, const lc_gather *gather)
{
    for (size_t n = 0; n < NOTES; n++)
        m->kind[n] = LC_NAMES_NONE;
    m->by_drums = false;
    for (size_t k = 0; k < gather->given; k++) {
        const lc_drum *drum = lc_drum_find(gather->classes.items[k]);
        if (drum != NULL)
            set_drum(m, drum, k);
    }
}

/* The class of the note's number; LC_NAMES_NONE when the note is to be left out. */
static loco_status find_class(size_t *kind, meaning *m, lc_gather *gather, const char *path, const lc_midi_note *note,
                              loco_err *err)
{
    *kind = m->kind[note->note];
    if (*kind != LC_NAMES_NONE)
        return LOCO_OK;
    char number[8];
    size_t length = (size_t)snprintf(number, sizeof number, "%u", (unsigned)note->note);
    *kind = lc_names_find(&gather->classes, number, length);
    if (*kind == LC_NAMES_NONE && m->by_drums && gather->fixed)
        return LOCO_OK;
    if (*kind == LC_NAMES_NONE && gather->fixed)
        return lc_err_set(err, LOCO_EDATA, "%s: note %s is not one of the %zu classes",
                          lc_place_byte(path, note->byte).text, number, gather->classes.len);
    loco_status status = lc_gather_class(kind, gather, (lc_place){path, 0, NULL}, number, length, err);
    m->kind[note->note] = status == LOCO_OK ? *kind : LC_NAMES_NONE;
    return status;
}

static bool any_on_drums(const lc_midi_note *notes, size_t notes_len)
{
    for (size_t i = 0; i < notes_len; i++)
        if (notes[i].channel == LC_MIDI_DRUMS)
            return true;
    return false;
}

/* With drums by name, and any note on their channel, the other channels are left out. */
static loco_status add_notes(lc_gather *gather, size_t file, const char *path, const lc_midi_note *notes, size_t len,
                             loco_err *err)
{
    meaning m;
    find_drums(&m, gather);
    bool drums_alone = m.by_drums && any_on_drums(notes, len);
    for (size_t i = 0; i < len; i++) {
        size_t kind;
        if (drums_alone && notes[i].channel != LC_MIDI_DRUMS)
            continue;
        loco_status status = find_class(&kind, &m, gather, path, &notes[i], err);
        loco_event event = {.time = notes[i].time, .kind = kind, .probability = 1};
        if (status == LOCO_OK && kind != LC_NAMES_NONE)
            status = lc_gather_event(gather, (lc_place){path, 0, NULL}, file, event, err);
        if (status != LOCO_OK)
            return status;
    }
    return LOCO_OK;
}

static loco_status read_notes(lc_gather *gather, const lc_event_bytes *from, loco_err *err)
{
    lc_midi_note *notes;
    size_t notes_len, file;
    loco_status status = lc_gather_file(&file, gather, from->name, err);
    if (status == LOCO_OK)
        status = lc_midi_parse(&notes, &notes_len, from->path, from->bytes, from->length, err);
    if (status != LOCO_OK)
        return status;
    status = add_notes(gather, file, from->path, notes, notes_len, err);
    free(notes);
    return status;
}

/* ---- which note is written ---- */

typedef struct note {
    unsigned channel, pitch;
} note;

static note note_of(const char *name, size_t kind)
{
    const lc_drum *drum = lc_drum_find(name);
    unsigned pitch;
    if (drum != NULL)
        return (note){LC_MIDI_DRUMS, drum->written};
    if (lc_pitch_of(&pitch, name))
        return (note){0, pitch};
    return (note){0, FIRST_NOTE + (unsigned)(kind % (NOTES - FIRST_NOTE))};
}

/* ---- time ---- */

typedef struct grid {
    uint32_t quarter; /* microseconds */
    unsigned ticks;   /* of a quarter */
    double rate;      /* ticks a second */
    uint32_t note;    /* ticks of a note */
} grid;

/* By the tempo as the file states it, in whole microseconds: so no event drifts. */
static grid grid_of(double tempo)
{
    grid g = {.quarter = (uint32_t)lround(6e7 / (tempo > 0 ? tempo : TEMPO)), .ticks = TICKS_PER_QUARTER};
    while (g.ticks * 1e6 / g.quarter < TICKS_PER_SECOND)
        g.ticks *= 2;
    g.rate = g.ticks * 1e6 / g.quarter;
    g.note = (uint32_t)lround(g.rate / 20);
    return g;
}

/* ---- tracks ---- */

/* An event in ticks; order keeps equal times as they were. */
typedef struct strike {
    size_t kind, order;
    uint32_t tick, end;
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
static void add_strikes(lc_midi_out *track, const strike *strikes, size_t n, note sound)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t on = strikes[i].tick, off = strikes[i].end;
        if (i + 1 < n && strikes[i + 1].tick < off)
            off = strikes[i + 1].tick;
        lc_midi_key(track, &(lc_midi_span){on, off, sound.channel, sound.pitch, strikes[i].velocity, RELEASE});
    }
}

/* A note with a known end lasts a tick or more. */
static strike strike_of(const lc_events_view *view, size_t i, uint32_t tick, const grid *g)
{
    const loco_event *event = &view->events[i];
    const lc_note *known = lc_events_note(view, event);
    strike s = {event->kind, i, tick, tick + g->note, (unsigned)lround(20 + 107 * event->probability)};
    if (known != NULL) {
        s.end = (uint32_t)fmin(fmax(tick + 1.0, round(known->end * g->rate)), LC_MIDI_MOST_TICKS);
        s.velocity = (unsigned)fmin(fmax(known->velocity, 1), NOTES - 1);
    }
    return s;
}

/* By class, then by time. An event before the start, as a model's time offset may give, is put at the start. */
static loco_status sort_strikes(strike *strikes, const lc_events_view *view, const grid *g, loco_err *err)
{
    for (size_t i = 0; i < view->events_len; i++) {
        const loco_event *event = &view->events[i];
        double tick = fmax(0, round(event->time * g->rate));
        if (tick > LC_MIDI_MOST_TICKS - g->note)
            return lc_err_set(err, LOCO_EDATA,
                              "%s: an event at %.0f s; a MIDI file that is written here ends at %.0f s",
                              lc_show(view->file).text, event->time, floor(LC_MIDI_MOST_TICKS / g->rate));
        strikes[i] = strike_of(view, i, (uint32_t)tick, g);
    }
    qsort(strikes, view->events_len, sizeof *strikes, compare);
    return LOCO_OK;
}

static void write_tracks(lc_text *out, const lc_events_view *view, const strike *strikes, const grid *g)
{
    lc_midi_out track = {0};
    size_t at = 0;
    bool one = lc_pitched(view->classes, view->classes_len);
    lc_midi_track_head first_head = {.name = view->file, .tempo = g->quarter};
    lc_midi_head(out, one ? 0 : 1, one ? 1 : view->classes_len + 1, g->ticks);
    if (!one)
        lc_midi_track(out, &track, &first_head);
    for (size_t kind = 0; kind < view->classes_len; kind++) {
        size_t first = at;
        while (at < view->events_len && strikes[at].kind == kind)
            at++;
        if (!one)
            lc_midi_clear(&track);
        add_strikes(&track, strikes + first, at - first, note_of(view->classes[kind], kind));
        if (!one)
            lc_midi_track(out, &track, &(lc_midi_track_head){.name = view->classes[kind]});
    }
    if (one)
        lc_midi_track(out, &track, &first_head);
    lc_midi_out_free(&track);
}

/* Events were checked: times are finite, classes are in the list. */
static loco_status write_file(lc_text *out, const lc_events_view *view, loco_err *err)
{
    if (view->classes_len > MOST_CLASSES)
        return lc_err_set(err, LOCO_EDATA, "%zu classes; a MIDI file that is written here has at most %d tracks",
                          view->classes_len, MOST_CLASSES);
    if (!(view->tempo >= LEAST_TEMPO && view->tempo <= MOST_TEMPO) &&
        (view->tempo < 0 || view->tempo > 0 || isnan(view->tempo)))
        return lc_err_set(err, LOCO_EARG, "a tempo of %g quarters a minute; MIDI files are written with %d to %d",
                          view->tempo, LEAST_TEMPO, MOST_TEMPO);
    grid g = grid_of(view->tempo);
    size_t bytes;
    strike *strikes = lc_size_mul(view->events_len + 1, sizeof *strikes, &bytes) ? malloc(bytes) : NULL;
    if (strikes == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", view->events_len);
    loco_status status = sort_strikes(strikes, view, &g, err);
    if (status == LOCO_OK)
        write_tracks(out, view, strikes, &g);
    free(strikes);
    if (status == LOCO_OK && out->failed)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a MIDI file of %zu events", view->events_len);
    return status;
}

const lc_format lc_format_midi = {
    .name = "midi",
    .endings = {{".mid", LC_ENDING_WRITES | LC_ENDING_READS | LC_ENDING_BESIDE},
                {".midi", LC_ENDING_WRITES | LC_ENDING_READS | LC_ENDING_BESIDE}},
    .one_file = true,
    .magic = "MThd",
    .read = read_notes,
    .write = write_file,
};
