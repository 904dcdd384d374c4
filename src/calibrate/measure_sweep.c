/* SPDX-License-Identifier: MIT
 * measure_sweep.c - the threshold that maximises F1.
 *
 * THRESHOLDS values, evenly spaced in logits from 0.0025 to 0.9975 (steps of 0.1, so 2.5 % of p at one half): trained
 * networks crowd their probabilities at both ends, where an even grid in p would have too few points. For each
 * recording and threshold the events that reach it are matched again; only sums of matches are kept, (classes,
 * THRESHOLDS).
 *
 * Often many thresholds in a row keep the same events. Of the runs with the largest F1 the longest is taken, and the
 * middle of that run, in logits: new data can differ the most before F1 changes. */
#include "base/status.h"
#include "calibrate/measure.h"
#include "eval/by_class.h"
#include "eval/match.h"
#include "eval/score.h"

#include <math.h>
#include <stdlib.h>

enum { THRESHOLDS = LC_SWEEP_POINTS, HALF = THRESHOLDS / 2 };

typedef struct sweep_tally {
    size_t reference, matched[THRESHOLDS], estimated[THRESHOLDS];
} sweep_tally;

struct lc_sweep {
    size_t classes;
    double tolerance;
    sweep_tally *tallies; /* (classes + 1), the last for all classes together */
    lc_by_class reference, candidates;
    lc_block kept; /* times of the events of a class that reach a threshold, then pairs */
};

/* Halves are allowed: they lie between two thresholds. */
static double threshold_of(double number)
{
    return 1 / (1 + exp(-(number - HALF) / 10));
}

loco_status lc_sweep_new(lc_sweep **sweep, size_t classes, double tolerance, loco_err *err)
{
    if (sweep == NULL || classes < 1 || classes > LC_CLASSES_MAX)
        return lc_err_set(err, LOCO_EARG, "sweep must not be NULL, and classes from 1 to %d", LC_CLASSES_MAX);
    if (!(tolerance > 0 && isfinite(tolerance)))
        return lc_err_set(err, LOCO_EARG, "the tolerance must be a number of seconds above 0");
    lc_sweep *made = calloc(1, sizeof *made);
    sweep_tally *tallies = calloc(classes + 1, sizeof *tallies);
    if (made == NULL || tallies == NULL) {
        free(made);
        free(tallies);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the thresholds of %zu classes", classes);
    }
    made->classes = classes;
    made->tolerance = tolerance;
    made->tallies = tallies;
    *sweep = made;
    return LOCO_OK;
}

void lc_sweep_free(lc_sweep *sweep)
{
    if (sweep == NULL)
        return;
    lc_by_class_free(&sweep->reference);
    lc_by_class_free(&sweep->candidates);
    lc_block_free(&sweep->kept);
    free(sweep->tallies);
    free(sweep);
}

/* All thresholds for one class. */
static void class_add(lc_sweep *sweep, size_t kind, double *kept, size_t *pair)
{
    const lc_by_class *r = &sweep->reference, *c = &sweep->candidates;
    sweep_tally *own = &sweep->tallies[kind], *all = &sweep->tallies[sweep->classes];
    size_t n = lc_by_class_len(r, kind);
    own->reference += n;
    all->reference += n;
    for (int t = 0; t < THRESHOLDS; t++) {
        size_t m = 0;
        double threshold = threshold_of(t);
        for (size_t i = c->start[kind]; i < c->start[kind + 1]; i++) {
            if (c->probability[i] >= threshold)
                kept[m++] = c->time[i];
        }
        size_t matched = lc_match(r->time + r->start[kind], n, kept, m, sweep->tolerance, pair);
        own->matched[t] += matched;
        own->estimated[t] += m;
        all->matched[t] += matched;
        all->estimated[t] += m;
    }
}

loco_status lc_sweep_add(lc_sweep *sweep, const loco_event *reference, size_t n, const loco_event *candidates, size_t m,
                         loco_err *err)
{
    if (sweep == NULL)
        return lc_err_set(err, LOCO_EARG, "sweep must not be NULL");
    loco_status status = lc_by_class_set(&sweep->reference, sweep->classes, reference, n, "reference", err);
    if (status == LOCO_OK)
        status = lc_by_class_set(&sweep->candidates, sweep->classes, candidates, m, "candidate", err);
    if (status != LOCO_OK)
        return status;
    for (size_t i = 0; i < m; i++) {
        if (!(candidates[i].probability >= 0 && candidates[i].probability <= 1))
            return lc_err_set(err, LOCO_EDATA, "candidate event %zu: %g is not a probability", i,
                              candidates[i].probability);
    }
    lc_arena measure = {0};
    lc_arena_take(&measure, m, sizeof(double));
    lc_arena_take(&measure, n, sizeof(size_t));
    if (measure.used == SIZE_MAX || !lc_block_reserve(&sweep->kept, measure.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", m);
    lc_arena arena = lc_arena_over(&sweep->kept);
    double *kept = lc_arena_take(&arena, m, sizeof *kept);
    size_t *pair = lc_arena_take(&arena, n, sizeof *pair);
    for (size_t k = 0; k < sweep->classes; k++)
        class_add(sweep, k, kept, pair);
    return LOCO_OK;
}

static double f1_at(const sweep_tally *c, int t)
{
    size_t sum = c->reference + c->estimated[t];
    return sum > 0 ? 2 * (double)c->matched[t] / (double)sum : 0;
}

/* The last threshold that keeps the same events as t: a higher threshold keeps a subset, so equal numbers mean the same
 * events. */
static int run_end(const sweep_tally *c, int t)
{
    int last = t;
    while (last + 1 < THRESHOLDS && c->estimated[last + 1] == c->estimated[t])
        last++;
    return last;
}

loco_status lc_sweep_read(const lc_sweep *sweep, size_t kind, lc_sweep_row *row, loco_err *err)
{
    if (sweep == NULL || row == NULL || (kind != LC_ALL_KINDS && kind >= sweep->classes))
        return lc_err_set(err, LOCO_EARG, "sweep and row must not be NULL, and class %zu must exist", kind);
    const sweep_tally *c = &sweep->tallies[kind == LC_ALL_KINDS ? sweep->classes : kind];
    int first = 0, last = -1;
    double best = -1;
    for (int from = 0, to; from < THRESHOLDS; from = to + 1) {
        double f1 = f1_at(c, from);
        to = run_end(c, from);
        if (f1 > best || (f1 >= best && to - from > last - first)) {
            best = f1;
            first = from;
            last = to;
        }
    }
    size_t matched = c->matched[first], estimated = c->estimated[first];
    *row = (lc_sweep_row){.threshold = threshold_of(0.5 * (first + last)),
                          .f1 = best,
                          .precision = estimated > 0 ? (double)matched / (double)estimated : 0,
                          .recall = c->reference > 0 ? (double)matched / (double)c->reference : 0,
                          .low = threshold_of(first),
                          .high = threshold_of(last)};
    return LOCO_OK;
}

lc_sweep_row lc_sweep_point(const lc_sweep *sweep, size_t kind, size_t number)
{
    const sweep_tally *c = &sweep->tallies[kind == LC_ALL_KINDS ? sweep->classes : kind];
    double matched = (double)c->matched[number], estimated = (double)c->estimated[number], threshold;
    threshold = threshold_of((double)number);
    return (lc_sweep_row){.threshold = threshold,
                          .f1 = f1_at(c, (int)number),
                          .precision = estimated > 0 ? matched / estimated : (double)NAN,
                          .recall = c->reference > 0 ? matched / (double)c->reference : 0,
                          .low = threshold,
                          .high = threshold};
}
