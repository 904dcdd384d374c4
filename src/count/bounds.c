/* SPDX-License-Identifier: MIT
 * bounds.c - where training should start, and what a loss allows to conclude (section 4 of the ICML 2019 paper).
 *
 * max_k P(Y = k) can only fall as frames are added, in any order, so that
 *   first bound   max_k P(Y = k) <= 1/2 + min_t |1/2 - p_t|
 *   Le Cam        max_k P(Y = k) <= max_k Poisson(k; L) + 2 S, for the l smallest p with sum L and sum of squares S
 * A loss for an exact count is at least -log of either. Conversely exp(-loss) <= 1/2 + |1/2 - p_t| for every t. */
#include "base/status.h"
#include "count/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

loco_status loco_count_bias(double *bias, double omega, size_t length, loco_err *err)
{
    if (bias == NULL)
        return lc_err_set(err, LOCO_EARG, "bias must not be NULL");
    if (!(omega > 0 && omega < 1))
        return lc_err_set(err, LOCO_EARG, "omega %g is not a probability between 0 and 1; 0.8 is usual", omega);
    if (length == 0)
        return lc_err_set(err, LOCO_EARG, "length is 0; give the number of frames of a typical clip");
    /* All frames empty with probability omega: (1 - p)^T = omega, and the bias is the logit of that p. */
    *bias = log(expm1(-log(omega) / (double)length)); /* (1 - w) / w with w = omega^(1/T), without the difference */
    return LOCO_OK;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* p: ascending. The largest Poisson probability is at k = floor(L); log k! grows with it. */
static void le_cam(loco_count_limits *limits, const double *p, size_t length)
{
    double sum = 0, squares = 0, log_factorial = 0;
    size_t k = 0;
    /* squares only grows and the mode is positive: no later l can do better once 2 S alone is above the best. */
    for (size_t l = 0; l < length && 2 * squares < limits->le_cam; l++) {
        sum += p[l];
        squares += p[l] * p[l];
        while ((double)(k + 1) <= sum)
            log_factorial += log((double)++k);
        double mode = sum > 0 ? exp((double)k * log(sum) - sum - log_factorial) : 1;
        if (mode + 2 * squares < limits->le_cam) {
            limits->le_cam = mode + 2 * squares;
            limits->le_cam_frames = l + 1;
        }
    }
}

loco_status loco_count_bounds(loco_count_limits *limits, loco_count *count, const double *logits, size_t length,
                              loco_err *err)
{
    lc_tree tree;
    lc_node root;
    loco_status status = lc_logits_check(logits, length, err);
    if (status != LOCO_OK)
        return status;
    if (count == NULL || limits == NULL)
        return lc_err_set(err, LOCO_EARG, "the handle and limits must not be NULL");
    status = lc_tree_distribution(&tree, count, logits, length, &root, err);
    if (status != LOCO_OK)
        return status;
    loco_count_limits result = {.first = 1, .le_cam = 1};
    for (size_t i = 0; i < root.len; i++)
        result.max = fmax(result.max, root.coef[i]);
    double *p = count->shared.data; /* the tree is no longer needed; its first array holds as many frames */
    for (size_t t = 0; t < length; t++) {
        p[t] = 1 / (1 + exp(-logits[t]));
        result.first = fmin(result.first, 0.5 + fabs(0.5 - p[t]));
    }
    qsort(p, length, sizeof *p, ascending);
    le_cam(&result, p, length);
    *limits = result;
    return LOCO_OK;
}

loco_status loco_count_excluded(double *above, double *below, double loss, loco_err *err)
{
    if (above == NULL || below == NULL)
        return lc_err_set(err, LOCO_EARG, "above and below must not be NULL");
    if (!(loss >= 0))
        return lc_err_set(err, LOCO_EARG, "loss %g is not possible; -log of a probability is 0 or more", loss);
    /* |1/2 - p_t| >= exp(-loss) - 1/2 excludes p between 1 - exp(-loss) and exp(-loss); from log 2 on, nothing. */
    bool sharp = loss < 0.6931471805599453;
    *above = sharp ? -expm1(-loss) : 0.5;
    *below = sharp ? exp(-loss) : 0.5;
    return LOCO_OK;
}
