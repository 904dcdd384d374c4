/* SPDX-License-Identifier: MIT
 * sum.h - classes that share one count: the column `kick+snare` of counts.csv. */
#ifndef LC_COUNT_SUM_H
#define LC_COUNT_SUM_H

#include <stddef.h>

typedef struct lc_sum {
    const char *name; /* `kick+snare` */
    const size_t *members;
    size_t members_len; /* 2 or more, all different */
} lc_sum;

#endif
