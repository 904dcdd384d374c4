/* SPDX-License-Identifier: MIT
 * test_strided.c - arrays of floats or doubles with a stride, read and written as doubles. */
#include "cases.h"

#include "count/strided.h"

static void floats_are_read_with_their_stride(void)
{
    const float x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    double to[9] = {0};
    lc_strided s = lc_strided_float(x, 3);
    lc_strided_read(&s, 1, 2, to, 2);
    CHECK_NEAR(to[0], 4, 0);
    CHECK_NEAR(to[1], 0, 0);
    CHECK_NEAR(to[2], 7, 0);
    CHECK_NEAR(to[3], 0, 0);
    s = lc_strided_float(x, 1);
    lc_strided_read(&s, 0, 9, to, 1);
    for (size_t i = 0; i < 9; i++)
        CHECK_NEAR(to[i], (double)x[i], 0);
}

static void doubles_are_read_as_they_are(void)
{
    const double x[] = {0.1, -INFINITY, 1e300};
    double to[3];
    lc_strided s = lc_strided_double(x);
    lc_strided_read(&s, 0, 3, to, 1);
    CHECK(case_same(x, to, sizeof x));
    lc_strided_read(&s, 2, 1, to, 1);
    CHECK_NEAR(to[0], 1e300, 0);
}

static void only_the_elements_are_written(void)
{
    float x[8] = {0};
    double d[4] = {0};
    const double from[] = {1, 99, 2, 99, 3};
    lc_strided s = lc_strided_float(x, 3), plain = lc_strided_double(d), none = lc_strided_float(NULL, 1);
    lc_strided_write(&s, 0, 3, from, 2);
    for (size_t i = 0; i < 8; i++)
        CHECK_NEAR((double)x[i], i % 3 == 0 ? 1 + (double)i / 3 : 0, 0);
    lc_strided_write(&plain, 1, 2, from, 2);
    CHECK(d[0] == 0 && d[1] == 1 && d[2] == 2 && d[3] == 0);
    lc_strided_write(&none, 0, 3, from, 1);
    lc_strided_write(&s, 0, 0, from, 1);
}

static void numbers_round_to_float(void)
{
    float x[2] = {0};
    const double from[] = {0.1, 1e-50};
    lc_strided s = lc_strided_float(x, 1);
    lc_strided_write(&s, 0, 2, from, 1);
    CHECK(x[0] == 0.1f);
    CHECK(x[1] == 0);
}

static void check_reach(lc_strided s, size_t n, double want, size_t want_nan_at)
{
    size_t nan_at = 12345;
    double reach = lc_strided_reach(&s, n, &nan_at);
    CHECK_EQ(nan_at, want_nan_at);
    if (want_nan_at == n)
        CHECK_NEAR(reach, want, 0);
}

static void the_largest_size_is_found(void)
{
    const double d[] = {-3, 2, -0.0, 7, -8.5};
    const float f[] = {-3, 100, 2, 100, -5, 100};
    check_reach(lc_strided_double(d), 5, 8.5, 5);
    check_reach(lc_strided_double(d), 3, 3, 3);
    check_reach(lc_strided_double(d + 2), 1, 0, 1);
    check_reach(lc_strided_double(NULL), 0, 0, 0);
    check_reach(lc_strided_float(NULL, 1), 0, 0, 0);
    check_reach(lc_strided_float(f, 2), 3, 5, 3);
    const double tiny[] = {5e-324, -1e-310};
    const float tinyf[] = {1e-45f, -1e-40f};
    check_reach(lc_strided_double(tiny), 2, 1e-310, 2);
    check_reach(lc_strided_float(tinyf, 1), 2, (double)1e-40f, 2);
}

static void infinities_and_nans_are_found(void)
{
    double d[] = {1, -INFINITY, 3, INFINITY};
    float f[] = {1, INFINITY, 3, -INFINITY};
    check_reach(lc_strided_double(d), 4, INFINITY, 4);
    check_reach(lc_strided_float(f, 1), 4, INFINITY, 4);
    for (size_t at = 4; at-- > 0;) {
        d[at] = at % 2 ? (double)NAN : -(double)NAN;
        f[at] = at % 2 ? -NAN : NAN;
        check_reach(lc_strided_double(d), 4, 0, at);
        check_reach(lc_strided_float(f, 1), 4, 0, at);
    }
    const float gap[] = {1, NAN, 2, NAN, NAN, 7};
    check_reach(lc_strided_float(gap, 2), 3, 0, 2);
}

int main(void)
{
    RUN(floats_are_read_with_their_stride);
    RUN(doubles_are_read_as_they_are);
    RUN(only_the_elements_are_written);
    RUN(numbers_round_to_float);
    RUN(the_largest_size_is_found);
    RUN(infinities_and_nans_are_found);
    return check_done();
}
