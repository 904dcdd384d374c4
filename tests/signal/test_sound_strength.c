/* SPDX-License-Identifier: MIT
 * test_sound_strength.c - a swelling tone begins, is loudest and has its middle at three different times. */
#include "cases.h"

#include "signal/sound_strength.h"

#include <stdlib.h>

enum { RATE = 8000, N = 2 * RATE };

static float sound[N];

/* From 0.5 s on: half loud at once, louder up to 0.9 s, gone at 1 s. */
static void make_sound(void)
{
    for (size_t i = 0; i < N; i++) {
        double t = (double)i / RATE, since = t - 0.5;
        double loud = since < 0 || since > 0.5 ? 0 : since < 0.4 ? 0.4 + since : 0.8 * (0.5 - since) / 0.1;
        sound[i] = (float)(loud * sin(2 * M_PI * 440 * t));
    }
}

static double largest(lc_anchor anchor)
{
    lc_strength strength = {0};
    size_t best = 0;
    CHECK_STATUS(lc_sound_strength(&strength, RATE, anchor, sound, N, NULL), LOCO_OK);
    for (size_t i = 1; i < strength.len; i++)
        best = strength.values[i] > strength.values[best] ? i : best;
    double time = (double)best * strength.hop;
    CHECK_EQ(strength.len, N / 40);
    free(strength.values);
    return time;
}

static void anchors_differ(void)
{
    make_sound();
    double onset = largest(LC_ANCHOR_ONSET), peak = largest(LC_ANCHOR_PEAK), centre = largest(LC_ANCHOR_CENTRE);
    printf("    onset %.3f s, peak %.3f s, centre %.3f s\n", onset, peak, centre);
    CHECK_NEAR(onset, 0.5, 0.011);
    CHECK_NEAR(largest(LC_ANCHOR_RISE), onset, 0);
    CHECK_NEAR(peak, 0.89, 0.015); /* it rises slowly and falls fast, and the smoothing moves it */
    CHECK(centre > 0.7 && centre < 0.85);
}

/* Two words of noise-free tone over faint hiss, each of two syllables with 0.08 s between them: the second syllables are
 * louder, and are not beginnings. */
static void words_begin_after_silence(void)
{
    static const double starts[] = {0.3, 1.2};
    uint32_t state = 1;
    double sums[3] = {0};
    lc_strength strength = {0};
    for (size_t i = 0; i < N; i++) {
        double t = (double)i / RATE;
        state = state * 1664525u + 1013904223u;
        sound[i] = (float)(1e-3 * ((double)state / 4294967296.0 - 0.5));
        for (size_t w = 0; w < 2; w++)
            if ((t >= starts[w] && t < starts[w] + 0.15) || (t >= starts[w] + 0.23 && t < starts[w] + 0.4))
                sound[i] += (float)((t < starts[w] + 0.2 ? 0.05 : 0.5) * sin(2 * M_PI * 300 * t));
    }
    CHECK_STATUS(lc_sound_strength(&strength, RATE, LC_ANCHOR_WORD, sound, N, NULL), LOCO_OK);
    for (size_t i = 0; i < strength.len; i++) {
        double t = (double)i * strength.hop;
        sums[fabs(t - starts[0]) < 0.1 ? 0 : fabs(t - starts[1]) < 0.1 ? 1 : 2] += (double)strength.values[i];
    }
    CHECK_NEAR(sums[0], 1, 0.01);
    CHECK_NEAR(sums[1], 1, 0.01);
    CHECK_NEAR(sums[2], 0, 0.01);
    free(strength.values);
}

/* Of an even tone, without silence, nothing begins. */
static void without_silence_there_are_no_words(void)
{
    lc_strength strength = {0};
    for (size_t i = 0; i < N; i++)
        sound[i] = (float)sin(2 * M_PI * 300 * (double)i / RATE);
    CHECK_STATUS(lc_sound_strength(&strength, RATE, LC_ANCHOR_WORD, sound, N, NULL), LOCO_OK);
    for (size_t i = 0; i < strength.len; i++)
        CHECK(!(strength.values[i] > 0));
    free(strength.values);
}

static void smoothing_keeps_place_and_sum(void)
{
    float values[101] = {0};
    double sum = 0, mean = 0, squares = 0;
    values[50] = 1;
    CHECK(lc_strength_smooth(values, 101, 5));
    for (size_t i = 0; i < 101; i++) {
        sum += (double)values[i];
        mean += (double)values[i] * (double)i;
        squares += (double)values[i] * ((double)i - 50) * ((double)i - 50);
    }
    CHECK_NEAR(sum, 1, 1e-6);
    CHECK_NEAR(mean, 50, 1e-4);
    CHECK_NEAR(sqrt(squares), 5, 0.6);
    CHECK(lc_strength_smooth(values, 0, 5));
}

int main(void)
{
    RUN(anchors_differ);
    RUN(words_begin_after_silence);
    RUN(without_silence_there_are_no_words);
    RUN(smoothing_keeps_place_and_sum);
    return check_done();
}
