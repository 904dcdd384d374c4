/* SPDX-License-Identifier: MIT
 *
 * filter.h - the small parts of the drum synthesiser: random ranges, noise, sine, filters of one and two poles.
 *
 * All run once a sample of every voice that sounds, so they are inline and cheap; none can fail.
 *
 * First-order high shelf, gain g above corner f, bilinear with k = tan(pi f / rate) sqrt(g):
 *     y[i] = ((g + k) x[i] + (k - g) x[i-1] + (1 - k) y[i-1]) / (1 + k)
 *   1 at 0 Hz, g at half the rate, sqrt(g) at f: a tilt of g around f when divided by sqrt(g).
 *
 * Two-pole low-pass and high-pass: trapezoidal state-variable filter, K = 1 / resonance; stable for any f < rate / 2.
 */
#ifndef LC_SIGNAL_FILTER_H
#define LC_SIGNAL_FILTER_H

#include "base/rng.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LC_PI 3.141592653589793

static inline double lc_draw_even(lc_rng *rng, double lo, double hi)
{
    return lo + (hi - lo) * lc_rng_uniform(rng);
}

static inline bool lc_draw_chance(lc_rng *rng, double probability)
{
    return lc_rng_uniform(rng) < probability;
}

/* One of 0 .. n - 1. */
static inline size_t lc_draw_index(lc_rng *rng, size_t n)
{
    return (size_t)(lc_rng_uniform(rng) * (double)n);
}

static inline double lc_gain_of(double decibels)
{
    return pow(10, decibels / 20);
}

/* White noise, even in [-1, 1): a linear congruential generator, of which the float keeps the good upper bits. */
static inline float lc_white(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(int32_t)*state * 0x1p-31f;
}

/* sin(2 pi phase / 2^32) within 0.0011: a parabola, bent once. A phase of 32 bits wraps by itself. */
static inline float lc_sine(uint32_t phase)
{
    float x = (float)(int32_t)phase * 0x1p-31f;
    float y = 4 * x * (1 - fabsf(x));
    return y * (0.775f + 0.225f * fabsf(y));
}

/* Phase per sample of a frequency; the wrap of a negative one is right too. */
static inline uint32_t lc_phase_step(double frequency, double rate)
{
    return (uint32_t)(int64_t)(frequency / rate * 4294967296.0);
}

typedef struct lc_shelf {
    float b0, b1, a1; /* y = b0 x + b1 x' + a1 y' */
    float x, y;
} lc_shelf;

static inline lc_shelf lc_shelf_at(double corner, double gain, double rate)
{
    double k = tan(LC_PI * fmin(corner, 0.45 * rate) / rate) * sqrt(gain);
    return (lc_shelf){
        .b0 = (float)((gain + k) / (1 + k)), .b1 = (float)((k - gain) / (1 + k)), .a1 = (float)((1 - k) / (1 + k))};
}

static inline float lc_shelf_run(lc_shelf *shelf, float x)
{
    float y = shelf->b0 * x + shelf->b1 * shelf->x + shelf->a1 * shelf->y;
    shelf->x = x;
    shelf->y = y;
    return y;
}

typedef struct lc_two_pole {
    float a1, a2, a3, damping;
    float s1, s2;
} lc_two_pole;

static inline lc_two_pole lc_two_pole_at(double corner, double resonance, double rate)
{
    double g = tan(LC_PI * fmin(corner, 0.45 * rate) / rate), damping = 1 / resonance;
    double a1 = 1 / (1 + g * (g + damping));
    return (lc_two_pole){.a1 = (float)a1, .a2 = (float)(g * a1), .a3 = (float)(g * g * a1), .damping = (float)damping};
}

/* The low-passed sample; *high becomes the high-passed one. */
static inline float lc_two_pole_run(lc_two_pole *filter, float x, float *high)
{
    float v3 = x - filter->s2;
    float band = filter->a1 * filter->s1 + filter->a2 * v3;
    float low = filter->s2 + filter->a2 * filter->s1 + filter->a3 * v3;
    filter->s1 = 2 * band - filter->s1;
    filter->s2 = 2 * low - filter->s2;
    *high = x - filter->damping * band - low;
    return low;
}

/* The band-passed sample instead: `resonance` times as large at the corner. */
static inline float lc_two_pole_band(lc_two_pole *filter, float x)
{
    float v3 = x - filter->s2;
    float band = filter->a1 * filter->s1 + filter->a2 * v3;
    float low = filter->s2 + filter->a2 * filter->s1 + filter->a3 * v3;
    filter->s1 = 2 * band - filter->s1;
    filter->s2 = 2 * low - filter->s2;
    return band;
}

#endif
