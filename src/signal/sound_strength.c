/* SPDX-License-Identifier: MIT
 * sound_strength.c - where something happens in sound: onsets, loudest moments, middles.
 *
 * Amplitude: the root of the mean square of 5 ms. Three running means of 2 h + 1 values are nearly a Gaussian of variance
 * h (h + 1), whatever its width at the same cost.
 *
 * A word has many onsets, and the network may fire at any of its sounds: its beginning shows by the silence before
 * it. The bound lies at 0.3 of the way from the quietest to the loudest, since s and f at the beginning of a word are soft,
 * and silence within a word, before k or t, is shorter than 0.15 s. */
#include "signal/sound_strength.h"

#include "base/status.h"
#include "signal/onset.h"

#include <math.h>
#include <stdlib.h>

static const double hop_seconds = 0.005, peak_seconds = 0.01, pause_seconds = 0.15, word_seconds = 0.03;
static const double quietest = 0.05, loudest = 0.95, least_ratio = 4,
                    way = 0.3; /* ranks; of amplitudes; of logarithms */

/* One running mean from the left to the right; `kept` holds the last 2 h + 1 inputs. */
static void run_mean(float *values, size_t n, size_t h, float *kept)
{
    double sum = 0;
    size_t width = 2 * h + 1;
    for (size_t i = 0; i < width; i++)
        kept[i] = 0;
    for (size_t i = 0; i < n + h; i++) {
        float in = i < n ? values[i] : 0;
        sum += (double)in - (double)kept[i % width];
        kept[i % width] = in;
        if (i >= h)
            values[i - h] = (float)(fmax(0, sum) / (double)width);
    }
}

bool lc_strength_smooth(float *values, size_t n, double deviation)
{
    size_t h = (size_t)fmax(0, nearbyint(sqrt(deviation * deviation + 0.25) - 0.5));
    float *kept = h > 0 ? calloc(2 * h + 1, sizeof *kept) : NULL;
    for (int pass = 0; kept != NULL && pass < 3; pass++)
        run_mean(values, n, h, kept);
    free(kept);
    return h == 0 || kept != NULL;
}

/* Value i is that of the samples around i * hop. */
static void fill_amplitude(float *values, const float *samples, size_t n, size_t hop)
{
    for (size_t i = 0; i < n; i += hop) {
        size_t first = i > hop / 2 ? i - hop / 2 : 0, end = i + hop / 2 + 1 < n ? i + hop / 2 + 1 : n;
        double squares = 0;
        for (size_t j = first; j < end; j++)
            squares += (double)samples[j] * (double)samples[j];
        values[i / hop] = (float)sqrt(squares / (double)(end - first));
    }
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

/* The amplitude above which there is sound; INFINITY where sound and silence do not differ enough. */
static float bound_of(const float *values, size_t n, float *sorted)
{
    for (size_t i = 0; i < n; i++)
        sorted[i] = fmaxf(values[i], 1e-7f);
    qsort(sorted, n, sizeof *sorted, by_size);
    double low = (double)sorted[(size_t)(quietest * (double)n)], high = (double)sorted[(size_t)(loudest * (double)n)];
    return high < least_ratio * low ? INFINITY : (float)(low * pow(high / low, way));
}

/* Amplitudes become bumps where sound begins, as wide as the places differ at which a word is detected. False: out of
 * memory. */
static bool keep_beginnings(float *values, size_t n, double apart)
{
    size_t pause = (size_t)ceil(pause_seconds / apart), silent = pause;
    float *sorted = calloc(n + 1, sizeof *sorted), bound = sorted != NULL ? bound_of(values, n, sorted) : 0;
    for (size_t i = 0; sorted != NULL && i < n; i++) {
        bool sound = values[i] > bound;
        values[i] = sound && silent >= pause ? 1 : 0;
        silent = sound ? 0 : silent + 1;
    }
    free(sorted);
    return sorted != NULL && lc_strength_smooth(values, n, word_seconds / apart);
}

loco_status lc_sound_strength(lc_strength *strength, double rate, lc_anchor anchor, const float *samples, size_t n,
                              loco_err *err)
{
    if (anchor == LC_ANCHOR_RISE || anchor == LC_ANCHOR_ONSET)
        return lc_onset_strength(samples, n, rate, &strength->values, &strength->len, &strength->hop, err);
    size_t hop = (size_t)fmax(1, nearbyint(hop_seconds * rate)), len = n / hop + (n % hop != 0);
    float *values = calloc(len + 1, sizeof *values);
    double seconds = anchor == LC_ANCHOR_CENTRE ? LC_CENTRE_SECONDS : peak_seconds, apart = (double)hop / rate;
    if (values != NULL)
        fill_amplitude(values, samples, n, hop);
    if (values == NULL || !lc_strength_smooth(values, len, seconds / apart) ||
        (anchor == LC_ANCHOR_WORD && !keep_beginnings(values, len, apart))) {
        free(values);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu values of amplitude", len);
    }
    *strength = (lc_strength){.values = values, .len = len, .hop = apart};
    return LOCO_OK;
}
