/* SPDX-License-Identifier: MIT
 * test_groove.c - grooves: every part occurs, tempo and bar are those asked for, the same seed gives the same. */
#include "check.h"

#include "studio/kits/part.h"
#include "studio/kits/pattern.h"

#include <stdlib.h>

enum { PATTERNS = 300 };
static const double seconds = 16;

static lc_pattern draw(uint64_t seed, lc_metre metre)
{
    lc_pattern p = {0};
    lc_rng rng = lc_rng_seed(seed);
    lc_groove_draw(&p, &rng, seconds, metre);
    CHECK_STATUS(lc_kit_pattern_finish(&p, seconds, NULL), LOCO_OK);
    return p;
}

static void all_parts_occur(void)
{
    size_t hits[LC_PARTS] = {0}, all = 0, soft = 0, dense = 0;
    for (uint64_t seed = 0; seed < PATTERNS; seed++) {
        lc_pattern p = draw(seed, (lc_metre){0});
        size_t hats = 0;
        for (size_t i = 0; i < p.length; i++) {
            const lc_hit *hit = &p.hits[i];
            CHECK(hit->time >= 0 && hit->time < seconds && hit->velocity > 0 && hit->velocity <= 1);
            hits[hit->voice]++;
            hats += lc_part_class(hit->voice) == 2;
            soft += hit->voice == LC_VOICE_SNARE && hit->velocity < 0.35;
        }
        all += p.length;
        dense += (double)hats > 6 * seconds; /* six strokes a second: punk, disco, funk */
        lc_pattern_free(&p);
    }
    static const lc_voice_kind wanted[] = {
        LC_VOICE_KICK, LC_VOICE_SNARE,   LC_VOICE_RIM,     LC_VOICE_HAT_CLOSED, LC_VOICE_HAT_OPEN, LC_VOICE_HAT_PEDAL,
        LC_VOICE_RIDE, LC_VOICE_CRASH,   LC_VOICE_SHAKER,  LC_VOICE_TAMBOURINE, LC_VOICE_COWBELL,  LC_VOICE_CONGA,
        LC_VOICE_CLAP, LC_VOICE_TOM_LOW, LC_VOICE_TOM_MID, LC_VOICE_TOM_HIGH};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        CHECK(hits[wanted[i]] > all / 1000);
    CHECK(hits[LC_VOICE_HAT_CLOSED] > all / 6);
    CHECK(soft > hits[LC_VOICE_SNARE] / 20);
    CHECK(dense > PATTERNS / 20);
}

static void same_seed_same_groove(void)
{
    lc_pattern a = draw(5, (lc_metre){0}), b = draw(5, (lc_metre){0}), c = draw(6, (lc_metre){0});
    CHECK(a.length == b.length && memcmp(a.hits, b.hits, a.length * sizeof *a.hits) == 0);
    CHECK(a.length != c.length || memcmp(a.hits, c.hits, a.length * sizeof *a.hits) != 0);
    lc_pattern_free(&a);
    lc_pattern_free(&b);
    lc_pattern_free(&c);
}

/* Kicks lie near the sixteenths or triplets of the beat that was asked for: 1/12 of a beat is their common grid. */
static void beat_is_kept(void)
{
    size_t near = 0, all = 0;
    const lc_metre metre = {.beat = 0.6, .first = -0.45};
    for (uint64_t seed = 0; seed < 60; seed++) {
        lc_pattern p = draw(seed, metre);
        for (size_t i = 0; i < p.length; i++) {
            if (p.hits[i].voice != LC_VOICE_KICK)
                continue;
            double place = (p.hits[i].time - metre.first) / metre.beat * 4, off = fabs(place - round(place));
            double third = place * 3 / 4, triplet = fabs(third - round(third)) * 4 / 3;
            near += fmin(off, triplet) * metre.beat / 4 < 0.03;
            all++;
        }
        lc_pattern_free(&p);
    }
    CHECK(all > 1000);
    CHECK(near > 85 * all / 100); /* the rest swings */
}

int main(void)
{
    RUN(all_parts_occur);
    RUN(same_seed_same_groove);
    RUN(beat_is_kept);
    return check_done();
}
