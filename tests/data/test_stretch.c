/* SPDX-License-Identifier: MIT
 * test_stretch.c - stretched sound has the right length, and its events are where they should be. */
#include "sounds.h"

#include "data/stretch.h"

static void wrong_arguments_are_refused(void)
{
    float x[4] = {0}, *out = NULL;
    size_t n = 7;
    loco_err err;
    static const double factors[] = {0, -1, 0.2, 4.1, NAN, INFINITY};
    for (size_t i = 0; i < 6; i++) {
        CHECK_STATUS(lc_stretch(x, 4, 22050, factors[i], &out, &n, &err), LOCO_EARG);
        CHECK_SAYS(err.text, "use 0.25 to 4");
    }
    CHECK_STATUS(lc_stretch(x, 4, 10, 1, &out, &n, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "1000 to 192000 Hz");
    CHECK_STATUS(lc_stretch(x, 0, 22050, 1, &out, &n, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "0 samples");
    CHECK(out == NULL && n == 7);
}

static void short_sounds_have_the_right_length(void)
{
    static const size_t lengths[] = {1, 2, 100, 2048, 5000};
    static const double factors[] = {0.25, 0.8, 1, 1.2, 4};
    float *x = sound_noise(5000, 0.5f, 1);
    for (size_t i = 0; i < 5; i++)
        for (size_t f = 0; f < 5; f++) {
            float *out;
            size_t n, want = (size_t)lround((double)lengths[i] * factors[f]);
            CHECK_STATUS(lc_stretch(x, lengths[i], 22050, factors[f], &out, &n, NULL), LOCO_OK);
            CHECK_EQ(n, want > 0 ? want : 1);
            for (size_t k = 0; k < n; k++)
                if (!(fabsf(out[k]) < 10))
                    CHECK_NEAR(out[k], 0, 10);
            free(out);
        }
    free(x);
}

/* Noise bursts at known times; where each begins: the first sample above a third of its peak. */
enum { BURSTS = 8 };

static float *bursts(double rate, size_t n)
{
    float *x = case_array(n, sizeof *x);
    lc_rng rng = lc_rng_seed(5);
    for (size_t b = 0; b < BURSTS; b++)
        for (size_t i = 0; (double)i < 0.1 * rate; i++)
            x[(size_t)((0.3 + 0.45 * (double)b) * rate) + i] += (float)(exp(-(double)i / (0.015 * rate)) *
                                                                        (2 * lc_rng_uniform(&rng) - 1));
    return x;
}

static double burst_error(const float *y, double rate, double time)
{
    size_t from = (size_t)((time - 0.1) * rate), width = (size_t)(0.2 * rate), i = from;
    float limit = fabsf(y[from + sound_peak(y + from, width)]) / 3;
    while (fabsf(y[i]) < limit)
        i++;
    return (double)i / rate - time;
}

static void times_are_stretched(void)
{
    static const double rates[] = {16000, 22050, 44100}, factors[] = {0.75, 0.9, 1.1, 1.3};
    for (size_t r = 0; r < 3; r++)
        for (size_t f = 0; f < 4; f++) {
            size_t n = (size_t)(4 * rates[r]), out_n;
            float *x = bursts(rates[r], n), *y;
            double mean = 0, worst = 0;
            CHECK_STATUS(lc_stretch(x, n, rates[r], factors[f], &y, &out_n, NULL), LOCO_OK);
            CHECK_EQ(out_n, (size_t)lround((double)n * factors[f]));
            for (size_t b = 0; b < BURSTS; b++) {
                double error = burst_error(y, rates[r], factors[f] * (0.3 + 0.45 * (double)b));
                mean += error / BURSTS;
                worst = fmax(worst, fabs(error));
            }
            printf("    %.0f Hz, %.2f: mean error %.2f ms, worst %.2f ms\n", rates[r], factors[f], 1e3 * mean,
                   1e3 * worst);
            CHECK_NEAR(mean, 0, 0.0005);
            CHECK_NEAR(worst, 0, 0.001);
            free(x);
            free(y);
        }
}

/* Clicks over a bass tone come once each, and where they should. */
static void attacks_come_once(void)
{
    static const double factors[] = {0.25, 0.6, 0.9, 1, 1.25, 2, 4};
    enum { RATE = 22050, N = 3 * RATE, CLICKS = 20 };
    float *x = case_array(N, sizeof *x);
    for (size_t i = 0; i < N; i++)
        x[i] = 0.2f * sinf(2 * 3.14159265f * 82.4f * (float)i / RATE);
    for (size_t c = 0; c < CLICKS; c++)
        x[2000 + 3111 * c] = 1;
    for (size_t f = 0; f < 7; f++) {
        float *y;
        size_t n, found = 0;
        CHECK_STATUS(lc_stretch(x, N, RATE, factors[f], &y, &n, NULL), LOCO_OK);
        for (size_t i = 0; i < n; i++)
            if (y[i] > 0.5f) {
                CHECK_NEAR((double)i / RATE, factors[f] * (double)(2000 + 3111 * found) / RATE, 0.0035);
                found++;
            }
        CHECK_EQ(found, CLICKS);
        free(y);
    }
    free(x);
}

/* A tone keeps its pitch and its loudness: all of its power is in its own frequency, as in the original. */
static void tones_keep_their_pitch(void)
{
    static const double factors[] = {0.5, 0.75, 0.9, 1.1, 1.3, 2}, tones[] = {110, 440, 3000};
    enum { RATE = 22050, N = 2 * RATE };
    float *x = case_array(N, sizeof *x);
    for (size_t t = 0; t < 3; t++)
        for (size_t f = 0; f < 6; f++) {
            float *y;
            size_t n, crossings = 0;
            double squares = 0, turn = 2 * acos(-1) * tones[t] / RATE;
            for (size_t i = 0; i < N; i++)
                x[i] = (float)(0.5 * sin(turn * (double)i));
            CHECK_STATUS(lc_stretch(x, N, RATE, factors[f], &y, &n, NULL), LOCO_OK);
            for (size_t i = 1; i < n; i++) {
                crossings += (y[i] < 0) != (y[i - 1] < 0);
                squares += (double)y[i] * y[i];
            }
            CHECK_NEAR((double)crossings * RATE / (2 * (double)n * tones[t]), 1, 0.01);
            CHECK_NEAR(squares / (double)n, 0.125, 0.01);
            free(y);
        }
    free(x);
}

/* Same result every time: augmentation must be reproducible. */
static void runs_agree(void)
{
    float *x = sound_noise(22050, 0.5f, 2), *a, *b;
    size_t n, m;
    CHECK_STATUS(lc_stretch(x, 22050, 22050, 1.1, &a, &n, NULL), LOCO_OK);
    CHECK_STATUS(lc_stretch(x, 22050, 22050, 1.1, &b, &m, NULL), LOCO_OK);
    CHECK(n == m && case_same(a, b, n * sizeof *a));
    free(a);
    free(b);
    free(x);
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(short_sounds_have_the_right_length);
    RUN(times_are_stretched);
    RUN(attacks_come_once);
    RUN(tones_keep_their_pitch);
    RUN(runs_agree);
    return check_done();
}
