/* SPDX-License-Identifier: MIT
 * plan_image.h - what a training run on images decides besides (plan.h). */
#ifndef LC_TRAIN_PLAN_IMAGE_H
#define LC_TRAIN_PLAN_IMAGE_H

#include "train/plan.h"

/* Images with events alone: each becomes a clip, with the counts of its events. */
LOCO_MUST_USE loco_status lc_plan_count_images(lc_plan *plan, loco_err *err);

/* Images hold tens or hundreds of events: training begins with about as many, if the user set nothing else. */
void lc_plan_fit_start(lc_plan *plan, const loco_train_options *training);

#endif
