/* SPDX-License-Identifier: MIT
 * optimiser.h - Adam and AdamW with norm clipping, warm-up and cosine schedule, and averaged weights. */
#ifndef LC_TRAIN_OPTIMISER_H
#define LC_TRAIN_OPTIMISER_H

#include "base/mem.h"

#include <stdint.h>

typedef struct lc_schedule {
    double rate;         /* the largest learning rate */
    uint64_t warm_up;    /* steps from 0 to rate */
    uint64_t steps;      /* cosine from rate to 0 at this step; 0: constant */
    double clip;         /* largest norm of the gradient; 0: none */
    double weight_decay; /* AdamW: each weight loses rate * decay of itself; 0: Adam */
    double average;      /* decay of the averaged weights, such as 0.999; 0: the average is the weights themselves */
    double start;        /* P(no event in the longest clip) that the first weights give; 0: 0.8 */
} lc_schedule;

/* All arrays have n floats; together with step they are the whole state. */
typedef struct lc_optimiser {
    size_t n;
    float *params, *grads, *m, *v, *average; /* grads: as of the last step, not saved */
    uint64_t step;
} lc_optimiser;

void lc_optimiser_layout(lc_optimiser *optimiser, size_t n, lc_arena *arena);

/* The learning rate of a step, counted from 0. */
double lc_schedule_rate(const lc_schedule *schedule, uint64_t step);

/* One step along grads; returns their norm before clipping. A gradient that is not finite leaves everything as it
 * is. */
double lc_optimiser_step(lc_optimiser *optimiser, const lc_schedule *schedule);

#endif
