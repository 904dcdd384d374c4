/* SPDX-License-Identifier: MIT
 * test_reliability.c - bins, calibration error and intervals of shares. */
#include "cases.h"

#include "eval/reliability.h"

static void nothing_is_no_error(void)
{
    lc_reliability r = {{0}, {0}, {0}};
    CHECK_EQ(lc_reliability_events(&r), 0);
    CHECK_NEAR(lc_reliability_error(&r), 0, 0);
    CHECK_NEAR(lc_reliability_claimed(&r), 0, 0);
    CHECK_NEAR(lc_reliability_right(&r), 0, 0);
}

static void events_fall_into_bins(void)
{
    lc_reliability r = {{0}, {0}, {0}};
    lc_reliability_add(&r, 0, false);
    lc_reliability_add(&r, 0.0999, false);
    lc_reliability_add(&r, 0.55, true);
    lc_reliability_add(&r, 0.53, false);
    lc_reliability_add(&r, 1, true);
    CHECK_EQ(r.events[0], 2);
    CHECK_EQ(r.events[5], 2);
    CHECK_EQ(r.right[5], 1);
    CHECK_EQ(r.events[9], 1);
    CHECK_EQ(lc_reliability_events(&r), 5);
    CHECK_NEAR(lc_reliability_claimed(&r), (0.0999 + 0.55 + 0.53 + 1) / 5, 1e-15);
    CHECK_NEAR(lc_reliability_right(&r), 0.4, 1e-15);
    CHECK_NEAR(lc_reliability_error(&r), (0.0999 + 0.08) / 5, 1e-15);
}

/* Events that are right as often as they say have a small error, others not. */
static void random_claims_are_calibrated(void)
{
    lc_rng rng = lc_rng_seed(3);
    lc_reliability honest = {{0}, {0}, {0}}, boasting = {{0}, {0}, {0}};
    for (size_t i = 0; i < 100000; i++) {
        double p = lc_rng_uniform(&rng);
        bool right = lc_rng_uniform(&rng) < p;
        lc_reliability_add(&honest, p, right);
        lc_reliability_add(&boasting, sqrt(p), right);
    }
    CHECK(lc_reliability_error(&honest) < 0.01);
    CHECK_NEAR(lc_reliability_error(&boasting), 2.0 / 3 - 0.5, 0.01);
}

/* 81 of 263: the example of Newcombe (1998). */
static void intervals_are_wilson(void)
{
    double low, high;
    lc_reliability_interval(81, 263, &low, &high);
    CHECK_NEAR(low, 0.2553, 5e-5);
    CHECK_NEAR(high, 0.3662, 5e-5);
    lc_reliability_interval(0, 20, &low, &high);
    CHECK_NEAR(low, 0, 1e-12);
    CHECK_NEAR(high, 0.1611, 5e-5);
    lc_reliability_interval(29, 29, &low, &high);
    CHECK_NEAR(low, 0.8830, 5e-5);
    CHECK_NEAR(high, 1, 1e-12);
}

int main(void)
{
    RUN(nothing_is_no_error);
    RUN(events_fall_into_bins);
    RUN(random_claims_are_calibrated);
    RUN(intervals_are_wilson);
    return check_done();
}
