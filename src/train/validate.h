/* SPDX-License-Identifier: MIT
 * validate.h - scores of a network in training, on held-out data.
 *
 *     lc_validation *validation;
 *     status = lc_validation_new(&validation, plan, lc_trainer_state(trainer)->average, err);
 *     status = lc_validation_run(validation, trainer, &result, err);      as often as wanted
 *     lc_model_save(path, lc_validation_model(validation), ...);          the weights of that moment
 *     lc_validation_free(validation); */
#ifndef LC_TRAIN_VALIDATE_H
#define LC_TRAIN_VALIDATE_H

#include "detect/detect.h"
#include "train/plan.h"

/* Seconds within which a held-out event is found: 50 and 20 ms, or 8 and 4 pixels of images. The log has these as f1_50 and
 * f1_20, or f1_8px and f1_4px, loco_train_state as held_f1 and held_tolerance. */
enum { LC_VALIDATION_TOLERANCES = 2 };
const double *lc_validation_tolerances(bool images);

/* NaN where unknown. */
typedef struct lc_validation_result {
    double loss;       /* mean over held-out clips of the sum over classes, the same loss as in training */
    double hit;        /* part of their exact counts that the rounded expected count meets */
    double error;      /* sum of the differences between exact and expected counts, relative to the sum of the counts */
    double mean_count; /* of the exact counts */
    double sharp;      /* part of the expected counts that is in frames with a probability above 1/2 */
    double f1[LC_VALIDATION_TOLERANCES]; /* of all events of held-out timed recordings, one a tolerance, after the mean
                                          * offset of each class is removed */
} lc_validation_result;

typedef struct lc_validation lc_validation;

/* average: the parameters to judge, read again at every run. */
LOCO_MUST_USE loco_status lc_validation_new(lc_validation **validation, lc_plan *plan, const float *average,
                                            loco_err *err);
void lc_validation_free(lc_validation *validation);

/* Several processes judge each its own clips and recordings; the result is the same, and the same in all. */
void lc_validation_share(lc_validation *validation, lc_team *team, size_t lanes);
LOCO_MUST_USE loco_status lc_validation_run(lc_validation *validation, lc_trainer *trainer,
                                            lc_validation_result *result, loco_err *err);

/* The model that the validation detects with: the averaged parameters, the decoding of the recipe or the default. */
loco_model *lc_validation_model(lc_validation *validation);

#endif
