/* SPDX-License-Identifier: MIT
 * judge.c - told events against true ones, matched as in the scores (match.h). */
#include "report/judge.h"

#include "base/status.h"
#include "eval/match.h"

#include <stdlib.h>
#include <string.h>

loco_status lc_judge_new(lc_judge *judge, size_t classes, double tolerance, loco_err *err)
{
    lc_judge made = {.classes = classes, .tolerance = tolerance};
    made.errors = calloc(classes + 1, sizeof *made.errors);
    made.reliability = calloc(classes + 1, sizeof *made.reliability);
    if (made.errors == NULL || made.reliability == NULL) {
        lc_judge_free(&made);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for pictures of %zu classes", classes);
    }
    *judge = made;
    return LOCO_OK;
}

void lc_judge_free(lc_judge *judge)
{
    free(judge->errors);
    free(judge->reliability);
    lc_slices_free(&judge->truth);
    lc_slices_free(&judge->found);
    lc_block_free(&judge->pairs);
    *judge = (lc_judge){0};
}

/* pair (n), then right (m): which of the found events belong to a true one. */
static void judge_class(lc_judge *judge, size_t k, size_t *pair, unsigned char *right)
{
    const double *truth = judge->truth.time + judge->truth.start[k];
    const double *found = judge->found.time + judge->found.start[k];
    const double *claim = judge->found.probability + judge->found.start[k];
    size_t n = lc_slices_len(&judge->truth, k), m = lc_slices_len(&judge->found, k), all = judge->classes;
    memset(right, 0, m);
    lc_match(truth, n, found, m, judge->tolerance, pair);
    for (size_t i = 0; i < n; i++)
        if (pair[i] != LC_UNMATCHED) {
            right[pair[i]] = 1;
            lc_error_add(&judge->errors[k], found[pair[i]] - truth[i], judge->tolerance);
            lc_error_add(&judge->errors[all], found[pair[i]] - truth[i], judge->tolerance);
        }
    for (size_t i = 0; i < m; i++) {
        lc_reliability_add(&judge->reliability[k], claim[i], right[i]);
        lc_reliability_add(&judge->reliability[all], claim[i], right[i]);
    }
}

loco_status lc_judge_add(lc_judge *judge, const loco_event *truth, size_t n, const loco_event *found, size_t m,
                         loco_err *err)
{
    loco_status status = lc_slices_set(&judge->truth, judge->classes, truth, n, "reference", err);
    if (status == LOCO_OK)
        status = lc_slices_set(&judge->found, judge->classes, found, m, "estimated", err);
    if (status == LOCO_OK && !lc_block_reserve(&judge->pairs, (n + 1) * sizeof(size_t) + m))
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu and %zu events", n, m);
    for (size_t k = 0; status == LOCO_OK && k < judge->classes; k++) {
        size_t *pair = judge->pairs.data;
        judge_class(judge, k, pair, (unsigned char *)(pair + n));
    }
    return status;
}
