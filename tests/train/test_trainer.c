/* SPDX-License-Identifier: MIT
 * test_trainer.c - one training step: what it refuses, that threads and interruptions change no bit, and that its
 *   gradient is the derivative of the loss that it reports, also where labels speak of a part of the frames only. */
#include "train.h"

enum { F = 5, C = 2, LONGEST = 24, BATCH = 11, STEPS = 200 };

static const char *const line = "conv 3x3 4 norm, dropout 0.2, dense 8 relu as d, gru 6, join d, dropout 0.1, dense 2";
static const lc_schedule schedule = {
    .rate = 3e-3, .warm_up = 10, .steps = 400, .clip = 1, .weight_decay = 0.01, .average = 0.9};

/* ---- refusals ---- */

static float frames[(LONGEST + 1) * F * C];
static loco_label labels[2];
static uint8_t events[(LONGEST + 1) * 2];

static lc_example good_example(void)
{
    labels[0] = labels[1] = loco_label_exact(1);
    return (lc_example){.frames = frames, .T = LONGEST, .end = LONGEST, .labels = labels};
}

/* The second of two sequences is wrong: the step says so and changes nothing. */
static void refused(lc_trainer *trainer, lc_trainer *twin, lc_example wrong, loco_status want, const char *words)
{
    lc_example batch[2] = {good_example(), wrong};
    lc_step_report report = {.loss = 7};
    loco_err err = {""};
    batch[0].events = events;
    CHECK_STATUS(lc_trainer_step(trainer, batch, 2, &report, &err), want);
    CHECK_SAYS(err.text, words);
    CHECK_SAYS(err.text, "sequence 1");
    CHECK_NEAR(report.loss, 7, 0);
    CHECK(train_same(trainer, twin));
}

static void wrong_sequences_are_refused(void)
{
    lc_net net;
    net_of(&net, line, F, C);
    lc_trainer *trainer = train_new(&net, &schedule, LONGEST, 2, 1), *twin = train_new(&net, &schedule, LONGEST, 2, 1);
    lc_example e = good_example();
    e.T = LONGEST + 1;
    refused(trainer, twin, e, LOCO_EARG, "more than the 24");
    e = good_example();
    e.T = e.end = 0;
    refused(trainer, twin, e, LOCO_EARG, "no frames");
    e = good_example();
    e.frames = NULL;
    refused(trainer, twin, e, LOCO_EARG, "no frames");
    e = good_example();
    e.end = LONGEST + 1;
    refused(trainer, twin, e, LOCO_EARG, "not a part");
    e = good_example();
    e.begin = e.end = 5;
    refused(trainer, twin, e, LOCO_EARG, "not a part");
    e = good_example();
    e.labels = NULL;
    refused(trainer, twin, e, LOCO_EARG, "neither counts nor event times");
    lc_trainer_free(trainer);
    lc_trainer_free(twin);
}

static void impossible_labels_are_refused(void)
{
    lc_net net;
    net_of(&net, line, F, C);
    lc_trainer *trainer = train_new(&net, &schedule, LONGEST, 2, 1), *twin = train_new(&net, &schedule, LONGEST, 2, 1);
    lc_example e = good_example();
    loco_label wrong[2] = {loco_label_exact(1), loco_label_exact(11)};
    e.labels = wrong;
    e.begin = 4;
    e.end = 14;
    refused(trainer, twin, e, LOCO_EDATA, "class 1: label 11 is impossible for 10 frames; use more frames");
    wrong[1] = (loco_label){3, 2};
    refused(trainer, twin, e, LOCO_EDATA, "class 1: label");
    wrong[1] = loco_label_range(2, 4);
    e.loss = LC_LOSS_SQUARED;
    refused(trainer, twin, e, LOCO_EDATA, "class 1: label 2..4; regression learns from exact counts alone");
    e.loss = LC_LOSS_POISSON;
    refused(trainer, twin, e, LOCO_EDATA, "exact counts alone");
    wrong[1] = loco_label_exact(11);
    refused(trainer, twin, e, LOCO_EDATA, "class 1: label 11 is impossible");
    e.loss = LC_LOSS_EXACT;
    wrong[1] = loco_label_exact(10);
    lc_step_report report;
    CHECK_STATUS(lc_trainer_step(trainer, &e, 1, &report, NULL), LOCO_OK);
    CHECK(!train_same(trainer, twin));
    lc_trainer_free(trainer);
    lc_trainer_free(twin);
}

static void wrong_batches_are_refused(void)
{
    lc_net net;
    net_of(&net, line, F, C);
    lc_trainer *trainer = train_new(&net, &schedule, LONGEST, 2, 1), *twin = train_new(&net, &schedule, LONGEST, 2, 1);
    lc_example three[3] = {good_example(), good_example(), good_example()};
    lc_step_report report;
    loco_err err;
    float logits[LONGEST * 2];
    CHECK_STATUS(lc_trainer_step(trainer, three, 0, &report, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "empty");
    CHECK_STATUS(lc_trainer_step(trainer, NULL, 1, &report, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "empty");
    CHECK_STATUS(lc_trainer_step(trainer, three, 3, &report, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "3 sequences are more than the 2");
    CHECK_STATUS(lc_trainer_logits(trainer, frames, LONGEST + 1, logits, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "1 to 24");
    CHECK_STATUS(lc_trainer_logits(trainer, frames, 0, logits, &err), LOCO_EARG);
    CHECK(train_same(trainer, twin));
    lc_trainer_free(trainer);
    lc_trainer_free(twin);
}

/* Weights that are no numbers, as after a learning rate far too large: the step fails and leaves everything as it
 * was. */
static void a_diverged_network_is_reported(void)
{
    lc_net net;
    net_of(&net, line, F, C);
    lc_trainer *trainer = train_new(&net, &schedule, LONGEST, 2, 1), *twin = train_new(&net, &schedule, LONGEST, 2, 1);
    lc_example e = good_example();
    lc_step_report report = {.loss = 7};
    loco_err err;
    lc_optimiser *state = lc_trainer_state(trainer);
    static const lc_loss losses[] = {LC_LOSS_EXACT, LC_LOSS_SQUARED, LC_LOSS_POISSON, LC_LOSS_EXACT};
    for (int i = 0; i < 4; i++) { /* counts by each loss, then event times */
        e.loss = losses[i];
        e.labels = i < 3 ? labels : NULL;
        e.events = i < 3 ? NULL : events;
        state->params[state->n - 1] = NAN;
        CHECK_STATUS(lc_trainer_step(trainer, &e, 1, &report, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, "lower the learning rate");
        CHECK_NEAR(report.loss, 7, 0);
        state->params[state->n - 1] = lc_trainer_state(twin)->params[state->n - 1];
        CHECK(train_same(trainer, twin));
    }
    lc_trainer_free(trainer);
    lc_trainer_free(twin);
}

/* ---- the same bits ---- */

static void compare_threads(train_kind kind)
{
    lc_net net;
    net_of(&net, line, F, C);
    train_batch b = train_batch_new(&net, BATCH, LONGEST, kind, 5);
    lc_trainer *one = train_new(&net, &schedule, LONGEST, BATCH, 1),
               *two = train_new(&net, &schedule, LONGEST, BATCH, 2);
    CHECK(train_same(one, two));
    for (int i = 0; i < STEPS; i++) {
        lc_step_report x = train_step(one, &b), y = train_step(two, &b);
        CHECK(case_same(&x, &y, sizeof x));
    }
    CHECK(train_same(one, two));
    CHECK_EQ((size_t)lc_trainer_state(one)->step, STEPS);
    lc_trainer_free(one);
    lc_trainer_free(two);
    train_batch_free(&b);
}

static void threads_change_no_bit(void)
{
    compare_threads(TRAIN_MIXED);
    compare_threads(TRAIN_SQUARED);
    compare_threads(TRAIN_POISSON);
}

static void a_resumed_run_is_the_same(void)
{
    lc_net net;
    net_of(&net, line, F, C);
    train_batch b = train_batch_new(&net, BATCH, LONGEST, TRAIN_MIXED, 6);
    lc_trainer *whole = train_new(&net, &schedule, LONGEST, BATCH, 1),
               *rest = train_new(&net, &schedule, LONGEST, BATCH, 2);
    for (int i = 0; i < STEPS; i++) {
        if (i == STEPS / 2)
            train_copy(rest, whole);
        train_step(whole, &b);
        if (i >= STEPS / 2)
            train_step(rest, &b);
    }
    CHECK(train_same(whole, rest));
    lc_trainer_free(whole);
    lc_trainer_free(rest);
    train_batch_free(&b);
}

/* Dropout differs from step to step and from sequence to sequence: else the same batch would give the same loss. */
static void dropout_varies(void)
{
    const lc_schedule still = {.rate = 0};
    lc_net net;
    net_of(&net, "dense 20 relu, dropout 0.5, dense 2", F, C);
    train_batch b = train_batch_new(&net, 1, LONGEST, TRAIN_COUNTS, 7);
    lc_trainer *trainer = train_new(&net, &still, LONGEST, 2, 1);
    double first = train_step(trainer, &b).loss, second = train_step(trainer, &b).loss;
    CHECK(fabs(first - second) > 1e-6);
    lc_trainer_free(trainer);
    train_batch_free(&b);
}

/* ---- gradients ---- */

/* The loss of the weights as they are; a learning rate of 0 keeps them, and the gradient stays to be read. */
static double loss_of(lc_trainer *trainer, const train_batch *b)
{
    lc_rng rng = *lc_trainer_rng(trainer);
    double loss = train_step(trainer, b).loss;
    *lc_trainer_rng(trainer) = rng;
    return loss;
}

static void check_gradient(const char *network, train_kind kind, uint64_t seed)
{
    const lc_schedule still = {.rate = 0};
    const double step = 4e-3;
    lc_net net;
    net_of(&net, network, F, C);
    train_batch b = train_batch_new(&net, 6, 12, kind, seed);
    lc_trainer *trainer = train_new(&net, &still, 12, 6, 1);
    lc_optimiser *state = lc_trainer_state(trainer);
    lc_rng rng = lc_rng_seed(seed);
    for (size_t i = 0; i < state->n; i++)
        state->params[i] += (float)(0.3 * lc_rng_normal(&rng));
    loss_of(trainer, &b);
    float *grads = case_array(state->n, sizeof *grads);
    memcpy(grads, state->grads, state->n * sizeof *grads);
    double largest = 0, worst = 0;
    for (size_t i = 0; i < state->n; i++)
        largest = fmax(largest, fabs((double)grads[i]));
    for (size_t i = 0; i < state->n; i++) {
        float w = state->params[i], high = w + (float)step, low = w - (float)step;
        state->params[i] = high;
        double above = loss_of(trainer, &b);
        state->params[i] = low;
        double below = loss_of(trainer, &b);
        state->params[i] = w;
        worst_note(&worst, (double)grads[i], (above - below) / ((double)high - (double)low), largest);
    }
    CHECK_WORST(worst, 2e-3);
    free(grads);
    lc_trainer_free(trainer);
    train_batch_free(&b);
}

static void gradients_are_derivatives_of_the_loss(void)
{
    static const char *const smooth = "conv 3x3 4 norm linear, dense 6 tanh as d, dropout 0.2, gru 5, join d, dense 2";
    check_gradient(smooth, TRAIN_COUNTS, 1);
    check_gradient(smooth, TRAIN_EVENTS, 2);
    check_gradient(smooth, TRAIN_MIXED, 3);
    check_gradient("lstm 4 both, dense 3", TRAIN_MIXED, 4);
    check_gradient(smooth, TRAIN_SQUARED, 5);
    check_gradient(smooth, TRAIN_POISSON, 6);
}

/* A network without memory in time: the gradient of labels on some frames is that of these frames alone. */
static void context_has_no_loss_of_its_own(void)
{
    const lc_schedule still = {.rate = 0};
    lc_net net;
    net_of(&net, "dense 6 tanh, dense 2", F, C);
    train_batch b = train_batch_new(&net, 1, LONGEST, TRAIN_COUNTS, 9);
    lc_trainer *inside = train_new(&net, &still, LONGEST, 1, 1), *alone = train_new(&net, &still, LONGEST, 1, 1);
    lc_example *e = b.examples;
    for (int events_too = 0; events_too < 2; events_too++) {
        e->begin = 3;
        e->end = 9;
        b.labels[0] = loco_label_exact(2);
        b.labels[1] = loco_label_at_least(1);
        e->events = events_too ? b.events[0] : NULL;
        double loss = train_step(inside, &b).loss;
        lc_example cut = {.frames = e->frames + 3 * F * C, .T = 6, .end = 6, .labels = b.labels};
        cut.events = events_too ? b.events[0] + 3 * 2 : NULL;
        lc_step_report report;
        CHECK_STATUS(lc_trainer_step(alone, &cut, 1, &report, NULL), LOCO_OK);
        CHECK_NEAR(loss, report.loss, 1e-12);
        double worst = 0;
        for (size_t i = 0; i < net.params; i++)
            worst_note(&worst, (double)lc_trainer_state(inside)->grads[i], (double)lc_trainer_state(alone)->grads[i],
                       1);
        CHECK_WORST(worst, 1e-6);
    }
    lc_trainer_free(inside);
    lc_trainer_free(alone);
    train_batch_free(&b);
}

/* ---- clips in chunks ---- */

static lc_trainer *cut_new(const lc_net *net, const lc_schedule *how, unsigned threads, size_t whole, size_t chunk)
{
    lc_trainer *trainer;
    loco_err err;
    lc_trainer_options options = {
        .frames = LONGEST, .batch = BATCH, .threads = threads, .seed = 1, .whole = whole, .chunk = chunk};
    if (lc_trainer_new(&trainer, net, how, &options, &err) != LOCO_OK) {
        fprintf(stderr, "no trainer: %s\n", err.text);
        exit(1);
    }
    return trainer;
}

/* A batch of which some are whole and some in chunks, against one of which all are whole: the same losses and the same
 * gradient, whatever the labels speak of, dropout included. */
static void chunks_teach_what_the_whole_does(void)
{
    static const train_kind kinds[] = {TRAIN_COUNTS, TRAIN_EVENTS, TRAIN_MIXED, TRAIN_SQUARED, TRAIN_POISSON};
    const lc_schedule still = {.rate = 0};
    lc_net net;
    net_of(&net, line, F, C);
    for (size_t k = 0; k < 5; k++) {
        train_batch b = train_batch_new(&net, BATCH, LONGEST, kinds[k], 40 + k);
        lc_trainer *whole = train_new(&net, &still, LONGEST, BATCH, 1);
        for (size_t chunk = 1; chunk <= 11; chunk += 5) {
            lc_trainer *cut = cut_new(&net, &still, 2, 17, chunk);
            *lc_trainer_rng(whole) = *lc_trainer_rng(cut);
            lc_step_report x = train_step(whole, &b), y = train_step(cut, &b);
            CHECK_NEAR(x.loss, y.loss, 1e-5 * fabs(x.loss));
            CHECK_NEAR(x.count_hit, y.count_hit, 0);
            double worst = 0;
            for (size_t i = 0; i < net.params; i++)
                worst_note(&worst, (double)lc_trainer_state(cut)->grads[i], (double)lc_trainer_state(whole)->grads[i],
                           x.norm);
            CHECK_WORST(worst, 1e-6);
            lc_trainer_free(cut);
        }
        lc_trainer_free(whole);
        train_batch_free(&b);
    }
}

static void threads_change_no_bit_of_chunks(void)
{
    lc_net net;
    net_of(&net, line, F, C);
    train_batch b = train_batch_new(&net, BATCH, LONGEST, TRAIN_MIXED, 50);
    lc_trainer *one = cut_new(&net, &schedule, 1, 15, 2), *two = cut_new(&net, &schedule, 2, 15, 2),
               *whole = train_new(&net, &schedule, LONGEST, BATCH, 1);
    for (int i = 0; i < 40; i++) {
        lc_step_report x = train_step(one, &b), y = train_step(two, &b);
        CHECK(case_same(&x, &y, sizeof x));
    }
    CHECK(train_same(one, two));
    float a[LONGEST * 2], c[LONGEST * 2];
    train_copy(whole, one);
    CHECK_STATUS(lc_trainer_logits(one, frames, LONGEST, a, NULL), LOCO_OK);
    CHECK_STATUS(lc_trainer_logits(whole, frames, LONGEST, c, NULL), LOCO_OK);
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        CHECK_NEAR((double)a[i], (double)c[i], 1e-4);
    lc_trainer_free(one);
    lc_trainer_free(two);
    lc_trainer_free(whole);
    train_batch_free(&b);
}

/* What cannot run in chunks is refused before the training, and a network that diverged in chunks as it is whole. */
static void chunks_that_cannot_be_are_refused(void)
{
    lc_net net;
    lc_trainer *trainer = NULL;
    loco_err err = {""};
    net_of(&net, "lstm 4 both, dense 3", F, C);
    lc_trainer_options options = {.frames = LONGEST, .batch = 2, .threads = 1, .seed = 1, .whole = 15, .chunk = 4};
    CHECK_STATUS(lc_trainer_new(&trainer, &net, &schedule, &options, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "lstm 4 both reads a clip from its end");
    CHECK(trainer == NULL);
    net_of(&net, line, F, C);
    trainer = cut_new(&net, &schedule, 1, 15, 4);
    lc_trainer *twin = cut_new(&net, &schedule, 1, 15, 4);
    lc_example e = good_example();
    lc_step_report report = {.loss = 7};
    lc_optimiser *state = lc_trainer_state(trainer);
    state->params[state->n - 1] = NAN;
    CHECK_STATUS(lc_trainer_step(trainer, &e, 1, &report, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "lower the learning rate");
    state->params[state->n - 1] = lc_trainer_state(twin)->params[state->n - 1];
    CHECK(train_same(trainer, twin));
    lc_trainer_free(trainer);
    lc_trainer_free(twin);
}

/* ---- learning ---- */

static void losses_fall(void)
{
    static const train_kind kinds[] = {TRAIN_COUNTS, TRAIN_EVENTS, TRAIN_MIXED, TRAIN_SQUARED};
    const lc_schedule constant = {.rate = 1e-2, .clip = 1};
    lc_net net;
    net_of(&net, "conv 3x3 6, dense 16 relu, gru 8, dense 2", F, C);
    for (size_t k = 0; k < 4; k++) {
        train_batch b = train_batch_new(&net, 4, LONGEST, kinds[k], 20 + k);
        lc_trainer *trainer = train_new(&net, &constant, LONGEST, 4, 1);
        double first = train_step(trainer, &b).loss, last = first;
        for (int i = 0; i < 150; i++)
            last = train_step(trainer, &b).loss;
        printf("    loss %.3f, then %.3f\n", first, last);
        CHECK(last < 0.5 * first);
        lc_trainer_free(trainer);
        train_batch_free(&b);
    }
}

/* The start: an untouched network expects next to no events, and the report counts exact labels that are met. */
static void the_start_is_low(void)
{
    lc_net net;
    net_of(&net, line, F, C);
    train_batch b = train_batch_new(&net, 4, LONGEST, TRAIN_COUNTS, 30);
    lc_trainer *trainer = train_new(&net, &schedule, LONGEST, 4, 1);
    float logits[LONGEST * 2];
    double expected = 0;
    CHECK_STATUS(lc_trainer_logits(trainer, b.frames[0], b.examples[0].T, logits, NULL), LOCO_OK);
    for (size_t t = 0; t < b.examples[0].T; t++)
        expected += 1 / (1 + exp(-(double)logits[2 * t]));
    CHECK(expected > 0.02 && expected < 0.6);
    for (size_t i = 0; i < 8; i++)
        b.labels[i] = loco_label_exact(i < 6 ? 0 : 9);
    for (size_t i = 0; i < 4; i++)
        b.examples[i].T = b.examples[i].end = 12;
    CHECK_NEAR(train_step(trainer, &b).count_hit, 0.75, 1e-12);
    lc_trainer_free(trainer);
    train_batch_free(&b);
}

int main(void)
{
    lc_rng rng = lc_rng_seed(8);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        frames[i] = (float)lc_rng_normal(&rng);
    RUN(wrong_batches_are_refused);
    RUN(wrong_sequences_are_refused);
    RUN(impossible_labels_are_refused);
    RUN(a_diverged_network_is_reported);
    RUN(threads_change_no_bit);
    RUN(a_resumed_run_is_the_same);
    RUN(dropout_varies);
    RUN(gradients_are_derivatives_of_the_loss);
    RUN(context_has_no_loss_of_its_own);
    RUN(chunks_that_cannot_be_are_refused);
    RUN(chunks_teach_what_the_whole_does);
    RUN(threads_change_no_bit_of_chunks);
    RUN(losses_fall);
    RUN(the_start_is_low);
    return check_done();
}
