/* SPDX-License-Identifier: MIT
 * image_kernels_avx2.c - the inner loops of convolutions on images, 8 floats to a vector. */
#define LANES 8
#define TABLE lc_image_kernels_avx2

#include "nn/image_body.h"
