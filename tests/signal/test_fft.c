/* SPDX-License-Identifier: MIT
 * test_fft.c - the power spectrum against the sum that defines it. */
#include "sounds.h"

#include "signal/fft.h"

#include <pthread.h>

static void wrong_sizes_are_refused(void)
{
    static const size_t sizes[] = {0, 2, 14, 17, 1025, LC_FFT_MOST + 2};
    lc_fft *fft = NULL;
    loco_err err;
    for (size_t i = 0; i < 6; i++) {
        CHECK_STATUS(lc_fft_new(&fft, sizes[i], NULL, 1, 1, &err), LOCO_EARG);
        CHECK_SAYS(err.text, "an even number, 16 to 65536");
    }
    static const size_t lengths[][2] = {
        {0,  1 },
        {17, 1 },
        {16, 0 },
        {16, 10}
    };
    for (size_t i = 0; i < 4; i++) {
        CHECK_STATUS(lc_fft_new(&fft, 16, NULL, lengths[i][0], lengths[i][1], &err), LOCO_EARG);
        CHECK_SAYS(err.text, "a window of 1 to 16, and 9 bins at most");
    }
    CHECK(fft == NULL);
    lc_fft_free(NULL);
}

static double power_at(const float *x, size_t n, size_t k)
{
    double re = 0, im = 0, turn = 2 * acos(-1) / (double)n;
    for (size_t j = 0; j < n; j++) {
        re += x[j] * cos(turn * (double)(j * k % n));
        im -= x[j] * sin(turn * (double)(j * k % n));
    }
    return re * re + im * im;
}

static lc_fft *fft_of(size_t n, const float *window, size_t length, size_t bins)
{
    lc_fft *fft = NULL;
    CHECK_STATUS(lc_fft_new(&fft, n, window, length, bins, NULL), LOCO_OK);
    return fft;
}

/* The spectrum of one frame, alone. */
static void spectrum_of(lc_fft *fft, const float *x, size_t bins, float *power)
{
    size_t lanes = lc_fft_lanes(fft);
    float *all = case_array(bins * lanes, sizeof *all);
    lc_fft_power(fft, x, 0, 1, all);
    for (size_t k = 0; k < bins; k++)
        power[k] = all[k * lanes];
    free(all);
}

/* Sizes that are powers of two, whose half is odd, and that have a large prime factor. */
static void spectra_are_right(void)
{
    static const size_t sizes[] = {16, 18, 20, 22, 30, 32, 34, 64, 100, 202, 256, 1024, 1102};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s];
        lc_fft *fft = fft_of(n, NULL, n, n / 2 + 1);
        float *x = sound_noise(n, 1, n), *same = sound_noise(n, 1, n), *power = case_array(n / 2 + 1, sizeof *power);
        double worst = 0;
        spectrum_of(fft, x, n / 2 + 1, power);
        for (size_t k = 0; k <= n / 2; k++)
            worst_note(&worst, sqrt(power[k]), sqrt(power_at(x, n, k)), sqrt((double)n));
        CHECK_NEAR(worst, 0, 2e-6);
        CHECK(case_same(same, x, n * sizeof *x));
        lc_fft_free(fft);
        free(same);
        free(x);
        free(power);
    }
}

/* Of noise, the root mean square and the largest error of a bin's size, as parts of its expected one. What FFTW's own
 * real transform reached: 9.5e-8 and 5.4e-7 at 1024 points, 1.13e-7 and 7.5e-7 at 16384. */
static void errors_are_those_of_floats(void)
{
    static const size_t sizes[] = {256, 1024, 2048};
    for (size_t s = 0; s < 3; s++) {
        size_t n = sizes[s], rounds = CASE_SLOW ? 1 : 4, count = 0;
        lc_fft *fft = fft_of(n, NULL, n, n / 2 + 1);
        float *power = case_array(n / 2 + 1, sizeof *power);
        double squares = 0, worst = 0, expected = sqrt((double)n / 3);
        for (size_t r = 0; r < rounds; r++) {
            float *x = sound_noise(n, 1, n + r);
            spectrum_of(fft, x, n / 2 + 1, power);
            for (size_t k = 0; k <= n / 2; k++, count++) {
                double error = fabs(sqrt(power[k]) - sqrt(power_at(x, n, k))) / expected;
                squares += error * error;
                worst = fmax(worst, error);
            }
            free(x);
        }
        CHECK_WORST(sqrt(squares / (double)count), 1e-7);
        CHECK_WORST(worst, 6e-7);
        lc_fft_free(fft);
        free(power);
    }
}

/* A frame's numbers, bit for bit: alone, and in any lane of a group of any size. */
static void lanes_do_not_matter(void)
{
    static const size_t sizes[][2] = {
        {16,   16  },
        {32,   31  },
        {64,   50  },
        {100,  100 },
        {128,  3   },
        {1024, 1024},
        {2048, 551 }
    };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        enum { HOP = 37 };
        size_t n = sizes[s][0], length = sizes[s][1], bins = n / 2 + 1;
        float *window = sound_noise(length, 1, 9);
        lc_fft *fft = fft_of(n, window, length, bins);
        size_t lanes = lc_fft_lanes(fft), total = (lanes - 1) * HOP + length;
        float *x = sound_noise(total, 1, n), *alone = case_array(lanes * bins, sizeof *alone);
        float *power = case_array(lanes * bins, sizeof *power);
        for (size_t l = 0; l < lanes; l++)
            spectrum_of(fft, x + l * HOP, bins, alone + l * bins);
        for (size_t first = 0; first < lanes; first++)
            for (size_t count = 1; first + count <= lanes; count++) {
                lc_fft_power(fft, x + first * HOP, HOP, count, power);
                for (size_t l = 0; l < count; l++)
                    for (size_t k = 0; k < bins; k++)
                        if (!case_same(&power[k * lanes + l], &alone[(first + l) * bins + k], sizeof *power))
                            CHECK_NEAR(power[k * lanes + l], alone[(first + l) * bins + k], 0);
            }
        lc_fft_free(fft);
        free(window);
        free(x);
        free(alone);
        free(power);
    }
}

/* A window shorter than the transform is padded with zeros; no sample behind it is read, and bins are cut. */
static void windows_are_padded(void)
{
    static const size_t sizes[][3] = {
        {16,  1,   9 },
        {30,  7,   16},
        {64,  33,  5 },
        {256, 100, 65},
        {256, 129, 90},
        {102, 51,  52}
    };
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s][0], length = sizes[s][1], bins = sizes[s][2];
        float *window = sound_noise(length, 1, 7), *x = sound_noise(length, 1, n);
        float *product = case_array(n, sizeof *product), *power = case_array(bins, sizeof *power);
        double worst = 0;
        lc_fft *fft = fft_of(n, window, length, bins);
        for (size_t i = 0; i < length; i++)
            product[i] = window[i] * x[i];
        for (size_t round = 0; round < 2; round++) { /* what the first left behind must not show */
            spectrum_of(fft, x, bins, power);
            for (size_t k = 0; k < bins; k++)
                worst_note(&worst, sqrt(power[k]), sqrt(power_at(product, n, k)), sqrt((double)length));
        }
        CHECK_WORST(worst, 2e-6);
        lc_fft_free(fft);
        free(window);
        free(x);
        free(product);
        free(power);
    }
}

/* A loud tone leaves the mirrored bins silent: -120 dB, where squares would leave -72. */
static void loud_tones_do_not_leak(void)
{
    enum { N = 1024 };
    lc_fft *fft = fft_of(N, NULL, N, N / 2 + 1);
    float power[N / 2 + 1], x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = (float)cos(2 * acos(-1) * 20 * (double)i / N);
    spectrum_of(fft, x, N / 2 + 1, power);
    CHECK_NEAR(power[20], N * N / 4.0, 1);
    for (size_t k = 0; k <= N / 2; k++)
        if (k != 20)
            CHECK(power[k] < 1e-12f * power[20]);
    lc_fft_free(fft);
}

static void *make_many(void *failed)
{
    for (size_t n = 16; n < 600; n += 14) {
        lc_fft *fft;
        float power[301], x[600] = {3};
        if (lc_fft_new(&fft, n, NULL, n, n / 2 + 1, NULL) != LOCO_OK) {
            *(int *)failed = 1;
            return NULL;
        }
        spectrum_of(fft, x, n / 2 + 1, power);
        if (!(fabsf(power[n / 2] - 9) < 1e-5f))
            *(int *)failed = 1;
        lc_fft_free(fft);
    }
    return NULL;
}

static void threads_may_plan_at_once(void)
{
    pthread_t threads[4];
    int failed[4] = {0};
    for (size_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, make_many, &failed[i]) == 0);
    for (size_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        CHECK(!failed[i]);
    }
}

int main(void)
{
    RUN(wrong_sizes_are_refused);
    RUN(spectra_are_right);
    RUN(errors_are_those_of_floats);
    RUN(lanes_do_not_matter);
    RUN(windows_are_padded);
    RUN(loud_tones_do_not_leak);
    RUN(threads_may_plan_at_once);
    return check_done();
}
