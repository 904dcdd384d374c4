/* SPDX-License-Identifier: MIT
 * flac_kernels.c - the table of inner loops of FLAC for an instruction set. */
#include "signal/flac_kernels.h"

const lc_flac_kernels *lc_flac_kernels_of(lc_isa isa)
{
#ifdef LC_X86
    if (isa != LC_ISA_REF)
        return &lc_flac_kernels_avx2;
#endif
    (void)isa;
    return &lc_flac_kernels_ref;
}
