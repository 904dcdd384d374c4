/* SPDX-License-Identifier: MIT
 * settings.h - settings as one readable line: a kind, then key=value pairs in any order.
 *
 *     mass window=0.01 threshold=0.3 gap=0.04
 *
 * A table says which keys a kind has, where each number lies in the caller's struct, and its range. Numbers are plain
 * decimals such as 0.05, kept to 9 decimals; what a line leaves out has its usual value. Sentences name the key, the
 * value and the range, and for a mistyped word the nearest that exists. */
#ifndef LC_DETECT_SETTINGS_H
#define LC_DETECT_SETTINGS_H

#include "base/text.h"
#include "loco.h"

typedef struct lc_setting {
    const char *key;
    size_t at;               /* offset of its double in the struct of values */
    double usual, low, high; /* low and high are allowed */
} lc_setting;

typedef struct lc_settings_kind {
    const char *name; /* the first word of the line */
    const lc_setting *keys;
    size_t keys_len; /* at most 16 */
} lc_settings_kind;

/* Finds the kind that the first word names, and reads the rest into values. Values may be half written on failure. */
LOCO_MUST_USE loco_status lc_settings_parse(void *values, size_t *kind, const lc_settings_kind *kinds, size_t kinds_len,
                                            const char *line, size_t length, loco_err *err);

/* Reads one `key=value`. */
LOCO_MUST_USE loco_status lc_settings_set(void *values, const lc_settings_kind *kind, const char *word, size_t length,
                                          loco_err *err);

/* Refuses numbers out of range, for values that no line gave. */
LOCO_MUST_USE loco_status lc_settings_check(const void *values, const lc_settings_kind *kind, loco_err *err);

void lc_settings_usual(void *values, const lc_settings_kind *kind);

/* Writes the line back, with every key. */
void lc_settings_format(const void *values, const lc_settings_kind *kind, lc_text *text);

#endif
