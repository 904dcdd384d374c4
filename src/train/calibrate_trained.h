/* SPDX-License-Identifier: MIT
 * calibrate_trained.h - the last step of training. */
#ifndef LC_TRAIN_CALIBRATE_TRAINED_H
#define LC_TRAIN_CALIBRATE_TRAINED_H

#include "train/plan.h"

/* Calibrates the model at path, which was just trained, without event times, and saves it again. */
LOCO_MUST_USE loco_status lc_calibrate_trained(const char *path, const lc_plan *plan,
                                               const loco_train_options *training, lc_team *team, loco_err *err);

#endif
