/* SPDX-License-Identifier: MIT
 * resample.c - times a minute of samples at one rate into samples at another, in memory, on one thread.
 *
 *   resample ours|soxr FROM TO SECONDS   prints one JSON object: the least processor time, in SECONDS but at least once;
 *                                        the memory; how many milliseconds of input an output waits for at most
 *
 * soxr as sound.c uses it, at its high quality. */
#include "clock.h"

#include "signal/resample.h"

#include <math.h>
#include <soxr.h>

enum { BLOCK = 4096, TRIED = 50000 };

typedef struct way {
    lc_resampler *ours;
    soxr_t soxr;
} way;

static bool open_way(way *w, bool ours, double from, double to)
{
    soxr_io_spec_t samples = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
    soxr_runtime_spec_t run = soxr_runtime_spec(1);
    run.log2_min_dft_size = run.log2_large_dft_size = 8;
    *w = (way){0};
    if (ours)
        w->ours = lc_resampler_takes(from, to) ? lc_resampler_new(from, to, 1) : NULL;
    else
        w->soxr = soxr_create(from, to, 1, NULL, &samples, &quality, &run);
    return w->ours != NULL || w->soxr != NULL;
}

static void close_way(way *w)
{
    lc_resampler_free(w->ours);
    if (w->soxr != NULL)
        soxr_delete(w->soxr);
}

/* Outputs for n inputs, all of which are taken. */
static size_t feed(way *w, const float *in, size_t n, float *out, size_t most)
{
    size_t given = 0;
    for (size_t at = 0, taken = 0, got = 0; at < n; at += taken, given += got) {
        if (w->ours != NULL)
            lc_resampler_run(w->ours, in + at, n - at, &taken, out, most, &got);
        else
            soxr_process(w->soxr, in + at, n - at, &taken, out, most, &got);
    }
    return given;
}

/* Seconds; a sample at a time. */
static double delay_of(way *w, double from, double to)
{
    static float out[BLOCK];
    const float zero = 0;
    double given = 0, worst = 0;
    for (size_t fed = 1; fed < TRIED; fed++) {
        size_t got = feed(w, &zero, 1, out, BLOCK);
        if (got > 0)
            worst = fmax(worst, (double)fed / from - given / to);
        given += (double)got;
    }
    return worst;
}

static double minute_of(way *w, double from)
{
    static float in[BLOCK], out[4 * BLOCK];
    for (size_t i = 0; i < BLOCK; i++)
        in[i] = (float)(i * 7919 % 1000) / 1000 - 0.5f;
    double start = processor_time();
    for (size_t fed = 0; fed < (size_t)(60 * from); fed += BLOCK)
        feed(w, in, BLOCK, out, 4 * BLOCK);
    return processor_time() - start;
}

int main(int argc, char **argv)
{
    way w;
    double from = argc == 5 ? strtod(argv[2], NULL) : 0, to = argc == 5 ? strtod(argv[3], NULL) : 0, best = 1e9, delay;
    bool ours = argc == 5 && strcmp(argv[1], "ours") == 0;
    if (argc != 5 || !(from > 0 && to > 0) || (!ours && strcmp(argv[1], "soxr") != 0)) {
        fprintf(stderr, "usage: resample ours|soxr FROM TO SECONDS\n");
        return 2;
    }
    double end = now() + strtod(argv[4], NULL);
    do {
        if (!open_way(&w, ours, from, to))
            return 2;
        delay = delay_of(&w, from, to); /* first: it counts from the first sample */
        best = fmin(best, minute_of(&w, from));
        close_way(&w);
    } while (now() < end);
    printf("{\"ms\":%.3f,\"mb\":%.1f,\"delay_ms\":%.2f}\n", 1e3 * best, peak_mb(), 1e3 * delay);
    return 0;
}
