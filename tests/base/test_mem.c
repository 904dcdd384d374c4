/* SPDX-License-Identifier: MIT
 * test_mem.c - checked sizes, blocks that grow, and laying out many arrays in one block. */
#include "cases.h"

#include "base/mem.h"

static bool aligned(const void *at)
{
    return (uintptr_t)at % LC_ALIGN == 0;
}

static void products_are_checked(void)
{
    size_t half = (size_t)1 << (4 * sizeof(size_t)), product = 7;
    CHECK(!lc_size_mul(half, half, &product));
    CHECK(!lc_size_mul(SIZE_MAX, 2, &product));
    CHECK(!lc_size_mul(2, SIZE_MAX / 2 + 1, &product));
    CHECK_EQ(product, 7);
    CHECK(lc_size_mul(half, half - 1, &product));
    CHECK_EQ(product, half * (half - 1));
    CHECK(lc_size_mul(SIZE_MAX, 1, &product));
    CHECK_EQ(product, SIZE_MAX);
    CHECK(lc_size_mul(0, SIZE_MAX, &product));
    CHECK_EQ(product, 0);
    CHECK(lc_size_mul(SIZE_MAX, 0, &product));
    CHECK_EQ(product, 0);
}

static void blocks_grow_and_are_kept(void)
{
    lc_block block = {0};
    CHECK(lc_block_reserve(&block, 0));
    CHECK(block.data == NULL && block.size == 0);
    CHECK(lc_block_reserve(&block, 1));
    CHECK(aligned(block.data));
    CHECK(block.size >= 1 && block.size % LC_ALIGN == 0);
    memset(block.data, 1, block.size);
    const void *before = block.data;
    CHECK(lc_block_reserve(&block, block.size));
    CHECK(block.data == before);
    CHECK(lc_block_reserve(&block, 100000));
    CHECK(block.size >= 100000 && aligned(block.data));
    memset(block.data, 2, block.size);
    size_t size = block.size;
    CHECK(lc_block_reserve(&block, 5));
    CHECK_EQ(block.size, size);
    lc_block_free(&block);
    CHECK(block.data == NULL && block.size == 0);
    lc_block_free(&block); /* twice does no harm */
}

static void zeros_are_zeros(void)
{
    static const size_t sizes[] = {0, 1, 100, 4000000};
    lc_block block = {0};
    CHECK(lc_block_reserve(&block, 300));
    memset(block.data, 1, block.size);
    for (size_t i = 0; i < 4; i++) {
        CHECK(lc_block_zeros(&block, sizes[i]));
        CHECK(aligned(block.data) && block.size >= sizes[i] && block.size % LC_ALIGN == 0);
        const unsigned char *bytes = block.data;
        size_t sum = 0;
        for (size_t b = 0; b < block.size; b++)
            sum += bytes[b];
        CHECK_EQ(sum, 0);
        memset(block.data, 1, block.size); /* to the last byte, and the next ones are zeros again */
    }
    CHECK(!lc_block_zeros(&block, SIZE_MAX));
    CHECK(!lc_block_zeros(&block, SIZE_MAX - LC_ALIGN));
    CHECK(block.size >= 4000000);
    lc_block_free(&block);
    CHECK(block.data == NULL && block.memory == NULL && block.size == 0);
}

static void what_does_not_fit_is_refused(void)
{
    lc_block block = {0};
    CHECK(lc_block_reserve(&block, 100));
    CHECK(!lc_block_reserve(&block, SIZE_MAX));
    CHECK(!lc_block_reserve(&block, SIZE_MAX - LC_ALIGN + 1));
    CHECK(block.size >= 100 && block.data != NULL); /* sizes that cannot be are refused before anything is lost */
    CHECK(!lc_block_reserve(&block, SIZE_MAX / 2));
    CHECK(block.size == 0 && block.data == NULL);
    CHECK(lc_block_reserve(&block, 100));
    memset(block.data, 3, 100);
    lc_block_free(&block);
}

typedef struct arrays {
    double *x;
    char *c, *none;
    float *y;
} arrays;

static void layout(arrays *a, lc_arena *arena)
{
    a->x = lc_arena_take(arena, 7, sizeof *a->x);
    a->c = lc_arena_take(arena, 65, sizeof *a->c);
    a->none = lc_arena_take(arena, 0, sizeof *a->none);
    a->y = lc_arena_take(arena, 3, sizeof *a->y);
}

static void measuring_and_handing_out_agree(void)
{
    arrays a;
    lc_block block = {0};
    lc_arena arena = {0};
    layout(&a, &arena);
    CHECK(a.x == NULL && a.c == NULL && a.y == NULL);
    CHECK_EQ(arena.used, 64 + 128 + 0 + 64);
    CHECK(lc_block_reserve(&block, arena.used));
    size_t measured = arena.used;
    arena = lc_arena_over(&block);
    layout(&a, &arena);
    CHECK_EQ(arena.used, measured);
    CHECK(aligned(a.x) && aligned(a.c) && aligned(a.y));
    CHECK((char *)a.x == (char *)block.data);
    CHECK(a.c == (char *)block.data + 64);
    CHECK((char *)a.y == (char *)block.data + 192);
    memset(a.x, 1, 7 * sizeof *a.x);
    memset(a.c, 2, 65);
    memset(a.y, 3, 3 * sizeof *a.y);
    CHECK(a.c[0] == 2 && a.c[64] == 2);
    lc_block_free(&block);
}

static void an_overflow_sticks(void)
{
    lc_arena product = {0}, sum = {0};
    lc_arena_take(&product, SIZE_MAX / 2, 3);
    CHECK_EQ(product.used, SIZE_MAX);
    CHECK(lc_arena_take(&product, 1, 1) == NULL);
    CHECK_EQ(product.used, SIZE_MAX);
    lc_arena_take(&sum, SIZE_MAX / 2, 1);
    CHECK(sum.used < SIZE_MAX);
    lc_arena_take(&sum, SIZE_MAX / 2, 1);
    CHECK_EQ(sum.used, SIZE_MAX);
    lc_block block = {0};
    CHECK(!lc_block_reserve(&block, sum.used));
}

int main(void)
{
    RUN(products_are_checked);
    RUN(blocks_grow_and_are_kept);
    RUN(zeros_are_zeros);
    RUN(what_does_not_fit_is_refused);
    RUN(measuring_and_handing_out_agree);
    RUN(an_overflow_sticks);
    return check_done();
}
