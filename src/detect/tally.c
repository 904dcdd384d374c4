/* SPDX-License-Identifier: MIT
 * tally.c - the distribution of a count, frame by frame, and its intervals.
 *
 *   P'(n) = (1 - p) P(n) + p P(n - 1)      one frame more, in place from the top down
 *
 * Frames are counted in blocks of 1024, whose distribution is short, and each full block is convolved with the sum of
 * those before: a frame on its own would cost a walk over all bins of the sum. Ten hours at 100 frames a second with a
 * standard deviation of 200 keep 3600 bins, 29 KB. The distribution is log-concave, so that the counts which are
 * likelier than any bound are an interval; both walks below take bins away from the less likely end, so that small
 * tails are sums of small numbers and lose no digits. */
#include "detect/tally.h"

#include "base/mem.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double negligible = 1e-18;
enum { FIRST_CAPACITY = 64, BLOCK = 1024 };

/* ---- growing ---- */

/* Room for `need` bins in all, those that are there at the beginning. */
static bool reserve(lc_bins *b, size_t need)
{
    size_t capacity = b->capacity > 0 ? b->capacity : FIRST_CAPACITY, bytes;
    while (capacity < need)
        if (!lc_size_mul(capacity, 2, &capacity))
            return false;
    if (capacity > b->capacity) {
        double *grown = lc_size_mul(capacity, sizeof *b->pmf, &bytes) ? realloc(b->pmf, bytes) : NULL;
        if (grown == NULL)
            return false;
        b->pmf = grown;
        b->capacity = capacity;
    }
    return true;
}

/* Drops the negligible bins at both ends. */
static void trim(lc_bins *b)
{
    size_t low = 0;
    while (b->len > 1 && b->pmf[b->len - 1] < negligible)
        b->len--;
    while (low + 1 < b->len && b->pmf[low] < negligible)
        low++;
    if (low > 0)
        memmove(b->pmf, b->pmf + low, (b->len - low) * sizeof *b->pmf);
    b->first += low;
    b->len -= low;
}

/* out = the distribution of the sum of a and b. */
static bool convolve(lc_bins *out, const lc_bins *a, const lc_bins *b)
{
    size_t len = a->len + b->len - 1;
    if (!reserve(out, len))
        return false;
    memset(out->pmf, 0, len * sizeof *out->pmf);
    for (size_t i = 0; i < b->len; i++) {
        double weight = b->pmf[i], *restrict to = out->pmf + i;
        const double *restrict from = a->pmf;
        for (size_t j = 0; j < a->len; j++)
            to[j] += weight * from[j];
    }
    out->len = len;
    out->first = a->first + b->first;
    return true;
}

/* The recent frames into the sum of all before. */
static void fold(lc_tally *t)
{
    lc_bins sum = t->spare;
    if (t->failed || t->recent.len == 0)
        return;
    if (t->sum.len == 0) {
        sum = t->recent;
        t->recent = t->spare;
    } else if (convolve(&sum, &t->recent, &t->sum)) {
        trim(&sum);
    } else {
        t->failed = true;
    }
    t->spare = t->sum;
    t->sum = sum;
    t->recent.len = t->recent.first = t->spare.len = t->spare.first = 0;
    t->recent_frames = 0;
}

/* p and 1 - p each by its own exponential, so that neither loses digits near 0. */
void lc_tally_add(lc_tally *t, double logit)
{
    double p = 1 / (1 + exp(-logit)), q = 1 / (1 + exp(logit));
    lc_bins *b = &t->recent;
    if (t->failed || !reserve(b, b->len + 2)) {
        t->failed = true;
        return;
    }
    if (b->len == 0)
        b->pmf[b->len++] = 1;
    b->pmf[b->len] = p * b->pmf[b->len - 1];
    for (size_t i = b->len - 1; i > 0; i--)
        b->pmf[i] = q * b->pmf[i] + p * b->pmf[i - 1];
    b->pmf[0] *= q;
    b->len++;
    trim(b);
    t->mean += p;
    t->frames++;
    if (++t->recent_frames == BLOCK)
        fold(t);
}

/* P(rounded noise = j) for j = -reach..reach: the difference of two numbers below 1/2, whichever side j is on. */
static bool fill_noise(lc_bins *noise, size_t reach, double deviation)
{
    if (!reserve(noise, 2 * reach + 1))
        return false;
    noise->len = 2 * reach + 1;
    for (size_t i = 0; i < noise->len; i++) {
        double j = fabs((double)i - (double)reach);
        noise->pmf[i] = (erfc((j - 0.5) / deviation * M_SQRT1_2) - erfc((j + 0.5) / deviation * M_SQRT1_2)) / 2;
    }
    return true;
}

/* The noise reaches `reach` below: bins below 0 are cut off and the rest scaled to 1. What is log-concave stays so. */
static void cut_below_zero(lc_tally *t, size_t reach)
{
    lc_bins *b = &t->sum;
    size_t cut = b->first < reach ? reach - b->first : 0;
    double sum = 0, mean = 0;
    b->len -= cut;
    memmove(b->pmf, b->pmf + cut, b->len * sizeof *b->pmf);
    b->first = b->first + cut - reach;
    for (size_t i = 0; i < b->len; i++) {
        sum += b->pmf[i];
        mean += b->pmf[i] * (double)(b->first + i);
    }
    for (size_t i = 0; i < b->len; i++)
        b->pmf[i] /= sum;
    t->mean = mean / sum;
}

static void add_noise(lc_tally *t, double deviation)
{
    size_t reach = (size_t)fmin(1e8, ceil(9 * deviation));
    if (!(deviation > 0.05) || t->sum.len == 0 || t->failed) /* below, 10 deviations are half a count */
        return;
    t->failed = !fill_noise(&t->recent, reach, deviation) || !convolve(&t->spare, &t->recent, &t->sum);
    t->recent.len = 0;
    if (t->failed)
        return;
    lc_bins sum = t->spare;
    t->spare = t->sum;
    t->sum = sum;
    cut_below_zero(t, reach);
    trim(&t->sum);
}

void lc_tally_end(lc_tally *t, double spread)
{
    fold(t);
    add_noise(t, spread * t->mean);
}

static size_t likeliest(const lc_bins *b)
{
    size_t best = 0;
    for (size_t i = 1; i < b->len; i++)
        best = b->pmf[i] > b->pmf[best] ? i : best;
    return b->first + best;
}

/* Makes `count` the likeliest one; what would lie below 0 is cut off. */
static void move_to(lc_tally *t, size_t count)
{
    lc_bins *b = &t->sum;
    size_t most = t->failed || b->len == 0 ? count : likeliest(b);
    if (most <= count)
        b->first += b->len > 0 ? count - most : 0;
    else if (b->first >= most - count)
        b->first -= most - count;
    else
        cut_below_zero(t, most - count);
}

void lc_tally_finish(lc_tally *t, double centre, double deviation)
{
    fold(t);
    if (isfinite(centre))
        move_to(t, (size_t)nearbyint(fmax(0, centre)));
    add_noise(t, deviation);
}

double lc_tally_noise(const lc_count_calibration *c, double count, double frames)
{
    double size = count + c->rate * frames;
    return c->excess * size + c->spread * c->spread * size * size;
}

double lc_tally_calibrate(lc_tally *t, const lc_count_calibration *c, size_t detections)
{
    double count = c->detections ? (double)detections : t->mean;
    lc_tally_finish(t, c->detections ? count : (double)NAN, sqrt(lc_tally_noise(c, count, (double)t->frames)));
    return c->frames > 0 ? count : t->mean; /* older calibrations: the mean with the noise */
}

void lc_tally_clear(lc_tally *t)
{
    *t = (lc_tally){
        .sum = {.pmf = t->sum.pmf,    .capacity = t->sum.capacity   },
        .recent = {.pmf = t->recent.pmf, .capacity = t->recent.capacity},
        .spare = {.pmf = t->spare.pmf,  .capacity = t->spare.capacity }
    };
}

void lc_tally_free(lc_tally *t)
{
    free(t->sum.pmf);
    free(t->recent.pmf);
    free(t->spare.pmf);
    *t = (lc_tally){.frames = 0};
}

/* ---- results ---- */

double lc_tally_probability(const lc_tally *t, loco_label label)
{
    double sum = 0;
    if (t->sum.len == 0)
        return label.lo == 0 ? 1 : 0;
    for (size_t i = 0; i < t->sum.len; i++)
        if (t->sum.first + i >= label.lo && t->sum.first + i <= label.hi)
            sum += t->sum.pmf[i];
    return fmin(sum, 1);
}

double lc_tally_dice(const lc_tally *t, size_t kind)
{
    uint64_t mean = (uint64_t)fmin(1e15, nearbyint(1000 * t->mean));
    lc_rng rng = lc_rng_seed((mean * 0x9e3779b97f4a7c15u + t->frames) * 0xd1b54a32d192ed03u + kind);
    return lc_rng_uniform(&rng);
}

/* Bins low..high are left, `gone` is the sum of the others. */
typedef struct tally_walk {
    const double *pmf;
    size_t low, high;
    double gone;
} tally_walk;

/* The end that goes next: the less likely one, of equals the upper. */
static size_t next_bin(const tally_walk *w)
{
    return w->pmf[w->low] < w->pmf[w->high] ? w->low : w->high;
}

static void drop(tally_walk *w, size_t bin)
{
    w->gone += w->pmf[bin];
    if (bin == w->low)
        w->low++;
    else
        w->high--;
}

double lc_tally_p_value(const lc_tally *t, size_t count, double dice)
{
    if (t->sum.len == 0)
        return count == 0 ? 1 : 0;
    if (count < t->sum.first || count - t->sum.first >= t->sum.len)
        return dice * negligible;
    tally_walk w = {.pmf = t->sum.pmf, .high = t->sum.len - 1};
    while (w.low < w.high) {
        size_t bin = next_bin(&w);
        if (bin == count - t->sum.first)
            return fmin(1, w.gone + dice * w.pmf[bin]);
        drop(&w, bin);
    }
    return 1;
}

lc_interval lc_tally_interval(const lc_tally *t, double tail, double dice)
{
    if (t->sum.len == 0)
        return (lc_interval){0, 0, 1};
    tally_walk w = {.pmf = t->sum.pmf, .high = t->sum.len - 1};
    while (w.low < w.high && w.gone + dice * w.pmf[next_bin(&w)] < tail)
        drop(&w, next_bin(&w));
    return (lc_interval){t->sum.first + w.low, t->sum.first + w.high, fmax(0, 1 - w.gone)};
}

loco_tally_row lc_tally_row(lc_tally *t, const lc_count_calibration *c, size_t kind, size_t detections,
                            const loco_tally_options *how)
{
    double level = how->interval > 0 ? how->interval : 0.9, count = lc_tally_calibrate(t, c, detections);
    double tail = lc_count_calibration_tail_at(c, level, (double)t->frames);
    lc_interval interval = lc_tally_interval(t, tail, lc_tally_dice(t, kind));
    return (loco_tally_row){.kind = kind,
                            .expected = count,
                            .low = interval.low,
                            .high = interval.high,
                            .claimed = interval.probability,
                            .label = how->label != NULL ? lc_tally_probability(t, *how->label) : 0,
                            .recordings = c->recordings};
}
