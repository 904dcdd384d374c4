/* SPDX-License-Identifier: MIT
 * winograd.h - convolutions of three frames with a half or a quarter of the multiplications, see winograd.c. */
#ifndef LC_NN_WINOGRAD_H
#define LC_NN_WINOGRAD_H

#include "nn/kernels.h"

enum { LC_TILE = 4, LC_TILE_IN = 6 }; /* frames out and in */

/* The shape of a convolution: `bins` outputs of n channels from windows of kernel_f bins of c channels. */
typedef struct lc_winograd {
    size_t bins, n, c, kernel_f;
} lc_winograd;

/* Frames of one call, but for the last: a multiple of LC_TILE. */
size_t lc_winograd_frames(const lc_winograd *w);

/* Floats: transformed weights (and their gradient), transposed ones, scratch. */
size_t lc_winograd_weights(const lc_winograd *w);
size_t lc_winograd_back(const lc_winograd *w);
size_t lc_winograd_scratch(const lc_winograd *w);

/* weight: (3, kernel_f, c, n) as stored. */
void lc_winograd_pack(const lc_winograd *w, const float *weight, float *packed);
void lc_winograd_pack_back(const lc_winograd *w, const float *packed, float *back);

/* Adds the gradient of the transformed weights, as a gradient of the weights as stored. */
void lc_winograd_unpack(const lc_winograd *w, const float *grads, float *d_weight);

/* `tiles` tiles of four frames: in points at the first window of the first, and is read up to two frames behind the
 * last; to rows of bins * LC_COLUMNS(n) floats. bias has as many as a row. */
void lc_winograd_forward(const lc_winograd *w, const lc_nn_kernels *k, const float *packed, const float *bias,
                         const float *in, size_t in_row, size_t tiles, float *z, float *scratch);

/* Their way back: dz (rows as above). Adds to grads, and to d_in unless NULL. */
void lc_winograd_backward(const lc_winograd *w, const lc_nn_kernels *k, const float *back, const float *in,
                          size_t in_row, size_t tiles, const float *dz, float *grads, float *d_in, float *scratch);

#endif
