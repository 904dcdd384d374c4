/* SPDX-License-Identifier: MIT
 * test_tally.c - distributions of counts frame by frame against the exact ones, p-values and intervals by brute force,
 *   noise, and what calibration learns. */
#include "cases.h"

#include "detect/tally.h"
#include "model/count_calibration.h"

static void fill(lc_tally *tally, const double *logits, size_t n)
{
    lc_tally_clear(tally);
    for (size_t t = 0; t < n; t++)
        lc_tally_add(tally, logits[t]);
}

static void random_logits(double *logits, size_t n, double middle, lc_rng *rng)
{
    for (size_t t = 0; t < n; t++)
        logits[t] = middle + 2 * lc_rng_normal(rng);
}

static void nothing_is_zero_events(void)
{
    lc_tally tally = {.frames = 0};
    lc_tally_end(&tally, 0.5);
    lc_interval found = lc_tally_interval(&tally, 0.1, 0.5);
    CHECK(found.low == 0 && found.high == 0);
    CHECK_NEAR(found.probability, 1, 0);
    CHECK_NEAR(lc_tally_probability(&tally, loco_label_exact(0)), 1, 0);
    CHECK_NEAR(lc_tally_probability(&tally, loco_label_at_least(1)), 0, 0);
    CHECK_NEAR(lc_tally_p_value(&tally, 0, 0.5), 1, 0);
    CHECK_NEAR(lc_tally_p_value(&tally, 1, 0.5), 0, 0);
    lc_tally_free(&tally);
}

/* Also across blocks, and where bins at both ends are dropped. */
static void distributions_are_exact(void)
{
    const size_t lengths[] = {1, 2, 7, 60, 1023, 1024, 1025, 5000};
    loco_count *count = case_handle(1);
    lc_rng rng = lc_rng_seed(4);
    lc_tally tally = {.frames = 0};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = lengths[i];
        double *logits = case_array(n, sizeof *logits), *pmf = case_array(n + 1, sizeof *pmf), mean, variance;
        double worst = 0;
        random_logits(logits, n, -2, &rng);
        fill(&tally, logits, n);
        lc_tally_end(&tally, 0);
        CHECK_STATUS(loco_count_pmf(pmf, n, count, logits, n, NULL), LOCO_OK);
        CHECK_STATUS(loco_count_moments(&mean, &variance, logits, n, NULL), LOCO_OK);
        for (size_t k = 0; k <= n; k++)
            worst = fmax(worst, fabs(lc_tally_probability(&tally, loco_label_exact(k)) - pmf[k]));
        CHECK(!tally.failed && worst < 1e-13);
        CHECK_NEAR(tally.mean, mean, 1e-9);
        CHECK(n < 5000 || tally.sum.len < 30 * (size_t)sqrt(variance));
        free(logits);
        free(pmf);
    }
    lc_tally_free(&tally);
    loco_count_free(count);
}

/* Noise of one and a half counts, by the sum over all pairs; none of it below 0. */
static void noise_is_added(void)
{
    lc_rng rng = lc_rng_seed(9);
    lc_tally plain = {.frames = 0}, noisy = {.frames = 0};
    double logits[12], want[40] = {0}, sum = 0;
    random_logits(logits, 12, -1, &rng);
    fill(&plain, logits, 12);
    fill(&noisy, logits, 12);
    double deviation = 0.4 * plain.mean;
    lc_tally_end(&plain, 0);
    lc_tally_end(&noisy, 0.4);
    for (int n = 0; n < 40; n++)
        for (int m = 0; m <= 12; m++) {
            double low = (n - m - 0.5) / deviation, high = (n - m + 0.5) / deviation;
            want[n] += lc_tally_probability(&plain, loco_label_exact((size_t)m)) *
                       (erf(high * M_SQRT1_2) - erf(low * M_SQRT1_2)) / 2;
        }
    for (int n = 0; n < 40; n++)
        sum += want[n];
    for (size_t n = 0; n < 40; n++)
        CHECK_NEAR(lc_tally_probability(&noisy, loco_label_exact(n)), want[n] / sum, 1e-12);
    CHECK_NEAR(lc_tally_probability(&noisy, loco_label_unknown()), 1, 1e-12);
    lc_tally_free(&plain);
    lc_tally_free(&noisy);
}

/* p(n) by its definition, over all counts. */
static double slow_p_value(const lc_tally *tally, size_t n, size_t most, double dice)
{
    double own = lc_tally_probability(tally, loco_label_exact(n)), sum = dice * own;
    bool likeliest = true;
    for (size_t k = 0; k <= most; k++) {
        double other = lc_tally_probability(tally, loco_label_exact(k));
        likeliest &= k == n || other < own;
        sum += other < own ? other : 0;
    }
    return likeliest ? 1 : sum;
}

static void p_values_and_intervals_agree(void)
{
    lc_rng rng = lc_rng_seed(17);
    lc_tally tally = {.frames = 0};
    for (int round = 0; round < 300; round++) {
        double logits[30], dice = lc_rng_uniform(&rng), tail = 0.5 * lc_rng_uniform(&rng);
        size_t n = 1 + case_below(&rng, 30);
        random_logits(logits, n, -3 + 3 * lc_rng_uniform(&rng), &rng);
        fill(&tally, logits, n);
        lc_tally_end(&tally, round % 2 > 0 ? 0.2 : 0);
        lc_interval found = lc_tally_interval(&tally, tail, dice);
        double inside = 0;
        for (size_t k = 0; k < 60; k++) {
            double p = lc_tally_p_value(&tally, k, dice);
            CHECK_NEAR(p, slow_p_value(&tally, k, 100, dice), 1e-12);
            CHECK((p >= tail) == (k >= found.low && k <= found.high));
            inside += k >= found.low && k <= found.high ? lc_tally_probability(&tally, loco_label_exact(k)) : 0;
        }
        CHECK_NEAR(found.probability, inside, 1e-9);
        CHECK(lc_tally_dice(&tally, 0) >= 0 && lc_tally_dice(&tally, 0) < 1);
    }
    lc_tally_free(&tally);
}

/* Where the distributions are right, the dice make p-values uniform from the part of the likeliest counts on: intervals
 * to 1 - level then hold counts as often as they should. */
static void right_distributions_keep_their_word(void)
{
    enum { CLIPS = 6000, FRAMES = 40 };
    lc_rng rng = lc_rng_seed(5);
    lc_tally tally = {.frames = 0};
    double held = 0, claimed = 0;
    for (size_t i = 0; i < CLIPS; i++) {
        double logits[FRAMES];
        size_t truth = 0;
        random_logits(logits, FRAMES, -1.5, &rng);
        fill(&tally, logits, FRAMES);
        lc_tally_end(&tally, 0);
        for (size_t t = 0; t < FRAMES; t++)
            truth += lc_rng_uniform(&rng) < 1 / (1 + exp(-logits[t]));
        lc_interval found = lc_tally_interval(&tally, 0.1, lc_tally_dice(&tally, 0));
        held += truth >= found.low && truth <= found.high;
        claimed += found.probability;
    }
    printf("    held %.4f, claimed %.4f\n", held / CLIPS, claimed / CLIPS);
    CHECK_NEAR(held / CLIPS, 0.9, 0.012);
    CHECK_NEAR(claimed / CLIPS, 0.9, 0.006);
    lc_tally_free(&tally);
}

static void tails_are_ranks(void)
{
    lc_count_calibration defaults = lc_count_calibration_default(), learned = defaults;
    double p_values[99];
    CHECK_NEAR(defaults.scale, 1, 0);
    CHECK_NEAR(defaults.shift, 0, 0);
    CHECK_NEAR(lc_count_calibration_tail(&defaults, 0.9), 0.1, 1e-12);
    CHECK_NEAR(lc_count_calibration_tail(&defaults, 0.5), 0.5, 1e-12);
    CHECK_NEAR(lc_count_calibration_tail(&defaults, 0.99), 0.01, 1e-12);
    CHECK_NEAR(lc_count_calibration_tail(&defaults, 0.2), 0.5, 1e-12);
    double between = lc_count_calibration_tail(&defaults, 0.85);
    CHECK_NEAR(between, sqrt(0.2 * 0.1), 1e-9);
    for (size_t i = 0; i < 99; i++)
        p_values[i] = (double)((i * 37) % 99 + 1) / 100; /* 0.01 to 0.99, mixed */
    lc_count_calibration_learn(&learned, p_values, 99, 0);
    for (size_t i = 0; i < LC_TAILS; i++)
        CHECK_NEAR(learned.tails[i], 1 - lc_tail_levels[i], 1e-9);
    /* nine are enough for 90 %, and too few for more: the least is taken, or what the distribution claims */
    double few[] = {0.9, 0.1, 0.5, 0.2, 0.3, 0.8, 0.7, 0.6, 0.4};
    lc_count_calibration_learn(&learned, few, 9, 0);
    CHECK_NEAR(lc_count_calibration_tail(&learned, 0.9), 0.1, 1e-12);
    CHECK_NEAR(lc_count_calibration_tail(&learned, 0.99), 0.01, 1e-12);
    CHECK_NEAR(lc_count_calibration_tail(&learned, 0.5), 0.5, 1e-12);
    /* one recording of sure counts, and one that the distribution fits: number 2 of the 19 ranks is its second */
    for (size_t i = 0; i < 9; i++)
        few[i] = 1;
    lc_count_calibration_learn(&learned, few, 9, 10);
    CHECK_NEAR(lc_count_calibration_tail(&learned, 0.9), 0.15, 1e-12);
    lc_count_calibration_learn(&learned, few, 9, 0);
    CHECK_NEAR(lc_count_calibration_tail(&learned, 0.9), 1, 1e-12);
}

int main(void)
{
    RUN(nothing_is_zero_events);
    RUN(distributions_are_exact);
    RUN(noise_is_added);
    RUN(p_values_and_intervals_agree);
    RUN(right_distributions_keep_their_word);
    RUN(tails_are_ranks);
    return check_done();
}
