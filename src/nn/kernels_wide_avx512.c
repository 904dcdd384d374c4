/* SPDX-License-Identifier: MIT
 * kernels_wide_avx512.c - the inner loops of the layers, 16 floats to a vector. */
#define LANES 16
#define TABLE lc_nn_kernels_wide_avx512

#include "nn/kernels_body.h"
