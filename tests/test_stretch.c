/* SPDX-License-Identifier: MIT
 * test_stretch.c - stretched sound has the right length, and its events are where they should be. */
#include "sounds.h"

#include "signal/stretch.h"

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
            CHECK_NEAR(mean, 0, 0.0015);
            CHECK_NEAR(worst, 0, 0.004);
            free(x);
            free(y);
        }
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
    RUN(runs_agree);
    return check_done();
}
