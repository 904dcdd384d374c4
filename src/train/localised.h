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

/* One sentence that begins with "warning: " and ends with the most promising remedy; nothing when the class is
 * localised. */
void lc_localised_advice(lc_text *text, const lc_localised *row, const char *name, const lc_plan *plan);

#endif
