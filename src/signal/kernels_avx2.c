/* SPDX-License-Identifier: MIT
 * kernels_avx2.c - the inner loops of spectra, 8 frames side by side, and of resampling, 8 floats to a vector. */
#define LANES 8
#define SPECTRUM_TABLE lc_spectrum_kernels_avx2
#define SIGNAL_TABLE lc_signal_kernels_avx2

#include "signal/spectrum_body.h"

#include "signal/kernels_body.h"
