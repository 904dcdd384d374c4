/* SPDX-License-Identifier: MIT
 * test_score.c - scores: wrong arguments, known cases, all averages and conventions recomputed from scratch. */
#include "check.h"

#include "base/rng.h"
#include "eval/match.h"
#include "eval/score.h"

#include <stdlib.h>

enum { CLASSES = 4, RECORDINGS = 30, MOST = 60 };

static const double tolerances[] = {0.05, 0.02};

static void wrong_arguments_are_refused(void)
{
    lc_score *score = NULL;
    loco_err err;
    CHECK_STATUS(lc_score_new(NULL, 1, tolerances, 2, &err), LOCO_EARG);
    CHECK_STATUS(lc_score_new(&score, 0, tolerances, 2, &err), LOCO_EARG);
    CHECK_STATUS(lc_score_new(&score, LC_CLASSES_MAX + 1, tolerances, 2, &err), LOCO_EARG);
    CHECK_STATUS(lc_score_new(&score, 1, NULL, 2, &err), LOCO_EARG);
    CHECK_STATUS(lc_score_new(&score, 1, tolerances, 0, &err), LOCO_EARG);
    CHECK_STATUS(lc_score_new(&score, 1, tolerances, LC_TOLERANCES_MAX + 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_score_new(&score, 1, (double[]){0.05, 0}, 2, &err), LOCO_EARG);
    CHECK_STATUS(lc_score_new(&score, 1, (double[]){NAN}, 1, &err), LOCO_EARG);
    CHECK_STATUS(lc_score_new(&score, 1, (double[]){INFINITY}, 1, &err), LOCO_EARG);
    CHECK(score == NULL);
    CHECK_STATUS(lc_score_add(NULL, NULL, 0, NULL, 0, &err), LOCO_EARG);
    lc_score_free(NULL);
}

static void failed_recordings_leave_no_trace(void)
{
    lc_score *score;
    loco_event good = {1, 0, 1, 0}, wrong = {INFINITY, 0, 1, 0};
    loco_err err;
    CHECK_STATUS(lc_score_new(&score, 1, tolerances, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(score, &good, 1, &wrong, 1, &err), LOCO_EDATA);
    CHECK_STR(err.text, "estimated event 0: its time is not a finite number");
    CHECK_STATUS(lc_score_add(score, NULL, 1, &good, 1, &err), LOCO_EARG);
    CHECK_EQ(lc_score_recordings(score), 0);
    CHECK_EQ(lc_score_read(score, 0, 0, LC_POOLED, LC_EMPTY_ZERO).reference, 0);
    CHECK_NEAR(lc_score_read(score, 0, 0, LC_PER_RECORDING, LC_EMPTY_ONE).f1, 0, 0);
    lc_score_free(score);
}

static lc_score_row score_of(const loco_event *r, size_t n, const loco_event *e, size_t m, lc_empty empty)
{
    lc_score *score;
    CHECK_STATUS(lc_score_new(&score, 2, tolerances, 1, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(score, r, n, e, m, NULL), LOCO_OK);
    lc_score_row row = lc_score_read(score, 0, 0, LC_PER_RECORDING, empty);
    lc_score_free(score);
    return row;
}

static void check_rates(lc_score_row row, double precision, double recall, double f1)
{
    CHECK_NEAR(row.precision, precision, 1e-15);
    CHECK_NEAR(row.recall, recall, 1e-15);
    CHECK_NEAR(row.f1, f1, 1e-15);
}

static void empty_lists_follow_the_convention(void)
{
    loco_event one = {1, 0, 1, 0};
    check_rates(score_of(NULL, 0, NULL, 0, LC_EMPTY_ZERO), 0, 0, 0);
    check_rates(score_of(&one, 1, NULL, 0, LC_EMPTY_ZERO), 0, 0, 0);
    check_rates(score_of(NULL, 0, &one, 1, LC_EMPTY_ZERO), 0, 0, 0);
    check_rates(score_of(NULL, 0, NULL, 0, LC_EMPTY_ONE), 1, 1, 1);
    check_rates(score_of(&one, 1, NULL, 0, LC_EMPTY_ONE), 1, 0, 0);
    check_rates(score_of(NULL, 0, &one, 1, LC_EMPTY_ONE), 0, 1, 0);
}

static void errors_are_signed(void)
{
    loco_event r[] = {
        {3, 0, 1, 0},
        {1, 0, 1, 0},
        {2, 0, 1, 0},
        {9, 0, 1, 0}
    };
    loco_event e[] = {
        {2.01,  0, 1, 0},
        {1.01,  0, 1, 0},
        {3.025, 0, 1, 0},
        {7,     0, 1, 0},
        {9,     1, 1, 0}
    };
    lc_score_row row = score_of(r, 4, e, 5, LC_EMPTY_ZERO);
    CHECK(row.reference == 4 && row.estimated == 4 && row.matched == 3);
    check_rates(row, 0.75, 0.75, 0.75);
    CHECK_NEAR(row.error_mean, 0.015, 1e-12);
    CHECK_NEAR(row.error_sd, sqrt((2 * 0.005 * 0.005 + 0.01 * 0.01) / 3), 1e-12);
}

static void nothing_there_gives_zeros(void)
{
    lc_score *score;
    loco_event one = {1, 0, 1, 0};
    size_t len;
    CHECK_STATUS(lc_score_new(&score, 2, tolerances, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(score, &one, 1, &one, 1, NULL), LOCO_OK);
    CHECK_EQ(lc_score_read(score, 2, 0, LC_POOLED, LC_EMPTY_ZERO).reference, 0);
    CHECK_EQ(lc_score_read(score, 0, 2, LC_POOLED, LC_EMPTY_ZERO).reference, 0);
    CHECK_EQ(lc_score_read(score, 0, 0, LC_POOLED, LC_EMPTY_ZERO).reference, 1);
    CHECK_EQ(lc_score_read(NULL, 0, 0, LC_POOLED, LC_EMPTY_ZERO).reference, 0);
    CHECK_EQ(lc_score_classes(score), 2);
    CHECK_NEAR(lc_score_tolerances(score, &len)[1], 0.02, 0);
    CHECK_EQ(len, 2);
    lc_score_free(score);
}

/* ---- all averages from scratch ---- */

typedef struct recording {
    size_t n, m;
    loco_event reference[MOST], estimate[MOST];
} recording;

/* Class 3 is rare, so that empty lists occur. */
static void make_recording(lc_rng *rng, recording *r)
{
    r->n = lc_rng_next(rng) % MOST;
    r->m = lc_rng_next(rng) % MOST;
    for (size_t i = 0; i < r->n; i++) {
        size_t kind = lc_rng_next(rng) % 40;
        r->reference[i] = (loco_event){2 * lc_rng_uniform(rng), kind < 3 ? 3 : kind % 3, 1, 0};
    }
    for (size_t i = 0; i < r->m; i++) {
        size_t kind = lc_rng_next(rng) % 40;
        r->estimate[i] = (loco_event){2 * lc_rng_uniform(rng), kind < 2 ? 3 : kind % 3, 0.5, 0};
    }
}

static size_t times_of(const loco_event *events, size_t n, size_t kind, double *times)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        if (events[i].kind != kind)
            continue;
        size_t at = found++;
        for (; at > 0 && times[at - 1] > events[i].time; at--)
            times[at] = times[at - 1];
        times[at] = events[i].time;
    }
    return found;
}

typedef struct tally {
    size_t n, m, matched;
    double errors[RECORDINGS * MOST];
} tally;

static void tally_add(tally *t, const recording *r, size_t kind, double tolerance)
{
    double from[MOST], to[MOST];
    size_t pair[MOST], n = times_of(r->reference, r->n, kind, from), m = times_of(r->estimate, r->m, kind, to);
    t->n += n;
    t->m += m;
    lc_match(from, n, to, m, tolerance, pair);
    for (size_t i = 0; i < n; i++) {
        if (pair[i] != LC_UNMATCHED)
            t->errors[t->matched++] = to[pair[i]] - from[i];
    }
}

static void rates_of(const tally *t, lc_empty empty, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    if (empty == LC_EMPTY_ZERO && (t->n == 0 || t->m == 0))
        return;
    out[0] = t->m == 0 ? 1 : (double)t->matched / (double)t->m;
    out[1] = t->n == 0 ? 1 : (double)t->matched / (double)t->n;
    out[2] = t->n + t->m == 0 ? 1 : 2.0 * (double)t->matched / (double)(t->n + t->m);
}

/* Pools what is asked for: recordings first..last-1, classes low..high-1. */
static tally pool(const recording *r, size_t first, size_t last, size_t low, size_t high, double tolerance)
{
    tally t = {0};
    for (size_t i = first; i < last; i++) {
        for (size_t k = low; k < high; k++)
            tally_add(&t, &r[i], k, tolerance);
    }
    return t;
}

static void check_average(const lc_score *score, const recording *r, size_t kind, size_t tol, lc_empty empty)
{
    size_t low = kind == LC_ALL_KINDS ? 0 : kind, high = kind == LC_ALL_KINDS ? CLASSES : kind + 1;
    double pooled[3], one[3], recordings[3] = {0}, classes[3] = {0}, mean = 0, squares = 0;
    tally t = pool(r, 0, RECORDINGS, low, high, tolerances[tol]);
    rates_of(&t, empty, pooled);
    lc_score_row row = lc_score_read(score, kind, tol, LC_POOLED, empty);
    CHECK(row.reference == t.n && row.estimated == t.m && row.matched == t.matched);
    check_rates(row, pooled[0], pooled[1], pooled[2]);
    for (size_t i = 0; i < t.matched; i++)
        mean += t.errors[i] / (double)t.matched;
    for (size_t i = 0; i < t.matched; i++)
        squares += (t.errors[i] - mean) * (t.errors[i] - mean);
    CHECK_NEAR(row.error_mean, mean, 1e-14);
    CHECK_NEAR(row.error_sd, t.matched > 0 ? sqrt(squares / (double)t.matched) : 0, 1e-14);
    for (size_t i = 0; i < RECORDINGS; i++) {
        t = pool(r, i, i + 1, low, high, tolerances[tol]);
        rates_of(&t, empty, one);
        for (int j = 0; j < 3; j++)
            recordings[j] += one[j] / RECORDINGS;
    }
    row = lc_score_read(score, kind, tol, LC_PER_RECORDING, empty);
    for (int j = 0; j < 3; j++)
        CHECK_NEAR(j == 0 ? row.precision : j == 1 ? row.recall : row.f1, recordings[j], 1e-12);
    for (size_t k = low; k < high; k++) {
        t = pool(r, 0, RECORDINGS, k, k + 1, tolerances[tol]);
        rates_of(&t, empty, one);
        for (int j = 0; j < 3; j++)
            classes[j] += one[j] / (double)(high - low);
    }
    row = lc_score_read(score, kind, tol, LC_PER_CLASS, empty);
    for (int j = 0; j < 3; j++)
        CHECK_NEAR(j == 0 ? row.precision : j == 1 ? row.recall : row.f1, classes[j], 1e-12);
}

static void averages_are_as_recomputed(void)
{
    static recording r[RECORDINGS];
    lc_rng rng = lc_rng_seed(6);
    lc_score *score;
    CHECK_STATUS(lc_score_new(&score, CLASSES, tolerances, 2, NULL), LOCO_OK);
    for (size_t i = 0; i < RECORDINGS; i++) {
        make_recording(&rng, &r[i]);
        CHECK_STATUS(lc_score_add(score, r[i].reference, r[i].n, r[i].estimate, r[i].m, NULL), LOCO_OK);
    }
    for (size_t tol = 0; tol < 2; tol++) {
        for (size_t kind = 0; kind <= CLASSES; kind++) {
            check_average(score, r, kind < CLASSES ? kind : LC_ALL_KINDS, tol, LC_EMPTY_ZERO);
            check_average(score, r, kind < CLASSES ? kind : LC_ALL_KINDS, tol, LC_EMPTY_ONE);
        }
    }
    lc_score_free(score);
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(failed_recordings_leave_no_trace);
    RUN(empty_lists_follow_the_convention);
    RUN(errors_are_signed);
    RUN(nothing_there_gives_zeros);
    RUN(averages_are_as_recomputed);
    return check_done();
}
