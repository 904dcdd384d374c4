/* SPDX-License-Identifier: MIT
 * soak.c - hours of live detection: `soak SECONDS MODEL...`. One round after the other, a random piece of sound at a random sample
 *   rate goes through a listener that was there before, in blocks of random sizes with pauses between them, and some rounds are
 *   begun, dropped and begun again. The events must be those that detection of the whole piece finds, bit for bit, and memory must
 *   stay: after a first round of every listener it may grow by LEAK at most.
 *   A line a minute; the exit status is 1 after a difference, a failed call, or growth. */
#include "loco.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MODELS = 8, RATES = 5, MOST_SECONDS = 60, MOST_RATE = 48000, MOST_EVENTS = 1 << 16, FIRST_SECONDS = 8 };

#define LEAK (1 << 20) /* bytes */

static const double rates[RATES] = {0, 44100, 48000, 16000, 8000}; /* 0: the model's own */

typedef struct soak {
    loco_model *models[MODELS];
    loco_listener *listeners[MODELS][RATES][2];
    size_t models_len;
    uint64_t random;
    float *sound;
    loco_event *found;
    size_t found_len;
    double started, seconds_of_sound, first_memory, memory;
    size_t rounds, events, drops;
} soak;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* xorshift: the campaign can be repeated. */
static uint64_t draw(soak *s)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return s->random;
}

static double uniform(soak *s)
{
    return (double)(draw(s) >> 11) / (double)(1ULL << 53);
}

/* Bytes that the process holds, without what malloc keeps for later. */
static double memory_now(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    unsigned long pages = 0, ignored = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL || fscanf(file, "%lu %lu", &ignored, &pages) != 2)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return 4096.0 * (double)pages;
}

/* Bursts of noise and of tones that fade, over a floor, with stretches of silence. */
static void make_sound(soak *s, size_t frames, size_t channels, double rate)
{
    double floor = 0.001 * uniform(s), level = 0, phase = 0, step = 0, fade = 1, tone = 0;
    for (size_t i = 0; i < frames; i++) {
        if (uniform(s) < 4 / rate) {
            level = uniform(s);
            fade = exp(-1 / (rate * (0.02 + 0.2 * uniform(s))));
            step = 2 * 3.14159265358979 * (50 + 2000 * uniform(s)) / rate;
            tone = uniform(s);
        }
        level *= fade;
        phase += step;
        for (size_t c = 0; c < channels; c++) {
            double noise = 2 * uniform(s) - 1;
            s->sound[i * channels + c] = (float)(level * (tone * sin(phase) + (1 - tone) * noise) + floor * noise);
        }
    }
}

static void find(void *context, const loco_event *event)
{
    soak *s = context;
    if (s->found_len < MOST_EVENTS)
        s->found[s->found_len++] = *event;
}

static int by_time(const void *a, const void *b)
{
    const loco_event *x = a, *y = b;
    if (x->time < y->time || x->time > y->time)
        return x->time < y->time ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static loco_listener *listener_of(soak *s, size_t model, size_t rate, size_t channels, loco_err *err)
{
    loco_listener **listener = &s->listeners[model][rate][channels - 1];
    loco_listen_options how = {
        .size = sizeof how, .rate = rates[rate], .channels = channels, .take = find, .context = s};
    if (*listener == NULL && loco_listener_new(listener, s->models[model], &how, err) != LOCO_OK)
        return NULL;
    return *listener;
}

/* A block: most are small, some large, some empty. */
static size_t block_of(soak *s, size_t left)
{
    uint64_t kind = draw(s) % 16;
    size_t n = kind == 0 ? 0 : (size_t)(draw(s) % (kind < 12 ? 1024 : 65536));
    return n < left ? n : left;
}

static loco_status push(soak *s, loco_listener *listener, size_t frames, size_t channels, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t at = 0; status == LOCO_OK && at < frames;) {
        size_t n = block_of(s, frames - at);
        status = loco_listener_push(listener, s->sound + at * channels, n, err);
        at += n;
        if (draw(s) % 512 == 0)
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    return status;
}

static int same(const soak *s, const loco_event *events, size_t len)
{
    if (len != s->found_len)
        return 0;
    for (size_t i = 0; i < len; i++)
        if (memcmp(&events[i].time, &s->found[i].time, sizeof(double)) != 0 || events[i].kind != s->found[i].kind ||
            memcmp(&events[i].probability, &s->found[i].probability, sizeof(double)) != 0)
            return 0;
    return 1;
}

/* A piece of some length through one listener: 0 when it was right. */
static int run_piece(soak *s, size_t model, size_t rate, size_t channels, double seconds, loco_err *err)
{
    size_t len = 0;
    double hz = rates[rate] > 0 ? rates[rate] : loco_model_rate(s->models[model]);
    size_t frames = (size_t)(hz * seconds);
    loco_samples samples = {.data = s->sound, .frames = frames, .channels = channels, .rate = hz};
    loco_listener *listener = listener_of(s, model, rate, channels, err);
    loco_event *events = NULL;
    make_sound(s, frames, channels, hz);
    if (listener == NULL || loco_detect_samples(&events, &len, s->models[model], &samples, NULL, err) != LOCO_OK)
        return 1;
    if (draw(s) % 8 == 0) {
        if (push(s, listener, frames / 3, channels, err) != LOCO_OK)
            return 1;
        loco_listener_reset(listener);
        s->drops++;
    }
    s->found_len = 0;
    loco_status status = push(s, listener, frames, channels, err);
    if (status == LOCO_OK)
        status = loco_listener_flush(listener, err);
    qsort(s->found, s->found_len, sizeof *s->found, by_time);
    qsort(events, len, sizeof *events, by_time);
    int right = status == LOCO_OK && same(s, events, len);
    if (status == LOCO_OK && !right)
        snprintf(err->text, sizeof err->text,
                 "round %zu: model %zu, %g Hz, %zu channels, %zu frames: %zu events live, %zu at once", s->rounds,
                 model, hz, channels, frames, s->found_len, len);
    loco_free(events);
    s->rounds++;
    s->events += len;
    s->seconds_of_sound += (double)frames / hz;
    return !right;
}

static int run_round(soak *s, loco_err *err)
{
    size_t model = draw(s) % s->models_len, rate = draw(s) % RATES, channels = 1 + draw(s) % 2;
    double seconds = 1 + (MOST_SECONDS - 1) * uniform(s) * uniform(s);
    return run_piece(s, model, rate, channels, seconds, err);
}

static void say(soak *s)
{
    s->memory = memory_now();
    printf("%.0f s: %zu rounds, %.2f h of sound, %zu events, %zu drops, %.2f MB\n", now() - s->started, s->rounds,
           s->seconds_of_sound / 3600, s->events, s->drops, s->memory / 1e6);
    fflush(stdout);
}

/* Every listener once, so that what comes later needs no memory. */
static int warm_up(soak *s, loco_err *err)
{
    for (size_t m = 0; m < s->models_len; m++)
        for (size_t r = 0; r < RATES; r++)
            for (size_t c = 1; c <= 2; c++)
                if (run_piece(s, m, r, c, r == 0 && c == 1 ? MOST_SECONDS : FIRST_SECONDS, err) != 0)
                    return 1;
    say(s);
    s->first_memory = s->memory;
    return 0;
}

static int run(soak *s, double seconds, loco_err *err)
{
    if (warm_up(s, err) != 0)
        return 1;
    double next = now() - s->started;
    while (now() - s->started < seconds) {
        if (run_round(s, err) != 0)
            return 1;
        if (now() - s->started >= next + 60) {
            next += 60;
            say(s);
        }
    }
    say(s);
    if (s->memory - s->first_memory <= LEAK)
        return 0;
    snprintf(err->text, sizeof err->text, "memory grew by %.2f MB", (s->memory - s->first_memory) / 1e6);
    return 1;
}

int main(int argc, char **argv)
{
    static soak s;
    loco_err err = {""};
    if (argc < 3 || argc > 2 + MODELS || strtod(argv[1], NULL) <= 0) {
        fprintf(stderr, "usage: soak SECONDS MODEL..., such as: soak 7200 models/drums.loco models/piano-live.loco\n");
        return 2;
    }
    s.random = 20190610;
    s.started = now();
    s.sound = calloc((size_t)MOST_SECONDS * MOST_RATE * 2, sizeof *s.sound);
    s.found = calloc(MOST_EVENTS, sizeof *s.found);
    int failed = s.sound == NULL || s.found == NULL;
    if (!failed) { /* pages that are taken now, not one after the other */
        memset(s.sound, 1, (size_t)MOST_SECONDS * MOST_RATE * 2 * sizeof *s.sound);
        memset(s.found, 1, (size_t)MOST_EVENTS * sizeof *s.found);
    }
    for (int i = 2; i < argc && !failed; i++)
        failed = loco_model_open(&s.models[s.models_len++], argv[i], &err) != LOCO_OK;
    failed = failed || run(&s, strtod(argv[1], NULL), &err) != 0;
    if (failed)
        fprintf(stderr, "soak: %s\n", err.text[0] != 0 ? err.text : "out of memory");
    for (size_t m = 0; m < s.models_len; m++) {
        for (size_t r = 0; r < RATES; r++)
            for (size_t c = 0; c < 2; c++)
                loco_listener_free(s.listeners[m][r][c]);
        loco_model_free(s.models[m]);
    }
    free(s.sound);
    free(s.found);
    return failed;
}
