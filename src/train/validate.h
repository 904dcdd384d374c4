/* SPDX-License-Identifier: MIT
 * validate.h - how good a network in training is on what it is not trained on. */
#ifndef LC_TRAIN_VALIDATE_H
#define LC_TRAIN_VALIDATE_H

#include "detect/detect.h"
#include "train/plan.h"

/* NaN where unknown. */
typedef struct lc_verdict {
    double loss; /* mean over held-out clips of the sum over classes, of the loss that is trained by */
    double hit;  /* part of their exact counts that the rounded expected count meets */
    double f1_50,
        f1_20; /* of all events of held-out timed recordings, after the mean offset of each class is removed */
} lc_verdict;

typedef struct lc_validation lc_validation;

/* average: the parameters to judge, read anew at every run. */
LOCO_MUST_USE loco_status lc_validation_new(lc_validation **validation, lc_plan *plan, const float *average,
                                            loco_err *err);
void lc_validation_free(lc_validation *validation);
LOCO_MUST_USE loco_status lc_validation_run(lc_validation *validation, lc_trainer *trainer, lc_verdict *verdict,
                                            loco_err *err);

/* The model that the validation listens with: the averaged parameters, the decoding of the recipe or the
 * usual one. */
loco_model *lc_validation_model(lc_validation *validation);

/* Puts a recording of the sounds through a listener, at most `most` seconds of it. */
LOCO_MUST_USE loco_status lc_hear(lc_listener *listener, const lc_sounds *sounds, size_t recording, double rate,
                                  double most, lc_logits_take *take, void *context, loco_err *err);

#endif
