/* SPDX-License-Identifier: MIT
 * apart.c - events that lie apart: sums over sets of frames, and the best set. The model is in apart.h.
 *
 * Sums, as logarithms. F_j[i]: over sets of j frames among the first i; B_j[i]: over sets of frames from i on that
 * complete j earlier ones to a count of the label. G is the gap, frames before 0 and behind T do not exist.
 *
 *     F_0[i] = 0                F_j[t+1] = F_j[t] (+) z_t + F_(j-1)[t+1-G]
 *     B_j[T] = 0 or -infinity   B_j[t]   = B_j[t+1] (+) z_t + B_(j+1)[t+G]
 *     Z = B_0[0] = (+) over j in the label of F_j[T]
 *     posterior[t] = sum over j of exp(F_j[t+1-G] + z_t + B_(j+1)[t+G] - Z)
 *
 * All rows of F are kept, two of B: 8 T (n + 1) bytes, and a few nanoseconds a cell, as most sums have one term that
 * counts. F_j[T] is concave in j (the graph of frames that are too near is a unit interval graph, so that its independence
 * polynomial has real roots), hence counts above the likeliest one are given up when they are e^40 times less likely.
 *
 * Rows of hours would need gigabytes. From CELLS_MOST on, the best set is searched, which needs a bit a cell, the row
 * is cut at wide spaces between its events, and each piece has the posterior given its own number of events: events
 * hundreds of events apart tell each other nothing.
 *
 * The best set. With u = t - (j-1) G for the j-th frame, frames at least G apart become places u that do not fall:
 *
 *     best_j[u] = max(best_j[u-1], best_(j-1)[u] + score[u + (j-1) G])       0 <= u < T - (n-1) G
 *
 * in one array, in place, with a bit for each choice. */
#include "detect/apart.h"

#include "base/status.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define CELLS_MOST ((size_t)1 << 22)   /* of F in one piece: 32 MiB */
#define CHOICES_MOST ((size_t)1 << 33) /* bits: 1 GiB */

static const double negligible = 40; /* nats */
static const double certain = 1000;  /* a larger logit says no more, and an infinite one would end in a NaN */

size_t lc_apart_most(size_t T, size_t gap)
{
    return T == 0 ? 0 : 1 + (T - 1) / (gap > 0 ? gap : 1);
}

static double bounded(double z)
{
    return fmin(fmax(z, -certain), certain);
}

/* ---- the best set ---- */

typedef struct search {
    double *best;  /* (width) */
    uint64_t *bit; /* (n, words) */
    size_t width, words;
} search;

static void search_layout(search *s, size_t n, lc_arena *arena)
{
    s->best = lc_arena_take(arena, s->width, sizeof *s->best);
    s->bit = lc_arena_take(arena, n * s->words, sizeof *s->bit);
}

/* Row j of the search: `scores` begin at the first frame that the j-th event can have. */
static void search_row(const search *s, uint64_t *bit, const double *scores)
{
    double largest = -INFINITY;
    memset(bit, 0, s->words * sizeof *bit);
    for (size_t u = 0; u < s->width; u++) {
        double here = s->best[u] + bounded(scores[u]);
        if (here > largest) {
            largest = here;
            bit[u / 64] |= (uint64_t)1 << (u % 64);
        }
        s->best[u] = largest;
    }
}

loco_status lc_apart_best(size_t *frames, lc_block *scratch, const double *scores, size_t T, size_t gap, size_t n,
                          loco_err *err)
{
    lc_arena arena = {0};
    size_t choices;
    if (n == 0)
        return LOCO_OK;
    search s = {.width = T - (n - 1) * gap};
    s.words = s.width / 64 + 1;
    if (!lc_size_mul(n, s.words * 64, &choices) || choices > CHOICES_MOST)
        return lc_err_set(err, LOCO_EDATA, "%zu events in %zu frames are too many to place at once; cut the clip", n,
                          T);
    search_layout(&s, n, &arena);
    if (!lc_block_reserve(scratch, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to place %zu events in %zu frames", n, T);
    arena = lc_arena_over(scratch);
    search_layout(&s, n, &arena);
    memset(s.best, 0, s.width * sizeof *s.best);
    for (size_t j = 0; j < n; j++)
        search_row(&s, s.bit + j * s.words, scores + j * gap);
    for (size_t j = n, u = s.width - 1; j-- > 0;) {
        while (u > 0 && (s.bit[j * s.words + u / 64] >> (u % 64) & 1) == 0)
            u--;
        frames[j] = u + j * gap;
    }
    return LOCO_OK;
}

/* ---- sums ---- */

typedef struct sums {
    const double *z;
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

/* F_j of F_(j-1), which may not be the same array. */
static void forward_row(const sums *s, const double *before, double *row)
{
    row[0] = -INFINITY;
    for (size_t t = 0; t < s->T; t++)
        row[t + 1] = log_add(row[t], bounded(s->z[t]) + before[t + 1 > s->gap ? t + 1 - s->gap : 0]);
}

/* The likeliest count of the label, and the last one that matters, with two rows of F alone. */
static size_t find_counts(sums *s, double *before, double *row)
{
    double largest = -INFINITY;
    size_t likeliest = s->label.lo, last = s->most;
    memset(before, 0, (s->T + 1) * sizeof *before);
    for (size_t j = 0; j <= last; j++) {
        if (fits(s->label, j) && before[s->T] > largest) {
            largest = before[s->T];
            likeliest = j;
        }
        if (j >= s->label.lo && before[s->T] < largest - negligible)
            last = j;
        forward_row(s, before, row);
        double *swap = before;
        before = row;
        row = swap;
    }
    s->most = last;
    return likeliest;
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
    const double *before = s->forward + j * (s->T + 1);
    s->row[s->T] = fits(s->label, j) ? 0 : -INFINITY;
    for (size_t t = s->T; t-- > 0;) {
        double here = bounded(s->z[t]) + s->next[s->T - t > s->gap ? t + s->gap : s->T];
        posterior[t] += exp(before[t + 1 > s->gap ? t + 1 - s->gap : 0] + here - total);
        s->row[t] = log_add(s->row[t + 1], here);
    }
}

static void run_sums(sums *s, double *posterior)
{
    size_t width = s->T + 1;
    double total = -INFINITY;
    memset(s->forward, 0, width * sizeof *s->forward);
    for (size_t j = 0; j <= s->most; j++) {
        if (j > 0)
            forward_row(s, s->forward + (j - 1) * width, s->forward + j * width);
        if (fits(s->label, j))
            total = log_add(total, s->forward[j * width + s->T]);
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
}

/* ---- rows of any length ---- */

/* The last event of the piece that begins with event `first` at frame `start`: of those that fit, the one in the second
 * half with the widest space behind it. */
static size_t piece_end(const size_t *frames, size_t n, size_t first, size_t start)
{
    size_t last = first, best, widest = 0;
    while (last + 1 < n && (last - first + 3) * (frames[last + 1] - start + 1) <= CELLS_MOST)
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
    loco_status status = lc_apart_best(frames, scratch, whole->z, whole->T, whole->gap, n, err);
    for (size_t first = 0, start = 0; status == LOCO_OK && start < whole->T;) {
        size_t last = n > 0 ? piece_end(frames, n, first, start) : 0;
        size_t end = n == 0 || last + 1 == n ? whole->T : (frames[last] + frames[last + 1] + 1) / 2;
        size_t here = n > 0 ? last - first + 1 : 0;
        sums piece = {
            .z = whole->z + start, .T = end - start, .gap = whole->gap, .most = here, .label = loco_label_exact(here)};
        status = reserve(&piece, scratch, err);
        if (status == LOCO_OK)
            run_sums(&piece, posterior + start);
        first = last + 1;
        start = end;
    }
    return status;
}

static loco_status check(const double *logits, size_t T, size_t gap, loco_label label, loco_err *err)
{
    if (gap < 1 || label.lo > label.hi)
        return lc_err_set(err, LOCO_EARG, "a gap of %zu frames and a count of %zu to %zu; a gap is 1 or more", gap,
                          label.lo, label.hi);
    if (label.lo > lc_apart_most(T, gap))
        return lc_err_set(err, LOCO_EDATA, "%zu events do not fit into %zu frames, %zu apart", label.lo, T, gap);
    for (size_t t = 0; t < T; t++)
        if (isnan(logits[t]))
            return lc_err_set(err, LOCO_EDATA, "the logit of frame %zu is not a number", t);
    return LOCO_OK;
}

/* An exact count needs no search for the ones that matter. */
static size_t count_of(sums *s)
{
    if (s->label.lo == s->label.hi)
        return s->label.lo;
    return find_counts(s, s->next, s->row);
}

loco_status lc_apart_posterior(double *posterior, size_t *count, lc_block *scratch, const double *logits, size_t T,
                               size_t gap, loco_label label, loco_err *err)
{
    size_t most = lc_apart_most(T, gap), cells;
    lc_block rows = {0}, places = {0};
    loco_status status = check(logits, T, gap, label, err);
    if (status != LOCO_OK)
        return status;
    sums s = {.z = logits, .T = T, .gap = gap, .label = label};
    status = reserve(&s, &rows, err); /* most is 0: room for three rows */
    s.most = label.hi < most ? label.hi : most;
    size_t n = status == LOCO_OK ? count_of(&s) : 0;
    bool whole = lc_size_mul(s.most + 1, T + 1, &cells) && cells <= CELLS_MOST;
    if (status == LOCO_OK && whole)
        status = reserve(&s, scratch, err);
    if (status == LOCO_OK && whole)
        run_sums(&s, posterior);
    if (status == LOCO_OK && !whole && !lc_block_reserve(&places, (n + 1) * sizeof(size_t)))
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", n);
    if (status == LOCO_OK && !whole)
        status = run_pieces(&s, posterior, n, places.data, scratch, err);
    lc_block_free(&rows);
    lc_block_free(&places);
    if (status == LOCO_OK)
        *count = n;
    return status;
}
