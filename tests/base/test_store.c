/* SPDX-License-Identifier: MIT
 * test_store.c - what readers keep: pieces that stay where they are, arrays that grow, names without repetition. */
#include "check.h"

#include "base/rng.h"
#include "base/store.h"

#include <stdlib.h>
#include <string.h>

static void impossible_sizes_are_refused(void)
{
    lc_store store = {0};
    size_t capacity = 0;
    CHECK(lc_store_take(&store, SIZE_MAX, 2) == NULL);
    CHECK(lc_store_take(&store, SIZE_MAX - 3, 1) == NULL);
    CHECK(lc_store_string(&store, "", SIZE_MAX) == NULL);
    CHECK(lc_list_grow(NULL, &capacity, SIZE_MAX / 2, 4) == NULL);
    CHECK_EQ(capacity, 0);
    lc_store_free(&store);
}

/* Pieces of all sizes, each filled with its own byte, are all intact in the end. */
static void pieces_do_not_overlap(void)
{
    enum { PIECES = 3000 };
    static unsigned char *taken[PIECES];
    static size_t sizes[PIECES];
    lc_store store = {0};
    lc_rng rng = lc_rng_seed(1);
    for (size_t i = 0; i < PIECES; i++) {
        size_t most = i % 10 == 0 ? 40000 : 300;
        sizes[i] = (size_t)(lc_rng_uniform(&rng) * (double)most);
        taken[i] = lc_store_take(&store, sizes[i], 1);
        CHECK(taken[i] != NULL && (uintptr_t)taken[i] % _Alignof(max_align_t) == 0);
        memset(taken[i], (int)(i % 251), sizes[i]);
    }
    size_t wrong = 0;
    for (size_t i = 0; i < PIECES; i++)
        for (size_t j = 0; j < sizes[i]; j++)
            wrong += taken[i][j] != i % 251;
    CHECK_EQ(wrong, 0);
    lc_store_free(&store);
    CHECK(store.last == NULL);
    lc_store_free(&store);
}

static void large_first_then_small(void)
{
    lc_store store = {0};
    char *large = lc_store_take(&store, 100000, 1), *small = lc_store_string(&store, "small\0!", 7);
    CHECK(large != NULL && small != NULL && memcmp(small, "small\0!", 8) == 0);
    memset(large, 'x', 100000);
    CHECK(lc_store_take(&store, 0, 8) != NULL);
    CHECK_STR(small, "small");
    lc_store_free(&store);
}

static void lists_grow(void)
{
    size_t capacity = 0, *list = NULL;
    for (size_t i = 0; i < 1000; i++) {
        list = lc_list_grow(list, &capacity, i + 1, sizeof *list);
        CHECK(list != NULL && capacity > i);
        list[i] = i * i;
    }
    size_t wrong = 0;
    for (size_t i = 0; i < 1000; i++)
        wrong += list[i] != i * i;
    CHECK_EQ(wrong, 0);
    free(list);
}

static void names_are_numbered_in_order(void)
{
    lc_names names = {0};
    lc_store store = {0};
    CHECK_EQ(lc_names_find(&names, "a", 1), LC_NAMES_NONE);
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < 5000; i++) {
            char name[16];
            size_t length = (size_t)snprintf(name, sizeof name, "%zu", i * 7919);
            CHECK_EQ(lc_names_add(&names, &store, name, length), i);
        }
    CHECK_EQ(names.len, 5000);
    CHECK_EQ(lc_names_find(&names, "7919 and more", 4), 1);
    CHECK_EQ(lc_names_find(&names, "7919", 3), LC_NAMES_NONE);
    CHECK_EQ(lc_names_add(&names, &store, "", 0), 5000);
    CHECK_EQ(lc_names_find(&names, "", 0), 5000);
    CHECK_STR(names.items[3], "23757");
    lc_names_free(&names);
    lc_store_free(&store);
}

int main(void)
{
    RUN(impossible_sizes_are_refused);
    RUN(pieces_do_not_overlap);
    RUN(large_first_then_small);
    RUN(lists_grow);
    RUN(names_are_numbered_in_order);
    return check_done();
}
