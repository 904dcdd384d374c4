/* SPDX-License-Identifier: MIT
 * test_select.c - the n-th largest of many numbers, against a sort. */
#include "cases.h"

#include "count/select.h"

enum { LEN_MAX = 300 };

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* For some n: the right number, and nothing but another order in the array. */
static void check_select(const double *x, size_t len, size_t every)
{
    double sorted[LEN_MAX], work[LEN_MAX];
    memcpy(sorted, x, len * sizeof *x);
    qsort(sorted, len, sizeof *sorted, descending);
    for (size_t n = 1; n <= len; n += n + every <= len || n == len ? every : len - n) {
        memcpy(work, x, len * sizeof *x);
        double got = lc_select_largest(work, len, n);
        CHECK_NEAR(got, sorted[n - 1], 0);
        qsort(work, len, sizeof *work, descending);
        CHECK(case_same(work, sorted, len * sizeof *work));
    }
}

static void every_small_order_is_right(void)
{
    for (size_t len = 1; len <= 5; len++) {
        for (unsigned code = 0; code < 3125; code++) { /* all words of 5 letters */
            double x[5];
            unsigned rest = code;
            for (size_t i = 0; i < 5; i++, rest /= 5)
                x[i] = (double)(rest % 5);
            check_select(x, len, 1);
        }
    }
}

static void random_numbers_are_right(void)
{
    lc_rng rng = lc_rng_seed(4);
    double x[LEN_MAX];
    for (int round = 0; round < 300; round++) {
        size_t len = 1 + case_below(&rng, LEN_MAX), kinds = 1 + case_below(&rng, 400);
        for (size_t i = 0; i < len; i++) {
            size_t kind = case_below(&rng, kinds); /* few kinds: many duplicates */
            x[i] = kind == 0 ? INFINITY : kind == 1 ? -INFINITY : kind == 2 ? 1e300 : (double)kind - 100;
        }
        check_select(x, len, 7);
    }
}

static void orders_that_trap_are_right(void)
{
    double x[LEN_MAX];
    for (int kind = 0; kind < 5; kind++) {
        for (size_t i = 0; i < LEN_MAX; i++) {
            double up = (double)i;
            double pipe = i < LEN_MAX / 2 ? up : LEN_MAX - up; /* up and down */
            x[i] = kind == 0 ? up : kind == 1 ? -up : kind == 2 ? 3 : kind == 3 ? pipe : (double)(i % 2);
        }
        check_select(x, LEN_MAX, 1);
    }
}

/* A million equal, sorted or alternating numbers: quadratic time would be minutes. */
static void long_arrays_take_linear_time(void)
{
    size_t len = 1000000;
    double *x = case_array(len, sizeof *x);
    CHECK_NEAR(lc_select_largest(x, len, len / 2), 0, 0);
    for (size_t i = 0; i < len; i++)
        x[i] = (double)i;
    CHECK_NEAR(lc_select_largest(x, len, 1000), (double)(len - 1000), 0);
    for (size_t i = 0; i < len; i++)
        x[i] = (double)(i % 2);
    CHECK_NEAR(lc_select_largest(x, len, len / 2 + 1), 0, 0);
    free(x);
}

int main(void)
{
    RUN(every_small_order_is_right);
    RUN(random_numbers_are_right);
    RUN(orders_that_trap_are_right);
    RUN(long_arrays_take_linear_time);
    return check_done();
}
