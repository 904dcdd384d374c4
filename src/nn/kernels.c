/* SPDX-License-Identifier: MIT
 * kernels.c - the table of inner loops for an instruction set. */
#include "nn/kernels.h"

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
