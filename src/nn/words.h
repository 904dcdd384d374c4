/* SPDX-License-Identifier: MIT
 * words.h - the words of a network line, with errors that point at the wrong one. */
#ifndef LC_NN_WORDS_H
#define LC_NN_WORDS_H

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

/* A sentence about the next word: network line, column, word, and what would be right. */
loco_status lc_words_refuse(lc_words *words, const char *wanted, loco_err *err);

#endif
