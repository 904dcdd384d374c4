/* SPDX-License-Identifier: MIT
 * wide_kernels.h - a set of kernels with 16 lanes for tests, see wide_kernels.c; and all sets that run here, in turn. */
#ifndef LC_TESTS_WIDE_KERNELS_H
#define LC_TESTS_WIDE_KERNELS_H

#include "nn/kernels.h"

extern const lc_nn_kernels wide_kernels;

/* The sets i = 0, 1, ... of this machine and wide_kernels behind them; NULL at the end. */
static inline const lc_nn_kernels *kernels_at(size_t i, const char **name)
{
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++)
        if (lc_isa_runs(isa) && i-- == 0) {
            *name = lc_isa_name(isa);
            return lc_nn_kernels_of(isa);
        }
    *name = "16 lanes";
    return i == 0 ? &wide_kernels : NULL;
}

#endif
