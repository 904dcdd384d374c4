/* SPDX-License-Identifier: MIT
 * kernels_avx512.c - the inner loops of spectra, 16 frames side by side. */
#define LANES 16
#define SPECTRUM_TABLE lc_spectrum_kernels_avx512

#include "signal/spectrum_body.h"
