/* SPDX-License-Identifier: MIT
 * test_loss_hard.c - loss and posterior where numbers are extreme: certain, saturated, huge and infinite logits,
 *   labels far away, very long sequences. Everything stays finite and right, or infinite and right. */
#include "cases.h"

#include "reference.h"

#include <float.h>

static loco_count *count;
static loco_err err;

static double loss_of(const double *z, size_t T, loco_label label, double *grad, double *posterior)
{
    double loss = NAN;
    CHECK_STATUS(loco_count_loss(&loss, grad, posterior, count, z, T, label, &err), LOCO_OK);
    return loss;
}

/* Compares with brute force up to REF_BRUTE_MAX frames, and with the recursion above. */
static void check_reference(const double *z, size_t T, loco_label label)
{
    double want, *grad = case_array(T, sizeof *grad), *posterior = case_array(T, sizeof *posterior);
    double *want_posterior = case_array(T, sizeof *want_posterior), posterior_error = 0, grad_error = 0;
    double loss = loss_of(z, T, label, grad, posterior);
    if (T <= REF_BRUTE_MAX)
        ref_brute(z, T, label, &want, want_posterior);
    else
        ref_recursion(z, T, label, &want, want_posterior);
    CHECK_NEAR(loss, want, 1e-12 * fmax(1, want));
    for (size_t t = 0; t < T; t++) {
        worst_note(&posterior_error, posterior[t], want_posterior[t], 1);
        worst_note(&grad_error, grad[t], (double)(ref_sigmoid(z[t]) - (wide)want_posterior[t]), 1);
    }
    CHECK_NEAR(posterior_error, 0, 1e-12);
    CHECK_NEAR(grad_error, 0, 1e-12);
    free(grad);
    free(posterior);
    free(want_posterior);
}

/* ---- no frame, one frame, no event, all events ---- */

static void no_frame_has_no_event(void)
{
    CHECK_NEAR(loss_of(NULL, 0, loco_label_exact(0), NULL, NULL), 0, 0);
    CHECK_NEAR(loss_of(NULL, 0, loco_label_at_most(5), NULL, NULL), 0, 0);
    CHECK_NEAR(loss_of(NULL, 0, loco_label_unknown(), NULL, NULL), 0, 0);
}

static void one_frame_is_a_logistic(void)
{
    for (int i = -60; i <= 60; i++) {
        double z = 12.5 * i, grad, posterior;
        CHECK_NEAR(loss_of(&z, 1, loco_label_exact(0), &grad, &posterior), (double)ref_softplus(z), 1e-13 * fmax(1, z));
        CHECK_NEAR(posterior, 0, 0);
        CHECK_NEAR(grad, (double)ref_sigmoid(z), 1e-15);
        CHECK_NEAR(loss_of(&z, 1, loco_label_exact(1), &grad, &posterior), (double)ref_softplus(-z),
                   1e-13 * fmax(1, -z));
        CHECK_NEAR(posterior, 1, 0);
        CHECK_NEAR(grad, -(double)ref_sigmoid(-z), 1e-15);
        CHECK_NEAR(loss_of(&z, 1, loco_label_unknown(), &grad, &posterior), 0, 0);
        CHECK_NEAR(posterior, (double)ref_sigmoid(z), 1e-15);
        CHECK_NEAR(grad, 0, 0);
    }
}

/* With z[0] = 100 the same labels go the way of sequences that the lanes cannot take. */
static void none_and_all_are_sums(void)
{
    enum { T = 1000 };
    static double z[T], posterior[T];
    lc_rng rng = lc_rng_seed(31);
    for (int large = 0; large < 2; large++) {
        wide none = 0, all = 0;
        case_logits(&rng, z, T, 6, -2);
        z[0] = large ? 100 : 1;
        for (size_t t = 0; t < T; t++) {
            none += ref_softplus(z[t]);
            all += ref_softplus(-z[t]);
        }
        CHECK_NEAR(loss_of(z, T, loco_label_exact(0), NULL, posterior), (double)none, 1e-13 * (double)none);
        CHECK(posterior[0] == 0 && posterior[T - 1] == 0);
        CHECK_NEAR(loss_of(z, T, loco_label_exact(T), NULL, posterior), (double)all, 1e-13 * (double)all);
        CHECK(posterior[0] == 1 && posterior[T - 1] == 1);
        CHECK_NEAR(loss_of(z, T, loco_label_at_least(T), NULL, posterior), (double)all, 1e-13 * (double)all);
        CHECK_NEAR(loss_of(z, T, loco_label_at_most(T), NULL, posterior), 0, 0);
    }
}

/* ---- equal frames: a binomial count, and posterior n / T ---- */

/* Equal frames round alike, so that their errors of 1e-16 or 2 add up instead of cancelling. */
static void check_equal(double z0, size_t T, size_t n)
{
    double *z = case_array(T, sizeof *z), *posterior = case_array(T, sizeof *posterior), posterior_error = 0;
    for (size_t t = 0; t < T; t++)
        z[t] = z0;
    double loss = loss_of(z, T, loco_label_exact(n), NULL, posterior), want = (double)-ref_log_binomial(T, n, z0);
    CHECK_NEAR(loss, want, 1e-12 * fmax(1, want) + 2e-16 * (double)T);
    for (size_t t = 0; t < T; t++)
        worst_note(&posterior_error, posterior[t], (double)n / (double)T, fmax(1e-3, (double)n / (double)T));
    CHECK_NEAR(posterior_error, 0, 1e-12);
    free(z);
    free(posterior);
}

static void equal_frames_are_binomial(void)
{
    static const double p[] = {0.999999, 1e-12, 0.9, 0.5};
    static const double z[] = {80, -80, 81, -81, 700, -700, 709, -709, 1e4, -1e4, 0, -7.49};
    static const size_t n[] = {0, 1, 2, 3, 30, 127, 128, 129, 200, 371, 398, 399, 400};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        for (size_t j = 0; j < sizeof p / sizeof *p; j++)
            check_equal(log(p[j]) - log1p(-p[j]), 400, n[i]);
        for (size_t j = 0; j < sizeof z / sizeof *z; j++)
            check_equal(z[j], 400, n[i]);
    }
    for (size_t k = 0; k <= 30; k++)
        check_equal(log(9), 400, k); /* p = 0.9: far below what is expected */
}

/* Fresh networks: P(no event) = 0.8, and thirty events in the label. */
static void the_first_step_of_training_is_exact(void)
{
    double bias, z[400];
    lc_rng rng = lc_rng_seed(32);
    CHECK_STATUS(loco_count_bias(&bias, 0.8, 400, &err), LOCO_OK);
    check_equal(bias, 400, 30);
    for (int i = 0; i < 5; i++) {
        case_logits(&rng, z, 400, 0.3, bias);
        check_reference(z, 400, loco_label_exact(30));
        check_reference(z, 400, loco_label_at_least(30));
    }
}

/* ---- saturated and huge logits ---- */

static void mixtures_of_80_are_exact(void)
{
    double z[60];
    for (size_t t = 0; t < 60; t++)
        z[t] = t % 3 == 0 ? 80 : t % 3 == 1 ? -80 : t % 6 == 2 ? 0.5 : -79.5;
    for (size_t n = 0; n <= 60; n++)
        check_reference(z, 60, loco_label_exact(n));
    check_reference(z, 60, loco_label_range(15, 18));
    check_reference(z, 60, loco_label_at_least(45));
    check_reference(z, 60, loco_label_at_most(10));
}

static void logits_of_hundreds_are_exact(void)
{
    lc_rng rng = lc_rng_seed(33);
    for (int i = 0; i < 1000; i++) {
        double z[10];
        size_t T = 2 + case_below(&rng, 9);
        case_logits(&rng, z, T, i % 2 ? 200 : 40, 0);
        check_reference(z, T, case_label(&rng, T));
    }
}

/* Saturated frames expect 3 - 3e-13 events. The label begins there and is wide: weights relative to its other end are
 * all 0. */
static void wide_labels_at_saturation_are_finite(void)
{
    static double z[1000], posterior[1000];
    for (size_t t = 0; t < 1000; t++)
        z[t] = t < 3 ? 30 : -100;
    CHECK_NEAR(loss_of(z, 1000, loco_label_range(3, 500), NULL, posterior), 3 * exp(-30), 1e-15);
    CHECK_NEAR(posterior[2], 1, 1e-15);
    CHECK_NEAR(posterior[3], 0, 1e-15);
    const double few[] = {26.5, 50, 30, 38, -27.5, -90, -60, -110};
    check_reference(few, 8, loco_label_at_least(4));
    check_reference(few, 8, loco_label_range(4, 6));
}

/* Brute force where frame t has logit units[t] * unit, or small[t] when units[t] is 0. A set pays |units| for each
 * huge frame that it contradicts, and only the cheapest sets count, since exp(-unit) is 0. */
static void huge_brute(const int *units, const double *small, size_t T, double unit, loco_label label, double *loss,
                       double *posterior)
{
    int least = 1000;
    wide total = 0, with[REF_BRUTE_MAX] = {0};
    for (unsigned set = 0; set < 1u << T; set++) {
        int price = 0;
        size_t k = 0;
        wide p = 1;
        for (size_t t = 0; t < T; t++) {
            int event = set >> t & 1;
            k += (size_t)event;
            price += event != (units[t] > 0) ? abs(units[t]) : 0;
            p *= units[t] != 0 ? 1 : ref_sigmoid(event ? small[t] : -small[t]);
        }
        if (!ref_in(label, k) || price > least)
            continue;
        for (size_t t = 0; t < T; t++)
            with[t] = (price == least ? with[t] : 0) + (set >> t & 1 ? p : 0);
        total = (price == least ? total : 0) + p;
        least = price;
    }
    *loss = (double)(least * (wide)unit - logl(total));
    for (size_t t = 0; t < T; t++)
        posterior[t] = (double)(with[t] / total);
}

static void huge_logits_are_exact(void)
{
    static const double sizes[] = {1e4, 1e8, 1e16, 1e30, 1e300, 1e307};
    lc_rng rng = lc_rng_seed(34);
    double loss_error = 0, posterior_error = 0;
    for (int i = 0; i < 3000; i++) {
        int units[8];
        double small[8], z[8], posterior[8], want_posterior[8], want, unit = sizes[i % 6];
        size_t T = 1 + case_below(&rng, 8);
        case_logits(&rng, small, T, 3, -1);
        for (size_t t = 0; t < T; t++) {
            units[t] = case_below(&rng, 2) ? 0 : (int)case_below(&rng, 5) - 2;
            z[t] = units[t] != 0 ? units[t] * unit : small[t];
        }
        loco_label label = case_label(&rng, T);
        double loss = loss_of(z, T, label, NULL, posterior);
        huge_brute(units, small, T, unit, label, &want, want_posterior);
        worst_note(&loss_error, loss, want, fmax(1, want));
        for (size_t t = 0; t < T; t++)
            worst_note(&posterior_error, posterior[t], want_posterior[t], 1);
    }
    CHECK_WORST(loss_error, 1e-13);
    CHECK_WORST(posterior_error, 1e-13);
}

/* Where sums of logits leave the range of a double the loss may be infinite; it is never NaN or 0, and posteriors are
 * right. */
static void the_largest_logits_do_no_harm(void)
{
    double z[8], posterior[8], grad[8];
    for (size_t n = 1; n < 8; n++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            for (size_t t = 0; t < 8; t++)
                z[t] = sign * DBL_MAX;
            CHECK(loss_of(z, 8, loco_label_exact(n), grad, posterior) >= DBL_MAX);
            for (size_t t = 0; t < 8; t++)
                CHECK_NEAR(posterior[t], (double)n / 8, 1e-14);
        }
    }
}

/* ---- certain frames ---- */

static void contradicted_labels_are_infinite(void)
{
    static const double z[] = {INFINITY, 0.5, -INFINITY, -2, INFINITY, 90};
    static const loco_label labels[] = {
        {0, 0            },
        {1, 1            },
        {0, 1            },
        {6, 6            },
        {6, LOCO_NO_LIMIT}
    };
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        double grad[6], posterior[6];
        CHECK_NEAR(loss_of(z, 6, labels[i], grad, posterior), INFINITY, 0);
        for (size_t t = 0; t < 6; t++) {
            CHECK_NEAR(posterior[t], (double)ref_sigmoid(z[t]), 1e-15);
            CHECK_NEAR(grad[t], 0, 0);
        }
    }
}

static void certain_frames_leave_the_others(void)
{
    static const double z[] = {INFINITY, 0.5, -INFINITY, -2, INFINITY, 1, 0.25};
    for (size_t lo = 0; lo <= 6; lo++) {
        for (size_t hi = lo > 2 ? lo : 2; hi <= 8; hi++)
            check_reference(z, 7, loco_label_range(lo, hi));
    }
    static const double fixed[] = {INFINITY, -INFINITY, INFINITY};
    double grad[3], posterior[3];
    CHECK_NEAR(loss_of(fixed, 3, loco_label_exact(2), grad, posterior), 0, 0);
    CHECK(posterior[0] == 1 && posterior[1] == 0 && posterior[2] == 1 && grad[0] == 0 && grad[1] == 0 && grad[2] == 0);
    CHECK_NEAR(loss_of(fixed, 3, loco_label_exact(3), NULL, NULL), INFINITY, 0);
    CHECK_NEAR(loss_of(fixed, 3, loco_label_range(1, 3), NULL, NULL), 0, 0);
}

static void smallest_floats_are_zeros(void)
{
    float z[100], grad[100], posterior[100];
    for (size_t t = 0; t < 100; t++)
        z[t] = t % 2 ? 1e-45f : -1e-40f;
    loco_count_item item = {.logits = z, .length = 100, .stride = 1, .label = loco_label_exact(37), .grad = grad};
    item.posterior = posterior;
    CHECK_STATUS(loco_count_batch(&item, 1, count, &err), LOCO_OK);
    CHECK_NEAR(item.loss, (double)-ref_log_binomial(100, 37, 0), 1e-12);
    for (size_t t = 0; t < 100; t++)
        CHECK(posterior[t] == 0.37f && grad[t] == 0.13f);
}

/* ---- long sequences ---- */

static void two_hours_are_exact(void)
{
    size_t T = CASE_SLOW ? 40000 : 720000;
    size_t n[] = {T / 144, T / 2}; /* 5000 and 360000 */
    double *z = case_array(T, sizeof *z), *grad = case_array(T, sizeof *grad),
           *posterior = case_array(T, sizeof *posterior);
    lc_rng rng = lc_rng_seed(35);
    case_clip(&rng, z, T);
    for (size_t i = 0; i < 2; i++) {
        double sum = 0, loss = loss_of(z, T, loco_label_exact(n[i]), grad, posterior);
        size_t outside = 0;
        CHECK(loss > 0 && isfinite(loss));
        for (size_t t = 0; t < T; t++) {
            sum += posterior[t];
            outside += !(posterior[t] >= 0 && posterior[t] <= 1 + 1e-12 && isfinite(grad[t]));
        }
        CHECK_EQ(outside, 0);
        CHECK_NEAR(sum, (double)n[i], 1e-6);
    }
    free(z);
    free(grad);
    free(posterior);
    check_equal(-5, T, n[0]);
    check_equal(-0.01, T, n[1]);
    check_equal(-12, T, n[1]);
}

/* -log P(lo..hi) of a binomial, and the expected count given that. */
static double ref_binomial_range(size_t T, double z, size_t lo, size_t hi, double *mean)
{
    wide largest = -INFINITY, total = 0, sum = 0;
    for (size_t k = lo; k <= hi; k++)
        largest = fmaxl(largest, ref_log_binomial(T, k, z));
    for (size_t k = lo; k <= hi; k++) {
        wide p = expl(ref_log_binomial(T, k, z) - largest);
        total += p;
        sum += p * (wide)k;
    }
    *mean = (double)(sum / total);
    return (double)-(largest + logl(total));
}

static void long_ranges_are_exact(void)
{
    size_t T = CASE_SLOW ? 20000 : 100000;
    double z0 = -3, mean = (double)T * (double)ref_sigmoid(z0), *z = case_array(T, sizeof *z);
    double *posterior = case_array(T, sizeof *posterior), loss_error = 0, posterior_error = 0;
    static const double ends[][2] = {
        {0.99, 1.01},
        {1.05, 1e9 },
        {0,    0.95},
        {2,    1e9 },
        {0.5,  1.2 },
        {3,    3.5 },
        {0,    0.1 },
        {0.9,  1e9 }
    };
    for (size_t t = 0; t < T; t++)
        z[t] = z0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t lo = (size_t)(ends[i][0] * mean), hi = ends[i][1] > 1e8 ? T : (size_t)(ends[i][1] * mean);
        loco_label label = hi == T ? loco_label_at_least(lo) : loco_label_range(lo, hi);
        double expected, want = ref_binomial_range(T, z0, lo, hi, &expected);
        double loss = loss_of(z, T, label, NULL, posterior);
        worst_note(&loss_error, loss, want, fmax(1, want));
        for (size_t t = 0; t < T; t++)
            worst_note(&posterior_error, posterior[t], expected / (double)T, 1);
    }
    CHECK_WORST(loss_error, 1e-12);
    CHECK_WORST(posterior_error, 1e-13);
    free(z);
    free(posterior);
}

int main(void)
{
    count = case_handle(1);
    RUN(no_frame_has_no_event);
    RUN(one_frame_is_a_logistic);
    RUN(none_and_all_are_sums);
    RUN(equal_frames_are_binomial);
    RUN(the_first_step_of_training_is_exact);
    RUN(mixtures_of_80_are_exact);
    RUN(logits_of_hundreds_are_exact);
    RUN(wide_labels_at_saturation_are_finite);
    RUN(huge_logits_are_exact);
    RUN(the_largest_logits_do_no_harm);
    RUN(contradicted_labels_are_infinite);
    RUN(certain_frames_leave_the_others);
    RUN(smallest_floats_are_zeros);
    RUN(two_hours_are_exact);
    RUN(long_ranges_are_exact);
    loco_count_free(count);
    return check_done();
}
