/* SPDX-License-Identifier: MIT
 * tilt.c - shift all logits by one number so that the expected count meets the label.
 *   The posterior given the count does not change, and the likelihood no longer underflows:
 *   log P(n) = log P_tilted(n) - n*shift + sum_t [softplus(z_t + shift) - softplus(z_t)]
 * The result is exact for any shift, so a rough one will do: the expected count within 0.3 standard deviations.
 *
 * Sums run over blocks of LC_TILT_BLOCK frames that are added in order, so that threads do not change a bit. */
#include "count/select.h"
#include "count/tree.h"

#include <math.h>

enum {
    ROUNDS = 100,                  /* a guard: 12 is the most that the tests have seen */
    GAP_BLOCK = LC_TILT_BLOCK / 16 /* short, so that the compensated sum sees every cancellation */
};

static const double tame = 80; /* logits up to here are shifted as they are */

static void block_sums(void *context, size_t block, unsigned worker)
{
    lc_tree *tree = context;
    size_t begin = block * LC_TILT_BLOCK, left = tree->frames - begin;
    (void)worker;
    tree->partial[block] = tree->count->kernels->tilt_sums(tree->z + begin, left < LC_TILT_BLOCK ? left : LC_TILT_BLOCK,
                                                           tree->tilt);
}

/* Mean and variance of the count with the present tilt. */
static lc_tilt_sums total_sums(lc_tree *tree)
{
    size_t blocks = tree->frames / LC_TILT_BLOCK + (tree->frames % LC_TILT_BLOCK != 0);
    lc_tree_run(tree, blocks, block_sums, tree);
    lc_tilt_sums total = {0};
    for (size_t i = 0; i < blocks; i++) {
        total.mean += tree->partial[i].mean;
        total.variance += tree->partial[i].variance;
    }
    return total;
}

lc_tilt_gap lc_tilt_total_gap(const lc_tree *tree)
{
    lc_tilt_gap total = {0};
    double lost = 0; /* Kahan's summation: blocks may be large and cancel */
    for (size_t begin = 0; begin < tree->frames; begin += GAP_BLOCK) {
        size_t left = tree->frames - begin, n = left < GAP_BLOCK ? left : GAP_BLOCK;
        lc_tilt_gap block = tree->count->kernels->tilt_gap(tree->z + begin, n, tree->tilt);
        double term = block.rest - lost, next = total.rest + term;
        lost = (next - total.rest) - term;
        total.rest = next;
        total.events += block.events;
    }
    return total;
}

/* The interval in which the shift lies. With base = -(n-th largest logit), the n largest logits are >= 0 and the
 * others <= 0, so that shift -log(T) - 3 leaves a mean of at most n + 0.05, and shift log(n) + 3 of at least n -
 * 0.05. */
static void bracket(lc_tree *tree, size_t n, double reach, double *low, double *high)
{
    double slack = reach <= tame ? reach : 0;
    if (reach > tame) {
        double *copy = tree->coef[0]; /* free until the tree is built, and at least as long */
        for (size_t t = 0; t < tree->frames; t++)
            copy[t] = tree->z[t];
        tree->tilt.base = -lc_select_largest(copy, tree->frames, n);
    }
    *low = -slack - log((double)tree->frames) - 3;
    *high = slack + log((double)n) + 3;
}

/* Newton's step on log(mean / (T - mean)), which is linear in the shift when all frames are alike. */
static double newton(lc_tilt_sums sums, double target, double frames)
{
    double aim = fmin(fmax(target, 0.5), frames - 0.5), rest = frames - sums.mean;
    return (log(aim / (frames - aim)) - log(sums.mean / rest)) * sums.mean * rest / (sums.variance * frames);
}

/* Anything nearer gains nothing: at 0.3 standard deviations P_tilted(label) is 4 % below its best. 0.1 is for sharp
 * clips. */
static bool near(lc_tilt_sums sums, double target)
{
    return fabs(sums.mean - target) <= 0.1 + 0.3 * sqrt(sums.variance);
}

/* Newton's steps, guarded by an interval that shrinks: a step that leaves it is replaced by its middle. */
size_t lc_tilt_find(lc_tree *tree, size_t lo, size_t hi, double reach)
{
    tree->tilt = (lc_tilt){0};
    lc_tilt_sums sums = total_sums(tree);
    double low, high, frames = (double)tree->frames;
    if (sums.mean >= (double)lo && sums.mean <= (double)hi)
        return lo;
    size_t n = sums.mean < (double)lo ? lo : hi;
    double target = (double)n;
    if (near(sums, target)) /* saturated frames miss it by 1e-12, and a base would lead far away */
        return n;
    bracket(tree, n, reach, &low, &high);
    if (reach > tame)
        sums = total_sums(tree);
    for (int round = 0; round < ROUNDS && !near(sums, target); round++) {
        if (sums.mean < target)
            low = tree->tilt.shift;
        else
            high = tree->tilt.shift;
        double next = tree->tilt.shift + newton(sums, target, frames);
        /* A mean of 0 or T, or a variance of 0, makes Newton's step NaN or infinite: the comparisons then fail, and the
         * middle is taken. */
        tree->tilt.shift = next > low && next < high ? next : (low + high) / 2;
        sums = total_sums(tree);
    }
    return n;
}
