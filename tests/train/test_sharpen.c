/* SPDX-License-Identifier: MIT
 * test_sharpen.c - the count loss at a temperature: against the sum over all sets of frames, at 1, towards 0, and when it
 *   applies. */
#include "check.h"

#include "train/sharpen.h"

enum { T = 9, STRIDE = 2 };

static const float logits[T] = {-2.0f, 1.5f, 0.3f, -0.7f, 2.2f, -3.0f, 0.1f, -0.2f, 0.9f};

/* -u log sum over the sets of lo to hi frames of P(set)^(1/u). */
static double brute_loss(const double *z, double u, size_t lo, size_t hi)
{
    double sum = 0, all = 0;
    for (unsigned set = 0; set < 1u << T; set++) {
        size_t n = 0;
        double inside = 0;
        for (size_t t = 0; t < T; t++)
            if (set >> t & 1) {
                n++;
                inside += z[t];
            }
        sum += n >= lo && n <= hi ? exp(inside / u) : 0;
    }
    for (size_t t = 0; t < T; t++)
        all += log1p(exp(z[t]));
    return all - u * log(sum);
}

/* The gradient at a temperature, from every STRIDE-th place. */
static void gradient(double u, loco_label label, float *grad)
{
    float spread[T * STRIDE] = {0}, out[T * STRIDE] = {0};
    loco_count *count = NULL;
    CHECK_STATUS(loco_count_new(&count, 1, NULL), LOCO_OK);
    for (size_t t = 0; t < T; t++)
        spread[t * STRIDE] = logits[t];
    loco_count_item item = {.logits = spread, .length = T, .stride = STRIDE, .label = label, .grad = out, .loss = 12.5};
    CHECK_STATUS(lc_sharpen(&item, u, count, NULL), LOCO_OK);
    CHECK_NEAR(item.loss, 12.5, 0);
    for (size_t t = 0; t < T; t++)
        grad[t] = out[t * STRIDE];
    loco_count_free(count);
}

static void follows_the_sum_over_all_sets(void)
{
    static const double temperatures[] = {1, 0.8, 0.5, 0.3};
    static const size_t ranges[][2] = {
        {0, 0},
        {1, 1},
        {4, 4},
        {2, 5},
        {9, 9}
    };
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 5; j++) {
            float grad[T];
            gradient(temperatures[i], loco_label_range(ranges[j][0], ranges[j][1]), grad);
            for (size_t t = 0; t < T; t++) {
                double up[T], down[T], step = 1e-5;
                for (size_t s = 0; s < T; s++)
                    up[s] = down[s] = (double)logits[s];
                up[t] += step;
                down[t] -= step;
                double slope = (brute_loss(up, temperatures[i], ranges[j][0], ranges[j][1]) -
                                brute_loss(down, temperatures[i], ranges[j][0], ranges[j][1])) /
                               (2 * step);
                CHECK_NEAR((double)grad[t], slope, 2e-6);
            }
        }
}

/* Cold enough, the likeliest frames have all of it: here those of the three largest logits. */
static void cold_means_the_likeliest_set(void)
{
    float grad[T];
    gradient(0.02, loco_label_exact(3), grad);
    for (size_t t = 0; t < T; t++) {
        double p = 1 / (1 + exp(-(double)logits[t])), in = t == 1 || t == 4 || t == 8;
        CHECK_NEAR((double)grad[t], p - in, 1e-5);
    }
}

static void few_events_keep_the_exact_loss(void)
{
    for (size_t n = 0; n <= LC_SHARPEN_FEW; n++)
        CHECK_NEAR(lc_sharpen_temperature(0.6, loco_label_exact(n)), 1, 0);
    CHECK_NEAR(lc_sharpen_temperature(0.6, loco_label_at_least(50)), 1, 0);
    CHECK_NEAR(lc_sharpen_temperature(0, loco_label_exact(50)), 1, 0);
    CHECK_NEAR(lc_sharpen_temperature(0.6, loco_label_exact(30)), 1 - 0.6 * 20 / 40, 1e-12);
    CHECK(lc_sharpen_temperature(0.6, loco_label_exact(100000)) > 0.4);
    CHECK(lc_sharpen_temperature(0.6, loco_label_range(40, 60)) < 0.7);
}

static void begins_late_and_ends_early(void)
{
    CHECK_NEAR(lc_sharpen_ramp(0, 1000), 0, 0);
    CHECK_NEAR(lc_sharpen_ramp(200, 1000), 0, 1e-12);
    CHECK_NEAR(lc_sharpen_ramp(400, 1000), 0.5, 1e-12);
    CHECK_NEAR(lc_sharpen_ramp(600, 1000), 1, 1e-12);
    CHECK_NEAR(lc_sharpen_ramp(1000, 1000), 1, 0);
}

int main(void)
{
    RUN(follows_the_sum_over_all_sets);
    RUN(cold_means_the_likeliest_set);
    RUN(few_events_keep_the_exact_loss);
    RUN(begins_late_and_ends_early);
    return check_done();
}
