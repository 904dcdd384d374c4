/* SPDX-License-Identifier: MIT
 * image_kernels_avx512.c - the inner loops of convolutions on images, 16 floats to a vector. */
#define LANES 16
#define TABLE lc_image_kernels_avx512

#include "nn/image_body.h"
