/* SPDX-License-Identifier: MIT
 * test_optimiser.c - Adam and AdamW against the formulas in double over 50 steps, clipping, the schedule, averaged
 *   weights, and gradients that are not finite. */
#include "cases.h"

#include "train/optimiser.h"

enum { N = 37, STEPS = 50 };

static void open_optimiser(lc_optimiser *o, lc_block *block)
{
    lc_arena arena = {0};
    lc_rng rng = lc_rng_seed(3);
    lc_optimiser_layout(o, N, &arena);
    if (!lc_block_reserve(block, arena.used))
        exit(1);
    memset(block->data, 0, block->size);
    arena = lc_arena_over(block);
    lc_optimiser_layout(o, N, &arena);
    for (size_t i = 0; i < N; i++)
        o->average[i] = o->params[i] = (float)lc_rng_normal(&rng);
}

static void draw_gradient(lc_optimiser *o, lc_rng *rng, double scale)
{
    for (size_t i = 0; i < N; i++)
        o->grads[i] = (float)(scale * (0.3 + lc_rng_normal(rng)));
}

/* ---- the reference ---- */

typedef struct twin {
    double params[N], m[N], v[N], average[N];
} twin;

static double norm_of(const lc_optimiser *o)
{
    double squares = 0;
    for (size_t i = 0; i < N; i++)
        squares += (double)o->grads[i] * (double)o->grads[i];
    return sqrt(squares);
}

/* Step t = 1, 2, ... as in the papers. */
static void twin_step(twin *w, const lc_optimiser *o, const lc_schedule *s, double rate, int t)
{
    double norm = norm_of(o), scale = s->clip > 0 && norm > s->clip ? s->clip / norm : 1;
    double keep = fmin(s->average, (1.0 + t) / (10.0 + t));
    for (size_t i = 0; i < N; i++) {
        double g = scale * (double)o->grads[i];
        w->m[i] = 0.9 * w->m[i] + 0.1 * g;
        w->v[i] = 0.999 * w->v[i] + 0.001 * g * g;
        double m = w->m[i] / (1 - pow(0.9, t)), v = w->v[i] / (1 - pow(0.999, t));
        w->params[i] -= rate * (m / (sqrt(v) + 1e-8) + s->weight_decay * w->params[i]);
        w->average[i] = keep * w->average[i] + (1 - keep) * w->params[i];
    }
}

static void check_adam(const lc_schedule *s, double scale)
{
    lc_optimiser o;
    lc_block block = {0};
    lc_rng rng = lc_rng_seed(4);
    twin w = {0}, start;
    double params_error = 0, average_error = 0, moved = 0;
    open_optimiser(&o, &block);
    for (size_t i = 0; i < N; i++)
        w.average[i] = w.params[i] = (double)o.params[i];
    start = w;
    for (int t = 1; t <= STEPS; t++) {
        draw_gradient(&o, &rng, scale);
        double norm = norm_of(&o);
        twin_step(&w, &o, s, lc_schedule_rate(s, (uint64_t)t - 1), t);
        CHECK_NEAR(lc_optimiser_step(&o, s), norm, 1e-12 * norm);
        CHECK_EQ((size_t)o.step, (size_t)t);
        for (size_t i = 0; i < N; i++) {
            worst_note(&params_error, (double)o.params[i], w.params[i], 1);
            worst_note(&average_error, (double)o.average[i], w.average[i], 1);
        }
    }
    for (size_t i = 0; i < N; i++)
        moved = fmax(moved, fabs(w.params[i] - start.params[i]));
    CHECK(moved > 0.05);
    CHECK_WORST(params_error, 5e-6);
    CHECK_WORST(average_error, 5e-6);
    lc_block_free(&block);
}

static void steps_are_adam(void)
{
    check_adam(&(lc_schedule){.rate = 1e-2}, 1);
    check_adam(&(lc_schedule){.rate = 1e-2}, 1e-6); /* Adam does not see the scale */
    check_adam(&(lc_schedule){.rate = 1e-2, .clip = 1}, 10);
    check_adam(&(lc_schedule){.rate = 1e-2, .clip = 1}, 1e-3);
    check_adam(&(lc_schedule){.rate = 3e-2, .weight_decay = 0.1}, 1);
    check_adam(&(lc_schedule){.rate = 1e-2, .average = 0.95}, 1);
    check_adam(
        &(lc_schedule){.rate = 3e-2, .warm_up = 10, .steps = 60, .clip = 2, .weight_decay = 0.05, .average = 0.5}, 1);
}

/* ---- properties ---- */

static void the_schedule_warms_up_and_falls(void)
{
    const lc_schedule s = {.rate = 2, .warm_up = 4, .steps = 12}, constant = {.rate = 3},
                      warm = {.rate = 1, .warm_up = 2};
    const double want[] = {0.5, 1, 1.5, 2};
    for (uint64_t i = 0; i < 4; i++)
        CHECK_NEAR(lc_schedule_rate(&s, i), want[i], 1e-15);
    CHECK_NEAR(lc_schedule_rate(&s, 4), 2, 1e-15);
    CHECK_NEAR(lc_schedule_rate(&s, 6), 1 + sqrt(0.5), 1e-12);
    CHECK_NEAR(lc_schedule_rate(&s, 8), 1, 1e-12);
    CHECK_NEAR(lc_schedule_rate(&s, 11), 1 + cos(3.141592653589793 * 7 / 8), 1e-12);
    for (uint64_t i = 5; i < 12; i++)
        CHECK(lc_schedule_rate(&s, i) < lc_schedule_rate(&s, i - 1) && lc_schedule_rate(&s, i) > 0);
    CHECK_NEAR(lc_schedule_rate(&s, 12), 0, 0);
    CHECK_NEAR(lc_schedule_rate(&s, UINT64_MAX), 0, 0);
    CHECK_NEAR(lc_schedule_rate(&constant, 0), 3, 0);
    CHECK_NEAR(lc_schedule_rate(&constant, UINT64_MAX), 3, 0);
    CHECK_NEAR(lc_schedule_rate(&warm, 0), 0.5, 0);
    CHECK_NEAR(lc_schedule_rate(&warm, 7), 1, 0);
}

/* No steps left, or nothing but warm-up: no division by zero. */
static void odd_schedules_are_finite(void)
{
    const lc_schedule same = {.rate = 1, .warm_up = 5, .steps = 5}, late = {.rate = 1, .warm_up = 9, .steps = 5};
    for (uint64_t i = 0; i < 12; i++) {
        CHECK(lc_schedule_rate(&same, i) >= 0 && lc_schedule_rate(&same, i) <= 1);
        CHECK(lc_schedule_rate(&late, i) >= 0 && lc_schedule_rate(&late, i) <= 1);
    }
}

static void without_averaging_the_average_is_the_weights(void)
{
    lc_optimiser o;
    lc_block block = {0};
    lc_rng rng = lc_rng_seed(5);
    open_optimiser(&o, &block);
    o.average[3] = 12345.67f;
    for (int t = 0; t < 20; t++) {
        draw_gradient(&o, &rng, 1);
        lc_optimiser_step(&o, &(lc_schedule){.rate = 0.7});
        CHECK(case_same(o.params, o.average, N * sizeof(float)));
    }
    lc_block_free(&block);
}

/* The first step of Adam is the learning rate along the sign of the gradient. */
static void the_first_step_is_the_rate(void)
{
    lc_optimiser o;
    lc_block block = {0};
    lc_rng rng = lc_rng_seed(6);
    open_optimiser(&o, &block);
    float before[N];
    memcpy(before, o.params, sizeof before);
    draw_gradient(&o, &rng, 1);
    lc_optimiser_step(&o, &(lc_schedule){.rate = 0.01});
    for (size_t i = 0; i < N; i++)
        CHECK_NEAR((double)(before[i] - o.params[i]), o.grads[i] > 0 ? 0.01 : -0.01, 1e-6);
    lc_block_free(&block);
}

static void gradients_that_are_not_finite_change_nothing(void)
{
    const float wrong[] = {NAN, INFINITY, -INFINITY};
    lc_optimiser o;
    lc_block block = {0}, copy = {0};
    lc_rng rng = lc_rng_seed(7);
    open_optimiser(&o, &block);
    draw_gradient(&o, &rng, 1);
    lc_optimiser_step(&o, &(lc_schedule){.rate = 0.01, .average = 0.9});
    if (!lc_block_reserve(&copy, block.size))
        exit(1);
    for (size_t i = 0; i < 3; i++) {
        o.grads[N - 1] = wrong[i];
        memcpy(copy.data, block.data, block.size);
        CHECK(!isfinite(lc_optimiser_step(&o, &(lc_schedule){.rate = 0.01, .clip = 1, .average = 0.9})));
        CHECK(case_same(copy.data, block.data, block.size));
        CHECK_EQ((size_t)o.step, 1);
    }
    lc_block_free(&block);
    lc_block_free(&copy);
}

int main(void)
{
    RUN(the_schedule_warms_up_and_falls);
    RUN(odd_schedules_are_finite);
    RUN(the_first_step_is_the_rate);
    RUN(steps_are_adam);
    RUN(without_averaging_the_average_is_the_weights);
    RUN(gradients_that_are_not_finite_change_nothing);
    return check_done();
}
