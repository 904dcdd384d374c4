/* SPDX-License-Identifier: MIT
 * test_toy.c - the whole of training on a toy: pulses of two kinds in noise. The network is given how many there were
 *   in a clip, never when; then it has to say when, on sequences that it has not seen. A second one is given no more
 *   than whether there was any, a third how many of one kind or of both together. */
#include "train.h"

enum { F = 8, K = 2, BATCH = 32, TEST_T = 200, TESTS = 100 };

static const char *const network =
    "conv 5x3 8 norm, conv 3x3 8 stride 2 norm, dense 24 relu as d, gru 16, join d, dense 2";

/* Sanitizers are ten times slower, and see in ten steps what they would see in 600. */
static bool in_full(void)
{
    const char *sanitizers = getenv("LOCO_SANITIZE");
    return sanitizers == NULL || *sanitizers == '\0';
}

/* ---- the task ---- */

/* A pulse of class k: bins around 2 or 5, decaying over six frames. */
static void add_pulse(lc_rng *rng, float *x, size_t T, size_t begin, size_t k)
{
    double height = 2.4 + 1.6 * lc_rng_uniform(rng), centre = k == 0 ? 2 : 5;
    for (size_t t = begin; t < T && t < begin + 6; t++)
        for (size_t f = 0; f < F; f++) {
            double away = (double)f - centre, age = (double)(t - begin);
            x[t * F + f] += (float)(height * exp(-0.5 * away * away - 0.5 * age));
        }
}

/* Noise and pulses, at least 6 frames between two of a class; events (T, K). */
static void make_clip(lc_rng *rng, size_t T, size_t first, size_t gap, float *x, uint8_t *events)
{
    memset(events, 0, T * K);
    for (size_t i = 0; i < T * F; i++)
        x[i] = (float)(0.5 * lc_rng_normal(rng));
    for (size_t k = 0; k < K; k++)
        for (size_t t = case_below(rng, first); t < T; t += 6 + case_below(rng, gap)) {
            events[t * K + k] = 1;
            add_pulse(rng, x, T, t, k);
        }
}

/* ---- training ---- */

typedef struct toy {
    size_t shortest, longest; /* frames of a clip */
    size_t first, gap;        /* how soon, and how seldom, events come */
    bool presence;            /* labels: >=1 or 0, instead of the count */
    bool summed;              /* labels: of the first class in every other clip, and of both together in the others */
} toy;

static const size_t both[K] = {0, 1};
static const lc_sum sum_of_both = {"a+b", both, K};

static loco_label label_of(const toy *task, const uint8_t *events, size_t T, size_t k)
{
    size_t n = 0;
    for (size_t t = 0; t < T; t++)
        n += events[t * K + k];
    return task->presence && n > 0 ? loco_label_at_least(1) : loco_label_exact(n);
}

static void hide_labels(loco_label *labels, size_t b)
{
    size_t n = labels[0].lo + labels[1].lo;
    if (b % 2 > 0)
        labels[0] = loco_label_unknown();
    labels[1] = loco_label_unknown();
    labels[K] = b % 2 > 0 ? loco_label_exact(n) : loco_label_unknown();
}

static lc_trainer *learn(const lc_net *net, const toy *task, uint64_t steps)
{
    static float x[BATCH][TEST_T * F];
    static uint8_t events[TEST_T * K];
    static loco_label labels[BATCH][K + 1];
    static float room[BATCH][2 * TEST_T * K];
    const lc_schedule schedule = {.rate = 3e-3, .warm_up = 50, .steps = steps, .clip = 1, .average = 0.99};
    lc_trainer *trainer = train_new(net, &schedule, task->longest > TEST_T ? task->longest : TEST_T, BATCH, 2);
    lc_rng rng = lc_rng_seed(7);
    for (uint64_t i = 0; i < steps; i++) {
        lc_example batch[BATCH];
        for (size_t b = 0; b < BATCH; b++) {
            size_t T = task->shortest + case_below(&rng, task->longest - task->shortest + 1);
            make_clip(&rng, T, task->first, task->gap, x[b], events);
            for (size_t k = 0; k < K; k++)
                labels[b][k] = label_of(task, events, T, k);
            if (task->summed)
                hide_labels(labels[b], b);
            batch[b] = (lc_example){.frames = x[b],
                                    .T = T,
                                    .end = T,
                                    .labels = labels[b],
                                    .sums = &sum_of_both,
                                    .sums_len = task->summed,
                                    .room = room[b]};
        }
        lc_step_report report;
        CHECK_STATUS(lc_trainer_step(trainer, batch, BATCH, &report, NULL), LOCO_OK);
        if (i % 100 == 0 || i + 1 == steps)
            printf("    step %3u: loss %7.4f, counts met %.2f\n", (unsigned)i, report.loss, report.count_hit);
    }
    return trainer;
}

/* ---- detection ---- */

typedef struct score {
    size_t right, wrong, missed;
} score;

/* Frames that are more likely than not, and the highest within `apart` frames on either side. */
static bool detected(const float *z, size_t t, size_t k, size_t apart)
{
    float here = z[t * K + k];
    if (here <= 0)
        return false;
    for (size_t d = 1; d <= apart; d++)
        if ((t >= d && z[(t - d) * K + k] > here) || (t + d < TEST_T && z[(t + d) * K + k] >= here))
            return false;
    return true;
}

/* Each event answers for one detection at most, within `slack` frames; the nearest first. */
static bool claim(uint8_t *events, size_t t, size_t k, size_t slack)
{
    for (size_t d = 0; d <= slack; d++) {
        size_t at[2] = {t >= d ? t - d : t, t + d < TEST_T ? t + d : t};
        for (size_t i = 0; i < 2; i++)
            if (events[at[i] * K + k]) {
                events[at[i] * K + k] = 0;
                return true;
            }
    }
    return false;
}

static score examine(lc_trainer *trainer, size_t apart, size_t slack)
{
    static float x[TEST_T * F], z[TEST_T * K];
    static uint8_t events[TEST_T * K];
    lc_rng rng = lc_rng_seed(99);
    score s = {0};
    for (size_t i = 0; i < TESTS; i++) {
        make_clip(&rng, TEST_T, 30, 40, x, events);
        CHECK_STATUS(lc_trainer_logits(trainer, x, TEST_T, z, NULL), LOCO_OK);
        for (size_t k = 0; k < K; k++)
            for (size_t t = 0; t < TEST_T; t++)
                if (detected(z, t, k, apart)) {
                    bool right = claim(events, t, k, slack);
                    s.right += right;
                    s.wrong += !right;
                }
        for (size_t j = 0; j < TEST_T * K; j++)
            s.missed += events[j];
    }
    return s;
}

static void check_score(score s, double bar)
{
    double precision = (double)s.right / (double)(s.right + s.wrong + (s.right == 0));
    double recall = (double)s.right / (double)(s.right + s.missed);
    printf("    precision %.4f, recall %.4f of %zu events\n", precision, recall, s.right + s.missed);
    CHECK(precision >= bar);
    CHECK(recall >= bar);
}

/* Every frame above one half is a detection: the count alone has made the network fire once for each event. */
static void counts_teach_times(void)
{
    const toy counts = {.shortest = 40, .longest = 80, .first = 30, .gap = 40};
    lc_net net;
    net_of(&net, network, F, 1);
    lc_trainer *trainer = learn(&net, &counts, in_full() ? 600 : 10);
    if (in_full())
        check_score(examine(trainer, 0, 1), 0.98);
    lc_trainer_free(trainer);
}

/* Short clips, of which about a half hold no event of a class. Nothing makes the network fire once only, so that a
 * detection is the highest frame of its surroundings. */
static void presence_teaches_detection(void)
{
    const toy presence = {.shortest = 8, .longest = 24, .first = 40, .gap = 40, .presence = true};
    lc_net net;
    net_of(&net, network, F, 1);
    lc_trainer *trainer = learn(&net, &presence, in_full() ? 600 : 10);
    if (in_full())
        check_score(examine(trainer, 3, 2), 0.95);
    lc_trainer_free(trainer);
}

/* The second class is never counted alone. */
static void sums_teach_what_is_not_counted_alone(void)
{
    const toy counts = {.shortest = 40, .longest = 80, .first = 30, .gap = 40, .summed = true};
    lc_net net;
    net_of(&net, network, F, 1);
    lc_trainer *trainer = learn(&net, &counts, in_full() ? 600 : 10);
    if (in_full())
        check_score(examine(trainer, 0, 1), 0.97);
    lc_trainer_free(trainer);
}

int main(void)
{
    RUN(sums_teach_what_is_not_counted_alone);
    RUN(counts_teach_times);
    RUN(presence_teaches_detection);
    return check_done();
}
