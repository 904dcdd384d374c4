/* SPDX-License-Identifier: MIT
 * checksum.h - a sum of 64 bits over bytes, to notice damage and changes; not a defence against forgery.
 *
 *     lc_checksum sum = lc_checksum_begin();
 *     lc_checksum_add(&sum, bytes, n);
 *     uint64_t value = lc_checksum_end(&sum); */
#ifndef LC_BASE_CHECKSUM_H
#define LC_BASE_CHECKSUM_H

#include "loco.h"

enum { LC_CHECKSUM_LANES = 4, LC_CHECKSUM_BLOCK = 8 * LC_CHECKSUM_LANES };

typedef struct lc_checksum {
    uint64_t lanes[LC_CHECKSUM_LANES], length;
    unsigned char rest[LC_CHECKSUM_BLOCK]; /* bytes of a block that is not full yet: length % LC_CHECKSUM_BLOCK */
} lc_checksum;

lc_checksum lc_checksum_begin(void);
void lc_checksum_add(lc_checksum *sum, const void *bytes, size_t n);
uint64_t lc_checksum_end(const lc_checksum *sum);

/* Of a file, read from its start to its end. */
LOCO_MUST_USE loco_status lc_checksum_file(uint64_t *sum, const char *path, loco_err *err);

#endif
