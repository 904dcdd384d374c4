/* SPDX-License-Identifier: MIT
 * test_bounds.c - where training starts, what no count can exceed, and what a loss rules out. */
#include "cases.h"

#include "reference.h"

static loco_count *count;
static loco_err err;

/* ---- wrong arguments ---- */

static void wrong_arguments_are_refused(void)
{
    static const double omegas[] = {0, 1, -0.1, 1.1, NAN, INFINITY}, losses[] = {-1e-9, -INFINITY, NAN};
    double bias = 77, above = 77, below = 77, bad = (double)NAN, z = 0;
    loco_count_limits limits = {.max = 77};
    for (size_t i = 0; i < sizeof omegas / sizeof *omegas; i++) {
        CHECK_STATUS(loco_count_bias(&bias, omegas[i], 400, &err), LOCO_EARG);
        CHECK_SAYS(err.text, "is not a probability between 0 and 1; 0.8 is usual");
    }
    CHECK_STATUS(loco_count_bias(&bias, 0.8, 0, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "length is 0");
    CHECK_STATUS(loco_count_bias(NULL, 0.8, 400, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "bias must not be NULL");
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        CHECK_STATUS(loco_count_excluded(&above, &below, losses[i], &err), LOCO_EARG);
        CHECK_SAYS(err.text, "is not possible; -log of a probability is 0 or more");
    }
    CHECK_STATUS(loco_count_excluded(NULL, &below, 1, &err), LOCO_EARG);
    CHECK_STATUS(loco_count_excluded(&above, NULL, 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "above and below must not be NULL");
    CHECK_STATUS(loco_count_bounds(&limits, NULL, &z, 1, &err), LOCO_EARG);
    CHECK_STATUS(loco_count_bounds(NULL, count, &z, 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the handle and limits must not be NULL");
    CHECK_STATUS(loco_count_bounds(&limits, count, NULL, 1, &err), LOCO_EARG);
    CHECK_STATUS(loco_count_bounds(&limits, count, &bad, 1, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "logit 0 is NaN");
    CHECK(bias == 77 && above == 77 && below == 77 && limits.max == 77);
}

/* ---- the first bias ---- */

static void the_bias_gives_omega(void)
{
    static const double omegas[] = {1e-10, 0.1, 0.5, 0.8, 0.999, 1 - 1e-10};
    static const size_t lengths[] = {1, 2, 400, 720000};
    double bias, omega_error = 0;
    CHECK_STATUS(loco_count_bias(&bias, 0.8, 400, &err), LOCO_OK);
    CHECK_NEAR(bias, -7.4913, 5e-4);
    for (size_t i = 0; i < sizeof omegas / sizeof *omegas; i++) {
        for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++) {
            CHECK_STATUS(loco_count_bias(&bias, omegas[i], lengths[j], &err), LOCO_OK);
            wide none = expl(-(wide)lengths[j] * ref_softplus(bias)); /* P(no event) */
            worst_note(&omega_error, (double)(1 - none), 1 - omegas[i], fmax(1e-3, 1 - omegas[i]));
        }
    }
    CHECK_WORST(omega_error, 1e-13);
}

/* ---- bounds ---- */

static loco_count_limits bounds_of(const double *z, size_t T)
{
    loco_count_limits limits = {0};
    CHECK_STATUS(loco_count_bounds(&limits, count, z, T, &err), LOCO_OK);
    return limits;
}

/* The bound from the l smallest of sorted p. */
static double le_cam_at(const double *p, size_t l)
{
    double sum = 0, squares = 0, mode = 0;
    for (size_t i = 0; i < l; i++) {
        sum += p[i];
        squares += p[i] * p[i];
    }
    for (size_t k = 0; k <= l; k++)
        mode = fmax(mode, sum > 0 ? exp((double)k * log(sum) - sum - lgamma((double)k + 1)) : k == 0);
    return mode + 2 * squares;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check_limits(const double *z, size_t T)
{
    static double p[200];
    static wide pmf[201];
    loco_count_limits limits = bounds_of(z, T);
    double max = 0, first = 1, le_cam = 1;
    ref_pmf(z, T, pmf);
    for (size_t k = 0; k <= T; k++)
        max = fmax(max, (double)pmf[k]);
    for (size_t t = 0; t < T; t++) {
        p[t] = (double)ref_sigmoid(z[t]);
        first = fmin(first, 0.5 + fabs(0.5 - p[t]));
    }
    qsort(p, T, sizeof *p, ascending);
    for (size_t l = 0; l <= T; l++)
        le_cam = fmin(le_cam, le_cam_at(p, l));
    CHECK_NEAR(limits.max, max, 1e-13);
    CHECK_NEAR(limits.first, first, 1e-14);
    CHECK_NEAR(limits.le_cam, le_cam, 1e-12);
    CHECK_NEAR(limits.le_cam, fmin(1, le_cam_at(p, limits.le_cam_frames)), 1e-12);
    CHECK(limits.le_cam_frames <= T);
    CHECK(limits.max <= limits.first + 1e-14 && limits.max <= limits.le_cam + 1e-14);
}

static void bounds_are_what_they_say(void)
{
    lc_rng rng = lc_rng_seed(71);
    for (int i = 0; i < 300; i++) {
        double z[200];
        size_t T = case_below(&rng, i % 3 == 0 ? 200 : 15);
        if (i % 2)
            case_logits(&rng, z, T, 4, -3);
        else
            case_clip(&rng, z, T);
        if (T > 0 && i % 7 == 0)
            z[0] = i % 2 ? INFINITY : -INFINITY;
        check_limits(z, T);
    }
    loco_count_limits none = bounds_of(NULL, 0);
    CHECK(none.max == 1 && none.first == 1 && none.le_cam == 1 && none.le_cam_frames == 0);
    const double certain[] = {INFINITY, -INFINITY};
    loco_count_limits fixed = bounds_of(certain, 2);
    CHECK(fixed.max == 1 && fixed.first == 1 && fixed.le_cam == 1);
}

/* The paper's example: a hundred frames at 0.01 keep any count below 1/e + 0.02, whatever else there is. */
static void many_small_doubts_bound_the_count(void)
{
    lc_rng rng = lc_rng_seed(72);
    for (size_t others = 0; others <= 100; others += 20) {
        double z[200];
        for (size_t t = 0; t < 100 + others; t++)
            z[t] = t < 100 ? log(0.01 / 0.99) : -4 + 8 * lc_rng_uniform(&rng);
        loco_count_limits limits = bounds_of(z, 100 + others);
        CHECK(limits.le_cam <= exp(-1) + 0.02 + 1e-12);
        CHECK(limits.max <= limits.le_cam);
        CHECK(limits.le_cam_frames >= 100 || others > 0);
    }
}

/* -log of each bound is below the loss of every exact count. */
static void losses_lie_above_the_bounds(void)
{
    lc_rng rng = lc_rng_seed(73);
    size_t below = 0;
    for (int i = 0; i < 200; i++) {
        double z[40], loss;
        size_t T = 1 + case_below(&rng, 40);
        case_logits(&rng, z, T, 3, -2);
        loco_count_limits limits = bounds_of(z, T);
        for (size_t n = 0; n <= T; n++) {
            CHECK_STATUS(loco_count_loss(&loss, NULL, NULL, count, z, T, loco_label_exact(n), &err), LOCO_OK);
            below += loss < -log(limits.max) - 1e-13 || loss < -log(limits.first) - 1e-13;
            below += loss < -log(limits.le_cam) - 1e-13;
        }
    }
    CHECK_EQ(below, 0);
}

static void long_sequences_have_bounds(void)
{
    size_t T = 100000;
    double *z = case_array(T, sizeof *z), mean, variance;
    lc_rng rng = lc_rng_seed(74);
    case_clip(&rng, z, T);
    loco_count_limits limits = bounds_of(z, T);
    CHECK_STATUS(loco_count_moments(&mean, &variance, z, T, &err), LOCO_OK);
    CHECK_NEAR(limits.max, 1 / sqrt(6.283185307179586 * variance), 1e-3 * limits.max);
    CHECK(limits.max <= limits.le_cam && limits.le_cam < 0.2);
    CHECK(limits.first >= 0.5 && limits.first < 0.51);
    free(z);
}

/* ---- what a loss rules out ---- */

static void losses_rule_out_the_middle(void)
{
    double above, below;
    CHECK_STATUS(loco_count_excluded(&above, &below, 0, &err), LOCO_OK);
    CHECK(above == 0 && below == 1);
    CHECK_STATUS(loco_count_excluded(&above, &below, 0.1, &err), LOCO_OK);
    CHECK_NEAR(above, 1 - exp(-0.1), 1e-16);
    CHECK_NEAR(below, exp(-0.1), 1e-16);
    CHECK_STATUS(loco_count_excluded(&above, &below, 1e-20, &err), LOCO_OK);
    CHECK_NEAR(above, 1e-20, 1e-35);
    static const double weak[] = {0.6931471805599454, 1, 1e300, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        CHECK_STATUS(loco_count_excluded(&above, &below, weak[i], &err), LOCO_OK);
        CHECK(above == 0.5 && below == 0.5);
    }
    CHECK_STATUS(loco_count_excluded(&above, &below, 0.6931, &err), LOCO_OK);
    CHECK(above < 0.5 && below > 0.5 && above > 0.4999 && below < 0.5001);
}

/* A frame inside the interval makes every exact count cost more than the loss; and no frame lies in its own loss's. */
static void excluded_frames_cost_more(void)
{
    lc_rng rng = lc_rng_seed(75);
    size_t cheaper = 0, inside = 0;
    for (int i = 0; i < 400; i++) {
        double z[12], limit = 0.69 * lc_rng_uniform(&rng), above, below, loss;
        size_t T = 1 + case_below(&rng, 12);
        CHECK_STATUS(loco_count_excluded(&above, &below, limit, &err), LOCO_OK);
        case_logits(&rng, z, T, 8, 0);
        double p = above + (below - above) * (0.001 + 0.998 * lc_rng_uniform(&rng));
        z[case_below(&rng, T)] = log(p / (1 - p));
        for (size_t n = 0; n <= T; n++) {
            CHECK_STATUS(loco_count_loss(&loss, NULL, NULL, count, z, T, loco_label_exact(n), &err), LOCO_OK);
            cheaper += loss <= limit;
            CHECK_STATUS(loco_count_excluded(&above, &below, loss, &err), LOCO_OK);
            for (size_t t = 0; t < T; t++) {
                double q = (double)ref_sigmoid(z[t]);
                inside += q > above + 1e-13 && q < below - 1e-13;
            }
        }
    }
    CHECK_EQ(cheaper, 0);
    CHECK_EQ(inside, 0);
}

int main(void)
{
    count = case_handle(1);
    RUN(wrong_arguments_are_refused);
    RUN(the_bias_gives_omega);
    RUN(bounds_are_what_they_say);
    RUN(many_small_doubts_bound_the_count);
    RUN(losses_lie_above_the_bounds);
    RUN(long_sequences_have_bounds);
    RUN(losses_rule_out_the_middle);
    RUN(excluded_frames_cost_more);
    loco_count_free(count);
    return check_done();
}
