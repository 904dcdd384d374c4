/* SPDX-License-Identifier: MIT
 * score.h - precision, recall, F1 and time errors of estimated events, for each class and over all.
 *
 *     lc_score_new(&score, 3, (double[]){0.05, 0.02}, 2, err);
 *     for each recording: lc_score_add(score, reference, n, estimate, m, err);
 *     lc_score_row row = lc_score_read(score, LC_ALL_KINDS, 0, LC_POOLED, LC_EMPTY_ZERO);
 *
 * Of images, lc_score_images after lc_score_new: tolerances are radii in pixels, and errors the distances of pairs.
 *
 * An estimate is right when it is matched (match.h, plane_match.h) with a reference event of its own class. With M matched pairs,
 * N reference and E estimated events:  precision M/E, recall M/N, F1 their harmonic mean 2M/(N+E). */
#ifndef LC_EVAL_SCORE_H
#define LC_EVAL_SCORE_H

#include "loco.h"

#include <stdbool.h>

#define LC_ALL_KINDS SIZE_MAX /* all classes together, instead of the number of one */

enum { LC_CLASSES_MAX = 65536, LC_TOLERANCES_MAX = 8 };

/* What is averaged. The three differ: a long recording, or a frequent class, weighs more in a pool than in a mean. */
typedef enum lc_average {
    LC_POOLED,        /* M, N and E summed over recordings, and over classes for LC_ALL_KINDS; then one ratio */
    LC_PER_RECORDING, /* the mean over recordings of each recording's pooled precision, recall and F1 */
    LC_PER_CLASS      /* the mean over classes of their LC_POOLED rows; of one class, that row. With LC_EMPTY_ZERO over
                       * those that are in the reference or were found */
} lc_average;

/* The scores of a recording (or a class, or a pool) without reference or without estimates. */
typedef enum lc_empty {
    LC_EMPTY_ZERO, /* all three are 0 if either list is empty, as in mir_eval */
    LC_EMPTY_ONE   /* no estimate: precision 1; no reference: recall 1, as in madmom. Both empty: F1 is 1, else 0 */
} lc_empty;

typedef struct lc_score_row {
    size_t reference, estimated, matched; /* sums over recordings, whatever the average */
    double precision, recall, f1;
    double error_mean,
        error_sd; /* seconds, estimate - reference, or pixels of distance, over all matched pairs whatever
                                  * the average; sd divides by their number; 0 without pairs */
} lc_score_row;

/* One recording at each tolerance, all classes together. */
typedef struct lc_recording_score {
    const char *name; /* of whoever keeps it; NULL from lc_score_last */
    lc_score_row rows[LC_TOLERANCES_MAX];
} lc_recording_score;

typedef struct lc_score lc_score;

/* tolerances: 1 to LC_TOLERANCES_MAX numbers of seconds, > 0. */
LOCO_MUST_USE loco_status lc_score_new(lc_score **score, size_t classes, const double *tolerances,
                                       size_t tolerances_len, loco_err *err);
void lc_score_free(lc_score *score);

/* From now on events are places in images. Before any is added. */
void lc_score_images(lc_score *score);
bool lc_score_of_images(const lc_score *score);

/* Adds one recording; both lists may be empty and in any order. On failure the scores are unchanged. */
LOCO_MUST_USE loco_status lc_score_add(lc_score *score, const loco_event *reference, size_t n,
                                       const loco_event *estimate, size_t m, loco_err *err);

/* kind: a class or LC_ALL_KINDS; tolerance: its number. A class or tolerance that does not exist gives zeros. */
lc_score_row lc_score_read(const lc_score *score, size_t kind, size_t tolerance, lc_average average, lc_empty empty);

/* The recording that was added last; zeros before the first. */
lc_recording_score lc_score_last(const lc_score *score, lc_empty empty);

size_t lc_score_classes(const lc_score *score);
size_t lc_score_present(const lc_score *score); /* classes that are in the reference or were found */
size_t lc_score_recordings(const lc_score *score);
const double *lc_score_tolerances(const lc_score *score, size_t *len);

#endif
