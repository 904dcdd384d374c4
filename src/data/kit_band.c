/* SPDX-License-Identifier: MIT
 *
 * kit_band.c - draws who plays what, and how loud; renders strokes.
 *
 * Fonts hold many kits that share most sounds, so a source is drawn first, then one of its kits.
 *
 * Levels, in dB, of the first 50 ms of the hardest stroke: normal, since extremes should be rare, and wide; those of
 * hi-hats were learnt from best around 6 dB below kick and snare. The parts of a group move together.
 */
#include "data/kit_band.h"

#include "data/synth_filter.h"

#include <string.h>

enum { TRIES = 24 };

/* ---- who plays ---------------------------------------------------------------------------------------------- */

static const lc_bank_kit *any_kit(const lc_bank *bank, lc_rng *rng)
{
    const char *path = "";
    size_t sources = 0, same = 0;
    for (size_t i = 0; i < bank->len; i++)
        sources += i == 0 || strcmp(bank->kits[i].path, bank->kits[i - 1].path) != 0;
    size_t wanted = lc_draw_index(rng, sources), source = SIZE_MAX;
    const lc_bank_kit *chosen = NULL;
    for (size_t i = 0; i < bank->len; i++) {
        source += i == 0 || strcmp(bank->kits[i].path, path) != 0;
        path = bank->kits[i].path;
        if (source == wanted && lc_draw_index(rng, ++same) == 0)
            chosen = &bank->kits[i];
    }
    return chosen;
}

static const lc_instrument *any_instrument(const lc_bank_kit *kit, lc_voice_kind part, lc_rng *rng)
{
    size_t n = lc_bank_kit_count(kit, part);
    return n > 0 ? lc_bank_kit_find(kit, part, lc_draw_index(rng, n)) : NULL;
}

/* Of another kit: the first of some that has the part. */
static const lc_instrument *from_elsewhere(const lc_bank *bank, lc_voice_kind part, lc_rng *rng)
{
    const lc_instrument *found = NULL;
    for (size_t i = 0; i < TRIES && found == NULL; i++)
        found = any_instrument(any_kit(bank, rng), part, rng);
    for (size_t i = 0; i < bank->len && found == NULL; i++)
        found = any_instrument(&bank->kits[i], part, rng);
    return found;
}

/* The part that a kit must have to be drawn for a group; LC_PARTS: any. */
static lc_voice_kind leader_of(lc_part_group group)
{
    static const lc_voice_kind leaders[LC_GROUPS] = {
        [LC_GROUP_KICK] = LC_VOICE_KICK,        [LC_GROUP_SNARE] = LC_VOICE_SNARE, [LC_GROUP_HAT] = LC_VOICE_HAT_CLOSED,
        [LC_GROUP_TOM] = LC_VOICE_TOM_LOW,      [LC_GROUP_CYMBAL] = LC_VOICE_RIDE, [LC_GROUP_HAND] = LC_PARTS,
        [LC_GROUP_SHAKE] = LC_VOICE_TAMBOURINE,
    };
    return leaders[group];
}

static const lc_bank_kit *kit_for(const lc_bank *bank, lc_part_group group, lc_rng *rng)
{
    lc_voice_kind leader = leader_of(group);
    const lc_bank_kit *kit = any_kit(bank, rng);
    for (size_t i = 0; i < TRIES && leader != LC_PARTS && lc_bank_kit_count(kit, leader) == 0; i++)
        kit = any_kit(bank, rng);
    return kit;
}

/* The voice of the synthesiser nearest to a part; LC_PARTS for none. */
static lc_voice_kind voice_for(lc_voice_kind part)
{
    if (part < LC_VOICES)
        return part;
    return part == LC_VOICE_TOM_MID     ? LC_VOICE_TOM_HIGH
           : part == LC_VOICE_RIDE_BELL ? LC_VOICE_RIDE
           : part == LC_VOICE_SHAKER    ? LC_VOICE_TAMBOURINE
                                        : LC_PARTS;
}

static void draw_players(lc_band *band, const lc_bank *bank, double often, lc_rng *rng, double synth)
{
    bool mixed = lc_draw_chance(rng, often);
    const lc_bank_kit *base = bank->len > 0 ? kit_for(bank, LC_GROUP_HAT, rng) : NULL;
    for (lc_part_group group = 0; group < LC_GROUPS; group++) {
        bool synthesised = lc_draw_chance(rng, synth) || base == NULL;
        const lc_bank_kit *kit = base != NULL && mixed ? kit_for(bank, group, rng) : base;
        for (lc_voice_kind part = 0; part < LC_PARTS; part++) {
            lc_band_part *p = &band->parts[part];
            if (lc_part_group_of(part) != group)
                continue;
            p->synthesised = synthesised && voice_for(part) != LC_PARTS;
            if (!p->synthesised && kit != NULL)
                p->instrument = any_instrument(kit, part, rng);
            if (!p->synthesised && kit != NULL && p->instrument == NULL)
                p->instrument = from_elsewhere(bank, part, rng);
        }
    }
}

/* A second kit for some groups: two samples make a third sound that no kit has. */
static void draw_layers(lc_band *band, const lc_bank *bank, double often, lc_rng *rng)
{
    for (lc_part_group group = 0; bank->len > 0 && often > 0 && group < LC_GROUPS; group++) {
        bool layered = lc_draw_chance(rng, often);
        const lc_bank_kit *kit = kit_for(bank, group, rng);
        double level = lc_gain_of(lc_draw_even(rng, -12, 3)), pitch = pow(2, lc_draw_even(rng, -5, 5) / 12);
        for (lc_voice_kind part = 0; layered && part < LC_PARTS; part++) {
            lc_band_part *p = &band->parts[part];
            if (lc_part_group_of(part) != group || p->instrument == NULL)
                continue;
            p->layer = any_instrument(kit, part, rng);
            p->layer_level = level;
            p->layer_pitch = pitch;
        }
    }
}

/* ---- how loud, how high ------------------------------------------------------------------------------------- */

static double spread(lc_rng *rng, double mean, double deviation)
{
    return mean + deviation * fmin(2.5, fmax(-2.5, lc_rng_normal(rng)));
}

/* dB of a part over its group. */
static double more_of(lc_voice_kind part)
{
    switch (part) {
    case LC_VOICE_RIM: return -6;
    case LC_VOICE_HAT_OPEN: return 2;
    case LC_VOICE_HAT_PEDAL: return -4;
    case LC_VOICE_CRASH:
    case LC_VOICE_CLAP: return 3;
    default: return 0;
    }
}

static void draw_part(lc_band_part *p, lc_rng *rng, double level, double pitch, double detuned, double decay)
{
    p->level = 0.2 * lc_gain_of(spread(rng, level, 1));
    p->pitch = pow(2, (pitch + detuned * lc_draw_even(rng, -0.4, 0.4)) / 12);
    p->decay = decay;
}

static void draw_levels(lc_band *band, const lc_ranges *ranges, lc_rng *rng)
{
    static const struct {
        double mean, deviation; /* dB */
        double semitones;
    } of[LC_GROUPS] = {
        [LC_GROUP_KICK] = {0,  3.5, 1.4},
          [LC_GROUP_SNARE] = {0,  3.5, 1.4},
          [LC_GROUP_HAT] = {-6, 5,   1  },
        [LC_GROUP_TOM] = {-2, 4,   2  },
          [LC_GROUP_CYMBAL] = {-7, 5,   1  },
          [LC_GROUP_HAND] = {-7, 5,   2  },
        [LC_GROUP_SHAKE] = {-7, 5,   1  },
    };
    for (lc_part_group group = 0; group < LC_GROUPS; group++) {
        double level = spread(rng, of[group].mean, ranges->level * of[group].deviation);
        double pitch = spread(rng, 0, ranges->pitch * of[group].semitones);
        double decay = lc_draw_chance(rng, ranges->damped) ? 0.1 * pow(15, lc_rng_uniform(rng)) : 0;
        for (lc_voice_kind part = 0; part < LC_PARTS; part++)
            if (lc_part_group_of(part) == group)
                draw_part(&band->parts[part], rng, level + more_of(part), pitch, ranges->pitch, decay);
    }
}

void lc_band_draw(lc_band *band, const lc_bank *bank, const lc_ranges *ranges, lc_rng *rng, double synth, bool unseen)
{
    memset(band, 0, sizeof *band);
    lc_kit_draw(&band->kit, rng, unseen);
    draw_players(band, bank, ranges->mixed, rng, synth);
    draw_layers(band, bank, ranges->layered, rng);
    draw_levels(band, ranges, rng);
    band->power = lc_draw_even(rng, ranges->power.from, ranges->power.to);
    band->wobble = lc_draw_chance(rng, 0.6) ? lc_draw_even(rng, 0.001, 0.012) : 0;
    band->damping = lc_draw_even(rng, 0.015, 0.05);
}

bool lc_band_has(const lc_band *band, lc_voice_kind part)
{
    return band->parts[part].synthesised || band->parts[part].instrument != NULL;
}

/* ---- strokes ------------------------------------------------------------------------------------------------ */

static size_t strike_voice(const lc_band *band, const lc_hit *hit, double level, double rate, lc_rng *rng, float *out,
                           size_t most)
{
    lc_voice voice = lc_voice_stroke(&band->kit.voices[voice_for(hit->voice)], hit->velocity, rng);
    size_t length = lc_voice_length(&voice, rate);
    length = length < most ? length : most;
    lc_voice_render(&voice, 1, rate, (uint32_t)(lc_rng_next(rng) >> 32), out, length);
    double has = lc_sample_level(out, length, rate);
    float gain = has > 0 ? (float)(level / has) : 0;
    for (size_t i = 0; i < length; i++)
        out[i] *= gain;
    return length;
}

/* A neighbouring layer now and then: no two strokes are the same. */
static size_t strike_sample(const lc_band *band, const lc_instrument *instrument, double velocity, double pitch,
                            double level, lc_rng *rng, float *out, size_t most)
{
    velocity += 0.04 * lc_rng_normal(rng);
    pitch *= 1 + band->wobble * fmin(2, fmax(-2, lc_rng_normal(rng)));
    return lc_sample_play(lc_instrument_sample(instrument, fmin(1, fmax(0, velocity))), pitch, level, out, most);
}

/* 60 dB in `seconds`, from sample `from` on. Returns where that is done. */
static size_t fade(float *samples, size_t length, size_t from, double seconds, double rate)
{
    size_t ends = from + (size_t)(seconds * rate);
    float keep = (float)exp(-log(1000) / (seconds * rate)), gain = 1;
    length = length < ends ? length : ends;
    for (size_t i = from; i < length; i++)
        samples[i] *= gain *= keep;
    return length;
}

/* Adds what is in scratch to samples, as short as the part, and the choke of the hit, want it. */
static void add_stroke(const lc_band *band, const lc_hit *hit, double rate, float *samples, float *scratch,
                       size_t length)
{
    size_t stop = (size_t)((hit->stop - hit->time) * rate);
    double decay = band->parts[hit->voice].decay;
    if (decay > 0)
        length = fade(scratch, length, 0, decay, rate);
    length = fade(scratch, length, stop, band->damping, rate);
    for (size_t i = 0; i < length; i++)
        samples[i] += scratch[i];
}

void lc_band_strike(const lc_band *band, const lc_hit *hit, double rate, lc_rng *rng, float *samples, float *scratch,
                    size_t n)
{
    const lc_band_part *p = &band->parts[hit->voice];
    size_t first = (size_t)(hit->time * rate), most = n - first;
    double level = p->level * pow(hit->velocity, band->power) * exp(0.06 * lc_rng_normal(rng));
    if (p->layer != NULL) /* both together have it */
        level /= sqrt(1 + p->layer_level * p->layer_level);
    size_t ends = (size_t)((hit->stop - hit->time) * rate) + (size_t)(band->damping * rate);
    most = most < ends ? most : ends;
    size_t length = p->synthesised
                        ? strike_voice(band, hit, level, rate, rng, scratch, most)
                        : strike_sample(band, p->instrument, hit->velocity, p->pitch, level, rng, scratch, most);
    add_stroke(band, hit, rate, samples + first, scratch, length);
    if (p->layer == NULL)
        return;
    length = strike_sample(band, p->layer, hit->velocity, p->pitch * p->layer_pitch, level * p->layer_level, rng,
                           scratch, most);
    add_stroke(band, hit, rate, samples + first, scratch, length);
}
