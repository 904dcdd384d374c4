/* SPDX-License-Identifier: MIT
 * store.h - what a reader keeps: memory that is taken piece by piece and freed at once, arrays that grow, and names
 *   without repetition. */
#ifndef LC_BASE_STORE_H
#define LC_BASE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero at first. What was taken stays where it is until all is freed. */
typedef struct lc_store {
    struct lc_store_piece *last;
    size_t used, size; /* bytes of the last piece */
} lc_store;

/* Room for count elements of size bytes, aligned for any type, not set to anything; NULL without memory. A count of 0
 * gives a pointer, too. */
void *lc_store_take(lc_store *store, size_t count, size_t size);

/* A copy of length bytes with a 0 behind them. */
char *lc_store_string(lc_store *store, const char *text, size_t length);

void lc_store_free(lc_store *store);

/* Gives array room for at least need elements, doubling, and updates *capacity. Returns where it is now, or NULL
 * without memory, and then array is as it was. The caller frees it. */
void *lc_list_grow(void *array, size_t *capacity, size_t need, size_t size);

/* An ordered set of strings with fast search. Zero at first; the strings lie in the store given to lc_names_add, the
 * rest is freed by lc_names_free. */
typedef struct lc_names {
    const char **items;
    size_t len, capacity;
    uint32_t *slots; /* index + 1, 0 where empty; a power of two of them */
    size_t slots_len;
} lc_names;

#define LC_NAMES_NONE SIZE_MAX
#define LC_NAMES_MOST ((size_t)1 << 30)

size_t lc_names_find(const lc_names *names, const char *text, size_t length); /* LC_NAMES_NONE when not there */

/* The index of the text, which is added when it is new. LC_NAMES_NONE without memory. */
size_t lc_names_add(lc_names *names, lc_store *store, const char *text, size_t length);
void lc_names_free(lc_names *names);

#endif
