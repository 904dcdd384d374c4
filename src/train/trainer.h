/* SPDX-License-Identifier: MIT
 * trainer.h - one training step on a batch of sequences.
 *
 * Where there are sequences longer than lc_chunked_whole frames, they and all others that are more than a group of chunks
 * run one after the other, each in chunks that the threads share (chunks.h). Of the rest:
 *
 * A sequence is one task: forward pass, loss and backward pass run on one thread. A batch is dealt to a fixed
 * number of lanes, sequence b to lane b mod lanes; a lane adds its sequences in order to a gradient of its own, first
 * those that run whole, and the lanes are added in order: the result is the same, bit for bit, for any number of
 * threads. After lc_trainer_new a step allocates nothing.
 *
 * Several processes (team.h) have some of the lanes each. Every process gets one part of all lanes, adds them in the same
 * order, and gives the sum of its part to all: the same bits again, for 4 bytes a weight and lane, and 4 for the sum.
 * The rest of a step, such as the optimiser's, is small and is done by each process.
 *
 *     lc_trainer_options options = {.frames = 400, .batch = 32, .threads = 2, .seed = 1};
 *     lc_trainer *trainer;
 *     status = lc_trainer_new(&trainer, &net, &schedule, &options, err);
 *     while (...)
 *         status = lc_trainer_step(trainer, batch, n, &report, err);
 *     lc_trainer_state(trainer)->average ... the weights to save
 *     lc_trainer_free(trainer); */
#ifndef LC_TRAIN_TRAINER_H
#define LC_TRAIN_TRAINER_H

#include "base/team.h"
#include "nn/chunks.h"
#include "train/objective.h"
#include "train/optimiser.h"

/* By default. Fixed, since the order of additions must not depend on the threads or processes. Each lane costs a copy of
 * the gradient; more threads than lanes find no work, and more processes are refused. */
enum { LC_GRADIENT_LANES = LC_CHUNK_LANES };

typedef struct lc_trainer lc_trainer;

typedef struct lc_step_report {
    double loss;        /* mean over sequences of the sum over classes */
    double norm;        /* of the gradient */
    double count_hit;   /* part of the exact labels that the rounded expected count meets */
    double mean_count;  /* mean of the exact labels */
    double count_error; /* sum of their differences to the expected counts, relative to their sum */
} lc_step_report;

typedef struct lc_trainer_options {
    size_t frames;       /* of the longest sequence */
    size_t batch;        /* the most sequences of a step */
    unsigned threads;    /* at least 1 */
    uint64_t seed;       /* of weights and dropout */
    size_t whole, chunk; /* frames beyond which a sequence runs in chunks, and frames of these; whole 0: chosen here */
    size_t lanes;        /* 0: LC_GRADIENT_LANES */
    lc_team *team;       /* of processes that share each step; NULL: this one alone. It must outlive the trainer */
    size_t memory;       /* bytes that the network's maps may take; 0: any number */
} lc_trainer_options;

/* The output starts at P(no event in a clip of frames) = schedule->start with its weights scaled by 0.1. net must
 * outlive the trainer. */
LOCO_MUST_USE loco_status lc_trainer_new(lc_trainer **trainer, const lc_net *net, const lc_schedule *schedule,
                                         const lc_trainer_options *options, loco_err *err);
void lc_trainer_free(lc_trainer *trainer);

/* The weights, moments, average and step number; random state. Writing to them is how a run is resumed. */
lc_optimiser *lc_trainer_state(lc_trainer *trainer);
lc_rng *lc_trainer_rng(lc_trainer *trainer);

/* One step. Of several processes, each needs its own sequences of the batch alone: those that lc_team_has with the lanes
 * of the trainer; all get the same report, and the same failure. Nothing changes when the batch is refused, or when the loss or gradient is not finite. */
loco_status lc_trainer_step(lc_trainer *trainer, const lc_example *batch, size_t n, lc_step_report *report,
                            loco_err *err);

/* Logits (T, places * classes) of one sequence with the averaged weights. */
loco_status lc_trainer_logits(lc_trainer *trainer, const float *frames, size_t T, float *logits, loco_err *err);

#endif
