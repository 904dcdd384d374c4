/* SPDX-License-Identifier: MIT
 *
 * nearest.c - the nearest valid word to a mistyped one.
 *
 * Distance: the least number of bytes inserted, deleted, replaced, or swapped with their neighbour. Near is at most a
 * third of the typed word, but at least 2, and fewer changes than either word has bytes: `snaer` finds snare, `kd`
 * finds KD and not SD, for case is looked at first, and `xyz` finds nothing.
 */
#include "loco.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 31 }; /* longer words are suggested only where case alone differs */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Of ASCII alone, whatever the locale. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_but_case(const char *a, const char *b)
{
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* The whole table, 8 kB on the stack, for swaps look back two rows.
 * row[i][j]: the distance between the first i bytes of a and the first j of b. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t row[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_len; i++)
        for (size_t j = 0; j <= b_len; j++) {
            if (i == 0 || j == 0) {
                row[i][j] = i + j;
                continue;
            }
            size_t best = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = least(best, least(row[i - 1][j], row[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = least(best, row[i - 2][j - 2] + 1);
            row[i][j] = best;
        }
    return row[a_len][b_len];
}

const char *loco_nearest(const char *typed, const char *const *words, size_t words_len)
{
    for (size_t w = 0; w < words_len; w++)
        if (same_but_case(typed, words[w]))
            return words[w];
    size_t typed_len = strlen(typed);
    if (typed_len < 2 || typed_len > LONGEST)
        return NULL;
    size_t limit = typed_len / 3 > 2 ? typed_len / 3 : 2;
    const char *found = NULL;
    for (size_t w = 0; w < words_len; w++) {
        size_t word_len = strlen(words[w]);
        if (word_len > LONGEST)
            continue;
        size_t apart = distance(typed, typed_len, words[w], word_len);
        /* Among equally near ones the first wins. */
        if (apart < least(word_len, typed_len) && (apart < limit || (apart == limit && found == NULL))) {
            limit = apart;
            found = words[w];
        }
    }
    return found;
}
