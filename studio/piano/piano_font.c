/* SPDX-License-Identifier: MIT
 *
 * piano_font.c - the piano of a SoundFont, struck key by key by fluidsynth, as if it were a set of samples.
 *
 * Each third key is struck at five velocities and held for 3 to 8 s, lower ones longer, since they ring longer. One
 * process for each velocity, as many at a time as the pool has threads. Measured: TimGM6mb takes 2 s on two cores.
 */
#include "base/folder.h"
#include "base/status.h"
#include "base/text.h"
#include "studio/kits/fluid.h"
#include "studio/kits/font.h"
#include "studio/piano/piano.h"
#include "studio/piano/piece.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VELOCITIES = 5, STEP = 3, KEYS = (LC_PIANO_KEYS + STEP - 1) / STEP };

static const unsigned velocities[VELOCITIES] = {25, 50, 75, 100, 122};
static const unsigned layers[VELOCITIES + 1] = {0, 38, 63, 88, 112, 128}; /* halfway between them */

#define BEFORE 0.02 /* s of silence before a stroke */

typedef struct striking {
    const char *path;
    const lc_font_preset *preset;
    unsigned rate;
    lc_zone *zones; /* (VELOCITIES, KEYS) */
    loco_status states[VELOCITIES];
    loco_err errs[VELOCITIES];
} striking;

static unsigned key_of(size_t i)
{
    return LC_PIANO_LOWEST + STEP * (unsigned)i;
}

/* Seconds that a key is held. */
static double held(size_t i)
{
    return 8 - 5 * (double)i / (KEYS - 1);
}

/* All strokes; returns how long they take. */
static double write_strokes(const striking *s, lc_midi_out *midi, unsigned velocity)
{
    double time = 0.1;
    lc_midi_program(midi, 0, 0, s->preset->bank, s->preset->program);
    for (size_t i = 0; i < KEYS; i++) {
        lc_midi_control(midi, time - BEFORE, 0, 120, 0);
        lc_midi_note_on(midi, time, held(i), 0, key_of(i), velocity);
        time += held(i) + 2 * BEFORE;
    }
    return time;
}

/* The same times as write_strokes has. */
static bool cut_strokes(striking *s, const float *samples, size_t n, size_t v)
{
    double time = 0.1;
    for (size_t i = 0; i < KEYS; i++) {
        size_t first = (size_t)((time - BEFORE / 4) * s->rate), length = (size_t)(held(i) * s->rate);
        lc_zone *zone = &s->zones[v * KEYS + i];
        *zone = (lc_zone){.lokey = key_of(i) - 1,
                          .hikey = key_of(i) + 1,
                          .lovel = layers[v],
                          .hivel = layers[v + 1] - 1,
                          .centre = key_of(i)};
        if (first < n && !lc_zone_cut(zone, samples + first, length < n - first ? length : n - first, s->rate))
            return false;
        time += held(i) + 2 * BEFORE;
    }
    return true;
}

/* One task of the pool: all keys at one velocity. */
static void strike(void *context, size_t v, unsigned worker)
{
    striking *s = context;
    lc_midi_out midi = {0};
    float *samples = NULL;
    size_t n = 0;
    (void)worker;
    double seconds = write_strokes(s, &midi, velocities[v]);
    s->states[v] = lc_fluid_play(s->path, &midi, seconds, s->rate, &samples, &n, &s->errs[v]);
    if (s->states[v] == LOCO_OK && !cut_strokes(s, samples, n, v))
        s->states[v] = lc_err_set(&s->errs[v], LOCO_ENOMEM, "out of memory for the piano of %.150s", s->path);
    free(samples);
    lc_midi_out_free(&midi);
}

static bool is_piano(const char *name)
{
    static const char *const words[] = {"iano", "IANO", "Grand", "grand", "Steinway", "Yamaha"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]) != NULL)
            return true;
    return false;
}

/* Program 0 of bank 0 in General MIDI; of other fonts the first that is called a piano. NULL: none. */
static const lc_font_preset *find_piano(const lc_font *font)
{
    const lc_font_preset *named = NULL;
    for (size_t i = 0; i < font->len; i++) {
        const lc_font_preset *preset = &font->presets[i];
        if (preset->bank == 0 && preset->program == 0 && (lc_font_is_general(font) || is_piano(preset->name)))
            return preset;
        if (named == NULL && preset->bank < 128 && is_piano(preset->name))
            named = preset;
    }
    return named;
}

/* Moves the zones that sound to the front. */
static size_t keep_sounding(lc_zone *zones, size_t len)
{
    size_t kept = 0;
    for (size_t i = 0; i < len; i++) {
        if (zones[i].n > 0)
            zones[kept++] = zones[i];
        else
            free(zones[i].values);
    }
    memset(zones + kept, 0, (len - kept) * sizeof *zones);
    return kept;
}

/* Author, licence and comment, as far as the font states them. */
static void describe(lc_text *about, const lc_font *font)
{
    const char *const parts[] = {font->author, font->licence, font->comment};
    for (size_t i = 0; i < 3; i++)
        if (parts[i][0] != 0)
            lc_text_format(about, "%s%.100s", about->length > 0 ? "; " : "", parts[i]);
    lc_text_string(about, "");
}

static loco_status add(lc_pianos *pianos, const lc_font *font, striking *s, loco_err *err)
{
    size_t len = keep_sounding(s->zones, (size_t)VELOCITIES * KEYS), folder = lc_path_folder(s->path);
    lc_text about = {0}, name = {0};
    lc_text_format(&name, "%.*s", (int)(lc_path_stem(s->path) - folder), s->path + folder);
    describe(&about, font);
    loco_status status = LOCO_OK;
    if (len == 0)
        status = lc_err_set(err, LOCO_EDATA, "%.150s: its piano is silent; is the font damaged?", s->path);
    else if (about.failed || name.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the piano of %.150s", s->path);
    else
        status = lc_pianos_add(pianos, name.bytes, about.bytes != NULL ? about.bytes : "", s->zones, len, err);
    lc_text_free(&about);
    lc_text_free(&name);
    return status;
}

loco_status lc_pianos_add_font(lc_pianos *pianos, const char *path, unsigned rate, lc_pool *pool, loco_err *err)
{
    lc_font font;
    loco_status status = lc_font_load(&font, &pianos->store, path, err);
    if (status != LOCO_OK)
        return status;
    striking s = {.path = path, .preset = find_piano(&font), .rate = rate};
    if (s.preset == NULL)
        return lc_err_set(err, LOCO_EDATA,
                          "%.120s has no piano: neither program 0 of General MIDI, nor one of that name", path);
    s.zones = calloc((size_t)VELOCITIES * KEYS, sizeof *s.zones);
    if (s.zones == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the piano of %.150s", path);
    lc_pool_run(pool, VELOCITIES, strike, &s);
    for (size_t v = 0; v < VELOCITIES && status == LOCO_OK; v++) {
        status = s.states[v];
        if (status != LOCO_OK && err != NULL)
            *err = s.errs[v];
    }
    if (status == LOCO_OK)
        status = add(pianos, &font, &s, err);
    if (status != LOCO_OK)
        lc_zones_free(s.zones, (size_t)VELOCITIES * KEYS);
    return status;
}
