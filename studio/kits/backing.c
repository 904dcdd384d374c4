/* SPDX-License-Identifier: MIT
 *
 * backing.c - draws which instrument plays each part, and how loud; renders strokes.
 *
 * Fonts hold many kits that share most sounds, so a source is drawn first, then one of its kits.
 *
 * Levels, in dB, of the first 50 ms of the hardest stroke: normal, since extremes should be rare, and wide; networks
 * learned hi-hats best at around 6 dB below kick and snare. The parts of a group move together.
 */
#include "studio/kits/backing.h"

#include "signal/filter.h"

#include <string.h>

enum { TRIES = 24 };

/* ---- who plays ---------------------------------------------------------------------------------------------- */

/* Kits of one path are one source. One pass draws among those of the wanted source: the i-th replaces the choice
 * with probability 1/i. */
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

/* Some tries for a kit that has the leading part of the group; else any. */
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

/* A recording is made of one kit, or with probability `often` of a kit for each group. */
static void draw_players(lc_backing *backing, const lc_bank *bank, double often, lc_rng *rng, double synth)
{
    bool mixed = lc_draw_chance(rng, often);
    const lc_bank_kit *base = bank->len > 0 ? kit_for(bank, LC_GROUP_HAT, rng) : NULL;
    for (lc_part_group group = 0; group < LC_GROUPS; group++) {
        bool synthesised = lc_draw_chance(rng, synth) || base == NULL;
        const lc_bank_kit *kit = base != NULL && mixed ? kit_for(bank, group, rng) : base;
        for (lc_voice_kind part = 0; part < LC_PARTS; part++) {
            lc_backing_part *p = &backing->parts[part];
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
static void draw_layers(lc_backing *backing, const lc_bank *bank, double often, lc_rng *rng)
{
    for (lc_part_group group = 0; bank->len > 0 && often > 0 && group < LC_GROUPS; group++) {
        bool layered = lc_draw_chance(rng, often);
        const lc_bank_kit *kit = kit_for(bank, group, rng);
        double level = lc_gain_of(lc_draw_even(rng, -12, 3)), pitch = pow(2, lc_draw_even(rng, -5, 5) / 12);
        for (lc_voice_kind part = 0; layered && part < LC_PARTS; part++) {
            lc_backing_part *p = &backing->parts[part];
            if (lc_part_group_of(part) != group || p->instrument == NULL)
                continue;
            p->layer = any_instrument(kit, part, rng);
            p->layer_level = level;
            p->layer_pitch = pitch;
        }
    }
}

/* ---- how loud, how high ------------------------------------------------------------------------------------- */

/* A normal number, cut at 2.5 deviations. */
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

static void draw_part(lc_backing_part *p, lc_rng *rng, double level, double pitch, double detuned, double decay)
{
    p->level = 0.2 * lc_gain_of(spread(rng, level, 1));
    p->pitch = pow(2, (pitch + detuned * lc_draw_even(rng, -0.4, 0.4)) / 12);
    p->decay = decay;
}

/* Level, pitch and damping are drawn for each group, and varied a little for each part. */
static void draw_levels(lc_backing *backing, const lc_ranges *ranges, lc_rng *rng)
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
                draw_part(&backing->parts[part], rng, level + more_of(part), pitch, ranges->pitch, decay);
    }
}

void lc_backing_draw(lc_backing *backing, const lc_bank *bank, const lc_ranges *ranges, lc_rng *rng, double synth,
                     bool unseen)
{
    memset(backing, 0, sizeof *backing);
    lc_kit_draw(&backing->kit, rng, unseen);
    draw_players(backing, bank, ranges->mixed, rng, synth);
    draw_layers(backing, bank, ranges->layered, rng);
    draw_levels(backing, ranges, rng);
    backing->power = lc_draw_even(rng, ranges->power.from, ranges->power.to);
    backing->wobble = lc_draw_chance(rng, 0.6) ? lc_draw_even(rng, 0.001, 0.012) : 0;
    backing->damping = lc_draw_even(rng, 0.015, 0.05);
}

bool lc_backing_has(const lc_backing *backing, lc_voice_kind part)
{
    return backing->parts[part].synthesised || backing->parts[part].instrument != NULL;
}

/* ---- strokes ------------------------------------------------------------------------------------------------ */

/* A synthesised stroke, scaled to the level that a sampled one would have. */
static size_t strike_voice(const lc_backing *backing, const lc_hit *hit, double level, double rate, lc_rng *rng,
                           float *out, size_t most)
{
    lc_voice voice = lc_voice_stroke(&backing->kit.voices[voice_for(hit->voice)], hit->velocity, rng);
    size_t length = lc_voice_length(&voice, rate);
    length = length < most ? length : most;
    lc_voice_render(&voice, 1, rate, (uint32_t)(lc_rng_next(rng) >> 32), out, length);
    double has = lc_sample_level(out, length, rate);
    float gain = has > 0 ? (float)(level / has) : 0;
    for (size_t i = 0; i < length; i++)
        out[i] *= gain;
    return length;
}

/* One stroke of a sampled instrument. */
typedef struct sampled_stroke {
    const lc_instrument *instrument;
    double velocity, pitch, level;
} sampled_stroke;

/* A neighbouring layer now and then: no two strokes are the same. */
static size_t strike_sample(const lc_backing *backing, sampled_stroke s, lc_rng *rng, float *out, size_t most)
{
    double velocity = s.velocity + 0.04 * lc_rng_normal(rng);
    double pitch = s.pitch * (1 + backing->wobble * fmin(2, fmax(-2, lc_rng_normal(rng))));
    const lc_sample *sample = lc_instrument_sample(s.instrument, fmin(1, fmax(0, velocity)));
    return lc_sample_play(sample, pitch, s.level, out, most);
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
static void add_stroke(const lc_backing *backing, const lc_hit *hit, double rate, float *samples, float *scratch,
                       size_t length)
{
    size_t stop = (size_t)((hit->stop - hit->time) * rate);
    double decay = backing->parts[hit->voice].decay;
    if (decay > 0)
        length = fade(scratch, length, 0, decay, rate);
    length = fade(scratch, length, stop, backing->damping, rate);
    for (size_t i = 0; i < length; i++)
        samples[i] += scratch[i];
}

void lc_backing_strike(const lc_backing *backing, const lc_hit *hit, double rate, lc_rng *rng, float *samples,
                       float *scratch, size_t n)
{
    const lc_backing_part *p = &backing->parts[hit->voice];
    size_t first = (size_t)(hit->time * rate), most = n - first;
    double level = p->level * pow(hit->velocity, backing->power) * exp(0.06 * lc_rng_normal(rng));
    if (p->layer != NULL) /* both together have it */
        level /= sqrt(1 + p->layer_level * p->layer_level);
    size_t ends = (size_t)((hit->stop - hit->time) * rate) + (size_t)(backing->damping * rate);
    most = most < ends ? most : ends;
    sampled_stroke own = {p->instrument, hit->velocity, p->pitch, level};
    size_t length = p->synthesised ? strike_voice(backing, hit, level, rate, rng, scratch, most)
                                   : strike_sample(backing, own, rng, scratch, most);
    add_stroke(backing, hit, rate, samples + first, scratch, length);
    if (p->layer == NULL)
        return;
    sampled_stroke layer = {p->layer, hit->velocity, p->pitch * p->layer_pitch, level * p->layer_level};
    length = strike_sample(backing, layer, rng, scratch, most);
    add_stroke(backing, hit, rate, samples + first, scratch, length);
}
