/* SPDX-License-Identifier: MIT
 * kernels_avx2.c - the inner loops of the front end, 8 floats to a vector. */
#define LANES 8
#define TABLE lc_signal_kernels_avx2
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define BACKWARDS 7, 6, 5, 4, 3, 2, 1, 0

#include "signal/kernels_body.h"
