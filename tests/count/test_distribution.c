/* SPDX-License-Identifier: MIT
 * test_distribution.c - the distribution of the count: all of it, cut off, growing over time, its moments and
 * quantiles. */
#include "cases.h"

#include "reference.h"

enum { LONGEST = 500 };

static loco_count *count;
static loco_err err;

/* ---- wrong arguments ---- */

static const double two[] = {0, 1};
static double out[8];

static void check_refused(loco_status got, loco_status want, const char *says)
{
    CHECK_STATUS(got, want);
    CHECK_SAYS(err.text, says);
    for (size_t i = 0; i < 8; i++)
        CHECK_NEAR(out[i], 77, 0);
    err.text[0] = 0;
}

static void wrong_arguments_are_refused(void)
{
    double bad[] = {0, 1, (double)NAN};
    for (size_t i = 0; i < 8; i++)
        out[i] = 77;
    check_refused(loco_count_pmf(out, 2, NULL, two, 2, &err), LOCO_EARG, "handle and pmf must not be NULL");
    check_refused(loco_count_pmf(NULL, 2, count, two, 2, &err), LOCO_EARG, "handle and pmf must not be NULL");
    check_refused(loco_count_pmf(out, 2, count, NULL, 2, &err), LOCO_EARG, "logits must not be NULL when length is 2");
    check_refused(loco_count_pmf(out, 2, count, bad, 3, &err), LOCO_EDATA, "logit 2 is NaN");
    check_refused(loco_count_pmf(out, SIZE_MAX, count, two, 2, &err), LOCO_EARG,
                  "is too large; the 2 frames fill no more");
    check_refused(loco_count_growth(NULL, 2, two, 2, &err), LOCO_EARG, "growth must not be NULL");
    check_refused(loco_count_growth(out, 2, NULL, 2, &err), LOCO_EARG, "logits must not be NULL");
    check_refused(loco_count_growth(out, 2, bad, 3, &err), LOCO_EDATA, "logit 2 is NaN");
    check_refused(loco_count_growth(out, SIZE_MAX, two, 2, &err), LOCO_EARG, "more than memory can hold");
    check_refused(loco_count_growth(out, SIZE_MAX / 4, two, 2, &err), LOCO_EARG, "more than memory can hold");
    check_refused(loco_count_moments(NULL, out, two, 2, &err), LOCO_EARG, "mean and variance must not be NULL");
    check_refused(loco_count_moments(out, NULL, two, 2, &err), LOCO_EARG, "mean and variance must not be NULL");
    check_refused(loco_count_moments(out, out + 1, bad, 3, &err), LOCO_EDATA, "logit 2 is NaN");
    CHECK_STATUS(loco_count_pmf(out, 2, NULL, two, 2, NULL), LOCO_EARG);
}

static void wrong_levels_are_refused(void)
{
    static const double levels[] = {0, 1, -0.5, 1.5, NAN, INFINITY};
    double bad = (double)NAN;
    size_t k = 77;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        CHECK_STATUS(loco_count_quantile(&k, count, two, 2, levels[i], &err), LOCO_EARG);
        CHECK_SAYS(err.text, "is not between 0 and 1; the median is 0.5");
    }
    CHECK_STATUS(loco_count_quantile(&k, NULL, two, 2, 0.5, &err), LOCO_EARG);
    CHECK_STATUS(loco_count_quantile(NULL, count, two, 2, 0.5, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "handle and k must not be NULL");
    CHECK_STATUS(loco_count_quantile(&k, count, &bad, 1, 0.5, &err), LOCO_EDATA);
    CHECK_EQ(k, 77);
}

/* ---- small cases ---- */

static void pmf_of(const double *z, size_t T, size_t k_max, double *pmf)
{
    CHECK_STATUS(loco_count_pmf(pmf, k_max, count, z, T, &err), LOCO_OK);
}

static void all_sets_agree(void)
{
    lc_rng rng = lc_rng_seed(51);
    double pmf_error = 0, sum_error = 0;
    for (int i = 0; i < 300; i++) {
        double z[10], pmf[11], posterior[REF_BRUTE_MAX], sum = 0;
        size_t T = case_below(&rng, 11);
        case_logits(&rng, z, T, i % 2 ? 2 : 20, 0);
        pmf_of(z, T, T, pmf);
        for (size_t k = 0; k <= T; k++) {
            double loss;
            ref_brute(z, T, loco_label_exact(k), &loss, posterior);
            worst_note(&pmf_error, log(pmf[k]), -loss, fmax(1, loss));
            sum += pmf[k];
        }
        worst_note(&sum_error, sum, 1, 1);
    }
    CHECK_WORST(pmf_error, 1e-14);
    CHECK_WORST(sum_error, 1e-14);
}

static void certain_frames_move_the_pmf(void)
{
    static const double z[] = {INFINITY, 0, -INFINITY, INFINITY, 0};
    static const double want[] = {0, 0, 0.25, 0.5, 0.25, 0};
    double pmf[6], mean, variance;
    size_t k;
    pmf_of(z, 5, 5, pmf);
    for (size_t i = 0; i < 6; i++)
        CHECK_NEAR(pmf[i], want[i], 0);
    CHECK_STATUS(loco_count_moments(&mean, &variance, z, 5, &err), LOCO_OK);
    CHECK_NEAR(mean, 3, 0);
    CHECK_NEAR(variance, 0.5, 0);
    CHECK_STATUS(loco_count_quantile(&k, count, z, 5, 0.2, &err), LOCO_OK);
    CHECK_EQ(k, 2);
    CHECK_STATUS(loco_count_quantile(&k, count, z, 5, 0.9, &err), LOCO_OK);
    CHECK_EQ(k, 4);
}

static void no_frame_has_no_event(void)
{
    double pmf[3], mean, variance, growth[2];
    size_t k = 77;
    pmf_of(NULL, 0, 2, pmf);
    CHECK(pmf[0] == 1 && pmf[1] == 0 && pmf[2] == 0);
    pmf_of(NULL, 0, 0, pmf);
    CHECK(pmf[0] == 1);
    CHECK_STATUS(loco_count_growth(growth, 1, NULL, 0, &err), LOCO_OK);
    CHECK(growth[0] == 1 && growth[1] == 0);
    CHECK_STATUS(loco_count_moments(&mean, &variance, NULL, 0, &err), LOCO_OK);
    CHECK(mean == 0 && variance == 0);
    CHECK_STATUS(loco_count_quantile(&k, count, NULL, 0, 0.5, &err), LOCO_OK);
    CHECK_EQ(k, 0);
}

/* ---- against long double ---- */

/* Relative accuracy down to the smallest double. */
static void tails_are_exact(void)
{
    static double z[LONGEST], pmf[LONGEST + 1];
    static wide want[LONGEST + 1];
    lc_rng rng = lc_rng_seed(52);
    double relative_error = 0;
    for (int i = 0; i < 20; i++) {
        size_t T = LONGEST - case_below(&rng, 100);
        case_logits(&rng, z, T, 3, i % 2 ? -2 : 1);
        pmf_of(z, T, T, pmf);
        ref_pmf(z, T, want);
        for (size_t k = 0; k <= T; k++) {
            if (want[k] > 1e-290L)
                worst_note(&relative_error, pmf[k], (double)want[k], (double)want[k]);
        }
    }
    CHECK_WORST(relative_error, 1e-13);
}

static void the_last_bin_keeps_the_tail(void)
{
    static const size_t lengths[] = {1, 2, 5, 40, 200};
    static double z[200], pmf[210];
    static wide full[201];
    lc_rng rng = lc_rng_seed(53);
    double bin_error = 0, tail_error = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t T = lengths[i], cuts[] = {0, 1, 2, T / 2, T - 1, T, T + 1, T + 7};
        case_logits(&rng, z, T, 2, -1);
        ref_pmf(z, T, full);
        for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
            wide tail = 0;
            pmf_of(z, T, cuts[c], pmf);
            for (size_t k = cuts[c]; k <= T; k++)
                tail += full[k];
            for (size_t k = 0; k < cuts[c]; k++)
                worst_note(&bin_error, pmf[k], k <= T ? (double)full[k] : 0, 1);
            worst_note(&tail_error, pmf[cuts[c]], (double)tail, 1);
        }
    }
    CHECK_WORST(bin_error, 1e-14);
    CHECK_WORST(tail_error, 1e-14);
}

/* ---- growth, and what the paper says about it ---- */

static void growth_ends_in_the_pmf(void)
{
    static double z[60], growth[61 * 70], pmf[70];
    static const size_t cuts[] = {0, 1, 7, 59, 60, 65};
    lc_rng rng = lc_rng_seed(54);
    case_logits(&rng, z, 60, 2, -1);
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        size_t bins = cuts[c] + 1;
        CHECK_STATUS(loco_count_growth(growth, cuts[c], z, 60, &err), LOCO_OK);
        for (size_t t = 0; t <= 60; t++) {
            pmf_of(z, t, cuts[c], pmf);
            CHECK(case_same(growth + t * bins, pmf, bins * sizeof *pmf));
        }
    }
}

static void mass_only_moves_up(void)
{
    enum { T = 100, BINS = T + 1 };
    static double z[T], growth[(T + 1) * BINS];
    lc_rng rng = lc_rng_seed(55);
    size_t moved_down = 0, grown = 0;
    double variance_error = 0, mean_error = 0;
    for (int i = 0; i < 20; i++) {
        case_logits(&rng, z, T, 3, -1);
        CHECK_STATUS(loco_count_growth(growth, T, z, T, &err), LOCO_OK);
        double mean = 0, variance = 0;
        for (size_t t = 0; t < T; t++) {
            const double *a = growth + t * BINS, *b = a + BINS;
            double cdf_a = 0, cdf_b = 0, max_a = 0, max_b = 0, sum = 0, squares = 0, p = (double)ref_sigmoid(z[t]);
            for (size_t k = 0; k < BINS; k++) {
                cdf_a += a[k];
                cdf_b += b[k];
                moved_down += cdf_b > cdf_a + 1e-14;
                max_a = fmax(max_a, a[k]);
                max_b = fmax(max_b, b[k]);
                sum += (double)k * b[k];
            }
            for (size_t k = 0; k < BINS; k++)
                squares += ((double)k - sum) * ((double)k - sum) * b[k];
            grown += max_b > max_a * (1 + 1e-14);
            mean += p;
            variance += p * (1 - p); /* each frame adds its own */
            worst_note(&mean_error, sum, mean, 1);
            worst_note(&variance_error, squares, variance, 1);
        }
    }
    CHECK_EQ(moved_down, 0);
    CHECK_EQ(grown, 0);
    CHECK_WORST(mean_error, 1e-12);
    CHECK_WORST(variance_error, 1e-12);
}

/* ---- long sequences ---- */

/* What the tree may be wrong by: it drops ends below 1e-20 of the largest bin, at every node. */
static double tree_scale(double value, double largest)
{
    return 1e-11 * value + 1e-19 * largest;
}

/* A frame without events changes nothing but the way: 1e8 cells are the recursion's last, beyond is the tree. */
static void the_tree_agrees_with_the_recursion(void)
{
    enum { T = 10000 };
    double *z = case_array(T + 1, sizeof *z), *a = case_array(T + 2, sizeof *a), *b = case_array(T + 2, sizeof *b);
    double tree_error = 0, largest = 0;
    size_t dropped = 0;
    lc_rng rng = lc_rng_seed(56);
    case_logits(&rng, z, T, 2, -1);
    z[T] = -INFINITY;
    pmf_of(z, T, T, a);
    pmf_of(z, T + 1, T + 1, b);
    for (size_t k = 0; k <= T; k++)
        largest = fmax(largest, a[k]);
    for (size_t k = 0; k <= T; k++) {
        worst_note(&tree_error, b[k], a[k], tree_scale(a[k], largest));
        dropped += a[k] > 0 && b[k] <= 0;
    }
    CHECK(dropped > 0); /* the tree has been here */
    CHECK_WORST(tree_error, 1);
    free(z);
    free(a);
    free(b);
}

/* 200,000 equal frames, cut in the middle of the distribution: 1.2e8 cells. */
static void long_equal_frames_are_binomial(void)
{
    enum { T = 200000, CUT = 600 };
    double *z = case_array(T, sizeof *z), pmf[CUT + 1], tree_error = 0, sum = 0, z0 = -5.8;
    for (size_t t = 0; t < T; t++)
        z[t] = z0;
    pmf_of(z, T, CUT, pmf);
    for (size_t k = 0; k <= CUT; k++) {
        sum += pmf[k];
        double want = (double)expl(ref_log_binomial(T, k, z0));
        if (k < CUT)
            worst_note(&tree_error, pmf[k], want, tree_scale(want, 0.02));
    }
    CHECK_WORST(tree_error, 1);
    CHECK_NEAR(sum, 1, 1e-13);
    CHECK(pmf[CUT] > 0.1 && pmf[CUT] < 0.9);
    free(z);
}

/* The middle of 100,000 different frames is normal: skewness leaves some 1e-3. */
static void the_middle_is_normal(void)
{
    enum { T = 100000 };
    double *z = case_array(T, sizeof *z), *pmf = case_array(T + 1, sizeof *pmf), mean, variance, sum = 0, first = 0,
           second = 0;
    lc_rng rng = lc_rng_seed(57);
    case_clip(&rng, z, T);
    pmf_of(z, T, T, pmf);
    CHECK_STATUS(loco_count_moments(&mean, &variance, z, T, &err), LOCO_OK);
    for (size_t k = 0; k <= T; k++) {
        sum += pmf[k];
        first += (double)k * pmf[k];
    }
    for (size_t k = 0; k <= T; k++)
        second += ((double)k - first) * ((double)k - first) * pmf[k];
    CHECK_NEAR(sum, 1, 1e-13);
    CHECK_NEAR(first, mean, 1e-9 * mean);
    CHECK_NEAR(second, variance, 1e-9 * variance);
    for (int d = -4; d <= 4; d++) {
        size_t k = (size_t)(mean + d / 2.0 * sqrt(variance));
        double x = ((double)k - mean) / sqrt(variance), want = exp(-x * x / 2) / sqrt(6.283185307179586 * variance);
        CHECK_NEAR(pmf[k], want, 0.02 * want);
    }
    free(z);
    free(pmf);
}

/* ---- moments and quantiles ---- */

static void moments_are_those_of_the_pmf(void)
{
    static double z[LONGEST], pmf[LONGEST + 1];
    lc_rng rng = lc_rng_seed(58);
    for (int i = 0; i < 20; i++) {
        size_t T = 1 + case_below(&rng, LONGEST);
        double mean, variance, first = 0, second = 0;
        case_logits(&rng, z, T, 3, -1);
        pmf_of(z, T, T, pmf);
        CHECK_STATUS(loco_count_moments(&mean, &variance, z, T, &err), LOCO_OK);
        for (size_t k = 0; k <= T; k++)
            first += (double)k * pmf[k];
        for (size_t k = 0; k <= T; k++)
            second += ((double)k - first) * ((double)k - first) * pmf[k];
        CHECK_NEAR(mean, first, 1e-12 * fmax(1, first));
        CHECK_NEAR(variance, second, 1e-11 * fmax(1, second));
    }
}

/* The smallest k with P(Y <= k) >= level; levels within 1e-12 of a step are left out. */
static void quantiles_are_those_of_the_pmf(void)
{
    static double z[LONGEST], pmf[LONGEST + 1];
    lc_rng rng = lc_rng_seed(59);
    size_t compared = 0;
    for (int i = 0; i < 1000; i++) {
        size_t T = 1 + case_below(&rng, i % 4 == 0 ? LONGEST : 20), want = 0, k = 77;
        double level = i % 3 == 0 ? pow(10, -12 * lc_rng_uniform(&rng)) : lc_rng_uniform(&rng), cdf;
        level = i % 2 ? level : 1 - level;
        case_logits(&rng, z, T, 3, -1);
        pmf_of(z, T, T, pmf);
        for (cdf = pmf[0]; cdf < level && want < T; cdf += pmf[want])
            want++;
        if (!(level > 0 && level < 1) || fabs(cdf - level) < 1e-12 || fabs(cdf - pmf[want] - level) < 1e-12)
            continue;
        CHECK_STATUS(loco_count_quantile(&k, count, z, T, level, &err), LOCO_OK);
        CHECK_EQ(k, want);
        compared++;
    }
    CHECK(compared > 900);
}

int main(void)
{
    count = case_handle(1);
    RUN(wrong_arguments_are_refused);
    RUN(wrong_levels_are_refused);
    RUN(all_sets_agree);
    RUN(certain_frames_move_the_pmf);
    RUN(no_frame_has_no_event);
    RUN(tails_are_exact);
    RUN(the_last_bin_keeps_the_tail);
    RUN(growth_ends_in_the_pmf);
    RUN(mass_only_moves_up);
    RUN(the_tree_agrees_with_the_recursion);
    RUN(long_equal_frames_are_binomial);
    RUN(the_middle_is_normal);
    RUN(moments_are_those_of_the_pmf);
    RUN(quantiles_are_those_of_the_pmf);
    loco_count_free(count);
    return check_done();
}
