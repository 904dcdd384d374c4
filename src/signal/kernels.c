/* SPDX-License-Identifier: MIT
 * kernels.c - the tables of inner loops for an instruction set. */
#include "signal/kernels.h"

#include "signal/spectrum.h"

const lc_signal_kernels *lc_signal_kernels_of(lc_isa isa)
{
#ifdef LC_X86
    if (isa != LC_ISA_REF)
        return &lc_signal_kernels_avx2;
#endif
    (void)isa;
    return &lc_signal_kernels_ref;
}

const lc_spectrum_kernels *lc_spectrum_kernels_of(lc_isa isa)
{
#ifdef LC_X86
    static const lc_spectrum_kernels *const tables[LC_ISA_COUNT] = {
        [LC_ISA_REF] = &lc_spectrum_kernels_ref,
        [LC_ISA_AVX2] = &lc_spectrum_kernels_avx2,
        [LC_ISA_AVX512] = &lc_spectrum_kernels_avx512,
    };
    return tables[isa];
#else
    (void)isa;
    return &lc_spectrum_kernels_ref;
#endif
}
