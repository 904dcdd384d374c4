/* SPDX-License-Identifier: MIT
 * test_filter.c - the small parts: sine against the library's, filters against their gains, noise, ranges. */
#include "check.h"

#include "signal/filter.h"

static const double rate = 22050;

typedef float filter_run(void *filter, float x);

static float run_shelf(void *filter, float x)
{
    return lc_shelf_run(filter, x);
}

static float run_low(void *filter, float x)
{
    float high;
    return lc_two_pole_run(filter, x, &high);
}

static float run_band(void *filter, float x)
{
    return lc_two_pole_band(filter, x);
}

static float run_high(void *filter, float x)
{
    float high;
    lc_two_pole_run(filter, x, &high);
    return high;
}

/* Amplitude of a sine after the filter, by its largest product with sine and cosine over the second half. */
static double gain_at(filter_run *run, void *filter, double frequency)
{
    enum { HALF = 11025, N = 2 * HALF };
    double in_phase = 0, across = 0;
    for (size_t i = 0; i < N; i++) {
        double angle = 2 * LC_PI * frequency / rate * (double)i;
        double y = (double)run(filter, (float)sin(angle));
        if (i >= HALF) {
            in_phase += y * sin(angle);
            across += y * cos(angle);
        }
    }
    return 2 * hypot(in_phase, across) / HALF;
}

static void sine_is_near(void)
{
    for (int i = -1000; i <= 1000; i++) {
        uint32_t phase = (uint32_t)(int64_t)(i * 0.000499 * 4294967296.0);
        CHECK_NEAR((double)lc_sine(phase), sin(2 * LC_PI * i * 0.000499), 0.0012);
    }
    CHECK_EQ(lc_phase_step(rate / 4, rate), 1u << 30);
}

static void shelf_has_its_three_gains(void)
{
    for (int k = -3; k <= 3; k += 2) {
        double gain = lc_gain_of(4 * k);
        lc_shelf low = lc_shelf_at(1000, gain, rate), middle = low, high = low;
        CHECK_NEAR(gain_at(run_shelf, &low, 20), 1, 0.01);
        CHECK_NEAR(gain_at(run_shelf, &middle, 1000), sqrt(gain), 0.01);
        CHECK_NEAR(gain_at(run_shelf, &high, 11000), gain, 0.01 * gain);
    }
}

static void two_poles_pass_their_side(void)
{
    double flat = 1 / sqrt(2.0);
    lc_two_pole f = lc_two_pole_at(1000, flat, rate);
    lc_two_pole a = f, b = f, c = f, d = f, e = f, g = f;
    CHECK_NEAR(gain_at(run_low, &a, 50), 1, 0.01);
    CHECK_NEAR(gain_at(run_low, &b, 1000), flat, 0.01);
    CHECK(gain_at(run_low, &c, 8000) < 0.01);
    CHECK_NEAR(gain_at(run_high, &d, 8000), 1, 0.01);
    CHECK_NEAR(gain_at(run_high, &e, 1000), flat, 0.01);
    CHECK(gain_at(run_high, &g, 50) < 0.01);
    lc_two_pole above = lc_two_pole_at(1e6, flat, rate); /* held below half the rate */
    CHECK_NEAR(gain_at(run_low, &above, 500), 1, 0.01);
}

static void resonance_lifts_the_corner(void)
{
    lc_two_pole f = lc_two_pole_at(1000, 4, rate);
    lc_two_pole band = f, low = f, high = f;
    CHECK_NEAR(gain_at(run_low, &f, 1000), 4, 0.05);
    CHECK_NEAR(gain_at(run_band, &band, 1000), 4, 0.05);
    CHECK(gain_at(run_band, &low, 50) < 0.06 && gain_at(run_band, &high, 10000) < 0.06);
}

static void noise_is_white_and_even(void)
{
    enum { N = 100000 };
    double sum = 0, squares = 0, lag = 0, before = 0;
    uint32_t state = 3;
    for (size_t i = 0; i < N; i++) {
        double x = (double)lc_white(&state);
        if (!(x >= -1 && x < 1))
            CHECK(x >= -1 && x < 1);
        sum += x;
        squares += x * x;
        lag += x * before;
        before = x;
    }
    CHECK_NEAR(sum / N, 0, 5 * sqrt(1.0 / 3 / N));
    CHECK_NEAR(squares / N, 1.0 / 3, 5 * sqrt(4.0 / 45 / N));
    CHECK_NEAR(lag / N, 0, 5.0 / 3 / sqrt(N));
}

static void ranges_are_kept(void)
{
    lc_rng rng = lc_rng_seed(2);
    size_t hits[3] = {0}, heads = 0;
    for (size_t i = 0; i < 3000; i++) {
        double x = lc_draw_even(&rng, -2, 5);
        if (!(x >= -2 && x < 5))
            CHECK(x >= -2 && x < 5);
        hits[lc_draw_index(&rng, 3)]++;
        heads += lc_draw_chance(&rng, 0.25);
    }
    for (size_t k = 0; k < 3; k++)
        CHECK_NEAR((double)hits[k], 1000, 130);
    CHECK_NEAR((double)heads, 750, 120);
    CHECK_NEAR(lc_gain_of(20), 10, 1e-12);
}

int main(void)
{
    RUN(sine_is_near);
    RUN(shelf_has_its_three_gains);
    RUN(two_poles_pass_their_side);
    RUN(resonance_lifts_the_corner);
    RUN(noise_is_white_and_even);
    RUN(ranges_are_kept);
    return check_done();
}
