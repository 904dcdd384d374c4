/* SPDX-License-Identifier: MIT
 * wfdb_marks.h - annotations of PhysioNet's WFDB. */
#ifndef LC_STUDIO_IMPORT_WFDB_MARKS_H
#define LC_STUDIO_IMPORT_WFDB_MARKS_H

#include "loco.h"

enum { LC_WFDB_MARKS = 1 << 24 };

/* An annotation: at which sample, and its code, such as 1 for a normal beat, 5 for a PVC. */
typedef struct lc_wfdb_mark {
    uint64_t sample;
    unsigned code;
} lc_wfdb_mark;

/* Annotations in MIT format (*.atr), in order; to free(). Notes without a place of their own are left out. */
LOCO_MUST_USE loco_status lc_wfdb_marks_parse(lc_wfdb_mark **marks, size_t *marks_len, const char *name,
                                              const void *bytes, size_t length, loco_err *err);

bool lc_wfdb_is_beat(unsigned code); /* and no change of rhythm, noise or wave */
bool lc_wfdb_is_pvc(unsigned code);  /* a premature ventricular contraction */

#endif
