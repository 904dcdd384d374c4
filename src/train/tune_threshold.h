/* SPDX-License-Identifier: MIT
 * tune_threshold.h - from which probability on detections of a class count, found from the counts of clips alone. */
#ifndef LC_TRAIN_TUNE_THRESHOLD_H
#define LC_TRAIN_TUNE_THRESHOLD_H

#include "detect/found.h"

/* Thresholds that are tried, from 0.01 to 0.9: the first LC_LEVELS_FAINT, below 0.1, of series alone. */
enum { LC_LEVELS_FAINT = 8, LC_LEVELS = LC_LEVELS_FAINT + 33 };

double lc_level(size_t i);

/* What clips have to say of each threshold, for one class. {0} is the start. */
typedef struct lc_levels {
    double apart[LC_LEVELS]; /* sum of |detections - count| */
    double both[LC_LEVELS];  /* sum of detections + count */
    size_t clips;
} lc_levels;

/* A clip from start to end, in seconds, in which events of this kind were counted. */
void lc_levels_add(lc_levels *levels, const lc_found *found, size_t kind, double start, double end, double count);

/* The middle of the best thresholds from level `first` on. */
double lc_levels_best(const lc_levels *levels, size_t first);

#endif
