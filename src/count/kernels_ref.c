/* SPDX-License-Identifier: MIT
 * kernels_ref.c - the inner loops of the count mathematics, 2 doubles to a vector. */
#define LANES 2
#define TABLE lc_count_kernels_ref

#include "count/kernels_body.h"
