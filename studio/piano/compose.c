/* SPDX-License-Identifier: MIT
 *
 * compose.c - music of our own for the piano: not beautiful, but with what makes notes hard to find.
 *
 * A piece is phrases of two to eight bars of one manner each, in a key and a tempo:
 *
 *   song       bass and broken or struck chords below a melody, most with pedal
 *   chorale    chords of 3 to 8 notes in both hands
 *   voices     two or three melodies at once
 *   runs       scales and arpeggios over several octaves
 *   repeats    one note or chord again and again, fast or slow
 *   keys       single keys from anywhere on the keyboard, with long and short notes
 *
 * Times waver by some milliseconds and velocities by a tenth; chords are struck together, or rolled. "keys", and the
 * octaves that runs begin in, give the outermost keys, which music hardly has, their share.
 */
#include "studio/piano/piece.h"

#include "base/status.h"
#include "signal/filter.h"

#include <stdlib.h>

enum { CHORD = 8, DEGREES = 7 };

typedef struct composer {
    lc_rng *rng;
    lc_piece_note *notes;
    size_t len, capacity;
    double beat, time, end; /* s; time: where the phrase begins */
    double loudness;        /* a velocity */
    double waver;           /* s */
    bool pedal;             /* notes sound on to the end of their bar */
    int tonic;              /* a pitch class */
    const int *scale;
    bool failed;
} composer;

static const int scales[][DEGREES] = {
    {0, 2, 4, 5, 7, 9, 11}, /* major */
    {0, 2, 3, 5, 7, 8, 10}, /* minor */
    {0, 2, 3, 5, 7, 8, 11}, /* harmonic minor */
    {0, 2, 3, 5, 7, 9, 10}, /* dorian */
};

/* ---- notes ---- */

/* Struck at a time, for a while, so loud relative to the phrase. */
static void put(composer *c, double time, double length, int pitch, double louder)
{
    double at = time + c->waver * lc_rng_normal(c->rng), velocity = c->loudness * louder;
    velocity *= 1 + 0.1 * lc_rng_normal(c->rng);
    if (pitch < LC_PIANO_LOWEST || pitch > LC_PIANO_HIGHEST || at < 0 || at >= c->end || c->failed)
        return;
    lc_piece_note *notes = lc_list_grow(c->notes, &c->capacity, c->len + 1, sizeof *notes);
    c->failed = notes == NULL;
    if (c->failed)
        return;
    c->notes = notes;
    double off = at + length * lc_draw_even(c->rng, 0.6, 1.02), bar = 4 * c->beat;
    if (c->pedal)
        off = fmax(off, c->time + bar * ceil((time - c->time + 0.01) / bar) - 0.05);
    notes[c->len++] = (lc_piece_note){.on = (float)at,
                                      .off = (float)fmax(at + 0.04, off),
                                      .pitch = (uint8_t)pitch,
                                      .velocity = (uint8_t)fmin(127, fmax(12, velocity))};
}

/* The pitch of a degree of the scale, 0 the tonic of octave 0; degrees go on over octaves. */
static int pitch_of(const composer *c, int degree)
{
    int octave = degree >= 0 ? degree / DEGREES : -((DEGREES - 1 - degree) / DEGREES);
    return 12 * (octave + 1) + c->tonic + c->scale[degree - DEGREES * octave];
}

static int draw_whole(composer *c, int from, int to)
{
    size_t span = (size_t)(to - from) + 1;
    return from + (int)lc_draw_index(c->rng, span);
}

/* Thirds above a degree, spread over octaves; rolled chords begin one note after the other. */
static void put_chord(composer *c, double time, double length, int degree, int voices, double louder)
{
    double roll = lc_draw_chance(c->rng, 0.2) ? lc_draw_even(c->rng, 0.01, 0.06) : 0;
    int at = degree;
    for (int i = 0; i < voices; i++) {
        put(c, time + roll * i, length, pitch_of(c, at), louder);
        at += lc_draw_chance(c->rng, 0.8) ? 2 : draw_whole(c, 1, 4);
    }
}

/* ---- manners ---- */

static void put_melody(composer *c, double bars, int centre, double louder)
{
    static const double lengths[] = {0.25, 0.5, 0.5, 1, 1, 1.5, 2};
    int degree = centre;
    for (double at = 0; at < 4 * bars;) {
        double length = lengths[lc_draw_index(c->rng, sizeof lengths / sizeof *lengths)];
        if (!lc_draw_chance(c->rng, 0.12))
            put(c, c->time + at * c->beat, length * c->beat, pitch_of(c, degree), louder);
        degree += draw_whole(c, -3, 3);
        degree += degree > centre + 8 ? -4 : degree < centre - 8 ? 4 : 0;
        at += length;
    }
}

static void song(composer *c, int bars)
{
    bool broken = lc_draw_chance(c->rng, 0.6);
    double step = lc_draw_chance(c->rng, 0.5) ? 0.5 : 1;
    put_melody(c, bars, draw_whole(c, 33, 42), 1.15);
    for (int bar = 0; bar < bars; bar++) {
        double begin = c->time + 4 * bar * c->beat;
        int root = draw_whole(c, 12, 18);
        put(c, begin, 2 * c->beat, pitch_of(c, root), 1);
        if (lc_draw_chance(c->rng, 0.4))
            put(c, begin, 2 * c->beat, pitch_of(c, root - DEGREES), 0.9);
        double at = step;
        while (at < 4) {
            if (broken)
                put(c, begin + at * c->beat, step * c->beat, pitch_of(c, root + 7 + 2 * draw_whole(c, 0, 3)), 0.75);
            else if (lc_draw_chance(c->rng, 0.8))
                put_chord(c, begin + at * c->beat, step * c->beat, root + 7, draw_whole(c, 2, 4), 0.75);
            at += step;
        }
    }
}

static void chorale(composer *c, int bars)
{
    double step = lc_draw_chance(c->rng, 0.5) ? 1 : 2;
    double at = 0;
    while (at < 4 * bars) {
        int root = draw_whole(c, 10, 30);
        put_chord(c, c->time + at * c->beat, step * c->beat, root, draw_whole(c, 2, CHORD / 2), 1);
        int above = draw_whole(c, 1, CHORD / 2);
        root += draw_whole(c, 6, 12);
        put_chord(c, c->time + at * c->beat, step * c->beat, root, above, 1);
        at += step;
    }
}

static void voices(composer *c, int bars)
{
    int centre = draw_whole(c, 38, 46);
    for (int voice = draw_whole(c, 2, 3); voice > 0; voice--, centre -= draw_whole(c, 6, 10))
        put_melody(c, bars, centre, 1);
}

/* Up and down from any octave, in steps of a scale or a chord. */
static void runs(composer *c, int bars)
{
    double length = c->beat / (1 << draw_whole(c, 1, 2));
    int by = lc_draw_chance(c->rng, 0.6) ? 1 : 2, degree = draw_whole(c, 4, 50), other = draw_whole(c, 0, 2) * DEGREES;
    bool up = lc_draw_chance(c->rng, 0.5);
    double at = 0;
    while (at < 4 * bars * c->beat) {
        put(c, c->time + at, length, pitch_of(c, degree), 1);
        if (other > 0)
            put(c, c->time + at, length, pitch_of(c, degree - other), 0.9);
        degree += up ? by : -by;
        if (degree > 55 || degree < 4 || lc_draw_chance(c->rng, 0.04))
            up = degree > 55 ? false : degree < 4 ? true : !up;
        at += length;
    }
}

static void repeats(composer *c, int bars)
{
    int degree = draw_whole(c, 8, 48), notes = lc_draw_chance(c->rng, 0.5) ? 1 : draw_whole(c, 2, 4);
    double length = fmax(0.09, c->beat / (1 << draw_whole(c, 0, 2)));
    double at = 0;
    while (at < 4 * bars * c->beat) {
        if (notes == 1)
            put(c, c->time + at, length, pitch_of(c, degree), 1);
        else
            put_chord(c, c->time + at, length, degree, notes, 1);
        if (lc_draw_chance(c->rng, 0.08))
            degree = draw_whole(c, 8, 48);
        at += length;
    }
}

/* Any key, with any loudness and length; sometimes with its neighbours or octaves. */
static void keys(composer *c, int bars)
{
    static const int beside[] = {1, 2, 12, 12, 19, 24};
    double loudness = c->loudness;
    double at = 0;
    while (at < 4 * bars * c->beat) {
        int pitch = draw_whole(c, LC_PIANO_LOWEST, LC_PIANO_HIGHEST);
        double length = 0.05 * pow(40, lc_rng_uniform(c->rng));
        c->loudness = lc_draw_even(c->rng, 25, 120);
        put(c, c->time + at, length, pitch, 1);
        if (lc_draw_chance(c->rng, 0.3))
            put(c, c->time + at, length, pitch + beside[lc_draw_index(c->rng, 6)], 1);
        at += lc_draw_even(c->rng, 0.06, 0.6);
    }
    c->loudness = loudness;
}

/* ---- the whole ---- */

/* Of strokes of one key that are too near, the first stays; one that is struck again ends before. */
static void tidy(composer *c)
{
    size_t last[128], kept = 0;
    for (size_t i = 0; i < 128; i++)
        last[i] = SIZE_MAX;
    lc_piece_sort(c->notes, c->len);
    for (size_t i = 0; i < c->len; i++) {
        lc_piece_note note = c->notes[i];
        size_t before = last[note.pitch];
        if (before != SIZE_MAX && (double)(note.on - c->notes[before].on) < 2 * LC_PIECE_TOGETHER)
            continue;
        if (before != SIZE_MAX && c->notes[before].off > note.on)
            c->notes[before].off = note.on;
        last[note.pitch] = kept;
        c->notes[kept++] = note;
    }
    c->len = kept;
}

/* Each phrase with its own manner, loudness and tempo. */
static void play_phrase(composer *c)
{
    static void (*const manners[])(composer *, int) = {song, song, song, chorale, voices, runs, repeats, keys};
    int bars = draw_whole(c, 2, 8);
    c->beat = 60 / lc_draw_even(c->rng, 55, 150);
    c->loudness = lc_draw_even(c->rng, 35, 105);
    c->waver = lc_draw_even(c->rng, 0, 0.012);
    c->pedal = lc_draw_chance(c->rng, 0.5);
    c->tonic = draw_whole(c, 0, 11);
    c->scale = scales[lc_draw_index(c->rng, sizeof scales / sizeof *scales)];
    manners[lc_draw_index(c->rng, sizeof manners / sizeof *manners)](c, bars);
    c->time += 4 * bars * c->beat;
}

loco_status lc_piece_compose(lc_piece *piece, lc_store *store, lc_rng *rng, double seconds, loco_err *err)
{
    composer c = {.rng = rng, .end = seconds};
    while (c.time < seconds && !c.failed)
        play_phrase(&c);
    tidy(&c);
    lc_piece_note *notes = c.failed ? NULL : lc_store_take(store, c.len + 1, sizeof *notes);
    for (size_t i = 0; notes != NULL && i < c.len; i++)
        notes[i] = c.notes[i];
    free(c.notes);
    if (notes == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a piece of %zu notes", c.len);
    *piece = (lc_piece){.folder = "", .notes = notes, .len = c.len};
    return LOCO_OK;
}
