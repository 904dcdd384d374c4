/* SPDX-License-Identifier: MIT
 * plan.h - all that a training run needs before its first step: data, split, recipe, network.
 *
 *     lc_plan *plan;
 *     status = lc_plan_new(&plan, training, err);    reads all data, decodes all sound
 *     lc_feed_batch(plan->feed, step, &batch, err);  examples to train on
 *     lc_plan_free(plan);
 *
 * A recording is held out or kept, never both. Clips follow their recording, except for a set of one recording, which
 * is split in time: then a clip across the border is neither. */
#ifndef LC_TRAIN_PLAN_H
#define LC_TRAIN_PLAN_H

#include "model/model.h"
#include "train/feed.h"

typedef struct lc_plan {
    lc_recipe recipe;
    lc_dataset *set;
    lc_pool *pool;
    size_t memory; /* bytes that all may take: half for recordings, a quarter each for a batch and the network */
    lc_sounds *sounds;
    uint8_t *held_recordings, *kept_recordings; /* 1 where validated on, trained on */
    uint8_t *held_clips, *kept_clips;
    lc_feed *feed, *held; /* held: NULL when nothing is held out */
    lc_net net;           /* with an output for each class */
    size_t reported;      /* classes that the model reports: the first ones, all unless some are auxiliary */
    lc_net reported_net;  /* with outputs for these */
    loco_model *from;     /* that training starts from; NULL: random weights */
} lc_plan;

/* Reads the data and decides what was not asked for; reports its decisions through training->notice. */
LOCO_MUST_USE loco_status lc_plan_new(lc_plan **plan, const char *data, const loco_train_options *training,
                                      loco_err *err);
void lc_plan_free(lc_plan *plan);

/* The network's line with the last layer for so many classes. */
LOCO_MUST_USE loco_status lc_plan_network(lc_net *net, const lc_recipe *recipe, size_t classes, loco_err *err);

/* Hands a sentence to the user. */
void lc_plan_notice(const loco_train_options *training, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
