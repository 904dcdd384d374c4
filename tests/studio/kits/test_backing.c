/* SPDX-License-Identifier: MIT
 * test_backing.c - who plays what; strokes that begin at their sample. */
#include "kit_cases.h"

#include "studio/kits/backing.h"

#include <stdlib.h>

enum { N = 22050 };
static lc_bank bank;

static void draw_bands(double synth, size_t *sampled, size_t *synthesised, size_t *missing)
{
    *sampled = *synthesised = *missing = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        lc_backing backing;
        lc_backing_draw(&backing, &bank, &lc_ranges_varied, &rng, synth, false);
        for (lc_voice_kind part = 0; part < LC_PARTS; part++) {
            const lc_backing_part *p = &backing.parts[part];
            CHECK(p->level > 0.005 && p->level < 2 && p->pitch > 0.6 && p->pitch < 1.7);
            CHECK(!(p->synthesised && p->instrument != NULL));
            CHECK(p->instrument == NULL || p->instrument->part == part);
            *sampled += p->instrument != NULL;
            *synthesised += p->synthesised;
            *missing += !lc_backing_has(&backing, part);
        }
    }
}

/* The kits have 4 of 18 parts; of the others 14 or so may be synthesised. */
static void parts_are_sampled_or_synthesised(void)
{
    size_t sampled, synthesised, missing;
    draw_bands(0, &sampled, &synthesised, &missing);
    CHECK_EQ(sampled, 4 * 200);
    CHECK_EQ(synthesised, 0);
    CHECK_EQ(missing, 14 * 200);
    draw_bands(1, &sampled, &synthesised, &missing);
    CHECK_EQ(synthesised, 15 * 200); /* all but cowbell, conga and wood */
    draw_bands(0.3, &sampled, &synthesised, &missing);
    CHECK(synthesised > 15 * 40 && synthesised < 15 * 80);
    lc_bank empty = {0}, full = bank;
    bank = empty;
    draw_bands(0, &sampled, &synthesised, &missing);
    bank = full;
    CHECK_EQ(synthesised, 15 * 200);
}

/* Kits of one path are one source: half of the kicks come from the lone kit of the other path. */
static void sources_are_equally_likely(void)
{
    size_t lone = 0;
    const char *paths[8] = {NULL};
    for (size_t i = 0; i < bank.len; i++) {
        paths[i] = bank.kits[i].path;
        bank.kits[i].path = i + 1 < bank.len ? "a" : "b";
    }
    for (uint64_t seed = 0; seed < 400; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        lc_backing backing;
        lc_backing_draw(&backing, &bank, &lc_ranges_varied, &rng, 0, false);
        lone += backing.parts[LC_VOICE_KICK].instrument == lc_bank_kit_find(&bank.kits[bank.len - 1], LC_VOICE_KICK, 0);
    }
    CHECK(bank.len >= 3 && lone > 150 && lone < 250);
    for (size_t i = 0; i < bank.len; i++)
        bank.kits[i].path = paths[i];
}

static size_t first_sound(const float *samples)
{
    size_t i = 0;
    while (i < N && samples[i] == 0)
        i++;
    return i;
}

/* Sampled or synthesised: nothing before the sample of the event, sound at it, and its level is the one wanted. */
static void strokes_begin_at_their_sample(void)
{
    static float samples[N], scratch[N];
    for (uint64_t seed = 0; seed < 60; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        lc_backing backing;
        lc_hit hit = {.time = 0.25 + 0.00013 * (double)seed, .stop = 60, .velocity = 0.8, .voice = LC_VOICE_KICK};
        hit.voice = seed % 3 == 0 ? LC_VOICE_KICK : seed % 3 == 1 ? LC_VOICE_SNARE : LC_VOICE_HAT_CLOSED;
        lc_backing_draw(&backing, &bank, &lc_ranges_varied, &rng, seed % 2 == 0 ? 0 : 1, false);
        backing.parts[hit.voice].decay = 0;
        memset(samples, 0, sizeof samples);
        lc_backing_strike(&backing, &hit, KIT_RATE, &rng, samples, scratch, N);
        size_t first = (size_t)(hit.time * KIT_RATE), found = first_sound(samples);
        CHECK(found >= first && found <= first + 12); /* a synthesised attack may begin at 0 */
        double level = lc_sample_level(samples + first, N - first, KIT_RATE);
        double want = backing.parts[hit.voice].level * pow(0.8, backing.power);
        CHECK(level > 0.6 * want && level < 1.5 * want); /* two layers in phase, or against it */
    }
}

/* One in four groups has a layer where recordings vary, none in ordinary ones; it is of the same part. */
static void layers_are_of_the_same_part(void)
{
    size_t layered = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        lc_backing backing;
        lc_backing_draw(&backing, &bank, &lc_ranges_varied, &rng, 0, false);
        const lc_backing_part *snare = &backing.parts[LC_VOICE_SNARE];
        layered += snare->layer != NULL;
        CHECK(snare->layer == NULL || (snare->layer->part == LC_VOICE_SNARE && snare->layer_level > 0.2));
        rng = lc_rng_seed(seed);
        lc_backing_draw(&backing, &bank, &lc_ranges_ordinary, &rng, 0, false);
        CHECK(backing.parts[LC_VOICE_SNARE].layer == NULL);
    }
    CHECK(layered > 60 && layered < 140);
}

static void chokes_and_ends(void)
{
    static float samples[N], scratch[N];
    lc_rng rng = lc_rng_seed(1);
    lc_backing backing;
    lc_backing_draw(&backing, &bank, &lc_ranges_varied, &rng, 0, false);
    lc_hit hit = {.time = 0.1, .stop = 0.11, .velocity = 1, .voice = LC_VOICE_HAT_CLOSED};
    lc_backing_strike(&backing, &hit, KIT_RATE, &rng, samples, scratch, N);
    size_t last = N;
    while (last > 0 && samples[last - 1] == 0)
        last--;
    CHECK(last > (size_t)(0.11 * KIT_RATE) && last <= (size_t)((0.11 + backing.damping) * KIT_RATE) + 2);
    hit = (lc_hit){.time = (N - 1.0) / KIT_RATE, .stop = 60, .velocity = 1, .voice = LC_VOICE_KICK};
    lc_backing_strike(&backing, &hit, KIT_RATE, &rng, samples, scratch, N); /* one sample fits */
}

int main(void)
{
    lc_pool *pool;
    if (!data_begin() || lc_pool_new(&pool, 1, NULL) != LOCO_OK)
        return 1;
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "kit%d", i);
        kit_make(name);
    }
    CHECK_STATUS(lc_bank_add_kits(&bank, data_path(""), (lc_kit_side){0}, KIT_RATE, pool, NULL), LOCO_OK);
    RUN(parts_are_sampled_or_synthesised);
    RUN(sources_are_equally_likely);
    RUN(strokes_begin_at_their_sample);
    RUN(layers_are_of_the_same_part);
    RUN(chokes_and_ends);
    lc_bank_free(&bank);
    lc_pool_free(pool);
    return data_done();
}
