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

#include "data/synth_filter.h"

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

void lc_augment_series(float *samples, size_t n, size_t channels, double noise, double gain, lc_rng *rng)
{
    for (size_t c = 0; noise > -120 && c < channels; c++)
        lc_augment_series_noise(samples + c, n, channels, 60 - (60 + noise) * lc_rng_uniform(rng), rng);
    if (gain > 0)
        lc_augment_gain(samples, n * channels, gain * (2 * lc_rng_uniform(rng) - 1));
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
