/* SPDX-License-Identifier: MIT
 * cpu.c - which set of kernels to run on this machine.
 *   LC_X86 is defined by the build where the AVX2 and AVX-512 files are compiled. */
#include "base/cpu.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[LC_ISA_COUNT] = {"ref", "avx2", "avx512"};

/* The features are those that the flags of the build ask for (CMakeLists.txt): a set runs only where all are there. gcc
 * asks the operating system too, which must save the wide registers. lzcnt has no name in clang 14; every machine with
 * AVX2 and BMI2 has it. */
bool lc_isa_runs(lc_isa isa)
{
    switch (isa) {
    case LC_ISA_REF: return true;
#ifdef LC_X86
    case LC_ISA_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    case LC_ISA_AVX512:
        return lc_isa_runs(LC_ISA_AVX2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#endif
    default: return false;
    }
}

const char *lc_isa_name(lc_isa isa)
{
    return names[isa];
}

/* Ends at ref, which runs everywhere. */
static lc_isa best(void)
{
    lc_isa isa = LC_ISA_AVX512;
    while (!lc_isa_runs(isa))
        isa--;
    return isa;
}

/* LOCO_KERNELS forces a set, for comparing and for tests. One that cannot run is refused rather than replaced: a
 * measurement of the wrong set would look right. */
loco_status lc_isa_choose(lc_isa *isa, loco_err *err)
{
    const char *wanted = getenv("LOCO_KERNELS");
    if (wanted == NULL || *wanted == '\0') {
        *isa = best();
        return LOCO_OK;
    }
    for (lc_isa i = LC_ISA_REF; i < LC_ISA_COUNT; i++) {
        if (strcmp(wanted, names[i]) != 0)
            continue;
        if (!lc_isa_runs(i))
            return lc_err_set(err, LOCO_EARG, "LOCO_KERNELS=%s: this machine cannot run it; the best here is %s",
                              wanted, names[best()]);
        *isa = i;
        return LOCO_OK;
    }
    return lc_err_set(err, LOCO_EARG, "LOCO_KERNELS=%.32s: not a set of kernels; use ref, avx2 or avx512", wanted);
}

/* Always a name: a wrong LOCO_KERNELS is reported when a handle is made. */
const char *loco_kernels(void)
{
    lc_isa isa;
    return lc_isa_choose(&isa, NULL) == LOCO_OK ? names[isa] : names[best()];
}
