/* SPDX-License-Identifier: MIT
 * flac_subframe.h - one channel of a FLAC frame. */
#ifndef LC_SIGNAL_FLAC_SUBFRAME_H
#define LC_SIGNAL_FLAC_SUBFRAME_H

#include "signal/flac_kernels.h"

/* n samples of so many bits (1 to 25). false: not a subframe, or one of a kind that is not known. */
bool lc_flac_subframe(lc_bits *bits, const lc_flac_kernels *kernels, unsigned depth, int32_t *samples, size_t n);

#endif
