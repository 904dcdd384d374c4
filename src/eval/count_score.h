/* SPDX-License-Identifier: MIT
 * count_score.h - how good predicted counts are, and whether their distributions can be trusted.
 *
 *     lc_count_score score = {0};
 *     for each clip: lc_count_score_add(&score, pmf, bins, truth, err);
 *     lc_count_row row = lc_count_score_read(&score);
 *
 * A predicted distribution is calibrated when the truth falls as often below its 10 % quantile as it says, and so on
 * for every quantile. F(Y - 1) + u P(Y), u uniform, is then uniform (probability integral transform, PIT): its
 * histogram is flat. A hump says that the distributions are too wide, two horns that they are too narrow, a slope that
 * counts are over- or underestimated. */
#ifndef LC_EVAL_COUNT_SCORE_H
#define LC_EVAL_COUNT_SCORE_H

#include "loco.h"

enum { LC_LEVELS = 3, LC_PIT_BINS = 10 };

/* The central intervals that are scored: 50, 80 and 90 %. */
extern const double lc_levels[LC_LEVELS];

/* Sums over clips; {0} is empty. Read it by lc_count_score_read. */
typedef struct lc_count_score {
    size_t clips, hits;
    double distance, bias;
    size_t covered[LC_LEVELS];
    double claimed[LC_LEVELS];
    size_t distributions; /* clips that came with all probabilities; the sums below are over these */
    double log_loss;
    size_t impossible;
    double pit[LC_PIT_BINS];
    size_t intervals, held; /* clips that came with the interval of a model, and those whose truth lay in it */
    double held_claimed, held_width;
} lc_count_score;

/* Adds a clip with `truth` events. pmf[k] = P(Y = k) for k < bins - 1, and the last is P(Y >= bins - 1), as
 * loco_count_pmf gives it; a truth beyond lies in the last bin. The values sum to 1 within 1e-6. */
LOCO_MUST_USE loco_status lc_count_score_add(lc_count_score *score, const double *pmf, size_t bins, size_t truth,
                                             loco_err *err);

/* The same where the model's count is another than the mean of the distribution. */
LOCO_MUST_USE loco_status lc_count_score_add_count(lc_count_score *score, double count, const double *pmf, size_t bins,
                                                   size_t truth, loco_err *err);

/* Adds a clip by its expected count and the ends of its central intervals alone, both included: enough where the
 * distribution is too long to keep. */
LOCO_MUST_USE loco_status lc_count_score_add_interval(lc_count_score *score, double mean, const size_t low[LC_LEVELS],
                                                      const size_t high[LC_LEVELS], size_t truth, loco_err *err);

/* Of a clip that one of the two above added: the interval that `loco count` prints, both ends included, and the
 * probability that its distribution claims for it. */
LOCO_MUST_USE loco_status lc_count_score_add_held(lc_count_score *score, size_t low, size_t high, double claimed,
                                                  size_t truth, loco_err *err);

/* Adds all clips of `more`, for example of another class. */
void lc_count_score_join(lc_count_score *score, const lc_count_score *more);

typedef struct lc_count_row {
    size_t clips;
    double exact;    /* share of clips whose expected count, rounded, is the truth */
    double distance; /* mean |expected count - truth| */
    double bias;     /* mean (expected count - truth) */
    /* Share of clips inside the central interval, and the share that their distributions claim for it. A count is
     * whole, so an interval holds more than its level: compare these two, not coverage with lc_levels. */
    double coverage[LC_LEVELS], claimed[LC_LEVELS];
    size_t distributions;
    double log_loss;         /* mean -log P(truth); a probability below 1e-300 counts as 1e-300 */
    size_t impossible;       /* clips with such a probability */
    double pit[LC_PIT_BINS]; /* shares that sum to 1, or zeros without distributions */
    double pit_deviation;    /* the largest |pit - 1/LC_PIT_BINS| */
    size_t intervals;
    double held;                     /* share of the intervals with the truth in them: what a model promises */
    double held_claimed, held_width; /* means of their probability and of the counts that they hold */
} lc_count_row;

/* Zeros where nothing was added. */
lc_count_row lc_count_score_read(const lc_count_score *score);

#endif
