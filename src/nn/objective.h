/* SPDX-License-Identifier: MIT
 * objective.h - what is known about one sequence, and what a network's output costs there. */
#ifndef LC_NN_OBJECTIVE_H
#define LC_NN_OBJECTIVE_H

#include "nn/layer.h"

/* How counts are learned from. The last two are what one would write without the exact distribution: they see the sum
 * of the probabilities alone, and stand here to be compared with. */
typedef enum lc_loss { LC_LOSS_EXACT, LC_LOSS_SQUARED, LC_LOSS_POISSON } lc_loss;

/* Classes that were counted together. */
typedef struct lc_sum {
    const char *name; /* `kick+snare` */
    const size_t *members;
    size_t members_len; /* 2 or more, all different */
} lc_sum;

/* The counts of its events, or their times, or both in part. */
typedef struct lc_example {
    const float *frames; /* (T, F*C) */
    size_t T;
    size_t begin, end;        /* the frames that the labels speak of; the others are context */
    const loco_label *labels; /* one a class, and one a sum behind them; or NULL */
    const uint8_t *events;    /* (T, classes), 1 where an event is: full supervision, or NULL */
    lc_loss loss;             /* of the labels */
    const lc_sum *sums;
    size_t sums_len;
    float *room; /* 2 * (end - begin) * the most members of a sum; NULL without sums */
} lc_example;

/* Of one sequence. */
typedef struct lc_cost {
    double loss;       /* sum over classes and sums */
    size_t exact, hit; /* counts that are known, and those among them that the rounded expected count meets */
} lc_cost;

/* out: the logits; d_out: their gradient in frames begin..end; data NULL: none is wanted. items: one a class, scratch.
 * Whatever is not a number in out ends up in the loss or gradient, or is refused. */
LOCO_MUST_USE loco_status lc_objective_run(loco_count *count, loco_count_item *items, size_t classes,
                                           const lc_example *example, lc_map out, lc_map d_out, lc_cost *cost,
                                           loco_err *err);

/* Whether a label can be learned from by that loss: the regressions need one number, or nothing known at all. */
bool lc_objective_takes(lc_loss loss, loco_label label);

#endif
