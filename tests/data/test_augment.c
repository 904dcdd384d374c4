/* SPDX-License-Identifier: MIT
 * test_augment.c - changes of samples: levels as asked, spectra as asked, the same for the same state. */
#include "cases.h"

#include "data/augment.h"

enum { N = 22050 };

static const double rate = 22050, pi = 3.141592653589793;
static float x[N], y[N], scratch[N];

static void fill_sine(float *samples, double frequency)
{
    for (size_t i = 0; i < N; i++)
        samples[i] = (float)(0.5 * sin(2 * pi * frequency / rate * (double)i));
}

static double decibels(double ratio)
{
    return 20 * log10(ratio);
}

/* Amplitude at a frequency, by the Fourier sum over samples that hold whole periods of it. */
static double amplitude(const float *samples, double frequency)
{
    double re = 0, im = 0;
    for (size_t i = 0; i < N; i++) {
        double angle = 2 * pi * frequency / rate * (double)i;
        re += (double)samples[i] * cos(angle);
        im += (double)samples[i] * sin(angle);
    }
    return 2 * hypot(re, im) / N;
}

static void nothing_is_allowed(void)
{
    lc_rng rng = lc_rng_seed(1);
    lc_augment_gain(x, 0, 6);
    lc_augment_polarity(x, 0, &rng);
    lc_augment_noise(x, 0, rate, -3, 10, &rng, scratch);
    lc_augment_mix(x, y, 0, 6, &rng);
    lc_augment_tilt(x, 0, rate, 1000, 6);
    lc_augment_colour(x, 0, rate, 6, &rng);
    CHECK_NEAR(lc_augment_level(x, 0), 0, 0);
}

static void gain_is_in_decibels(void)
{
    fill_sine(x, 441);
    CHECK_NEAR(lc_augment_level(x, N), 0.5 / sqrt(2), 1e-6);
    lc_augment_gain(x, N, -6.0205999132796239);
    CHECK_NEAR(lc_augment_level(x, N), 0.25 / sqrt(2), 1e-6);
}

static void polarity_turns_half_of_the_clips(void)
{
    lc_rng rng = lc_rng_seed(2);
    size_t turned = 0;
    for (size_t i = 0; i < 1000; i++) {
        float one[2] = {1, -0.5f};
        lc_augment_polarity(one, 2, &rng);
        CHECK(fabs(fabs((double)one[0]) - 1) <= 0 && fabs((double)one[0] + 2 * (double)one[1]) <= 0);
        turned += one[0] < 0;
    }
    CHECK_NEAR((double)turned, 500, 80);
}

static void noise_has_its_level(void)
{
    const double slopes[] = {-6, -3, 0, 3};
    for (size_t s = 0; s < 4; s++) {
        lc_rng rng = lc_rng_seed(3);
        fill_sine(x, 441);
        fill_sine(y, 441);
        lc_augment_noise(x, N, rate, slopes[s], 20, &rng, scratch);
        for (size_t i = 0; i < N; i++)
            y[i] = x[i] - y[i];
        CHECK_NEAR(decibels(lc_augment_level(y, N) * sqrt(2) / 0.5), -20, 0.01);
    }
    lc_rng rng = lc_rng_seed(3);
    memset(x, 0, sizeof x);
    lc_augment_noise(x, N, rate, 0, 20, &rng, scratch);
    CHECK_NEAR(lc_augment_level(x, N), 0, 0);
}

/* Energy in the octave from 400 Hz against that from 1600 Hz, per Hz. */
/* In one of two channels, relative to its spread and not to its level. */
static void noise_of_series_has_its_level(void)
{
    lc_rng rng = lc_rng_seed(8);
    double squares = 0, other = 0;
    for (size_t i = 0; i < N; i++)
        x[i] = y[i] = i % 2 == 0 ? 1000 + 2 * (float)lc_rng_normal(&rng) : -3;
    lc_augment_series_noise(x, N / 2, 2, 20, &rng);
    for (size_t i = 0; i < N; i += 2) {
        squares += (double)(x[i] - y[i]) * (double)(x[i] - y[i]) / (0.5 * N);
        other += fabs((double)(x[i + 1] - y[i + 1]));
    }
    CHECK_NEAR(sqrt(squares), 0.2, 0.01);
    CHECK_NEAR(other, 0, 0);
    lc_augment_series_noise(x, 0, 2, 20, &rng);
}

/* Root mean square of the steps of every second value. */
static double steps(const float *samples)
{
    double squares = 0;
    for (size_t i = 2; i < N; i += 2)
        squares += (double)(samples[i] - samples[i - 2]) * (double)(samples[i] - samples[i - 2]);
    return sqrt(squares);
}

/* One of two channels: a pulse at a level becomes another of the same size, which is on average where it was. */
static void shapes_of_series_change(void)
{
    enum { TOP = N / 4 * 2, REACH = 5, TRIES = 100 };
    lc_rng rng = lc_rng_seed(9);
    double place = 0, upwards = 0;
    for (size_t i = 0; i < TRIES; i++) {
        double sum = 0, weighted = 0, other = 0;
        for (size_t j = 0; j < N; j++)
            x[j] = y[j] = j % 2 != 0 ? (float)j : 50 + (j == TOP ? 10.0f : 0.0f);
        lc_augment_series_shape(x, N / 2, 2, REACH, &rng);
        for (size_t j = 0; j < N; j += 2) {
            double size = fabs((double)x[j] - 50);
            bool within = j + 2 * REACH >= TOP && j <= TOP + 2 * REACH;
            if (!within && size > 0.02)
                CHECK(within);
            sum += within ? size : 0;
            weighted += within ? size * ((double)j - TOP) / 2 : 0;
            other += fabs((double)(x[j + 1] - y[j + 1]));
        }
        CHECK_NEAR(steps(x), steps(y), 1e-3);
        CHECK_NEAR(other, 0, 0);
        place += weighted / sum / TRIES;
        upwards += (x[TOP] > 50) / (double)TRIES;
    }
    printf("    %.3f values late, %.0f %% upwards\n", place, 100 * upwards);
    CHECK_NEAR(place, 0, 0.4);
    CHECK_NEAR(upwards, 0.5, 0.15);
}

/* By a plain sum over all values, beyond whose ends the last one goes on. */
static void shapes_are_filters(void)
{
    enum { LEN = 40, REACH = 3 };
    lc_rng rng = lc_rng_seed(10), same = rng;
    float impulse[LEN] = {0}, in[LEN];
    impulse[LEN / 2] = 1;
    lc_augment_series_shape(impulse, LEN, 1, REACH, &same);
    for (size_t i = 0; i < LEN; i++)
        x[i] = in[i] = (float)lc_rng_normal(&same);
    lc_augment_series_shape(x, LEN, 1, REACH, &rng);
    double mean = 0, ratio = 0, low = 0;
    for (size_t i = 0; i < LEN; i++)
        mean += (double)in[i] / LEN;
    for (size_t i = 0; i < LEN; i++)
        low = i < LEN / 2 - REACH ? (double)impulse[i] : low; /* what the mean of the impulse left */
    for (size_t i = 0; i < LEN; i++) {
        double sum = 0;
        for (int j = -REACH; j <= REACH; j++) {
            int at = (int)i + j < 0 ? 0 : (int)i + j >= LEN ? LEN - 1 : (int)i + j;
            sum += ((double)impulse[LEN / 2 - j] - low) * ((double)in[at] - mean);
        }
        ratio = i == 0 ? ((double)x[i] - mean) / sum : ratio;
        CHECK_NEAR((double)x[i] - mean, ratio * sum, 1e-4 * fabs(ratio));
    }
    lc_augment_series_shape(x, 0, 1, REACH, &rng);
    lc_augment_series_shape(x, 1, 1, REACH, &rng);
    lc_augment_series_shape(x, LEN, 1, 1000, &rng); /* no more than there is room for */
    for (size_t i = 0; i < LEN; i++)
        CHECK(isfinite(x[i]));
}

static void series_turn_around_their_mean(void)
{
    const lc_augment_change flip = {.noise = -120, .flip = 1}, none = {.noise = -120};
    lc_rng rng = lc_rng_seed(11);
    size_t turned[2] = {0}, both = 0;
    for (size_t i = 0; i < 200; i++) {
        float s[] = {1, 50, 3, 70, 2, 60}, kept[6];
        memcpy(kept, s, sizeof s);
        lc_augment_series(s, 3, 2, &none, &rng);
        CHECK(case_same(s, kept, sizeof s));
        lc_augment_series(s, 3, 2, &flip, &rng);
        bool a = s[0] > 2, b = s[1] > 60;
        CHECK_NEAR(s[0], a ? 3 : 1, 1e-5);
        CHECK_NEAR(s[3], b ? 50 : 70, 1e-4);
        turned[0] += a;
        turned[1] += b;
        both += a && b;
    }
    CHECK(turned[0] > 80 && turned[0] < 120 && turned[1] > 80 && turned[1] < 120 && both > 30 && both < 70);
}

static void noise_has_its_slope(void)
{
    for (int s = -2; s <= 1; s++) {
        double slope = 3 * s;
        lc_rng rng = lc_rng_seed(4);
        double low = 0, high = 0;
        lc_augment_noise_fill(x, N, rate, slope, &rng);
        CHECK_NEAR(lc_augment_level(x, N), 1, 1e-5);
        for (int k = 40; k < 80; k++) {
            double f = 10 * k;
            low += pow(amplitude(x, f), 2);
            high += pow(amplitude(x, 4 * f), 2);
        }
        CHECK_NEAR(10 * log10(high / low), 2 * slope, 2.5);
    }
}

static void mix_keeps_the_range(void)
{
    lc_rng rng = lc_rng_seed(5);
    double least = 99, most = -99;
    for (size_t i = 0; i < 60; i++) {
        fill_sine(x, 441);
        fill_sine(y, 882);
        lc_augment_gain(y, N, -30);
        lc_augment_mix(x, y, N, 6, &rng);
        double relative = decibels(amplitude(x, 882) / amplitude(x, 441));
        least = fmin(least, relative);
        most = fmax(most, relative);
        if (i == 0)
            CHECK_NEAR(amplitude(x, 441), 0.5, 1e-4);
    }
    CHECK(least >= -6.01 && least < -5 && most <= 6.01 && most > 5);
    memset(x, 0, sizeof x);
    fill_sine(y, 882);
    lc_augment_mix(x, y, N, 6, &rng);
    CHECK(case_same(x, y, sizeof x));
}

typedef void filter(float *samples, size_t n, double at_rate, double corner, double by);

static double gain_of(filter *apply, double frequency, double by)
{
    fill_sine(x, frequency);
    apply(x, N, rate, 1000, by);
    return decibels(amplitude(x, frequency) / 0.5);
}

static void filters_lift_what_they_should(void)
{
    for (int k = -2; k <= 2; k++) {
        double by = 4 * k;
        CHECK_NEAR(gain_of(lc_augment_tilt, 30, by), -by / 2, 0.1);
        CHECK_NEAR(gain_of(lc_augment_tilt, 1000, by), 0, 0.1);
        CHECK_NEAR(gain_of(lc_augment_tilt, 10500, by), by / 2, 0.1);
        CHECK_NEAR(gain_of(lc_augment_high_shelf, 30, by), 0, 0.1);
        CHECK_NEAR(gain_of(lc_augment_high_shelf, 10500, by), by, 0.1);
        CHECK_NEAR(gain_of(lc_augment_low_shelf, 30, by), by, 0.1);
        CHECK_NEAR(gain_of(lc_augment_low_shelf, 10500, by), 0, 0.1);
    }
}

static void colour_stays_in_range(void)
{
    lc_rng rng = lc_rng_seed(6);
    for (size_t i = 0; i < 20; i++) {
        const double frequencies[] = {50, 1000, 9000};
        for (size_t f = 0; f < 3; f++) {
            fill_sine(x, frequencies[f]);
            lc_augment_colour(x, N, rate, 4, &rng);
            CHECK(fabs(decibels(amplitude(x, frequencies[f]) / 0.5)) < 6.1);
        }
    }
}

static void same_state_same_samples(void)
{
    lc_rng a = lc_rng_seed(7), b = a;
    fill_sine(x, 441);
    fill_sine(y, 441);
    lc_augment_noise(x, N, rate, -3, 20, &a, scratch);
    lc_augment_colour(x, N, rate, 4, &a);
    lc_augment_noise(y, N, rate, -3, 20, &b, scratch);
    lc_augment_colour(y, N, rate, 4, &b);
    CHECK(case_same(x, y, sizeof x));
    lc_augment_noise(x, N, rate, -3, 20, &a, scratch);
    CHECK(!case_same(x, y, sizeof x));
}

int main(void)
{
    RUN(nothing_is_allowed);
    RUN(gain_is_in_decibels);
    RUN(polarity_turns_half_of_the_clips);
    RUN(noise_has_its_level);
    RUN(noise_of_series_has_its_level);
    RUN(shapes_of_series_change);
    RUN(shapes_are_filters);
    RUN(series_turn_around_their_mean);
    RUN(noise_has_its_slope);
    RUN(mix_keeps_the_range);
    RUN(filters_lift_what_they_should);
    RUN(colour_stays_in_range);
    RUN(same_state_same_samples);
    return check_done();
}
