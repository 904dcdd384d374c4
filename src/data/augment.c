/* SPDX-License-Identifier: MIT
 *
 * augment.c - changes to a clip's samples that leave its events where they are.
 *
 * Noise of any slope is white noise through a ladder of first-order shelves, two octaves apart, each of 2 * slope dB:
 * the steps overlap, and from 40 Hz to a quarter of the rate the sum departs from a straight line by at most 0.7 dB at
 * slope -3, 1.6 dB at -6 and 2.9 dB at -9 (computed from the filters' response, at 22050 and 44100 samples a second).
 * A tilt is one shelf, halved.
 */
#include "data/augment.h"

#include "signal/filter.h"

#include <string.h>

enum { MOST_SHELVES = 8 };

double lc_augment_level(const float *samples, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)samples[i] * (double)samples[i];
    return n > 0 ? sqrt(sum / (double)n) : 0;
}

static void scale(float *samples, size_t n, double by)
{
    float factor = (float)by;
    for (size_t i = 0; i < n; i++)
        samples[i] *= factor;
}

void lc_augment_gain(float *samples, size_t n, double decibels)
{
    scale(samples, n, lc_gain_of(decibels));
}

void lc_augment_polarity(float *samples, size_t n, lc_rng *rng)
{
    if (lc_draw_chance(rng, 0.5))
        scale(samples, n, -1);
}

/* One high shelf over all samples. */
static void shelve(float *samples, size_t n, lc_shelf shelf)
{
    for (size_t i = 0; i < n; i++)
        samples[i] = lc_shelf_run(&shelf, samples[i]);
}

void lc_augment_noise_fill(float *samples, size_t n, double rate, double slope, lc_rng *rng)
{
    lc_shelf ladder[MOST_SHELVES];
    size_t shelves = 0;
    double step = lc_gain_of(2 * slope);
    for (double corner = 40; corner < 0.4 * rate && shelves < MOST_SHELVES && fabs(slope) > 0; corner *= 4)
        ladder[shelves++] = lc_shelf_at(corner, step, rate);
    uint32_t white = (uint32_t)(lc_rng_next(rng) >> 32);
    for (size_t i = 0; i < n; i++) {
        float x = lc_white(&white);
        for (size_t s = 0; s < shelves; s++)
            x = lc_shelf_run(&ladder[s], x);
        samples[i] = x;
    }
    double level = lc_augment_level(samples, n);
    if (level > 0)
        scale(samples, n, 1 / level);
}

/* samples += by * other */
static void add(float *samples, const float *other, size_t n, double by)
{
    float factor = (float)by;
    for (size_t i = 0; i < n; i++)
        samples[i] += factor * other[i];
}

void lc_augment_noise(float *samples, size_t n, double rate, double slope, double snr, lc_rng *rng, float *scratch)
{
    lc_augment_noise_fill(scratch, n, rate, slope, rng);
    add(samples, scratch, n, lc_augment_level(samples, n) * lc_gain_of(-snr));
}

void lc_augment_series_noise(float *samples, size_t n, size_t stride, double snr, lc_rng *rng)
{
    double mean = 0, squares = 0, count = n > 0 ? (double)n : 1;
    for (size_t i = 0; i < n; i++)
        mean += (double)samples[i * stride] / count;
    for (size_t i = 0; i < n; i++)
        squares += ((double)samples[i * stride] - mean) * ((double)samples[i * stride] - mean);
    float size = (float)(sqrt(squares / count) * pow(10, -snr / 20));
    for (size_t i = 0; i < n; i++)
        samples[i * stride] += size * (float)lc_rng_normal(rng);
}

/* Of every stride-th value. */
static double mean_of(const float *samples, size_t n, size_t stride)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)samples[i * stride];
    return n > 0 ? sum / (double)n : 0;
}

/* Root mean square of the differences: what happens, and neither level nor drift. */
static double steps_of(const float *samples, size_t n, size_t stride)
{
    double squares = 0;
    for (size_t i = 1; i < n; i++) {
        double step = (double)samples[i * stride] - (double)samples[(i - 1) * stride];
        squares += step * step;
    }
    return n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
}

/* Normal numbers below a bell: the middle counts most. */
static void draw_taps(float *taps, size_t reach, lc_rng *rng)
{
    for (size_t j = 0; j <= 2 * reach; j++) {
        double place = 2 * ((double)j - (double)reach) / (double)reach;
        taps[j] = (float)(lc_rng_normal(rng) * exp(-0.5 * place * place));
    }
}

/* In place: values that are still needed are kept in a ring. Beyond the ends the last value is repeated. */
void lc_augment_series_shape(float *samples, size_t n, size_t stride, size_t reach, lc_rng *rng)
{
    float taps[2 * LC_AUGMENT_REACH + 1], seen[2 * LC_AUGMENT_REACH + 1]; /* seen: values i - reach .. i + reach */
    reach = reach < LC_AUGMENT_REACH ? reach : LC_AUGMENT_REACH;
    if (n == 0 || reach == 0)
        return;
    size_t width = 2 * reach + 1;
    draw_taps(taps, reach, rng);
    double mean = mean_of(samples, n, stride), before = steps_of(samples, n, stride);
    for (size_t j = 0; j < width; j++) {
        size_t at = j < reach ? 0 : j - reach;
        seen[j] = samples[(at < n ? at : n - 1) * stride];
    }
    for (size_t i = 0; i < n; i++) {
        float sum = 0;
        for (size_t j = 0; j < width; j++)
            sum += taps[j] * (seen[j] - (float)mean);
        size_t next = i + reach + 1;
        memmove(seen, seen + 1, (width - 1) * sizeof *seen);
        if (next < n)
            seen[width - 1] = samples[next * stride];
        samples[i * stride] = sum;
    }
    double after = steps_of(samples, n, stride);
    float factor = after > 0 ? (float)(before / after) : 0;
    for (size_t i = 0; i < n; i++)
        samples[i * stride] = (float)mean + factor * samples[i * stride];
}

/* Around their mean, so that a level stays where it is. */
static void turn(float *samples, size_t n, size_t stride)
{
    float twice = (float)(2 * mean_of(samples, n, stride));
    for (size_t i = 0; i < n; i++)
        samples[i * stride] = twice - samples[i * stride];
}

void lc_augment_series(float *samples, size_t n, size_t channels, const lc_augment_change *most, lc_rng *rng)
{
    bool shapes = most->reach > 0 && lc_draw_chance(rng, 0.5),
         flips = most->flip > 0 && lc_draw_chance(rng, most->flip);
    for (size_t c = 0; shapes && c < channels; c++)
        lc_augment_series_shape(samples + c, n, channels, most->reach, rng);
    for (size_t c = 0; flips && c < channels; c++)
        if (lc_draw_chance(rng, 0.5))
            turn(samples + c, n, channels);
    for (size_t c = 0; most->noise > -120 && c < channels; c++)
        lc_augment_series_noise(samples + c, n, channels, 60 - (60 + most->noise) * lc_rng_uniform(rng), rng);
    if (most->gain > 0)
        lc_augment_gain(samples, n * channels, most->gain * (2 * lc_rng_uniform(rng) - 1));
}

void lc_augment_mix(float *samples, const float *other, size_t n, double range, lc_rng *rng)
{
    double wanted = lc_gain_of(lc_draw_even(rng, -range, range));
    double here = lc_augment_level(samples, n), there = lc_augment_level(other, n);
    add(samples, other, n, here > 0 && there > 0 ? wanted * here / there : 1);
}

void lc_augment_high_shelf(float *samples, size_t n, double rate, double corner, double decibels)
{
    shelve(samples, n, lc_shelf_at(corner, lc_gain_of(decibels), rate));
}

/* The rest lowered by as much, then all lifted. */
void lc_augment_low_shelf(float *samples, size_t n, double rate, double corner, double decibels)
{
    shelve(samples, n, lc_shelf_at(corner, lc_gain_of(-decibels), rate));
    lc_augment_gain(samples, n, decibels);
}

void lc_augment_tilt(float *samples, size_t n, double rate, double pivot, double decibels)
{
    shelve(samples, n, lc_shelf_at(pivot, lc_gain_of(decibels), rate));
    lc_augment_gain(samples, n, -decibels / 2);
}

void lc_augment_colour(float *samples, size_t n, double rate, double range, lc_rng *rng)
{
    double pivot = 300 * pow(10, lc_rng_uniform(rng)), tilt = lc_draw_even(rng, -range, range);
    double low = 60 * pow(5, lc_rng_uniform(rng)), bass = lc_draw_even(rng, -range, range);
    double high = 2500 * pow(3, lc_rng_uniform(rng)), treble = lc_draw_even(rng, -range, range);
    lc_augment_tilt(samples, n, rate, pivot, tilt);
    lc_augment_low_shelf(samples, n, rate, low, bass);
    lc_augment_high_shelf(samples, n, rate, high, treble);
}
