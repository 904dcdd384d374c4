/* SPDX-License-Identifier: MIT
 * test_match.c - matching of events: as many pairs as any matching can have, pairs that are near, time that is
 * linear. */
#include "check.h"

#include "base/rng.h"
#include "eval/match.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MOST = 100 };

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Sorted times in 0..span; grid > 0 rounds them to multiples, so that many are equal or at the border. */
static void fill(lc_rng *rng, double *times, size_t n, double span, double grid)
{
    for (size_t i = 0; i < n; i++) {
        times[i] = span * lc_rng_uniform(rng);
        if (grid > 0)
            times[i] = floor(times[i] / grid) * grid;
    }
    qsort(times, n, sizeof *times, compare);
}

static bool in_reach(double reference, double estimate, double tolerance)
{
    return reference >= estimate - tolerance && reference <= estimate + tolerance;
}

/* ---- the size by augmenting paths, which knows nothing of lines and windows ---- */

typedef struct graph {
    size_t n, m;
    bool edge[MOST][MOST], seen[MOST];
    size_t taken_by[MOST]; /* reference of an estimate, or LC_UNMATCHED */
} graph;

static bool augment(graph *g, size_t i)
{
    for (size_t j = 0; j < g->m; j++) {
        if (!g->edge[i][j] || g->seen[j])
            continue;
        g->seen[j] = true;
        if (g->taken_by[j] == LC_UNMATCHED || augment(g, g->taken_by[j])) {
            g->taken_by[j] = i;
            return true;
        }
    }
    return false;
}

static size_t largest(const double *r, size_t n, const double *e, size_t m, double tolerance)
{
    static graph g;
    size_t size = 0;
    g.n = n;
    g.m = m;
    for (size_t j = 0; j < m; j++) {
        g.taken_by[j] = LC_UNMATCHED;
        for (size_t i = 0; i < n; i++)
            g.edge[i][j] = in_reach(r[i], e[j], tolerance);
    }
    for (size_t i = 0; i < n; i++) {
        memset(g.seen, 0, sizeof g.seen);
        size += augment(&g, i);
    }
    return size;
}

/* ---- the least sum of errors of all matchings of that size, by dynamic programming ---- */

typedef struct best {
    size_t size;
    double cost;
} best;

static best better(best a, best b)
{
    return a.size > b.size || (a.size == b.size && a.cost <= b.cost) ? a : b;
}

static best least(const double *r, size_t n, const double *e, size_t m, double tolerance)
{
    static best table[MOST + 1][MOST + 1];
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            table[i][j] = (best){0, 0};
            if (i == 0 || j == 0)
                continue;
            table[i][j] = better(table[i - 1][j], table[i][j - 1]);
            best pair = {table[i - 1][j - 1].size + 1, table[i - 1][j - 1].cost + fabs(r[i - 1] - e[j - 1])};
            if (in_reach(r[i - 1], e[j - 1], tolerance))
                table[i][j] = better(table[i][j], pair);
        }
    }
    return table[n][m];
}

/* Checks that the pairs are a matching without crossings, and returns the sum of their errors. */
static double check_pairs(const double *r, size_t n, const double *e, size_t m, double tolerance, const size_t *pair,
                          size_t size)
{
    size_t found = 0, next = 0;
    double cost = 0;
    for (size_t i = 0; i < n; i++) {
        if (pair[i] == LC_UNMATCHED)
            continue;
        CHECK(pair[i] >= next && pair[i] < m);
        CHECK(in_reach(r[i], e[pair[i]], tolerance));
        next = pair[i] + 1;
        found++;
        cost += fabs(r[i] - e[pair[i]]);
    }
    CHECK_EQ(found, size);
    return cost;
}

static void no_matching_is_larger(void)
{
    lc_rng rng = lc_rng_seed(1);
    double r[MOST] = {0}, e[MOST] = {0};
    size_t pair[MOST];
    for (int k = 0; k < 3000; k++) {
        size_t n = lc_rng_next(&rng) % 25, m = lc_rng_next(&rng) % 25;
        double span = 0.1 + 2 * lc_rng_uniform(&rng), grid = k % 3 == 0 ? 0.01 : k % 3 == 1 ? 0.05 : 0;
        fill(&rng, r, n, span, grid);
        fill(&rng, e, m, span, grid);
        size_t size = lc_match(r, n, e, m, 0.05, pair);
        CHECK_EQ(size, largest(r, n, e, m, 0.05));
        check_pairs(r, n, e, m, 0.05, pair, size);
    }
}

/* The sum of errors against the least possible: 100 unrelated events each in 4, 16 and 64 s. The limits are the
 * measured ratios, rounded up; true detections are far less ambiguous. */
static void pairs_are_near(void)
{
    static const struct {
        double span, limit;
    } cases[] = {
        {4,  1.05  },
        {16, 1.003 },
        {64, 1.0002}
    };
    lc_rng rng = lc_rng_seed(2);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        double ours = 0, lowest = 0, r[MOST] = {0}, e[MOST] = {0};
        size_t pair[MOST];
        for (int k = 0; k < 200; k++) {
            fill(&rng, r, MOST, cases[c].span, 0);
            fill(&rng, e, MOST, cases[c].span, 0);
            size_t size = lc_match(r, MOST, e, MOST, 0.05, pair);
            best b = least(r, MOST, e, MOST, 0.05);
            CHECK_EQ(size, b.size);
            double cost = check_pairs(r, MOST, e, MOST, 0.05, pair, size);
            CHECK(cost >= b.cost - 1e-9);
            ours += cost;
            lowest += b.cost;
        }
        printf("    %g s: %.5f of the least sum of errors\n", cases[c].span, ours / lowest);
        CHECK(ours <= cases[c].limit * lowest);
    }
}

static void known_choices(void)
{
    size_t pair[4];
    double r[] = {1.00, 1.10}, e[] = {0.97, 1.01, 1.10};
    CHECK_EQ(lc_match(r, 2, e, 3, 0.05, pair), 2);
    CHECK(pair[0] == 1 && pair[1] == 2);
    double late[] = {0.96, 1.00, 1.04, 1.08}, few[] = {1.00, 1.04, 1.08};
    CHECK_EQ(lc_match(late, 4, few, 3, 0.05, pair), 3);
    CHECK(pair[0] == LC_UNMATCHED && pair[1] == 0 && pair[2] == 1 && pair[3] == 2);
    CHECK_EQ(lc_match(few, 3, late, 4, 0.05, pair), 3);
    CHECK(pair[0] == 1 && pair[1] == 2 && pair[2] == 3);
    double close[] = {1.00, 1.02}, apart[] = {1.01, 1.06}; /* the nearest pair alone would cost the other */
    CHECK_EQ(lc_match(close, 2, apart, 2, 0.05, pair), 2);
    CHECK(pair[0] == 0 && pair[1] == 1);
}

/* In binary fractions the border is exact; in decimal ones it is where the sums round to. */
static void border_is_inside(void)
{
    size_t pair[2];
    double zero = 0, quarter = 0.25, beyond = nextafter(0.25, 1);
    CHECK_EQ(lc_match(&zero, 1, &quarter, 1, 0.25, pair), 1);
    CHECK_EQ(lc_match(&quarter, 1, &zero, 1, 0.25, pair), 1);
    CHECK_EQ(lc_match(&zero, 1, &beyond, 1, 0.25, pair), 0);
    CHECK_EQ(lc_match(&beyond, 1, &zero, 1, 0.25, pair), 0);
    CHECK(pair[0] == LC_UNMATCHED);
}

static void empty_and_equal_times(void)
{
    size_t pair[3] = {7, 7, 7};
    double same[] = {2, 2, 2};
    CHECK_EQ(lc_match(NULL, 0, same, 3, 0.05, pair), 0);
    CHECK_EQ(lc_match(same, 3, NULL, 0, 0.05, pair), 0);
    CHECK(pair[0] == LC_UNMATCHED && pair[1] == LC_UNMATCHED && pair[2] == LC_UNMATCHED);
    CHECK_EQ(lc_match(same, 3, same, 2, 0.05, pair), 2);
    CHECK_EQ(lc_match(same, 2, same, 3, 0.05, pair), 2);
    CHECK_EQ(lc_match(NULL, 0, NULL, 0, 0.05, NULL), 0);
}

/* All of a million events in one window: quadratic time would be felt. */
static void dense_events_take_linear_time(void)
{
    enum { N = 500000 };
    double *times = malloc(2 * N * sizeof *times);
    size_t *pair = malloc(N * sizeof *pair);
    CHECK(times != NULL && pair != NULL);
    for (size_t i = 0; times != NULL && i < 2 * (size_t)N; i++)
        times[i] = 0.04 * (double)i / (2 * N);
    if (times != NULL && pair != NULL)
        CHECK_EQ(lc_match(times + N / 2, N, times, 2 * (size_t)N, 0.05, pair), N);
    free(times);
    free(pair);
}

int main(void)
{
    RUN(no_matching_is_larger);
    RUN(pairs_are_near);
    RUN(known_choices);
    RUN(border_is_inside);
    RUN(empty_and_equal_times);
    RUN(dense_events_take_linear_time);
    return check_done();
}
