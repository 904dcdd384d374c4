/* SPDX-License-Identifier: MIT
 * image_kernels_ref.c - the inner loops of convolutions on images, 4 floats to a vector. */
#define LANES 4
#define TABLE lc_image_kernels_ref

#include "nn/image_body.h"
