/* SPDX-License-Identifier: MIT
 * kernels_ref.c - the inner loops of the front end, 4 floats to a vector. */
#define LANES 4
#define TABLE lc_signal_kernels_ref
#define EVENS 0, 2, 4, 6
#define ODDS 1, 3, 5, 7
#define BACKWARDS 3, 2, 1, 0

#include "signal/kernels_body.h"
