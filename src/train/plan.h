/* SPDX-License-Identifier: MIT
 * plan.h - all that a training run needs before its first step: data, split, recipe, network. */
#ifndef LC_TRAIN_PLAN_H
#define LC_TRAIN_PLAN_H

#include "train/feed.h"

typedef struct lc_plan {
    lc_recipe recipe;
    lc_dataset *set;
    lc_pool *pool;
    lc_sounds *sounds;
    uint8_t *held_recordings, *kept_recordings; /* 1 where validated on, trained on */
    uint8_t *held_clips, *kept_clips;
    lc_feed *feed, *held; /* held: NULL when nothing is held out */
    lc_net net;           /* with an output for each class */
    size_t told;          /* classes that the model tells: the first ones, all unless some are set aside */
    lc_net told_net;      /* with outputs for these */
} lc_plan;

/* Reads the data and decides what was not asked for; tells the user through training->notice. */
LOCO_MUST_USE loco_status lc_plan_new(lc_plan **plan, const loco_training *training, loco_err *err);
void lc_plan_free(lc_plan *plan);

/* The network's line with the last layer for so many classes. */
LOCO_MUST_USE loco_status lc_plan_network(lc_net *net, const lc_recipe *recipe, size_t classes, loco_err *err);

/* Hands a sentence to the user. */
void lc_plan_notice(const loco_training *training, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
