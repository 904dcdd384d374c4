/* SPDX-License-Identifier: MIT
 * test_spectrum.c - every set of spectrum kernels that this machine can run, against plain sums in double; and the
 *   frames of every set against those of the portable one, in groups that are not full. */
#include "sounds.h"

#include "signal/frontend.h"
#include "signal/spectrum.h"

#include <float.h>

static const lc_spectrum_kernels *kernels; /* under test */

/* Rows anywhere in memory, with what is not a number between them; zeros behind each, and nothing written behind
 * those. */
static void windows(void)
{
    size_t L = kernels->lanes;
    for (size_t n = 0; n < 40; n++) {
        size_t hop = n + 3, room = (n + L - 1) / L * L;
        float *x = sound_noise((L - 1) * hop + n, 1, 1), *w = sound_noise(n, 1, 2);
        float *out = case_array((room + 1) * L, sizeof *out);
        for (size_t l = 0; l < L; l++) {
            out[room * L + l] = 7;
            for (size_t i = n; i < hop && l + 1 < L; i++)
                x[l * hop + i] = NAN;
        }
        kernels->gather(x, hop, w, out, n);
        for (size_t l = 0; l < L; l++) {
            for (size_t i = 0; i < n; i++)
                CHECK_NEAR(out[i * L + l], x[l * hop + i] * w[i], 0);
            for (size_t i = n; i < room; i++)
                CHECK_NEAR(out[i * L + l], 0, 0);
            CHECK_NEAR(out[room * L + l], 7, 0);
        }
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
        {17, 1 },
        {5,  43},
        {56, 7 }
    };
    size_t L = kernels->lanes;
    float *power = sound_noise(64 * L, 1, 3), *weights = sound_noise(80, 1, 4), *sums = case_array(6 * L, sizeof *sums);
    kernels->bands(power, some, weights, sums, 5);
    for (size_t l = 0; l < L; l++) {
        for (size_t b = 0, w = 0; b < 5; b++) {
            double sum = 0;
            for (size_t i = 0; i < some[b].length; i++)
                sum += (double)power[(some[b].first + i) * L + l] * weights[w++];
            CHECK_NEAR(sums[b * L + l], sum, 1e-5);
        }
        CHECK_NEAR(sums[5 * L + l], 0, 0);
    }
    free(power);
    free(weights);
    free(sums);
}

static double log_error(float x)
{
    float in[LC_SPECTRUM_LANES], out[LC_SPECTRUM_LANES];
    for (size_t i = 0; i < LC_SPECTRUM_LANES; i++)
        in[i] = x;
    kernels->log10(in, out, LC_SPECTRUM_LANES);
    for (size_t i = 1; i < LC_SPECTRUM_LANES; i++)
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
    const float in[LC_SPECTRUM_LANES] = {0, -1, NAN, INFINITY, -INFINITY, FLT_MAX, FLT_MIN / 4, -0.0f};
    float out[LC_SPECTRUM_LANES];
    kernels->log10(in, out, LC_SPECTRUM_LANES);
    for (size_t i = 0; i < LC_SPECTRUM_LANES; i++)
        CHECK_NEAR(out[i], i == 3 || i == 5 ? 38.53 : -37.93, 0.01);
}

/* One transform of 4 or 8 numbers, and one block of more with its factors. */
static void check_pass(size_t radix, size_t size, size_t blocks)
{
    size_t L = kernels->lanes, parts = size / radix;
    float *z = sound_noise(blocks * size * 2 * L, 1, size), *w = sound_noise(2 * parts * (radix - 1), 1, 5);
    float *before = sound_noise(blocks * size * 2 * L, 1, size);
    double worst = 0;
    (radix == 8 ? kernels->pass8 : kernels->pass4)(z, size > radix ? w : NULL, size, blocks);
    for (size_t b = 0; b < blocks; b++)
        for (size_t j = 0; j < parts; j++)
            for (size_t q = 0; q < radix; q++)
                for (size_t l = 0; l < L; l++) {
                    double re = 0, im = 0, wr = 1, wi = 0;
                    for (size_t r = 0; r < radix; r++) {
                        const float *x = before + (b * size + j + r * parts) * 2 * L + l;
                        double angle = -2 * acos(-1) * (double)(q * r) / (double)radix;
                        re += x[0] * cos(angle) - x[L] * sin(angle);
                        im += x[0] * sin(angle) + x[L] * cos(angle);
                    }
                    if (size > radix && q > 0) {
                        wr = w[2 * (j * (radix - 1) + q - 1)];
                        wi = w[2 * (j * (radix - 1) + q - 1) + 1];
                    }
                    const float *got = z + (b * size + j + q * parts) * 2 * L + l;
                    worst_note(&worst, got[0], re * wr - im * wi, 1);
                    worst_note(&worst, got[L], re * wi + im * wr, 1);
                }
    CHECK_WORST(worst, 3e-6);
    free(z);
    free(w);
    free(before);
}

static void passes(void)
{
    check_pass(4, 4, 1);
    check_pass(4, 4, 3);
    check_pass(4, 32, 3);
    check_pass(8, 8, 1);
    check_pass(8, 8, 5);
    check_pass(8, 64, 2);
}

/* Levels turned into rows, not below the floor. */
static void rows(void)
{
    size_t L = kernels->lanes;
    for (size_t n = 1; n < 40; n++) {
        size_t room = (n + L - 1) / L * L, stride = room + L;
        float *levels = sound_noise(room * L, 1, 1), *out = case_array(L * stride, sizeof *out);
        kernels->scatter(levels, -0.5f, out, n, stride);
        for (size_t l = 0; l < L; l++)
            for (size_t i = 0; i < n; i++)
                CHECK_NEAR(out[l * stride + i], fmax(levels[i * L + l], -0.5), 0);
        free(levels);
        free(out);
    }
}

static void frames(void)
{
    enum { MOST = 40 };
    const lc_frame_rule plain = {.shift = 1.5f, .scale = 0.75f, .delta_scale = 3, .stride = 1};
    const lc_frame_rule pairs = {.shift = 1.5f, .scale = 0.75f, .delta_scale = 3, .stride = 2};
    float *level = sound_noise(MOST, 1, 1), *mean = sound_noise(MOST, 1, 2), *before = sound_noise(MOST, 1, 3);
    for (size_t n = 1; n < MOST; n++) {
        float alone[MOST] = {0}, stacked[2 * MOST + 1] = {0}, paired[2 * MOST + 1] = {0};
        kernels->frame(&plain, level, mean, before, alone, NULL, n);
        kernels->frame(&plain, level, mean, before, stacked, stacked + n, n);
        kernels->frame(&pairs, level, mean, before, paired, paired + 1, n);
        for (size_t b = 0; b < n; b++) {
            CHECK_NEAR(alone[b], ((double)level[b] - mean[b] + 1.5) * 0.75, 1e-6);
            CHECK_NEAR(stacked[b], alone[b], 0);
            CHECK_NEAR(paired[2 * b], alone[b], 0);
            CHECK_NEAR(stacked[n + b], ((double)level[b] - before[b]) * 3, 1e-6);
            CHECK_NEAR(paired[2 * b + 1], stacked[n + b], 0);
        }
        CHECK_NEAR(alone[n], 0, 0);
        CHECK(stacked[2 * n] == 0 && paired[2 * n] == 0);
    }
    free(level);
    free(mean);
    free(before);
}

/* ---- frames of every set ---- */

/* The frames of all samples; how many. */
static float *frames_by(lc_isa isa, const char *line, const float *x, size_t n, size_t *count, size_t *size)
{
    lc_frontend_settings s;
    lc_frontend *f = NULL;
    setenv("LOCO_KERNELS", lc_isa_name(isa), 1);
    CHECK_STATUS(lc_frontend_parse(&s, line, NULL), LOCO_OK);
    CHECK_STATUS(lc_frontend_new(&f, &s, NULL), LOCO_OK);
    unsetenv("LOCO_KERNELS");
    *size = lc_frontend_bins(&s) * lc_frontend_channels(&s);
    float *out = case_array((lc_frontend_most(f, n) + lc_frontend_most(f, 0)) * *size, sizeof *out);
    *count = lc_frontend_push(f, x, n, out);
    *count += lc_frontend_finish(f, out + *count * *size);
    lc_frontend_free(f);
    return out;
}

static void sets_agree(void)
{
    static const char *const lines[] = {"mel rate=8000 window=128 hop=50 bands=20",
                                        "mel rate=8000 window=101 hop=50 fft=202 bands=13 delta=stacked adapt=1",
                                        "mel rate=8000 window=70 hop=50 fft=1024 bands=33 delta=none high=3000"};
    static const size_t counts[] = {1, 3, 5, 7, 11, 15, 17, 31, 33, 47};
    float *x = sound_noise(50 * 50, 0.3f, 1);
    double worst = 0;
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
                if (!lc_isa_runs(isa))
                    continue;
                size_t T, others, size;
                float *want = frames_by(LC_ISA_REF, lines[l], x, counts[c] * 50, &T, &size);
                float *got = frames_by(isa, lines[l], x, counts[c] * 50, &others, &size);
                CHECK_EQ(T, counts[c]);
                CHECK_EQ(others, counts[c]);
                for (size_t i = 0; i < T * size; i++)
                    worst_note(&worst, got[i], want[i], 1);
                free(want);
                free(got);
            }
    CHECK_WORST(worst, 2e-5);
    free(x);
}

int main(void)
{
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa))
            continue;
        printf("-- %s\n", lc_isa_name(isa));
        kernels = lc_spectrum_kernels_of(isa);
        RUN(windows);
        RUN(bands);
        RUN(logarithms);
        RUN(logarithms_of_anything_are_numbers);
        RUN(passes);
        RUN(rows);
        RUN(frames);
    }
    RUN(sets_agree);
    return check_done();
}
