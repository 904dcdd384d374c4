/* SPDX-License-Identifier: MIT
 * scores.h - the scores of an evaluation: of events, of the counts of clips, and the names that belong to them. */
#ifndef LC_EVAL_SCORES_H
#define LC_EVAL_SCORES_H

#include "base/store.h"
#include "count/sum.h"
#include "eval/count_score.h"
#include "eval/plane_score.h"
#include "eval/score.h"

struct loco_scores {
    lc_store owns; /* names and sums */
    lc_score *score;
    const char **classes;
    size_t classes_len;
    lc_count_score *counts; /* one a class, then one a sum; NULL: there are no clips */
    lc_sum *sums;           /* names alone */
    size_t sums_len;
    lc_recording_score *recordings; /* those with times, in the order in which they came */
    size_t recordings_len, recordings_capacity;
    lc_plane_score *plane; /* of images; else NULL */
};

/* Empty scores of events. Names are copied. */
LOCO_MUST_USE loco_status lc_scores_new(loco_scores **scores, const char *const *classes, size_t classes_len,
                                        const double *tolerances, size_t tolerances_len, loco_err *err);

/* From now on events are places in images, and tolerances pixels. Before any recording is added. */
LOCO_MUST_USE loco_status lc_scores_images(loco_scores *scores, loco_err *err);

/* Adds one recording, as lc_score_add; its name is copied. */
LOCO_MUST_USE loco_status lc_scores_add(loco_scores *scores, const char *name, const loco_event *reference, size_t n,
                                        const loco_event *estimate, size_t m, loco_err *err);

/* Adds empty scores of the counts of clips: of each class, and of sums of classes. */
LOCO_MUST_USE loco_status lc_scores_add_counts(loco_scores *scores, const lc_sum *sums, size_t sums_len, loco_err *err);

#endif
