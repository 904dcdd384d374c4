/* SPDX-License-Identifier: MIT
 * test_front_series.c - the front end of series: filters, scales, frames, in pieces of any size. */
#include "cases.h"

#include "signal/frontend.h"

enum { N = 4000 };
static const double pi = 3.14159265358979323846;

static lc_frontend *make(const char *line, lc_frontend_settings *settings)
{
    lc_frontend *front = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_frontend_parse(settings, line, &err), LOCO_OK);
    CHECK_STATUS(lc_frontend_new(&front, settings, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return front;
}

/* All of n samples at once; how many frames. */
static size_t run(lc_frontend *front, size_t size, const float *samples, size_t n, float *frames)
{
    size_t T = lc_frontend_push(front, samples, n, frames);
    return T + lc_frontend_finish(front, frames + T * size);
}

static void frames_are_samples_side_by_side(void)
{
    static const float x[] = {1, 10, 2, 20, 3, 30, 4, 40, 5, 50}; /* five of two channels */
    float frames[3 * 12];
    lc_frontend_settings s;
    lc_frontend *front = make("series rate=100 channels=2 hop=3 low=0 scale=fixed delta=channel delta_scale=0.5", &s);
    CHECK_EQ(lc_frontend_bins(&s), 1);
    CHECK_EQ(lc_frontend_channels(&s), 12);
    CHECK_EQ(lc_frontend_inputs(&s), 2);
    CHECK_EQ(lc_frontend_columns(&s).n, 2);
    CHECK_EQ(lc_frontend_delay(&s), 2);
    CHECK_EQ(lc_frontend_most(front, 5), 3);
    CHECK_NEAR(lc_frontend_lead(&s), 0, 0);
    CHECK_EQ(run(front, 12, x, 5, frames), 2);
    static const float want[] = {1, 10, 2, 20, 3, 30, 0, 0,  2, 20, 2, 20, /* values, then deltas over a half */
                                 4, 40, 5, 50, 5, 50, 2, 20, 2, 20, 0, 0}; /* the last sample again */
    for (size_t i = 0; i < 24; i++)
        CHECK_NEAR(frames[i], want[i], 0);
    CHECK_EQ(run(front, 12, x, 3, frames), 1); /* after a reset */
    CHECK_NEAR(frames[6], 0, 0);
    CHECK_EQ(lc_frontend_finish(front, frames), 0);
    lc_frontend_free(front);
}

/* 3, 4 and 12 are 13 long, whichever axis is which; the frames are those of one channel that holds it. */
static void the_magnitude_is_one_channel(void)
{
    static const float x[] = {3, 4, 12, 4, 12, 3, -12, 3, 4, 0, 0, 26, 26, 0, 0}, one[] = {13, 13, 13, 26, 26};
    static const char keys[] = "rate=100 hop=2 low=5 scale=running adapt=1 delta=channel";
    float frames[3 * 4], want[3 * 4];
    char line[128];
    lc_frontend_settings s, plain;
    lc_scale scale = {{0}, {0}}, plain_scale = {{0}, {0}};
    snprintf(line, sizeof line, "series channels=3 magnitude=1 %s", keys);
    lc_frontend *front = make(line, &s);
    snprintf(line, sizeof line, "series %s", keys);
    lc_frontend *single = make(line, &plain);
    CHECK_EQ(lc_frontend_channels(&s), 4);
    CHECK_EQ(lc_frontend_inputs(&s), 3);
    CHECK_EQ(lc_frontend_rows(&s), 1);
    CHECK_EQ(run(front, 4, x, 5, frames), 3);
    CHECK_EQ(run(single, 4, one, 5, want), 3);
    CHECK(case_same(frames, want, sizeof want));
    CHECK_NEAR(lc_frontend_value(&s, frames, 0), lc_frontend_value(&plain, want, 0), 0);
    lc_frontend_measure(front, x, 5);
    lc_frontend_measured(front, &scale);
    lc_frontend_measure(single, one, 5);
    lc_frontend_measured(single, &plain_scale);
    CHECK_NEAR(scale.mean[0], plain_scale.mean[0], 0);
    CHECK_NEAR(scale.spread[0], plain_scale.spread[0], 0);
    CHECK_NEAR(scale.spread[2], 1, 0);
    lc_frontend_free(front);
    lc_frontend_free(single);
}

/* Of the same input: calibration looks at the magnitude, too. */
static void the_strength_is_that_of_the_magnitude(void)
{
    static const float x[] = {3, 4, 4, 3, -4, 3, 0, 10, 10, 0, 3, 4}, one[] = {5, 5, 5, 10, 10, 5};
    lc_frontend_settings s, plain;
    CHECK_STATUS(lc_frontend_parse(&s, "series rate=100 channels=2 magnitude=1 low=5", NULL), LOCO_OK);
    CHECK_STATUS(lc_frontend_parse(&plain, "series rate=100 low=5", NULL), LOCO_OK);
    for (int anchor = LC_ANCHOR_RISE; anchor <= LC_ANCHOR_PEAK; anchor++) {
        lc_strength got = {0}, want = {0};
        CHECK_STATUS(lc_frontend_strength(&got, &s, (lc_anchor)anchor, x, 6, NULL), LOCO_OK);
        CHECK_STATUS(lc_frontend_strength(&want, &plain, (lc_anchor)anchor, one, 6, NULL), LOCO_OK);
        CHECK_EQ(got.len, 6);
        CHECK(case_same(got.values, want.values, 6 * sizeof *want.values));
        free(got.values);
        free(want.values);
    }
}

static void pieces_do_not_matter(void)
{
    static float x[2 * N], whole[N * 4], parts[N * 4];
    lc_rng rng = lc_rng_seed(3);
    lc_frontend_settings s;
    lc_frontend *front = make("series rate=360 channels=2 hop=7 low=0.7 high=35 scale=running adapt=2", &s);
    size_t size = lc_frontend_channels(&s), T = 0;
    for (size_t i = 0; i < 2 * N; i++)
        x[i] = (float)lc_rng_normal(&rng) + 5;
    size_t want = run(front, size, x, N, whole);
    CHECK_EQ(want, (N + 6) / 7);
    for (size_t at = 0, n; at < N; at += n) {
        n = 1 + case_below(&rng, 40);
        n = n < N - at ? n : N - at;
        T += lc_frontend_push(front, x + 2 * at, n, parts + T * size);
    }
    T += lc_frontend_finish(front, parts + T * size);
    CHECK_EQ(T, want);
    CHECK(case_same(whole, parts, want * size * sizeof *whole));
    lc_frontend_free(front);
}

/* How much of a sine of some frequency is left, once settled. */
static double gain_at(lc_frontend *front, double frequency, double rate)
{
    static float x[N], y[N];
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        x[i] = (float)sin(2 * pi * frequency * (double)i / rate);
    run(front, 1, x, N, y);
    for (size_t i = N / 2; i < N; i++)
        sum += (double)(y[i] * y[i]);
    return sqrt(4 * sum / N);
}

static void filters_have_their_corners(void)
{
    lc_frontend_settings s;
    lc_frontend *front = make("series rate=200 low=2 high=30 scale=fixed", &s);
    CHECK_NEAR(gain_at(front, 2, 200), sqrt(0.5), 0.01);
    CHECK_NEAR(gain_at(front, 30, 200), sqrt(0.5), 0.01);
    CHECK_NEAR(gain_at(front, 8, 200), 1, 0.02);
    CHECK(gain_at(front, 0.2, 200) < 0.02);
    CHECK(gain_at(front, 90, 200) < 0.03);
    lc_frontend_free(front);
    front = make("series rate=200 low=0 high=0 scale=fixed", &s);
    CHECK_NEAR(gain_at(front, 90, 200), 1, 1e-3);
    lc_frontend_free(front);
}

/* A level that was there before the first sample is not an event. */
static void a_constant_begins_without_a_jump(void)
{
    static const char *const lines[] = {"series rate=100 low=0.7 high=35 scale=fixed",
                                        "series rate=100 low=0 high=35 scale=fixed",
                                        "series rate=100 low=3 scale=fixed"};
    for (size_t i = 0; i < 3; i++) {
        static float x[N], y[N];
        lc_frontend_settings s;
        lc_frontend *front = make(lines[i], &s);
        double worst = 0, level = i == 1 ? -9.81 : 0;
        for (size_t t = 0; t < N; t++)
            x[t] = -9.81f;
        run(front, 1, x, N, y);
        for (size_t t = 0; t < N; t++)
            worst_note(&worst, y[t], level, 1);
        CHECK_WORST(worst, 1e-5);
        lc_frontend_free(front);
    }
}

static void scales_are_measured_and_used(void)
{
    static float x[2 * N], y[2 * N];
    lc_rng rng = lc_rng_seed(5);
    lc_frontend_settings s;
    lc_scale scale = {{0}, {0}};
    lc_frontend *front = make("series rate=100 channels=2 low=0 scale=record", &s);
    CHECK(lc_frontend_wants_scale(&s));
    for (size_t i = 0; i < N; i++) {
        x[2 * i] = 1000 + 2 * (float)lc_rng_normal(&rng);
        x[2 * i + 1] = 7; /* a channel that says nothing */
    }
    lc_frontend_measure(front, x, 1000);
    lc_frontend_measure(front, x + 2000, N - 1000);
    lc_frontend_measured(front, &scale);
    CHECK_NEAR(scale.mean[0], 1000, 0.2);
    CHECK_NEAR(scale.spread[0], 2, 0.1);
    CHECK_NEAR(scale.mean[1], 7, 1e-9);
    CHECK_NEAR(scale.spread[1], 1, 0);
    lc_frontend_rescale(front, &scale);
    run(front, 2, x, N, y);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < N; i++) {
        sum += (double)y[2 * i] / N;
        squares += (double)(y[2 * i] * y[2 * i]) / N;
    }
    CHECK_NEAR(sum, 0, 1e-3);
    CHECK_NEAR(squares, 1, 1e-3);
    lc_frontend_rescale(front, NULL);
    run(front, 2, x, 10, y);
    CHECK_NEAR(y[1], 7, 0);
    lc_frontend_free(front);
}

/* After a change of size the running scale follows, and the fixed one does not. */
static void a_running_scale_follows(void)
{
    static float x[N], y[N];
    lc_frontend_settings s;
    lc_frontend *front = make("series rate=100 low=0 scale=running adapt=2", &s);
    lc_rng rng = lc_rng_seed(9);
    double last = 0;
    CHECK_NEAR(lc_frontend_lead(&s), 4, 0);
    for (size_t i = 0; i < N; i++)
        x[i] = 50 + 20 * (float)lc_rng_normal(&rng);
    run(front, 1, x, N, y);
    CHECK_NEAR(y[0], x[0], 0); /* from mean 0 and spread 1 */
    for (size_t i = N - 1000; i < N; i++)
        last += (double)(y[i] * y[i]) / 1000;
    CHECK_NEAR(last, 1, 0.2);
    lc_frontend_free(front);
}

/* A sensor that was still for long does not make events of its noise. */
static void silence_is_not_made_loud(void)
{
    static float x[N], y[N];
    lc_frontend_settings s;
    lc_frontend *front = make("series rate=100 low=0 scale=running adapt=0.1", &s);
    for (size_t i = 0; i < N; i++)
        x[i] = i == N - 1 ? 5.001f : 5;
    run(front, 1, x, N, y);
    CHECK_NEAR(y[N - 1], 0.1, 0.01); /* a thousandth of the fixed spread over a hundredth of it */
    lc_frontend_free(front);
}

int main(void)
{
    RUN(frames_are_samples_side_by_side);
    RUN(the_magnitude_is_one_channel);
    RUN(the_strength_is_that_of_the_magnitude);
    RUN(pieces_do_not_matter);
    RUN(filters_have_their_corners);
    RUN(a_constant_begins_without_a_jump);
    RUN(scales_are_measured_and_used);
    RUN(a_running_scale_follows);
    RUN(silence_is_not_made_loud);
    return check_done();
}
