/* SPDX-License-Identifier: MIT
 * kernels.c - the table of inner loops for an instruction set. */
#include "signal/kernels.h"

const lc_signal_kernels *lc_signal_kernels_of(lc_isa isa)
{
#ifdef LC_X86
    if (isa != LC_ISA_REF)
        return &lc_signal_kernels_avx2;
#endif
    (void)isa;
    return &lc_signal_kernels_ref;
}
