/* SPDX-License-Identifier: MIT
 * resample.c - samples at one rate into samples at another: a sinc under a Kaiser window, by phases.
 *
 *     y[i] = sum_k x[c + k] h(k - f),   i * from / to = c + f,   k = 1 - reach .. reach
 *     h(t) = cut sinc(cut t) kaiser(t / reach),   cut = min(1, to / from),   reach = HALF / cut
 *
 * with h scaled so that a constant stays as it is. HALF = 48 samples of the lower rate to either side and 96 dB: flat
 * up to 0.93 of half the lower rate, half at it, and gone above 1.07 of it; what lies between folds back upon the last
 * part. It is short on purpose: its delay is 2.2 ms at 22.05 kHz, where soxr, which works in blocks, has 17 to 19 ms
 * (9 ms at this steepness). A minute to 22.05 kHz on one core, against soxr: from 44.1 kHz 7.4 ms against 7.4, from
 * 48 kHz 25 against 18, from 32 kHz 22 against 22 (busy machine, in turns).
 *
 * Phases. Rates whose ratio is up / down in whole numbers meet `up` different f: a filter for each, and the place of an
 * output is exact for ever. Other ratios are left to soxr: filters for each of their f would take 5 ms to make, for
 * every example that is read at another speed.
 *
 * Every down-th sample (up = 1; 44.1 to 22.05 kHz) has one filter, so that neighbouring outputs go side by side: the
 * input is dealt to `down` planes, and an output is the sum over planes of a filter of every down-th tap. Of a filter at
 * half the rate every second tap is 0, and the plane of these costs one product.
 *
 * x holds, for each channel, the input from number `base` on, as far as it is still needed. */
#include "signal/resample.h"

#include "signal/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HALF = 48,
    MOST_PHASES = 441, /* 16 to 22.05 kHz has these, 48 to 22.05 kHz 147 */
    MOST_TAPS = 1024,
    ROOM = 4096,        /* input samples besides those of one filter */
    SIDE_BY_SIDE = 512, /* outputs of a call */
    PLANES = 8,         /* most that a filter is dealt to */
};

static const double beta = 9.62; /* of the Kaiser window, for 96 dB: 0.1102 (96 - 8.7) */

struct lc_resampler {
    const lc_signal_kernels *kernels;
    double ratio; /* output samples for one of input */
    uint64_t up, down;
    size_t channels, reach, taps;
    float *filters; /* (up, taps); or (down, taps): planes, with the whole filter behind them */
    bool planes;
    size_t begin[PLANES], end[PLANES]; /* taps of a plane that are not 0 */
    float *x;                          /* (channels, room) */
    size_t room, have;
    int64_t base;
    uint64_t fed, given;
    bool over;     /* the input is */
    size_t behind; /* zeros that have been put there then */
};

/* ---- filters ---- */

/* The window over v = 1 - (t / HALF)^2: the Bessel function I0(beta sqrt(v)) = sum_k (beta^2 v / 4)^k / k!^2. */
static double window_at(double v)
{
    double sum = 1, term = 1;
    for (double k = 1; term > 1e-12 * sum; k++) {
        term *= 0.25 * beta * beta * v / (k * k);
        sum += term;
    }
    return sum;
}

/* h(t) but for its scale; t in samples of the lower rate. */
static double filter_at(double t)
{
    double v = 1 - t / HALF * (t / HALF), x = 3.14159265358979323846 * t;
    if (v <= 0)
        return 0;
    double sinc = fabs(t) < 1e-9 ? 1 : fabs(t - nearbyint(t)) < 1e-9 ? 0 : sin(x) / x; /* 0, and not 1e-17 */
    return sinc * window_at(v);
}

/* The filter for f; tap j is that of sample c + 1 - reach + j. */
static void fill_filter(const lc_resampler *r, double f, float *taps)
{
    double h[MOST_TAPS] = {0}, sum = 0, cut = fmin(1, r->ratio);
    for (size_t j = 0; j < 2 * r->reach; j++)
        sum += h[j] = filter_at(cut * ((double)j + 1 - (double)r->reach - f));
    for (size_t j = 0; j < r->taps; j++)
        taps[j] = (float)(h[j] / sum);
}

/* up / down = to / from in lowest terms; false where the rates are not whole numbers. */
static bool find_ratio(double from, double to, uint64_t *up, uint64_t *down)
{
    if (from < nearbyint(from) || from > nearbyint(from) || to < nearbyint(to) || to > nearbyint(to))
        return false;
    uint64_t a = (uint64_t)from, b = (uint64_t)to;
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    *up = (uint64_t)to / a;
    *down = (uint64_t)from / a;
    return true;
}

size_t lc_resampler_reach(double from, double to)
{
    return (size_t)ceil(HALF * fmax(1, from / to));
}

/* Deals the one filter to planes: tap j is number j / down of plane j mod down. */
static void deal_filter(lc_resampler *r, const float *filter)
{
    size_t down = (size_t)r->down;
    for (size_t p = 0; p < down; p++) {
        float *plane = r->filters + p * r->taps;
        size_t n = 0;
        for (size_t j = p; j < 2 * r->reach; j += down)
            plane[n++] = filter[j];
        while (n > 0 && fabsf(plane[n - 1]) <= 0)
            n--;
        r->end[p] = n;
        while (r->begin[p] < n && fabsf(plane[r->begin[p]]) <= 0)
            r->begin[p]++;
    }
}

static bool make_filters(lc_resampler *r)
{
    size_t down = (size_t)r->down;
    r->filters = calloc((r->planes ? down + 1 : (size_t)r->up) * r->taps, sizeof *r->filters);
    if (r->filters == NULL)
        return false;
    for (size_t p = 0; !r->planes && p <= r->up / 2; p++) {
        float *filter = r->filters + p * r->taps, *mirror = r->filters + (r->up - p) * r->taps;
        fill_filter(r, (double)p / (double)r->up, filter);
        for (size_t j = 0; p > 0 && j < 2 * r->reach; j++) /* 1 - f: the same from the other end */
            mirror[j] = filter[2 * r->reach - 1 - j];
    }
    if (r->planes) {
        fill_filter(r, 0, r->filters + down * r->taps);
        deal_filter(r, r->filters + down * r->taps);
    }
    return true;
}

bool lc_resampler_takes(double from, double to)
{
    uint64_t up, down;
    return find_ratio(from, to, &up, &down) && up <= MOST_PHASES &&
           2 * lc_resampler_reach(from, to) + LC_DOT_STEP <= MOST_TAPS;
}

lc_resampler *lc_resampler_new(double from, double to, size_t channels)
{
    lc_isa isa;
    lc_resampler *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->kernels = lc_signal_kernels_of(lc_isa_choose(&isa, NULL) == LOCO_OK ? isa : LC_ISA_REF);
    r->ratio = to / from;
    r->channels = channels;
    r->reach = lc_resampler_reach(from, to);
    r->taps = (2 * r->reach + LC_DOT_STEP - 1) / LC_DOT_STEP * LC_DOT_STEP;
    r->room = 2 * r->taps + ROOM;
    bool whole = find_ratio(from, to, &r->up, &r->down) && r->up > 0;
    r->planes = r->up == 1 && r->down <= PLANES;
    r->x = calloc(channels * r->room, sizeof *r->x);
    if (r->x == NULL || !whole || !make_filters(r)) {
        lc_resampler_free(r);
        return NULL;
    }
    lc_resampler_reset(r);
    return r;
}

void lc_resampler_reset(lc_resampler *r)
{
    memset(r->x, 0, r->channels * r->room * sizeof *r->x);
    r->have = r->reach; /* zeros before the first sample */
    r->base = -(int64_t)r->reach;
    r->fed = r->given = 0;
    r->over = false;
    r->behind = 0;
}

void lc_resampler_free(lc_resampler *resampler)
{
    if (resampler == NULL)
        return;
    free(resampler->filters);
    free(resampler->x);
    free(resampler);
}

/* ---- places ---- */

/* c of output i. */
static int64_t place_of(const lc_resampler *r, uint64_t i)
{
    return (int64_t)(i * r->down / r->up);
}

/* How many of `most` outputs can be computed from what is there; after the end, only those that are due. */
static size_t ready(const lc_resampler *r, size_t most)
{
    int64_t last = r->base + (int64_t)r->have - 1 - (int64_t)r->reach; /* the largest c that can be computed */
    if (last < 0)
        return 0;
    /* c <= last: i down / up < last + 1 */
    uint64_t end = (((uint64_t)last + 1) * r->up + r->down - 1) / r->down;
    uint64_t due = r->over ? (uint64_t)nearbyint((double)r->fed * r->ratio) : UINT64_MAX;
    end = end < due ? end : due;
    uint64_t n = end > r->given ? end - r->given : 0;
    return n < most ? (size_t)n : most;
}

/* ---- sums ---- */

/* n outputs from number `given` on, each with the filter of its phase. Places go on by additions: a division for each
 * output took as long as its sum. */
static void sum_phases(const lc_resampler *r, const float *x, size_t n, float *y)
{
    uint64_t phase = r->given * r->down % r->up, more = r->down % r->up, whole = r->down / r->up;
    const float *at = x + (place_of(r, r->given) + 1 - (int64_t)r->reach - r->base);
    for (size_t i = 0; i < n; i++) {
        y[i] = r->kernels->dot(at, r->filters + phase * r->taps, r->taps);
        phase += more;
        at += whole + (phase >= r->up);
        phase -= phase >= r->up ? r->up : 0;
    }
}

/* n outputs, at most SIDE_BY_SIDE, of which one is every down-th input. */
static void sum_planes(const lc_resampler *r, const float *x, size_t n, float *y)
{
    float plane[SIDE_BY_SIDE + 2 * HALF + LC_FILTER_STEP]; /* a filter has 2 HALF taps for each of `down` planes */
    size_t down = (size_t)r->down, first = (size_t)(place_of(r, r->given) + 1 - (int64_t)r->reach - r->base);
    memset(y, 0, SIDE_BY_SIDE * sizeof *y);
    for (size_t p = 0; p < down; p++) {
        size_t taps = r->end[p] - r->begin[p];
        const float *from = x + first + p + r->begin[p] * down;
        if (taps == 0)
            continue;
        for (size_t i = 0; i < n + taps - 1; i++)
            plane[i] = from[i * down];
        memset(plane + n + taps - 1, 0, LC_FILTER_STEP * sizeof *plane); /* read for nothing */
        r->kernels->filter(plane, r->filters + p * r->taps + r->begin[p], taps, y, n);
    }
}

/* ---- pieces ---- */

/* Drops what no later output needs. */
static void drop(lc_resampler *r)
{
    int64_t gone = place_of(r, r->given) + 1 - (int64_t)r->reach - r->base;
    if (gone <= 0)
        return;
    size_t n = (size_t)gone < r->have ? (size_t)gone : r->have;
    for (size_t c = 0; c < r->channels; c++)
        memmove(r->x + c * r->room, r->x + c * r->room + n, (r->have - n) * sizeof *r->x);
    r->have -= n;
    r->base += (int64_t)n;
}

/* Puts in frames behind what is there; NULL: zeros. */
static size_t put(lc_resampler *r, const float *in, size_t n)
{
    size_t space = r->room - LC_DOT_STEP - r->have, C = r->channels;
    n = n < space ? n : space;
    for (size_t c = 0; c < C; c++) {
        float *x = r->x + c * r->room + r->have;
        if (in == NULL)
            memset(x, 0, n * sizeof *x);
        else if (C == 1)
            memcpy(x, in, n * sizeof *x);
        for (size_t i = 0; in != NULL && C > 1 && i < n; i++)
            x[i] = in[i * C + c];
    }
    r->have += n;
    return n;
}

/* Up to SIDE_BY_SIDE outputs. */
static size_t give(lc_resampler *r, float *out, size_t most)
{
    float y[SIDE_BY_SIDE];
    size_t n = ready(r, most < SIDE_BY_SIDE ? most : SIDE_BY_SIDE);
    for (size_t c = 0; n > 0 && c < r->channels; c++) {
        const float *x = r->x + c * r->room;
        if (r->planes)
            sum_planes(r, x, n, y);
        else
            sum_phases(r, x, n, y);
        for (size_t i = 0; i < n; i++)
            out[i * r->channels + c] = y[i];
    }
    r->given += n;
    return n;
}

void lc_resampler_run(lc_resampler *r, const float *in, size_t n, size_t *taken, float *out, size_t most, size_t *got)
{
    size_t piece = 1;
    drop(r);
    *taken = in != NULL ? put(r, in, n) : 0;
    r->fed += *taken;
    if (in == NULL) {
        r->over = true;
        r->behind += put(r, NULL, r->reach + 1 - r->behind);
    }
    for (*got = 0; piece > 0 && *got < most; *got += piece)
        piece = give(r, out + *got * r->channels, most - *got);
}
