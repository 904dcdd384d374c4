/* SPDX-License-Identifier: MIT
 * test_validate.c - the verdict on a network in training: counts of held-out clips computed here, times after the delay
 *   of a class is removed. */
#include "burst_model.h"

#include "train/validate.h"

static lc_plan *plan;
static lc_trainer *trainer;
static double times[256];
static size_t times_len;

/* Two recordings with the same bursts, of which one is held out. */
static void open_plan(const char *data)
{
    static const char *const sets[] = {"frontend.bands=24", "network=conv 5x1 1 linear", "held=0.5", "batch=4",
                                       "context=0.2"};
    loco_err err = {""};
    loco_train_options training = {.size = sizeof training, .sets = sets, .sets_len = 5, .threads = 2};
    lc_schedule schedule = {.rate = 0.001, .steps = 10};
    lc_trainer_options options = {.batch = 4, .threads = 1, .seed = 1};
    bool planned = lc_plan_new(&plan, run_path(data), &training, &err) == LOCO_OK && plan->held != NULL;
    options.frames = planned ? lc_feed_frames(plan->held) : 0;
    if (!planned || lc_trainer_new(&trainer, &plan->net, &schedule, &options, &err) != LOCO_OK) {
        fprintf(stderr, "no plan: %s\n", err.text);
        exit(1);
    }
}

static void close_plan(void)
{
    lc_trainer_free(trainer);
    lc_plan_free(plan);
}

enum { EVEN = 99 }; /* in place of a tap: the input is ignored, 3 events a second everywhere */

/* The averaged weights are those that are judged; logits come from them too. */
static lc_validation_result judge(size_t tap)
{
    lc_validation *validation = NULL;
    lc_validation_result verdict = {0};
    loco_err err = {""};
    lc_optimiser *state = lc_trainer_state(trainer);
    CHECK_EQ(state->n, BURST_PARAMS(1));
    CHECK_STATUS(lc_validation_new(&validation, plan, state->average, &err), LOCO_OK);
    if (tap != EVEN)
        burst_params(state->average, tap, 1); /* after it was made: a run reads them again */
    else
        memset(state->average, 0, BURST_PARAMS(1) * sizeof *state->average);
    if (tap == EVEN)
        state->average[BURST_PARAMS(1) - 1] = -3.5f;
    CHECK_STATUS(lc_validation_run(validation, trainer, &verdict, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK(lc_validation_model(validation)->params == state->average);
    lc_validation_free(validation);
    return verdict;
}

/* Each held-out clip by itself, in double. Returns the part of the counts that are met. */
static double judge_by_hand(size_t tap)
{
    loco_count *count = case_handle(1);
    lc_validation_result v = judge(tap);
    double sum = 0, hits = 0;
    size_t clips = lc_feed_clips(plan->held), n = 0;
    float *logits = case_array(lc_feed_frames(plan->held), sizeof *logits);
    double *z = case_array(lc_feed_frames(plan->held), sizeof *z);
    for (size_t i = 0; i < clips; i++) {
        const lc_example *e;
        double loss = 0, expected = 0;
        CHECK_STATUS(lc_feed_plain(plan->held, i, &e, &n, NULL), LOCO_OK);
        CHECK_STATUS(lc_trainer_logits(trainer, e->frames, e->T, logits, NULL), LOCO_OK);
        for (size_t t = e->begin; t < e->end; t++) {
            z[t - e->begin] = (double)logits[t];
            expected += 1 / (1 + exp(-(double)logits[t]));
        }
        loco_label label = e->labels[0];
        CHECK_STATUS(loco_count_loss(&loss, NULL, NULL, count, z, e->end - e->begin, label, NULL), LOCO_OK);
        sum += loss;
        hits += fabs(expected - (double)label.lo) < 0.5;
    }
    printf("    %zu clips: loss %.6f, counts met %.3f\n", clips, v.loss, v.hit);
    CHECK(clips >= 8);
    CHECK_NEAR(v.loss, sum / (double)clips, 1e-4 * v.loss);
    CHECK_NEAR(v.hit, hits / (double)clips, 1e-12);
    free(logits);
    free(z);
    loco_count_free(count);
    return v.hit;
}

static void counts_are_judged(void)
{
    judge_by_hand(2);
    double hit = judge_by_hand(EVEN);
    CHECK(hit > 0 && hit < 1);
}

/* A network that is 30 ms early, or 10 ms late, is as good as one that is not: calibration corrects it. */
static void delays_are_forgiven(void)
{
    for (size_t tap = 0; tap < BURST_TAPS; tap += 2) {
        lc_validation_result v = judge(tap);
        printf("    tap %zu: F1 %.3f within 50 ms, %.3f within 20 ms\n", tap, v.f1[0], v.f1[1]);
        CHECK(v.f1[0] > 0.95);
        CHECK(v.f1[1] > 0.95);
    }
}

/* A network that ignores its input finds nothing. */
static void silence_scores_nothing(void)
{
    lc_validation *validation = NULL;
    lc_validation_result v = {0};
    float *average = lc_trainer_state(trainer)->average;
    CHECK_STATUS(lc_validation_new(&validation, plan, average, NULL), LOCO_OK);
    memset(average, 0, BURST_PARAMS(1) * sizeof *average);
    average[BURST_PARAMS(1) - 1] = -20;
    CHECK_STATUS(lc_validation_run(validation, trainer, &v, NULL), LOCO_OK);
    CHECK(v.f1[0] <= 0 && v.f1[1] <= 0 && v.loss > 10);
    lc_validation_free(validation);
    lc_validation_free(NULL);
}

static void unknown_times_are_unknown(void)
{
    lc_validation_result v = judge(2);
    CHECK(isnan(v.f1[0]) && isnan(v.f1[1]));
    CHECK(v.loss > 0 && v.hit >= 0);
}

/* Copies the set under two names. */
static void make_twice(const char *from, const char *to, bool timed)
{
    static const char *const parts[] = {"counts.csv", "events.csv"};
    char name[64];
    CHECK(mkdir(run_path(to), 0777) == 0);
    for (size_t i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s/%zu.wav", to, i);
        run_bursts(name, 22050, 8, times, times_len);
    }
    for (size_t p = 0; p < (timed ? 2u : 1u); p++) {
        size_t length = 0;
        lc_text out = {0};
        snprintf(name, sizeof name, "%s/%s", from, parts[p]);
        char *text = run_read(name, &length);
        const char *rows = text + strcspn(text, "\n") + 1;
        lc_text_append(&out, text, (size_t)(rows - text));
        for (size_t i = 0; i < 2; i++)
            for (const char *row = rows; *row != 0; row += strcspn(row, "\n") + 1)
                lc_text_format(&out, "%zu.wav%.*s\n", i, (int)(strcspn(row, "\n") - 5), row + 5);
        snprintf(name, sizeof name, "%s/%s", to, parts[p]);
        run_write(name, out.bytes);
        lc_text_free(&out);
        free(text);
    }
}

int main(void)
{
    run_begin();
    times_len = burst_set("set", 8, 1, times, 256);
    make_twice("set", "twice", true);
    make_twice("set", "untimed", false);
    open_plan("twice");
    RUN(counts_are_judged);
    RUN(delays_are_forgiven);
    RUN(silence_scores_nothing);
    close_plan();
    open_plan("untimed");
    RUN(unknown_times_are_unknown);
    close_plan();
    return run_done();
}
