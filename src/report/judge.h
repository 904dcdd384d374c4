/* SPDX-License-Identifier: MIT
 * judge.h - told events against true ones, for pictures: time errors of each class, and how far probabilities hold. */
#ifndef LC_REPORT_JUDGE_H
#define LC_REPORT_JUDGE_H

#include "eval/reliability.h"
#include "eval/slices.h"
#include "report/eval_panels.h"

typedef struct lc_judge {
    size_t classes;
    double tolerance;
    lc_error_histogram *errors;  /* (classes + 1), the last of all */
    lc_reliability *reliability; /* (classes + 1), the last of all */
    lc_slices truth, found;
    lc_block pairs;
} lc_judge;

LOCO_MUST_USE loco_status lc_judge_new(lc_judge *judge, size_t classes, double tolerance, loco_err *err);
void lc_judge_free(lc_judge *judge); /* {0} may be freed */

/* One recording. */
LOCO_MUST_USE loco_status lc_judge_add(lc_judge *judge, const loco_event *truth, size_t n, const loco_event *found,
                                       size_t m, loco_err *err);

#endif
