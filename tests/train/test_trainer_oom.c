/* SPDX-License-Identifier: MIT
 * test_trainer_oom.c - lets the n-th allocation of a new trainer fail, for every n; and a step allocates nothing, from
 * the first on. */
#include "oom.h"
#include "train.h"

enum { F = 5, C = 2, LONGEST = 60, BATCH = 9 };

static const char *const line = "conv 3x3 4 norm, dropout 0.2, dense 8 relu as d, gru 6, join d, dense 12";
static const lc_schedule schedule = {.rate = 1e-3, .clip = 1};

static void a_trainer_that_cannot_be_is_refused(void)
{
    lc_net net;
    net_of(&net, line, F, C);
    for (unsigned threads = 1; threads <= 2; threads++) {
        size_t n = 0;
        for (bool failed = true; failed;) {
            lc_trainer *trainer = NULL;
            loco_err err = {""};
            lc_trainer_options options = {
                .frames = LONGEST, .batch = BATCH, .threads = threads, .seed = 1, .whole = 20, .chunk = 7};
            oom_begin(++n);
            loco_status status = lc_trainer_new(&trainer, &net, &schedule, &options, &err);
            failed = oom_end() >= n;
            CHECK_STATUS(status, failed ? LOCO_ENOMEM : LOCO_OK);
            CHECK((trainer == NULL) == failed);
            if (failed)
                CHECK_SAYS(err.text, "out of memory");
            lc_trainer_free(trainer);
        }
        CHECK(n > 8);
    }
}

/* Sums of sizes that do not fit are out of memory too. */
static void absurd_sizes_are_refused(void)
{
    lc_net net;
    lc_trainer *trainer = NULL;
    loco_err err = {""};
    net_of(&net, line, F, C);
    for (int bits = 54; bits < 64; bits++) {
        size_t frames = (size_t)1 << bits;
        lc_trainer_options options = {
            .frames = frames, .batch = BATCH, .threads = 1, .seed = 1, .whole = frames, .chunk = 1};
        CHECK_STATUS(lc_trainer_new(&trainer, &net, &schedule, &options, &err), LOCO_ENOMEM);
        CHECK_SAYS(err.text, "out of memory");
        options.whole = 0;
        CHECK_STATUS(lc_trainer_new(&trainer, &net, &schedule, &options, &err), LOCO_EARG);
        CHECK_SAYS(err.text, "at most 268435456 are possible");
        CHECK(trainer == NULL);
    }
}

static lc_trainer *cut_new(const lc_net *net, size_t frames, size_t batch, unsigned threads, size_t whole, size_t chunk)
{
    lc_trainer *trainer;
    loco_err err;
    lc_trainer_options options = {
        .frames = frames, .batch = batch, .threads = threads, .seed = 1, .whole = whole, .chunk = chunk};
    if (lc_trainer_new(&trainer, net, &schedule, &options, &err) != LOCO_OK) {
        fprintf(stderr, "no trainer: %s\n", err.text);
        exit(1);
    }
    return trainer;
}

/* Labels of every kind, short and long, so that the count loss takes all its ways. */
static void steps_allocate_nothing(void)
{
    lc_net net;
    net_of(&net, line, F, C);
    train_batch batches[] = {
        train_batch_new(&net, BATCH, 7, TRAIN_MIXED, 1),         train_batch_new(&net, BATCH, LONGEST, TRAIN_COUNTS, 2),
        train_batch_new(&net, BATCH, LONGEST, TRAIN_MIXED, 3),   train_batch_new(&net, BATCH, 7, TRAIN_SQUARED, 4),
        train_batch_new(&net, BATCH, LONGEST, TRAIN_POISSON, 5),
    };
    for (unsigned i = 0; i < 4; i++) {
        lc_trainer *trainer = cut_new(&net, LONGEST, BATCH, 1 + i % 2, i < 2 ? LONGEST : 20, 7);
        for (size_t j = 0; j < 10; j++) {
            lc_step_report report;
            oom_begin(0);
            loco_status status = lc_trainer_step(trainer, batches[j % 5].examples, BATCH, &report, NULL);
            CHECK_EQ(oom_end(), 0);
            CHECK_STATUS(status, LOCO_OK);
        }
        lc_trainer_free(trainer);
    }
    for (size_t i = 0; i < 5; i++)
        train_batch_free(&batches[i]);
}

/* Sequences that are too long for the lanes of the count loss, with logits that are too large for them too. */
static void long_steps_allocate_nothing(void)
{
    enum { FRAMES = 20000 };
    lc_net net;
    net_of(&net, "dense 3", 1, 1);
    lc_trainer *trainer = cut_new(&net, FRAMES, 1, 2, 6000, 512);
    float *frames = case_array(FRAMES, sizeof *frames);
    static const size_t lengths[] = {100, 4000, 7000, FRAMES - 1, FRAMES};
    for (size_t i = 0; i < 5; i++) {
        for (size_t top = 0; top < 4; top++) {
            loco_label labels[3] = {loco_label_exact(top * lengths[i] / 8), loco_label_exact(top * 33),
                                    loco_label_at_least(5)};
            lc_example e = {.frames = frames, .T = lengths[i], .end = lengths[i], .labels = labels};
            lc_step_report report;
            lc_trainer_state(trainer)->params[3] = top == 3 ? 1000 : 0;
            frames[7] = top == 3 ? 1 : 0;
            oom_begin(0);
            loco_status status = lc_trainer_step(trainer, &e, 1, &report, NULL);
            CHECK_EQ(oom_end(), 0);
            CHECK_STATUS(status, LOCO_OK);
        }
    }
    free(frames);
    lc_trainer_free(trainer);
}

int main(void)
{
    RUN(a_trainer_that_cannot_be_is_refused);
    RUN(absurd_sizes_are_refused);
    RUN(steps_allocate_nothing);
    RUN(long_steps_allocate_nothing);
    return check_done();
}
