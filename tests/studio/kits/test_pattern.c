/* SPDX-License-Identifier: MIT
 * test_pattern.c - order, distances, chokes, and lines that change hands. */
#include "check.h"

#include "studio/kits/part.h"
#include "studio/kits/pattern.h"

#include <stdlib.h>

static void add(lc_pattern *p, double time, lc_voice_kind voice, double velocity)
{
    lc_pattern_push(p, (lc_hit){.time = time, .voice = voice, .velocity = velocity});
}

static void missing_memory_is_reported(void)
{
    lc_pattern p = {0};
    loco_err err = {""};
    add(&p, 1, LC_VOICE_KICK, 1);
    p.failed = true;
    CHECK_STATUS(lc_kit_pattern_finish(&p, 10, &err), LOCO_ENOMEM);
    CHECK(p.hits == NULL && p.length == 0 && strstr(err.text, "memory") != NULL);
    CHECK_STATUS(lc_kit_pattern_finish(&p, 10, &err), LOCO_OK);
    CHECK_EQ(p.length, 0);
}

/* A flam becomes one stroke, the harder one, where the first was; the rim counts with the snare, the ride does not. */
static void close_strokes_are_joined(void)
{
    lc_pattern p = {0};
    add(&p, 2, LC_VOICE_RIDE, 0.5);
    add(&p, 1.02, LC_VOICE_SNARE, 0.9);
    add(&p, 1, LC_VOICE_RIM, 0.3);
    add(&p, 1.01, LC_VOICE_KICK, 0.7);
    add(&p, 2.01, LC_VOICE_CRASH, 0.5);
    add(&p, 2.02, LC_VOICE_RIDE, 0.6);
    add(&p, -0.01, LC_VOICE_KICK, 1);
    add(&p, 9.96, LC_VOICE_KICK, 1);
    CHECK_STATUS(lc_kit_pattern_finish(&p, 10, NULL), LOCO_OK);
    CHECK_EQ(p.length, 4);
    CHECK(p.hits[0].voice == LC_VOICE_RIM && p.hits[1].voice == LC_VOICE_KICK && p.hits[2].voice == LC_VOICE_RIDE);
    CHECK_NEAR(p.hits[0].velocity, 0.9, 0);
    CHECK_NEAR(p.hits[2].velocity, 0.6, 0);
    CHECK(p.hits[3].voice == LC_VOICE_CRASH);
    lc_pattern_free(&p);
}

static void hats_choke_each_other(void)
{
    lc_pattern p = {0};
    add(&p, 1, LC_VOICE_HAT_OPEN, 1);
    add(&p, 1.5, LC_VOICE_RIDE, 1);
    add(&p, 2, LC_VOICE_HAT_PEDAL, 1);
    CHECK_STATUS(lc_kit_pattern_finish(&p, 10, NULL), LOCO_OK);
    CHECK_NEAR(p.hits[0].stop, 2, 0);
    CHECK(p.hits[1].stop > 10 && p.hits[2].stop > 10);
    lc_pattern_free(&p);
}

/* In most patterns the hi-hat stays, in some it is gone, in some others play along; nothing else changes. */
static void lines_change_hands(void)
{
    size_t stayed = 0, gone = 0, doubled = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        lc_pattern p = {0};
        size_t hats = 0;
        for (int i = 0; i < 40; i++)
            add(&p, 0.2 * i + 0.1, i % 4 == 0 ? LC_VOICE_KICK : LC_VOICE_HAT_CLOSED, 0.8);
        lc_kit_pattern_orchestrate(&p, &rng);
        for (size_t i = 0; i < p.length; i++)
            hats += lc_part_class(p.hits[i].voice) == 2;
        stayed += hats == 30 && p.length == 40;
        gone += hats == 0 && p.length == 40;
        doubled += hats == 30 && p.length > 45;
        lc_pattern_free(&p);
    }
    CHECK_EQ(stayed + gone + doubled, 400);
    CHECK(stayed > 250 && gone > 25 && doubled > 30);
}

/* In some patterns the snare becomes a stick on the rim, toms play, hi-hats rest: in most nothing changes. */
static void contrasts(void)
{
    size_t stayed = 0, sticks = 0, toms = 0, lone = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        lc_pattern p = {0};
        size_t parts[LC_PARTS] = {0};
        for (int i = 0; i < 40; i++)
            add(&p, 0.2 * i + 0.1, i % 4 == 0 ? LC_VOICE_KICK : i % 4 == 2 ? LC_VOICE_SNARE : LC_VOICE_HAT_CLOSED, 0.8);
        lc_kit_pattern_contrast(&p, &rng);
        for (size_t i = 0; i < p.length; i++)
            parts[p.hits[i].voice]++;
        stayed += parts[LC_VOICE_KICK] == 10 && parts[LC_VOICE_SNARE] == 10 && parts[LC_VOICE_HAT_CLOSED] == 20;
        sticks += parts[LC_VOICE_RIM] == 10 && parts[LC_VOICE_SNARE] == 0;
        toms += parts[LC_VOICE_TOM_HIGH] + parts[LC_VOICE_TOM_MID] + parts[LC_VOICE_TOM_LOW] >= 10;
        lone += parts[LC_VOICE_KICK] == 10 && parts[LC_VOICE_HAT_CLOSED] == 0 && p.length < 40;
        lc_pattern_free(&p);
    }
    CHECK(stayed > 120 && sticks > 15 && toms > 15 && lone > 25);
}

int main(void)
{
    RUN(missing_memory_is_reported);
    RUN(close_strokes_are_joined);
    RUN(hats_choke_each_other);
    RUN(lines_change_hands);
    RUN(contrasts);
    return check_done();
}
