/* SPDX-License-Identifier: MIT
 * test_pattern.c - patterns: order, distances, chokes, variety, and no metre to learn by heart. */
#include "check.h"

#include "studio/synth/pattern.h"

#include <stdlib.h>

enum { PATTERNS = 200 };

static lc_pattern pattern_of(uint64_t seed, double seconds, bool distractors)
{
    lc_rng rng = lc_rng_seed(seed);
    lc_pattern pattern = {0};
    CHECK_STATUS(lc_pattern_draw(&pattern, &rng, seconds, distractors, NULL), LOCO_OK);
    return pattern;
}

static size_t group_of(lc_voice_kind voice)
{
    size_t class = lc_voice_class(voice);
    return class < 3 ? class : (size_t)voice;
}

static void hits_are_in_order_and_apart(void)
{
    size_t wrong = 0;
    for (uint64_t seed = 0; seed < PATTERNS; seed++) {
        lc_pattern p = pattern_of(seed, 20, seed % 3 > 0);
        for (size_t i = 0; i < p.length; i++) {
            wrong += !(p.hits[i].time >= 0 && p.hits[i].time <= 20 - LC_HIT_MARGIN);
            wrong += !(p.hits[i].velocity > 0 && p.hits[i].velocity <= 1);
            wrong += !(p.hits[i].stop > p.hits[i].time);
            wrong += seed % 3 == 0 && lc_voice_class(p.hits[i].voice) == 3;
            wrong += i > 0 && p.hits[i].time < p.hits[i - 1].time;
            for (size_t j = i + 1; j < p.length && p.hits[j].time - p.hits[i].time < LC_HIT_DISTANCE; j++)
                wrong += group_of(p.hits[j].voice) == group_of(p.hits[i].voice);
        }
        lc_pattern_free(&p);
    }
    CHECK_EQ(wrong, 0);
}

/* The next stroke on the hi-hat ends the one before, and nothing else ends. */
static void hats_choke_each_other(void)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        lc_pattern p = pattern_of(seed, 20, true);
        for (size_t i = 0; i < p.length; i++) {
            double stop = 80;
            for (size_t j = p.length; lc_voice_class(p.hits[i].voice) == 2 && j-- > i + 1;)
                if (lc_voice_class(p.hits[j].voice) == 2)
                    stop = p.hits[j].time;
            CHECK_NEAR(p.hits[i].stop, stop, 1e-9);
        }
        lc_pattern_free(&p);
    }
}

static void every_voice_plays(void)
{
    size_t hits[LC_VOICES] = {0}, all = 0, empty = 0;
    for (uint64_t seed = 0; seed < PATTERNS; seed++) {
        lc_pattern p = pattern_of(seed, 20, true);
        for (size_t i = 0; i < p.length; i++)
            hits[p.hits[i].voice]++;
        all += p.length;
        empty += p.length == 0;
        lc_pattern_free(&p);
    }
    for (size_t v = 0; v < LC_VOICES; v++)
        CHECK(hits[v] > all / 250);
    CHECK(hits[LC_VOICE_KICK] > all / 8 && hits[LC_VOICE_SNARE] > all / 8 && hits[LC_VOICE_HAT_CLOSED] > all / 8);
    CHECK(all > 3 * 20 * PATTERNS && all < 12 * 20 * PATTERNS);
    CHECK(empty < PATTERNS / 10);
}

/* Every combination of classes occurs both together (within 25 ms) and apart, so that none predicts another. */
static void classes_come_alone_and_together(void)
{
    size_t alone[3] = {0}, with[3][3] = {{0}};
    for (uint64_t seed = 0; seed < PATTERNS; seed++) {
        lc_pattern p = pattern_of(seed, 20, false);
        for (size_t i = 0; i < p.length; i++) {
            size_t a = lc_voice_class(p.hits[i].voice), company = 0;
            for (size_t j = 0; j < p.length; j++)
                if (j != i && fabs(p.hits[j].time - p.hits[i].time) < 0.025) {
                    with[a][lc_voice_class(p.hits[j].voice)]++;
                    company++;
                }
            alone[a] += company == 0;
        }
        lc_pattern_free(&p);
    }
    for (size_t a = 0; a < 3; a++) {
        CHECK(alone[a] > 1000);
        for (size_t b = 0; b < 3; b++)
            CHECK(a == b || with[a][b] > 200);
    }
}

/* Intervals between strokes of one class: no single grid holds most of them. */
static void intervals_are_spread(void)
{
    size_t bins[50] = {0}, all = 0, most = 0; /* of 20 ms */
    for (uint64_t seed = 0; seed < PATTERNS; seed++) {
        lc_pattern p = pattern_of(seed, 20, false);
        double last[3] = {-9, -9, -9};
        for (size_t i = 0; i < p.length; i++) {
            size_t class = lc_voice_class(p.hits[i].voice);
            double interval = p.hits[i].time - last[class];
            last[class] = p.hits[i].time;
            if (interval < 1) {
                bins[(size_t)(interval * 50)]++;
                all++;
            }
        }
        lc_pattern_free(&p);
    }
    for (size_t b = 0; b < 50; b++)
        most = bins[b] > most ? bins[b] : most;
    CHECK(most < all / 5);
    for (size_t b = 3; b < 30; b++)
        CHECK(bins[b] > all / 500);
}

static void same_seed_same_pattern(void)
{
    lc_pattern a = pattern_of(3, 10, true), b = pattern_of(3, 10, true), c = pattern_of(4, 10, true);
    CHECK_EQ(a.length, b.length);
    for (size_t i = 0; i < a.length && i < b.length; i++)
        CHECK_NEAR(a.hits[i].time, b.hits[i].time, 0);
    CHECK(a.length > 0 && c.length > 0 && fabs(a.hits[0].time - c.hits[0].time) > 0);
    lc_pattern_free(&a);
    lc_pattern_free(&b);
    lc_pattern_free(&c);
    lc_pattern tiny = pattern_of(1, 0.1, true);
    CHECK(tiny.length < 10);
    lc_pattern_free(&tiny);
}

int main(void)
{
    RUN(hits_are_in_order_and_apart);
    RUN(hats_choke_each_other);
    RUN(every_voice_plays);
    RUN(classes_come_alone_and_together);
    RUN(intervals_are_spread);
    RUN(same_seed_same_pattern);
    return check_done();
}
