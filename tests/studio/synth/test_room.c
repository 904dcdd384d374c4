/* SPDX-License-Identifier: MIT
 * test_room.c - rooms and microphones: nothing before its cause, echoes that die, levels evened out. */
#include "cases.h"

#include "studio/synth/room.h"

#include <stdbool.h>

enum { N = 44100, FIRST = 5000 };

static const double rate = 22050;
static float x[N], y[N];

static void fill_click(float *samples)
{
    memset(samples, 0, N * sizeof *samples);
    samples[FIRST] = 1;
}

static double energy(const float *samples, size_t from, size_t to)
{
    double sum = 0;
    for (size_t i = from; i < to; i++)
        sum += (double)(samples[i] * samples[i]);
    return sum;
}

static void room_answers_after_its_cause(void)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        fill_click(x);
        CHECK_STATUS(lc_room_apply(x, N, rate, &rng, NULL), LOCO_OK);
        CHECK(energy(x, 0, FIRST) < 1e-20);
        CHECK_NEAR((double)x[FIRST], 1, 1e-6);
        double early = energy(x, FIRST + 1, FIRST + 3000), late = energy(x, N - 3000, N);
        CHECK(early > 1e-6 && early < 2);
        CHECK(late < 1e-7 * early); /* 1.6 s later: at least 90 dB down */
    }
}

static void kit_rings_on(void)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        fill_click(x);
        lc_room_ring(x, N, rate, &rng);
        CHECK(energy(x, 0, FIRST) < 1e-20);
        CHECK_NEAR((double)x[FIRST], 1, 0.1);
        double early = energy(x, FIRST + 1, FIRST + 5000), late = energy(x, N - 5000, N);
        CHECK(early > 1e-8 && early < 0.5);
        CHECK(late < 0.02 * early);
    }
}

static void bleed_comes_late(void)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        fill_click(x);
        CHECK_STATUS(lc_room_bleed(x, N, rate, &rng, NULL), LOCO_OK);
        CHECK(energy(x, 0, FIRST) <= 0 && energy(x, FIRST + 1, FIRST + 44) < 1e-12);
        double late = energy(x, FIRST + 44, N);
        CHECK(late > 1e-6 && late < 0.1);
    }
}

static void rooms_repeat(void)
{
    lc_rng a = lc_rng_seed(1), b = a;
    fill_click(x);
    fill_click(y);
    CHECK_STATUS(lc_room_apply(x, N, rate, &a, NULL), LOCO_OK);
    CHECK_STATUS(lc_room_apply(y, N, rate, &b, NULL), LOCO_OK);
    CHECK(case_same(x, y, sizeof x));
}

/* A loud tone, then one 30 dB softer: the step gets smaller, and soft sounds alone stay as they are. */
static void compression_evens_out(void)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        for (size_t i = 0; i < N; i++)
            x[i] = (float)((i < N / 2 ? 1 : 0.03) * sin(0.3 * (double)i));
        lc_room_compress(x, N, rate, 1, &rng);
        double loud = energy(x, N / 4, N / 2), soft = energy(x, 3 * N / 4, N);
        CHECK(loud / soft < 0.9 * 1111 && loud / soft > 1);
        CHECK(energy(x, 0, N / 2) < 0.95 * N / 4);
        CHECK_NEAR(soft, N / 8.0 * 0.0009, 0.15 * N / 8.0 * 0.0009);
    }
}

static void hum_is_low(void)
{
    bool fifty = false, sixty = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        lc_rng rng = lc_rng_seed(seed);
        memset(x, 0, sizeof x);
        lc_room_hum(x, N, rate, 0.1, &rng);
        double sums[2] = {0};
        for (size_t f = 0; f < 2; f++) {
            double re = 0, im = 0, step = 6.283185307179586 * (50 + 10 * (double)f) / rate;
            for (size_t i = 0; i < N; i++) {
                re += (double)x[i] * cos(step * (double)i);
                im += (double)x[i] * sin(step * (double)i);
            }
            sums[f] = 2 * hypot(re, im) / N;
        }
        fifty = fifty || (sums[0] > 0.019 && sums[0] < 0.101 && sums[1] < 0.002);
        sixty = sixty || (sums[1] > 0.019 && sums[1] < 0.101 && sums[0] < 0.002);
        CHECK(sums[0] > 0.019 || sums[1] > 0.019);
    }
    CHECK(fifty && sixty);
}

int main(void)
{
    RUN(room_answers_after_its_cause);
    RUN(kit_rings_on);
    RUN(bleed_comes_late);
    RUN(rooms_repeat);
    RUN(compression_evens_out);
    RUN(hum_is_low);
    return check_done();
}
