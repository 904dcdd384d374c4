/* SPDX-License-Identifier: MIT
 * select.h - the n-th largest of many numbers. */
#ifndef LC_COUNT_SELECT_H
#define LC_COUNT_SELECT_H

#include <stddef.h>

/* The n-th largest of x, 1 <= n <= len, in expected linear time; x is reordered. No NaN. */
double lc_select_largest(double *x, size_t len, size_t n);

#endif
