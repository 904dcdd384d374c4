/* SPDX-License-Identifier: MIT
 *
 * page_example.h - a report over made-up drums: sound, spectrogram, logits and marks, the same every time.
 *
 * A bar of eight eighths at 112 beats a minute: kick, snare and hi-hat, each a burst with its own decay and colour.
 * The logits peak a little off each event, sometimes weakly, sometimes where nothing is: hits, misses and false
 * alarms.
 */
#ifndef TESTS_PAGE_EXAMPLE_H
#define TESTS_PAGE_EXAMPLE_H

#include "base/rng.h"
#include "report/page.h"

#include <math.h>
#include <stdlib.h>

enum { EXAMPLE_K = 3, EXAMPLE_BANDS = 72, EXAMPLE_RATE = 22050, EXAMPLE_FPS = 100, EXAMPLE_MARKS = 800 };

#define EXAMPLE_PI 3.14159265358979323846

typedef struct example_recording {
    float *samples, *spectrogram, *logits;
    size_t samples_len, frames, marks_len;
    lc_page_mark marks[EXAMPLE_MARKS];
    size_t counts[EXAMPLE_K];
} example_recording;

/* One stroke of a drum, added to the sound. */
static inline void example_strike(example_recording *e, lc_rng *rng, double time, size_t kind, double level)
{
    static const double decay[] = {0.11, 0.07, 0.03};
    size_t first = (size_t)(time * EXAMPLE_RATE);
    double last = 0, phase = 0;
    for (size_t i = 0; i < EXAMPLE_RATE / 3 && first + i < e->samples_len; i++) {
        double t = (double)i / EXAMPLE_RATE, noise = 2 * lc_rng_uniform(rng) - 1;
        phase += 2 * EXAMPLE_PI * (48 + 130 * exp(-t / 0.025)) / EXAMPLE_RATE;
        double tone = kind == 0   ? sin(phase)
                      : kind == 1 ? 0.5 * sin(2 * EXAMPLE_PI * 190 * t) + 0.6 * noise
                                  : noise - last;
        last = noise;
        e->samples[first + i] += (float)(0.45 * level * (kind == 2 ? 0.3 : 1) * exp(-t / decay[kind]) * tone);
    }
}

/* Probability around a time: a narrow bump in the logits. */
static inline void example_peak(example_recording *e, double time, size_t kind, double height)
{
    for (size_t t = 0; t < e->frames; t++) {
        double apart = (double)t / EXAMPLE_FPS - time;
        if (fabs(apart) < 0.06) {
            float *z = e->logits + t * EXAMPLE_K + kind;
            *z = fmaxf(*z, (float)(height - 90000 * apart * apart));
        }
    }
}

static inline void example_mark(example_recording *e, double time, size_t kind, lc_page_verdict verdict, double p,
                                double reference)
{
    if (e->marks_len < EXAMPLE_MARKS)
        e->marks[e->marks_len++] = (lc_page_mark){
            .time = time, .kind = kind, .probability = p, .verdict = verdict, .reference = reference};
}

/* One true event: detected, detected with low probability, or missed. */
static inline void example_event(example_recording *e, lc_rng *rng, double time, size_t kind, bool reference)
{
    example_strike(e, rng, time, kind, 0.7 + 0.3 * lc_rng_uniform(rng));
    double late = 0.006 * lc_rng_normal(rng), draw = lc_rng_uniform(rng);
    double height = draw < 0.07 ? -2.2 : draw < 0.17 ? 0.8 : 4;
    e->counts[kind]++;
    double found = round((time + late) * EXAMPLE_FPS) / EXAMPLE_FPS;
    example_peak(e, found, kind, height);
    if (height > 0)
        example_mark(e, found, kind, reference ? LC_PAGE_HIT : LC_PAGE_FOUND, 1 / (1 + exp(-height)), time);
    else if (reference)
        example_mark(e, time, kind, LC_PAGE_MISS, 0.1, time);
}

/* A short-time spectrum with bands from 60 Hz to 10 kHz, in decibels above a floor. */
static inline void example_spectrogram(example_recording *e)
{
    enum { WINDOW = 512 };
    for (size_t b = 0; b < EXAMPLE_BANDS; b++) {
        double w = 2 * EXAMPLE_PI * 60 * pow(10000.0 / 60, (double)b / (EXAMPLE_BANDS - 1)) / EXAMPLE_RATE;
        for (size_t t = 0; t < e->frames; t++) {
            double re = 0, im = 0, c = 1, s = 0, cw = cos(w), sw = sin(w);
            size_t centre = t * EXAMPLE_RATE / EXAMPLE_FPS, from = centre > WINDOW / 2 ? centre - WINDOW / 2 : 0;
            for (size_t i = 0; i < WINDOW && from + i < e->samples_len; i++) {
                double x = (double)e->samples[from + i] * (0.5 - 0.5 * cos(2 * EXAMPLE_PI * (double)i / WINDOW));
                re += x * c, im += x * s;
                double turned = c * cw - s * sw;
                s = s * cw + c * sw, c = turned;
            }
            double level = (10 * log10(1e-9 + re * re + im * im) + 22) / 62;
            e->spectrogram[t * EXAMPLE_BANDS + b] = (float)fmax(0, fmin(1, level));
        }
    }
}

static inline example_recording *example_new(uint64_t seed, double seconds, bool reference)
{
    static const char *const bar[EXAMPLE_K] = {"x...xx..", "..x...x.", "xxxxxxxx"};
    example_recording *e = calloc(1, sizeof *e);
    lc_rng rng = lc_rng_seed(seed);
    e->samples_len = (size_t)(seconds * EXAMPLE_RATE);
    e->frames = (size_t)(seconds * EXAMPLE_FPS);
    e->samples = calloc(e->samples_len, sizeof *e->samples);
    e->logits = calloc(e->frames * EXAMPLE_K, sizeof *e->logits);
    e->spectrogram = calloc(e->frames * EXAMPLE_BANDS, sizeof *e->spectrogram);
    for (size_t i = 0; i < e->frames * EXAMPLE_K; i++)
        e->logits[i] = (float)(-8.5 + 0.7 * lc_rng_normal(&rng));
    double eighth = 60 / 112.0 / 2;
    for (size_t i = 0; 0.15 + (double)i * eighth < seconds - 0.2; i++) {
        double time = 0.15 + (double)i * eighth + 0.004 * lc_rng_normal(&rng);
        for (size_t k = 0; k < EXAMPLE_K; k++) {
            if (bar[k][i % 8] == 'x' && lc_rng_uniform(&rng) < 0.94)
                example_event(e, &rng, time, k, reference);
            else if (reference && lc_rng_uniform(&rng) < 0.035) {
                example_peak(e, round(time * EXAMPLE_FPS) / EXAMPLE_FPS, k, 0.7);
                example_mark(e, time, k, LC_PAGE_FALSE_ALARM, 0.67, 0);
            }
        }
    }
    for (size_t i = 0; i < e->samples_len; i++)
        e->samples[i] += (float)(0.002 * lc_rng_normal(&rng));
    if (reference)
        example_spectrogram(e);
    return e;
}

static inline void example_free(example_recording *e)
{
    free(e->samples);
    free(e->spectrogram);
    free(e->logits);
    free(e);
}

static inline lc_page_recording example_view(const example_recording *e, const char *name)
{
    return (lc_page_recording){
        .name = name,
        .samples = e->samples,
        .samples_len = e->samples_len,
        .rate = EXAMPLE_RATE,
        .spectrogram = e->spectrogram,
        .spectrogram_len = e->frames,
        .bands = EXAMPLE_BANDS,
        .spectrogram_rate = EXAMPLE_FPS,
        .logits = e->logits,
        .frames = e->frames,
        .frame_rate = EXAMPLE_FPS,
        .marks = e->marks,
        .marks_len = e->marks_len,
        .counts = e->counts,
    };
}

/* ---- a training curve ---- */

enum { EXAMPLE_STEPS = 2000, EXAMPLE_CHECKS = 40 };

typedef struct example_curve {
    double steps[EXAMPLE_STEPS], loss[EXAMPLE_STEPS];
    double check_steps[EXAMPLE_CHECKS], check_loss[EXAMPLE_CHECKS], score[EXAMPLE_CHECKS];
    lc_curve_series losses[2], scores[1];
    lc_curve curve;
} example_curve;

static inline void example_curve_fill(example_curve *c)
{
    lc_rng rng = lc_rng_seed(5);
    for (size_t i = 0; i < EXAMPLE_STEPS; i++) {
        c->steps[i] = 5.0 * (double)(i + 1);
        c->loss[i] = (0.16 + 3.6 * exp(-(double)i / 220)) * exp(0.22 * lc_rng_normal(&rng));
    }
    for (size_t i = 0; i < EXAMPLE_CHECKS; i++) {
        double t = (double)(i + 1) / EXAMPLE_CHECKS;
        c->check_steps[i] = 10000 * t;
        c->check_loss[i] = (0.27 + 2.6 * exp(-9 * t) + 0.12 * t * t) * exp(0.04 * lc_rng_normal(&rng));
        c->score[i] = 0.93 - 0.75 * exp(-6 * t) + 0.008 * lc_rng_normal(&rng);
    }
    c->losses[0] = (lc_curve_series){"training", c->steps, c->loss, EXAMPLE_STEPS, false};
    c->losses[1] = (lc_curve_series){"validation", c->check_steps, c->check_loss, EXAMPLE_CHECKS, true};
    c->scores[0] = (lc_curve_series){"validation", c->check_steps, c->score, EXAMPLE_CHECKS, true};
    c->curve = (lc_curve){.loss = c->losses,
                          .loss_len = 2,
                          .scores = c->scores,
                          .scores_len = 1,
                          .score_name = "F-measure",
                          .best_step = 8250};
}

#endif
