/* SPDX-License-Identifier: MIT
 *
 * frontend.c - the front end against a straightforward implementation, in one run on one thread.
 *
 *   frontend [SECONDS] prints one JSON object a shape: milliseconds for 60 s of noise, the smallest of alternating
 *   rounds that take SECONDS (2) in all; ours_x and other_x are times real time. "plain" is: window, FFTW real to
 *   complex, power, the bins of each mel band, log10f, difference, in C as the compiler makes it; where it was built
 *   without FFTW, ours stands alone. "live" rows push a hop at a time, so that each frame is transformed alone. Exit
 *   status 1 if the frames differ. */
#include "signal/frontend.h"
#include "signal/spectra.h"

#ifdef LOCO_FFTW
#include <fftw3.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LENGTH = 60 }; /* seconds of sound */

typedef struct shape {
    const char *name, *line;
} shape;

static const shape shapes[] = {
    {"frontend/1024x72",  "mel"                                                                  },
    {"frontend/2048x72",  "mel rate=44100 window=2048 hop=441 high=16000"                        },
    {"frontend/4096x72",  "mel rate=44100 window=1102 hop=220 fft=4096 high=22050 delta=channel" },
    {"frontend/8192x384", "mel rate=44100 window=1102 hop=220 fft=8192 bands=384 low=0 high=7270"},
};

/* The sound, and its frames by both. */
typedef struct job {
    lc_frontend_settings s;
    lc_frontend *frontend;
    lc_filters mel;
    lc_block block;
    float *samples, *ours, *live, *plain, *in, *power;
    size_t n, T;
#ifdef LOCO_FFTW
    fftwf_complex *out;
    fftwf_plan plan;
#endif
} job;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *need(void *block)
{
    if (block == NULL) {
        fprintf(stderr, "frontend: out of memory\n");
        exit(2);
    }
    return block;
}

static void *array(size_t n, size_t size)
{
    return need(calloc(n, size));
}

/* Window and weights are those of the front end. */
static void make_tables(job *j)
{
    lc_arena arena = {0};
    lc_filters_layout(&j->mel, &j->s, &arena);
    if (!lc_block_reserve(&j->block, arena.used))
        need(NULL);
    arena = lc_arena_over(&j->block);
    lc_filters_layout(&j->mel, &j->s, &arena);
    lc_filters_fill(&j->mel, &j->s);
}

static void begin(job *j, const char *line)
{
    loco_err err = {""};
    if (lc_frontend_parse(&j->s, line, &err) != LOCO_OK || lc_frontend_new(&j->frontend, &j->s, &err) != LOCO_OK) {
        fprintf(stderr, "frontend: %s\n", err.text);
        exit(2);
    }
    make_tables(j);
    j->n = (size_t)(LENGTH * j->s.rate);
    j->T = (j->n + j->s.hop - 1) / j->s.hop;
    j->samples = array(j->n + 2 * j->s.window, sizeof *j->samples); /* zeros at both ends */
    uint32_t state = 1;
    for (size_t i = 0; i < j->n; i++) {
        state = state * 1664525 + 1013904223;
        j->samples[j->s.window + i] = (float)(state >> 8) / 0x1p24f - 0.5f;
    }
    j->ours = array((j->T + 1) * j->s.bands * 2, sizeof *j->ours);
    j->live = array((j->T + 1) * j->s.bands * 2, sizeof *j->live);
}

static void end(job *j)
{
    lc_frontend_free(j->frontend);
    lc_block_free(&j->block);
    free(j->samples);
    free(j->ours);
    free(j->live);
}

static double run_ours(job *j)
{
    double start = now();
    size_t size = 2 * j->s.bands, T = lc_frontend_push(j->frontend, j->samples + j->s.window, j->n, j->ours);
    lc_frontend_finish(j->frontend, j->ours + T * size);
    return now() - start;
}

/* A hop at a time, as from a microphone. */
static double run_live(job *j)
{
    double start = now();
    size_t size = 2 * j->s.bands, T = 0;
    for (size_t i = 0; i < j->n; i += j->s.hop) {
        size_t left = j->n - i, len = left < j->s.hop ? left : j->s.hop;
        T += lc_frontend_push(j->frontend, j->samples + j->s.window + i, len, j->live + T * size);
    }
    lc_frontend_finish(j->frontend, j->live + T * size);
    return now() - start;
}

/* ---- plain ---- */

#ifdef LOCO_FFTW
enum { HAS_PLAIN = 1 };

static void begin_plain(job *j)
{
    j->plain = array((j->T + 1) * j->s.bands * 2, sizeof *j->plain);
    j->in = need(fftwf_alloc_real(j->s.fft));
    j->out = need(fftwf_alloc_complex(j->s.fft / 2 + 1));
    j->power = array(j->s.fft / 2 + 1, sizeof *j->power);
    j->plan = need(fftwf_plan_dft_r2c_1d((int)j->s.fft, j->in, j->out, FFTW_ESTIMATE));
    memset(j->in, 0, j->s.fft * sizeof *j->in);
}

static void end_plain(job *j)
{
    fftwf_destroy_plan(j->plan);
    fftwf_free(j->in);
    fftwf_free(j->out);
    free(j->plain);
    free(j->power);
}

static double run_plain(job *j)
{
    const lc_frontend_settings *s = &j->s;
    size_t bins = s->fft / 2 + 1, size = 2 * s->bands;
    double start = now();
    for (size_t t = 0; t < j->T; t++) {
        const float *x = j->samples + s->window + t * s->hop - lc_filters_centre(s);
        float *frame = j->plain + t * size;
        for (size_t i = 0; i < s->window; i++)
            j->in[i] = x[i] * j->mel.window[i];
        fftwf_execute(j->plan);
        for (size_t k = 0; k < bins; k++)
            j->power[k] = j->out[k][0] * j->out[k][0] + j->out[k][1] * j->out[k][1];
        const float *w = j->mel.weights;
        for (size_t b = 0; b < s->bands; b++) {
            lc_band band = j->mel.bands[b];
            float sum = 0;
            for (size_t i = 0; i < band.length; i++)
                sum += *w++ * j->power[band.first + i];
            float level = fmaxf(log10f(sum), (float)s->floor);
            frame[2 * b] = (level + (float)s->shift) / (float)s->scale;
            float before = t > 0 ? (frame - size)[2 * b] : frame[2 * b];
            frame[2 * b + 1] = (frame[2 * b] - before) * (float)(s->scale / s->delta_scale);
        }
    }
    return now() - start;
}

#else
enum { HAS_PLAIN = 0 };

static void begin_plain(job *j)
{
    (void)j;
}

static void end_plain(job *j)
{
    (void)j;
}

static double run_plain(job *j)
{
    (void)j;
    return 0;
}
#endif

/* ---- results ---- */

static float worst_difference(const job *j, const float *other)
{
    float worst = 0;
    for (size_t i = 0; i < j->T * 2 * j->s.bands; i++)
        worst = fmaxf(worst, fabsf(j->ours[i] - other[i]));
    return worst;
}

static void show(const char *name, const char *way, double ours, double plain)
{
    printf("{\"name\":\"%s%s\",\"threads\":1,\"ours_ms\":%.4g,\"ours_x\":%.0f", name, way, 1e3 * ours, LENGTH / ours);
    if (HAS_PLAIN)
        printf(",\"other\":\"plain\",\"other_ms\":%.4g,\"other_x\":%.0f,\"ratio\":%.3g", 1e3 * plain, LENGTH / plain,
               plain / ours);
    printf("}\n");
}

/* Whether all agreed. */
static int measure(const shape *c, double seconds)
{
    job j = {0};
    double ours = 1e9, live = 1e9, plain = 1e9, stop = now() + seconds;
    begin(&j, c->line);
    begin_plain(&j);
    do {
        for (int i = 0; i < 5; i++)
            ours = fmin(ours, run_ours(&j));
        live = fmin(live, run_live(&j));
        plain = fmin(plain, run_plain(&j));
    } while (now() < stop);
    float worst = HAS_PLAIN ? worst_difference(&j, j.plain) : 0, apart = worst_difference(&j, j.live);
    show(c->name, "", ours, plain);
    show(c->name, "-live", live, plain);
    if (!(worst < 1e-3f) || apart > 0)
        fprintf(stderr, "frontend: %s differs by %g, live by %g\n", c->name, (double)worst, (double)apart);
    end_plain(&j);
    end(&j);
    return worst < 1e-3f && !(apart > 0);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    int good = 1;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        good &= measure(&shapes[i], seconds);
    return good ? 0 : 1;
}
