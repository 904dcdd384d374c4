/* SPDX-License-Identifier: MIT
 * words.c - the words of a network line, with errors that name the column and the word. */
#include "base/words.h"

#include "base/number.h"
#include "base/show.h"
#include "base/status.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* No valid word is longer. */
enum { WORD_MAX = 40 };

/* Words are cut at spaces and tabs; the line need not end with a 0. Nothing is taken but spaces. */
const char *lc_words_peek(lc_words *words, size_t *length)
{
    while (words->at < words->end && (*words->at == ' ' || *words->at == '\t'))
        words->at++;
    const char *stop = words->at;
    while (stop < words->end && *stop != ' ' && *stop != '\t')
        stop++;
    *length = (size_t)(stop - words->at);
    return words->at;
}

/* A word as a whole: `conv` does not take the beginning of `convolve`. */
bool lc_words_take(lc_words *words, const char *word)
{
    size_t length;
    const char *at = lc_words_peek(words, &length);
    if (length == 0 || length != strlen(word) || memcmp(at, word, length) != 0)
        return false;
    words->at += length;
    return true;
}

/* "network line, column 7: "3x" is wrong here: the number of units, 1 to 4096" */
loco_status lc_words_refuse(lc_words *words, const char *wanted, loco_err *err)
{
    size_t length;
    const char *at = lc_words_peek(words, &length);
    size_t column = (size_t)(at - words->line) + 1;
    if (length == 0)
        return lc_err_set(err, LOCO_EDATA, "network line, column %zu: something is missing here: %s", column, wanted);
    return lc_err_set(err, LOCO_EDATA, "network line, column %zu: \"%s\" is wrong here: %s", column,
                      lc_show_word(at, length).text, wanted);
}

/* Copies the next word, so that strtol sees its end; false when it is empty, too long or has a zero byte. */
static bool copy_word(lc_words *words, char *copy, size_t *length)
{
    const char *at = lc_words_peek(words, length);
    if (*length == 0 || *length >= WORD_MAX || memchr(at, '\0', *length) != NULL)
        return false;
    memcpy(copy, at, *length);
    copy[*length] = '\0';
    return true;
}

/* strtol, but without leading white space or a plus sign, which it would accept. */
static long read_whole(const char *word, char **stop)
{
    *stop = (char *)(uintptr_t)word;
    return (*word >= '0' && *word <= '9') || *word == '-' ? strtol(word, stop, 10) : 0;
}

/* A whole number in low..high. strtol saturates, so that a number of any length is out of range rather than wrong. */
loco_status lc_words_number(lc_words *words, long *number, long low, long high, const char *what, loco_err *err)
{
    char copy[WORD_MAX], *stop;
    size_t length;
    if (!copy_word(words, copy, &length))
        return lc_words_refuse(words, what, err);
    long value = read_whole(copy, &stop);
    if (stop == copy || *stop != '\0' || value < low || value > high)
        return lc_words_refuse(words, what, err);
    words->at += length;
    *number = value;
    return LOCO_OK;
}

/* A number as base/number.h reads it, in [low, high). */
loco_status lc_words_real(lc_words *words, double *number, double low, double high, const char *what, loco_err *err)
{
    size_t length;
    double value;
    const char *at = lc_words_peek(words, &length);
    if (!lc_number_parse(at, length, &value) || !(value >= low && value < high))
        return lc_words_refuse(words, what, err);
    words->at += length;
    *number = value;
    return LOCO_OK;
}

loco_status lc_words_pair(lc_words *words, size_t *first, size_t *second, const char *what, loco_err *err)
{
    char copy[WORD_MAX], *stop;
    size_t length;
    if (!copy_word(words, copy, &length))
        return lc_words_refuse(words, what, err);
    long a = read_whole(copy, &stop), b = *stop == 'x' ? read_whole(stop + 1, &stop) : 0;
    /* 64 frames or bins: keeps the padding small, and sizes far from wrapping (line.c) */
    if (*stop != '\0' || a < 1 || a > 64 || b < 1 || b > 64)
        return lc_words_refuse(words, what, err);
    words->at += length;
    *first = (size_t)a;
    *second = (size_t)b;
    return LOCO_OK;
}
