/* SPDX-License-Identifier: MIT
 * spaced.c - events that lie apart: sums over sets of frames, and the best set. The model is in spaced.h.
 *
 * Sums, as logarithms. F_j[i]: over sets of j frames among the first i; B_j[i]: over sets of frames from i on that
 * complete j earlier ones to a count of the label. G is the gap, frames before 0 and behind T do not exist.
 *
 *     F_0[i] = 0                F_j[t+1] = F_j[t] (+) z_t + F_(j-1)[t+1-G]
 *     B_j[T] = 0 or -infinity   B_j[t]   = B_j[t+1] (+) z_t + B_(j+1)[t+G]
 *     Z = B_0[0] = (+) over j in the label of F_j[T]
 *     posterior[t] = sum over j of exp(F_j[t+1-G] + z_t + B_(j+1)[t+G] - Z)
 *
 * All rows of F are kept, two of B: 8 T (n + 1) bytes, and tens of nanoseconds a cell. The graph of frames that are too
 * near is a unit interval graph, so that the polynomial with coefficients exp(F_j[T]) has real roots alone: the count
 * is distributed as a sum of independent Bernoullis, of some probabilities. Hence it has one mode, within 1 of its mean
 * m, and counts beyond max(m, label) + sqrt(80 m) + 28 are e^40 times less likely (Bernstein). The mean needs no rows:
 * leave out j in the lines above.
 *
 * Rows of hours would need gigabytes. Where F has more than WHOLE_CELLS, the best set is searched, which needs a bit a
 * cell, the row is cut at wide spaces between its events, and each piece has the posterior given its own number of
 * events, since events that are far apart hardly depend on each other. Half an hour with 2300 events takes a second or
 * two.
 *
 * The best set. With u = t - (j-1) G for the j-th frame, frames at least G apart become places u that do not fall:
 *
 *     best_j[u] = max(best_j[u-1], best_(j-1)[u] + score[u + (j-1) G])       0 <= u < T - (n-1) G
 *
 * in one array, in place, with a bit for each choice. */
#include "detect/spaced.h"

#include "base/status.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define WHOLE_CELLS ((size_t)1 << 22)  /* of F: 32 MiB */
#define PIECE_CELLS ((size_t)1 << 20)  /* the cost of all pieces grows with the root of this */
#define CHOICES_MOST ((size_t)1 << 33) /* bits: 1 GiB */

static const double negligible = 40; /* nats */
static const double certain = 1000;  /* a larger logit has no further effect, and an infinite one would end in a NaN */

size_t lc_spaced_most(size_t T, size_t gap)
{
    return T == 0 ? 0 : 1 + (T - 1) / (gap > 0 ? gap : 1);
}

static double bounded(double z)
{
    return fmin(fmax(z, -certain), certain);
}

/* ---- the best set ---- */

typedef struct search {
    double *best;   /* (width) */
    double *scores; /* (T) within bounds */
    uint64_t *bit;  /* (n, words) */
    size_t width, words;
} search;

static void search_layout(search *s, size_t T, size_t n, lc_arena *arena)
{
    s->scores = lc_arena_take(arena, T, sizeof *s->scores);
    s->best = lc_arena_take(arena, s->width, sizeof *s->best);
    s->bit = lc_arena_take(arena, n * s->words, sizeof *s->bit);
}

/* Row j of the search: `scores` begin at the first frame that the j-th event can have. */
static void search_row(const search *s, uint64_t *bit, const double *scores)
{
    double largest = -INFINITY;
    memset(bit, 0, s->words * sizeof *bit);
    for (size_t u = 0; u < s->width; u++) {
        double here = s->best[u] + scores[u];
        if (here > largest) {
            largest = here;
            bit[u / 64] |= (uint64_t)1 << (u % 64);
        }
        s->best[u] = largest;
    }
}

loco_status lc_spaced_best(size_t *frames, lc_block *scratch, const lc_spaced *spaced, size_t n, loco_err *err)
{
    lc_arena arena = {0};
    size_t T = spaced->T, gap = spaced->gap, choices;
    if (n == 0)
        return LOCO_OK;
    search s = {.width = T - (n - 1) * gap};
    s.words = s.width / 64 + 1;
    if (!lc_size_mul(n, s.words * 64, &choices) || choices > CHOICES_MOST)
        return lc_err_set(err, LOCO_EDATA, "%zu events in %zu frames are too many to place at once; cut the clip", n,
                          T);
    search_layout(&s, T, n, &arena);
    if (!lc_block_reserve(scratch, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to place %zu events in %zu frames", n, T);
    arena = lc_arena_over(scratch);
    search_layout(&s, T, n, &arena);
    memset(s.best, 0, s.width * sizeof *s.best);
    for (size_t t = 0; t < T; t++)
        s.scores[t] = bounded(spaced->values[t]);
    for (size_t j = 0; j < n; j++)
        search_row(&s, s.bit + j * s.words, s.scores + j * gap);
    for (size_t j = n, u = s.width - 1; j-- > 0;) {
        while (u > 0 && (s.bit[j * s.words + u / 64] >> (u % 64) & 1) == 0)
            u--;
        frames[j] = u + j * gap;
    }
    return LOCO_OK;
}

/* ---- sums ---- */

typedef struct sums {
    const double *z;     /* (T) within bounds */
    size_t T, gap, most; /* most: the largest count that is looked at */
    loco_label label;
    double *forward;    /* (most + 1, T + 1) */
    double *next, *row; /* (T + 1): B of j + 1 and of j */
} sums;

/* log(exp(a) + exp(b)) */
static double log_add(double a, double b)
{
    double high = a > b ? a : b, low = a > b ? b : a;
    return high - low > negligible || low <= -INFINITY ? high : high + log1p(exp(low - high));
}

static bool fits(loco_label label, size_t n)
{
    return n >= label.lo && n <= label.hi;
}

/* With an event in frame t: how many of the first frames earlier events may use, and the first frame for later ones. */
static size_t before(const sums *s, size_t t)
{
    return t + 1 > s->gap ? t + 1 - s->gap : 0;
}

static size_t behind(const sums *s, size_t t)
{
    return s->T - t > s->gap ? t + s->gap : s->T;
}

/* F_j of F_(j-1), which may not be the same array. */
static void forward_row(const sums *s, const double *last, double *row)
{
    row[0] = -INFINITY;
    for (size_t t = 0; t < s->T; t++)
        row[t + 1] = log_add(row[t], s->z[t] + last[before(s, t)]);
}

/* The mean of the count when nothing is known about it: F and B over sets of any size, in `next` and `row`. */
static double expected_count(const sums *s)
{
    double sum = 0, *forward = s->next, *backward = s->row;
    forward[0] = backward[s->T] = 0;
    for (size_t t = 0; t < s->T; t++)
        forward[t + 1] = log_add(forward[t], s->z[t] + forward[before(s, t)]);
    for (size_t t = s->T; t-- > 0;) {
        double here = s->z[t] + backward[behind(s, t)];
        sum += exp(forward[before(s, t)] + here - forward[s->T]);
        backward[t] = log_add(backward[t + 1], here);
    }
    return sum;
}

/* The last count of the label that matters, and in *near the likeliest or one beside it. */
static size_t last_count(const sums *s, size_t *near)
{
    size_t most = lc_spaced_most(s->T, s->gap), high = s->label.hi < most ? s->label.hi : most;
    if (s->label.lo == high) {
        *near = high;
        return high;
    }
    double mean = expected_count(s), low = (double)s->label.lo;
    *near = (size_t)fmin(fmax(round(mean), low), (double)high);
    return (size_t)fmin(fmax(ceil(mean), low) + ceil(sqrt(2 * negligible * mean)) + 28, (double)high);
}

static void sums_layout(sums *s, lc_arena *arena)
{
    size_t width = s->T + 1;
    s->next = lc_arena_take(arena, width, sizeof *s->next);
    s->row = lc_arena_take(arena, width, sizeof *s->row);
    s->forward = lc_arena_take(arena, s->most + 1, width * sizeof *s->forward);
}

static loco_status reserve(sums *s, lc_block *scratch, loco_err *err)
{
    lc_arena arena = {0};
    sums_layout(s, &arena);
    if (!lc_block_reserve(scratch, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events in %zu frames", s->most, s->T);
    arena = lc_arena_over(scratch);
    sums_layout(s, &arena);
    return LOCO_OK;
}

/* B_j from B_(j+1), and what j events before it add to the posterior of each frame. */
static void backward_row(const sums *s, size_t j, double total, double *posterior)
{
    const double *earlier = s->forward + j * (s->T + 1);
    s->row[s->T] = fits(s->label, j) ? 0 : -INFINITY;
    for (size_t t = s->T; t-- > 0;) {
        double here = s->z[t] + s->next[behind(s, t)];
        posterior[t] += exp(earlier[before(s, t)] + here - total);
        s->row[t] = log_add(s->row[t + 1], here);
    }
}

/* Returns the likeliest count. */
static size_t run_sums(sums *s, double *posterior)
{
    size_t width = s->T + 1, likeliest = s->label.lo;
    double total = -INFINITY, largest = -INFINITY;
    memset(s->forward, 0, width * sizeof *s->forward);
    for (size_t j = 0; j <= s->most; j++) {
        const double *row = s->forward + j * width;
        if (j > 0)
            forward_row(s, row - width, s->forward + j * width);
        if (fits(s->label, j) && row[s->T] > largest) {
            largest = row[s->T];
            likeliest = j;
        }
        if (fits(s->label, j))
            total = log_add(total, row[s->T]);
    }
    memset(posterior, 0, s->T * sizeof *posterior);
    for (size_t t = 0; t < width; t++)
        s->next[t] = -INFINITY;
    for (size_t j = s->most + 1; j-- > 0;) {
        backward_row(s, j, total, posterior);
        double *swap = s->next;
        s->next = s->row;
        s->row = swap;
    }
    return likeliest;
}

/* ---- rows of any length ---- */

/* The last event of the piece that begins with event `first` at frame `start`: of those that fit, the one in the second
 * half with the widest space behind it. */
static size_t piece_end(const size_t *frames, size_t n, size_t first, size_t start)
{
    size_t last = first, best, widest = 0;
    while (last + 1 < n && (last - first + 3) * (frames[last + 1] - start + 1) <= PIECE_CELLS)
        last++;
    if (last + 1 == n)
        return last;
    best = last;
    for (size_t i = first + (last - first) / 2; i <= last; i++)
        if (frames[i + 1] - frames[i] > widest) {
            widest = frames[i + 1] - frames[i];
            best = i;
        }
    return best;
}

/* Each piece ends half-way between two events of the best set. frames: room for n. */
static loco_status run_pieces(const sums *whole, double *posterior, size_t n, size_t *frames, lc_block *scratch,
                              loco_err *err)
{
    loco_status status = lc_spaced_best(frames, scratch, &(lc_spaced){whole->z, whole->T, whole->gap}, n, err);
    for (size_t first = 0, start = 0; status == LOCO_OK && start < whole->T;) {
        size_t last = n > 0 ? piece_end(frames, n, first, start) : 0;
        size_t end = n == 0 || last + 1 == n ? whole->T : (frames[last] + frames[last + 1] + 1) / 2;
        size_t here = n > 0 ? last - first + 1 : 0;
        sums piece = {
            .z = whole->z + start, .T = end - start, .gap = whole->gap, .most = here, .label = loco_label_exact(here)};
        status = reserve(&piece, scratch, err);
        if (status == LOCO_OK)
            (void)run_sums(&piece, posterior + start);
        first = last + 1;
        start = end;
    }
    return status;
}

static loco_status check(const lc_spaced *spaced, loco_label label, loco_err *err)
{
    size_t T = spaced->T, gap = spaced->gap;
    if (gap < 1 || label.lo > label.hi)
        return lc_err_set(err, LOCO_EARG, "a gap of %zu frames and a count of %zu to %zu; a gap is 1 or more", gap,
                          label.lo, label.hi);
    if (label.lo > lc_spaced_most(T, gap))
        return lc_err_set(err, LOCO_EDATA, "%zu events do not fit into %zu frames, %zu apart", label.lo, T, gap);
    for (size_t t = 0; t < T; t++)
        if (isnan(spaced->values[t]))
            return lc_err_set(err, LOCO_EDATA, "the logit of frame %zu is not a number", t);
    return LOCO_OK;
}

/* posterior of a row whose logits are within bounds. */
static loco_status run_row(sums *s, double *posterior, size_t *count, lc_block *scratch, loco_err *err)
{
    size_t cells, near;
    loco_status status = reserve(s, scratch, err); /* most is 0: room for three rows */
    if (status != LOCO_OK)
        return status;
    s->most = last_count(s, &near);
    if (lc_size_mul(s->most + 1, s->T + 1, &cells) && cells <= WHOLE_CELLS) {
        status = reserve(s, scratch, err);
        if (status == LOCO_OK)
            *count = run_sums(s, posterior);
        return status;
    }
    lc_block places = {0};
    status = lc_block_reserve(&places, (near + 1) * sizeof(size_t))
                 ? run_pieces(s, posterior, near, places.data, scratch, err)
                 : lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", near);
    lc_block_free(&places);
    if (status == LOCO_OK)
        *count = near;
    return status;
}

loco_status lc_spaced_posterior(double *posterior, size_t *count, lc_block *scratch, const lc_spaced *spaced,
                                loco_label label, loco_err *err)
{
    lc_block bounds = {0};
    size_t T = spaced->T;
    loco_status status = check(spaced, label, err);
    if (status != LOCO_OK)
        return status;
    size_t bytes;
    if (!lc_size_mul(T + 1, sizeof(double), &bytes) || !lc_block_reserve(&bounds, bytes))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu frames", T);
    double *z = bounds.data;
    for (size_t t = 0; t < T; t++)
        z[t] = bounded(spaced->values[t]);
    sums s = {.z = z, .T = T, .gap = spaced->gap, .label = label};
    status = run_row(&s, posterior, count, scratch, err);
    lc_block_free(&bounds);
    return status;
}
