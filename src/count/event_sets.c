/* SPDX-License-Identifier: MIT
 * event_sets.c - sets of events given a label: drawn from the posterior, or the most likely one.
 *
 * Drawing goes down the product tree: the root's count comes from P(k | label); a node with count m gives j events to
 * its left child with probability left[j] right[m-j] / sum; a leaf draws its frames from the last to the first,
 *   P(E_i = 1 | k events in frames 0..i) = p_i a_i[k-1] / (p_i a_i[k-1] + q_i a_i[k])
 * The tilt changes none of these. One set costs about as much as one pass up the tree.
 *
 * The most likely set given n events holds the n largest logits, since it maximises a product of n odds. */
#include "base/rng.h"
#include "base/status.h"
#include "count/select.h"
#include "count/tree.h"

#include <math.h>
#include <string.h>

/* ---- drawing ---- */

typedef struct sampler {
    const lc_tree *tree;
    lc_rng rng;
    double *rows;    /* (LC_LEAF + 1, LC_LEAF + 1) */
    uint8_t *events; /* of the finite frames */
} sampler;

/* In the order of vec_tilt: another order would lose what base is for, see lc_tilt. */
static double tilted(const lc_tree *tree, size_t t)
{
    return (tree->z[t] + tree->tilt.base) + tree->tilt.shift;
}

/* Never exp of a large positive number. */
static double logistic(double u)
{
    return u >= 0 ? 1 / (1 + exp(-u)) : exp(u) / (1 + exp(u));
}

/* Frames of a leaf that has k events. rows[i][j] = P(j events in frames 0..i-1), forward; then frame by frame from the
 * last, where k becomes the number of events still to place. */
static void draw_leaf(sampler *s, size_t leaf, size_t k)
{
    const size_t bins = LC_LEAF + 1;
    size_t begin = leaf * LC_LEAF, left = s->tree->frames - begin, n = left < LC_LEAF ? left : LC_LEAF;
    double *a = s->rows;
    memset(a, 0, (k + 1) * sizeof *a);
    a[0] = 1;
    for (size_t i = 0; i + 1 < n; i++) {
        double u = tilted(s->tree, begin + i), p = logistic(u), q = logistic(-u), *row = a + i * bins;
        row[bins] = q * row[0];
        for (size_t j = 1; j <= k; j++)
            row[bins + j] = q * row[j] + p * row[j - 1];
    }
    for (size_t i = n; i-- > 0;) {
        double u = tilted(s->tree, begin + i);
        double yes = k > 0 ? logistic(u) * a[i * bins + k - 1] : 0, no = logistic(-u) * a[i * bins + k];
        bool event = lc_rng_uniform(&s->rng) * (yes + no) < yes;
        s->events[begin + i] = event;
        k -= event;
    }
}

/* The count of the left child of a node that has m events, drawn from left[j] right[m - j]; first..last are the j for
 * which both children have a coefficient. */
static size_t draw_left(sampler *s, const lc_node *a, const lc_node *b, size_t m)
{
    size_t first = m > b->begin + b->len - 1 ? m - (b->begin + b->len - 1) : 0;
    size_t last = m - b->begin < a->begin + a->len - 1 ? m - b->begin : a->begin + a->len - 1;
    double total = 0, sum = 0;
    first = first > a->begin ? first : a->begin;
    for (size_t j = first; j <= last; j++)
        total += a->coef[j - a->begin] * b->coef[m - j - b->begin];
    double goal = lc_rng_uniform(&s->rng) * total;
    for (size_t j = first; j < last; j++) {
        sum += a->coef[j - a->begin] * b->coef[m - j - b->begin];
        if (goal < sum)
            return j;
    }
    return last;
}

/* Left before right, on one thread: the order in which random numbers are used up is part of what a seed means. */
static void draw_node(sampler *s, unsigned level, size_t index, size_t m)
{
    if (level == 0) {
        draw_leaf(s, index, m);
        return;
    }
    const lc_node *a = &s->tree->nodes[level - 1][2 * index];
    if (2 * index + 1 == s->tree->nodes_len[level - 1]) {
        draw_node(s, level - 1, 2 * index, m);
        return;
    }
    size_t left = draw_left(s, a, a + 1, m);
    draw_node(s, level - 1, 2 * index, left);
    draw_node(s, level - 1, 2 * index + 1, m - left);
}

/* The count of all finite frames: P(k | label) = coef * adj of the root. */
static size_t draw_count(sampler *s, const lc_node *root)
{
    double goal = lc_rng_uniform(&s->rng), sum = 0;
    size_t last = 0;
    for (size_t i = 0; i < root->len; i++) {
        double p = root->coef[i] * root->adj[i];
        if (p <= 0)
            continue;
        last = i;
        sum += p;
        if (goal < sum)
            break;
    }
    return root->begin + last;
}

/* Spreads the events of the finite frames over all frames, from the back, in place.
 * Never overtakes itself: before frame t is written, at most t + 1 finite events are left, at the front. */
static void spread(uint8_t *events, const double *logits, size_t length, size_t finite)
{
    for (size_t t = length; t-- > 0;)
        events[t] = isfinite(logits[t]) ? events[--finite] : logits[t] > 0;
}

static loco_status refuse_label(loco_label label, loco_err *err)
{
    char text[64];
    loco_label_format(text, sizeof text, label);
    return lc_err_set(err, LOCO_EDATA, "label %s is impossible: the infinite logits fix more or fewer events than that",
                      text);
}

/* One set for the finite frames; a label without a choice, or that allows every count, needs no tree. */
static void draw_set(sampler *s, loco_label label, const lc_node *root)
{
    const lc_tree *tree = s->tree;
    if (root != NULL) {
        draw_node(s, tree->levels - 1, 0, draw_count(s, root));
        return;
    }
    for (size_t t = 0; t < tree->frames; t++) {
        bool free = label.lo == 0 && label.hi == LOCO_NO_LIMIT;
        s->events[t] = free ? lc_rng_uniform(&s->rng) < logistic(tree->z[t]) : label.lo > 0;
    }
}

loco_status loco_count_sample(uint8_t *events, size_t samples, loco_count *count, const double *logits, size_t length,
                              loco_label label, uint64_t seed, loco_err *err)
{
    lc_tree tree;
    lc_seq seq = {.logits = lc_strided_double(logits), .length = length, .label = label};
    loco_status status = lc_seq_check(&seq, NULL, LC_ONLY, err);
    if (status != LOCO_OK)
        return status;
    if (count == NULL || (events == NULL && length > 0 && samples > 0))
        return lc_err_set(err, LOCO_EARG, "the handle and events must not be NULL");
    size_t shared, local;
    lc_tree_measure(count, length, &shared, &local);
    status = lc_count_reserve(count, shared, local, err);
    if (status != LOCO_OK)
        return status;
    loco_label left = label;
    size_t certain = lc_tree_load(&tree, count, &seq.logits, length);
    if (!lc_label_reduce(&left, certain, tree.frames))
        return refuse_label(label, err);
    if (length == 0)
        return LOCO_OK;
    const lc_node *root = NULL;
    if (left.hi > 0 && left.lo < tree.frames && (left.lo > 0 || left.hi != LOCO_NO_LIMIT)) {
        lc_tree_label(&tree, left, seq.reach);
        root = &tree.nodes[tree.levels - 1][0];
    }
    /* The rows take (LC_LEAF + 1)^2 doubles of a thread's scratch, whose first array, the leaf's, is larger than that;
     * no task is running any more that would use it. */
    sampler s = {.tree = &tree, .rng = lc_rng_seed(seed), .rows = count->local[0].data};
    for (size_t i = 0; i < samples; i++) {
        s.events = events + i * length;
        draw_set(&s, left, root);
        spread(s.events, logits, length, tree.frames);
    }
    return LOCO_OK;
}

/* ---- the most likely set ---- */

/* The number of events of the most likely set: those with p > 1/2, or as near to them as the label allows. */
static size_t best_count(const double *logits, size_t length, loco_label label)
{
    size_t likely = 0;
    for (size_t t = 0; t < length; t++)
        likely += logits[t] > 0;
    if (likely < label.lo)
        return label.lo;
    return likely > label.hi ? label.hi : likely;
}

/* Marks the n largest logits, of equal ones the earlier. */
static void mark_largest(const double *logits, size_t length, size_t n, double *copy, uint8_t *events)
{
    memset(events, 0, length);
    if (n == 0)
        return;
    memcpy(copy, logits, length * sizeof *copy);
    double least = lc_select_largest(copy, length, n);
    for (size_t t = 0; t < length; t++) {
        events[t] = logits[t] > least;
        n -= events[t];
    }
    for (size_t t = 0; n > 0 && t < length; t++) {
        if (!(logits[t] < least) && !events[t]) {
            events[t] = 1;
            n--;
        }
    }
}

loco_status loco_count_best(uint8_t *events, loco_count *count, const double *logits, size_t length, loco_label label,
                            loco_err *err)
{
    lc_seq seq = {.logits = lc_strided_double(logits), .length = length, .label = label};
    loco_status status = lc_seq_check(&seq, NULL, LC_ONLY, err);
    if (status != LOCO_OK)
        return status;
    if (count == NULL || (events == NULL && length > 0))
        return lc_err_set(err, LOCO_EARG, "the handle and events must not be NULL");
    size_t certain = 0, finite = 0;
    for (size_t t = 0; t < length; t++) {
        certain += logits[t] == INFINITY;
        finite += isfinite(logits[t]) != 0;
    }
    loco_label left = label;
    if (!lc_label_reduce(&left, certain, finite))
        return refuse_label(label, err);
    status = lc_count_reserve(count, length * sizeof(double), 0, err);
    if (status != LOCO_OK)
        return status;
    if (length > 0)
        mark_largest(logits, length, best_count(logits, length, label), count->shared.data, events);
    return LOCO_OK;
}
