/* SPDX-License-Identifier: MIT
 * words.h - the words of a network line, taken one after the other, with errors that name the column and the word.
 *
 *     lc_words_number(words, &units, 1, 4096, "the number of units, 1 to 4096", err);
 *     if (lc_words_take(words, "both")) ... */
#ifndef LC_BASE_WORDS_H
#define LC_BASE_WORDS_H

#include "base/text.h"
#include "loco.h"

#include <stdbool.h>

/* The rest of one layer's words; a word is a run of bytes other than spaces and commas. */
typedef struct lc_words {
    const char *line, *at, *end; /* end: the comma or the end of the line */
} lc_words;

/* The next word, without taking it; its length is 0 at the end. */
const char *lc_words_peek(lc_words *words, size_t *length);

/* Takes the next word if it is this one. */
bool lc_words_take(lc_words *words, const char *word);

/* Takes a whole number in low..high. `what` says what is missing: "the number of units". */
loco_status lc_words_number(lc_words *words, long *number, long low, long high, const char *what, loco_err *err);

/* Takes a number in [low, high), such as 0.25. */
loco_status lc_words_real(lc_words *words, double *number, double low, double high, const char *what, loco_err *err);

/* Takes "3x4". */
loco_status lc_words_pair(lc_words *words, size_t *first, size_t *second, const char *what, loco_err *err);

/* Returns LOCO_EDATA with a message about the next word: its column, the word itself, and `wanted`. */
loco_status lc_words_refuse(lc_words *words, const char *wanted, loco_err *err);

#endif
