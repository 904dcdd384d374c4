/* SPDX-License-Identifier: MIT
 * test_strip.c - what the equaliser lifts, what machines cut, and that nothing sounds before its cause. */
#include "check.h"

#include "data/augment.h"
#include "studio/kits/strip.h"

#include <stdlib.h>

enum { N = 22050 };
static const double rate = 22050;
static float samples[N];

static void fill_tone(double frequency)
{
    for (size_t i = 0; i < N; i++)
        samples[i] = (float)(0.5 * sin(6.283185307 * frequency * (double)i / rate));
}

/* dB that the second half of a tone gains. */
static double gain_of_bell(double frequency, double centre, double decibels)
{
    fill_tone(frequency);
    double before = lc_augment_level(samples + N / 2, N / 2);
    lc_strip_bell(samples, N, rate, centre, 1, decibels);
    return 20 * log10(lc_augment_level(samples + N / 2, N / 2) / before);
}

static void bell_lifts_its_band(void)
{
    CHECK_NEAR(gain_of_bell(1000, 1000, 6), 6, 0.1);
    CHECK_NEAR(gain_of_bell(1000, 1000, -9), -9, 0.2);
    CHECK(fabs(gain_of_bell(60, 1000, 6)) < 0.3);
    CHECK(fabs(gain_of_bell(9000, 1000, 6)) < 0.3);
}

typedef void strip(float *samples, size_t n, double rate, lc_rng *rng);

static void equalise(float *x, size_t n, double r, lc_rng *rng)
{
    lc_strip_equalise(x, n, r, 8, rng);
}

static void saturate(float *x, size_t n, double r, lc_rng *rng)
{
    (void)r;
    lc_strip_saturate(x, n, rng);
}

static strip *const strips[] = {equalise,     lc_strip_attack, saturate,     lc_strip_codec,
                                lc_strip_old, lc_strip_click,  lc_strip_buzz};

static bool differ(const float *a, const float *b)
{
    for (size_t i = 0; i < N; i++)
        if (a[i] != b[i])
            return true;
    return false;
}

/* A stroke in the middle: before it nothing, after it finite numbers, and another seed sounds different. */
static void all_are_causal_and_drawn(void)
{
    static float first[N];
    for (size_t k = 0; k < sizeof strips / sizeof *strips; k++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            lc_rng rng = lc_rng_seed(seed);
            memset(samples, 0, sizeof samples);
            for (size_t i = 0; i < N - N / 2; i++)
                samples[N / 2 + i] = (float)(0.5 * cos(0.9 * (double)i) * exp(-(double)i / 2000));
            strips[k](samples, N, rate, &rng);
            double early = 0, level = lc_augment_level(samples + N / 2, N / 2);
            for (size_t i = 0; i < N / 2; i++)
                early = fmax(early, fabs((double)samples[i]));
            CHECK(early < (strips[k] == lc_strip_old ? 0.05 : 1e-6)); /* crackles come by themselves */
            CHECK(isfinite(level) && level > 0.001 && level < 2);
            if (seed == 0)
                memcpy(first, samples, sizeof first);
            else
                CHECK(differ(first, samples));
        }
}

static void silence_stays(void)
{
    for (size_t k = 0; k < sizeof strips / sizeof *strips; k++) {
        lc_rng rng = lc_rng_seed(3);
        memset(samples, 0, sizeof samples);
        strips[k](samples, N, rate, &rng);
        strips[k](samples, 0, rate, &rng);
        CHECK(lc_augment_level(samples, N) < 1e-6);
    }
}

static void old_machines_cut_the_ends(void)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        fill_tone(10500);
        lc_strip_old(samples, N, rate, &rng);
        CHECK(lc_augment_level(samples + N / 2, N / 2) < 0.2);
        fill_tone(20);
        lc_strip_old(samples, N, rate, &rng);
        CHECK(lc_augment_level(samples + N / 2, N / 2) < 0.1);
        fill_tone(1000);
        lc_strip_old(samples, N, rate, &rng);
        CHECK(lc_augment_level(samples + N / 2, N / 2) > 0.3);
    }
}

int main(void)
{
    RUN(bell_lifts_its_band);
    RUN(all_are_causal_and_drawn);
    RUN(silence_stays);
    RUN(old_machines_cut_the_ends);
    return check_done();
}
