/* SPDX-License-Identifier: MIT
 * calibrate.h - calibration of a trained model: the time offset and the threshold of each class (calibrate.c), the
 * bands
 *   in which its sounds begin (calibrate_bands.c) and the intervals of its counts (calibrate_counts.c). These files
 *   read recordings and store results in the model; the measurements themselves are in measure.h. */
#ifndef LC_CALIBRATE_CALIBRATE_H
#define LC_CALIBRATE_CALIBRATE_H

#include "base/team.h"
#include "data/sounds.h"
#include "detect/detect.h"

/* The least probability of the events that are used.
 * SURE: with the sound alone nothing confirms an event, so it must be more likely right than wrong. TIMED: matched
 * reference times confirm it, so all count that a model reports before calibration: the default threshold of
 * decoding.h. */
#define LC_CALIBRATION_SURE 0.5
#define LC_CALIBRATION_TIMED 0.3

/* Whether all classes share one offset and one threshold, measured over all of their events. By default pitches do, and
 * any other more than LC_POOL_CLASSES classes: each has few events, and most offsets would stay unknown. */
typedef enum lc_pooling { LC_POOL_DEFAULT, LC_POOL_ALL, LC_POOL_NONE } lc_pooling;
enum { LC_POOL_CLASSES = 24 };

typedef struct lc_calibration {
    loco_model *model; /* its offsets, thresholds and bands are set */
    const lc_dataset *set;
    const lc_sounds *sounds;
    const uint8_t *recordings; /* 1: this one is read; NULL: all are */
    double most_seconds;       /* that are read in all */
    lc_anchor anchor;          /* as in frontend.h */
    bool blind;                /* use no event times */
    bool keep_thresholds;      /* set offsets and bands alone */
    lc_pooling pooling;
    lc_team *team; /* of processes that detect each in some recordings, but for images; NULL: one process */
} lc_calibration;

/* Appends the results to findings, a line a class. */
LOCO_MUST_USE loco_status lc_calibrate(const lc_calibration *calibration, lc_text *findings, loco_err *err);

#endif
