/* SPDX-License-Identifier: MIT
 * blend.c - several versions of one recording, averaged on a common grid of frames.
 *   A version touches only the frames that it covers, so that many short windows on a long grid cost what they
 *   hold. */
#include "detect/blend.h"

#include "base/mem.h"
#include "base/status.h"
#include "detect/decode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES_MAX = 1 << 20, LOGIT_MAX = 30 };

struct lc_blend {
    size_t T, classes;
    double hop;
    double *sum;    /* (T, K) */
    double *weight; /* (T) */
};

static void layout(lc_blend *blend, lc_arena *arena)
{
    blend->sum = lc_arena_take(arena, blend->T, blend->classes * sizeof *blend->sum);
    blend->weight = lc_arena_take(arena, blend->T, sizeof *blend->weight);
}

static bool good_hop(double hop)
{
    return hop >= 1e-6 && hop <= 1e6;
}

loco_status lc_blend_new(lc_blend **blend, size_t T, size_t classes, double hop, loco_err *err)
{
    lc_blend plan = {.T = T, .classes = classes, .hop = hop};
    lc_block block = {0};
    lc_arena arena = {0};
    if (classes < 1 || classes > CLASSES_MAX)
        return lc_err_set(err, LOCO_EARG, "a blend of %zu classes; 1 to %d are possible", classes, CLASSES_MAX);
    if (!good_hop(hop))
        return lc_err_set(err, LOCO_EARG, "the seconds from frame to frame must lie in 0.000001 to 1000000");
    lc_arena_take(&arena, 1, sizeof plan);
    layout(&plan, &arena);
    if (!lc_block_reserve(&block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for %zu frames of %zu classes", T, classes);
    memset(block.data, 0, block.size);
    arena = lc_arena_over(&block);
    lc_blend *result = lc_arena_take(&arena, 1, sizeof *result);
    *result = plan;
    layout(result, &arena);
    *blend = result;
    return LOCO_OK;
}

void lc_blend_free(lc_blend *blend)
{
    free(blend);
}

/* The frames of the grid from a time on, as an index within 0..T. */
static size_t first_from(const lc_blend *blend, double time)
{
    double frame = ceil(time / blend->hop);
    if (!(frame > 0))
        return 0;
    return frame < (double)blend->T ? (size_t)frame : blend->T;
}

/* Adds `weight` times p between the frames of a version at `place`, counted in its frames. */
static void add_frame(double *sum, size_t K, const float *logits, size_t T, double place, double weight)
{
    double bounded = fmax(0, fmin(place, (double)(T - 1)));
    size_t i = (size_t)bounded, next = i + 1 < T ? i + 1 : i;
    double part = bounded - (double)i;
    for (size_t k = 0; k < K; k++) {
        double a = lc_probability(logits[i * K + k]), b = lc_probability(logits[next * K + k]);
        sum[k] += weight * ((1 - part) * a + part * b);
    }
}

loco_status lc_blend_add(lc_blend *blend, const lc_version *version, const float *logits, size_t T, double hop,
                         loco_err *err)
{
    loco_status status = lc_version_check(version, err);
    if (status != LOCO_OK)
        return status;
    if (!good_hop(hop))
        return lc_err_set(err, LOCO_EARG, "a version's seconds from frame to frame must lie in 0.000001 to 1000000");
    if (T == 0)
        return LOCO_OK;
    /* its first and last frame reach half a frame beyond their middle */
    double step = version->scale * hop, rate = blend->hop / step;
    double begin = fmax(version->begin, version->shift - 0.5 * step);
    double end = fmin(version->end, version->shift + ((double)T - 0.5) * step);
    size_t last = first_from(blend, end);
    for (size_t t = first_from(blend, begin); t < last; t++) {
        double place = ((double)t * blend->hop - version->shift) / step;
        add_frame(blend->sum + t * blend->classes, blend->classes, logits, T, place, version->weight * rate);
        blend->weight[t] += version->weight;
    }
    return LOCO_OK;
}

static double bounded_logit(double p)
{
    if (!(p > 0))
        return -LOGIT_MAX;
    return p < 1 ? fmax(-LOGIT_MAX, fmin(LOGIT_MAX, log(p) - log1p(-p))) : LOGIT_MAX;
}

void lc_blend_logits(const lc_blend *blend, float *logits)
{
    size_t K = blend->classes;
    for (size_t t = 0; t < blend->T; t++)
        for (size_t k = 0; k < K; k++) {
            double weight = blend->weight[t];
            logits[t * K + k] = (float)bounded_logit(weight > 0 ? blend->sum[t * K + k] / weight : 0);
        }
}
