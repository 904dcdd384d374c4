/* SPDX-License-Identifier: MIT
 * kernels_avx2.c - the inner loops of the count mathematics, 4 doubles to a vector. */
#define LANES 4
#define TABLE lc_count_kernels_avx2

#include "count/kernels_body.h"
