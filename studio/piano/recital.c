/* SPDX-License-Identifier: MIT
 *
 * recital.c - renders one recording:
 *
 *   notes -> piano -> equaliser -> room -> old machine or codec, compressor -> noise, hum -> level.
 *
 * Every note counts, however soft: recordings of real pianos are annotated so, too. Random numbers: one generator each for
 * the notes, the piano and the mix.
 */
#include "studio/piano/recital.h"

#include "base/status.h"
#include "data/augment.h"
#include "signal/filter.h"
#include "studio/kits/strip.h"
#include "studio/piano/sampler.h"
#include "studio/synth/room.h"

#include <stdlib.h>
#include <string.h>

typedef struct recital {
    const lc_recital_settings *settings;
    double rate;
    size_t n;
    lc_rng music, touching, mix;
    lc_piece_note *notes;
    size_t len;
    float *samples, *scratch; /* n each */
} recital;

/* The factors keep neighbours apart: lc_rng_seed steps through seeds by another constant. */
static void seed_recording(recital *r, size_t index)
{
    const lc_synth_settings *s = &r->settings->synth;
    lc_rng set = lc_rng_seed(s->seed ^ (s->unseen ? 0x5bf03635d1f7a2c9u : 0) ^ 0x9e6c63d0876a9a47u);
    lc_rng one = lc_rng_seed(lc_rng_next(&set) ^ (((uint64_t)index + 1) * 0xd6e8feb86659fd93u));
    r->music = lc_rng_seed(lc_rng_next(&one));
    r->touching = lc_rng_seed(lc_rng_next(&one));
    r->mix = lc_rng_seed(lc_rng_next(&one));
}

/* ---- the piano ---- */

/* The whole is up to 15 cents off, and each key a little, of neglected pianos more. */
static lc_touch draw_touch(recital *r)
{
    lc_rng *rng = &r->touching;
    double whole = 12 * log2(r->settings->tuning / 440) + lc_draw_even(rng, -0.15, 0.15);
    double each = lc_draw_chance(rng, 0.2) ? 0.06 : 0.015;
    lc_touch touch = {.power = lc_draw_even(rng, 1, 2.2)};
    touch.layer = 10 * lc_rng_normal(rng);
    touch.release = 0.1 * pow(5, lc_rng_uniform(rng));
    for (size_t i = 0; i < LC_PIANO_PITCHES; i++)
        touch.detune[i] = whole + each * fmin(2.5, fmax(-2.5, lc_rng_normal(rng)));
    return touch;
}

/* Whether the same key is struck when a note ends. */
static bool struck_again(const recital *r, size_t note)
{
    for (size_t i = note + 1; i < r->len && r->notes[i].on <= r->notes[note].off; i++)
        if (r->notes[i].pitch == r->notes[note].pitch)
            return true;
    return false;
}

static void play(recital *r)
{
    const lc_pianos *pianos = r->settings->pianos;
    const lc_piano *piano = &pianos->items[lc_draw_index(&r->touching, pianos->len)];
    lc_touch touch = draw_touch(r);
    for (size_t i = 0; i < r->len; i++) {
        const lc_piece_note *note = &r->notes[i];
        lc_played played = {.on = (size_t)((double)note->on * r->rate),
                            .off = (size_t)((double)note->off * r->rate),
                            .pitch = note->pitch,
                            .velocity = note->velocity,
                            .again = struck_again(r, i)};
        lc_sampler_play(piano, &touch, &played, r->rate, r->samples, r->n);
    }
}

/* ---- the recording ---- */

static double peak_of(const float *samples, size_t n)
{
    float peak = 0;
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, fabsf(samples[i]));
    return (double)peak;
}

/* The room adds its answer to what it is given; only the answer is made louder or softer. */
static loco_status add_room(recital *r, loco_err *err)
{
    double x = lc_rng_uniform(&r->mix);
    float wet = (float)lc_gain_of(lc_draw_even(&r->mix, -4, 10));
    loco_status status = LOCO_OK;
    if (x >= 0.8)
        return LOCO_OK;
    memcpy(r->scratch, r->samples, r->n * sizeof *r->scratch);
    status = x < 0.45 ? lc_room_apply(r->scratch, r->n, r->rate, &r->mix, err)
                      : lc_room_hall(r->scratch, r->n, r->rate, &r->mix, err);
    for (size_t i = 0; status == LOCO_OK && i < r->n; i++)
        r->samples[i] += wet * (r->scratch[i] - r->samples[i]);
    return status;
}

/* Noise of any colour at a level below the whole, and sometimes hum. */
static void add_noise(recital *r)
{
    double level = lc_augment_level(r->samples, r->n);
    double slope = lc_draw_even(&r->mix, -7, 2),
           noise = (level > 0 ? level : 0.05) * lc_gain_of(-lc_draw_even(&r->mix, 25, 65));
    lc_augment_noise_fill(r->scratch, r->n, r->rate, slope, &r->mix);
    for (size_t i = 0; i < r->n; i++)
        r->samples[i] += (float)noise * r->scratch[i];
    if (lc_draw_chance(&r->mix, 0.08))
        lc_room_hum(r->samples, r->n, r->rate, noise * lc_draw_even(&r->mix, 0.5, 3), &r->mix);
}

/* Each machine is drawn or left out, so that no single chain is learned. */
static loco_status record(recital *r, loco_err *err)
{
    lc_rng *rng = &r->mix;
    if (lc_draw_chance(rng, 0.85))
        lc_strip_equalise(r->samples, r->n, r->rate, lc_draw_even(rng, 1, 8), rng);
    for (size_t bells = lc_draw_index(rng, 3); bells > 0; bells--) {
        double decibels = lc_draw_even(rng, -7, 7), q = lc_draw_even(rng, 0.7, 4);
        lc_strip_bell(r->samples, r->n, r->rate, 60 * pow(100, lc_rng_uniform(rng)), q, decibels);
    }
    loco_status status = add_room(r, err);
    if (status != LOCO_OK)
        return status;
    double x = lc_rng_uniform(rng), peak = peak_of(r->samples, r->n);
    if (x < 0.05)
        lc_strip_old(r->samples, r->n, r->rate, rng);
    else if (x < 0.12)
        lc_strip_codec(r->samples, r->n, r->rate, rng);
    if (lc_draw_chance(rng, 0.15) && peak > 0)
        lc_room_compress(r->samples, r->n, r->rate, peak, rng);
    if (lc_draw_chance(rng, 0.75))
        add_noise(r);
    lc_augment_polarity(r->samples, r->n, rng);
    double loudness = lc_draw_even(rng, -20, -0.5);
    peak = peak_of(r->samples, r->n);
    if (peak > 0)
        lc_augment_gain(r->samples, r->n, loudness - 20 * log10(peak));
    return LOCO_OK;
}

/* ---- the whole ---- */

/* Notes of classes; NULL without memory. */
static loco_event *events_of(const recital *r, size_t *len)
{
    loco_event *events = calloc(r->len + 1, sizeof *events);
    size_t n = 0;
    for (size_t i = 0; events != NULL && i < r->len; i++) {
        const lc_piece_note *note = &r->notes[i];
        size_t kind = r->settings->class_of[note->pitch];
        if (kind != SIZE_MAX)
            events[n++] = (loco_event){.time = floor((double)note->on * r->rate) / r->rate,
                                       .kind = kind,
                                       .probability = note->velocity / 127.0};
    }
    *len = n;
    return events;
}

static loco_status render(recital *r, loco_err *err)
{
    loco_status status = lc_recital_draw(&r->notes, &r->len, r->settings, &r->music, err);
    if (status != LOCO_OK)
        return status;
    play(r);
    return record(r, err);
}

loco_status lc_recital(const lc_recital_settings *settings, size_t index, float **samples, size_t *n,
                       loco_event **events, size_t *events_len, loco_err *err)
{
    loco_status status = lc_synth_check(&settings->synth, err);
    if (status != LOCO_OK)
        return status;
    recital r = {.settings = settings, .rate = settings->synth.rate};
    r.n = (size_t)(settings->synth.seconds * r.rate);
    seed_recording(&r, index);
    r.samples = calloc(r.n, sizeof *r.samples);
    r.scratch = calloc(r.n, sizeof *r.scratch);
    loco_event *found = NULL;
    size_t found_len = 0;
    if (r.samples == NULL || r.scratch == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a recording of %zu samples", r.n);
    if (status == LOCO_OK)
        status = render(&r, err);
    if (status == LOCO_OK && (found = events_of(&r, &found_len)) == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of a recording");
    free(r.scratch);
    free(r.notes);
    if (status != LOCO_OK) {
        free(r.samples);
        return status;
    }
    *samples = r.samples;
    *n = r.n;
    *events = found;
    *events_len = found_len;
    return LOCO_OK;
}
