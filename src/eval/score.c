/* SPDX-License-Identifier: MIT
 * score.c - precision, recall, F1 and time errors of estimated events.
 *
 * Cells (tolerances, classes + 1): sums over the recordings so far; the last cell of a row is all classes together.
 * Errors are kept as count, mean and sum of squared deviations (Welford), which loses nothing when the mean is large
 * against the spread. The sums over recordings are kept for both conventions about empty lists, so that the reader
 * chooses. */
#include "eval/score.h"

#include "base/status.h"
#include "eval/by_class.h"
#include "eval/match.h"
#include "eval/plane_match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONVENTIONS = 2 };

typedef struct rates {
    double precision, recall, f1;
} rates;

typedef struct score_cell {
    size_t reference, estimated, matched;
    double mean, squares;      /* of estimate - reference over the matched pairs */
    rates totals[CONVENTIONS]; /* sums over recordings */
} score_cell;

struct lc_score {
    size_t classes, recordings, tolerances_len;
    double tolerances[LC_TOLERANCES_MAX];
    score_cell *cells;                  /* (tolerances_len, classes + 1) */
    score_cell last[LC_TOLERANCES_MAX]; /* of the last recording alone, all classes; without totals */
    lc_by_class reference, estimate;
    lc_block pairs; /* of one class */
    bool images;
    lc_block scratch; /* of plane_match.h */
};

static loco_status check_shape(size_t classes, const double *tolerances, size_t tolerances_len, loco_err *err)
{
    if (classes < 1 || classes > LC_CLASSES_MAX)
        return lc_err_set(err, LOCO_EARG, "%zu classes; from 1 to %d can be scored", classes, LC_CLASSES_MAX);
    if (tolerances == NULL || tolerances_len < 1 || tolerances_len > LC_TOLERANCES_MAX)
        return lc_err_set(err, LOCO_EARG, "%zu tolerances; from 1 to %d are allowed", tolerances_len,
                          LC_TOLERANCES_MAX);
    for (size_t t = 0; t < tolerances_len; t++) {
        if (!(tolerances[t] > 0 && isfinite(tolerances[t])))
            return lc_err_set(err, LOCO_EARG, "tolerance %zu must be a number of seconds above 0", t);
    }
    return LOCO_OK;
}

loco_status lc_score_new(lc_score **score, size_t classes, const double *tolerances, size_t tolerances_len,
                         loco_err *err)
{
    if (score == NULL)
        return lc_err_set(err, LOCO_EARG, "score must not be NULL");
    loco_status status = check_shape(classes, tolerances, tolerances_len, err);
    if (status != LOCO_OK)
        return status;
    lc_score *made = calloc(1, sizeof *made);
    score_cell *cells = calloc(tolerances_len * (classes + 1), sizeof *cells);
    if (made == NULL || cells == NULL) {
        free(made);
        free(cells);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the scores of %zu classes", classes);
    }
    made->classes = classes;
    made->cells = cells;
    made->tolerances_len = tolerances_len;
    memcpy(made->tolerances, tolerances, tolerances_len * sizeof *tolerances);
    *score = made;
    return LOCO_OK;
}

void lc_score_free(lc_score *score)
{
    if (score == NULL)
        return;
    lc_by_class_free(&score->reference);
    lc_by_class_free(&score->estimate);
    lc_block_free(&score->pairs);
    lc_block_free(&score->scratch);
    free(score->cells);
    free(score);
}

void lc_score_images(lc_score *score)
{
    score->images = true;
}

bool lc_score_of_images(const lc_score *score)
{
    return score->images;
}

static double ratio(size_t part, size_t whole, double of_nothing)
{
    return whole > 0 ? (double)part / (double)whole : of_nothing;
}

/* F1 by the two rates as mir_eval has it; 2M / (N + E) is the same but for rounding. */
static rates rates_of(size_t matched, size_t reference, size_t estimated, lc_empty empty)
{
    rates r = {0};
    if (empty == LC_EMPTY_ZERO && (reference == 0 || estimated == 0))
        return r;
    r.precision = ratio(matched, estimated, 1);
    r.recall = ratio(matched, reference, 1);
    if (r.precision + r.recall > 0)
        r.f1 = 2 * r.precision * r.recall / (r.precision + r.recall);
    return r;
}

static void rates_add(rates *sum, rates more)
{
    sum->precision += more.precision;
    sum->recall += more.recall;
    sum->f1 += more.f1;
}

/* One more matched pair, its error in seconds: Welford's update of mean and squared deviations. */
static void error_add(score_cell *c, double error)
{
    double before = error - c->mean;
    c->matched++;
    c->mean += before / (double)c->matched;
    c->squares += before * (error - c->mean);
}

/* The end of a recording, which had `matched` pairs; these are in the cell already. */
static void recording_add(score_cell *c, size_t matched, size_t reference, size_t estimated)
{
    c->reference += reference;
    c->estimated += estimated;
    for (int i = 0; i < CONVENTIONS; i++)
        rates_add(&c->totals[i], rates_of(matched, reference, estimated, (lc_empty)i));
}

/* Pairs of one class of an image go to score->pairs, which has the places of all classes one behind the other: matching
 * may fail, and then nothing may have been added. */
static loco_status match_places(lc_score *score, size_t tolerance, size_t kind, loco_err *err)
{
    const lc_by_class *r = &score->reference, *e = &score->estimate;
    size_t from = r->start[kind], at = e->start[kind], matched;
    lc_points reference = {r->x + from, r->time + from, lc_by_class_len(r, kind)};
    lc_points estimate = {e->x + at, e->time + at, lc_by_class_len(e, kind)};
    size_t *pair = (size_t *)score->pairs.data + tolerance * r->start[score->classes] + from;
    return lc_plane_match(pair, &matched, reference, estimate, score->tolerances[tolerance], &score->scratch, err);
}

static loco_status match_images(lc_score *score, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t t = 0; score->images && t < score->tolerances_len; t++)
        for (size_t k = 0; status == LOCO_OK && k < score->classes; k++)
            status = match_places(score, t, k, err);
    return status;
}

/* The pairs of one class at one tolerance, and how many. */
static const size_t *pairs_of(const lc_score *score, size_t tolerance, size_t kind, size_t *matched)
{
    const lc_by_class *r = &score->reference, *e = &score->estimate;
    size_t n = lc_by_class_len(r, kind), m = lc_by_class_len(e, kind), *pair = score->pairs.data;
    if (!score->images) {
        *matched = lc_match(r->time + r->start[kind], n, e->time + e->start[kind], m, score->tolerances[tolerance],
                            pair);
        return pair;
    }
    pair += tolerance * r->start[score->classes] + r->start[kind];
    *matched = 0;
    for (size_t i = 0; i < n; i++)
        *matched += pair[i] != LC_UNMATCHED;
    return pair;
}

/* Matches one class at one tolerance; returns the number of pairs. */
static size_t class_add(lc_score *score, size_t tolerance, size_t kind)
{
    const lc_by_class *r = &score->reference, *e = &score->estimate;
    size_t n = lc_by_class_len(r, kind), m = lc_by_class_len(e, kind), matched;
    const double *reference = r->time + r->start[kind], *estimate = e->time + e->start[kind];
    const double *x = r->x + r->start[kind], *found_x = e->x + e->start[kind];
    score_cell *row = score->cells + tolerance * (score->classes + 1), *all = row + score->classes;
    const size_t *pair = pairs_of(score, tolerance, kind, &matched);
    for (size_t i = 0; i < n; i++) {
        if (pair[i] == LC_UNMATCHED)
            continue;
        double error = estimate[pair[i]] - reference[i];
        if (score->images)
            error = hypot(error, found_x[pair[i]] - x[i]);
        error_add(row + kind, error);
        error_add(all, error);
        error_add(&score->last[tolerance], error);
    }
    recording_add(row + kind, matched, n, m);
    return matched;
}

loco_status lc_score_add(lc_score *score, const loco_event *reference, size_t n, const loco_event *estimate, size_t m,
                         loco_err *err)
{
    if (score == NULL)
        return lc_err_set(err, LOCO_EARG, "score must not be NULL");
    loco_status status = lc_by_class_set(&score->reference, score->classes, reference, n, "reference", err);
    if (status == LOCO_OK)
        status = lc_by_class_set(&score->estimate, score->classes, estimate, m, "estimated", err);
    if (status != LOCO_OK)
        return status;
    size_t rows = score->images ? score->tolerances_len : 1;
    if (!lc_block_reserve(&score->pairs, rows * n * sizeof(size_t))) /* fits: 8 such rows are twice the events */
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu events", n);
    status = match_images(score, err);
    if (status != LOCO_OK)
        return status;
    for (size_t t = 0; t < score->tolerances_len; t++) {
        size_t matched = 0;
        score->last[t] = (score_cell){.reference = n, .estimated = m};
        for (size_t k = 0; k < score->classes; k++)
            matched += class_add(score, t, k);
        recording_add(score->cells + t * (score->classes + 1) + score->classes, matched, n, m);
    }
    score->recordings++;
    return LOCO_OK;
}

/* ---- reading ---- */

static rates pooled(const score_cell *c, lc_empty empty)
{
    return rates_of(c->matched, c->reference, c->estimated, empty);
}

/* A class that is neither in the reference nor found: of the 88 keys of a piano, most in a short recording. */
static bool is_absent(const score_cell *c)
{
    return c->reference == 0 && c->estimated == 0;
}

/* The classes weigh alike. One that is absent has no score, unless the convention about empty lists gives it a 1. */
static rates per_class(const score_cell *row, size_t classes, lc_empty empty)
{
    rates sum = {0};
    double n = 0;
    for (size_t k = 0; k < classes; k++) {
        if (empty == LC_EMPTY_ZERO && is_absent(row + k))
            continue;
        rates_add(&sum, pooled(row + k, empty));
        n++;
    }
    n = n > 0 ? n : 1;
    return (rates){sum.precision / n, sum.recall / n, sum.f1 / n};
}

static rates per_recording(const score_cell *c, size_t recordings, lc_empty empty)
{
    rates sum = c->totals[empty];
    double n = recordings > 0 ? (double)recordings : 1;
    return (rates){sum.precision / n, sum.recall / n, sum.f1 / n};
}

static lc_score_row row_of(const score_cell *c, rates r)
{
    lc_score_row row = {c->reference, c->estimated, c->matched, r.precision, r.recall, r.f1, c->mean, 0};
    if (c->matched > 0)
        row.error_sd = sqrt(c->squares / (double)c->matched);
    return row;
}

lc_recording_score lc_score_last(const lc_score *score, lc_empty empty)
{
    lc_recording_score last = {.name = NULL};
    for (size_t t = 0; score->recordings > 0 && t < score->tolerances_len; t++)
        last.rows[t] = row_of(&score->last[t], pooled(&score->last[t], empty));
    return last;
}

lc_score_row lc_score_read(const lc_score *score, size_t kind, size_t tolerance, lc_average average, lc_empty empty)
{
    bool all = kind == LC_ALL_KINDS;
    if (score == NULL || tolerance >= score->tolerances_len || (!all && kind >= score->classes))
        return (lc_score_row){0};
    const score_cell *row = score->cells + tolerance * (score->classes + 1), *c = row + (all ? score->classes : kind);
    rates r = average == LC_PER_RECORDING      ? per_recording(c, score->recordings, empty)
              : average == LC_PER_CLASS && all ? per_class(row, score->classes, empty)
                                               : pooled(c, empty);
    return row_of(c, r);
}

size_t lc_score_classes(const lc_score *score)
{
    return score->classes;
}

size_t lc_score_present(const lc_score *score)
{
    size_t n = 0;
    for (size_t k = 0; k < score->classes; k++)
        n += !is_absent(score->cells + k);
    return n;
}

size_t lc_score_recordings(const lc_score *score)
{
    return score->recordings;
}

const double *lc_score_tolerances(const lc_score *score, size_t *len)
{
    *len = score->tolerances_len;
    return score->tolerances;
}
