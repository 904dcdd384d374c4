/* SPDX-License-Identifier: MIT
 *
 * font_play.c - strikes every drum of a preset at four velocities, and cuts the sound into one-shots.
 *
 * One MIDI file a preset, one process each, and as many at a time as the pool has threads. Strokes lie 1.25 s apart, or
 * 2.5 s for what rings; before each all sound is stopped, so that no tail reaches into the next. A note that stays
 * silent is left out. Measured: 1000 seconds of such strokes take about a second.
 */
#include "base/status.h"
#include "studio/kits/fluid.h"
#include "studio/kits/font.h"
#include "studio/kits/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VELOCITIES = 4, NOTES = 38, MOST_FONTS = 64 };

#define LEAST_PEAK 0.002f /* below it: nothing but the rounding of silence */

static const unsigned velocities[VELOCITIES] = {30, 65, 95, 124};

/* Of the layers that these become: halfway between a velocity and the next. */
static const double bounds[VELOCITIES + 1] = {0, 47.5 / 127, 80 / 127.0, 109.5 / 127, 1};

/* Notes of fonts without bank 128 are those up to 47 and the cymbals, on which such fonts agree. */
static const uint8_t notes[NOTES] = {35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 49, 51, 53, 54, 55, 56,
                                     57, 59, 48, 50, 52, 60, 61, 62, 63, 64, 65, 67, 68, 69, 70, 75, 76, 77, 82};
enum { COMMON_NOTES = 21 };

typedef struct play_task {
    const lc_font *font;
    const lc_font_preset *preset;
    lc_bank_layer layers[NOTES][VELOCITIES];
    loco_status status;
    loco_err err;
} play_task;

typedef struct play_tasks {
    play_task *items;
    unsigned rate;
} play_tasks;

/* All drums of a kit in bank 128; of other fonts only those that they agree on. */
static size_t notes_of(const play_task *t)
{
    return t->preset->bank == 128 ? NOTES : COMMON_NOTES;
}

/* Seconds until the next stroke: more for what rings. */
static double gap_of(unsigned note)
{
    lc_part_group group = lc_part_group_of(lc_part_of_note(note));
    bool rings = group == LC_GROUP_CYMBAL || group == LC_GROUP_TOM || note == 46;
    return rings ? 2.5 : 1.25;
}

/* All strokes; returns how long they take. */
static double write_strokes(const play_task *t, lc_midi_out *midi)
{
    double time = 0.1;
    lc_midi_program(midi, 0, 0, t->preset->bank, t->preset->program);
    for (size_t i = 0; i < notes_of(t); i++)
        for (size_t v = 0; v < VELOCITIES; v++) {
            double gap = gap_of(notes[i]);
            lc_midi_control(midi, time - 0.02, 0, 120, 0);
            lc_midi_note_on(midi, time, 0.9 * gap, 0, notes[i], velocities[v]);
            time += gap;
        }
    return time;
}

static void set_bounds(lc_bank_layer *layer, size_t v)
{
    layer->min = bounds[v];
    layer->max = bounds[v + 1];
}

/* False without memory; a silent note leaves the layer empty. */
static bool cut_one(lc_bank_layer *layer, float *samples, size_t n, double rate)
{
    float peak = 0;
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, fabsf(samples[i]));
    return peak < LEAST_PEAK || lc_sample_cut(&layer->sample, samples, n, rate);
}

/* The same times as write_strokes has; each cut begins 5 ms before its stroke. */
static bool cut_all(play_task *t, float *samples, size_t n, double rate)
{
    double time = 0.1;
    for (size_t i = 0; i < notes_of(t); i++)
        for (size_t v = 0; v < VELOCITIES; v++) {
            double gap = gap_of(notes[i]);
            size_t first = (size_t)((time - 0.005) * rate), length = (size_t)((gap - 0.03) * rate);
            set_bounds(&t->layers[i][v], v);
            if (first < n && !cut_one(&t->layers[i][v], samples + first, length < n - first ? length : n - first, rate))
                return false;
            time += gap;
        }
    return true;
}

/* Without sounds that are not what their note says. */
static void leave_out(play_task *t, double rate)
{
    for (size_t i = 0; i < NOTES; i++)
        for (size_t v = 0; v < VELOCITIES; v++)
            if (!lc_bank_takes(lc_part_of_note(notes[i]), &t->layers[i][v].sample, rate))
                lc_sample_free(&t->layers[i][v].sample);
}

/* One task of the pool: a MIDI file, a process, and the cut strokes. */
static void play_preset(void *context, size_t number, unsigned worker)
{
    play_tasks *all = context;
    play_task *t = &all->items[number];
    lc_midi_out midi = {0};
    float *samples = NULL;
    size_t n = 0;
    (void)worker;
    double seconds = write_strokes(t, &midi);
    t->status = lc_fluid_play(t->font->path, &midi, seconds, all->rate, &samples, &n, &t->err);
    if (t->status == LOCO_OK && !cut_all(t, samples, n, all->rate))
        t->status = lc_err_set(&t->err, LOCO_ENOMEM, "out of memory for the drums of %.150s", t->font->path);
    else if (t->status == LOCO_OK)
        leave_out(t, all->rate);
    free(samples);
    lc_midi_out_free(&midi);
}

/* ---- into the bank ------------------------------------------------------------------------------------------ */

/* Velocities at which a note has a sound. */
static size_t sounding(const lc_bank_layer layers[VELOCITIES])
{
    size_t n = 0;
    for (size_t v = 0; v < VELOCITIES; v++)
        n += layers[v].sample.n > 0;
    return n;
}

/* One instrument a note; the kit owns the sounds from here on. */
static bool fill_kit(lc_bank *bank, lc_bank_kit *kit, play_task *t)
{
    lc_instrument *instruments = lc_store_take(&bank->store, NOTES, sizeof *instruments);
    lc_bank_layer *layers = lc_store_take(&bank->store, (size_t)NOTES * VELOCITIES, sizeof *layers);
    if (instruments == NULL || layers == NULL)
        return false;
    kit->instruments = instruments;
    for (size_t i = 0; i < notes_of(t); i++) {
        if (sounding(t->layers[i]) == 0)
            continue;
        lc_instrument *instrument = &instruments[kit->instruments_len++];
        *instrument = (lc_instrument){.part = lc_part_of_note(notes[i]), .layers = layers};
        for (size_t v = 0; v < VELOCITIES; v++) {
            if (t->layers[i][v].sample.n == 0)
                continue;
            *layers++ = t->layers[i][v];
            instrument->layers_len++;
            t->layers[i][v].sample = (lc_sample){0};
        }
    }
    return true;
}

/* "a: b" in the bank's store; NULL without memory. */
static char *joined(lc_bank *bank, const char *a, const char *b)
{
    lc_text text = {0};
    lc_text_format(&text, "%.120s%s%.160s", a, a[0] != 0 && b[0] != 0 ? ": " : "", b);
    char *kept = text.failed ? NULL : lc_store_string(&bank->store, text.bytes, text.length);
    lc_text_free(&text);
    return kept;
}

/* A preset without any sound is not kept. */
static loco_status keep_kit(lc_bank *bank, play_task *t, loco_err *err)
{
    const char *name = joined(bank, t->font->name, t->preset->name);
    const char *terms = joined(bank, t->font->licence, t->font->comment);
    lc_bank_kit *kit = name != NULL && terms != NULL ? lc_bank_new_kit(bank) : NULL;
    if (kit == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "no room for the drums of %.150s", t->font->path);
    *kit = (lc_bank_kit){.name = name, .author = t->font->author, .licence = terms, .path = t->font->path};
    if (!fill_kit(bank, kit, t))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the drums of %.150s", t->font->path);
    bank->len -= kit->instruments_len == 0;
    return LOCO_OK;
}

static void free_task(play_task *t)
{
    for (size_t i = 0; i < NOTES; i++)
        for (size_t v = 0; v < VELOCITIES; v++)
            lc_sample_free(&t->layers[i][v].sample);
}

/* One task for each kit of each font. */
static size_t plan(play_task *items, const lc_font *fonts, size_t fonts_len)
{
    size_t n = 0;
    for (size_t f = 0; f < fonts_len; f++) {
        size_t kits[LC_FONT_KITS], len = lc_font_kits(&fonts[f], kits);
        for (size_t k = 0; k < len; k++)
            items[n++] = (play_task){.font = &fonts[f], .preset = &fonts[f].presets[kits[k]]};
    }
    return n;
}

loco_status lc_font_add_kits(lc_bank *bank, const lc_font *fonts, size_t fonts_len, unsigned rate, lc_pool *pool,
                             loco_err *err)
{
    if (fonts_len > MOST_FONTS)
        return lc_err_set(err, LOCO_EARG, "%zu SoundFonts; at most %d can be used", fonts_len, MOST_FONTS);
    play_tasks all = {.items = calloc(fonts_len * LC_FONT_KITS + 1, sizeof *all.items), .rate = rate};
    if (all.items == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the drums of %zu SoundFonts", fonts_len);
    size_t n = plan(all.items, fonts, fonts_len);
    lc_pool_run(pool, n, play_preset, &all);
    loco_status status = LOCO_OK;
    for (size_t i = 0; i < n; i++) {
        play_task *t = &all.items[i];
        if (status == LOCO_OK && t->status != LOCO_OK && err != NULL)
            *err = t->err;
        if (status == LOCO_OK)
            status = t->status != LOCO_OK ? t->status : keep_kit(bank, t, err);
        free_task(t);
    }
    free(all.items);
    return status;
}
