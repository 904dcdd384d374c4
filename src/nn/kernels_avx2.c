/* SPDX-License-Identifier: MIT
 * kernels_avx2.c - the inner loops of the layers, 8 floats to a vector. */
#define LANES 8
#define TABLE lc_nn_kernels_avx2

#include "nn/kernels_body.h"
