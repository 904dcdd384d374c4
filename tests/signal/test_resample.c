/* SPDX-License-Identifier: MIT
 * test_resample.c - tones stay tones, constants constants, clicks where they were; pieces of any size give the same. */
#include "cases.h"

#include "signal/resample.h"

static const double RATES[][2] = {
    {44100, 22050},
    {48000, 22050},
    {96000, 22050},
    {32000, 22050},
    {16000, 22050},
    {8000,  22050},
    {48000, 16000},
    {44100, 48000},
    {22050, 44100},
    {360,   120  },
    {250,   120  },
};

enum { PAIRS = sizeof RATES / sizeof *RATES };

/* All of the output, in pieces of so many frames in and out. */
static size_t run(const double *rates, size_t channels, const float *x, size_t n, float *y, size_t in, size_t out)
{
    lc_resampler *r = lc_resampler_new(rates[0], rates[1], channels);
    size_t at = 0, done = 0, taken, got = 1;
    bool over = r == NULL;
    CHECK(r != NULL);
    while (!over) {
        size_t piece = n - at < in ? n - at : in;
        lc_resampler_run(r, at < n ? x + at * channels : NULL, piece, &taken, y + done * channels, out, &got);
        over = at == n && got == 0;
        at += taken;
        done += got;
    }
    lc_resampler_free(r);
    return done;
}

static size_t length_of(const double *rates, size_t n)
{
    return (size_t)nearbyint((double)n * rates[1] / rates[0]);
}

static void only_usual_pairs_are_taken(void)
{
    for (size_t i = 0; i < PAIRS; i++)
        CHECK(lc_resampler_takes(RATES[i][0], RATES[i][1]));
    CHECK(!lc_resampler_takes(44100, 22050.5));
    CHECK(!lc_resampler_takes(44099, 22050));
    CHECK(!lc_resampler_takes(1000000, 50)); /* a filter of 2 million taps */
    CHECK_EQ(lc_resampler_reach(44100, 22050), 96);
    CHECK_EQ(lc_resampler_reach(8000, 22050), 48);
    lc_resampler_free(NULL);
}

/* Largest error of a tone of `part` of half the lower rate, away from the ends. */
static double tone_error(const double *rates, double part)
{
    size_t n = 20000, m = length_of(rates, n), edge = m / 4;
    float *x = case_array(n, sizeof *x), *y = case_array(m + 1, sizeof *y);
    double hz = 0.5 * part * fmin(rates[0], rates[1]), worst = 0, turn = 2 * acos(-1) * hz;
    for (size_t i = 0; i < n; i++)
        x[i] = (float)sin(turn * (double)i / rates[0]);
    CHECK_EQ(run(rates, 1, x, n, y, 4096, 4096), m);
    for (size_t i = edge; i < m - edge; i++)
        worst = fmax(worst, fabs((double)y[i] - sin(turn * (double)i / rates[1])));
    free(x);
    free(y);
    return worst;
}

/* 96 dB are 1.6e-5. */
static void tones_stay(void)
{
    double low = 0, high = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        low = fmax(low, tone_error(RATES[i], 0.3));
        high = fmax(high, tone_error(RATES[i], 0.92));
    }
    CHECK_WORST(low, 1e-5);
    CHECK_WORST(high, 3e-5);
}

/* What lies above half the lower rate is gone: 12.5 kHz at 22.05 kHz. */
static void high_tones_go(void)
{
    size_t n = 20000, m = length_of(RATES[0], n);
    float *x = case_array(n, sizeof *x), *y = case_array(m, sizeof *y);
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        x[i] = (float)sin(2 * acos(-1) * 12500 * (double)i / 44100);
    CHECK_EQ(run(RATES[0], 1, x, n, y, 999, 999), m);
    for (size_t i = m / 4; i < 3 * m / 4; i++)
        worst = fmax(worst, fabs((double)y[i]));
    CHECK_WORST(worst, 2e-5);
    free(x);
    free(y);
}

static void constants_stay(void)
{
    for (size_t i = 0; i < PAIRS; i++) {
        size_t n = 3000, m = length_of(RATES[i], n);
        float *x = case_array(n, sizeof *x), *y = case_array(m, sizeof *y);
        double worst = 0;
        for (size_t t = 0; t < n; t++)
            x[t] = 1;
        CHECK_EQ(run(RATES[i], 1, x, n, y, 77, 1000), m);
        for (size_t t = 200; t + 400 < m; t++)
            worst = fmax(worst, fabs((double)y[t] - 1));
        CHECK_WORST(worst, 1e-6);
        free(x);
        free(y);
    }
}

/* Bit for bit, and each channel as if it were alone. */
static void pieces_and_channels_do_not_matter(void)
{
    lc_rng rng = lc_rng_seed(1);
    for (size_t i = 0; i < PAIRS; i++) {
        size_t n = 5003, m = length_of(RATES[i], n);
        float *x = case_array(3 * n, sizeof *x), *y = case_array(3 * m, sizeof *y), *z = case_array(3 * m, sizeof *z);
        for (size_t t = 0; t < 3 * n; t++)
            x[t] = (float)lc_rng_normal(&rng);
        CHECK_EQ(run(RATES[i], 3, x, n, y, 5003, 100000), m);
        CHECK_EQ(run(RATES[i], 3, x, n, z, 7, 5), m);
        CHECK(case_same(y, z, 3 * m * sizeof *y));
        for (size_t t = 0; t < n; t++)
            x[t] = x[3 * t + 1];
        CHECK_EQ(run(RATES[i], 1, x, n, z, 1000, 64), m);
        size_t wrong = 0;
        for (size_t t = 0; t < m; t++)
            wrong += !case_same(&z[t], &y[3 * t + 1], sizeof *z);
        CHECK_EQ(wrong, 0);
        free(x);
        free(y);
        free(z);
    }
}

/* An output comes with the input sample `reach` behind it, and not later. */
static void nothing_is_later_than_the_reach(void)
{
    for (size_t i = 0; i < PAIRS; i++) {
        const double *rates = RATES[i];
        lc_resampler *r = lc_resampler_new(rates[0], rates[1], 1);
        double worst = 0;
        float zero = 0, y[64];
        size_t taken, got, given = 0;
        for (size_t fed = 1; r != NULL && fed < 3000; fed++) {
            lc_resampler_run(r, &zero, 1, &taken, y, 64, &got);
            if (got > 0)
                worst = fmax(worst, (double)fed - (double)given * rates[0] / rates[1]);
            given += got;
        }
        CHECK(worst <= (double)lc_resampler_reach(rates[0], rates[1]) + 1 + 1e-9);
        CHECK(given > 0);
        lc_resampler_free(r);
    }
}

static void little_is_enough(void)
{
    float x[2] = {1, 1}, y[8];
    for (size_t i = 0; i < PAIRS; i++)
        for (size_t n = 0; n <= 2; n++)
            CHECK_EQ(run(RATES[i], 1, x, n, y, 1, 1), length_of(RATES[i], n));
}

int main(void)
{
    RUN(only_usual_pairs_are_taken);
    RUN(tones_stay);
    RUN(high_tones_go);
    RUN(constants_stay);
    RUN(pieces_and_channels_do_not_matter);
    RUN(nothing_is_later_than_the_reach);
    RUN(little_is_enough);
    return check_done();
}
