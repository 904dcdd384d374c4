/* SPDX-License-Identifier: MIT
 * kernels_half_avx512.c - the inner loops of the layers, 8 floats to a vector, with the 32 registers of AVX-512. */
#define LANES 8
#define TABLE lc_nn_kernels_half_avx512

#include "nn/kernels_body.h"
