/* SPDX-License-Identifier: MIT
 * flac_kernels_ref.c - the inner loops of FLAC, for any machine. */
#define TABLE lc_flac_kernels_ref

#include "signal/flac_body.h"
