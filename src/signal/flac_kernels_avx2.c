/* SPDX-License-Identifier: MIT
 * flac_kernels_avx2.c - the inner loops of FLAC, with shifts and counts of zeros that machines with AVX2 have. */
#define TABLE lc_flac_kernels_avx2

#include "signal/flac_body.h"
