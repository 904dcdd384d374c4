/* SPDX-License-Identifier: MIT
 * test_mir_eval.c - 1000 random pairs of event lists score as in mir_eval 0.7. The numbers, and how they were made, are
 *   in mir_eval_reference.py. */
#include "check.h"

#include "base/rng.h"
#include "eval/match.h"
#include "eval/score.h"

#include <stdlib.h>

enum { LISTS = 1000, MOST = 41, NUMBERS = 9 };

static const double tolerances[] = {0.05, 0.02};

typedef struct lists {
    size_t n, m;
    loco_event reference[MOST], estimate[MOST];
} lists;

static double reference_time(lc_rng *rng, uint64_t style, double span)
{
    if (style == 1)
        return (double)(lc_rng_next(rng) % 200) * 0.01;
    return style == 3 ? (double)(lc_rng_next(rng) % 2000) * 0.001 : lc_rng_uniform(rng) * span;
}

static double estimate_time(lc_rng *rng, uint64_t style, double span, const lists *l)
{
    if (style == 1)
        return (double)(lc_rng_next(rng) % 200) * 0.01;
    if (style == 0 || l->n == 0)
        return lc_rng_uniform(rng) * span;
    double near = l->reference[lc_rng_next(rng) % l->n].time;
    if (style == 2)
        return near + (lc_rng_uniform(rng) - 0.5) * 0.16;
    return near + ((double)(lc_rng_next(rng) % 3) - 1) * 0.05;
}

/* The same as lists() in mir_eval_reference.py, but not sorted: that is the library's task. */
static void make_lists(lists *l, uint64_t seed)
{
    lc_rng rng = lc_rng_seed(seed);
    uint64_t style = lc_rng_next(&rng) % 4;
    l->n = lc_rng_next(&rng) % 41;
    l->m = lc_rng_next(&rng) % 41;
    double span = 1 + 9 * lc_rng_uniform(&rng);
    for (size_t i = 0; i < l->n; i++)
        l->reference[i] = (loco_event){reference_time(&rng, style, span), 0, 1, 0};
    for (size_t i = 0; i < l->m; i++)
        l->estimate[i] = (loco_event){estimate_time(&rng, style, span, l), 0, 1, 0};
}

static void check_row(lc_score_row row, const double *want)
{
    CHECK_NEAR(row.f1, want[0], 1e-9);
    CHECK_NEAR(row.precision, want[1], 1e-9);
    CHECK_NEAR(row.recall, want[2], 1e-9);
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static size_t sorted_times(const loco_event *events, size_t n, double *times)
{
    for (size_t i = 0; i < n; i++)
        times[i] = events[i].time;
    qsort(times, n, sizeof *times, compare);
    return n;
}

/* mir_eval.transcription rounds distances to 0.1 ms. */
static void check_transcription(const lists *l, double want)
{
    double r[MOST] = {0}, e[MOST] = {0};
    size_t n = sorted_times(l->reference, l->n, r), m = sorted_times(l->estimate, l->m, e), pair[MOST];
    CHECK_EQ(lc_match(r, n, e, m, 0.05 + 0.00005, pair), (size_t)want);
}

static void check_list(lc_score *all, uint64_t seed, const double *want)
{
    lists l;
    lc_score *one;
    make_lists(&l, seed);
    CHECK(l.n == (size_t)want[0] && l.m == (size_t)want[1]);
    CHECK_STATUS(lc_score_new(&one, 1, tolerances, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(one, l.reference, l.n, l.estimate, l.m, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(all, l.reference, l.n, l.estimate, l.m, NULL), LOCO_OK);
    for (size_t t = 0; t < 2; t++) {
        check_row(lc_score_read(one, 0, t, LC_POOLED, LC_EMPTY_ZERO), want + 2 + 3 * t);
        check_row(lc_score_read(one, LC_ALL_KINDS, t, LC_PER_RECORDING, LC_EMPTY_ZERO), want + 2 + 3 * t);
    }
    check_transcription(&l, want[NUMBERS - 1]);
    lc_score_free(one);
}

static FILE *open_numbers(void)
{
    char path[4096];
    const char *source = getenv("LOCO_SOURCE");
    snprintf(path, sizeof path, "%s/tests/data/mir_eval.txt", source != NULL ? source : ".");
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot read %s; set LOCO_SOURCE to the folder of the sources\n", path);
        exit(1);
    }
    return file;
}

static void scores_agree_with_mir_eval(void)
{
    FILE *file = open_numbers();
    lc_score *all;
    double want[NUMBERS], mean[6] = {0};
    CHECK_STATUS(lc_score_new(&all, 1, tolerances, 2, NULL), LOCO_OK);
    for (uint64_t seed = 0; seed < LISTS; seed++) {
        char line[512], *at = line;
        CHECK(fgets(line, sizeof line, file) != NULL);
        for (int i = 0; i < NUMBERS; i++)
            want[i] = strtod(at, &at);
        CHECK(*at == '\n');
        check_list(all, seed, want);
        for (int i = 0; i < 6; i++)
            mean[i] += want[2 + i] / LISTS;
    }
    for (size_t t = 0; t < 2; t++)
        check_row(lc_score_read(all, 0, t, LC_PER_RECORDING, LC_EMPTY_ZERO), mean + 3 * t);
    printf("    mean F1 %.4f within 50 ms, %.4f within 20 ms\n", mean[0], mean[3]);
    CHECK_EQ(lc_score_recordings(all), LISTS);
    lc_score_free(all);
    fclose(file);
}

int main(void)
{
    RUN(scores_agree_with_mir_eval);
    return check_done();
}
