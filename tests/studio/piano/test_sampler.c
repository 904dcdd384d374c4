/* SPDX-License-Identifier: MIT
 * test_sampler.c - single notes: begin, pitch, level, damper, and strings that are struck again. */
#include "check.h"

#include "studio/piano/sampler.h"

enum { RATE = 8000, LENGTH = 16000, N = 16000 };

static lc_pianos pianos;

/* One zone: a steady tone of 500 Hz, whose pitch is said to be 60. */
static void make_piano(void)
{
    static float tone[LENGTH];
    lc_zone *zone = calloc(1, sizeof *zone);
    *zone = (lc_zone){.hikey = 127, .hivel = 127, .centre = 60};
    for (size_t i = 0; i < LENGTH; i++)
        tone[i] = (float)(0.5 * cos(6.283185307179586 * 500 * (double)i / RATE));
    CHECK(lc_zone_cut(zone, tone, LENGTH, RATE));
    CHECK_STATUS(lc_pianos_add(&pianos, "one", "", zone, 1, NULL), LOCO_OK);
}

static void play(lc_played note, const lc_touch *touch, float out[N])
{
    memset(out, 0, N * sizeof *out);
    lc_sampler_play(&pianos.items[0], touch, &note, RATE, out, N);
}

static double level(const float *samples, size_t from, size_t n)
{
    double sum = 0;
    for (size_t i = from; i < from + n; i++)
        sum += (double)samples[i] * (double)samples[i];
    return sqrt(sum / (double)n);
}

/* Crossings of zero, upwards, a second. */
static double frequency(const float *samples, size_t from, size_t n)
{
    size_t crossings = 0;
    for (size_t i = from; i + 1 < from + n; i++)
        crossings += samples[i] < 0 && samples[i + 1] >= 0;
    return (double)crossings * RATE / (double)n;
}

static void notes_have_their_pitch_and_level(void)
{
    static float out[N];
    lc_touch touch = {.power = 2, .release = 0.2};
    play((lc_played){1000, 9000, 60, 127, false}, &touch, out);
    CHECK_NEAR(level(out, 0, 1000), 0, 0);
    CHECK_NEAR(frequency(out, 1000, 8000), 500, 2);
    CHECK_NEAR(level(out, 1000, 8000), 0.1, 1e-3);
    play((lc_played){0, 4000, 72, 127, false}, &touch, out);
    CHECK_NEAR(frequency(out, 0, 4000), 1000, 3);
    play((lc_played){0, 8000, 48, 64, false}, &touch, out);
    CHECK_NEAR(frequency(out, 0, 8000), 250, 2);
    CHECK_NEAR(level(out, 0, 8000), 0.1 * 64 * 64 / 127 / 127, 1e-3);
    touch.detune[60] = -0.5;
    play((lc_played){0, 8000, 60, 127, false}, &touch, out);
    CHECK_NEAR(frequency(out, 0, 8000), 500 * pow(2, -0.5 / 12), 2);
}

static void dampers_fall(void)
{
    static float out[N];
    lc_touch touch = {.power = 1, .release = 0.2};
    play((lc_played){0, 4000, 60, 127, false}, &touch, out);
    CHECK_NEAR(level(out, 4760, 80), 0.1 * pow(10, -3.0 * 800 / 1600), 1e-3); /* half of the way */
    CHECK_NEAR(level(out, 5700, 4000), 0, 0);
    play((lc_played){0, 4000, 60, 127, true}, &touch, out);
    CHECK_NEAR(level(out, 4600, 4000), 0, 0);
    play((lc_played){0, 100, 95, 127, false}, &touch, out); /* without a damper */
    CHECK_NEAR(level(out, 500, 500), 0.1, 2e-3);
}

/* Notes at the borders write nothing outside. */
static void borders_hold(void)
{
    lc_touch touch = {.power = 1, .release = 5};
    for (size_t on = N - 3; on < N + 3; on++) {
        float *out = calloc(N, sizeof *out);
        play((lc_played){on, on + 1, 60, 127, false}, &touch, out);
        play((lc_played){on, on, 60, 1, false}, &touch, out);
        play((lc_played){0, SIZE_MAX, 21, 127, false}, &touch, out);
        free(out);
    }
    CHECK(1);
}

int main(void)
{
    make_piano();
    RUN(notes_have_their_pitch_and_level);
    RUN(dampers_fall);
    RUN(borders_hold);
    lc_pianos_free(&pianos);
    return check_done();
}
