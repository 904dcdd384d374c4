/* SPDX-License-Identifier: MIT
 * tally.c - the distribution of a count frame by frame, and intervals of it.
 *
 *   P'(n) = (1 - p) P(n) + p P(n - 1)      one frame more, in place from the top down
 *
 * Ten hours at 100 frames a second with a standard deviation of 85 keep 1500 bins, 12 KB. The distribution is
 * log-concave, so that the counts which are likelier than any bound are an interval; both walks below take bins away
 * from the less likely end, so that small tails are sums of small numbers and lose no digits. */
#include "detect/tally.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double negligible = 1e-18;
enum { FIRST_CAPACITY = 64 };

const double lc_tail_levels[LC_TAILS] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};

/* ---- growing ---- */

/* Room for one bin more behind the last: moves to the front where at least half is free there, or doubles. */
static bool make_room(lc_tally *t)
{
    size_t capacity = t->capacity == 0 ? FIRST_CAPACITY : t->capacity, bytes;
    if (t->begin + t->len < t->capacity)
        return true;
    if (t->begin == 0 || t->begin < t->capacity / 2) {
        if ((t->capacity > 0 && !lc_size_mul(capacity, 2, &capacity)) || !lc_size_mul(capacity, sizeof *t->pmf, &bytes))
            return false;
        double *grown = realloc(t->pmf, bytes);
        if (grown == NULL)
            return false;
        t->pmf = grown;
        t->capacity = capacity;
    }
    if (t->begin > 0)
        memmove(t->pmf, t->pmf + t->begin, t->len * sizeof *t->pmf);
    t->begin = 0;
    return true;
}

static void trim(lc_tally *t)
{
    while (t->len > 1 && t->pmf[t->begin + t->len - 1] < negligible)
        t->len--;
    while (t->len > 1 && t->pmf[t->begin] < negligible) {
        t->begin++;
        t->first++;
        t->len--;
    }
}

/* p and 1 - p each by its own exponential, so that neither loses digits near 0. */
void lc_tally_add(lc_tally *t, double logit)
{
    double p = 1 / (1 + exp(-logit)), q = 1 / (1 + exp(logit));
    if (t->failed || !make_room(t)) {
        t->failed = true;
        return;
    }
    if (t->len == 0) {
        t->pmf[0] = 1;
        t->len = 1;
    }
    double *pmf = t->pmf + t->begin;
    pmf[t->len] = p * pmf[t->len - 1];
    for (size_t i = t->len - 1; i > 0; i--)
        pmf[i] = q * pmf[i] + p * pmf[i - 1];
    pmf[0] *= q;
    t->len++;
    trim(t);
    t->mean += p;
    t->frames++;
}

/* P(rounded noise = j) for j = -reach..reach, at [j + reach]. */
static void fill_noise(double *noise, size_t reach, double deviation)
{
    for (size_t i = 0; i < 2 * reach + 1; i++) {
        double j = (double)i - (double)reach;
        /* the difference of two numbers below 1/2, whichever side j is on */
        double near = (fabs(j) - 0.5) / deviation, far = (fabs(j) + 0.5) / deviation;
        noise[i] = (erfc(near * M_SQRT1_2) - erfc(far * M_SQRT1_2)) / 2;
    }
}

/* Bins below 0 are cut off and the rest scaled to 1: what is log-concave stays so. */
static void blur_into(lc_tally *t, double *out, size_t bins, size_t first, const double *noise, size_t reach)
{
    double sum = 0;
    memset(out, 0, bins * sizeof *out);
    for (size_t i = 0; i < t->len; i++)
        for (size_t j = 0; j < 2 * reach + 1; j++)
            if (t->first + i + j >= reach + first)
                out[t->first + i + j - reach - first] += t->pmf[t->begin + i] * noise[j];
    for (size_t i = 0; i < bins; i++)
        sum += out[i];
    for (size_t i = 0; i < bins; i++)
        out[i] /= sum;
}

void lc_tally_blur(lc_tally *t, double deviation)
{
    size_t reach = (size_t)fmin(1e8, ceil(9 * deviation));
    if (!(deviation > 0.05) || t->len == 0 || t->failed) /* below, 10 deviations are half a count */
        return;
    size_t first = t->first > reach ? t->first - reach : 0, bins = t->first + t->len + reach - first, bytes;
    double *out = lc_size_mul(bins, sizeof *out, &bytes) ? malloc(bytes) : NULL;
    double *noise = malloc((2 * reach + 1) * sizeof *noise);
    t->failed = out == NULL || noise == NULL;
    if (!t->failed) {
        fill_noise(noise, reach, deviation);
        blur_into(t, out, bins, first, noise, reach);
        double mean = 0;
        for (size_t i = 0; i < bins; i++)
            mean += out[i] * (double)(first + i);
        free(t->pmf);
        *t = (lc_tally){.pmf = out, .len = bins, .capacity = bins, .first = first, .frames = t->frames, .mean = mean};
        trim(t);
        out = NULL;
    }
    free(out);
    free(noise);
}

void lc_tally_clear(lc_tally *t)
{
    *t = (lc_tally){.pmf = t->pmf, .capacity = t->capacity};
}

void lc_tally_free(lc_tally *t)
{
    free(t->pmf);
    *t = (lc_tally){0};
}

/* ---- asking ---- */

double lc_tally_probability(const lc_tally *t, loco_label label)
{
    double sum = 0;
    if (t->len == 0)
        return label.lo == 0 ? 1 : 0;
    for (size_t i = 0; i < t->len; i++)
        if (t->first + i >= label.lo && t->first + i <= label.hi)
            sum += t->pmf[t->begin + i];
    return fmin(sum, 1);
}

double lc_tally_dice(const lc_tally *t, size_t kind)
{
    uint64_t mean = (uint64_t)fmin(1e15, nearbyint(1000 * t->mean));
    lc_rng rng = lc_rng_seed((mean * 0x9e3779b97f4a7c15u + t->frames) * 0xd1b54a32d192ed03u + kind);
    return lc_rng_uniform(&rng);
}

/* Bins low..high are left, `gone` is the sum of the others. */
typedef struct walk {
    const double *pmf;
    size_t low, high;
    double gone;
} walk;

/* The end that goes next: the less likely one, of equals the upper. */
static size_t next_bin(const walk *w)
{
    return w->pmf[w->low] < w->pmf[w->high] ? w->low : w->high;
}

static void drop(walk *w, size_t bin)
{
    w->gone += w->pmf[bin];
    if (bin == w->low)
        w->low++;
    else
        w->high--;
}

double lc_tally_p_value(const lc_tally *t, size_t count, double dice)
{
    if (t->len == 0)
        return count == 0 ? 1 : 0;
    if (count < t->first || count - t->first >= t->len)
        return dice * negligible;
    walk w = {.pmf = t->pmf + t->begin, .high = t->len - 1};
    while (w.low < w.high) {
        size_t bin = next_bin(&w);
        if (bin == count - t->first)
            return fmin(1, w.gone + dice * w.pmf[bin]);
        drop(&w, bin);
    }
    return 1;
}

lc_interval lc_tally_interval(const lc_tally *t, double tail, double dice)
{
    if (t->len == 0)
        return (lc_interval){0, 0, 1};
    walk w = {.pmf = t->pmf + t->begin, .high = t->len - 1};
    while (w.low < w.high && w.gone + dice * w.pmf[next_bin(&w)] < tail)
        drop(&w, next_bin(&w));
    return (lc_interval){t->first + w.low, t->first + w.high, fmax(0, 1 - w.gone)};
}

/* ---- calibration ---- */

lc_counting lc_counting_usual(void)
{
    lc_counting usual = {.scale = 1};
    for (size_t i = 0; i < LC_TAILS; i++)
        usual.tails[i] = 1 - lc_tail_levels[i];
    return usual;
}

double lc_counting_tail(const lc_counting *counting, double level)
{
    size_t i = 0;
    while (i + 2 < LC_TAILS && level > lc_tail_levels[i + 1])
        i++;
    double part = (level - lc_tail_levels[i]) / (lc_tail_levels[i + 1] - lc_tail_levels[i]);
    double low = log(fmax(counting->tails[i], negligible)), high = log(fmax(counting->tails[i + 1], negligible));
    return exp(low + fmin(fmax(part, 0), 1) * (high - low));
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void lc_counting_learn(lc_counting *counting, double *p_values, size_t n)
{
    qsort(p_values, n, sizeof *p_values, by_size);
    for (size_t i = 0; n > 0 && i < LC_TAILS; i++) {
        /* a little more, for (1 - 0.9) * 10 is less than 1 */
        size_t rank = (size_t)((double)(n + 1) * (1 - lc_tail_levels[i]) + 1e-9);
        counting->tails[i] = p_values[rank > 0 ? rank - 1 : 0];
    }
}
