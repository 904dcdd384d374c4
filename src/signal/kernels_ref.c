/* SPDX-License-Identifier: MIT
 * kernels_ref.c - the inner loops of spectra, 4 frames side by side, and of resampling, 4 floats to a vector. */
#define LANES 4
#define SPECTRUM_TABLE lc_spectrum_kernels_ref
#define SIGNAL_TABLE lc_signal_kernels_ref

#include "signal/spectrum_body.h"

#include "signal/kernels_body.h"
