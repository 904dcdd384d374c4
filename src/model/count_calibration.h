/* SPDX-License-Identifier: MIT
 * count_calibration.h - what was measured about the errors of a model's counts, for each class: how its logits are
 * corrected before they are counted, and how wide intervals must be. detect/tally.h has the formulas;
 * calibrate/calibrate_counts.c measures. */
#ifndef LC_MODEL_COUNT_CALIBRATION_H
#define LC_MODEL_COUNT_CALIBRATION_H

#include <stddef.h>

enum { LC_TAILS = 7 };
extern const double lc_tail_levels[LC_TAILS]; /* 0.5 0.6 0.7 0.8 0.9 0.95 0.99 */

typedef struct lc_count_calibration {
    double scale, shift;    /* of logits */
    double spread;          /* of the count as a whole, relative to it */
    double tails[LC_TAILS]; /* at lc_tail_levels; 1 - level where nothing was measured */
} lc_count_calibration;

/* Without calibration: logits are not changed, and the interval is the one that the distribution claims. */
lc_count_calibration lc_count_calibration_default(void);

/* The p-value at the edge of the interval of any level from the first to the last above: interpolated between the
 * logarithms of its neighbours. */
double lc_count_calibration_tail(const lc_count_calibration *calibration, double level);

/* Sets the tails from the p-values of n true counts, and sorts these. With few, the highest levels take the least
 * p-value. */
void lc_count_calibration_learn(lc_count_calibration *calibration, double *p_values, size_t n);

#endif
