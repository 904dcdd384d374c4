/* SPDX-License-Identifier: MIT
 * convert.c - samples at one rate into samples at another.
 *
 * Usual pairs of rates by resample.c, which has a short delay; others by soxr at its high quality (20 bits, linear phase;
 * it compensates its own delay). Measured on one core, 44.1 to 22.05 kHz, times real time: soxr HQ 5800, libsamplerate
 * "fastest" 210, "medium" 119, "best" 34. Reading then costs about as much as the front end.
 * soxr takes each channel by a pointer of its own (_S): given interleaved samples, soxr 0.1.3 reads 8 bytes of the
 * output buffer without use, which is past its end where one float is left.
 * By soxr an impulse spreads over 97 samples of the lower rate to either side (down to 1e-6 of its peak), by resample.c
 * over 48. soxr puts out blocks; its transforms are as short as it allows. */
#include "signal/convert.h"

#include "base/status.h"
#include "signal/resample.h"
#include "signal/sound.h"

#include <math.h>
#include <soxr.h>
#include <stdlib.h>
#include <string.h>

/* The logarithm of points; what lc_converter_delay measures with: pieces of input, samples of output. */
enum { SHORTEST_DFT = 8, TRIED = 16384, PIECE = 1024, LEAST_GIVEN = 1000 };

struct lc_converter {
    lc_resampler *near; /* one of these two, or neither where the rates are equal */
    soxr_t far;
    size_t channels;
    bool keep_level, started;
    float level[LC_SOUND_CHANNELS]; /* the first sample of each channel */
    float *shifted;                 /* (LC_CONVERT_CHUNK, channels): input without level */
    float *planes;                  /* for soxr: (2, channels, LC_CONVERT_CHUNK), in and out */
};

/* ---- making ---- */

/* NULL: failed, and why in *failure. */
static soxr_t new_soxr(double from, double to, size_t channels, soxr_error_t *failure)
{
    soxr_io_spec_t samples = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S);
    soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
    soxr_runtime_spec_t run = soxr_runtime_spec(1); /* threads */
    run.log2_min_dft_size = run.log2_large_dft_size = SHORTEST_DFT;
    *failure = NULL;
    soxr_t resampler = soxr_create(from, to, (unsigned)channels, failure, &samples, &quality, &run);
    if (resampler == NULL && *failure == NULL)
        *failure = "out of memory";
    return resampler;
}

static const char *prepare(lc_converter *c, double from, double to)
{
    soxr_error_t failure = NULL;
    size_t chunk = LC_CONVERT_CHUNK * c->channels * sizeof(float);
    if (!(from < to || from > to))
        return NULL;
    if (c->keep_level && (c->shifted = malloc(chunk)) == NULL)
        return "out of memory";
    if (lc_resampler_takes(from, to)) {
        c->near = lc_resampler_new(from, to, c->channels);
        return c->near == NULL ? "out of memory" : NULL;
    }
    c->planes = malloc(2 * chunk);
    if (c->planes == NULL)
        return "out of memory";
    c->far = new_soxr(from, to, c->channels, &failure);
    return failure;
}

loco_status lc_converter_new(lc_converter **out, double from, double to, size_t channels, bool keep_level,
                             loco_err *err)
{
    lc_converter *c = calloc(1, sizeof *c);
    if (c == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to convert the sample rate");
    c->channels = channels;
    c->keep_level = keep_level;
    const char *failure = prepare(c, from, to);
    if (failure != NULL) {
        lc_converter_free(c);
        return lc_err_set(err, LOCO_ENOMEM, "the sample rate cannot be converted from %.0f to %.0f Hz: %.60s", from, to,
                          failure);
    }
    *out = c;
    return LOCO_OK;
}

void lc_converter_free(lc_converter *c)
{
    if (c == NULL)
        return;
    lc_resampler_free(c->near);
    if (c->far != NULL)
        soxr_delete(c->far);
    free(c->shifted);
    free(c->planes);
    free(c);
}

void lc_converter_reset(lc_converter *c)
{
    if (c->near != NULL)
        lc_resampler_reset(c->near);
    if (c->far != NULL)
        (void)soxr_clear(c->far);
    c->started = false;
}

/* ---- running ---- */

/* By soxr, each channel for itself. */
static soxr_error_t run_soxr(lc_converter *c, const float *in, size_t n, size_t *taken, float *out, size_t most,
                             size_t *got)
{
    const float *ins[LC_SOUND_CHANNELS];
    float *outs[LC_SOUND_CHANNELS];
    size_t C = c->channels;
    most = most < LC_CONVERT_CHUNK ? most : LC_CONVERT_CHUNK;
    for (size_t k = 0; k < C; k++) {
        float *plane = c->planes + k * LC_CONVERT_CHUNK;
        for (size_t i = 0; i < n; i++)
            plane[i] = in[i * C + k];
        ins[k] = plane;
        outs[k] = c->planes + (C + k) * LC_CONVERT_CHUNK;
    }
    soxr_error_t failure = soxr_process(c->far, in == NULL ? NULL : ins, n, taken, outs, most, got);
    for (size_t i = 0; failure == NULL && i < *got; i++)
        for (size_t k = 0; k < C; k++)
            out[i * C + k] = outs[k][i];
    return failure;
}

/* The input without its level; the first sample of all sets it. */
static const float *subtract_level(lc_converter *c, const float *in, size_t n)
{
    if (!c->started && n > 0) {
        memcpy(c->level, in, c->channels * sizeof *c->level);
        c->started = true;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < c->channels; k++)
            c->shifted[i * c->channels + k] = in[i * c->channels + k] - c->level[k];
    return c->shifted;
}

static void add_level(const lc_converter *c, float *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < c->channels; k++)
            out[i * c->channels + k] += c->level[k];
}

static void copy(const lc_converter *c, const float *in, size_t n, size_t *taken, float *out, size_t most, size_t *got)
{
    *got = *taken = n < most ? n : most;
    if (*got > 0)
        memcpy(out, in, *got * c->channels * sizeof *out);
}

loco_status lc_converter_run(lc_converter *c, const float *in, size_t n, size_t *taken, float *out, size_t most,
                             size_t *got, loco_err *err)
{
    soxr_error_t failure = NULL;
    n = in == NULL ? 0 : n < LC_CONVERT_CHUNK ? n : LC_CONVERT_CHUNK;
    *taken = *got = 0;
    if (c->near == NULL && c->far == NULL) {
        copy(c, in, n, taken, out, most, got);
        return LOCO_OK;
    }
    if (in != NULL && c->keep_level)
        in = subtract_level(c, in, n);
    if (c->near != NULL)
        lc_resampler_run(c->near, in, n, taken, out, most, got);
    else
        failure = run_soxr(c, in, n, taken, out, most, got);
    if (failure != NULL)
        return lc_err_set(err, LOCO_ENOMEM, "the sample rate cannot be converted: %.60s", failure);
    if (c->keep_level)
        add_level(c, out, *got);
    return LOCO_OK;
}

/* ---- delay ---- */

/* Feeds zeros, a sample of the lower rate at a time. What comes out was late by what had been fed since; how late the
 * latest was. The worst of so many and of 2,000,000 samples differ by less than a sample of the output, which is added. */
static double measure_delay(soxr_t resampler, double from, double to)
{
    float zeros[PIECE] = {0}, out[PIECE];
    const float *in[] = {zeros};
    float *outs[] = {out};
    size_t piece = from < 2 * to ? 1 : from < PIECE * to ? (size_t)(from / to) : PIECE;
    double fed = 0, given = 0, worst = 0;
    for (size_t i = 0; i < TRIED || given < LEAST_GIVEN; i++) {
        size_t taken, got = 0;
        if (soxr_process(resampler, in, piece, &taken, outs, PIECE, &got) != NULL)
            break;
        fed += (double)piece;
        if (got > 0)
            worst = fmax(worst, fed / from - given / to);
        given += (double)got;
    }
    return worst + 1 / to;
}

loco_status lc_converter_delay(double *seconds, double from, double to, loco_err *err)
{
    soxr_error_t failure;
    if (!(from < to || from > to)) {
        *seconds = 0;
        return LOCO_OK;
    }
    if (lc_resampler_takes(from, to)) {
        *seconds = (double)(lc_resampler_reach(from, to) + 1) / from;
        return LOCO_OK;
    }
    soxr_t resampler = new_soxr(from, to, 1, &failure);
    if (failure != NULL)
        return lc_err_set(err, LOCO_ENOMEM, "the sample rate cannot be converted from %.0f to %.0f Hz: %.60s", from, to,
                          failure);
    *seconds = measure_delay(resampler, from, to);
    soxr_delete(resampler);
    return LOCO_OK;
}
