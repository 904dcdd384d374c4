/* SPDX-License-Identifier: MIT
 * wide_kernels.h - a set of kernels with 16 lanes for tests, see wide_kernels.c; and all sets that run here, in turn. */
#ifndef LC_TESTS_WIDE_KERNELS_H
#define LC_TESTS_WIDE_KERNELS_H

#include "nn/kernels.h"

extern const lc_nn_kernels wide_kernels;

/* The sets i = 0, 1, ... of this machine, those that the one of AVX-512 chooses from, and wide_kernels; NULL at the end. */
static inline const lc_nn_kernels *kernels_at(size_t i, const char **name)
{
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++)
        if (lc_isa_runs(isa) && i-- == 0) {
            *name = lc_isa_name(isa);
            return lc_nn_kernels_of(isa);
        }
    *name = "16 lanes";
    if (i-- == 0)
        return &wide_kernels;
#ifdef LC_X86
    *name = i == 0 ? "avx512, 16 lanes" : "avx512, 8 lanes";
    if (lc_isa_runs(LC_ISA_AVX512) && i < 2)
        return i == 0 ? &lc_nn_kernels_wide_avx512 : &lc_nn_kernels_half_avx512;
#endif
    return NULL;
}

#endif
