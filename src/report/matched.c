/* SPDX-License-Identifier: MIT
 * matched.c - detected events against true ones, matched as in the scores (match.h).
 *   Every sum exists K + 1 times: for each class, and for all classes together as the last. Two uses of one match: the
 *   time errors of the pairs, and for each detection whether it is right, which its probability has claimed. */
#include "report/matched.h"

#include "base/status.h"
#include "eval/match.h"

#include <stdlib.h>
#include <string.h>

loco_status lc_matched_new(lc_matched *matched, size_t classes, double tolerance, loco_err *err)
{
    lc_matched made = {.classes = classes, .tolerance = tolerance};
    made.errors = calloc(classes + 1, sizeof *made.errors);
    made.reliability = calloc(classes + 1, sizeof *made.reliability);
    if (made.errors == NULL || made.reliability == NULL) {
        lc_matched_free(&made);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for pictures of %zu classes", classes);
    }
    *matched = made;
    return LOCO_OK;
}

void lc_matched_free(lc_matched *matched)
{
    free(matched->errors);
    free(matched->reliability);
    lc_by_class_free(&matched->truth);
    lc_by_class_free(&matched->detected);
    lc_block_free(&matched->pairs);
    *matched = (lc_matched){0};
}

/* pair (n), then right (m): which of the detected events match a true one. */
static void match_class(lc_matched *matched, size_t k, size_t *pair, unsigned char *right)
{
    const double *truth = matched->truth.time + matched->truth.start[k];
    const double *detected = matched->detected.time + matched->detected.start[k];
    const double *claim = matched->detected.probability + matched->detected.start[k];
    size_t n = lc_by_class_len(&matched->truth, k), m = lc_by_class_len(&matched->detected, k), all = matched->classes;
    memset(right, 0, m);
    lc_match(truth, n, detected, m, matched->tolerance, pair);
    for (size_t i = 0; i < n; i++)
        if (pair[i] != LC_UNMATCHED) {
            right[pair[i]] = 1;
            lc_error_add(&matched->errors[k], detected[pair[i]] - truth[i], matched->tolerance);
            lc_error_add(&matched->errors[all], detected[pair[i]] - truth[i], matched->tolerance);
        }
    for (size_t i = 0; i < m; i++) {
        lc_reliability_add(&matched->reliability[k], claim[i], right[i]);
        lc_reliability_add(&matched->reliability[all], claim[i], right[i]);
    }
}

loco_status lc_matched_add(lc_matched *matched, const loco_event *truth, size_t n, const loco_event *detected, size_t m,
                           loco_err *err)
{
    loco_status status = lc_by_class_set(&matched->truth, matched->classes, truth, n, "reference", err);
    if (status == LOCO_OK)
        status = lc_by_class_set(&matched->detected, matched->classes, detected, m, "estimated", err);
    if (status == LOCO_OK && !lc_block_reserve(&matched->pairs, (n + 1) * sizeof(size_t) + m))
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu and %zu events", n, m);
    for (size_t k = 0; status == LOCO_OK && k < matched->classes; k++) {
        size_t *pair = matched->pairs.data;
        match_class(matched, k, pair, (unsigned char *)(pair + n));
    }
    return status;
}
