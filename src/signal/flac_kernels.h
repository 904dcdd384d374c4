/* SPDX-License-Identifier: MIT
 * flac_kernels.h - inner loops of FLAC, one table per instruction set. */
#ifndef LC_SIGNAL_FLAC_KERNELS_H
#define LC_SIGNAL_FLAC_KERNELS_H

#include "base/cpu.h"
#include "signal/flac_bits.h"

enum { LC_PREDICTOR_ORDER = 32 };

typedef struct lc_predictor {
    unsigned order, shift;
    int32_t c[LC_PREDICTOR_ORDER]; /* of the sample before, the one before that, ... */
} lc_predictor;

typedef struct lc_flac_kernels {
    /* n residuals in Rice code */
    void (*rice)(lc_bits *bits, unsigned parameter, int32_t *r, size_t n);
    /* n samples of `depth` bits: the first `order` stand there, the others as residuals. Of no true file, with samples
     * that leave their depth, kernels may make different numbers. */
    void (*restore)(const lc_predictor *predictor, unsigned depth, int32_t *samples, size_t n);
} lc_flac_kernels;

extern const lc_flac_kernels lc_flac_kernels_ref, lc_flac_kernels_avx2;

const lc_flac_kernels *lc_flac_kernels_of(lc_isa isa);

#endif
