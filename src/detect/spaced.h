/* SPDX-License-Identifier: MIT
 * spaced.h - events that lie apart: how likely each frame is given their number, and the best set of frames.
 *
 * Frames are independent but for one thing that is known of real events: two of a class lie at least gap frames apart.
 * A set S of frames with that gap then has P(S | label) in proportion to the product of its odds, exp(sum of z_t), if
 * the number of its frames fits the label, and else 0. With a gap of 1 this is the posterior of loco_count_loss.
 *
 * Why the posterior needs the gap: a network spreads the probability of one event over two or three neighbouring
 * frames, and without a gap two of these frames satisfy a label of 2. Measured on 40 recordings of synthetic drums of
 * unseen kits, 2357 events placed given the counts of clips, right within 50 ms: of those that claim 0.1 to 0.2, a
 * share of 0.75 was right without the gap, and the calibration error 0.037; with a gap of 4 frames it is 0.015. */
#ifndef LC_DETECT_SPACED_H
#define LC_DETECT_SPACED_H

#include "base/mem.h"
#include "loco.h"

/* How many events fit into T frames, gap >= 1 apart. */
size_t lc_spaced_most(size_t T, size_t gap);

/* Frames in which events may lie. */
typedef struct lc_spaced {
    const double *values; /* (T) logits or scores */
    size_t T;
    size_t gap; /* frames from event to event, 1 or more */
} lc_spaced;

/* values: logits. posterior[t] = P(event in frame t | the label, the gap), with the expected count as their sum;
 * *count: the likeliest count within the label. LOCO_EDATA for a NaN, and when no count of the label fits
 * (lc_spaced_most). scratch is kept from call to call, {0} at first. posterior must be another array than values, and
 * is lost on failure. */
LOCO_MUST_USE loco_status lc_spaced_posterior(double *posterior, size_t *count, lc_block *scratch,
                                              const lc_spaced *spaced, loco_label label, loco_err *err);

/* values: scores, cut at +-1000. Sets frames[0] < ... < frames[n-1], gap or more apart, with the largest sum of scores;
 * of equal sets the earlier one. n <= lc_spaced_most(T, gap). LOCO_EDATA beyond 2^33 pairs of n and T, which are too
 * many to search. */
LOCO_MUST_USE loco_status lc_spaced_best(size_t *frames, lc_block *scratch, const lc_spaced *spaced, size_t n,
                                         loco_err *err);

#endif
