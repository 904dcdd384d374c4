/* SPDX-License-Identifier: MIT
 * calibrate_counts.h - calibration of counts: how logits become a calibrated distribution of the count, and from which
 *   p-value on counts belong to an interval (detect/tally.h). */
#ifndef LC_CALIBRATE_CALIBRATE_COUNTS_H
#define LC_CALIBRATE_CALIBRATE_COUNTS_H

#include "calibrate/calibrate.h"

/* Exact counts of a class that are needed: for all numbers, and for its errors alone. */
enum { LC_COUNTS_FEWEST = 20, LC_COUNTS_COMPARED = 5 };

/* One class of one clip. */
typedef struct lc_counted_clip {
    const float *logits; /* frame t at [t * stride] */
    size_t frames, stride;
    loco_label label;
    size_t recording;
    size_t detected; /* detections in it */
} lc_counted_clip;

/* All numbers of one class from its clips, those of a recording in a row; with fewer exact counts than LC_COUNTS_FEWEST its
 * errors alone, below LC_COUNTS_COMPARED nothing. *exact: how many have one. */
LOCO_MUST_USE loco_status lc_count_calibration_fit(lc_count_calibration *calibration, size_t *exact,
                                                   const lc_counted_clip *clips, size_t n, size_t kind, loco_err *err);

/* Reads the recordings and sets the count_calibration of the model, whose offsets must be known. Counts are those of
 * the clips; a set without clips is cut into clips of 1 to 10 s whose events are counted. Adds a line a class to
 * findings: the result, or why there is none. */
LOCO_MUST_USE loco_status lc_calibrate_counts(const lc_calibration *calibration, lc_text *findings, loco_err *err);

#endif
