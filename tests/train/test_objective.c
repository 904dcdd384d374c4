/* SPDX-License-Identifier: MIT
 * test_objective.c - what an output costs: each loss against its formula, its gradient against central differences,
 *   and what separates the exact loss from regression. */
#include "cases.h"

#include "train/objective.h"

enum { K = 2, T = 14, BEGIN = 3, END = 12 };

static loco_count *count;
static float logits[T * K], gradient[T * K];
static uint8_t events[T * K];
static loco_label labels[K + 1]; /* and that of the sum of both */

static const lc_map out = {.data = logits, .T = T, .row = K}, d_out = {.data = gradient, .T = T, .row = K};

static void fill(uint64_t seed)
{
    lc_rng rng = lc_rng_seed(seed);
    for (size_t i = 0; i < (size_t)T * K; i++) {
        logits[i] = (float)(1.5 * lc_rng_normal(&rng));
        events[i] = lc_rng_uniform(&rng) < 0.3;
    }
    labels[0] = loco_label_exact(case_below(&rng, 6));
    labels[1] = loco_label_exact(case_below(&rng, 6));
}

static lc_example example(lc_loss loss)
{
    return (lc_example){.T = T, .begin = BEGIN, .end = END, .labels = labels, .loss = loss};
}

static lc_cost cost_of(const lc_example *e, lc_map d)
{
    loco_count_item items[K];
    lc_cost cost = {0};
    loco_err err = {""};
    memset(gradient, 0, sizeof gradient);
    CHECK_STATUS(lc_objective_run(&cost, &(lc_objective){count, items, K, out, d, 1}, e, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return cost;
}

static double p_of(size_t t, size_t k)
{
    return 1 / (1 + exp(-(double)logits[t * K + k]));
}

static double sum_of(size_t k)
{
    double sum = 0;
    for (size_t t = BEGIN; t < END; t++)
        sum += p_of(t, k);
    return sum;
}

/* Three places of each of END / 3 frames are as many moments. */
static void places_are_moments(void)
{
    loco_count_item items[K];
    lc_cost frames, places;
    lc_example e = {.T = T, .begin = 3, .end = 3 * (END / 3), .labels = labels, .loss = LC_LOSS_EXACT};
    fill(9);
    CHECK_STATUS(lc_objective_run(&frames, &(lc_objective){count, items, K, out, d_out, 1}, &e, NULL), LOCO_OK);
    e.begin /= 3;
    e.end /= 3;
    CHECK_STATUS(lc_objective_run(&places, &(lc_objective){count, items, K, out, d_out, 3}, &e, NULL), LOCO_OK);
    CHECK_NEAR(places.loss, frames.loss, 0);
    CHECK_NEAR(places.mass, frames.mass, 0);
    CHECK(e.end > e.begin);
}

/* ---- which labels ---- */

static void regression_takes_numbers_alone(void)
{
    for (int loss = LC_LOSS_EXACT; loss <= LC_LOSS_POISSON; loss++) {
        CHECK(lc_objective_takes((lc_loss)loss, loco_label_exact(3)));
        CHECK(lc_objective_takes((lc_loss)loss, loco_label_exact(0)));
        CHECK(lc_objective_takes((lc_loss)loss, loco_label_range(0, LOCO_NO_LIMIT)));
        CHECK(lc_objective_takes((lc_loss)loss, loco_label_range(2, 5)) == (loss == LC_LOSS_EXACT));
        CHECK(lc_objective_takes((lc_loss)loss, loco_label_at_least(1)) == (loss == LC_LOSS_EXACT));
        CHECK(lc_objective_takes((lc_loss)loss, loco_label_range(0, 4)) == (loss == LC_LOSS_EXACT));
    }
}

/* ---- formulas ---- */

static void losses_are_their_formulas(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double squared = 0, poisson = 0, framewise = 0;
        fill(seed);
        for (size_t k = 0; k < K; k++) {
            double sum = sum_of(k), c = (double)labels[k].lo;
            squared += (sum - c) * (sum - c);
            poisson += -log(pow(sum, c) * exp(-sum) / tgamma(c + 1));
            for (size_t t = BEGIN; t < END; t++)
                framewise -= log(events[t * K + k] ? p_of(t, k) : 1 - p_of(t, k));
        }
        lc_example e = example(LC_LOSS_SQUARED);
        CHECK_NEAR(cost_of(&e, d_out).loss, squared, 1e-12 * (1 + squared));
        e.loss = LC_LOSS_POISSON;
        CHECK_NEAR(cost_of(&e, d_out).loss, poisson, 1e-12 * (1 + poisson));
        e.labels = NULL;
        e.events = events;
        CHECK_NEAR(cost_of(&e, d_out).loss, framewise, 1e-12 * (1 + framewise));
        e.labels = labels; /* both add */
        CHECK_NEAR(cost_of(&e, d_out).loss, framewise + poisson, 1e-12 * (1 + framewise + poisson));
    }
}

/* Of every logit, also those of the context, whose gradient is 0. */
static void check_gradient(const lc_example *e)
{
    const float step = 1.0f / 512;
    float analytic[T * K];
    double worst = 0;
    double loss = cost_of(e, d_out).loss;
    memcpy(analytic, gradient, sizeof analytic);
    CHECK(cost_of(e, (lc_map){.data = NULL}).loss == loss);
    for (size_t i = 0; i < (size_t)T * K; i++) {
        float z = logits[i], high = z + step, low = z - step;
        logits[i] = high;
        double above = cost_of(e, d_out).loss;
        logits[i] = low;
        double below = cost_of(e, d_out).loss;
        logits[i] = z;
        worst_note(&worst, (double)analytic[i], (above - below) / ((double)high - (double)low), 1);
    }
    CHECK_WORST(worst, 1e-4);
}

static void gradients_are_central_differences(void)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        fill(seed);
        for (int loss = LC_LOSS_EXACT; loss <= LC_LOSS_POISSON; loss++) {
            lc_example e = example((lc_loss)loss);
            check_gradient(&e);
            e.events = events;
            check_gradient(&e);
            e.labels = NULL;
            check_gradient(&e);
        }
    }
}

/* ---- edges ---- */

static void unknown_counts_cost_nothing(void)
{
    for (int loss = LC_LOSS_EXACT; loss <= LC_LOSS_POISSON; loss++) {
        fill(3);
        labels[0] = labels[1] = loco_label_range(0, LOCO_NO_LIMIT);
        lc_example e = example((lc_loss)loss);
        lc_cost cost = cost_of(&e, d_out);
        CHECK_NEAR(cost.loss, 0, 1e-12);
        CHECK_EQ(cost.exact, 0);
        for (size_t i = 0; i < (size_t)T * K; i++)
            CHECK_NEAR((double)gradient[i], 0, 1e-7);
    }
}

/* No probability at all, and certainty everywhere: finite costs, finite gradients. */
static void extremes_stay_finite(void)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int loss = LC_LOSS_SQUARED; loss <= LC_LOSS_POISSON; loss++) {
            fill(4);
            labels[0] = loco_label_exact(5);
            labels[1] = loco_label_exact(0);
            for (size_t i = 0; i < (size_t)T * K; i++)
                logits[i] = (float)sign * 2000;
            lc_example e = example((lc_loss)loss);
            CHECK(isfinite(cost_of(&e, d_out).loss));
            for (size_t i = 0; i < (size_t)T * K; i++)
                CHECK(isfinite((double)gradient[i]));
            logits[BEGIN * K] = NAN;
            CHECK(!isfinite(cost_of(&e, d_out).loss));
        }
    }
}

static void hits_are_rounded_sums(void)
{
    fill(5);
    lc_example e = example(LC_LOSS_SQUARED);
    labels[0] = loco_label_exact((size_t)nearbyint(sum_of(0)));
    labels[1] = loco_label_exact((size_t)nearbyint(sum_of(1)) + 1);
    lc_cost cost = cost_of(&e, d_out);
    CHECK(cost.exact == 2 && cost.hit == 1);
    memset(events, 0, sizeof events);
    for (size_t t = 0; t < labels[0].lo; t++)
        events[(BEGIN + t) * K] = 1;
    events[0] = 1; /* in the context */
    e.labels = NULL;
    e.events = events;
    cost = cost_of(&e, d_out);
    CHECK(cost.exact == 2 && cost.hit == (sum_of(1) < 0.5) + 1u);
}

/* Two events spread evenly over the frames: regression is content, the exact loss wants two of them sharp. */
static void only_the_exact_loss_sharpens(void)
{
    double slope[3];
    for (int loss = LC_LOSS_EXACT; loss <= LC_LOSS_POISSON; loss++) {
        for (size_t t = 0; t < T; t++)
            logits[t * K] = logits[t * K + 1] = (float)log(2.0 / (END - BEGIN - 2));
        labels[0] = labels[1] = loco_label_exact(2);
        logits[5 * K] += 0.5f; /* one frame stands out, another gives way */
        double more = p_of(5, 0) - p_of(4, 0), p = p_of(4, 0) - more;
        logits[6 * K] = (float)log(p / (1 - p));
        lc_example e = example((lc_loss)loss);
        cost_of(&e, d_out);
        slope[loss] = (double)gradient[5 * K];
    }
    printf("    slopes %g %g %g\n", slope[0], slope[1], slope[2]);
    CHECK(slope[LC_LOSS_EXACT] < -0.01);
    CHECK(fabs(slope[LC_LOSS_SQUARED]) < 1e-6 && fabs(slope[LC_LOSS_POISSON]) < 1e-6);
}

/* ---- sums ---- */

static const size_t members[K] = {0, 1};
static const lc_sum both = {"a+b", members, K};
static float room[2 * T * K];

static lc_example summed(lc_loss loss, loco_label a, loco_label b, loco_label sum)
{
    lc_example e = example(loss);
    labels[0] = a;
    labels[1] = b;
    labels[K] = sum;
    e.sums = &both;
    e.sums_len = 1;
    e.room = room;
    return e;
}

/* P(count of a = i, count of b = j) over the frames BEGIN to BEGIN + 4, by all 256 sets of events. */
static void all_sets(double joint[5][5])
{
    memset(joint, 0, 25 * sizeof(double));
    for (unsigned set = 0; set < 256; set++) {
        double p = 1;
        size_t n[K] = {0, 0};
        for (size_t i = 0; i < 8; i++) {
            size_t k = i % K;
            bool event = (set >> i & 1) > 0;
            p *= event ? p_of(BEGIN + i / K, k) : 1 - p_of(BEGIN + i / K, k);
            n[k] += event;
        }
        joint[n[0]][n[1]] += p;
    }
}

/* Labels of a, of b and of the sum, and the probability that they should have. Where a is known, the sum speaks of b. */
static void sums_are_exact(void)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        double joint[5][5], three = 0, some = 0, a_two = 0, b_one = 0;
        fill(seed);
        all_sets(joint);
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j < 5; j++) {
                three += i + j == 3 ? joint[i][j] : 0;
                some += i + j >= 2 && i + j <= 5 ? joint[i][j] : 0;
                a_two += i == 2 ? joint[i][j] : 0;
                b_one += j == 1 ? joint[i][j] : 0;
            }
        loco_label none = loco_label_unknown();
        lc_example e = summed(LC_LOSS_EXACT, none, none, loco_label_exact(3));
        e.end = BEGIN + 4;
        CHECK_NEAR(cost_of(&e, d_out).loss, -log(three), 1e-6);
        CHECK_EQ(cost_of(&e, d_out).exact, 1);
        labels[K] = loco_label_range(2, 5);
        CHECK_NEAR(cost_of(&e, d_out).loss, -log(some), 1e-6);
        CHECK_EQ(cost_of(&e, d_out).exact, 0);
        labels[0] = loco_label_exact(2);
        labels[K] = loco_label_exact(3);
        CHECK_NEAR(cost_of(&e, d_out).loss, -log(a_two) - log(b_one), 1e-6);
        CHECK_NEAR(exp(-cost_of(&e, d_out).loss), joint[2][1], 1e-6);
        labels[1] = loco_label_exact(1); /* nothing is left to say, and nothing is said twice */
        CHECK_NEAR(cost_of(&e, d_out).loss, -log(joint[2][1]), 1e-6);
        CHECK_EQ(cost_of(&e, d_out).exact, 2);
        labels[0] = labels[1] = labels[K] = none;
        CHECK_NEAR(cost_of(&e, d_out).loss, 0, 1e-9);
    }
}

static void gradients_of_sums_are_central_differences(void)
{
    const loco_label none = loco_label_unknown();
    for (uint64_t seed = 1; seed <= 10; seed++) {
        fill(seed);
        for (int loss = LC_LOSS_EXACT; loss <= LC_LOSS_POISSON; loss++) {
            lc_example e = summed((lc_loss)loss, none, none, loco_label_exact(seed % 7));
            check_gradient(&e);
            e = summed((lc_loss)loss, loco_label_exact(2), none, loco_label_exact(2 + seed % 5));
            check_gradient(&e);
            e.events = events;
            check_gradient(&e);
        }
        lc_example e = summed(LC_LOSS_EXACT, loco_label_at_least(1), loco_label_range(0, 3), loco_label_range(2, 6));
        check_gradient(&e);
    }
}

int main(void)
{
    count = case_handle(1);
    RUN(places_are_moments);
    RUN(sums_are_exact);
    RUN(gradients_of_sums_are_central_differences);
    RUN(regression_takes_numbers_alone);
    RUN(losses_are_their_formulas);
    RUN(gradients_are_central_differences);
    RUN(unknown_counts_cost_nothing);
    RUN(extremes_stay_finite);
    RUN(hits_are_rounded_sums);
    RUN(only_the_exact_loss_sharpens);
    loco_count_free(count);
    return check_done();
}
