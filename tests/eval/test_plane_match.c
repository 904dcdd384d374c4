/* SPDX-License-Identifier: MIT
 * test_plane_match.c - pairs of places: against the best of all matchings where there are few, against a plain search
 * for paths where there are many; and where places crowd. */
#include "cases.h"

#include "base/rng.h"
#include "eval/plane_match.h"

#include <time.h>

enum { MOST = 10000 };

static double rx[MOST], ry[MOST], ex[MOST], ey[MOST];
static size_t pair[MOST];
static lc_block scratch;

static size_t match(size_t n, size_t m, double radius)
{
    size_t matched = 77;
    CHECK_STATUS(lc_plane_match(pair, &matched, (lc_points){rx, ry, n}, (lc_points){ex, ey, m}, radius, &scratch, NULL),
                 LOCO_OK);
    return matched;
}

/* One to one and within the radius; returns the sum of distances. */
static double check_pairs(size_t n, size_t m, double radius, size_t matched)
{
    static bool taken[MOST];
    double sum = 0;
    size_t pairs = 0;
    memset(taken, 0, sizeof taken);
    for (size_t i = 0; i < n; i++) {
        if (pair[i] == LC_UNMATCHED)
            continue;
        double distance = pair[i] < m ? hypot(rx[i] - ex[pair[i]], ry[i] - ey[pair[i]]) : 1e9;
        if (pair[i] >= m || taken[pair[i]] || distance > radius * (1 + 1e-12))
            CHECK(false);
        else
            taken[pair[i]] = true;
        sum += distance;
        pairs++;
    }
    CHECK_EQ(pairs, matched);
    return sum;
}

static void few_places(void)
{
    rx[0] = ry[0] = ex[0] = 0;
    ey[0] = 5;
    CHECK_EQ(match(0, 1, 5), 0);
    CHECK_EQ(match(1, 0, 5), 0);
    CHECK(pair[0] == LC_UNMATCHED);
    CHECK_EQ(match(1, 1, 5), 1); /* at the radius is within it */
    CHECK_EQ(match(1, 1, 4.999), 0);
    /* the nearest pair alone would leave two unmatched: 0 - 1 at 1 px, and then 2 - 0 is too far */
    rx[1] = 3, ry[1] = 0;
    ex[0] = 2, ey[0] = 0;
    ex[1] = 5.5, ey[1] = 0;
    CHECK_EQ(match(2, 2, 2.6), 2);
    CHECK(pair[0] == 0 && pair[1] == 1);
}

/* The largest matching with the least sum, by trying all. */
typedef struct best_of_all {
    size_t n, m, matched;
    double radius, sum;
} best_of_all;

static void try_all(best_of_all *b, size_t i, unsigned taken, size_t matched, double sum)
{
    if (i == b->n) {
        if (matched > b->matched || (matched == b->matched && sum < b->sum)) {
            b->matched = matched;
            b->sum = sum;
        }
        return;
    }
    try_all(b, i + 1, taken, matched, sum);
    for (size_t j = 0; j < b->m; j++) {
        double distance = hypot(rx[i] - ex[j], ry[i] - ey[j]);
        if ((taken >> j & 1) == 0 && distance <= b->radius)
            try_all(b, i + 1, taken | 1u << j, matched + 1, sum + distance);
    }
}

static void draw(lc_rng *rng, double *x, double *y, size_t n, double side)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = side * lc_rng_uniform(rng);
        y[i] = side * lc_rng_uniform(rng);
    }
}

static void as_many_as_the_best(void)
{
    lc_rng rng = lc_rng_seed(1);
    double least = 0, sum = 0;
    for (int round = 0; round < 2000; round++) {
        size_t n = case_below(&rng, 8), m = case_below(&rng, 8);
        best_of_all best = {.n = n, .m = m, .radius = 10, .sum = 1e9};
        draw(&rng, rx, ry, n, 10 + (double)(round % 40));
        draw(&rng, ex, ey, m, 10 + (double)(round % 40));
        size_t matched = match(n, m, 10);
        try_all(&best, 0, 0, 0, 0);
        CHECK_EQ(matched, best.matched);
        sum += check_pairs(n, m, 10, matched);
        least += best.matched > 0 ? best.sum : 0;
    }
    printf("    sum of distances %.4f of the least one\n", sum / least);
    CHECK(sum < 1.005 * least && sum > 0.999999 * least);
}

/* A plain search for one path after the other. */
static bool search(size_t i, size_t m, double radius, bool *seen, size_t *owner)
{
    for (size_t j = 0; j < m; j++) {
        if (seen[j] || hypot(rx[i] - ex[j], ry[i] - ey[j]) > radius)
            continue;
        seen[j] = true;
        if (owner[j] == LC_UNMATCHED || search(owner[j], m, radius, seen, owner)) {
            owner[j] = i;
            return true;
        }
    }
    return false;
}

static void as_many_as_a_plain_search(void)
{
    static size_t owner[MOST];
    static bool seen[MOST];
    lc_rng rng = lc_rng_seed(2);
    for (int round = 0; round < 30; round++) {
        size_t n = 100 + case_below(&rng, 200), m = 100 + case_below(&rng, 200), most = 0;
        double side = 40 * (1 + (double)(round % 10));
        draw(&rng, rx, ry, n, side);
        draw(&rng, ex, ey, m, side);
        for (size_t j = 0; j < m; j++)
            owner[j] = LC_UNMATCHED;
        for (size_t i = 0; i < n; i++) {
            memset(seen, 0, sizeof seen);
            most += search(i, m, 10, seen, owner);
        }
        size_t matched = match(n, m, 10);
        CHECK_EQ(matched, most);
        check_pairs(n, m, 10, matched);
    }
}

/* Of the processor, so that other programs do not count. */
static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* In an image, crowded, and far apart; all at one place; in one line. */
static void many_places(void)
{
    lc_rng rng = lc_rng_seed(3);
    static const double sides[] = {2500, 400, 1e9};
    for (size_t k = 0; k < 3; k++) {
        draw(&rng, rx, ry, MOST, sides[k]);
        for (size_t i = 0; i < MOST; i++) {
            ex[i] = rx[i] + 3 * lc_rng_normal(&rng);
            ey[i] = ry[i] + 3 * lc_rng_normal(&rng);
        }
        double begin = seconds();
        size_t matched = match(MOST, MOST, 10);
        printf("    %d in %g x %g: %zu pairs, %.3f s\n", MOST, sides[k], sides[k], matched, seconds() - begin);
        CHECK(matched > MOST * 95 / 100);
        check_pairs(MOST, MOST, 10, matched);
    }
    for (size_t i = 0; i < 1000; i++) {
        rx[i] = ry[i] = ey[i] = 5;
        ex[i] = 6;
    }
    CHECK_EQ(match(1000, 700, 10), 700);
    for (size_t i = 0; i < 1000;
         i++) { /* each estimate is in reach of two references, and one path leads through all */
        rx[i] = 10 * (double)i;
        ex[i] = 10 * (double)i + 5.5;
        ry[i] = ey[i] = 0;
    }
    ex[0] = -4;
    CHECK_EQ(match(1000, 1000, 5.6), 1000);
}

int main(void)
{
    RUN(few_places);
    RUN(as_many_as_the_best);
    RUN(as_many_as_a_plain_search);
    RUN(many_places);
    lc_block_free(&scratch);
    return check_done();
}
