/* SPDX-License-Identifier: MIT
 * test_series_slope.c - the slope of a series: symmetric, without level or size, sums over channels. */
#include "cases.h"

#include "signal/series_strength.h"

static void slopes_of_a_small_case(void)
{
    static const float x[] = {100, 5, 100, 5, 101, 5, 103, 5, 103, 5}; /* the second channel does not move */
    static const float want[] = {0, 1, 3, 2, 0};                       /* |x[i+1] - x[i-1]|, mean 1.2 */
    float y[5];
    lc_series_slope(x, 5, 2, y);
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(y[i], want[i] / 1.2, 1e-6);
}

static void size_and_level_do_not_matter(void)
{
    float x[200], both[400], y[200], z[200];
    lc_rng rng = lc_rng_seed(1);
    for (size_t i = 0; i < 200; i++) {
        x[i] = (float)lc_rng_normal(&rng);
        both[2 * i] = both[2 * i + 1] = 0.25f * x[i] - 3;
    }
    lc_series_slope(x, 200, 1, y);
    lc_series_slope(both, 200, 2, z);
    for (size_t i = 0; i < 200; i++)
        CHECK_NEAR(z[i], 2 * y[i], 1e-4);
}

static void a_peak_is_in_its_middle(void)
{
    float x[101], y[101];
    double sum = 0, weighted = 0;
    for (int i = 0; i < 101; i++)
        x[i] = expf(-0.1f * (float)((i - 40) * (i - 40)));
    lc_series_slope(x, 101, 1, y);
    for (int i = 0; i < 101; i++) {
        sum += (double)y[i];
        weighted += i * (double)y[i];
    }
    CHECK_NEAR(weighted / sum, 40, 1e-3);
}

static void short_series_are_no_trouble(void)
{
    float y[2] = {7, 7};
    lc_series_slope(NULL, 0, 1, y);
    CHECK_NEAR(y[0], 7, 0);
    lc_series_slope((const float[]){3}, 1, 1, y);
    CHECK_NEAR(y[0], 0, 0);
}

int main(void)
{
    RUN(slopes_of_a_small_case);
    RUN(size_and_level_do_not_matter);
    RUN(a_peak_is_in_its_middle);
    RUN(short_series_are_no_trouble);
    return check_done();
}
