/* SPDX-License-Identifier: MIT
 * test_count_score.c - scores of counts: known cases, and distributions that are right, too wide, too narrow. */
#include "check.h"

#include "base/rng.h"
#include "eval/count_score.h"

enum { BINS = 41 };

static void wrong_arguments_are_refused(void)
{
    lc_count_score score = {0};
    loco_err err;
    double pmf[] = {0.5, 0.5}, short_sum[] = {0.5, 0.4}, negative[] = {1.5, -0.5}, nan[] = {NAN, 1};
    size_t low[] = {2, 1, 0}, high[] = {3, 4, 5};
    CHECK_STATUS(lc_count_score_add(NULL, pmf, 2, 0, &err), LOCO_EARG);
    CHECK_STATUS(lc_count_score_add(&score, NULL, 2, 0, &err), LOCO_EARG);
    CHECK_STATUS(lc_count_score_add(&score, pmf, 0, 0, &err), LOCO_EARG);
    CHECK_STATUS(lc_count_score_add(&score, short_sum, 2, 0, &err), LOCO_EDATA);
    CHECK_STATUS(lc_count_score_add(&score, negative, 2, 0, &err), LOCO_EDATA);
    CHECK_STATUS(lc_count_score_add(&score, nan, 2, 0, &err), LOCO_EDATA);
    CHECK_STATUS(lc_count_score_add_interval(&score, NAN, low, high, 0, &err), LOCO_EDATA);
    CHECK_STATUS(lc_count_score_add_interval(&score, -1, low, high, 0, &err), LOCO_EDATA);
    CHECK_STATUS(lc_count_score_add_interval(&score, 1, high, low, 0, &err), LOCO_EDATA);
    CHECK_STATUS(lc_count_score_add_interval(&score, 1, NULL, high, 0, &err), LOCO_EARG);
    CHECK_EQ(score.clips, 0);
    CHECK_EQ(lc_count_score_read(&score).clips, 0);
}

/* Levels 0.5, 0.8, 0.9 on 0, 1, 2 with 0.2, 0.5, 0.3: F = 0.2, 0.7, 1. Quantiles 25 % and 75 %: 1 and 2; 10 % and 90 %,
 * 5 % and 95 %: 0 and 2. */
static void one_small_clip(void)
{
    lc_count_score score = {0};
    double pmf[] = {0.2, 0.5, 0.3};
    CHECK_STATUS(lc_count_score_add(&score, pmf, 3, 0, NULL), LOCO_OK);
    lc_count_row row = lc_count_score_read(&score);
    CHECK(row.clips == 1 && row.distributions == 1 && row.impossible == 0);
    CHECK_NEAR(row.exact, 0, 0);
    CHECK_NEAR(row.distance, 1.1, 1e-15);
    CHECK_NEAR(row.bias, 1.1, 1e-15);
    CHECK_NEAR(row.coverage[0], 0, 0);
    CHECK_NEAR(row.coverage[1], 1, 0);
    CHECK_NEAR(row.claimed[0], 0.8, 1e-15);
    CHECK_NEAR(row.claimed[1], 1, 1e-15);
    CHECK_NEAR(row.log_loss, -log(0.2), 1e-15);
    CHECK_NEAR(row.pit[0], 0.5, 1e-12); /* the weight lies evenly in 0..0.2 */
    CHECK_NEAR(row.pit[1], 0.5, 1e-12);
    CHECK_NEAR(row.pit_deviation, 0.4, 1e-12);
    CHECK_STATUS(lc_count_score_add(&score, pmf, 3, 1, NULL), LOCO_OK);
    row = lc_count_score_read(&score);
    CHECK_NEAR(row.exact, 0.5, 0);
    CHECK_NEAR(row.distance, 0.6, 1e-15);
    CHECK_NEAR(row.coverage[0], 0.5, 0);
    CHECK_NEAR(row.pit[4], 0.1, 1e-12); /* 1 / 5 of the second clip, which is half of the weight */
}

static void quantiles_forgive_rounding(void)
{
    lc_count_score score = {0};
    double pmf[20];
    for (int k = 0; k < 20; k++)
        pmf[k] = 0.05;
    for (size_t truth = 0; truth < 20; truth++)
        CHECK_STATUS(lc_count_score_add(&score, pmf, 20, truth, NULL), LOCO_OK);
    lc_count_row row = lc_count_score_read(&score);
    for (int l = 0; l < LC_LEVELS; l++) { /* the lower quantile itself belongs to the interval: one bin more */
        CHECK_NEAR(row.coverage[l], lc_levels[l] + 0.05, 1e-12);
        CHECK_NEAR(row.claimed[l], lc_levels[l] + 0.05, 1e-12);
    }
    CHECK_NEAR(row.pit_deviation, 0, 1e-12);
}

static void impossible_counts_stay_finite(void)
{
    lc_count_score score = {0};
    double pmf[] = {1, 0, 0};
    CHECK_STATUS(lc_count_score_add(&score, pmf, 3, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_count_score_add(&score, pmf, 3, 9, NULL), LOCO_OK); /* lies in the last bin */
    lc_count_row row = lc_count_score_read(&score);
    CHECK_EQ(row.impossible, 2);
    CHECK_NEAR(row.log_loss, -log(1e-300), 1e-9);
    CHECK_NEAR(row.pit[LC_PIT_BINS - 1], 1, 1e-15);
    CHECK_NEAR(row.distance, 5.5, 1e-15);
}

static void intervals_count_as_well(void)
{
    lc_count_score score = {0}, other = {0};
    size_t low[] = {4, 3, 2}, high[] = {5, 6, 7};
    CHECK_STATUS(lc_count_score_add_interval(&other, 4.6, low, high, 5, NULL), LOCO_OK); /* rounded, not cut */
    CHECK_STATUS(lc_count_score_add_interval(&other, 5.4, low, high, 5, NULL), LOCO_OK);
    CHECK_NEAR(lc_count_score_read(&other).exact, 1, 0);
    other = (lc_count_score){0};
    for (size_t truth = 2; truth < 10; truth++)
        CHECK_STATUS(lc_count_score_add_interval(&score, 4.6, low, high, truth, NULL), LOCO_OK);
    lc_count_row row = lc_count_score_read(&score);
    CHECK_NEAR(row.exact, 1.0 / 8, 1e-15);
    CHECK_NEAR(row.coverage[0], 2.0 / 8, 1e-15);
    CHECK_NEAR(row.coverage[1], 4.0 / 8, 1e-15);
    CHECK_NEAR(row.coverage[2], 6.0 / 8, 1e-15);
    CHECK(row.distributions == 0 && row.pit_deviation <= 0);
    CHECK_STATUS(lc_count_score_add(&other, (double[]){0, 1}, 2, 1, NULL), LOCO_OK);
    lc_count_score_join(&score, &other);
    row = lc_count_score_read(&score);
    CHECK(row.clips == 9 && row.distributions == 1);
    CHECK_NEAR(row.exact, 2.0 / 9, 1e-15);
    CHECK_NEAR(row.claimed[0], (8 * 0.5 + 1) / 9, 1e-12);
    CHECK_NEAR(row.log_loss, 0, 1e-15);
}

/* Binomial with n = BINS - 1. */
static void binomial(double p, double *pmf)
{
    for (int k = 0; k < BINS; k++)
        pmf[k] = exp(lgamma(BINS) - lgamma(k + 1) - lgamma(BINS - k) + k * log(p) + (BINS - 1 - k) * log(1 - p));
}

static size_t draw(lc_rng *rng, double p)
{
    size_t n = 0;
    for (int t = 0; t < BINS - 1; t++)
        n += lc_rng_uniform(rng) < p;
    return n;
}

/* power 1: the true distribution; below: wider; above: narrower. */
static lc_count_row calibration(double power)
{
    lc_count_score score = {0};
    lc_rng rng = lc_rng_seed(3);
    for (int i = 0; i < 20000; i++) {
        double pmf[BINS], p = 0.1 + 0.8 * lc_rng_uniform(&rng), sum = 0;
        binomial(p, pmf);
        size_t truth = draw(&rng, p);
        for (int k = 0; k < BINS; k++)
            sum += pmf[k] = pow(pmf[k], power);
        for (int k = 0; k < BINS; k++)
            pmf[k] /= sum;
        CHECK_STATUS(lc_count_score_add(&score, pmf, BINS, truth, NULL), LOCO_OK);
    }
    return lc_count_score_read(&score);
}

static void the_histogram_shows_the_width(void)
{
    lc_count_row right = calibration(1), wide = calibration(0.4), narrow = calibration(2.5);
    double sum = 0;
    for (int b = 0; b < LC_PIT_BINS; b++)
        sum += right.pit[b];
    CHECK_NEAR(sum, 1, 1e-9);
    CHECK(right.pit_deviation < 0.01); /* standard error 0.002 */
    for (int l = 0; l < LC_LEVELS; l++) {
        CHECK_NEAR(right.coverage[l], right.claimed[l], 0.012);
        CHECK(right.claimed[l] >= lc_levels[l]);
        CHECK(wide.coverage[l] > wide.claimed[l] + 0.03);
        CHECK(narrow.coverage[l] < narrow.claimed[l] - 0.05);
    }
    CHECK(wide.pit[5] > 0.12 && wide.pit[0] < 0.06);
    CHECK(narrow.pit[0] > 0.12 && narrow.pit[9] > 0.12 && narrow.pit[5] < 0.09);
    CHECK(right.log_loss < wide.log_loss && right.log_loss < narrow.log_loss);
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(one_small_clip);
    RUN(quantiles_forgive_rounding);
    RUN(impossible_counts_stay_finite);
    RUN(intervals_count_as_well);
    RUN(the_histogram_shows_the_width);
    return check_done();
}
