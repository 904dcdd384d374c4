/* SPDX-License-Identifier: MIT
 *
 * sfz_values.h - what the headers of an SFZ file state, level by level, and the region that it makes. */
#ifndef LC_STUDIO_PIANO_SFZ_VALUES_H
#define LC_STUDIO_PIANO_SFZ_VALUES_H

#include "base/plain_text.h"
#include "studio/piano/sfz.h"

/* Levels of headers; a region inherits from those before it. */
enum {
    LC_SFZ_CONTROL,
    LC_SFZ_GLOBAL,
    LC_SFZ_MASTER,
    LC_SFZ_GROUP,
    LC_SFZ_REGION,
    LC_SFZ_LEVELS,
    LC_SFZ_OPCODES = 13 /* that are read */
};

typedef struct lc_sfz_value {
    const char *text; /* NULL: not stated */
    size_t length;
    lc_place place;
} lc_sfz_value;

/* Zero-initialised at first. */
typedef struct lc_sfz_values {
    lc_sfz_value of[LC_SFZ_LEVELS][LC_SFZ_OPCODES];
} lc_sfz_values;

/* Keeps a value if its name is one that is read. */
void lc_sfz_values_set(lc_sfz_values *values, int level, const char *name, size_t length, lc_sfz_value value);

/* Whether the region sounds when a key is struck, the first of its repetitions. */
bool lc_sfz_values_wanted(const lc_sfz_values *values);

/* The region, which must be wanted; its text lies in store. */
LOCO_MUST_USE loco_status lc_sfz_values_region(lc_sfz_region *region, const lc_sfz_values *values, lc_store *store,
                                               loco_err *err);

#endif
