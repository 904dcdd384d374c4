/* SPDX-License-Identifier: MIT
 *
 * kit.c - draws a kit: a design for each kind, then every number of it.
 *
 * Every range is split at the same places (lc_kit_place), so that no number is drawn from the same part for both kinds
 * of kit, whatever the design. The interior part tests interpolation, the two ends extrapolation. Not split: what is
 * made of several numbers (an upper mode is a pitch times a ratio), the detuning of metal partials, the variation from
 * stroke to stroke.
 */
#include "studio/synth/kit.h"

#include "signal/filter.h"
#include "studio/synth/designs.h"

typedef struct draw {
    lc_rng *rng;
    bool unseen;
} draw;

size_t lc_kit_designs(lc_voice_kind kind, size_t *unseen)
{
    lc_design_list list = lc_designs_of(kind);
    *unseen = list.seen;
    return list.all;
}

/* Unseen: three parts of 0.08 each. Seen: the two parts of 0.38 between them. */
double lc_kit_place(lc_rng *rng, bool unseen)
{
    double x = lc_rng_uniform(rng);
    if (!unseen)
        return x < 0.5 ? 0.08 + 0.76 * x : 0.54 + 0.76 * (x - 0.5);
    double part = floor(3 * x);
    return 0.46 * part + 0.08 * (3 * x - part);
}

/* A number of a range, on its scale. */
static double within(const draw *d, lc_design_range span)
{
    double place = lc_kit_place(d->rng, d->unseen);
    return span.lo > 0 ? span.lo * pow(span.hi / span.lo, place) : span.hi * place;
}

/* Draws all numbers of one tone; the frequency of a later tone is still a ratio to the first. */
static lc_tone tone_of(const draw *d, const lc_tone_spans *spans)
{
    return (lc_tone){
        .level = within(d, spans->level),
        .frequency = within(d, spans->frequency),
        .drop = within(d, spans->drop),
        .drop_time = within(d, spans->drop_time),
        .attack = within(d, spans->attack),
        .decay = within(d, spans->decay),
        .fm_ratio = within(d, spans->fm_ratio),
        .fm_index = within(d, spans->fm_index),
    };
}

/* A low-pass below its high-pass would leave silence: it is lifted over it. */
static lc_noise noise_of(const draw *d, const lc_noise_spans *spans)
{
    lc_noise noise = {
        .level = within(d, spans->level),
        .low = within(d, spans->low),
        .high = within(d, spans->high),
        .attack = within(d, spans->attack),
        .decay = within(d, spans->decay),
        .tail = within(d, spans->tail),
        .tail_decay = within(d, spans->tail_decay),
        .resonance = spans->resonance.lo > 0 ? within(d, spans->resonance) : 0.7,
        .bursts = spans->bursts.lo > 0 ? round(within(d, spans->bursts)) : 1,
        .spacing = within(d, spans->spacing),
    };
    noise.high = fmax(noise.high, 1.3 * noise.low);
    return noise;
}

/* Frequencies of the partials over the base: where cymbals and drum machines have them, or anywhere. */
static double partial(const draw *d, lc_partial_set set, size_t p)
{
    static const double classic[] = {1, 1.483, 1.8, 2.546, 2.63, 3.897};
    static const double bell[] = {1, 1.41, 2.09, 2.56, 2.71, 3.76, 4.07, 5.18, 5.93, 6.79, 7.53, 8.21};
    static const double primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    double n = (double)p;
    switch (set) {
    case LC_SET_CLASSIC: return classic[p % 6] * lc_draw_even(d->rng, 0.93, 1.07);
    case LC_SET_BELL: return bell[p] * lc_draw_even(d->rng, 0.98, 1.02);
    case LC_SET_PRIMES: return primes[p] / 2 * lc_draw_even(d->rng, 0.97, 1.03);
    case LC_SET_PLATE: return (0.6 + 0.4 * (n + 1)) * pow(n + 1, 0.35) * lc_draw_even(d->rng, 0.9, 1.1);
    default: return pow(7, within(d, (lc_design_range){0, 1}));
    }
}

static lc_metal metal_of(const draw *d, const lc_metal_spans *spans)
{
    lc_metal metal = {
        .shape = spans->shape,
        .partials = (size_t)within(d, spans->partials),
        .level = within(d, spans->level),
        .attack = within(d, spans->attack),
        .decay = within(d, spans->decay),
        .low = within(d, spans->low),
        .high = within(d, spans->high),
        .index = within(d, spans->index),
    };
    metal.high = fmax(metal.high, 1.3 * metal.low);
    double base = within(d, spans->base);
    for (size_t p = 0; p < metal.partials; p++)
        metal.frequency[p] = base * partial(d, spans->set, p);
    return metal;
}

/* Of unseen kits a fifth of the voices come from designs of their own; the others from ranges of their own. */
static lc_voice voice_of(const draw *d, lc_voice_kind kind)
{
    lc_design_list list = lc_designs_of(kind);
    bool own = d->unseen && lc_draw_chance(d->rng, 0.2);
    size_t family = lc_draw_chance(d->rng, 0.3) ? 0 : lc_draw_index(d->rng, list.seen);
    if (own)
        family = list.seen + lc_draw_index(d->rng, list.all - list.seen);
    const lc_design *design = &list.designs[family];
    lc_voice voice = {.family = family, .drive = within(d, design->drive), .gain = 1};
    for (size_t i = 0; i < LC_TONES; i++) {
        voice.tones[i] = tone_of(d, &design->tones[i]);
        if (i > 0)
            voice.tones[i].frequency *= voice.tones[0].frequency;
    }
    for (size_t i = 0; i < LC_NOISES; i++)
        voice.noises[i] = noise_of(d, &design->noises[i]);
    voice.metal = metal_of(d, &design->metal);
    return voice;
}

/* ---- the same instrument played in another way -------------------------------------------------------------- */

/* Scales the decays of a voice, up to `longest` seconds. */
static void scale_decay(lc_voice *voice, double by, double longest)
{
    for (size_t i = 0; i < LC_NOISES; i++) {
        if (voice->noises[i].decay > 0.025) /* the stick's contact stays as it is */
            voice->noises[i].decay = fmin(longest, by * voice->noises[i].decay);
        voice->noises[i].tail_decay = fmin(longest, by * voice->noises[i].tail_decay);
    }
    for (size_t i = 0; i < LC_TONES; i++)
        voice->tones[i].decay = fmin(longest, by * voice->tones[i].decay);
    voice->metal.decay = fmin(longest, by * voice->metal.decay);
}

/* Open: it rings. Pedal: two cymbals meet without a stick, softer and duller, with a slower attack. */
static void draw_other_hats(lc_kit *kit, const draw *d)
{
    lc_voice *open = &kit->voices[LC_VOICE_HAT_OPEN], *pedal = &kit->voices[LC_VOICE_HAT_PEDAL];
    *open = *pedal = kit->voices[LC_VOICE_HAT_CLOSED];
    scale_decay(open, within(d, (lc_design_range){3, 9}), 1.3);
    open->metal.low *= within(d, (lc_design_range){0.6, 1});
    scale_decay(pedal, within(d, (lc_design_range){0.5, 1.4}), 0.2);
    double attack = within(d, (lc_design_range){0.001, 0.003}), duller = within(d, (lc_design_range){0.55, 0.95});
    pedal->metal.attack = attack;
    pedal->metal.low *= duller;
    for (size_t i = 0; i < LC_NOISES; i++) {
        pedal->noises[i].attack = attack;
        pedal->noises[i].low *= duller;
    }
}

/* The same drum, larger: lower, and ringing longer. */
static void draw_low_tom(lc_kit *kit, const draw *d)
{
    lc_voice *low = &kit->voices[LC_VOICE_TOM_LOW];
    *low = kit->voices[LC_VOICE_TOM_HIGH];
    double lower = within(d, (lc_design_range){0.5, 0.85});
    for (size_t i = 0; i < LC_TONES; i++) {
        low->tones[i].frequency *= lower;
        low->tones[i].decay /= sqrt(lower);
    }
}

void lc_kit_draw(lc_kit *kit, lc_rng *rng, bool unseen)
{
    draw d = {.rng = rng, .unseen = unseen};
    for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++)
        if (kind != LC_VOICE_HAT_OPEN && kind != LC_VOICE_HAT_PEDAL && kind != LC_VOICE_TOM_LOW)
            kit->voices[kind] = voice_of(&d, kind);
    draw_other_hats(kit, &d);
    draw_low_tom(kit, &d);
    for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++)
        lc_voice_normalise(&kit->voices[kind]);
}
