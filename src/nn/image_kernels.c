/* SPDX-License-Identifier: MIT
 * image_kernels.c - the table of inner loops for images that goes with the one that a network has chosen. */
#include "nn/image_kernels.h"

const lc_image_kernels *lc_image_kernels_for(const lc_nn_kernels *kernels)
{
#ifdef LC_X86
    if (kernels == &lc_nn_kernels_avx2)
        return &lc_image_kernels_avx2;
    if (kernels == &lc_nn_kernels_avx512)
        return &lc_image_kernels_avx512;
#endif
    (void)kernels;
    return &lc_image_kernels_ref;
}
