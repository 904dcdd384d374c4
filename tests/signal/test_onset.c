/* SPDX-License-Identifier: MIT
 * test_onset.c - onset strength peaks where sound begins, and nowhere else. */
#include "sounds.h"

#include "signal/onset.h"

static void wrong_arguments_are_refused(void)
{
    float x[10] = {0}, *strength = NULL;
    size_t frames = 7;
    double hop;
    loco_err err;
    static const double rates[] = {0, 1000, 2e6, NAN};
    for (size_t i = 0; i < 4; i++) {
        CHECK_STATUS(lc_onset_strength(x, 10, rates[i], &strength, &frames, &hop, &err), LOCO_EARG);
        CHECK_SAYS(err.text, "2000 to 1000000 Hz");
    }
    CHECK(strength == NULL && frames == 7);
}

static void lengths(void)
{
    static const size_t lengths_of[] = {0, 1, 109, 110, 111, 5000, 100000};
    float *x = sound_noise(100000, 0.1f, 1), *strength;
    for (size_t i = 0; i < 7; i++) {
        size_t frames;
        double hop;
        CHECK_STATUS(lc_onset_strength(x, lengths_of[i], 22050, &strength, &frames, &hop, NULL), LOCO_OK);
        CHECK_EQ(frames, (lengths_of[i] + 109) / 110);
        CHECK_NEAR(hop, 110.0 / 22050, 0);
        for (size_t t = 0; t < frames; t++)
            CHECK(strength[t] >= 0);
        free(strength);
    }
    free(x);
}

static void silence_has_no_onset(void)
{
    float *x = case_array(20000, sizeof *x), *strength;
    size_t frames;
    double hop;
    CHECK_STATUS(lc_onset_strength(x, 20000, 22050, &strength, &frames, &hop, NULL), LOCO_OK);
    for (size_t t = 0; t < frames; t++)
        CHECK_NEAR(strength[t], 0, 0);
    free(strength);
    free(x);
}

enum { BURSTS = 60 };

/* Bursts of noise or of a low tone in faint noise; their times. */
static float *bursts(double rate, size_t n, bool tone, double *times)
{
    float *x = sound_noise(n, 2e-4f, 2);
    lc_rng rng = lc_rng_seed(3);
    for (size_t b = 0; b < BURSTS; b++) {
        size_t at = (size_t)((0.2 + 0.29 * (double)b + 0.02 * lc_rng_uniform(&rng)) * rate);
        double level = pow(10, -1.5 * lc_rng_uniform(&rng));
        times[b] = (double)at / rate;
        for (size_t i = 0; (double)i < 0.2 * rate; i++) {
            double t = (double)i / rate, wave = tone ? sin(2 * acos(-1) * 100 * t) : 0.3 * lc_rng_normal(&rng);
            x[at + i] += (float)(level * exp(-t / 0.04) * wave);
        }
    }
    return x;
}

static void attacks_are_found(void)
{
    static const double rates[] = {16000, 22050, 44100, 48000};
    for (size_t r = 0; r < 4; r++)
        for (int tone = 0; tone < 2; tone++) {
            size_t n = (size_t)(18 * rates[r]), frames;
            double times[BURSTS], hop, mean = 0, worst = 0;
            float *x = bursts(rates[r], n, tone, times), *strength;
            CHECK_STATUS(lc_onset_strength(x, n, rates[r], &strength, &frames, &hop, NULL), LOCO_OK);
            for (size_t b = 0; b < BURSTS; b++) {
                size_t from = (size_t)((times[b] - 0.05) / hop),
                       peak = from + sound_peak(strength + from, (size_t)(0.1 / hop));
                double error = (double)peak * hop - times[b];
                mean += error / BURSTS;
                worst = fmax(worst, fabs(error));
            }
            printf("    %.0f Hz: mean error %.2f ms, worst %.2f ms\n", rates[r], 1e3 * mean, 1e3 * worst);
            CHECK_NEAR(mean, 0, 0.002);
            CHECK_NEAR(worst, 0, 0.006);
            free(strength);
            free(x);
        }
}

/* In pieces of any size, the bands are those of the whole, and their sum is the strength. */
static void pieces_do_not_matter(void)
{
    enum { N = 30000 };
    static const size_t steps[] = {1, 333, 4096, N};
    float *x = sound_noise(N, 0.1f, 4), *strength;
    size_t frames;
    double hop;
    lc_onset *onset;
    CHECK_STATUS(lc_onset_strength(x, N, 22050, &strength, &frames, &hop, NULL), LOCO_OK);
    CHECK_STATUS(lc_onset_new(&onset, 22050, NULL), LOCO_OK);
    CHECK_NEAR(lc_onset_hop(onset), hop, 0);
    float *rises = case_array(lc_onset_most(onset, N) + lc_onset_most(onset, 0), LC_ONSET_BANDS * sizeof *rises);
    for (size_t s = 0; s < 4; s++) { /* the finish resets */
        size_t got = 0;
        for (size_t at = 0; at < N; at += steps[s])
            got += lc_onset_push(onset, x + at, N - at < steps[s] ? N - at : steps[s], rises + got * LC_ONSET_BANDS);
        got += lc_onset_finish(onset, rises + got * LC_ONSET_BANDS);
        CHECK_EQ(got, frames);
        for (size_t t = 0; t < frames; t++) {
            float sum = 0;
            for (size_t b = 0; b < LC_ONSET_BANDS; b++)
                sum += rises[t * LC_ONSET_BANDS + b];
            CHECK_NEAR(sum, strength[t], 0);
        }
    }
    lc_onset_free(onset);
    free(rises);
    free(strength);
    free(x);
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(lengths);
    RUN(silence_has_no_onset);
    RUN(pieces_do_not_matter);
    RUN(attacks_are_found);
    return check_done();
}
