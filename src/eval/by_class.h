/* SPDX-License-Identifier: MIT
 * by_class.h - the events of one recording, sorted by class and then by time. */
#ifndef LC_EVAL_BY_CLASS_H
#define LC_EVAL_BY_CLASS_H

#include "base/mem.h"
#include "loco.h"

/* Events of class k are number start[k] to start[k + 1] - 1. The memory is kept from recording to recording; an empty
 * one is {0}. */
typedef struct lc_by_class {
    size_t *start;       /* (classes + 1) */
    double *time;        /* seconds */
    double *probability; /* of the same events */
    double *x;           /* of the same events, of images; time is y */
    lc_block block;
} lc_by_class;

/* Takes over the events of a recording in any order. LOCO_EDATA, and what was there is lost, for a time that is not
 * finite or a class that is not below classes; `what` begins the message: "reference". */
LOCO_MUST_USE loco_status lc_by_class_set(lc_by_class *slices, size_t classes, const loco_event *events, size_t n,
                                          const char *what, loco_err *err);
void lc_by_class_free(lc_by_class *slices);

size_t lc_by_class_len(const lc_by_class *slices, size_t kind);

#endif
