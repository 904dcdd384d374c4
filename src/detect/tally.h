/* SPDX-License-Identifier: MIT
 * tally.h - how many events a stretch of frames holds: the distribution of the count, grown frame by frame, and the
 *   interval that holds the true count as often as it says.
 *
 * Calibrated logits are scale * z + shift: two numbers a class, fitted to a data set with counts by the likelihood of
 * these counts. They correct probabilities that are too sure or too many; the remaining errors are left to the last
 * step, which needs no model of them. A third number, spread, says how much of the error is common to a recording, such
 * as a cymbal taken for another: it grows with the count and not with its root, and without it the count of an hour
 * would look far surer than it is. The calibrated distribution is
 *
 *   P(n) ~ sum over m of PoissonBinomial(m) * [normal noise of deviation spread * mean, rounded, is n - m],   n >= 0
 *
 *   p(n) = P(counts less likely than n) + u P(n)        p-value of a count; of the most likely one it is 1
 *   interval of a level = all n with p(n) >= tail(level)
 *
 * tail(level) is the p-value that the true counts of the data set reach with frequency `level`: by its rank among them,
 * floor((N + 1)(1 - level)), the interval of one more such clip holds its count with probability level to level +
 * 1/(N+1) (split conformal prediction). Counts are whole, so that an interval without randomness would hold more: u,
 * the dice, includes the last count at either end or leaves it out. It is computed from the counted frames themselves,
 * so that a clip always has the same interval. Where the network is sure, the interval is one count, never empty, and
 * holds more than its level; the tail, which is common to all clips, makes up for that in the others. When the most
 * likely count alone is right in more than `level` of all clips, tail is 1, all intervals are one count, and they hold
 * more often than their level.
 *
 * Errors of a recording's clips are alike, so that a long part is not as sure as many short ones that err at random:
 *
 *   variance of the error = variance of the distribution + excess * S + (spread * S)^2,    S = count + rate * frames
 *
 * where excess is what differs from clip to clip, and spread from recording to recording
 * (calibrate/measure_count_errors.c). Tails are measured for clips and for recordings, and those of longer parts trust
 * the distribution (model/count_calibration.h). Where the number of detections was nearer to the true counts than the
 * expected count, the distribution is moved until its likeliest count is that number. */
#ifndef LC_DETECT_TALLY_H
#define LC_DETECT_TALLY_H

#include "loco.h"
#include "model/count_calibration.h"

#include <stdbool.h>

/* P(Y = first + i) = pmf[i]. */
typedef struct lc_bins {
    double *pmf;
    size_t len, capacity, first;
} lc_bins;

/* Bins below 1e-18 at both ends are dropped, so that memory grows with the standard deviation of the count alone: some
 * 20 bins times that. Zero is the empty sum. */
typedef struct lc_tally {
    lc_bins sum, recent, spare; /* sum: len 0 when there is no frame, P(Y = 0) = 1 */
    size_t recent_frames;
    size_t frames;
    double mean;
    bool failed; /* out of memory; sticky */
} lc_tally;

void lc_tally_add(lc_tally *tally, double logit);

/* After the last frame, and before any of the functions below: adds the noise of the formula above. */
void lc_tally_end(lc_tally *tally, double spread);

/* The same with noise of that standard deviation; centre: NAN, or the count that becomes the likeliest one. */
void lc_tally_finish(lc_tally *tally, double centre, double deviation);

/* The variance of that noise for a class, with a count of so many frames. */
double lc_tally_noise(const lc_count_calibration *calibration, double count, double frames);

/* The same for a class: returns the count. detections: how many there are in these frames; ignored where the class does
 * not count by them. */
double lc_tally_calibrate(lc_tally *tally, const lc_count_calibration *calibration, size_t detections);

void lc_tally_clear(lc_tally *tally); /* the empty sum again; keeps its memory */
void lc_tally_free(lc_tally *tally);

double lc_tally_probability(const lc_tally *tally, loco_label label); /* P(count in label) */

/* u of the formula above: from the class, the number of frames, and the expected count to three decimals. */
double lc_tally_dice(const lc_tally *tally, size_t kind);

double lc_tally_p_value(const lc_tally *tally, size_t count, double dice);

typedef struct lc_interval {
    size_t low, high;   /* both included */
    double probability; /* by the distribution */
} lc_interval;

lc_interval lc_tally_interval(const lc_tally *tally, double tail, double dice);

/* The row of a class, but for its file and part, when all of its frames have been added, with the scale and shift of the
 * calibration. detections: as in lc_tally_calibrate. */
loco_tally_row lc_tally_row(lc_tally *tally, const lc_count_calibration *calibration, size_t kind, size_t detections,
                            const loco_tally_options *how);

#endif
