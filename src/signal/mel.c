/* SPDX-License-Identifier: MIT
 * mel.c - the constants of a front end: window and mel bands.
 *
 * The window has its peak at sample c = window/2 (rounded down), exactly: w[i] = a + (1-a) cos(2 pi (i-c) / window),
 * a = 0.5 (Hann) or 0.54 (Hamming).
 *
 * Scale. The bins of a full-scale sine add up to fft * sum(w^2) / 4; divided by that, they add up to 1 for any window,
 * and the bins of noise of variance v to 2v. Gain and scale are part of the weights.
 *
 * Bands. The corners of the triangles are even in mel. A side is at least one bin wide, else a narrow band between two
 * bins would always be silent. Each band is a run of bins.
 */
#include "signal/mel.h"

#include <math.h>
#include <string.h>

size_t lc_mel_centre(const lc_frontend_settings *settings)
{
    return settings->window / 2;
}

static double mel_of(double hz)
{
    return 2595 * log10(1 + hz / 700);
}

static double hz_of(double mel)
{
    return 700 * (pow(10, mel / 2595) - 1);
}

/* Corners of a triangle, in bins. */
typedef struct triangle {
    double left, peak, right;
} triangle;

static triangle triangle_of(const lc_frontend_settings *s, size_t band)
{
    double low = mel_of(s->low), step = (mel_of(s->high) - low) / (double)(s->bands + 1);
    double bins = (double)s->fft / s->rate; /* of one Hz */
    triangle t;
    t.peak = bins * hz_of(low + step * (double)(band + 1));
    t.left = fmin(bins * hz_of(low + step * (double)band), t.peak - 1);
    t.right = fmax(bins * hz_of(low + step * (double)(band + 2)), t.peak + 1);
    return t;
}

static double height_at(triangle t, double bin)
{
    double side = bin < t.peak ? (bin - t.left) / (t.peak - t.left) : (t.right - bin) / (t.right - t.peak);
    return fmax(side, 0);
}

static lc_band band_of(const lc_frontend_settings *s, triangle t)
{
    size_t last_bin = s->fft / 2;
    size_t first = (size_t)fmax(ceil(t.left), 0), last = (size_t)fmin(floor(t.right), (double)last_bin);
    return (lc_band){first, last - first + 1};
}

size_t lc_mel_bins(const lc_frontend_settings *s)
{
    lc_band last = band_of(s, triangle_of(s, s->bands - 1));
    return last.first + last.length;
}

void lc_mel_layout(lc_mel *mel, const lc_frontend_settings *s, lc_arena *arena)
{
    size_t weights = 0;
    for (size_t b = 0; b < s->bands; b++)
        weights += band_of(s, triangle_of(s, b)).length;
    mel->window = lc_arena_take(arena, s->window, sizeof *mel->window);
    mel->bands = lc_arena_take(arena, s->bands, sizeof *mel->bands);
    mel->weights = lc_arena_take(arena, weights, sizeof *mel->weights);
}

/* Fills the window; the sum of its squares. */
static double fill_window(float *window, const lc_frontend_settings *s)
{
    double even = s->shape == LC_SHAPE_HAMMING ? 0.54 : 0.5, sum = 0;
    double centre = (double)lc_mel_centre(s), turn = 2 * acos(-1) / (double)s->window;
    for (size_t i = 0; i < s->window; i++) {
        double w = even + (1 - even) * cos(turn * ((double)i - centre));
        window[i] = (float)w;
        sum += w * w;
    }
    return sum;
}

void lc_mel_fill(lc_mel *mel, const lc_frontend_settings *s)
{
    double squares = fill_window(mel->window, s);
    double scale = 4 / ((double)s->fft * squares) * pow(10, s->gain / 10);
    float *weight = mel->weights;
    for (size_t b = 0; b < s->bands; b++) {
        triangle t = triangle_of(s, b);
        lc_band band = mel->bands[b] = band_of(s, t);
        for (size_t i = 0; i < band.length; i++) {
            *weight++ = (float)(scale * height_at(t, (double)(band.first + i)));
        }
    }
}
