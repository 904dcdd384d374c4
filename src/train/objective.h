/* SPDX-License-Identifier: MIT
 * objective.h - what is known about one sequence, and the loss of a network's output on it.
 *
 * lc_example says what is known, lc_objective where the logits are and where their gradient goes. The loss is the sum
 * over classes and sums of classes, of one sequence, in nats (but for LC_LOSS_SQUARED). objective.c has the formulas. */
#ifndef LC_TRAIN_OBJECTIVE_H
#define LC_TRAIN_OBJECTIVE_H

#include "count/sum.h"
#include "nn/layer.h"

/* How counts are learned from. The last two need no distribution of counts: they see the sum of the probabilities only,
 * and are here to be compared with. */
typedef enum lc_loss { LC_LOSS_EXACT, LC_LOSS_SQUARED, LC_LOSS_POISSON } lc_loss;

/* The counts of its events, or their times, or both in part. */
typedef struct lc_example {
    const float *frames; /* (T, F*C) */
    size_t T;
    size_t begin, end;        /* the frames that the labels speak of; the others are context */
    const loco_label *labels; /* one a class, and one a sum behind them; or NULL */
    const uint8_t *events;    /* (T, places, classes), 1 where an event is: full supervision, or NULL */
    lc_loss loss;             /* of the labels */
    double sharpen;           /* of the exact loss: 1 - the lowest temperature, see sharpen.h; 0: exact */
    const lc_sum *sums;
    size_t sums_len;
    float *room; /* 2 * (end - begin) * places * the most members of a sum; NULL without sums */
} lc_example;

/* Of one sequence. */
typedef struct lc_cost {
    double loss;        /* sum over classes and sums */
    size_t exact, hit;  /* counts that are known, and those among them that the rounded expected count meets */
    double counts, off; /* sum of the known counts, and of the differences to the expected ones */
    double mass, sharp; /* expected count of all labels, and the part of it in frames with a probability above 1/2 */
} lc_cost;

/* Adds one cost to a sum of costs. */
void lc_cost_add(lc_cost *sum, const lc_cost *cost);

/* The output of a network on one sequence, and memory to work with. */
typedef struct lc_objective {
    loco_count *count;
    loco_count_item *items; /* one a class, scratch */
    size_t classes;
    lc_map out;    /* (T * places, classes): the logits */
    lc_map d_out;  /* their gradient, written in frames begin..end; data NULL: not wanted */
    size_t places; /* of a frame */
} lc_objective;

/* A NaN in out ends up in the loss or gradient, or is refused. */
LOCO_MUST_USE loco_status lc_objective_run(lc_cost *cost, const lc_objective *objective, const lc_example *example,
                                           loco_err *err);

/* Whether that loss accepts a label: the regressions need one number, or nothing known at all. */
bool lc_objective_takes(lc_loss loss, loco_label label);

#endif
