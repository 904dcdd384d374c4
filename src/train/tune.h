/* SPDX-License-Identifier: MIT
 * tune.h - calibration of a finished model: the time offset and the threshold of each class, and the bands that
 *   sounds begin in. */
#ifndef LC_TRAIN_TUNE_H
#define LC_TRAIN_TUNE_H

#include "detect/detect.h"
#include "train/plan.h"

typedef struct lc_tuning {
    loco_model *model; /* its offsets, thresholds and bands are set */
    const lc_dataset *set;
    const lc_sounds *sounds;
    const uint8_t *recordings; /* 1 where to listen; NULL: everywhere */
    double most_seconds;       /* of sound in all */
    lc_anchor anchor;          /* of series */
    bool blind;                /* use no event times */
    bool keep_thresholds;      /* set offsets and bands alone */
} lc_tuning;

/* What was found goes to findings, a line a class. */
LOCO_MUST_USE loco_status lc_tune(const lc_tuning *tuning, lc_text *findings, loco_err *err);

/* Of a model that was just trained, blind; saves it again. */
LOCO_MUST_USE loco_status lc_tune_trained(const char *path, const lc_plan *plan, const loco_training *training,
                                          loco_err *err);

#endif
