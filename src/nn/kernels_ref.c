/* SPDX-License-Identifier: MIT
 * kernels_ref.c - the inner loops of the layers, 4 floats to a vector. */
#define LANES 4
#define TABLE lc_nn_kernels_ref

#include "nn/kernels_body.h"
