/* SPDX-License-Identifier: MIT
 *
 * held_out.h - which kits, fonts and patterns are for test sets only.
 *
 * A rule is a word and a verdict. The first word that a name contains decides; case does not matter. Of names without a
 * rule a quarter is held out: those whose hash is divisible by 4. Rules come from a file,
 *
 *     # comment
 *     test   colombo
 *     train  bja_pacific
 *
 * or are the default table of held_out.c.
 */
#ifndef LC_STUDIO_KITS_HELD_OUT_H
#define LC_STUDIO_KITS_HELD_OUT_H

#include "base/store.h"
#include "loco.h"

#include <stdbool.h>

enum { LC_HELD_OUT_RULES = 1000, LC_HELD_OUT_BYTES = 65536 };

typedef struct lc_held_out_rule {
    bool test;        /* held out; else never */
    const char *word; /* in lower case */
} lc_held_out_rule;

typedef struct lc_held_out {
    const lc_held_out_rule *rules;
    size_t len;
    lc_store store;
} lc_held_out;

/* Reads rules; the caller frees them. LOCO_EDATA names the line. */
LOCO_MUST_USE loco_status lc_held_out_load(lc_held_out *rules, const char *path, loco_err *err);
void lc_held_out_free(lc_held_out *rules);

/* True for a name that test sets only may use. rules NULL: the default table. */
bool lc_held_out_has(const lc_held_out *rules, const char *name);

/* One side of the split: what a set may be made of. Zero-initialised: what is not held out by the default table. */
typedef struct lc_kit_side {
    const lc_held_out *rules; /* NULL: the default table */
    bool held_out;            /* those that are held out, or all others */
} lc_kit_side;

bool lc_kit_side_has(lc_kit_side side, const char *name);

#endif
