/* SPDX-License-Identifier: MIT
 * field.h - pieces of text that came from outside: checked, and shown in sentences. Numbers: base/number.h. */
#ifndef LC_DATA_FIELD_H
#define LC_DATA_FIELD_H

#include "loco.h"

#include <stddef.h>

#define LC_TIME_END 1e7 /* seconds, about 116 days: every time lies below */

/* Text as people write it: UTF-8 without control characters but tab and line ends. LOCO_EDATA names the line. */
LOCO_MUST_USE loco_status lc_field_check(const char *path, const char *text, size_t length, loco_err *err);

/* How many bytes the mark takes that some editors begin a file with: 3 or 0. */
size_t lc_field_mark(const char *text, size_t length);

/* Text as a sentence can show it: control characters become ?, and a long text is cut between two characters. */
typedef struct lc_field_shown {
    char text[48];
} lc_field_shown;

lc_field_shown lc_field_show(const char *text, size_t length);

/* Where something is wrong. Made into words only when it is. */
typedef struct lc_place {
    const char *path;
    size_t line;        /* from 1; 0: the whole file */
    const char *column; /* its name, or NULL */
} lc_place;

typedef struct lc_where {
    char text[128];
} lc_where;

/* `counts.csv:3: column "kick"`; of a long path the end. */
lc_where lc_place_show(lc_place place);

/* `take.mid, byte 22`. */
lc_where lc_place_byte(const char *path, size_t byte);

#endif
