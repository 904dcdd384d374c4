/* SPDX-License-Identifier: MIT
 * test_sample.c - attacks found to the sample, tails cut, pitches. */
#include "kit_cases.h"

#include "studio/kits/sample.h"

enum { N = 20000 };
static const double rate = 22050;
static float samples[N];

/* A decaying tone from sample `at` on. */
static void fill(size_t at, double frequency, double amplitude, double decay)
{
    for (size_t i = 0; i < N; i++) {
        double t = ((double)i - (double)at) / rate;
        samples[i] = t < 0 ? 0 : (float)(amplitude * cos(6.283185307 * frequency * t) * exp(-t / decay));
    }
}

static void onset_is_exact(void)
{
    for (size_t i = 0; i < N; i++)
        samples[i] = 0;
    CHECK_EQ(lc_sample_onset(samples, N, rate), N);
    CHECK_EQ(lc_sample_onset(samples, 0, rate), 0);
    for (size_t at = 0; at < 3000; at += 613) {
        fill(at, 3000, 0.01, 0.1);
        CHECK_EQ(lc_sample_onset(samples, N, rate), at);
    }
}

/* Hiss 50 dB below, from the very beginning; and a pre-echo 40 ms before. */
static void noise_before_is_passed_over(void)
{
    fill(2000, 200, 0.5, 0.1);
    for (size_t i = 0; i < N; i++)
        samples[i] += (i * 7919 % 13 < 6 ? 1 : -1) * 0.0016f;
    CHECK_EQ(lc_sample_onset(samples, N, rate), 2000);
    samples[2000 - 882] = 0.04f;
    CHECK_EQ(lc_sample_onset(samples, N, rate), 2000);
}

/* A swell: the attack counts, not the peak a quarter of a second later. */
static void attack_counts_and_not_the_peak(void)
{
    for (size_t i = 0; i < N; i++) {
        double t = ((double)i - 1000) / rate;
        samples[i] = t < 0 ? 0 : (float)((0.15 + 0.85 * fmin(1, t / 0.25)) * cos(9000 * t));
    }
    CHECK_EQ(lc_sample_onset(samples, N, rate), 1000);
}

static void cut_scales_and_ends(void)
{
    lc_sample sample;
    fill(500, 3000, 0.02, 0.05);
    CHECK(lc_sample_cut(&sample, samples, N, rate));
    CHECK(sample.values[0] == 32767);
    CHECK(sample.n > (size_t)(0.3 * rate) && sample.n < (size_t)(0.45 * rate)); /* ln(2000) * 50 ms = 380 ms */
    CHECK(sample.values[sample.n - 1] > -20 && sample.values[sample.n - 1] < 20);
    CHECK_NEAR(sample.level, sqrt(0.5 * 0.5 * (1 - exp(-2))), 0.02); /* mean of cos^2 exp(-2t/0.05) over 50 ms */
    lc_sample_free(&sample);
    memset(samples, 0, sizeof samples);
    CHECK(lc_sample_cut(&sample, samples, N, rate));
    CHECK_EQ(sample.n, 0);
    lc_sample_free(&sample);
}

static double error_of_play(double pitch)
{
    static float out[N];
    lc_sample sample;
    fill(0, 500, 0.5, 0.06);
    CHECK(lc_sample_cut(&sample, samples, N, rate));
    size_t n = lc_sample_play(&sample, pitch, 2 * sample.level, out, N);
    CHECK(n < N && n >= (size_t)((double)sample.n / pitch));
    double worst = 0;
    for (size_t i = 0; i < 4000; i++) {
        double t = (double)i * pitch / rate;
        worst = fmax(worst, fabs((double)out[i] - 2 * cos(6.283185307 * 500 * t) * exp(-t / 0.06)));
    }
    CHECK_EQ(lc_sample_play(&sample, pitch, 1, out, 10), 10);
    lc_sample_free(&sample);
    return worst;
}

static void pitch_and_level(void)
{
    CHECK(error_of_play(1) < 0.001);
    CHECK(error_of_play(1.01) < 0.02);
    CHECK(error_of_play(0.8) < 0.02);
    lc_sample empty = {0};
    CHECK_EQ(lc_sample_play(&empty, 1, 1, samples, N), 0);
}

/* Off zero by a tenth of the peak: as if it were not. */
static void constants_leave_no_trace(void)
{
    for (int off = 0; off < 2; off++) {
        lc_sample sample;
        fill(1000, 3000, 0.5, 0.03);
        for (size_t i = 0; i < 8000; i++)
            samples[i] += off ? 0.05f : 0;
        CHECK(lc_sample_cut(&sample, samples, N, rate));
        CHECK(sample.values[0] == 32767 && !lc_sample_is_low(&sample, rate));
        double sum = 0;
        for (size_t i = 0; i < 2205; i++)
            sum += sample.values[i];
        CHECK(fabs(sum / 2205) < 60); /* of 3000 that a constant would leave */
        lc_sample_free(&sample);
    }
}

/* A tone at 100 Hz is low, one at 250 Hz is not; of both together it is the louder that matters. */
static void low_sounds(void)
{
    const double frequencies[] = {60, 100, 250, 8000};
    for (size_t i = 0; i < 4; i++) {
        lc_sample sample;
        fill(0, frequencies[i], 0.5, 0.1);
        CHECK(lc_sample_cut(&sample, samples, N, rate));
        CHECK_EQ(lc_sample_is_low(&sample, rate), i < 2);
        lc_sample_free(&sample);
    }
    for (size_t louder = 0; louder < 2; louder++) {
        lc_sample sample;
        fill(0, 60, louder > 0 ? 0.8 : 0.3, 0.1);
        for (size_t i = 0; i < N; i++)
            samples[i] += (float)(0.5 * cos(0.9 * (double)i) * exp(-(double)i / rate / 0.1));
        CHECK(lc_sample_cut(&sample, samples, N, rate));
        CHECK_EQ(lc_sample_is_low(&sample, rate), louder);
        lc_sample_free(&sample);
    }
    lc_sample empty = {0};
    CHECK(!lc_sample_is_low(&empty, rate));
}

static void files(void)
{
    lc_sample sample = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_sample_load(&sample, data_path("none.wav"), rate, &err), LOCO_EIO);
    CHECK(strstr(err.text, "none.wav") != NULL && sample.values == NULL);
    kit_sound("one.wav", 1000, 0.5);
    CHECK_STATUS(lc_sample_load(&sample, data_path("one.wav"), rate, &err), LOCO_OK);
    CHECK(sample.values[0] == 32767);
    lc_sample_free(&sample);
}

int main(void)
{
    if (mkdtemp(data_folder) == NULL)
        return 1;
    RUN(onset_is_exact);
    RUN(noise_before_is_passed_over);
    RUN(attack_counts_and_not_the_peak);
    RUN(cut_scales_and_ends);
    RUN(pitch_and_level);
    RUN(constants_leave_no_trace);
    RUN(low_sounds);
    RUN(files);
    data_clear();
    rmdir(data_folder);
    return check_done();
}
