/* SPDX-License-Identifier: MIT
 * together.h - whether the processes of a run really work on the same thing: else the model would not be the one that a
 * single process trains. */
#ifndef LC_TRAIN_TOGETHER_H
#define LC_TRAIN_TOGETHER_H

#include "train/plan.h"

/* Before the first step: version, kernels, settings, data and weights. The sentence says which differ, and where. */
LOCO_MUST_USE loco_status lc_together_begin(lc_team *team, const lc_plan *plan, const lc_optimiser *state,
                                            loco_err *err);

/* The weights, now and then. */
LOCO_MUST_USE loco_status lc_together_check(lc_team *team, const lc_optimiser *state, loco_err *err);

#endif
