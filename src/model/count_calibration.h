/* SPDX-License-Identifier: MIT
 * count_calibration.h - what was measured about the errors of a model's counts, for each class: how its logits are
 * corrected before they are counted, and how wide intervals must be. detect/tally.h has the formulas;
 * calibrate/calibrate_counts.c measures. */
#ifndef LC_MODEL_COUNT_CALIBRATION_H
#define LC_MODEL_COUNT_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>

enum { LC_TAILS = 7 };
extern const double lc_tail_levels[LC_TAILS]; /* 0.5 0.6 0.7 0.8 0.9 0.95 0.99 */

typedef struct lc_count_calibration {
    double scale, shift;    /* of logits */
    double spread;          /* of the count as a whole, relative to it */
    double tails[LC_TAILS]; /* of clips, at lc_tail_levels; 1 - level where nothing was measured */

    /* Files from before these were measured have zeros. */
    bool detections;            /* the count is the number of detections, not the expected count */
    double rate;                /* spread and excess go with the count + rate * frames */
    double excess;              /* variance of a clip's count beyond its distribution, for each of these */
    size_t recordings;          /* that were compared; 1: how recordings differ is a guess, 0: unknown */
    double frames, sum_frames;  /* mean length of the clips, and of all clips of a recording; 0: unknown */
    double sum_tails[LC_TAILS]; /* as tails, of the sums of all clips of a recording */
} lc_count_calibration;

/* Without calibration: logits are not changed, and the interval is the one that the distribution claims. */
lc_count_calibration lc_count_calibration_default(void);

/* The p-value at the edge of the interval of any level from the first to the last above: interpolated between the
 * logarithms of its neighbours. */
double lc_count_calibration_tail(const lc_count_calibration *calibration, double level);

/* The same for a part of so many frames: the tails of clips up to their length, from there to the length of recordings
 * between the two, and beyond it never above 1 - level, since nothing that long was measured. */
double lc_count_calibration_tail_at(const lc_count_calibration *calibration, double level, double frames);

/* Sets the tails of clips, or those of sums, from the p-values of n true counts, and sorts these. They are ranked among
 * `even` more that are spread evenly, as if the distribution were right: where p-values are few, or many of few
 * recordings, their own quantiles say little about others. With few, the highest levels take the least p-value. */
void lc_count_calibration_learn(lc_count_calibration *calibration, double *p_values, size_t n, size_t even);
void lc_count_calibration_learn_sums(lc_count_calibration *calibration, double *p_values, size_t n, size_t even);

#endif
