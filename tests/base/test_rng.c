/* SPDX-License-Identifier: MIT
 * test_rng.c - random numbers: the published sequence, fixed first numbers, moments. */
#include "cases.h"

enum { N = 200000 };

/* The first numbers of xoshiro256++ from state 1, 2, 3, 4, as its ports to other languages test them. */
static void the_generator_is_xoshiro(void)
{
    static const uint64_t want[] = {
        41943041u,
        58720359u,
        3588806011781223u,
        3591011842654386u,
        9228616714210784205u,
        9973669472204895162u,
        14011001112246962877u,
        12406186145184390807u,
        15849039046786891736u,
        10450023813501588000u,
    };
    lc_rng rng = {
        {1, 2, 3, 4}
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        CHECK(lc_rng_next(&rng) == want[i]);
}

/* The published first outputs of splitmix64 for seed 0. */
static void the_seed_is_spread_by_splitmix(void)
{
    lc_rng rng = lc_rng_seed(0);
    CHECK(rng.s[0] == 0xe220a8397b1dcdafu);
    CHECK(rng.s[1] == 0x6e789e6aa1b965f4u);
    CHECK(rng.s[2] == 0x06c45d188009454fu);
    CHECK(rng.s[3] == 0xf88bb8a8724c81ecu);
}

static void first_numbers_stay(void)
{
    lc_rng rng = lc_rng_seed(1);
    CHECK(lc_rng_next(&rng) == 0xcfc5d07f6f03c29bu);
    CHECK(lc_rng_next(&rng) == 0xbf424132963fe08du);
    rng = lc_rng_seed(2019);
    CHECK_NEAR(lc_rng_uniform(&rng), 0.12502229804514264, 0);
    CHECK_NEAR(lc_rng_uniform(&rng), 0.8372967545877715, 0);
}

static void seeds_give_their_own_streams(void)
{
    lc_rng a = lc_rng_seed(5), again = lc_rng_seed(5), b = lc_rng_seed(6);
    size_t same = 0;
    for (size_t i = 0; i < 1000; i++) {
        uint64_t x = lc_rng_next(&a);
        CHECK(x == lc_rng_next(&again));
        same += x == lc_rng_next(&b);
    }
    CHECK_EQ(same, 0);
}

/* Bounds are five standard deviations of the estimates. */
static void uniforms_fill_the_interval(void)
{
    lc_rng rng = lc_rng_seed(7);
    double sum = 0, squares = 0, lag = 0, before = 0.5;
    size_t bins[10] = {0};
    for (size_t i = 0; i < N; i++) {
        double x = lc_rng_uniform(&rng);
        if (!(x >= 0 && x < 1)) {
            CHECK(x >= 0 && x < 1);
            return;
        }
        sum += x;
        squares += x * x;
        lag += (x - 0.5) * (before - 0.5);
        before = x;
        bins[(size_t)(10 * x)]++;
    }
    CHECK_NEAR(sum / N, 0.5, 5 * sqrt(1.0 / 12 / N));
    CHECK_NEAR(squares / N, 1.0 / 3, 5 * sqrt(4.0 / 45 / N));
    CHECK_NEAR(lag / N, 0, 5.0 / 12 / sqrt(N));
    for (size_t i = 0; i < 10; i++)
        CHECK_NEAR((double)bins[i], N / 10.0, 5 * sqrt(N * 0.09));
}

static void normals_have_their_moments(void)
{
    lc_rng rng = lc_rng_seed(8);
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
    size_t beyond = 0;
    for (size_t i = 0; i < N; i++) {
        double x = lc_rng_normal(&rng);
        m1 += x;
        m2 += x * x;
        m3 += x * x * x;
        m4 += x * x * x * x;
        beyond += fabs(x) > 1.959963984540054;
    }
    CHECK_NEAR(m1 / N, 0, 5 * sqrt(1.0 / N));
    CHECK_NEAR(m2 / N, 1, 5 * sqrt(2.0 / N));
    CHECK_NEAR(m3 / N, 0, 5 * sqrt(15.0 / N));
    CHECK_NEAR(m4 / N, 3, 5 * sqrt(96.0 / N));
    CHECK_NEAR((double)beyond, 0.05 * N, 5 * sqrt(N * 0.05 * 0.95));
}

int main(void)
{
    RUN(the_generator_is_xoshiro);
    RUN(the_seed_is_spread_by_splitmix);
    RUN(first_numbers_stay);
    RUN(seeds_give_their_own_streams);
    RUN(uniforms_fill_the_interval);
    RUN(normals_have_their_moments);
    return check_done();
}
