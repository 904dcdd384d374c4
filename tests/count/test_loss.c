/* SPDX-License-Identifier: MIT
 * test_loss.c - loss, gradient and posterior: wrong arguments, brute force, central differences, the recursion in long
 *   double. Hard cases are in test_loss_hard.c, batches in test_loss_batch.c. */
#include "cases.h"

#include "reference.h"

enum { BRUTE = 14, LONGEST = 2000 };

static loco_count *count;
static loco_err err;

/* ---- wrong arguments ---- */

enum { FRAMES = 4 };
static double logits[FRAMES] = {-1, 2, 0, 1}, loss, grad[FRAMES], posterior[FRAMES];

static void reset(void)
{
    loss = 77;
    for (size_t t = 0; t < FRAMES; t++)
        grad[t] = posterior[t] = 77;
    err.text[0] = 0;
}

static void check_refused(loco_status got, loco_status want, const char *says)
{
    CHECK_STATUS(got, want);
    CHECK_SAYS(err.text, says);
    CHECK_NEAR(loss, 77, 0);
    for (size_t t = 0; t < FRAMES; t++)
        CHECK(grad[t] == 77 && posterior[t] == 77);
    reset();
}

static loco_status loss_of(const double *z, size_t length, loco_label label)
{
    return loco_count_loss(&loss, grad, posterior, count, z, length, label, &err);
}

static void wrong_arguments_are_refused(void)
{
    loco_label one = loco_label_exact(1);
    reset();
    check_refused(loco_count_loss(&loss, grad, posterior, NULL, logits, FRAMES, one, &err), LOCO_EARG,
                  "the handle must not be NULL; make one with loco_count_new");
    check_refused(loco_count_loss(NULL, grad, posterior, count, logits, FRAMES, one, &err), LOCO_EARG,
                  "loss must not be NULL");
    check_refused(loss_of(NULL, 3, one), LOCO_EARG, "logits must not be NULL when length is 3");
    CHECK_STATUS(loco_count_loss(&loss, NULL, NULL, count, NULL, 3, one, NULL), LOCO_EARG);
}

static void wrong_data_are_refused(void)
{
    reset();
    check_refused(loss_of(logits, FRAMES, loco_label_exact(5)), LOCO_EDATA,
                  "label 5 needs more events than the 4 frames can hold");
    check_refused(loss_of(logits, FRAMES, loco_label_at_least(5)), LOCO_EDATA,
                  "label >=5 needs more events than the 4");
    check_refused(loss_of(logits, FRAMES, loco_label_range(6, 9)), LOCO_EDATA, "label 6..9 needs more");
    check_refused(loss_of(NULL, 0, loco_label_exact(1)), LOCO_EDATA, "label 1 needs more events than the 0 frames");
    check_refused(loss_of(logits, FRAMES, loco_label_range(3, 2)), LOCO_EDATA, "label 3..2 is an empty range");
    for (size_t t = FRAMES; t-- > 0;) {
        char says[128];
        double keep = logits[t];
        logits[t] = t % 2 ? (double)NAN : -(double)NAN;
        snprintf(says, sizeof says, "logit %zu is NaN; logits must be numbers (infinite ones are allowed)", t);
        check_refused(loss_of(logits, FRAMES, loco_label_exact(1)), LOCO_EDATA, says);
        check_refused(loss_of(logits, FRAMES, loco_label_unknown()), LOCO_EDATA, says);
        logits[t] = keep;
    }
    CHECK_STATUS(loss_of(logits, FRAMES, loco_label_exact(1)), LOCO_OK);
}

static void outputs_are_optional(void)
{
    double both, without;
    CHECK_STATUS(loco_count_loss(&both, grad, posterior, count, logits, FRAMES, loco_label_exact(2), NULL), LOCO_OK);
    CHECK_STATUS(loco_count_loss(&without, NULL, NULL, count, logits, FRAMES, loco_label_exact(2), NULL), LOCO_OK);
    CHECK_NEAR(both, without, 0);
    reset();
    CHECK_STATUS(loco_count_loss(&loss, NULL, posterior, count, logits, FRAMES, loco_label_exact(2), NULL), LOCO_OK);
    CHECK(grad[0] == 77 && posterior[0] != 77);
    reset();
    CHECK_STATUS(loco_count_loss(&loss, grad, NULL, count, logits, FRAMES, loco_label_exact(2), NULL), LOCO_OK);
    CHECK(grad[0] != 77 && posterior[0] == 77);
}

/* ---- against a reference ---- */

typedef void reference(const double *z, size_t T, loco_label label, double *loss, double *posterior);

typedef struct errors {
    double loss, posterior, grad, sum; /* largest so far; of the loss relative to max(1, loss) */
} errors;

/* Compares one case with a reference; the gradient with p - posterior, and the sum of posteriors with an exact
 * count. */
static void compare(errors *worst, reference *slow, const double *z, size_t T, loco_label label)
{
    static double g[LONGEST], post[LONGEST], want_post[LONGEST];
    double got, want, sum = 0;
    CHECK_STATUS(loco_count_loss(&got, g, post, count, z, T, label, &err), LOCO_OK);
    slow(z, T, label, &want, want_post);
    worst_note(&worst->loss, got, want, fmax(1, want));
    for (size_t t = 0; t < T; t++) {
        worst_note(&worst->posterior, post[t], want_post[t], 1);
        worst_note(&worst->grad, g[t], (double)(ref_sigmoid(z[t]) - (wide)want_post[t]), 1);
        sum += post[t];
    }
    if (label.lo == label.hi)
        worst_note(&worst->sum, sum, (double)label.lo, fmax(1, (double)label.lo));
}

static void check_errors(errors worst, double loss_limit, double posterior_limit)
{
    CHECK_WORST(worst.loss, loss_limit);
    CHECK_WORST(worst.posterior, posterior_limit);
    CHECK_WORST(worst.grad, posterior_limit);
    CHECK_WORST(worst.sum, posterior_limit);
}

static void all_sets_agree(void)
{
    static const double scales[] = {1, 5, 20, 60}, shifts[] = {0, -4, 4, -30, 30};
    lc_rng rng = lc_rng_seed(21);
    errors worst = {0};
    for (int i = 0; i < 10000; i++) {
        double z[BRUTE];
        size_t T = case_below(&rng, BRUTE + 1);
        case_logits(&rng, z, T, scales[case_below(&rng, 4)], shifts[case_below(&rng, 5)]);
        compare(&worst, ref_brute, z, T, case_label(&rng, T));
    }
    check_errors(worst, 1e-12, 1e-13);
}

/* Every label of a few sequences, rather than random ones. */
static void every_label_agrees(void)
{
    lc_rng rng = lc_rng_seed(22);
    errors worst = {0};
    for (size_t T = 0; T <= 9; T++) {
        double z[9];
        case_logits(&rng, z, T, 3, -1);
        for (size_t lo = 0; lo <= T; lo++) {
            for (size_t hi = lo; hi <= T + 1; hi++)
                compare(&worst, ref_brute, z, T, loco_label_range(lo, hi));
            compare(&worst, ref_brute, z, T, loco_label_at_least(lo));
        }
    }
    check_errors(worst, 1e-13, 1e-13);
}

/* Some frames certain; what they contradict is left to test_loss_hard.c. */
static void certain_frames_agree(void)
{
    lc_rng rng = lc_rng_seed(23);
    errors worst = {0};
    for (int i = 0; i < 2000; i++) {
        double z[BRUTE];
        size_t T = 1 + case_below(&rng, 10), yes = 0, no = 0;
        case_logits(&rng, z, T, 5, 0);
        for (size_t t = 0; t < T; t++) {
            if (case_below(&rng, 3) != 0)
                continue;
            z[t] = case_below(&rng, 2) ? INFINITY : -INFINITY;
            yes += z[t] > 0;
            no += z[t] < 0;
        }
        loco_label label = case_label(&rng, T);
        if (label.lo <= T - no && label.hi >= yes)
            compare(&worst, ref_brute, z, T, label);
    }
    check_errors(worst, 1e-12, 1e-13);
}

/* Labels near the expected count, anywhere, and small ones: the three ways of loss.c. Losses stay below the 11355 at
 * which long double ends. */
static void the_recursion_agrees(void)
{
    static double z[LONGEST];
    lc_rng rng = lc_rng_seed(24);
    errors worst = {0};
    size_t cases = CASE_SLOW ? 10 : 60;
    for (size_t i = 0; i < cases; i++) {
        size_t T = i < 3 ? LONGEST - i : 15 + case_below(&rng, i % 3 == 0 ? LONGEST - 15 : 500), n;
        double mean, variance;
        if (i % 2 == 0)
            case_clip(&rng, z, T);
        else
            case_logits(&rng, z, T, T < 300 ? 20 : 4, i % 4 == 1 ? 0 : -3);
        CHECK_STATUS(loco_count_moments(&mean, &variance, z, T, &err), LOCO_OK);
        if (i % 3 == 0)
            n = case_below(&rng, T + 1);
        else if (i % 3 == 1)
            n = case_below(&rng, 31) % (T + 1);
        else
            n = (size_t)fmin((double)T, fmax(0, mean + 2 * sqrt(variance) * lc_rng_normal(&rng)));
        compare(&worst, ref_recursion, z, T, case_label_at(&rng, T, n));
        if (i % 5 == 0)
            compare(&worst, ref_recursion, z, T, loco_label_range(n / 2, n));
    }
    check_errors(worst, 1e-12, 1e-13);
}

/* ---- central differences ---- */

/* The step 1e-4 leaves a truncation of at most 1e-8 / 6 * |third derivative| and a rounding error near 1e-10. */
static void check_differences(lc_rng *rng, double *z, size_t T, loco_label label, double *worst)
{
    const double h = 1e-4;
    double *g = case_array(T, sizeof *g), here, above, below;
    CHECK_STATUS(loco_count_loss(&here, g, NULL, count, z, T, label, &err), LOCO_OK);
    for (int i = 0; i < 12; i++) {
        size_t t = case_below(rng, T);
        double keep = z[t];
        z[t] = keep + h;
        CHECK_STATUS(loco_count_loss(&above, NULL, NULL, count, z, T, label, &err), LOCO_OK);
        z[t] = keep - h;
        CHECK_STATUS(loco_count_loss(&below, NULL, NULL, count, z, T, label, &err), LOCO_OK);
        z[t] = keep;
        worst_note(worst, (above - below) / (2 * h), g[t], 1 + 1e-3 * here);
    }
    free(g);
}

static void gradients_are_differences(void)
{
    static double z[LONGEST];
    lc_rng rng = lc_rng_seed(25);
    double gradient_error = 0;
    for (int i = 0; i < 200; i++) {
        size_t T = 1 + case_below(&rng, i % 10 == 0 ? LONGEST : 60);
        case_logits(&rng, z, T, 2, -1);
        if (i % 4 == 0)
            z[0] = 90; /* beyond the lanes: the tree */
        check_differences(&rng, z, T, case_label(&rng, T), &gradient_error);
    }
    CHECK_WORST(gradient_error, 1e-8);
}

int main(void)
{
    count = case_handle(1);
    RUN(wrong_arguments_are_refused);
    RUN(wrong_data_are_refused);
    RUN(outputs_are_optional);
    RUN(all_sets_agree);
    RUN(every_label_agrees);
    RUN(certain_frames_agree);
    RUN(the_recursion_agrees);
    RUN(gradients_are_differences);
    loco_count_free(count);
    return check_done();
}
