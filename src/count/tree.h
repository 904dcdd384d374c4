/* SPDX-License-Identifier: MIT
 * tree.h - the count distribution of a long sequence as a tree of products, see tree.c. */
#ifndef LC_COUNT_TREE_H
#define LC_COUNT_TREE_H

#include "count/count.h"

/* 2^57 leaves of 64 frames: 2^63 frames, more than memory can hold. */
enum { LC_TREE_LEVELS = 58 };

/* The count distribution of a part of the frames: P(count = begin + i) = coef[i], negligible ends left out. */
typedef struct lc_node {
    double *coef, *adj; /* adj[i] = d log Z / d coef[i] */
    size_t begin, len;
} lc_node;

typedef struct lc_tree {
    loco_count *count;
    size_t frames;
    double *z; /* frames: logits; posteriors after lc_tree_down */
    lc_tilt tilt;
    unsigned levels; /* level 0 holds the leaves, level levels - 1 the root */
    size_t nodes_len[LC_TREE_LEVELS], capacity[LC_TREE_LEVELS];
    lc_node *nodes[LC_TREE_LEVELS];
    double *coef[LC_TREE_LEVELS];
    double *adj[2];        /* of even and odd levels */
    lc_tilt_sums *partial; /* of blocks of LC_TILT_BLOCK frames */
    unsigned at;           /* the level that is being worked on */
} lc_tree;

enum { LC_TILT_BLOCK = 4096 };

/* Bytes that a tree of so many frames needs, in all and for each thread. */
void lc_tree_measure(loco_count *count, size_t frames, size_t *shared, size_t *local);

/* Lays out a tree for the finite logits among length, in memory that was reserved for length frames; tree->z holds
 * them. Returns the number of certain events (logit +infinity). */
size_t lc_tree_load(lc_tree *tree, loco_count *count, const lc_strided *logits, size_t length);

/* What a label says about the other frames when so many events are certain; false when nothing can meet it. */
bool lc_label_reduce(loco_label *label, size_t certain, size_t frames);

/* Tilts, builds, sets the root's adj to weight / Z of the label's counts, and returns -log P(label). The label must
 * not be the whole range, 0 or all frames. */
double lc_tree_label(lc_tree *tree, loco_label label, double reach);

/* The distribution of the count of the tilted frames, at the root. */
const lc_node *lc_tree_up(lc_tree *tree);

/* The distribution of the count of plain logits: checks memory, loads and builds; root is a copy of the root whose
 * begin includes the certain events. */
loco_status lc_tree_distribution(lc_tree *tree, loco_count *count, const double *logits, size_t length, lc_node *root,
                                 loco_err *err);

/* With the root's adj set: turns z into posteriors. */
void lc_tree_down(lc_tree *tree);

/* Finds the tilt that brings the expected count into lo..hi by the smallest shift, to within a fraction of its
 * standard deviation; 0 < hi, lo < frames, all logits finite. Returns the end that it came to, or lo without a tilt. */
size_t lc_tilt_find(lc_tree *tree, size_t lo, size_t hi, double reach);

lc_tilt_gap lc_tilt_total_gap(const lc_tree *tree);

/* Runs tasks on the threads when the tree is long enough to pay for waking them. */
void lc_tree_run(const lc_tree *tree, size_t tasks, lc_task *run, void *context);

#endif
