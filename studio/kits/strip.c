/* SPDX-License-Identifier: MIT
 *
 * strip.c - equaliser, attack, saturation, codec, old recordings.
 *
 * Bell: y = x + (g - 1) band / Q, where the band output of the two-pole filter is Q at its corner.
 * Attack: two envelopes of |x|, one that rises in a millisecond and one that takes 20; the gain is their ratio to a
 * power of -0.4 .. 0.6, taken every 16 samples and reached in a straight line, at most 9 dB.
 */
#include "studio/kits/strip.h"

#include "data/augment.h"
#include "signal/filter.h"

enum { STRIDE = 16 };

void lc_strip_bell(float *samples, size_t n, double rate, double frequency, double q, double decibels)
{
    lc_two_pole filter = lc_two_pole_at(frequency, q, rate);
    float share = (float)((lc_gain_of(decibels) - 1) / q);
    for (size_t i = 0; i < n; i++)
        samples[i] += share * lc_two_pole_band(&filter, samples[i] + 1e-20f);
}

void lc_strip_equalise(float *samples, size_t n, double rate, double range, lc_rng *rng)
{
    lc_augment_colour(samples, n, rate, range, rng);
    double frequency = 120 * pow(60, lc_rng_uniform(rng)), q = lc_draw_even(rng, 0.5, 2.5);
    double decibels = lc_draw_even(rng, -range, range);
    if (lc_draw_chance(rng, 0.7))
        lc_strip_bell(samples, n, rate, frequency, q, decibels);
}

void lc_strip_attack(float *samples, size_t n, double rate, lc_rng *rng)
{
    double power = lc_draw_even(rng, -0.4, 0.6);
    float fast_rise = (float)(1 - exp(-1 / (0.001 * rate))), slow_rise = (float)(1 - exp(-1 / (0.02 * rate)));
    float fall = (float)(1 - exp(-1 / (0.06 * rate)));
    float fast = 1e-6f, slow = 1e-6f, gain = 1, slope = 0;
    for (size_t i = 0; i < n; i++) {
        float size = fabsf(samples[i]) + 1e-6f;
        fast += (size > fast ? fast_rise : fall) * (size - fast);
        slow += (size > slow ? slow_rise : fall) * (size - slow);
        if (i % STRIDE == 0) {
            double wanted = pow((double)(fast / slow), power);
            slope = ((float)fmin(2.8, fmax(0.36, wanted)) - gain) / STRIDE;
        }
        gain += slope;
        samples[i] *= gain;
    }
}

static float peak_of(const float *samples, size_t n)
{
    float peak = 0;
    for (size_t i = 0; i < n; i++)
        peak = fmaxf(peak, fabsf(samples[i]));
    return peak;
}

void lc_strip_saturate(float *samples, size_t n, lc_rng *rng)
{
    float peak = peak_of(samples, n);
    double drive = lc_draw_even(rng, 0.3, 4);
    bool hard = lc_draw_chance(rng, 0.3);
    if (!(peak > 0))
        return;
    float by = (float)drive / peak;
    for (size_t i = 0; i < n; i++)
        samples[i] = hard ? tanhf(by * samples[i]) / by : samples[i] / (1 + by * fabsf(samples[i]));
}

void lc_strip_click(float *samples, size_t n, double rate, lc_rng *rng)
{
    double frequency = fmin(1500 * pow(5, lc_rng_uniform(rng)), 0.4 * rate);
    lc_strip_bell(samples, n, rate, frequency, lc_draw_even(rng, 0.4, 1.5), lc_draw_even(rng, 6, 18));
    if (lc_draw_chance(rng, 0.5))
        lc_strip_bell(samples, n, rate, lc_draw_even(rng, 200, 500), 1, lc_draw_even(rng, -10, 0));
}

/* The level is followed within a millisecond, and falls in 40 to 200. */
void lc_strip_buzz(float *samples, size_t n, double rate, lc_rng *rng)
{
    float rise = (float)(1 - exp(-1 / (0.001 * rate))),
          fall = (float)(1 - exp(-1 / (lc_draw_even(rng, 0.04, 0.2) * rate)));
    float level = (float)lc_gain_of(lc_draw_even(rng, -36, -16)), envelope = 0;
    lc_two_pole filter = lc_two_pole_at(lc_draw_even(rng, 1000, 4000), 0.7, rate);
    uint32_t noise = (uint32_t)(lc_rng_next(rng) >> 32);
    for (size_t i = 0; i < n; i++) {
        float size = fabsf(samples[i]), high;
        envelope += (size > envelope ? rise : fall) * (size - envelope);
        (void)lc_two_pole_run(&filter, level * envelope * lc_white(&noise) + 1e-20f, &high);
        samples[i] = high;
    }
}

/* Four poles of low-pass. */
static void cut_above(float *samples, size_t n, double rate, double corner)
{
    lc_two_pole first = lc_two_pole_at(corner, 0.54, rate), second = lc_two_pole_at(corner, 1.31, rate);
    float unused;
    for (size_t i = 0; i < n; i++)
        samples[i] = lc_two_pole_run(&second, lc_two_pole_run(&first, samples[i] + 1e-20f, &unused), &unused);
}

/* Two poles of high-pass. */
static void cut_below(float *samples, size_t n, double rate, double corner)
{
    lc_two_pole filter = lc_two_pole_at(corner, 0.7, rate);
    for (size_t i = 0; i < n; i++) {
        float high;
        (void)lc_two_pole_run(&filter, samples[i] + 1e-20f, &high);
        samples[i] = high;
    }
}

void lc_strip_codec(float *samples, size_t n, double rate, lc_rng *rng)
{
    double corner = lc_draw_even(rng, 6500, 15000);
    float level = (float)lc_gain_of(lc_draw_even(rng, -42, -24)), fall = (float)(1 - exp(-1 / (0.01 * rate)));
    uint32_t noise = (uint32_t)(lc_rng_next(rng) >> 32);
    float envelope = 0;
    for (size_t i = 0; i < n; i++) {
        float size = fabsf(samples[i]);
        envelope = size > envelope ? size : envelope + fall * (size - envelope);
        samples[i] += level * envelope * lc_white(&noise);
    }
    if (corner < 0.45 * rate)
        cut_above(samples, n, rate, corner);
}

void lc_strip_old(float *samples, size_t n, double rate, lc_rng *rng)
{
    float peak = peak_of(samples, n);
    double a_second = lc_draw_even(rng, 0, 12), crackle = (double)peak * lc_gain_of(lc_draw_even(rng, -40, -22));
    for (double at = 0; a_second > 0.5;) {
        at += -log(1 - lc_rng_uniform(rng)) / a_second;
        size_t i = (size_t)(at * rate);
        if (i >= n)
            break;
        samples[i] += (float)(crackle * lc_draw_even(rng, -1, 1));
    }
    cut_below(samples, n, rate, lc_draw_even(rng, 50, 140));
    cut_above(samples, n, rate, lc_draw_even(rng, 5500, 9000));
}
