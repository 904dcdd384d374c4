/* SPDX-License-Identifier: MIT
 * loss.c - loss, gradient and posterior of a label, for one sequence or many.
 *
 *   loss = -log P(Y in label),  posterior_t = P(E_t = 1 | Y in label),  dloss/dz_t = p_t - posterior_t
 *
 * Each sequence takes the cheapest of three methods, all exact:
 *   closed  every count, none or all frames: no recursion at all
 *   lanes   short sequences, several in one vector (lanes.c)
 *   tree    everything else: long, or with huge or infinite logits (tree.c)
 * All memory is reserved before the first result is written, so that a failure leaves the outputs untouched. */
#include "base/status.h"
#include "count/lanes.h"
#include "count/tree.h"

#include <math.h>
#include <string.h>

/* BLOCK: two arrays of 4 KiB on the stack. The loss is the sum of its blocks' sums, so that another size would change
 * its last digits. Whether threads are used changes none: each task writes its own sequences only. */
enum {
    BLOCK = 512,
    WORTH_THREADS = 1000000, /* cells, some 0.35 ms of work; a choice, not a measured crossing */
};

/* ---- closed forms ---- */

typedef enum closed_kind { OPEN, ANY, NONE, ALL } closed_kind;

/* ANY: every count meets the label, and the loss is 0. NONE: 0 events. ALL: an event in every frame. */
static closed_kind closed_of(loco_label label, size_t frames)
{
    if (label.lo == 0 && label.hi >= frames)
        return ANY;
    if (label.hi == 0)
        return NONE;
    return label.lo >= frames ? ALL : OPEN;
}

static size_t block_at(const lc_seq *seq, size_t begin)
{
    return seq->length - begin < BLOCK ? seq->length - begin : BLOCK;
}

/* One block of logits becomes its gradient; returns its part of the loss: no event, sum of softplus(z); all events,
 * sum of softplus(-z). */
static double closed_block(const lc_count_kernels *k, closed_kind kind, double *z, double *posterior, size_t n)
{
    for (size_t i = 0; kind == ALL && i < n; i++)
        z[i] = -z[i];
    /* All events: the gradient p - 1 is -sigmoid(-z), without a difference that loses digits where p is near 1. */
    double sum = k->sigmoid(z, z, n);
    for (size_t i = 0; i < n; i++) {
        posterior[i] = kind == ANY ? z[i] : kind == ALL;
        z[i] = kind == ANY ? 0 : kind == ALL ? -z[i] : z[i];
    }
    return kind == ANY ? 0 : sum;
}

/* One sequence in blocks on the stack: no memory of the handle is needed. */
static void run_closed(const lc_count_kernels *k, lc_seq *seq)
{
    double z[BLOCK], posterior[BLOCK], loss = 0;
    closed_kind kind = closed_of(seq->label, seq->length);
    for (size_t begin = 0; begin < seq->length; begin += BLOCK) {
        size_t n = block_at(seq, begin);
        lc_strided_read(&seq->logits, begin, n, z, 1);
        loss += closed_block(k, kind, z, posterior, n);
        lc_strided_write(&seq->grad, begin, n, z, 1);
        lc_strided_write(&seq->posterior, begin, n, posterior, 1);
    }
    seq->loss = loss;
}

/* ---- the tree ---- */

/* The posteriors of the finite frames are in tree->z. The logits are read before the gradient is written, which may be
 * in their place. */
static void write_tree(const lc_count_kernels *k, const lc_tree *tree, const lc_seq *seq)
{
    double grad[BLOCK], posterior[BLOCK];
    const double *next = tree->z;
    for (size_t begin = 0; begin < seq->length; begin += BLOCK) {
        size_t n = block_at(seq, begin);
        lc_strided_read(&seq->logits, begin, n, grad, 1);
        for (size_t i = 0; i < n; i++)
            posterior[i] = isfinite(grad[i]) ? *next++ : grad[i] > 0;
        k->sigmoid(grad, grad, n);
        for (size_t i = 0; i < n; i++)
            grad[i] -= posterior[i];
        lc_strided_write(&seq->grad, begin, n, grad, 1);
        lc_strided_write(&seq->posterior, begin, n, posterior, 1);
    }
}

/* A label that is closed once the certain frames are left out. */
static double tree_closed(lc_tree *tree, closed_kind kind)
{
    double loss = 0, posterior[BLOCK];
    for (size_t begin = 0; begin < tree->frames; begin += BLOCK) {
        size_t n = tree->frames - begin < BLOCK ? tree->frames - begin : BLOCK;
        loss += closed_block(tree->count->kernels, kind, tree->z + begin, posterior, n);
        memcpy(tree->z + begin, posterior, n * sizeof *posterior);
    }
    return loss;
}

/* Certain frames (infinite logits) are left out first; a label that they contradict has loss infinity and gradient 0.
 */
static void run_tree(loco_count *count, lc_seq *seq)
{
    loco_label label = seq->label;
    lc_tree tree;
    size_t certain = lc_tree_load(&tree, count, &seq->logits, seq->length);
    bool possible = lc_label_reduce(&label, certain, tree.frames);
    closed_kind kind = possible ? closed_of(label, tree.frames) : ANY;
    if (kind == OPEN) {
        seq->loss = lc_tree_label(&tree, label, seq->reach);
        lc_tree_down(&tree);
    } else {
        seq->loss = tree_closed(&tree, kind);
    }
    if (!possible)
        seq->loss = INFINITY;
    write_tree(count->kernels, &tree, seq);
}

/* ---- all together ---- */

typedef struct loss_job {
    loco_count *count;
    lc_lane_slot *slots; /* groups of `lanes` for the lanes, then one closed form a slot */
    size_t lane_slots, slots_len;
    size_t frames; /* of the longest sequence that may need the tree */
    size_t cells;  /* a measure of the work in the slots */
} loss_job;

typedef enum way { CLOSED, LANES, TREE } way;

/* An infinite logit always goes to the tree, which alone takes certain frames out: a closed form would give a label
 * that they contradict a gradient other than 0. */
static way way_of(const lc_seq *seq)
{
    if (isfinite(seq->reach) && closed_of(seq->label, seq->length) != OPEN)
        return CLOSED;
    return lc_lanes_fit(seq) ? LANES : TREE;
}

/* Fills the slots: lanes first, sorted, then closed forms. */
static void sort_slots(loss_job *r, lc_seq *seqs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        way w = way_of(&seqs[i]);
        if (w == LANES) {
            r->slots[r->lane_slots++] = lc_lanes_slot(&seqs[i]);
            r->cells += seqs[i].length *
                        (2 + (seqs[i].label.hi < seqs[i].length ? seqs[i].label.hi : seqs[i].label.lo));
        }
        if (w != CLOSED && seqs[i].length > r->frames)
            r->frames = seqs[i].length;
    }
    lc_lanes_sort(r->slots, r->lane_slots);
    r->slots_len = r->lane_slots;
    for (size_t i = 0; i < n; i++) {
        if (way_of(&seqs[i]) == CLOSED) {
            r->slots[r->slots_len++] = (lc_lane_slot){.seq = &seqs[i]};
            r->cells += 2 * seqs[i].length;
        }
    }
}

/* Groups of lanes; the last one may be short. */
static size_t group_count(const loss_job *r)
{
    size_t lanes = r->count->kernels->lanes;
    return (r->lane_slots + lanes - 1) / lanes;
}

/* The slots of group i, and how many they are. */
static lc_lane_slot *group_at(const loss_job *r, size_t i, size_t *n)
{
    size_t lanes = r->count->kernels->lanes, begin = i * lanes;
    *n = r->lane_slots - begin < lanes ? r->lane_slots - begin : lanes;
    return r->slots + begin;
}

/* Memory for the largest tree and the largest group of lanes. Lanes may give a sequence back, so that every sequence
 * that is not closed counts for the tree. */
static loco_status reserve(loss_job *r, loco_err *err)
{
    size_t shared = 0, local = 0;
    if (r->frames > 0)
        lc_tree_measure(r->count, r->frames, &shared, &local);
    for (size_t i = 0; i < group_count(r); i++) {
        size_t n;
        const lc_lane_slot *group = group_at(r, i, &n);
        size_t bytes = lc_lanes_local(r->count->kernels, group, n);
        local = bytes > local ? bytes : local;
    }
    return lc_count_reserve(r->count, shared, local, err);
}

/* Tasks: groups of lanes first, then closed forms. */
static void run_task(void *context, size_t task, unsigned worker)
{
    loss_job *r = context;
    size_t groups = group_count(r), n;
    if (task < groups) {
        lc_lane_slot *group = group_at(r, task, &n);
        lc_lanes_run(r->count->kernels, group, n, &r->count->local[worker]);
    } else {
        run_closed(r->count->kernels, r->slots[r->lane_slots + task - groups].seq);
    }
}

static void run_all(loss_job *r, lc_seq *seqs, size_t n)
{
    size_t tasks = group_count(r) + r->slots_len - r->lane_slots;
    if (r->cells >= WORTH_THREADS) {
        lc_pool_run(r->count->pool, tasks, run_task, r);
    } else {
        for (size_t task = 0; task < tasks; task++)
            run_task(r, task, 0);
    }
    /* Trees come one after the other, behind all slots: there is memory for one, and it uses all threads itself. */
    for (size_t i = 0; i < r->lane_slots; i++) {
        if (!r->slots[i].done)
            run_tree(r->count, r->slots[i].seq);
    }
    for (size_t i = 0; i < n; i++) {
        if (way_of(&seqs[i]) == TREE)
            run_tree(r->count, &seqs[i]);
    }
}

static loco_status run(loco_count *count, lc_seq *seqs, lc_lane_slot *slots, size_t n, loco_err *err)
{
    loss_job r = {.count = count, .slots = slots};
    sort_slots(&r, seqs, n);
    loco_status status = reserve(&r, err);
    if (status == LOCO_OK)
        run_all(&r, seqs, n);
    return status;
}

loco_status loco_count_loss(double *loss, double *grad, double *posterior, loco_count *count, const double *logits,
                            size_t length, loco_label label, loco_err *err)
{
    if (count == NULL)
        return lc_err_set(err, LOCO_EARG, "the handle must not be NULL; make one with loco_count_new");
    if (loss == NULL)
        return lc_err_set(err, LOCO_EARG, "loss must not be NULL");
    lc_lane_slot slot;
    lc_seq seq = {
        .logits = lc_strided_double(logits),
        .grad = lc_strided_double(grad),
        .posterior = lc_strided_double(posterior),
        .length = length,
        .label = label,
    };
    loco_status status = lc_seq_check(&seq, NULL, LC_ONLY, err);
    if (status == LOCO_OK)
        status = run(count, &seq, &slot, 1, err);
    if (status == LOCO_OK)
        *loss = seq.loss;
    return status;
}

static lc_seq seq_of(const loco_count_item *item)
{
    return (lc_seq){
        .logits = lc_strided_float(item->logits, item->stride),
        .grad = lc_strided_float(item->grad, item->stride),
        .posterior = lc_strided_float(item->posterior, item->stride),
        .length = item->length,
        .label = item->label,
    };
}

/* Memory for the sequences and slots of a batch. */
static loco_status reserve_items(loco_count *count, size_t items, loco_err *err)
{
    lc_arena arena = {0};
    lc_arena_take(&arena, items, sizeof(lc_seq));
    lc_arena_take(&arena, items, sizeof(lc_lane_slot));
    if (!lc_block_reserve(&count->items, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a batch of %zu items", items);
    return LOCO_OK;
}

loco_status lc_count_prepare(loco_count *count, size_t frames, size_t items, loco_err *err)
{
    size_t shared, local, lanes = lc_lanes_local_most(count->kernels, frames);
    lc_tree_measure(count, frames, &shared, &local);
    loco_status status = reserve_items(count, items, err);
    return status == LOCO_OK ? lc_count_reserve(count, shared, local > lanes ? local : lanes, err) : status;
}

loco_status loco_count_batch(loco_count_item *items, size_t items_len, loco_count *count, loco_err *err)
{
    if (count == NULL)
        return lc_err_set(err, LOCO_EARG, "the handle must not be NULL; make one with loco_count_new");
    if (items == NULL && items_len > 0)
        return lc_err_set(err, LOCO_EARG, "items must not be NULL when there are %zu", items_len);
    loco_status status = reserve_items(count, items_len, err);
    if (status != LOCO_OK)
        return status;
    lc_arena arena = lc_arena_over(&count->items);
    lc_seq *seqs = lc_arena_take(&arena, items_len, sizeof(lc_seq));
    lc_lane_slot *slots = lc_arena_take(&arena, items_len, sizeof(lc_lane_slot));
    for (size_t i = 0; status == LOCO_OK && i < items_len; i++) {
        seqs[i] = seq_of(&items[i]);
        status = lc_seq_check(&seqs[i], count->kernels, i, err);
    }
    if (status == LOCO_OK)
        status = run(count, seqs, slots, items_len, err);
    for (size_t i = 0; status == LOCO_OK && i < items_len; i++)
        items[i].loss = seqs[i].loss;
    return status;
}
