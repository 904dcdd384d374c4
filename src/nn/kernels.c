/* SPDX-License-Identifier: MIT
 * kernels.c - the tables of inner loops for an instruction set. */
#include "nn/kernels.h"

#include "nn/image_kernels.h"

/* lc_isa_choose (base/cpu.h) has checked that this machine runs the set. */
const lc_nn_kernels *lc_nn_kernels_of(lc_isa isa)
{
    switch (isa) {
#ifdef LC_X86
    case LC_ISA_AVX2: return &lc_nn_kernels_avx2;
    case LC_ISA_AVX512: return &lc_nn_kernels_avx512;
#endif
    default: return &lc_nn_kernels_ref;
    }
}

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
