/* SPDX-License-Identifier: MIT
 * plain_text.h - text files that people write: the check of their bytes, and places in them for messages.
 *   A piece of such text is shown by lc_show (base/show.h), a number is read by lc_number_parse (base/number.h). */
#ifndef LC_BASE_PLAIN_TEXT_H
#define LC_BASE_PLAIN_TEXT_H

#include "base/show.h"
#include "loco.h"

#include <stddef.h>

#define LC_TIME_END 1e7 /* seconds, about 116 days: every time lies below */

/* LOCO_EDATA, with the line, unless text is UTF-8 without control characters other than tab and line ends. */
LOCO_MUST_USE loco_status lc_plain_text_check(const char *path, const char *text, size_t length, loco_err *err);

/* Bytes of the byte order mark that some editors write at the start of a file: 3 or 0. */
size_t lc_plain_text_mark(const char *text, size_t length);

/* Where in a file a value stands. Made into words only for a message. */
typedef struct lc_place {
    const char *path;
    size_t line;        /* from 1; 0: the whole file */
    const char *column; /* its name, or NULL */
} lc_place;

typedef struct lc_where {
    char text[128];
} lc_where;

/* `counts.csv:3: column "kick"`. A long path is cut at its start, a long name of a column at its end. */
lc_where lc_place_show(lc_place place);

/* `take.mid, byte 22`. */
lc_where lc_place_byte(const char *path, size_t byte);

#endif
