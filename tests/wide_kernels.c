/* SPDX-License-Identifier: MIT
 * wide_kernels.c - the inner loops of the layers with 16 lanes for every machine: where there is no AVX-512 the compiler
 *   makes several registers of a vector. Too slow to use, but what depends on the number of lanes is tested everywhere:
 *   columns that fill half of a vector were once left out, and no machine at hand could show it. */
#include "wide_kernels.h"

#define LANES 16
#define TABLE wide_kernels

#include "nn/kernels_body.h"
