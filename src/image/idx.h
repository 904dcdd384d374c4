/* SPDX-License-Identifier: MIT
 * idx.h - files of MNIST and its relatives: many small grey images, or the label of each. */
#ifndef LC_IMAGE_IDX_H
#define LC_IMAGE_IDX_H

#include "loco.h"

typedef struct lc_idx {
    size_t n, height, width; /* of labels, height and width are 1 */
    unsigned char *values;   /* (n, height, width) */
} lc_idx;

/* Reads a file, which may be packed by gzip. An error names the file; idx is then untouched. */
LOCO_MUST_USE loco_status lc_idx_load(lc_idx *idx, const char *path, loco_err *err);

/* The same from bytes in memory; name: for messages. */
LOCO_MUST_USE loco_status lc_idx_parse(lc_idx *idx, const char *name, const void *bytes, size_t length, loco_err *err);

void lc_idx_free(lc_idx *idx);

#endif
