/* SPDX-License-Identifier: MIT
 * mem.h - checked sizes, blocks that grow and are kept, and laying out many arrays in one block.
 *
 * A layout function takes its arrays from an arena and runs twice: first on an arena without memory, which only
 * measures, then on one over a block of that size, which hands out.
 *
 *     static void layout(job *j, lc_arena *a) { j->x = lc_arena_take(a, j->T, sizeof *j->x); ... }
 *
 *     lc_arena a = {0};
 *     layout(&j, &a);
 *     if (!lc_block_reserve(&block, a.used)) return out of memory;
 *     a = lc_arena_over(&block);
 *     layout(&j, &a);
 */
#ifndef LC_BASE_MEM_H
#define LC_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>

#define LC_ALIGN 64 /* a cache line, and the widest vector register */

/* a * b, or false when it does not fit. */
bool lc_size_mul(size_t a, size_t b, size_t *product);

/* A block aligned to LC_ALIGN that is reused from call to call. */
typedef struct lc_block {
    void *data;
    size_t size;
    void *memory; /* what data lies in */
} lc_block;

/* Makes the block at least size bytes long; what it held is lost when it has to grow. False when out of memory. */
bool lc_block_reserve(lc_block *block, size_t size);

/* A new block of zeros in place of what there is; room that is never written costs nothing but addresses. False when
 * out of memory: what there was is lost, or stays where the size cannot be. */
bool lc_block_zeros(lc_block *block, size_t size);
void lc_block_free(lc_block *block);

typedef struct lc_arena {
    unsigned char *base; /* NULL: only measure */
    size_t used;         /* SIZE_MAX: the sum did not fit */
} lc_arena;

lc_arena lc_arena_over(const lc_block *block);

/* Room for count elements of size bytes, aligned to LC_ALIGN; NULL while measuring. */
void *lc_arena_take(lc_arena *arena, size_t count, size_t size);

#endif
