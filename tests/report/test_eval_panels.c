/* SPDX-License-Identifier: MIT
 * test_eval_panels.c - histograms of errors, and the pictures of an evaluation: a panel for each class and for all. */
#include "cases.h"

#include "report/eval_panels.h"

static void errors_fall_into_bins(void)
{
    static const double errors[] = {-0.05, -0.0499, 0.0001, 0.05, 0.0019, -0.0001};
    lc_error_histogram h = {0};
    double mean = 0, squares = 0;
    for (size_t i = 0; i < 6; i++) {
        lc_error_add(&h, errors[i], 0.05);
        mean += errors[i] / 6;
    }
    for (size_t i = 0; i < 6; i++)
        squares += (errors[i] - mean) * (errors[i] - mean);
    CHECK_EQ(h.pairs, 6);
    CHECK_EQ(h.bins[0], 2);
    CHECK_EQ(h.bins[24], 1);
    CHECK_EQ(h.bins[25], 2);
    CHECK_EQ(h.bins[49], 1); /* the border belongs to the last */
    CHECK_NEAR(h.mean, mean, 1e-15);
    CHECK_NEAR(h.squares, squares, 1e-15);
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

static void panels_for_classes_and_all(void)
{
    static const char *const names[] = {"kick", "<b>", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"};
    static lc_error_histogram errors[14];
    double thresholds[13];
    loco_event truth[] = {
        {1, 0, 1, 0},
        {2, 0, 1, 0}
    };
    loco_event found[] = {
        {1.001, 0, 0.9, 0},
        {2.001, 0, 0.4, 0},
        {3,     0, 0.2, 0}
    };
    for (size_t k = 0; k < 13; k++)
        thresholds[k] = 0.5;
    lc_error_add(&errors[0], 0.001, 0.05);
    lc_error_add(&errors[0], 0.003, 0.05);
    for (size_t classes = 1; classes <= 13; classes += 4) {
        lc_sweep *sweep = NULL;
        lc_text out = {0};
        CHECK_STATUS(lc_sweep_new(&sweep, classes, 0.05, NULL), LOCO_OK);
        CHECK_STATUS(lc_sweep_add(sweep, truth, 2, found, 3, NULL), LOCO_OK);
        lc_eval_scene scene = {"a & b", names, classes, 0.05, sweep, thresholds, errors};
        lc_eval_draw_thresholds(&out, &scene);
        size_t panels = classes == 1 ? 1 : classes < 12 ? classes + 1 : 12;
        CHECK_EQ(count_of(out.bytes, ">threshold<"), panels);
        CHECK_EQ(count_of(out.bytes, "one threshold for all"), classes > 1);
        CHECK_SAYS(out.bytes, "F1 0.667 at 0.50");
        CHECK_SAYS(out.bytes, "a &amp; b");
        lc_text_free(&out);
        lc_eval_draw_errors(&out, &scene);
        CHECK_EQ(count_of(out.bytes, "milliseconds, detected"), panels);
        CHECK_SAYS(out.bytes, ">2 pairs<");
        CHECK_SAYS(out.bytes, "mean 2.0 ms");
        CHECK_SAYS(out.bytes, "spread 1.0 ms");
        CHECK_EQ(count_of(out.bytes, ">0 pairs<"), panels - 1);
        lc_text_free(&out);
        lc_sweep_free(sweep);
    }
}

int main(void)
{
    RUN(errors_fall_into_bins);
    RUN(panels_for_classes_and_all);
    return check_done();
}
