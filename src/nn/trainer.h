/* SPDX-License-Identifier: MIT
 * trainer.h - one training step on a batch of sequences.
 *
 * Where there are sequences longer than lc_long_whole frames, they and all others that are more than a group of chunks
 * run one after the other, each in chunks that the threads share (long.h). Of the rest:
 *
 * A sequence is one task: it goes through the whole network, loss and back on one thread. A batch is dealt to a fixed
 * number of lanes, sequence b to lane b mod LC_GRADIENT_LANES; a lane adds its sequences in order to a gradient of its
 * own, and the lanes are added in order: the result is the same, bit for bit, for any number of threads. After
 * lc_trainer_new a step allocates nothing. */
#ifndef LC_NN_TRAINER_H
#define LC_NN_TRAINER_H

#include "nn/long.h"
#include "nn/objective.h"
#include "nn/optimiser.h"

/* Fixed, since the order of additions must not depend on the threads. Each lane costs a copy of the gradient; more
 * threads than lanes find no work. */
enum { LC_GRADIENT_LANES = LC_LONG_LANES };

typedef struct lc_trainer lc_trainer;

typedef struct lc_step_report {
    double loss;      /* mean over sequences of the sum over classes */
    double norm;      /* of the gradient */
    double count_hit; /* part of the exact labels that the rounded expected count meets */
} lc_step_report;

/* frames: the longest sequence; batch: the most sequences of a step; seed: weights and dropout. The output starts at
 * P(no event in a clip of frames) = schedule->start with its weights scaled by 0.1. */
loco_status lc_trainer_new(lc_trainer **trainer, const lc_net *net, const lc_schedule *schedule, size_t frames,
                           size_t batch, unsigned threads, uint64_t seed, loco_err *err);
void lc_trainer_free(lc_trainer *trainer);

/* The same with limits of its own, in frames: whole, beyond which sequences run in chunks, and the length of these. */
loco_status lc_trainer_new_cut(lc_trainer **trainer, const lc_net *net, const lc_schedule *schedule, size_t frames,
                               size_t batch, unsigned threads, uint64_t seed, size_t whole, size_t chunk,
                               loco_err *err);

/* The weights, moments, average and step number; random state. Writing to them is how a run is resumed. */
lc_optimiser *lc_trainer_state(lc_trainer *trainer);
lc_rng *lc_trainer_rng(lc_trainer *trainer);

/* One step. A batch that is refused, and a loss or gradient that is not a number, change nothing. */
loco_status lc_trainer_step(lc_trainer *trainer, const lc_example *batch, size_t n, lc_step_report *report,
                            loco_err *err);

/* Logits (T, classes) of one sequence with the averaged weights. */
loco_status lc_trainer_logits(lc_trainer *trainer, const float *frames, size_t T, float *logits, loco_err *err);

#endif
