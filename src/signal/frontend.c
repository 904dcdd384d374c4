/* SPDX-License-Identifier: MIT
 * frontend.c - sound into log-mel frames, piece by piece; what is about series is handed on to series_front.c.
 *
 * Samples are kept in a line, with `centre` zeros before the first one: frame t then begins at sample t * hop of the
 * line and ends `window` samples later. `at` is where the next frame begins, `have` how much is there. Since every
 * frame is transformed alone, it does not matter which samples came together. The last frames need `delay` zeros behind
 * the end: finishing is a push of zeros.
 *
 * The running mean m of adapt=S: m += a (x - m) with a = max(1 / frames so far, 1 - exp(-hop / (rate S))), that is the
 * plain mean at first and then an exponential one; it needs no frame that is still to come.
 */
#include "signal/frontend.h"

#include "base/status.h"
#include "signal/fft.h"
#include "signal/mel.h"
#include "signal/series_front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 8192 }; /* samples beyond a window, so that few are moved back */

struct lc_frontend {
    lc_frontend_settings settings;
    lc_series_front *series; /* NULL of sound; else all that follows is unused */
    const lc_signal_kernels *kernels;
    lc_fft *fft;
    lc_mel mel;
    lc_block block;
    float *line, *power;
    float *sums, *level, *before, *mean; /* (bands), rounded up */
    size_t line_len, have, at;
    float last;          /* the sample before, for the emphasis */
    size_t frames;       /* since the start */
    double slowest_rate; /* of the running mean; 0: there is none */
};

size_t lc_frontend_bins(const lc_frontend_settings *settings)
{
    if (settings->kind == LC_FRONT_SERIES)
        return 1;
    return settings->delta == LC_DELTA_STACKED ? 2 * settings->bands : settings->bands;
}

size_t lc_frontend_channels(const lc_frontend_settings *settings)
{
    size_t parts = settings->delta == LC_DELTA_CHANNEL ? 2 : 1;
    return settings->kind == LC_FRONT_SERIES ? parts * settings->hop * settings->channels : parts;
}

lc_columns lc_frontend_apart(const lc_frontend_settings *settings)
{
    if (settings->kind != LC_FRONT_SERIES)
        return (lc_columns){0, NULL};
    return (lc_columns){settings->channels, settings->columns[0] != '\0' ? settings->columns : NULL};
}

size_t lc_frontend_inputs(const lc_frontend_settings *settings)
{
    return settings->kind == LC_FRONT_SERIES ? settings->channels : 1;
}

bool lc_frontend_wants_scale(const lc_frontend_settings *settings)
{
    return settings->kind == LC_FRONT_SERIES && settings->norm == LC_NORM_RECORD;
}

/* A Butterworth high-pass of second order has forgotten all but 1 % after a period of its corner. */
double lc_frontend_lead(const lc_frontend_settings *settings)
{
    if (settings->kind != LC_FRONT_SERIES)
        return 0;
    double filter = settings->low > 0 ? 1 / settings->low : 0;
    return fmin(LC_FRONT_LEAD, fmax(filter, settings->norm == LC_NORM_RUNNING ? 2 * settings->adapt : 0));
}

double lc_frontend_time(const lc_frontend_settings *settings, size_t t)
{
    return (double)t * (double)settings->hop / settings->rate; /* the product is exact below 2^53 samples */
}

size_t lc_frontend_delay(const lc_frontend_settings *settings)
{
    if (settings->kind == LC_FRONT_SERIES)
        return settings->hop - 1;
    return settings->window - 1 - lc_mel_centre(settings);
}

/* Frames begin every hop; up to `delay` samples may wait from the push before. */
size_t lc_frontend_most(const lc_frontend *frontend, size_t samples)
{
    const lc_frontend_settings *s = &frontend->settings;
    size_t delay = lc_frontend_delay(s), most = samples > SIZE_MAX - delay ? SIZE_MAX : samples + delay;
    return most / s->hop + 1;
}

/* ---- life ---- */

/* Runs twice: measures, then hands out. Bands are rounded up to what the kernels write at a time. */
static void layout(lc_frontend *f, lc_arena *arena)
{
    const lc_frontend_settings *s = &f->settings;
    size_t bands = (s->bands + LC_BAND_STEP - 1) / LC_BAND_STEP * LC_BAND_STEP;
    lc_mel_layout(&f->mel, s, arena);
    f->line = lc_arena_take(arena, f->line_len, sizeof *f->line);
    f->power = lc_arena_take(arena, lc_mel_power(s), sizeof *f->power);
    f->sums = lc_arena_take(arena, bands, sizeof *f->sums);
    f->level = lc_arena_take(arena, bands, sizeof *f->level);
    f->before = lc_arena_take(arena, bands, sizeof *f->before);
    f->mean = lc_arena_take(arena, bands, sizeof *f->mean);
}

static loco_status reserve(lc_frontend *f, loco_err *err)
{
    lc_arena arena = {0};
    f->line_len = f->settings.window + ROOM;
    layout(f, &arena);
    if (!lc_block_zeros(&f->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a front end");
    arena = lc_arena_over(&f->block);
    layout(f, &arena);
    lc_mel_fill(&f->mel, &f->settings);
    return lc_fft_new(&f->fft, f->settings.fft, err);
}

void lc_frontend_free(lc_frontend *frontend)
{
    if (frontend == NULL)
        return;
    lc_series_front_free(frontend->series);
    lc_fft_free(frontend->fft);
    lc_block_free(&frontend->block);
    free(frontend);
}

loco_status lc_frontend_new(lc_frontend **frontend, const lc_frontend_settings *settings, loco_err *err)
{
    lc_isa isa;
    loco_status status = lc_frontend_check(settings, err);
    if (status == LOCO_OK)
        status = lc_isa_choose(&isa, err);
    if (status != LOCO_OK)
        return status;
    lc_frontend *f = calloc(1, sizeof *f);
    if (f == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a front end");
    f->settings = *settings;
    f->kernels = lc_signal_kernels_of(isa);
    if (settings->adapt > 0)
        f->slowest_rate = -expm1(-(double)settings->hop / (settings->rate * settings->adapt));
    status = settings->kind == LC_FRONT_SERIES ? lc_series_front_new(&f->series, settings, err) : reserve(f, err);
    if (status != LOCO_OK) {
        lc_frontend_free(f);
        return status;
    }
    lc_frontend_reset(f);
    *frontend = f;
    return LOCO_OK;
}

/* `before` and `level` need no clearing: the first frame has a delta of 0 whatever they hold. */
void lc_frontend_reset(lc_frontend *f)
{
    if (f->series != NULL) {
        lc_series_front_reset(f->series);
        return;
    }
    size_t zeros = lc_mel_centre(&f->settings);
    memset(f->line, 0, zeros * sizeof *f->line);
    memset(f->mean, 0, f->settings.bands * sizeof *f->mean);
    f->have = zeros;
    f->at = f->frames = 0;
    f->last = 0;
}

/* ---- one frame ---- */

/* level = max(log10(band power), floor) of the samples x[0..window-1]. */
static void measure(lc_frontend *f, const float *x)
{
    const lc_frontend_settings *s = &f->settings;
    float floor = (float)s->floor;
    f->kernels->window(x, f->mel.window, lc_fft_input(f->fft), s->window);
    lc_fft_power(f->fft, f->power);
    f->kernels->bands(f->power, f->mel.bands, f->mel.weights, f->sums, s->bands);
    f->kernels->log10(f->sums, f->level, s->bands);
    for (size_t b = 0; b < s->bands; b++)
        f->level[b] = f->level[b] > floor ? f->level[b] : floor;
}

/* The plain mean until its step has shrunk to that of the exponential one. */
static void update_mean(lc_frontend *f)
{
    double plain = 1.0 / ((double)f->frames + 1);
    float rate = (float)(plain > f->slowest_rate ? plain : f->slowest_rate);
    for (size_t b = 0; b < f->settings.bands; b++)
        f->mean[b] += rate * (f->level[b] - f->mean[b]);
}

/* (F, C) as the header tells: with delta=channel both values of a band are neighbours, with delta=stacked all deltas
 * follow all values. */
static void write_frame(const lc_frontend *f, float *frame)
{
    const lc_frontend_settings *s = &f->settings;
    const float *level = f->level, *mean = f->mean, *before = f->frames == 0 ? f->level : f->before;
    float shift = (float)s->shift, scale = (float)(1 / s->scale), delta_scale = (float)(1 / s->delta_scale);
    size_t stride = lc_frontend_channels(s);
    for (size_t b = 0; b < s->bands; b++)
        frame[b * stride] = (level[b] - mean[b] + shift) * scale;
    if (s->delta == LC_DELTA_NONE)
        return;
    float *delta = s->delta == LC_DELTA_CHANNEL ? frame + 1 : frame + s->bands;
    for (size_t b = 0; b < s->bands; b++)
        delta[b * stride] = (level[b] - before[b]) * delta_scale;
}

/* ---- pieces ---- */

/* Appends as many samples as there is room for; how many. */
static size_t append(lc_frontend *f, const float *samples, size_t n)
{
    size_t room = f->line_len - f->have, count = n < room ? n : room;
    float *line = f->line + f->have, emphasis = (float)f->settings.emphasis;
    if (count == 0)
        return 0;
    line[0] = samples[0] - emphasis * f->last;
    for (size_t i = 1; i < count; i++)
        line[i] = samples[i] - emphasis * samples[i - 1];
    f->last = samples[count - 1];
    f->have += count;
    return count;
}

/* Drops what no frame needs any more. With a hop beyond the window, `at` may lie behind all samples. */
static void move_back(lc_frontend *f)
{
    size_t drop = f->at < f->have ? f->at : f->have;
    memmove(f->line, f->line + drop, (f->have - drop) * sizeof *f->line);
    f->have -= drop;
    f->at -= drop;
}

/* All frames whose window is complete. level and before change places, so that nothing is copied. */
static size_t write_frames(lc_frontend *f, float *frames)
{
    const lc_frontend_settings *s = &f->settings;
    size_t size = lc_frontend_bins(s) * lc_frontend_channels(s), written = 0;
    for (; f->at <= f->have && f->have - f->at >= s->window; f->at += s->hop) {
        measure(f, f->line + f->at);
        if (f->slowest_rate > 0)
            update_mean(f);
        write_frame(f, frames + written++ * size);
        float *level = f->level;
        f->level = f->before;
        f->before = level;
        f->frames++;
    }
    return written;
}

size_t lc_frontend_push(lc_frontend *frontend, const float *samples, size_t n, float *frames)
{
    const lc_frontend_settings *s = &frontend->settings;
    size_t size = lc_frontend_bins(s) * lc_frontend_channels(s), written = 0;
    if (frontend->series != NULL)
        return lc_series_front_push(frontend->series, samples, n, frames);
    while (n > 0) {
        size_t taken = append(frontend, samples, n);
        samples += taken;
        n -= taken;
        written += write_frames(frontend, frames + written * size);
        if (frontend->have == frontend->line_len)
            move_back(frontend);
    }
    return written;
}

size_t lc_frontend_finish(lc_frontend *frontend, float *frames)
{
    static const float zeros[256];
    const lc_frontend_settings *s = &frontend->settings;
    size_t size = lc_frontend_bins(s) * lc_frontend_channels(s), written = 0;
    if (frontend->series != NULL)
        return lc_series_front_finish(frontend->series, frames);
    for (size_t left = lc_frontend_delay(s), n; left > 0; left -= n) {
        n = left < 256 ? left : 256;
        written += lc_frontend_push(frontend, zeros, n, frames + written * size);
    }
    lc_frontend_reset(frontend);
    return written;
}

/* ---- scales of series ---- */

void lc_frontend_measure(lc_frontend *frontend, const float *samples, size_t n)
{
    if (frontend->series != NULL)
        lc_series_front_measure(frontend->series, samples, n);
}

void lc_frontend_measured(lc_frontend *frontend, lc_scale *scale)
{
    if (frontend->series != NULL)
        lc_series_front_measured(frontend->series, scale);
}

void lc_frontend_rescale(lc_frontend *frontend, const lc_scale *scale)
{
    if (frontend->series != NULL)
        lc_series_front_rescale(frontend->series, scale);
}
