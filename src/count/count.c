/* SPDX-License-Identifier: MIT
 * count.c - the handle of the count mathematics, and the checks that every function begins with. */
#include "count/count.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 1024 };

/* Nothing is reserved here: the first call measures what it needs (lc_count_reserve), and later ones of the same size
 * allocate nothing. */
loco_status loco_count_new(loco_count **out, unsigned threads, loco_err *err)
{
    if (out == NULL)
        return lc_err_set(err, LOCO_EARG, "the place for the new handle must not be NULL");
    if (threads < 1 || threads > THREADS_MAX)
        return lc_err_set(err, LOCO_EARG, "%u threads are not possible; use 1 to %d", threads, THREADS_MAX);
    lc_isa isa;
    loco_status status = lc_isa_choose(&isa, err);
    if (status != LOCO_OK)
        return status;
    loco_count *count = calloc(1, sizeof *count);
    lc_block *local = calloc(threads, sizeof *local);
    if (count == NULL || local == NULL) {
        free(count);
        free(local);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a new handle");
    }
    *count = (loco_count){.kernels = lc_count_kernels_of(isa), .local = local};
    status = lc_pool_new(&count->pool, threads, err);
    if (status != LOCO_OK) {
        free(local);
        free(count);
        return status;
    }
    *out = count;
    return LOCO_OK;
}

void loco_count_free(loco_count *count)
{
    if (count == NULL)
        return;
    for (unsigned i = 0; i < lc_pool_threads(count->pool); i++)
        lc_block_free(&count->local[i]);
    lc_block_free(&count->shared);
    lc_block_free(&count->items);
    lc_pool_free(count->pool);
    free(count->local);
    free(count);
}

/* Bytes that the handle holds: blocks of a batch, of the tree, and of each thread. */
size_t loco_count_memory(const loco_count *count)
{
    if (count == NULL)
        return 0;
    size_t bytes = count->items.size + count->shared.size;
    for (unsigned i = 0; i < lc_pool_threads(count->pool); i++)
        bytes += count->local[i].size;
    return bytes;
}

/* Blocks only grow; their content is lost when they do. */
loco_status lc_count_reserve(loco_count *count, size_t shared, size_t local, loco_err *err)
{
    bool good = lc_block_reserve(&count->shared, shared);
    for (unsigned i = 0; good && i < lc_pool_threads(count->pool); i++)
        good = lc_block_reserve(&count->local[i], local);
    if (!good)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory: %zu bytes and %zu for each thread are needed", shared,
                          local);
    return LOCO_OK;
}

/* The message for an invalid sequence; nan_at is its first NaN. */
static loco_status seq_refuse(const lc_seq *seq, size_t index, size_t nan_at, loco_err *err)
{
    char label[64], where[32] = "";
    loco_label_format(label, sizeof label, seq->label);
    if (index != LC_ONLY)
        snprintf(where, sizeof where, "item %zu: ", index);
    if (seq->logits.data == NULL && seq->length > 0)
        return lc_err_set(err, LOCO_EARG, "%slogits must not be NULL when length is %zu", where, seq->length);
    if (seq->logits.stride == 0 && seq->length > 1)
        return lc_err_set(err, LOCO_EARG, "%sstride is 0; use 1 for a plain array", where);
    if (seq->label.lo > seq->label.hi)
        return lc_err_set(err, LOCO_EDATA, "%slabel %s is an empty range; the smaller count comes first", where, label);
    if (seq->label.lo > seq->length)
        return lc_err_set(err, LOCO_EDATA, "%slabel %s needs more events than the %zu frames can hold", where, label,
                          seq->length);
    return lc_err_set(err, LOCO_EDATA, "%slogit %zu is NaN; logits must be numbers (infinite ones are allowed)", where,
                      nan_at);
}

/* The largest |logit|; *nan_at becomes the first NaN, or length. Plain floats are a training batch, and worth a
 * kernel. */
static double seq_reach(const lc_seq *seq, const lc_count_kernels *kernels, size_t *nan_at)
{
    const lc_strided *logits = &seq->logits;
    if (kernels != NULL && logits->single && logits->stride == 1) {
        float reach = kernels->reach(logits->data, seq->length);
        *nan_at = seq->length;
        if (!isnan(reach))
            return (double)reach;
    }
    return lc_strided_reach(logits, seq->length, nan_at);
}

/* A NaN has to stop here: lc_tree_load would leave it out like -infinity, and the loss would look sound. */
loco_status lc_seq_check(lc_seq *seq, const lc_count_kernels *kernels, size_t index, loco_err *err)
{
    size_t nan_at = 0;
    bool readable = seq->length == 0 || (seq->logits.data != NULL && (seq->logits.stride > 0 || seq->length == 1));
    if (readable && seq->label.lo <= seq->label.hi && seq->label.lo <= seq->length) {
        seq->reach = seq_reach(seq, kernels, &nan_at);
        if (nan_at == seq->length)
            return LOCO_OK;
    }
    return seq_refuse(seq, index, nan_at, err);
}

/* With the label `?`, which every count meets: only the logits are checked. */
loco_status lc_logits_check(const double *logits, size_t length, loco_err *err)
{
    lc_seq seq = {.logits = lc_strided_double(logits), .length = length, .label = loco_label_unknown()};
    return lc_seq_check(&seq, NULL, LC_ONLY, err);
}
