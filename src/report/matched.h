/* SPDX-License-Identifier: MIT
 * matched.h - detected events against true ones, for pictures: time errors of each class, and how far probabilities
 * hold. */
#ifndef LC_REPORT_MATCHED_H
#define LC_REPORT_MATCHED_H

#include "eval/by_class.h"
#include "eval/reliability.h"
#include "report/eval_panels.h"

typedef struct lc_matched {
    size_t classes;
    double tolerance;
    lc_error_histogram *errors;  /* (classes + 1), the last of all */
    lc_reliability *reliability; /* (classes + 1), the last of all */
    lc_by_class truth, detected;
    lc_block pairs;
} lc_matched;

LOCO_MUST_USE loco_status lc_matched_new(lc_matched *matched, size_t classes, double tolerance, loco_err *err);
void lc_matched_free(lc_matched *matched); /* {0} may be freed */

/* One recording. */
LOCO_MUST_USE loco_status lc_matched_add(lc_matched *matched, const loco_event *truth, size_t n,
                                         const loco_event *detected, size_t m, loco_err *err);

#endif
