/* SPDX-License-Identifier: MIT
 * test_signal_kernels.c - every set of kernels that this machine can run, against plain sums in double. */
#include "sounds.h"

#include "signal/kernels.h"

#include <float.h>

static const lc_signal_kernels *kernels; /* under test */

static void windows(void)
{
    for (size_t n = 0; n < 40; n++) {
        float *x = sound_noise(n, 1, 1), *w = sound_noise(n, 1, 2), *out = case_array(n + 1, sizeof *out);
        kernels->window(x, w, out, n);
        for (size_t i = 0; i < n; i++)
            CHECK_NEAR(out[i], x[i] * w[i], 0);
        CHECK_NEAR(out[n], 0, 0);
        free(x);
        free(w);
        free(out);
    }
}

static void bands(void)
{
    static const lc_band some[] = {
        {0,  8 },
        {3,  16},
        {17, 8 },
        {5,  40},
        {56, 8 }
    };
    float *power = sound_noise(64, 1, 3), *weights = sound_noise(80, 1, 4), sums[6] = {0};
    kernels->bands(power, some, weights, sums, 5);
    for (size_t b = 0, w = 0; b < 5; b++) {
        double sum = 0;
        for (size_t i = 0; i < some[b].length; i++)
            sum += (double)power[some[b].first + i] * weights[w++];
        CHECK_NEAR(sums[b], sum, 1e-5);
    }
    CHECK_NEAR(sums[5], 0, 0);
    free(power);
    free(weights);
}

static double log_error(float x)
{
    float in[LC_BAND_STEP], out[LC_BAND_STEP];
    for (size_t i = 0; i < LC_BAND_STEP; i++)
        in[i] = x;
    kernels->log10(in, out, LC_BAND_STEP);
    for (size_t i = 1; i < LC_BAND_STEP; i++)
        CHECK_NEAR(out[i], out[0], 0);
    double want = log10((double)x);
    return fabs(want) > 0 ? fabs(out[0] / want - 1) : fabs((double)out[0]);
}

static void logarithms(void)
{
    double worst = log_error(1);
    for (int i = 0; i < 12000; i++)
        worst = fmax(worst, log_error((float)(FLT_MIN * pow(1.0137, i))));
    for (int i = 0; i < 9000; i++)
        worst = fmax(worst, log_error(0.5f + 1.7e-4f * (float)i));
    for (int i = 0; i < 50; i++) {
        float off = (float)(1e-7 * pow(1.3, i));
        worst = fmax(worst, fmax(log_error(1 + off), log_error(1 - off)));
    }
    CHECK_WORST(worst, 3.5e-7);
}

static void logarithms_of_anything_are_numbers(void)
{
    const float in[LC_BAND_STEP] = {0, -1, NAN, INFINITY, -INFINITY, FLT_MAX, FLT_MIN / 4, -0.0f};
    float out[LC_BAND_STEP];
    kernels->log10(in, out, LC_BAND_STEP);
    for (size_t i = 0; i < LC_BAND_STEP; i++)
        CHECK_NEAR(out[i], i == 3 || i == 5 ? 38.53 : -37.93, 0.01);
}

/* Against sums in double. */
static void dot_products_and_filters(void)
{
    enum { TAPS = 96, OUT = 64 };
    float x[TAPS + OUT + LC_FILTER_STEP], h[TAPS], y[OUT];
    lc_rng rng = lc_rng_seed(5);
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        x[i] = (float)lc_rng_normal(&rng);
    for (size_t i = 0; i < TAPS; i++)
        h[i] = (float)lc_rng_normal(&rng);
    for (size_t i = 0; i < OUT; i++)
        y[i] = (float)i;
    kernels->filter(x, h, TAPS - 1, y, OUT);
    double worst = 0;
    for (size_t i = 0; i < OUT; i++) {
        double sum = (double)i;
        for (size_t k = 0; k + 1 < TAPS; k++)
            sum += (double)h[k] * (double)x[i + k];
        worst = fmax(worst, fabs(sum - (double)y[i]));
    }
    for (size_t n = LC_BAND_STEP; n <= TAPS; n += LC_BAND_STEP) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += (double)h[k] * (double)x[k + 1];
        worst = fmax(worst, fabs(sum - (double)kernels->dot(x + 1, h, n)));
    }
    CHECK_WORST(worst, 5e-5); /* of sums up to 80 */
}

int main(void)
{
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa))
            continue;
        printf("-- %s\n", lc_isa_name(isa));
        kernels = lc_signal_kernels_of(isa);
        RUN(windows);
        RUN(bands);
        RUN(logarithms);
        RUN(logarithms_of_anything_are_numbers);
        RUN(dot_products_and_filters);
    }
    return check_done();
}
