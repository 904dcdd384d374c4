/* SPDX-License-Identifier: MIT
 * audible.c - leaves out strokes too soft for their class, and finds those that others mask. */
#include "studio/kits/audible.h"

#include "signal/filter.h"
#include "studio/kits/part.h"

#define WINDOW 0.025 /* s */

void lc_audible_keep(lc_pattern *pattern, const double level[LC_PARTS], double power)
{
    double loudest[4] = {0};
    size_t kept = 0;
    for (size_t i = 0; i < pattern->length; i++) {
        const lc_hit *hit = &pattern->hits[i];
        size_t class = lc_part_class(hit->voice);
        loudest[class] = fmax(loudest[class], level[hit->voice] * pow(hit->velocity, power));
    }
    for (size_t i = 0; i < pattern->length; i++) {
        lc_hit hit = pattern->hits[i];
        double least = lc_gain_of(-LC_AUDIBLE_BELOW) * loudest[lc_part_class(hit.voice)];
        if (level[hit.voice] * pow(hit.velocity, power) >= least)
            pattern->hits[kept++] = hit;
    }
    pattern->length = kept;
}

/* Both poles of the band, in place: high-pass first, then low-pass; a corner of 0 is left out. */
static void limit_band(float *samples, size_t n, double rate, double low, double high)
{
    lc_two_pole below = lc_two_pole_at(low, 0.7, rate), above = lc_two_pole_at(high, 0.7, rate);
    for (size_t i = 0; i < n; i++) {
        float passed, unused;
        (void)lc_two_pole_run(&below, samples[i] + 1e-20f, &passed);
        samples[i] = high > 0 ? lc_two_pole_run(&above, passed, &unused) : passed;
    }
}

/* In double: a sum over thousands of samples. */
static double energy(const float *samples, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)samples[i] * (double)samples[i];
    return sum;
}

void lc_audible_mark(bool *audible, const lc_pattern *pattern, lc_part_group group, float *own, float *rest, size_t n,
                     double rate)
{
    static const double bands[LC_GROUPS][2] = {
        {35,   180 },
        {200,  7000},
        {5000, 0   },
        {60,   1500},
        {3000, 0   },
        {200,  7000},
        {5000, 0   }
    };
    double masked = pow(10, -LC_AUDIBLE_MASKED / 10);
    limit_band(own, n, rate, bands[group][0], bands[group][1]);
    limit_band(rest, n, rate, bands[group][0], bands[group][1]);
    size_t window = (size_t)(WINDOW * rate);
    for (size_t i = 0; i < pattern->length; i++) {
        const lc_hit *hit = &pattern->hits[i];
        if (lc_part_group_of(hit->voice) != group)
            continue;
        size_t first = (size_t)(hit->time * rate), length = n - first < window ? n - first : window;
        audible[i] = energy(own + first, length) > masked * energy(rest + first, length);
    }
}
