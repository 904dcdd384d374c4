/* SPDX-License-Identifier: MIT
 * train.h - a trainer and random batches, for the tests of training. */
#ifndef TESTS_TRAIN_H
#define TESTS_TRAIN_H

#include "nets.h"

#include "train/trainer.h"

static inline lc_trainer *train_new(const lc_net *net, const lc_schedule *schedule, size_t frames, size_t batch,
                                    unsigned threads)
{
    lc_trainer *trainer;
    loco_err err;
    lc_trainer_options options = {.frames = frames, .batch = batch, .threads = threads, .seed = 1};
    if (lc_trainer_new(&trainer, net, schedule, &options, &err) != LOCO_OK) {
        fprintf(stderr, "no trainer: %s\n", err.text);
        exit(1);
    }
    return trainer;
}

/* A batch of noise, with counts for some sequences, event times for others, and context around some. */
typedef struct train_batch {
    size_t n, classes;
    lc_example *examples;
    float **frames;
    loco_label *labels; /* (n, classes) */
    uint8_t **events;
} train_batch;

typedef enum train_kind { TRAIN_COUNTS, TRAIN_EVENTS, TRAIN_MIXED, TRAIN_SQUARED, TRAIN_POISSON } train_kind;

static inline void train_fill(train_batch *b, size_t i, const lc_net *net, size_t T, train_kind kind, lc_rng *rng)
{
    size_t begin = kind == TRAIN_MIXED && i % 3 == 1 ? T / 4 : 0,
           end = kind == TRAIN_MIXED && i % 4 == 2 ? T - T / 5 : T;
    static const lc_loss losses[] = {LC_LOSS_EXACT, LC_LOSS_EXACT, LC_LOSS_EXACT, LC_LOSS_SQUARED, LC_LOSS_POISSON};
    bool events = kind == TRAIN_EVENTS || (kind == TRAIN_MIXED && i % 2 == 1);
    b->frames[i] = net_noise(rng, T * net->in_F * net->in_C, 1);
    b->events[i] = case_array(T * net->classes, 1);
    for (size_t j = 0; j < T * net->classes; j++)
        b->events[i][j] = lc_rng_uniform(rng) < 0.2;
    for (size_t k = 0; k < net->classes; k++)
        b->labels[i * net->classes + k] = kind == TRAIN_EVENTS || kind == TRAIN_MIXED
                                              ? case_label(rng, end - begin)
                                              : loco_label_exact(case_below(rng, T / 3));
    b->examples[i] = (lc_example){.frames = b->frames[i], .T = T, .begin = begin, .end = end, .loss = losses[kind]};
    if (events)
        b->examples[i].events = b->events[i];
    if (!events || i % 5 == 1)
        b->examples[i].labels = b->labels + i * net->classes;
}

/* n sequences of 2..longest frames. */
static inline train_batch train_batch_new(const lc_net *net, size_t n, size_t longest, train_kind kind, uint64_t seed)
{
    lc_rng rng = lc_rng_seed(seed);
    train_batch b = {.n = n, .classes = net->classes};
    b.examples = case_array(n, sizeof *b.examples);
    b.frames = case_array(n, sizeof *b.frames);
    b.labels = case_array(n * net->classes, sizeof *b.labels);
    b.events = case_array(n, sizeof *b.events);
    for (size_t i = 0; i < n; i++)
        train_fill(&b, i, net, longest / 2 + case_below(&rng, longest / 2 + 1), kind, &rng);
    return b;
}

static inline void train_batch_free(train_batch *b)
{
    for (size_t i = 0; i < b->n; i++) {
        free(b->frames[i]);
        free(b->events[i]);
    }
    free(b->examples);
    free(b->frames);
    free(b->labels);
    free(b->events);
}

static inline lc_step_report train_step(lc_trainer *trainer, const train_batch *b)
{
    lc_step_report report = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_trainer_step(trainer, b->examples, b->n, &report, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return report;
}

/* Whether two runs stand at exactly the same point. */
static inline bool train_same(lc_trainer *a, lc_trainer *b)
{
    const lc_optimiser *x = lc_trainer_state(a), *y = lc_trainer_state(b);
    size_t bytes = x->n * sizeof(float);
    return x->n == y->n && x->step == y->step && case_same(x->params, y->params, bytes) &&
           case_same(x->m, y->m, bytes) && case_same(x->v, y->v, bytes) && case_same(x->average, y->average, bytes) &&
           case_same(lc_trainer_rng(a), lc_trainer_rng(b), sizeof(lc_rng));
}

/* Brings `to` to the point of `from`, as a program that resumes does. */
static inline void train_copy(lc_trainer *to, lc_trainer *from)
{
    lc_optimiser *x = lc_trainer_state(to);
    const lc_optimiser *y = lc_trainer_state(from);
    size_t bytes = x->n * sizeof(float);
    memcpy(x->params, y->params, bytes);
    memcpy(x->m, y->m, bytes);
    memcpy(x->v, y->v, bytes);
    memcpy(x->average, y->average, bytes);
    x->step = y->step;
    *lc_trainer_rng(to) = *lc_trainer_rng(from);
}

#endif
