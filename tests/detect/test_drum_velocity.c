/* SPDX-License-Identifier: MIT
 * test_drum_velocity.c - velocities of drums: bursts of noise whose levels are known. */
#include "sounds.h"

#include "detect/drum_velocity.h"
#include "signal/filter.h"

enum { RATE = LC_DRUM_RATE, N = 4 * RATE, STROKES = 8 };

static const char *const classes[] = {"kick", "closed-hihat"};

/* Noise of 60 ms, or a low tone. */
static void strike(float *x, double time, bool low, double level)
{
    lc_rng rng = lc_rng_seed(7);
    size_t first = (size_t)(time * RATE);
    for (size_t i = 0; i < 6 * RATE / 100; i++) {
        double t = (double)i / RATE, tone = sin(2 * acos(-1) * 70 * t), noise = 2 * lc_rng_uniform(&rng) - 1;
        x[first + i] += (float)(level * exp(-t / 0.02) * (low ? tone : noise));
    }
}

static void wrong_classes_are_refused(void)
{
    static const char *const birds[] = {"kick", "robin"};
    loco_err err = {""};
    CHECK(!lc_drum_classes(birds, 2) && lc_drum_classes(classes, 2) && !lc_drum_classes(classes, 0));
    CHECK_STATUS(lc_drum_velocities(NULL, NULL, NULL, 0, birds, 2, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "names of drums");
}

/* 12 dB less are half the velocity; each drum is judged in its own band, though both sound at once. */
static void louder_is_faster(void)
{
    float *x = sound_noise(N, 1e-5f, 1);
    loco_event events[2 * STROKES];
    lc_note notes[2 * STROKES];
    loco_samples samples = {x, N, 1, RATE};
    lc_sound *sound = NULL;
    for (size_t i = 0; i < STROKES; i++) {
        double time = 0.2 + 0.4 * (double)i;
        strike(x, time, true, i % 2 == 0 ? 0.4 : 0.1);
        strike(x, time, false, i % 4 < 2 ? 0.2 : 0.05);
        events[2 * i] = (loco_event){time, 0, 1, 0};
        events[2 * i + 1] = (loco_event){time, 1, 1, 0};
    }
    CHECK_STATUS(lc_sound_open_samples(&sound, &samples, RATE, (lc_columns){0, NULL}, NULL), LOCO_OK);
    CHECK_STATUS(lc_drum_velocities(notes, sound, events, 2 * STROKES, classes, 2, NULL), LOCO_OK);
    for (size_t i = 0; i < STROKES; i++) {
        CHECK_NEAR(notes[2 * i].velocity, i % 2 == 0 ? 100 : 50, 4);
        CHECK_NEAR(notes[2 * i + 1].velocity, i % 4 < 2 ? 100 : 50, 4);
        CHECK_NEAR(notes[2 * i].end, events[2 * i].time + 0.05, 1e-9);
    }
    lc_sound_close(sound);
    free(x);
}

int main(void)
{
    RUN(wrong_classes_are_refused);
    RUN(louder_is_faster);
    return check_done();
}
