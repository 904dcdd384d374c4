/* SPDX-License-Identifier: MIT
 * kernels_avx512.c - the inner loops of the count mathematics, 8 doubles to a vector. */
#define LANES 8
#define TABLE lc_count_kernels_avx512

#include "count/kernels_body.h"
