/* SPDX-License-Identifier: MIT
 *
 * song.c - random songs: a progression of chords, and up to five instruments that play it.
 *
 * What matters is not that it is good music but that it has what covers drums in music: basses in the band of the kick,
 * struck strings with attacks of their own, chords on and off the beat, melodies, pads. No instrument of the percussive
 * programs is used: their strokes would be drums that are not counted.
 */
#include "studio/kits/song.h"

#include "base/status.h"
#include "signal/filter.h"
#include "studio/kits/fluid.h"

#include <stdlib.h>
#include <string.h>

enum { CHORDS = 4, EIGHTHS = 8 };

static const int major[7] = {0, 2, 4, 5, 7, 9, 11}, minor[7] = {0, 2, 3, 5, 7, 8, 10};

/* Steps of the scale, one chord a bar. */
static const uint8_t progressions[][CHORDS] = {
    {0, 4, 5, 3},
    {0, 3, 4, 4},
    {0, 5, 3, 4},
    {5, 3, 0, 4},
    {0, 0, 3, 4},
    {1, 4, 0, 0},
    {0, 6, 3, 0},
    {0, 2, 3, 4},
    {0, 3, 0, 4},
    {3, 4, 2, 5},
};

typedef struct song {
    lc_midi_out *midi;
    lc_rng *rng;
    double time, beat;
    const int *scale;
    int key;               /* of its lowest bass, 28..39 */
    const uint8_t *chords; /* CHORDS of them */
    size_t bars;
} song;

/* A step of the scale, octaves included, as a note. */
static unsigned note_of(const song *s, int step, int octave)
{
    int note = s->key + 12 * (octave + step / 7) + s->scale[step % 7];
    return (unsigned)(note < 20 ? 20 : note > 108 ? 108 : note);
}

/* As people play: some milliseconds and some strength off. at and length in beats from the start. */
static void play(song *s, unsigned channel, double at, double length, unsigned note, double velocity)
{
    double time = s->time + at * s->beat + 0.006 * lc_rng_normal(s->rng);
    double strength = velocity + 8 * lc_rng_normal(s->rng);
    lc_midi_note_on(s->midi, time > 0 ? time : 0, length * s->beat * 0.95, channel, note,
                    (unsigned)fmin(127, fmax(15, strength)));
}

static unsigned pick(lc_rng *rng, const uint8_t *from, size_t n)
{
    return from[lc_draw_index(rng, n)];
}

/* ---- instruments -------------------------------------------------------------------------------------------- */

/* Which eighths of a bar are played; drawn once a song, so that it has a figure. */
static void draw_figure(lc_rng *rng, bool figure[EIGHTHS], double on, double off)
{
    for (size_t i = 0; i < EIGHTHS; i++)
        figure[i] = lc_draw_chance(rng, i % 2 == 0 ? on : off);
    figure[0] = figure[0] || lc_draw_chance(rng, 0.8);
}

/* Roots of the chords on a figure, or a walk in quarters. */
static void play_bass(song *s, unsigned channel)
{
    static const uint8_t programs[] = {32, 33, 33, 34, 34, 35, 36, 38, 39};
    bool figure[EIGHTHS];
    bool walks = lc_draw_chance(s->rng, 0.25);
    lc_midi_program(s->midi, s->time, channel, 0, pick(s->rng, programs, sizeof programs));
    draw_figure(s->rng, figure, walks ? 1 : 0.75, walks ? 0 : lc_draw_chance(s->rng, 0.4) ? 1 : 0.3);
    for (size_t bar = 0; bar < s->bars; bar++)
        for (size_t i = 0; i < EIGHTHS; i++) {
            int more = i == 0 ? 0 : walks ? (int)lc_draw_index(s->rng, 6) : lc_draw_chance(s->rng, 0.2) ? 4 : 0;
            if (figure[i])
                play(s, channel, 4 * (double)bar + 0.5 * (double)i, walks ? 1 : 0.5,
                     note_of(s, s->chords[bar % CHORDS] + more, 0), 90);
        }
}

/* Three or four notes at once, on a figure; or one after the other. */
static void play_chords(song *s, unsigned channel)
{
    static const uint8_t programs[] = {0,  1,  2,  3,  4,  4,  5,  6,  7,  16, 17, 18, 24, 24, 25, 25, 25,
                                       26, 27, 27, 28, 28, 29, 29, 29, 30, 30, 30, 46, 11, 62, 63, 81, 90};
    bool figure[EIGHTHS], broken = lc_draw_chance(s->rng, 0.35);
    double length = broken ? 0.6 : lc_draw_even(s->rng, 0.25, 1.5), strum = lc_draw_even(s->rng, 0, 0.03);
    int octave = lc_draw_chance(s->rng, 0.5) ? 2 : 1, notes = lc_draw_chance(s->rng, 0.4) ? 4 : 3;
    lc_midi_program(s->midi, s->time, channel, 0, pick(s->rng, programs, sizeof programs));
    draw_figure(s->rng, figure, broken ? 1 : lc_draw_even(s->rng, 0.2, 0.9), broken ? 1 : lc_draw_even(s->rng, 0, 0.7));
    for (size_t bar = 0; bar < s->bars; bar++)
        for (size_t i = 0; i < EIGHTHS; i++)
            for (int k = 0; figure[i] && k < notes; k++)
                if (!broken || (size_t)k == i % (size_t)notes)
                    play(s, channel, 4 * (double)bar + 0.5 * (double)i + (broken ? 0 : strum * k), length,
                         note_of(s, s->chords[bar % CHORDS] + 2 * k, octave), 78);
}

/* One chord a bar, held. */
static void play_pad(song *s, unsigned channel)
{
    static const uint8_t programs[] = {48, 49, 50, 51, 52, 53, 19, 88, 89, 90, 91, 94, 95, 61};
    lc_midi_program(s->midi, s->time, channel, 0, pick(s->rng, programs, sizeof programs));
    for (size_t bar = 0; bar < s->bars; bar++)
        for (int k = 0; k < 3; k++)
            play(s, channel, 4 * (double)bar, 4, note_of(s, s->chords[bar % CHORDS] + 2 * k, 2), 65);
}

/* A walk along the scale, drawn towards the chord, with rests. */
static void play_melody(song *s, unsigned channel)
{
    static const uint8_t programs[] = {0,  11, 21, 22, 24, 26, 27, 28, 29, 30, 40, 52, 53, 54, 54,
                                       56, 57, 60, 64, 65, 66, 68, 71, 73, 75, 80, 81, 82, 85};
    static const double lengths[] = {0.25, 0.5, 0.5, 0.5, 1, 1, 1.5, 2};
    double at = 0, end = 4 * (double)s->bars, rests = lc_draw_even(s->rng, 0.1, 0.5);
    int step = (int)lc_draw_index(s->rng, 7);
    lc_midi_program(s->midi, s->time, channel, 0, pick(s->rng, programs, sizeof programs));
    while (at < end) {
        double length = lengths[lc_draw_index(s->rng, sizeof lengths / sizeof *lengths)];
        step += (int)lc_draw_index(s->rng, 5) - 2;
        step = step < 0 ? step + 3 : step > 13 ? step - 4 : step;
        if (!lc_draw_chance(s->rng, rests))
            play(s, channel, at, fmin(length, end - at), note_of(s, step, 3), 88);
        at += length;
    }
}

/* ---- songs -------------------------------------------------------------------------------------------------- */

static void set_volume(song *s, unsigned channel, double lo, double hi)
{
    lc_midi_control(s->midi, s->time, channel, 7, (unsigned)lc_draw_even(s->rng, lo, hi));
}

double lc_song_write(lc_midi_out *midi, double time, double seconds, lc_rng *rng, double *beat)
{
    song s = {.midi = midi, .rng = rng, .time = time};
    s.beat = 60 / (70 * pow(2.5, lc_rng_uniform(rng)));
    s.scale = lc_draw_chance(rng, 0.55) ? major : minor;
    s.key = 28 + (int)lc_draw_index(rng, 12);
    s.chords = progressions[lc_draw_index(rng, sizeof progressions / sizeof *progressions)];
    s.bars = CHORDS * (size_t)fmax(1, floor(seconds / (4 * CHORDS * s.beat)));
    for (unsigned channel = 0; channel < 5; channel++)
        set_volume(&s, channel, channel == 0 ? 80 : 50, 115);
    if (lc_draw_chance(rng, 0.92))
        play_bass(&s, 0);
    play_chords(&s, 1);
    if (lc_draw_chance(rng, 0.4))
        play_chords(&s, 2);
    if (lc_draw_chance(rng, 0.4))
        play_pad(&s, 3);
    if (lc_draw_chance(rng, 0.7))
        play_melody(&s, 4);
    *beat = s.beat;
    return 4 * (double)s.bars * s.beat;
}

/* ---- a font's songs ----------------------------------------------------------------------------------------- */

enum { SONGS = 4, RUNS = LC_SONGS_A_FONT / SONGS }; /* of one process, and processes of one font */

#define SECONDS 40.0 /* of a song, about */
#define PAUSE 1.5    /* s between songs, for what rings */

typedef struct song_task {
    const lc_font *font;
    uint64_t seed;
    lc_song *songs; /* SONGS of them */
    int16_t **block;
    loco_status status;
    loco_err err;
} song_task;

typedef struct song_tasks {
    song_task *items;
    unsigned rate;
} song_tasks;

/* 16 bits suffice: the music is scaled later. */
static int16_t *shorten(const float *samples, size_t n)
{
    float peak = 1e-9f;
    int16_t *block = malloc((n + 1) * sizeof *block);
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, fabsf(samples[i]));
    for (size_t i = 0; block != NULL && i < n; i++)
        block[i] = (int16_t)lrintf(32767 * samples[i] / peak);
    return block;
}

/* One task of the pool: SONGS songs in one process, with a pause and all sound stopped between them. */
static void play_songs(void *context, size_t number, unsigned worker)
{
    song_tasks *all = context;
    song_task *t = &all->items[number];
    lc_midi_out midi = {0};
    lc_rng rng = lc_rng_seed(t->seed);
    double time[SONGS], now = 0, rate = all->rate;
    float *samples = NULL;
    size_t n = 0;
    (void)worker;
    for (size_t i = 0; i < SONGS; i++) {
        double length = lc_song_write(&midi, now, SECONDS, &rng, &t->songs[i].beat);
        time[i] = now;
        t->songs[i].n = (size_t)(length * rate);
        now += length + PAUSE;
        for (unsigned channel = 0; channel < 5; channel++)
            lc_midi_control(&midi, now - 0.02, channel, 120, 0);
    }
    t->status = lc_fluid_play(t->font->path, &midi, now, all->rate, &samples, &n, &t->err);
    if (t->status == LOCO_OK && (*t->block = shorten(samples, n)) == NULL)
        t->status = lc_err_set(&t->err, LOCO_ENOMEM, "out of memory for the music of %.150s", t->font->path);
    for (size_t i = 0; i < SONGS; i++)
        t->songs[i].samples = *t->block != NULL ? *t->block + (size_t)(time[i] * rate) : NULL;
    free(samples);
    lc_midi_out_free(&midi);
}

/* Blocks are one a process; the songs in it point into it. */
static loco_status allocate(lc_songs *songs, song_task **items, size_t runs, loco_err *err)
{
    *items = calloc(runs, sizeof **items);
    songs->items = calloc(runs * SONGS, sizeof *songs->items);
    songs->blocks = calloc(runs, sizeof(int16_t *));
    if (*items != NULL && songs->items != NULL && songs->blocks != NULL)
        return LOCO_OK;
    return lc_err_set(err, LOCO_ENOMEM, "out of memory for the music of %zu SoundFonts", runs / RUNS);
}

/* The first error in order of tasks is reported. */
static loco_status play_all(lc_songs *songs, song_tasks *all, size_t runs, lc_pool *pool, loco_err *err)
{
    for (size_t i = 0; i < runs; i++) {
        all->items[i].songs = &songs->items[i * SONGS];
        all->items[i].block = &songs->blocks[i];
    }
    songs->len = runs * SONGS;
    songs->blocks_len = runs;
    lc_pool_run(pool, runs, play_songs, all);
    for (size_t i = 0; i < runs; i++)
        if (all->items[i].status != LOCO_OK) {
            if (err != NULL)
                *err = all->items[i].err;
            return all->items[i].status;
        }
    return LOCO_OK;
}

loco_status lc_songs_load(lc_songs *songs, const lc_font *fonts, size_t fonts_len, unsigned rate, uint64_t seed,
                          lc_pool *pool, loco_err *err)
{
    size_t general = 0, n = 0;
    for (size_t f = 0; f < fonts_len; f++)
        general += lc_font_is_general(&fonts[f]);
    if (general == 0)
        return lc_err_set(err, LOCO_EDATA, "music needs a SoundFont with the instruments of General MIDI%s",
                          fonts_len > 0 ? "; those given for this kind of set have none" : "");
    lc_songs made = {0};
    song_tasks all = {.rate = rate};
    lc_rng rng = lc_rng_seed(seed ^ 0x6a09e667f3bcc909u);
    loco_status status = allocate(&made, &all.items, general * RUNS, err);
    for (size_t f = 0; status == LOCO_OK && f < fonts_len; f++)
        for (size_t i = 0; lc_font_is_general(&fonts[f]) && i < RUNS; i++)
            all.items[n++] = (song_task){.font = &fonts[f], .seed = lc_rng_next(&rng)};
    if (status == LOCO_OK)
        status = play_all(&made, &all, n, pool, err);
    free(all.items);
    if (status == LOCO_OK)
        *songs = made;
    else
        lc_songs_free(&made);
    return status;
}

void lc_songs_free(lc_songs *songs)
{
    for (size_t i = 0; i < songs->blocks_len; i++)
        free(songs->blocks[i]);
    free(songs->blocks);
    free(songs->items);
    *songs = (lc_songs){0};
}

lc_metre lc_songs_draw(const lc_songs *songs, lc_rng *rng, double rate, float *samples, size_t n)
{
    const lc_song *s = &songs->items[lc_draw_index(rng, songs->len)];
    size_t at = lc_draw_index(rng, s->n);
    double bar = 4 * s->beat, first = -fmod((double)at / rate, bar);
    for (size_t i = 0; i < n; i++) {
        samples[i] = (float)s->samples[at] / 32768;
        at = at + 1 < s->n ? at + 1 : 0;
    }
    return (lc_metre){.beat = s->beat, .first = first};
}
