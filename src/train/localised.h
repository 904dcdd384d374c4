/* SPDX-License-Identifier: MIT
 * localised.h - whether a trained model finds when events happen, or only how many; judged without event times. */
#ifndef LC_TRAIN_LOCALISED_H
#define LC_TRAIN_LOCALISED_H

#include "model/model.h"
#include "train/plan.h"

/* Of one class, summed over recordings. */
typedef struct lc_localised {
    double expected;       /* sum of the probabilities of all frames */
    double found;          /* of these, what lies in detections with a probability of 1/2 and more */
    double counts, missed; /* sum of the known counts of clips, and of the differences to the number of detections */
} lc_localised;

/* Reads the recordings that were held out, or where there are none all; of each class into rows, one a class. */
LOCO_MUST_USE loco_status lc_localised_measure(lc_localised *rows, const loco_model *model, const lc_plan *plan,
                                               loco_err *err);

/* A line for each class that is not localised, which begins with "warning: " and ends with the most promising remedy;
 * nothing when all are. More than eight classes are judged together, in one line. */
void lc_localised_advice(lc_text *text, const lc_localised *rows, const char *const *names, size_t K,
                         const lc_plan *plan);

#endif
