/* SPDX-License-Identifier: MIT
 * enrich.c - the events of one class in a clip whose count is known. Definitions are in enrich.h.
 *   Maximising the sum of q rather than of its logarithm is what an F1 asks for: with the count given, precision and
 *   recall are both the share of right events, and their expected number is the sum. */
#include "detect/enrich.h"

#include "base/status.h"
#include "detect/spaced.h"

#include <math.h>
#include <string.h>

/* Prefers the middle of frames that hold the same mass; far too small to outweigh mass itself. */
static const double centre_weight = 1e-3;

static void layout(lc_enricher *e, size_t T, lc_arena *arena)
{
    e->logits = lc_arena_take(arena, T, sizeof *e->logits);
    e->posterior = lc_arena_take(arena, T, sizeof *e->posterior);
    e->sums = lc_arena_take(arena, T + 1, sizeof *e->sums);
    e->scores = lc_arena_take(arena, T, sizeof *e->scores);
    e->frames = lc_arena_take(arena, T, sizeof *e->frames);
    e->spots = lc_arena_take(arena, T, sizeof *e->spots);
}

void lc_enricher_free(lc_enricher *enricher)
{
    lc_block_free(&enricher->arrays);
    lc_block_free(&enricher->scratch);
    *enricher = (lc_enricher){0};
}

/* The label as far as it can be met: see `firm`. Sets the gap. */
static loco_label met_label(lc_enricher *e, const lc_enriching *how, size_t T, loco_label label)
{
    size_t most = how->firm ? lc_spaced_most(T, how->gap) : T;
    loco_label met = {label.lo < most ? label.lo : most, label.hi < most ? label.hi : most};
    e->wanted = label.lo;
    e->gap = how->gap;
    if (met.lo > 1 && (T - 1) / (met.lo - 1) < how->gap)
        e->gap = (T - 1) / (met.lo - 1);
    size_t fit = lc_spaced_most(T, e->gap);
    met.hi = met.hi < fit ? met.hi : fit;
    return met;
}

/* The sum of the posterior from frame `from` to frame `to`, both included; small differences of large sums may come out
 * below 0. */
static double mass(const lc_enricher *e, size_t from, size_t to)
{
    return fmax(0, e->sums[to + 1] - e->sums[from]);
}

static void fill_scores(lc_enricher *e, size_t T)
{
    size_t half = (e->gap - 1) / 2;
    e->sums[0] = 0;
    for (size_t t = 0; t < T; t++)
        e->sums[t + 1] = e->sums[t] + e->posterior[t];
    for (size_t t = 0; t < T; t++)
        e->scores[t] = mass(e, t > half ? t - half : 0, T - 1 - t > half ? t + half : T - 1) +
                       centre_weight * e->posterior[t];
}

static double centroid(const lc_enricher *e, size_t from, size_t frame, size_t to)
{
    double sum = 0, moment = 0;
    for (size_t t = from; t <= to; t++) {
        sum += e->posterior[t];
        moment += e->posterior[t] * ((double)t - (double)frame);
    }
    return (double)frame + (sum > 0 ? moment / sum : 0);
}

/* Event i and what is nearer to it than to the events around it; of the middle frame, the earlier one has it. */
static lc_spot spot_of(const lc_enricher *e, size_t i, size_t n, size_t T, size_t reach)
{
    size_t frame = e->frames[i], half = (e->gap - 1) / 2;
    size_t first = i > 0 ? (e->frames[i - 1] + frame) / 2 + 1 : 0;
    size_t last = i + 1 < n ? (frame + e->frames[i + 1]) / 2 : T - 1;
    size_t from = frame - first > reach ? frame - reach : first, to = last - frame > reach ? frame + reach : last;
    size_t near = frame - first > half ? frame - half : first, far = last - frame > half ? frame + half : last;
    return (lc_spot){frame, centroid(e, near, frame, far), fmin(1, mass(e, from, to))};
}

loco_status lc_enrich_clip(lc_enricher *enricher, const lc_enriching *how, const float *logits, size_t T, size_t stride,
                           loco_label label, loco_err *err)
{
    lc_arena arena = {0};
    size_t n = 0;
    enricher->spots_len = 0;
    layout(enricher, T, &arena);
    if (!lc_block_reserve(&enricher->arrays, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a clip of %zu frames", T);
    arena = lc_arena_over(&enricher->arrays);
    layout(enricher, T, &arena);
    for (size_t t = 0; t < T; t++)
        enricher->logits[t] = (double)logits[t * stride];
    loco_label met = met_label(enricher, how, T, label);
    if (T == 0)
        return LOCO_OK;
    loco_status status = lc_spaced_posterior(enricher->posterior, &n, &enricher->scratch,
                                             &(lc_spaced){enricher->logits, T, enricher->gap}, met, err);
    if (status != LOCO_OK)
        return status;
    fill_scores(enricher, T);
    status = lc_spaced_best(enricher->frames, &enricher->scratch, &(lc_spaced){enricher->scores, T, enricher->gap}, n,
                            err);
    for (size_t i = 0; status == LOCO_OK && i < n; i++)
        enricher->spots[i] = spot_of(enricher, i, n, T, how->reach);
    enricher->spots_len = status == LOCO_OK ? n : 0;
    return status;
}
