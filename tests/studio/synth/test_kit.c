/* SPDX-License-Identifier: MIT
 * test_kit.c - kits: seen and unseen ones draw from different parts of every range; unseen ones also have
 *   designs of their own. */
#include "cases.h"

#include "studio/synth/designs.h"
#include "studio/synth/kit.h"

enum { KITS = 300 };

static lc_kit kit_of(uint64_t seed, bool unseen)
{
    lc_rng rng = lc_rng_seed(seed);
    lc_kit kit;
    lc_kit_draw(&kit, &rng, unseen);
    return kit;
}

static bool left_out(double place)
{
    return (place >= 0 && place < 0.08) || (place >= 0.46 && place < 0.54) || (place >= 0.92 && place < 1);
}

static void places_are_disjoint(void)
{
    lc_rng rng = lc_rng_seed(1);
    size_t parts[3] = {0};
    double seen_sum = 0, least = 1, most = 0;
    for (size_t i = 0; i < 20000; i++) {
        double seen = lc_kit_place(&rng, false), unseen = lc_kit_place(&rng, true);
        if (left_out(seen) || !left_out(unseen) || !(seen >= 0.08 && seen < 0.92))
            CHECK(!left_out(seen) && left_out(unseen));
        parts[unseen < 0.2 ? 0 : unseen < 0.7 ? 1 : 2]++;
        seen_sum += seen;
        least = fmin(least, seen);
        most = fmax(most, seen);
    }
    CHECK_NEAR(seen_sum / 20000, 0.5, 0.01);
    CHECK(least < 0.081 && most > 0.919);
    for (size_t part = 0; part < 3; part++)
        CHECK_NEAR((double)parts[part] / 20000, 1.0 / 3, 0.02);
}

static void designs_are_split(void)
{
    size_t used[LC_VOICES][16] = {{0}};
    for (uint64_t seed = 0; seed < KITS; seed++) {
        lc_kit kit = kit_of(seed, seed % 2 == 1);
        for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++) {
            size_t unseen = 0, all = lc_kit_designs(kind, &unseen), family = kit.voices[kind].family;
            CHECK(unseen >= 1 && unseen < all && all <= 16);
            CHECK(family < (seed % 2 == 1 ? all : unseen));
            used[kind][family < 16 ? family : 15]++;
        }
    }
    for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++) {
        size_t unseen = 0, all = lc_kit_designs(kind, &unseen);
        for (size_t family = 0; family < all; family++)
            CHECK(used[kind][family] > KITS / 40);
    }
}

/* The place of a drawn number in its range is one of its world's, whatever the design. */
static void numbers_are_split(void)
{
    for (uint64_t seed = 0; seed < KITS / 4; seed++)
        for (int unseen = 0; unseen < 2; unseen++) {
            lc_kit kit = kit_of(seed, unseen == 1);
            const lc_voice *kick = &kit.voices[LC_VOICE_KICK];
            const lc_design_list list = lc_designs_of(LC_VOICE_KICK);
            const lc_design *design = &list.designs[kick->family];
            lc_design_range pitch = design->tones[0].frequency, decay = design->tones[0].decay;
            CHECK(left_out(log(kick->tones[0].frequency / pitch.lo) / log(pitch.hi / pitch.lo)) == (unseen == 1));
            CHECK(left_out(log(kick->tones[0].decay / decay.lo) / log(decay.hi / decay.lo)) == (unseen == 1));
        }
}

static void hats_are_one_instrument(void)
{
    for (uint64_t seed = 0; seed < KITS / 4; seed++) {
        lc_kit kit = kit_of(seed, seed % 2 == 1);
        const lc_voice *closed = &kit.voices[LC_VOICE_HAT_CLOSED], *open = &kit.voices[LC_VOICE_HAT_OPEN];
        const lc_voice *pedal = &kit.voices[LC_VOICE_HAT_PEDAL];
        CHECK(case_same(closed->metal.frequency, open->metal.frequency, sizeof closed->metal.frequency));
        CHECK(open->metal.decay > 2 * closed->metal.decay && open->metal.decay <= 1.3);
        CHECK(lc_voice_length(pedal, 22050) < lc_voice_length(open, 22050));
        CHECK(kit.voices[LC_VOICE_TOM_LOW].tones[0].frequency < kit.voices[LC_VOICE_TOM_HIGH].tones[0].frequency);
    }
}

static void kits_differ_and_repeat(void)
{
    lc_kit a = kit_of(1, false), b = kit_of(1, false), c = kit_of(2, false);
    for (lc_voice_kind kind = 0; kind < LC_VOICES; kind++) {
        CHECK_NEAR(a.voices[kind].gain, b.voices[kind].gain, 0);
        CHECK(fabs(a.voices[kind].gain - c.voices[kind].gain) > 0);
        CHECK(a.voices[kind].gain > 0 && isfinite(a.voices[kind].gain));
    }
}

int main(void)
{
    RUN(places_are_disjoint);
    RUN(designs_are_split);
    RUN(numbers_are_split);
    RUN(hats_are_one_instrument);
    RUN(kits_differ_and_repeat);
    return check_done();
}
