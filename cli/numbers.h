/* SPDX-License-Identifier: MIT
 *
 * numbers.h - reads a list of numbers from text.
 *
 * Numbers stand between spaces, commas or line ends; # starts a comment up to the end of the line; inf and -inf are
 * numbers, nan is not. At most 10 million numbers in 256 MB.
 */
#ifndef LC_CLI_NUMBERS_H
#define LC_CLI_NUMBERS_H

#include <loco.h>

#include <stddef.h>

enum { LC_NUMBERS_MOST = 10000000 }; /* frames: a day at 115 a second */

typedef struct lc_numbers {
    double *values; /* NULL when there are none */
    size_t len;
} lc_numbers;

/* Reads length bytes of text; name says in messages where they come from. LOCO_EDATA: err names line and value. */
LOCO_MUST_USE loco_status lc_numbers_parse(lc_numbers *numbers, const char *name, const char *text, size_t length,
                                           loco_err *err);

/* Reads a file, or standard input for "-". LOCO_EIO when it cannot be read. */
LOCO_MUST_USE loco_status lc_numbers_load(lc_numbers *numbers, const char *path, loco_err *err);

void lc_numbers_free(lc_numbers *numbers);

#endif
