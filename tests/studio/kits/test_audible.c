/* SPDX-License-Identifier: MIT
 * test_audible.c - the two rules on small cases. */
#include "check.h"

#include "signal/filter.h"
#include "studio/kits/audible.h"
#include "studio/kits/part.h"

#include <stdlib.h>

enum { N = 22050 };
static const double rate = 22050;
static float own[N], rest[N];

static void add(lc_pattern *p, double time, lc_voice_kind voice, double velocity)
{
    lc_pattern_push(p, (lc_hit){.time = time, .voice = voice, .velocity = velocity});
}

/* Of the snare, 20 dB are kept; the rim is of the same class, with a level of its own; others have a class of theirs. */
static void soft_strokes_are_left_out(void)
{
    lc_pattern p = {0};
    double level[LC_PARTS];
    for (size_t i = 0; i < LC_PARTS; i++)
        level[i] = 1;
    level[LC_VOICE_RIM] = lc_gain_of(-15);
    add(&p, 0.1, LC_VOICE_SNARE, 1);
    add(&p, 0.2, LC_VOICE_SNARE, lc_gain_of(-9.9)); /* power 2: 19.8 dB */
    add(&p, 0.3, LC_VOICE_SNARE, lc_gain_of(-10.1));
    add(&p, 0.4, LC_VOICE_RIM, lc_gain_of(-2));
    add(&p, 0.5, LC_VOICE_RIM, lc_gain_of(-3));
    add(&p, 0.6, LC_VOICE_KICK, lc_gain_of(-15));
    lc_audible_keep(&p, level, 2);
    CHECK_EQ(p.length, 4);
    CHECK_NEAR(p.hits[1].time, 0.2, 0);
    CHECK_NEAR(p.hits[2].time, 0.4, 0);
    CHECK_NEAR(p.hits[3].time, 0.6, 0);
    lc_pattern_free(&p);
}

static void tone(float *to, double frequency, double amplitude)
{
    for (size_t i = 0; i < N; i++)
        to[i] = (float)(amplitude * sin(6.283185307 * frequency * (double)i / rate));
}

static bool is_audible(lc_voice_kind voice, double frequency, double other, double decibels)
{
    lc_pattern p = {0};
    bool marks[2] = {false, false};
    add(&p, 0.5, voice, 1);
    add(&p, 0.6, LC_VOICE_RIDE, 1);
    tone(own, frequency, 0.5);
    tone(rest, other, 0.5 * lc_gain_of(decibels));
    lc_audible_mark(marks, &p, lc_part_group_of(voice), own, rest, N, rate);
    CHECK(!marks[1]); /* not its class: untouched */
    lc_pattern_free(&p);
    return marks[0];
}

static void masked_in_their_own_band_alone(void)
{
    CHECK(is_audible(LC_VOICE_KICK, 80, 90, 0));
    CHECK(is_audible(LC_VOICE_KICK, 80, 90, 16));
    CHECK(!is_audible(LC_VOICE_KICK, 80, 90, 20));
    CHECK(is_audible(LC_VOICE_KICK, 80, 2000, 26));
    CHECK(!is_audible(LC_VOICE_HAT_CLOSED, 8000, 9000, 20));
    CHECK(is_audible(LC_VOICE_HAT_CLOSED, 8000, 100, 40));
    CHECK(!is_audible(LC_VOICE_RIM, 1000, 1500, 20));
    CHECK(is_audible(LC_VOICE_SNARE, 1000, 1500, 10));
    CHECK(!is_audible(LC_VOICE_TOM_LOW, 150, 200, 20));
    CHECK(is_audible(LC_VOICE_TAMBOURINE, 8000, 200, 30));
}

/* At the end of the recording the window is short. */
static void the_last_sample(void)
{
    lc_pattern p = {0};
    bool mark = false;
    add(&p, (N - 1) / rate, LC_VOICE_KICK, 1);
    tone(own, 80, 0.5);
    tone(rest, 80, 0.001);
    lc_audible_mark(&mark, &p, LC_GROUP_KICK, own, rest, N, rate);
    CHECK(mark);
    lc_pattern_free(&p);
}

int main(void)
{
    RUN(soft_strokes_are_left_out);
    RUN(masked_in_their_own_band_alone);
    RUN(the_last_sample);
    return check_done();
}
