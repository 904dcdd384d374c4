/* SPDX-License-Identifier: MIT
 * tree.c - the count distribution of a long sequence as a tree of products, and its derivative.
 *
 * Leaves of 64 frames are multiplied out by the recursion; an inner node is the convolution of its two children.
 * After the tilt (tilt.c) all that matters lies within some 10 standard deviations of the expected path: a node drops
 * the ends that are below 1e-20 of its largest coefficient, and stays about sqrt(frames) wide. With s frames below it
 *   capacity(s) = min(s + 1, 10.8 sqrt(s) + 3)
 * always suffices: by Hoeffding P(count = mean +- d) <= exp(-2 d^2 / s), and the largest coefficient is at least
 * 0.75 / (2 sqrt(s) + 1) by Chebyshev, so d = 5.4 sqrt(s) is below the cut for s up to 1e9.
 *
 * Cost: each level is about (frames / s) * capacity(s)^2 / 2, so O(frames) a level and O(frames log frames) in all;
 * direct convolution, since a transform would spoil the relative accuracy of small coefficients. Memory: 25 MB for
 * 720,000 frames plus two levels of derivatives, 12 MB, and the frames themselves.
 *
 * Down. d log Z / d coef of the root is weight / Z; a child's is the correlation of its parent's with its
 * sibling, and a leaf's gives the posterior of its frames by the backward recursion. */
#include "count/tree.h"

#include <math.h>
#include <string.h>

enum { LONG = 32768 }; /* frames from which threads pay: waking them costs some 20 microseconds a level */

static const double cut = 1e-20;

static size_t node_capacity(size_t frames)
{
    size_t bound = (size_t)(10.8 * sqrt((double)frames)) + 3;
    return bound < frames + 1 ? bound : frames + 1;
}

static size_t ceil_div(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* Nodes of each level, and the most coefficients of one: half as many nodes, of twice as many frames, a level. */
static void measure_levels(lc_tree *tree)
{
    size_t n = tree->frames > 0 ? ceil_div(tree->frames, LC_LEAF) : 1, frames = LC_LEAF;
    tree->levels = 0;
    for (;;) {
        tree->nodes_len[tree->levels] = n;
        tree->capacity[tree->levels++] = node_capacity(frames < tree->frames ? frames : tree->frames);
        if (n == 1)
            return;
        n = ceil_div(n, 2);
        frames *= 2;
    }
}

/* Derivatives of a level are needed only until those of the level below are there, hence two arrays that take turns,
 * each as long as the longest of its levels. All coefficients are kept: the pass down needs every sibling. */
static void layout(lc_tree *tree, lc_arena *arena)
{
    size_t adj[2] = {0};
    measure_levels(tree);
    tree->z = lc_arena_take(arena, tree->frames, sizeof *tree->z); /* first: lc_tree_load counts on it */
    tree->partial = lc_arena_take(arena, tree->frames / LC_TILT_BLOCK + 1, sizeof *tree->partial);
    for (unsigned i = 0; i < tree->levels; i++) {
        size_t doubles;
        if (!lc_size_mul(tree->nodes_len[i], tree->capacity[i], &doubles)) {
            arena->used = SIZE_MAX;
            return;
        }
        tree->nodes[i] = lc_arena_take(arena, tree->nodes_len[i], sizeof(lc_node));
        tree->coef[i] = lc_arena_take(arena, doubles, sizeof(double));
        adj[i % 2] = doubles > adj[i % 2] ? doubles : adj[i % 2];
    }
    tree->adj[0] = lc_arena_take(arena, adj[0], sizeof(double));
    tree->adj[1] = lc_arena_take(arena, adj[1], sizeof(double));
}

/* One thread's scratch: a leaf's rows, and three arrays for a convolution. */
typedef struct scratch {
    double *leaf, *bins; /* LC_LEAF_SCRATCH and (LC_LEAF + 2, lanes) */
    double *w, *x, *out; /* reversed factor; padded factor; result before its ends are dropped */
} scratch;

static void scratch_layout(scratch *s, const lc_tree *tree, lc_arena *arena)
{
    size_t lanes = tree->count->kernels->lanes, most = tree->capacity[tree->levels - 1];
    s->leaf = lc_arena_take(arena, LC_LEAF_SCRATCH(lanes), sizeof(double));
    s->bins = lc_arena_take(arena, (LC_LEAF + 2) * lanes, sizeof(double));
    s->w = lc_arena_take(arena, most, sizeof(double));
    s->x = lc_arena_take(arena, 3 * most + LC_PAD, sizeof(double));
    s->out = lc_arena_take(arena, 2 * most, sizeof(double));
}

void lc_tree_measure(loco_count *count, size_t frames, size_t *shared, size_t *local)
{
    lc_tree tree = {.count = count, .frames = frames};
    lc_arena arena = {0};
    scratch s;
    layout(&tree, &arena);
    *shared = arena.used;
    arena = (lc_arena){0};
    scratch_layout(&s, &tree, &arena);
    *local = arena.used;
}

/* Block by block, since logits may be floats with a stride; infinite ones are counted or dropped, and not part of the
 * tree. */
size_t lc_tree_load(lc_tree *tree, loco_count *count, const lc_strided *logits, size_t length)
{
    double block[256];
    size_t certain = 0, frames = 0;
    lc_arena arena = lc_arena_over(&count->shared);
    double *z = lc_arena_take(&arena, 0, sizeof *z); /* where layout will put tree->z */
    for (size_t begin = 0; begin < length; begin += 256) {
        size_t n = length - begin < 256 ? length - begin : 256;
        lc_strided_read(logits, begin, n, block, 1);
        for (size_t i = 0; i < n; i++) {
            certain += block[i] == INFINITY;
            if (isfinite(block[i]))
                z[frames++] = block[i];
        }
    }
    *tree = (lc_tree){.count = count, .frames = frames};
    layout(tree, &arena);
    return certain;
}

/* An upper limit that cannot bind becomes LOCO_NO_LIMIT, which is what loco_count_sample looks for. */
bool lc_label_reduce(loco_label *label, size_t certain, size_t frames)
{
    if (label->hi < certain)
        return false;
    label->lo = label->lo > certain ? label->lo - certain : 0;
    label->hi = label->hi == LOCO_NO_LIMIT || label->hi - certain >= frames ? LOCO_NO_LIMIT : label->hi - certain;
    return label->lo <= frames;
}

static scratch scratch_of(const lc_tree *tree, unsigned worker)
{
    scratch s;
    lc_arena arena = lc_arena_over(&tree->count->local[worker]);
    scratch_layout(&s, tree, &arena);
    return s;
}

/* A task writes its own part and reads only what an earlier run finished, so which thread takes it changes no bit. */
void lc_tree_run(const lc_tree *tree, size_t tasks, lc_task *run, void *context)
{
    if (tree->frames >= LONG) {
        lc_pool_run(tree->count->pool, tasks, run, context);
        return;
    }
    for (size_t task = 0; task < tasks; task++)
        run(context, task, 0);
}

/* Copies the n coefficients of from, step apart, without their negligible ends. */
static void node_set(lc_node *node, double *coef, size_t capacity, const double *from, size_t n, size_t step)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = from[i * step] > largest ? from[i * step] : largest;
    size_t begin = 0, end = n;
    while (begin + 1 < end && from[begin * step] < cut * largest)
        begin++;
    while (begin + 1 < end && from[(end - 1) * step] < cut * largest)
        end--;
    if (end - begin > capacity)
        end = begin + capacity; /* cannot happen, see capacity(s) above; memory stays safe if it did */
    for (size_t i = begin; i < end; i++)
        coef[i - begin] = from[i * step];
    node->coef = coef;
    node->begin += begin;
    node->len = end - begin;
}

/* Leaves first..first + lanes - 1. */
static void leaves_up(void *context, size_t task, unsigned worker)
{
    lc_tree *tree = context;
    const lc_count_kernels *k = tree->count->kernels;
    scratch s = scratch_of(tree, worker);
    size_t first = task * k->lanes, begin = first * LC_LEAF, left = tree->frames - begin;
    size_t n = left < k->lanes * LC_LEAF ? left : k->lanes * LC_LEAF;
    size_t bins = k->leaf_up(s.bins, tree->z + begin, n, tree->tilt, s.leaf);
    for (size_t l = 0; l < k->lanes && first + l < tree->nodes_len[0]; l++) {
        size_t leaf = first + l;
        tree->nodes[0][leaf] = (lc_node){0};
        node_set(&tree->nodes[0][leaf], tree->coef[0] + leaf * tree->capacity[0], tree->capacity[0], s.bins + l, bins,
                 k->lanes);
    }
}

/* node = a * b by correlating the shorter one, reversed, with the longer. */
static void node_multiply(const lc_tree *tree, lc_node *node, double *coef, size_t capacity, const lc_node *a,
                          const lc_node *b, const scratch *s)
{
    if (a->len > b->len) {
        const lc_node *swap = a;
        a = b;
        b = swap;
    }
    size_t n = a->len + b->len - 1;
    for (size_t i = 0; i < a->len; i++)
        s->w[i] = a->coef[a->len - 1 - i];
    memset(s->x, 0, (2 * a->len + b->len + LC_PAD) * sizeof *s->x);
    memcpy(s->x + a->len - 1, b->coef, b->len * sizeof *s->x);
    lc_padded x = {s->x, a->len - 1, a->len - 1 + b->len};
    tree->count->kernels->correlate(s->out, n, s->w, a->len, &x);
    *node = (lc_node){.begin = a->begin + b->begin};
    node_set(node, coef, capacity, s->out, n, 1);
}

/* Nodes of a level that make one task: few enough to share out, enough to pay for taking a task. */
static size_t nodes_per_task(unsigned level)
{
    return level < 6 ? (size_t)64 >> level : 1;
}

static void nodes_up(void *context, size_t task, unsigned worker)
{
    lc_tree *tree = context;
    unsigned level = tree->at;
    scratch s = scratch_of(tree, worker);
    size_t capacity = tree->capacity[level], begin = task * nodes_per_task(level), end = begin + nodes_per_task(level);
    for (size_t i = begin; i < end && i < tree->nodes_len[level]; i++) {
        const lc_node *a = &tree->nodes[level - 1][2 * i];
        lc_node *node = &tree->nodes[level][i];
        if (2 * i + 1 < tree->nodes_len[level - 1])
            node_multiply(tree, node, tree->coef[level] + i * capacity, capacity, a, a + 1, &s);
        else
            *node = *a;
    }
}

const lc_node *lc_tree_up(lc_tree *tree)
{
    lc_tree_run(tree, ceil_div(tree->nodes_len[0], tree->count->kernels->lanes), leaves_up, tree);
    for (tree->at = 1; tree->at < tree->levels; tree->at++)
        lc_tree_run(tree, ceil_div(tree->nodes_len[tree->at], nodes_per_task(tree->at)), nodes_up, tree);
    lc_node *root = &tree->nodes[tree->levels - 1][0];
    root->adj = tree->adj[(tree->levels - 1) % 2];
    return root;
}

/*   -log P(k) = k S + gap - log P_tilted(k), S the whole shift, gap = rest - events S (lc_tilt_gap)
 *   Weights exp(-S (k - ref)), with ref the end of the label that the tilt came to, not the one that the sign of S
 *   suggests: saturated frames can make it the other, and all weights of a wide label 0.
 *   loss = (ref - events) S + rest - log sum_k weight_k P_tilted(k)
 *   All of P_tilted sums up to 1 but for the rounding of p and q in each frame, which adds up when frames are alike:
 *   to 1e-10 in 720,000 of them. Dividing by the sum undoes it.
 *   Where logits sum up to more than a double holds, two infinities may meet: the loss is then infinity, not NaN. */
double lc_tree_label(lc_tree *tree, loco_label label, double reach)
{
    double ref = (double)lc_tilt_find(tree, label.lo, label.hi, reach);
    lc_tilt_gap gap = lc_tilt_total_gap(tree);
    double shift = tree->tilt.base + tree->tilt.shift, total = 0, all = 0;
    const lc_node *root = lc_tree_up(tree);
    for (size_t i = 0; i < root->len; i++) {
        size_t k = root->begin + i;
        root->adj[i] = k < label.lo || k > label.hi ? 0 : shift == 0 ? 1 : exp(-shift * ((double)k - ref));
        total += root->adj[i] * root->coef[i];
        all += root->coef[i];
    }
    for (size_t i = 0; i < root->len; i++)
        root->adj[i] /= total;
    double loss = (ref - gap.events) * shift + gap.rest - log(total / all);
    return isnan(loss) ? INFINITY : fmax(0, loss);
}

/* The derivatives of the two children, each from the parent's and the sibling's coefficients. */
static void node_derive(const lc_tree *tree, const lc_node *node, lc_node *a, lc_node *b, const scratch *s)
{
    size_t front = node->begin - a->begin - b->begin;
    memset(s->x, 0, (a->len + b->len + LC_PAD) * sizeof *s->x);
    memcpy(s->x + front, node->adj, node->len * sizeof *s->x);
    lc_padded x = {s->x, front, front + node->len};
    tree->count->kernels->correlate(a->adj, a->len, b->coef, b->len, &x);
    tree->count->kernels->correlate(b->adj, b->len, a->coef, a->len, &x);
}

static void nodes_down(void *context, size_t task, unsigned worker)
{
    lc_tree *tree = context;
    unsigned level = tree->at;
    scratch s = scratch_of(tree, worker);
    size_t capacity = tree->capacity[level - 1], begin = task * nodes_per_task(level),
           end = begin + nodes_per_task(level);
    for (size_t i = begin; i < end && i < tree->nodes_len[level]; i++) {
        const lc_node *node = &tree->nodes[level][i];
        lc_node *a = &tree->nodes[level - 1][2 * i];
        a->adj = tree->adj[(level - 1) % 2] + 2 * i * capacity;
        if (2 * i + 1 < tree->nodes_len[level - 1]) {
            a[1].adj = a->adj + capacity;
            node_derive(tree, node, a, a + 1, &s);
        } else {
            memcpy(a->adj, node->adj, node->len * sizeof *a->adj);
        }
    }
}

/* adj of `lanes` leaves side by side, (bins + 1, lanes), 0 where a leaf has dropped a bin; z becomes the posterior. */
static void leaves_down(void *context, size_t task, unsigned worker)
{
    lc_tree *tree = context;
    const lc_count_kernels *k = tree->count->kernels;
    scratch s = scratch_of(tree, worker);
    size_t first = task * k->lanes, begin = first * LC_LEAF, left = tree->frames - begin, bins = 0;
    size_t n = left < k->lanes * LC_LEAF ? left : k->lanes * LC_LEAF;
    size_t leaves = ceil_div(n, LC_LEAF);
    const lc_node *leaf = &tree->nodes[0][first];
    for (size_t l = 0; l < leaves; l++)
        bins = leaf[l].begin + leaf[l].len > bins ? leaf[l].begin + leaf[l].len : bins;
    memset(s.bins, 0, (bins + 1) * k->lanes * sizeof *s.bins);
    for (size_t l = 0; l < leaves; l++)
        for (size_t i = 0; i < leaf[l].len; i++)
            s.bins[(leaf[l].begin + i) * k->lanes + l] = leaf[l].adj[i];
    k->leaf_down(tree->z + begin, n, tree->tilt, s.bins, bins, s.leaf);
}

/* From the root to the leaves; each level reads the derivatives of the one above. */
void lc_tree_down(lc_tree *tree)
{
    for (tree->at = tree->levels - 1; tree->at > 0; tree->at--)
        lc_tree_run(tree, ceil_div(tree->nodes_len[tree->at], nodes_per_task(tree->at)), nodes_down, tree);
    if (tree->frames > 0)
        lc_tree_run(tree, ceil_div(tree->nodes_len[0], tree->count->kernels->lanes), leaves_down, tree);
}
