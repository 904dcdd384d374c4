/* SPDX-License-Identifier: MIT
 * distribution.c - the Poisson-binomial distribution of the count: all of it, its growth, moments and quantiles.
 *
 *   P_t(k) = (1 - p_t) P_(t-1)(k) + p_t P_(t-1)(k-1), and the last bin keeps what reaches it:
 *   P_t(k_max) = P_(t-1)(k_max) + p_t P_(t-1)(k_max - 1)
 * The recursion keeps relative accuracy down to the smallest double. Above 1e8 cells (some 0.1 s) the tree takes over,
 * which drops what is below 1e-20 of the largest. */
#include "base/status.h"
#include "count/tree.h"

#include <math.h>
#include <string.h>

static const double cells_max = 1e8;

/* p and 1 - p, both to full accuracy. */
static void probabilities(double z, double *p, double *q)
{
    double e = exp(-fabs(z)), large = 1 / (1 + e), small = e / (1 + e);
    *p = z >= 0 ? large : small;
    *q = z >= 0 ? small : large;
}

/* One frame: from bins 0..k_max of src to those of dst; src holds counts up to `reached`. */
static void step(double *restrict dst, const double *restrict src, size_t k_max, size_t reached, double z)
{
    double p, q;
    size_t inner = reached + 1 < k_max ? reached + 1 : k_max;
    probabilities(z, &p, &q);
    dst[0] = k_max > 0 ? q * src[0] : 1;
    for (size_t k = 1; k < inner; k++)
        dst[k] = q * src[k] + p * src[k - 1];
    if (k_max > 0)
        dst[inner] = (inner == k_max ? src[inner] : 0) + p * src[inner - 1];
}

/* growth (length + 1, k_max + 1): row t is the distribution after t frames. */
loco_status loco_count_growth(double *growth, size_t k_max, const double *logits, size_t length, loco_err *err)
{
    loco_status status = lc_logits_check(logits, length, err);
    size_t bins = k_max + 1, values;
    if (status != LOCO_OK)
        return status;
    if (growth == NULL)
        return lc_err_set(err, LOCO_EARG, "growth must not be NULL");
    if (k_max == SIZE_MAX || !lc_size_mul(length + 1, bins, &values) || values > SIZE_MAX / sizeof(double))
        return lc_err_set(err, LOCO_EARG, "%zu frames with %zu bins each are more than memory can hold", length, k_max);
    memset(growth, 0, values * sizeof *growth);
    growth[0] = 1;
    for (size_t t = 0; t < length; t++)
        step(growth + (t + 1) * bins, growth + t * bins, k_max, t, logits[t]);
    return LOCO_OK;
}

/* O(T k_max) time, two rows of memory. */
static loco_status pmf_by_recursion(loco_count *count, const double *logits, size_t length, size_t k_max, double *pmf,
                                    loco_err *err)
{
    /* The last bin keeps what reaches it, which is right for last = length too: after T events no frame is left. */
    size_t last = k_max < length ? k_max : length, bins = last + 1; /* bins past the length stay empty */
    loco_status status = lc_count_reserve(count, 2 * bins * sizeof(double), 0, err);
    if (status != LOCO_OK)
        return status;
    double *src = count->shared.data, *dst = src + bins;
    memset(src, 0, 2 * bins * sizeof *src);
    src[0] = 1;
    for (size_t t = 0; t < length; t++) {
        step(dst, src, last, t, logits[t]);
        double *swap = src;
        src = dst;
        dst = swap;
    }
    memcpy(pmf, src, bins * sizeof *pmf);
    memset(pmf + bins, 0, (k_max + 1 - bins) * sizeof *pmf);
    return LOCO_OK;
}

/* Certain events move the whole distribution up; they are not part of the tree. */
loco_status lc_tree_distribution(lc_tree *tree, loco_count *count, const double *logits, size_t length, lc_node *root,
                                 loco_err *err)
{
    size_t shared, local;
    lc_strided series = lc_strided_double(logits);
    lc_tree_measure(count, length, &shared, &local);
    loco_status status = lc_count_reserve(count, shared, local, err);
    if (status != LOCO_OK)
        return status;
    size_t certain = lc_tree_load(tree, count, &series, length);
    *root = *lc_tree_up(tree);
    root->begin += certain;
    double all = 0; /* 1 but for the rounding of each frame, see lc_tree_label */
    for (size_t i = 0; i < root->len; i++)
        all += root->coef[i];
    for (size_t i = 0; i < root->len; i++)
        root->coef[i] /= all;
    return LOCO_OK;
}

/* O(T log T) time; the last bin takes all counts from k_max on. */
static loco_status pmf_by_tree(loco_count *count, const double *logits, size_t length, size_t k_max, double *pmf,
                               loco_err *err)
{
    lc_tree tree;
    lc_node root;
    loco_status status = lc_tree_distribution(&tree, count, logits, length, &root, err);
    if (status != LOCO_OK)
        return status;
    memset(pmf, 0, (k_max + 1) * sizeof *pmf);
    for (size_t i = 0; i < root.len; i++)
        pmf[root.begin + i < k_max ? root.begin + i : k_max] += root.coef[i];
    return LOCO_OK;
}

loco_status loco_count_pmf(double *pmf, size_t k_max, loco_count *count, const double *logits, size_t length,
                           loco_err *err)
{
    loco_status status = lc_logits_check(logits, length, err);
    if (status != LOCO_OK)
        return status;
    if (count == NULL || pmf == NULL)
        return lc_err_set(err, LOCO_EARG, "the handle and pmf must not be NULL");
    if (k_max >= SIZE_MAX / sizeof(double) / 2)
        return lc_err_set(err, LOCO_EARG, "k_max %zu is too large; the %zu frames fill no more than %zu bins", k_max,
                          length, length);
    /* In doubles, since the product of two sizes may wrap. */
    double bins = (double)(k_max < length ? k_max : length);
    return (double)length * bins <= cells_max ? pmf_by_recursion(count, logits, length, k_max, pmf, err)
                                              : pmf_by_tree(count, logits, length, k_max, pmf, err);
}

/* Sums of independent frames: mean = sum p, variance = sum p (1 - p). */
loco_status loco_count_moments(double *mean, double *variance, const double *logits, size_t length, loco_err *err)
{
    loco_status status = lc_logits_check(logits, length, err);
    if (status != LOCO_OK)
        return status;
    if (mean == NULL || variance == NULL)
        return lc_err_set(err, LOCO_EARG, "mean and variance must not be NULL");
    double sum = 0, spread = 0, p, q;
    for (size_t t = 0; t < length; t++) {
        probabilities(logits[t], &p, &q);
        sum += p;
        spread += p * q;
    }
    *mean = sum;
    *variance = spread;
    return LOCO_OK;
}

/* The smallest count k with P(n <= k) >= level. */
loco_status loco_count_quantile(size_t *k, loco_count *count, const double *logits, size_t length, double level,
                                loco_err *err)
{
    lc_tree tree;
    lc_node root;
    loco_status status = lc_logits_check(logits, length, err);
    if (status != LOCO_OK)
        return status;
    if (count == NULL || k == NULL)
        return lc_err_set(err, LOCO_EARG, "the handle and k must not be NULL");
    if (!(level > 0 && level < 1))
        return lc_err_set(err, LOCO_EARG, "level %g is not between 0 and 1; the median is 0.5", level);
    status = lc_tree_distribution(&tree, count, logits, length, &root, err);
    if (status != LOCO_OK)
        return status;
    double sum = root.coef[0];
    size_t i = 0;
    /* The bound is needed: by rounding the sum may stay below a level near 1. */
    while (i + 1 < root.len && sum < level)
        sum += root.coef[++i];
    *k = root.begin + i;
    return LOCO_OK;
}
