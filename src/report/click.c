/* SPDX-License-Identifier: MIT
 *
 * click.c - events made audible.
 *
 * A click is a small wooden bar: a tone and an inharmonic partial that dies sooner,
 *
 *     s(t) = r(t) * [0.75 sin(2 pi f t) exp(-t / 14 ms) + 0.25 sin(2 pi 2.76 f t) exp(-t / 5 ms)],  0 <= t < 70 ms,
 *
 * with a rise r of half a millisecond, short enough to make a deviation of 10 ms audible, and soft enough to be
 * pleasant. The pitches of the classes are steps of a pentatonic scale from 740 Hz, above most of the energy of music,
 * and any of them sound well together.
 *
 * WAV, little-endian: "RIFF" size "WAVE" | "fmt " 16, PCM, 1 channel, rate, bytes a second, 2, 16 bits | "data" size.
 */
#include "report/click.h"

#include "base/mem.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

#define SECONDS 0.070
#define LOWEST 740.0 /* Hz */
#define TOP 0.98     /* of full scale: what rounding and a player's own filters may add */
#define PI 3.14159265358979323846

enum { HEADER = 44, SCALE = 32767, PITCHES = 12 };

size_t lc_click_length(double rate)
{
    return (size_t)(SECONDS * rate);
}

/* 2^(k/12) at the steps of the scale; after twelve classes the pitches begin again. */
static double pitch_of(size_t kind)
{
    static const int steps[] = {0, 3, 5, 7, 10};
    int place = (int)(kind % PITCHES), semitones = steps[place % 5] + 12 * (place / 5);
    return LOWEST * pow(2, semitones / 12.0);
}

/* At low sample rates the partial would fold back as a wrong tone: it is left out there. */
void lc_click_shape(float *shape, double rate, size_t kind)
{
    double f = pitch_of(kind), partial = 2.76 * f < 0.45 * rate ? 0.25 : 0;
    f = fmin(f, 0.4 * rate);
    for (size_t i = 0; i < lc_click_length(rate); i++) {
        double t = (double)i / rate;
        double rise = fmin(1, t / 0.0005), fall = fmin(1, (SECONDS - t) / 0.010);
        shape[i] = (float)(rise * fall *
                           (0.75 * sin(2 * PI * f * t) * exp(-t / 0.014) +
                            partial * sin(2 * PI * 2.76 * f * t) * exp(-t / 0.005)));
    }
}

lc_click_levels lc_click_balance(float peak)
{
    lc_click_levels levels = {1, 0.3F};
    if (peak > 0) {
        levels.sound = fminf(1, 0.45F / peak);
        levels.click = fmaxf(0.12F, fminf(0.6F, 1.4F * levels.sound * peak));
    }
    return levels;
}

/* A NaN in the sound becomes 0, so that the rest stays audible. */
static float clean_peak(float *samples, size_t n)
{
    float peak = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(samples[i]))
            samples[i] = 0;
        peak = fmaxf(peak, fabsf(samples[i]));
    }
    return peak;
}

static void scale(float *samples, size_t n, float factor)
{
    for (size_t i = 0; i < n; i++)
        samples[i] *= factor;
}

/* Clicks of one pitch after the other, so that each shape is made once; the order of addition is the same every time.
 * */
static void add_clicks(float *samples, size_t n, double rate, float level, float *shape, const loco_event *events,
                       size_t events_len)
{
    size_t length = lc_click_length(rate);
    for (size_t pitch = 0; pitch < PITCHES; pitch++) {
        lc_click_shape(shape, rate, pitch);
        for (size_t e = 0; e < events_len; e++) {
            double at = round(events[e].time * rate);
            if (events[e].kind % PITCHES != pitch || !(at >= 0 && at < (double)n))
                continue;
            size_t first = (size_t)at;
            for (size_t i = 0; i < length && i < n - first; i++)
                samples[first + i] += level * shape[i];
        }
    }
}

loco_status lc_click_mix(float *samples, size_t n, double rate, const loco_event *events, size_t events_len,
                         loco_err *err)
{
    if ((samples == NULL && n > 0) || (events == NULL && events_len > 0))
        return lc_err_set(err, LOCO_EARG, "lc_click_mix: %s is NULL", samples == NULL && n > 0 ? "samples" : "events");
    if (!(rate >= 1000 && rate <= 1e6))
        return lc_err_set(err, LOCO_EARG, "%g samples a second: clicks need 1000 to 1000000", rate);
    float *shape = malloc(lc_click_length(rate) * sizeof *shape);
    if (shape == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a click");
    lc_click_levels levels = lc_click_balance(clean_peak(samples, n));
    scale(samples, n, levels.sound);
    add_clicks(samples, n, rate, levels.click, shape, events, events_len);
    float peak = clean_peak(samples, n);
    if (peak > (float)TOP) /* many clicks at once */
        scale(samples, n, (float)TOP / peak);
    free(shape);
    return LOCO_OK;
}

static void little_endian(lc_text *out, uint32_t value, size_t bytes)
{
    char all[4];
    for (size_t i = 0; i < bytes; i++)
        all[i] = (char)(value >> (8 * i) & 0xff);
    lc_text_append(out, all, bytes);
}

static void wav_header(lc_text *out, uint32_t bytes, unsigned rate)
{
    lc_text_append(out, "RIFF", 4);
    little_endian(out, HEADER - 8 + bytes, 4);
    lc_text_append(out, "WAVEfmt \x10\0\0\0\1\0\1\0", 16);
    little_endian(out, rate, 4);
    little_endian(out, 2 * rate, 4);
    lc_text_append(out, "\2\0\x10\0data", 8);
    little_endian(out, bytes, 4);
}

loco_status lc_wav_format(lc_text *out, const float *samples, size_t n, unsigned rate, loco_err *err)
{
    if (samples == NULL && n > 0)
        return lc_err_set(err, LOCO_EARG, "lc_wav_format: samples is NULL");
    if (rate == 0 || rate > 1000000)
        return lc_err_set(err, LOCO_EARG, "%u samples a second: a WAV file has 1 to 1000000", rate);
    if (n > (UINT32_MAX - HEADER) / 2)
        return lc_err_set(err, LOCO_EARG, "%zu samples are more than a WAV file holds, 2147483625", n);
    wav_header(out, (uint32_t)(2 * n), rate);
    for (size_t i = 0; i < n; i++) {
        float bounded = isnan(samples[i]) ? 0 : fmaxf(-1, fminf(1, samples[i]));
        little_endian(out, (uint32_t)lrintf(bounded * SCALE), 2);
    }
    return out->failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for a WAV file of %zu samples", n) : LOCO_OK;
}
