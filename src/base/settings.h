/* SPDX-License-Identifier: MIT
 * settings.h - settings as one readable line: a kind, then key=value pairs in any order.
 *
 *     mass window=0.01 threshold=0.3 gap=0.04
 *     mel rate=22050 window=1024 shape=hann
 *
 * A table says which keys a kind has, where each value lies in the caller's struct, and what it may be. Numbers are
 * read as base/number.h does, and kept to 9 decimals; what a line leaves out has its default. A message names the key,
 * the value and the valid range, and for a mistyped word the nearest one that exists. */
#ifndef LC_BASE_SETTINGS_H
#define LC_BASE_SETTINGS_H

#include "base/text.h"
#include "loco.h"

typedef enum lc_setting_form {
    LC_SETTING_REAL,  /* a double */
    LC_SETTING_WHOLE, /* a size_t */
    LC_SETTING_WORD   /* an enum whose values count the words from 0, as large as an unsigned */
} lc_setting_form;

typedef struct lc_setting {
    const char *key;
    lc_setting_form form;
    size_t at;                /* offset of its value in the struct of values */
    double usual, low, high;  /* low and high are allowed; a word has only the usual number */
    const char *const *words; /* of a word, with NULL at the end */
} lc_setting;

typedef struct lc_settings_kind {
    const char *name;  /* the first word of the line */
    const char *title; /* what messages begin with; NULL: the name */
    const lc_setting *keys;
    size_t keys_len; /* at most LC_SETTINGS_MOST */
    size_t rare;     /* so many of the last keys are written only where they differ from the default */
} lc_settings_kind;

enum { LC_SETTINGS_MOST = 32 }; /* keys of a kind, and kinds */

/* Finds the kind that the first word names, and reads the rest into values. Values may be half written on failure. */
LOCO_MUST_USE loco_status lc_settings_parse(void *values, size_t *kind, const lc_settings_kind *kinds, size_t kinds_len,
                                            const char *line, size_t length, loco_err *err);

/* Reads one `key=value`. */
LOCO_MUST_USE loco_status lc_settings_set(void *values, const lc_settings_kind *kind, const char *word, size_t length,
                                          loco_err *err);

/* Refuses values out of range: for values that did not come from a line. */
LOCO_MUST_USE loco_status lc_settings_check(const void *values, const lc_settings_kind *kind, loco_err *err);

void lc_settings_usual(void *values, const lc_settings_kind *kind);

/* Writes the line back, with every key that is not rare. */
void lc_settings_format(const void *values, const lc_settings_kind *kind, lc_text *text);

#endif
