/* SPDX-License-Identifier: MIT
 * tune_counts.h - calibration of counts: how logits become a distribution of the count that can be trusted, and from
 *   which p-value on counts belong to an interval (detect/tally.h). */
#ifndef LC_TRAIN_TUNE_COUNTS_H
#define LC_TRAIN_TUNE_COUNTS_H

#include "train/tune.h"

enum { LC_COUNTS_FEWEST = 20 }; /* exact counts of a class that it takes */

/* One class of one clip. */
typedef struct lc_counted_clip {
    const float *logits; /* frame t at [t * stride] */
    size_t frames, stride;
    loco_label label;
    size_t recording;
} lc_counted_clip;

/* Scale, shift and tails of one class from its clips; untouched when fewer than LC_COUNTS_FEWEST have an exact count.
 * *exact: how many have one. */
LOCO_MUST_USE loco_status lc_counting_fit(lc_counting *counting, size_t *exact, const lc_counted_clip *clips, size_t n,
                                          size_t kind, loco_err *err);

/* Listens to the recordings of the tuning and sets the counting of its model, whose offsets must be known. Counts are
 * those of the clips; of a set without clips they are counted from events, in clips of 1 to 10 s. Adds a line a class
 * to findings, or one that says why nothing was set. */
LOCO_MUST_USE loco_status lc_tune_counts(const lc_tuning *tuning, lc_text *findings, loco_err *err);

#endif
