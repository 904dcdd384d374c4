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
        CHECK_STATUS(lc_fft_new(&fft, sizes[i], &err), LOCO_EARG);
        CHECK_SAYS(err.text, "an even number, 16 to 65536");
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

/* Sizes that are powers of two, whose half is odd, and that have a large prime factor. */
static void spectra_are_right(void)
{
    static const size_t sizes[] = {16, 18, 20, 22, 30, 32, 34, 64, 100, 202, 256, 1024, 1102};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s];
        lc_fft *fft;
        float *x = sound_noise(n, 1, n), *power = case_array(n / 2 + 1, sizeof *power);
        double worst = 0;
        CHECK_STATUS(lc_fft_new(&fft, n, NULL), LOCO_OK);
        memcpy(lc_fft_input(fft), x, n * sizeof *x);
        lc_fft_power(fft, power);
        for (size_t k = 0; k <= n / 2; k++)
            worst_note(&worst, sqrt(power[k]), sqrt(power_at(x, n, k)), sqrt((double)n));
        CHECK_NEAR(worst, 0, 2e-6);
        CHECK(case_same(lc_fft_input(fft), x, n * sizeof *x));
        lc_fft_free(fft);
        free(x);
        free(power);
    }
}

/* A loud tone leaves the mirrored bins silent: -120 dB, where squares would leave -72. */
static void loud_tones_do_not_leak(void)
{
    enum { N = 1024 };
    lc_fft *fft;
    float power[N / 2 + 1];
    CHECK_STATUS(lc_fft_new(&fft, N, NULL), LOCO_OK);
    for (size_t i = 0; i < N; i++)
        lc_fft_input(fft)[i] = (float)cos(2 * acos(-1) * 20 * (double)i / N);
    lc_fft_power(fft, power);
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
        float power[301];
        if (lc_fft_new(&fft, n, NULL) != LOCO_OK) {
            *(int *)failed = 1;
            return NULL;
        }
        lc_fft_input(fft)[0] = 3;
        lc_fft_power(fft, power);
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
    RUN(loud_tones_do_not_leak);
    RUN(threads_may_plan_at_once);
    return check_done();
}
