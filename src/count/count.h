/* SPDX-License-Identifier: MIT
 * count.h - the handle behind the public functions, and one sequence as they all see it. */
#ifndef LC_COUNT_COUNT_H
#define LC_COUNT_COUNT_H

#include "base/mem.h"
#include "base/pool.h"
#include "count/kernels.h"
#include "count/strided.h"

struct loco_count {
    const lc_count_kernels *kernels;
    lc_pool *pool;
    lc_block items;  /* a batch's sequences */
    lc_block shared; /* a tree, seen by all threads */
    lc_block *local; /* one block a thread */
};

typedef struct lc_seq {
    lc_strided logits, grad, posterior;
    size_t length;
    loco_label label;
    double reach; /* largest |logit| */
    double loss;
} lc_seq;

#define LC_ONLY SIZE_MAX /* the index of a sequence that is not part of a batch */

/* Refuses a null array, a NaN, and a label that no count of length frames can meet; sets seq->reach. kernels: NULL
 * where there is no handle. */
loco_status lc_seq_check(lc_seq *seq, const lc_count_kernels *kernels, size_t index, loco_err *err);

/* The same for functions without a label, on plain doubles. */
loco_status lc_logits_check(const double *logits, size_t length, loco_err *err);

/* Reserves all that loco_count_batch can need for up to so many items of one length, up to so many frames: such calls
 * then allocate nothing. */
loco_status lc_count_prepare(loco_count *count, size_t frames, size_t items, loco_err *err);

loco_status lc_count_reserve(loco_count *count, size_t shared, size_t local, loco_err *err);

#endif
