/* SPDX-License-Identifier: MIT
 *
 * store.c - what a reader keeps: memory that is freed at once, arrays that grow, names without repetition.
 *
 * The store is a chain of pieces. Small requests share pieces of PIECE bytes; one of more than a quarter of that gets a
 * piece of its own, put behind the current one so that the rest of that is not lost.
 *
 * The names are an array in order of addition plus an open hash table of indices into it, at most half full. A search
 * by comparing with each would make a list of 50,000 files and a million events quadratic.
 */
#include "base/store.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 32768, FIRST_SLOTS = 64, FIRST_CAPACITY = 16 };

typedef struct lc_store_piece {
    struct lc_store_piece *before;
    max_align_t data[];
} store_piece;

/* With room for so many bytes; NULL without memory. */
static store_piece *new_piece(size_t bytes)
{
    return bytes > SIZE_MAX - sizeof(store_piece) ? NULL : malloc(sizeof(store_piece) + bytes);
}

/* A piece of its own. */
static void *take_large(lc_store *store, size_t bytes)
{
    store_piece *made = new_piece(bytes);
    if (made == NULL)
        return NULL;
    if (store->last == NULL) {
        made->before = NULL;
        *store = (lc_store){.last = made}; /* no room left in it: size 0 */
    } else {
        made->before = store->last->before;
        store->last->before = made;
    }
    return made->data;
}

/* From the last piece where it fits, else from a new one; the rest of the old piece is lost, at most a quarter of it.
 */
void *lc_store_take(lc_store *store, size_t count, size_t size)
{
    size_t bytes, unit = _Alignof(max_align_t);
    if (!lc_size_mul(count, size, &bytes) || bytes > SIZE_MAX - unit)
        return NULL;
    bytes = (bytes + unit - 1) / unit * unit;
    if (bytes > PIECE / 4)
        return take_large(store, bytes);
    if (store->last == NULL || bytes > store->size - store->used) {
        store_piece *made = new_piece(PIECE);
        if (made == NULL)
            return NULL;
        made->before = store->last;
        *store = (lc_store){.last = made, .size = PIECE};
    }
    void *taken = (char *)store->last->data + store->used;
    store->used += bytes;
    return taken;
}

char *lc_store_string(lc_store *store, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? lc_store_take(store, length + 1, 1) : NULL;
    if (copy == NULL)
        return NULL;
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void lc_store_free(lc_store *store)
{
    while (store->last != NULL) {
        store_piece *gone = store->last;
        store->last = gone->before;
        free(gone);
    }
    *store = (lc_store){0};
}

/* Doubling: n appends copy less than 2 n elements in all. */
void *lc_list_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (array != NULL && need <= *capacity)
        return array;
    size_t room = *capacity > SIZE_MAX / 2 ? need : 2 * *capacity, bytes;
    room = room < need ? need : room;
    room = room < FIRST_CAPACITY ? FIRST_CAPACITY : room;
    void *grown = lc_size_mul(room, size, &bytes) ? realloc(array, bytes) : NULL;
    if (grown != NULL)
        *capacity = room;
    return grown;
}

/* FNV-1a, 64 bits. */
static size_t hash(const char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return (size_t)(h ^ h >> 32);
}

/* item is the text, which need not end with 0. */
static bool same(const char *item, const char *text, size_t length)
{
    return strncmp(item, text, length) == 0 && item[length] == '\0';
}

/* The slot that holds the text, or the empty one where it belongs. The table is never full. */
static size_t slot_of(const lc_names *names, const char *text, size_t length)
{
    size_t mask = names->slots_len - 1, slot = hash(text, length) & mask;
    while (names->slots[slot] != 0 && !same(names->items[names->slots[slot] - 1], text, length))
        slot = (slot + 1) & mask;
    return slot;
}

size_t lc_names_find(const lc_names *names, const char *text, size_t length)
{
    if (names->len == 0)
        return LC_NAMES_NONE;
    uint32_t found = names->slots[slot_of(names, text, length)];
    return found == 0 ? LC_NAMES_NONE : found - 1;
}

/* Twice as many slots; the names find their new places. */
static bool grow_slots(lc_names *names)
{
    size_t wanted = names->slots_len == 0 ? FIRST_SLOTS : 2 * names->slots_len;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (slots == NULL)
        return false;
    free(names->slots);
    names->slots = slots;
    names->slots_len = wanted;
    for (size_t i = 0; i < names->len; i++)
        slots[slot_of(names, names->items[i], strlen(names->items[i]))] = (uint32_t)(i + 1);
    return true;
}

/* Room for one more, in both arrays. */
static bool reserve(lc_names *names)
{
    if (names->len == LC_NAMES_MOST)
        return false;
    if (2 * (names->len + 1) > names->slots_len && !grow_slots(names))
        return false;
    const char **items = lc_list_grow((void *)names->items, &names->capacity, names->len + 1, sizeof *items);
    if (items == NULL)
        return false;
    names->items = items;
    return true;
}

/* The name is copied only when it is new. */
size_t lc_names_add(lc_names *names, lc_store *store, const char *text, size_t length)
{
    size_t found = lc_names_find(names, text, length);
    if (found != LC_NAMES_NONE)
        return found;
    const char *copy = reserve(names) ? lc_store_string(store, text, length) : NULL;
    if (copy == NULL)
        return LC_NAMES_NONE;
    names->slots[slot_of(names, text, length)] = (uint32_t)(names->len + 1);
    names->items[names->len] = copy;
    return names->len++;
}

void lc_names_free(lc_names *names)
{
    free((void *)names->items);
    free(names->slots);
    *names = (lc_names){0};
}
