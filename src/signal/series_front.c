/* SPDX-License-Identifier: MIT
 * series_front.c - filters, scales, frames of samples side by side.
 *
 * Both filters are Butterworth of second order (bilinear, corner at -3 dB), in transposed direct form II:
 *     y = b0 x + s1;  s1 = b1 x - a1 y + s2;  s2 = b2 x - a2 y
 * A filter without phase would need the whole recording, and could not run live. What these delay is small where
 * events are steep: below 0.7 Hz the high-pass turns phases, at 10 Hz it is 2 ms early; the low-pass of 35 Hz is 6 ms
 * late. It is the same for all events, and so part of the offset that calibration finds.
 *
 * Before the first sample it is taken to have been there for ever: the state of the low-pass is that of a constant, and
 * the high-pass gives 0. A series at -9.81 does not begin with a jump.
 *
 * The running scale starts from the fixed one, and follows with a = 1 / (adapt * rate):
 *     mean += a (y - mean);  variance += a ((y - mean)^2 - variance)
 * The spread stays above a hundredth of the fixed one: behind an hour of nothing, noise must not look like events. */
#include "signal/series_front.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct biquad {
    double b0, b1, b2, a1, a2;
} biquad;

/* What one channel remembers. */
typedef struct channel {
    double high[2], low[2]; /* states of the high-pass and the low-pass */
    double mean, variance;  /* that are subtracted and divided by */
    double least;           /* variance */
    double sum, squares;    /* while a recording is measured, around the first value */
    float before;           /* the value before, for delta */
} channel;

struct lc_series_front {
    lc_frontend_settings settings;
    biquad high, low; /* passes; b0 = 0: none */
    double pace;      /* of the running scale */
    lc_scale scale;
    bool started;
    size_t held;     /* samples of the frame that is being filled */
    size_t measured; /* samples */
    float *frame;    /* what is there of it */
    channel *channels;
};

/* ---- filters ---- */

/* Second order, Q = 1/sqrt(2); `top` for the high-pass. */
static biquad design(double corner, double rate, bool top)
{
    const double pi = 3.14159265358979323846;
    double w = 2 * pi * corner / rate, c = cos(w), alpha = sin(w) / sqrt(2), a0 = 1 + alpha;
    double edge = (top ? 1 + c : 1 - c) / 2 / a0;
    return (biquad){edge, top ? -2 * edge : 2 * edge, edge, -2 * c / a0, (1 - alpha) / a0};
}

static double run(const biquad *f, double state[2], double x)
{
    double y = f->b0 * x + state[0];
    state[0] = f->b1 * x - f->a1 * y + state[1];
    state[1] = f->b2 * x - f->a2 * y;
    return y;
}

/* The state after x for ever, of a filter that then gives gain * x. */
static void settle(const biquad *f, double state[2], double x, double gain)
{
    state[1] = f->b2 * x - f->a2 * gain * x;
    state[0] = f->b1 * x - f->a1 * gain * x + state[1];
}

static void start(lc_series_front *f, const float *sample)
{
    for (size_t c = 0; c < f->settings.channels; c++) {
        channel *k = &f->channels[c];
        double x = (double)sample[c];
        settle(&f->high, k->high, x, 0);
        settle(&f->low, k->low, f->high.b0 > 0 ? 0 : x, 1);
        k->mean = f->scale.mean[c];
        k->variance = f->scale.spread[c] * f->scale.spread[c];
        k->least = 1e-4 * k->variance;
    }
    f->started = true;
}

static double filter(lc_series_front *f, channel *k, float sample)
{
    double y = (double)sample;
    if (f->high.b0 > 0)
        y = run(&f->high, k->high, y);
    if (f->low.b0 > 0)
        y = run(&f->low, k->low, y);
    return y;
}

/* ---- life ---- */

void lc_series_front_rescale(lc_series_front *f, const lc_scale *scale)
{
    f->scale = scale != NULL ? *scale : f->settings.usual;
    for (size_t c = 0; c < f->settings.channels; c++)
        f->scale.spread[c] = f->scale.spread[c] > 0 ? f->scale.spread[c] : 1;
}

void lc_series_front_reset(lc_series_front *f)
{
    f->started = false;
    f->held = f->measured = 0;
    memset(f->channels, 0, f->settings.channels * sizeof *f->channels);
}

void lc_series_front_free(lc_series_front *f)
{
    if (f == NULL)
        return;
    free(f->frame);
    free(f->channels);
    free(f);
}

loco_status lc_series_front_new(lc_series_front **front, const lc_frontend_settings *settings, loco_err *err)
{
    lc_series_front *f = calloc(1, sizeof *f);
    if (f == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a front end");
    f->settings = *settings;
    f->channels = calloc(settings->channels, sizeof *f->channels);
    f->frame = calloc(lc_frontend_channels(settings), sizeof *f->frame);
    if (f->channels == NULL || f->frame == NULL) {
        lc_series_front_free(f);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a front end");
    }
    if (settings->low > 0)
        f->high = design(settings->low, settings->rate, true);
    if (settings->high > 0)
        f->low = design(settings->high, settings->rate, false);
    f->pace = settings->norm == LC_NORM_RUNNING && settings->adapt > 0 ? fmin(1, 1 / (settings->adapt * settings->rate))
                                                                       : 0;
    lc_series_front_rescale(f, NULL);
    lc_series_front_reset(f);
    *front = f;
    return LOCO_OK;
}

/* ---- frames ---- */

/* One sample of all channels into its place of the frame. */
static void take(lc_series_front *f, const float *sample)
{
    const lc_frontend_settings *s = &f->settings;
    bool first = !f->started;
    float *values = f->frame + f->held * s->channels, *deltas = values + s->hop * s->channels;
    if (first)
        start(f, sample);
    for (size_t c = 0; c < s->channels; c++) {
        channel *k = &f->channels[c];
        double y = filter(f, k, sample[c]), off = y - k->mean;
        values[c] = (float)(off / sqrt(fmax(k->variance, k->least)));
        if (s->delta == LC_DELTA_CHANNEL)
            deltas[c] = first ? 0 : (values[c] - k->before) * (float)(1 / s->delta_scale);
        k->before = values[c];
        k->mean += f->pace * off;
        k->variance += f->pace * ((y - k->mean) * (y - k->mean) - k->variance);
    }
    f->held++;
}

size_t lc_series_front_push(lc_series_front *f, const float *samples, size_t n, float *frames)
{
    const lc_frontend_settings *s = &f->settings;
    size_t size = lc_frontend_channels(s), written = 0;
    for (size_t i = 0; i < n; i++) {
        take(f, samples + i * s->channels);
        if (f->held < s->hop)
            continue;
        memcpy(frames + written++ * size, f->frame, size * sizeof *frames);
        f->held = 0;
    }
    return written;
}

/* The values that were last are repeated, and do not change any more. */
size_t lc_series_front_finish(lc_series_front *f, float *frames)
{
    const lc_frontend_settings *s = &f->settings;
    size_t size = lc_frontend_channels(s), half = s->hop * s->channels, written = f->held > 0;
    for (; f->held > 0 && f->held < s->hop; f->held++)
        for (size_t c = 0; c < s->channels; c++) {
            f->frame[f->held * s->channels + c] = f->channels[c].before;
            if (s->delta == LC_DELTA_CHANNEL)
                f->frame[half + f->held * s->channels + c] = 0;
        }
    if (written > 0)
        memcpy(frames, f->frame, size * sizeof *frames);
    lc_series_front_reset(f);
    return written;
}

/* ---- scales ---- */

void lc_series_front_measure(lc_series_front *f, const float *samples, size_t n)
{
    size_t C = f->settings.channels;
    for (size_t i = 0; i < n; i++) {
        if (!f->started)
            start(f, samples);
        for (size_t c = 0; c < C; c++) {
            channel *k = &f->channels[c];
            double y = filter(f, k, samples[i * C + c]);
            if (f->measured == 0)
                k->before =
                    (float)y; /* sums around a value that is near: squares of a large level would hide the rest */
            y -= (double)k->before;
            k->sum += y;
            k->squares += y * y;
        }
        f->measured++;
    }
}

void lc_series_front_measured(lc_series_front *f, lc_scale *scale)
{
    double n = f->measured > 0 ? (double)f->measured : 1;
    *scale = f->settings.usual;
    for (size_t c = 0; f->measured > 0 && c < f->settings.channels; c++) {
        const channel *k = &f->channels[c];
        double mean = k->sum / n, variance = k->squares / n - mean * mean;
        scale->mean[c] = (double)k->before + mean;
        scale->spread[c] = variance > 0 ? sqrt(variance) : 1;
    }
    lc_series_front_reset(f);
}
