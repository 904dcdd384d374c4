/* SPDX-License-Identifier: MIT
 * cpu.h - which set of kernels to run on this machine. */
#ifndef LC_BASE_CPU_H
#define LC_BASE_CPU_H

#include "loco.h"

#include <stdbool.h>

typedef enum lc_isa {
    LC_ISA_REF, /* what every machine of the architecture has */
    LC_ISA_AVX2,
    LC_ISA_AVX512,
    LC_ISA_COUNT
} lc_isa;

bool lc_isa_runs(lc_isa isa);
const char *lc_isa_name(lc_isa isa);

/* The best set that runs here, or the one that the environment variable LOCO_KERNELS names. */
loco_status lc_isa_choose(lc_isa *isa, loco_err *err);

#endif
