/* SPDX-License-Identifier: MIT
 * winograd.h - convolutions of three frames with a half or a quarter of the multiplications, see winograd.c. */
#ifndef LC_NN_WINOGRAD_H
#define LC_NN_WINOGRAD_H

#include "nn/kernels.h"

#include <stdbool.h>

/* The shape of a convolution: `bins` outputs of n channels from windows of kernel_f bins of c channels, `stride` bins
 * apart and not more than kernel_f, and the sizes that follow from it, computed once a pass: asked for at every tile
 * they were 5 % of the time of a first layer. */
typedef struct lc_winograd {
    size_t bins, n, c, kernel_f, stride;
    bool square;             /* tiles along frequency too */
    size_t width, wide;      /* LC_COLUMNS of n and c */
    size_t window;           /* stride > 1: LC_COLUMNS of kernel_f * c, else 0 */
    size_t tile, points;     /* frames of a tile, and points of time, or frames of input, that it has: two more */
    size_t order;            /* square: points along frequency, 6 or 8 */
    size_t step, tiles;      /* square: bins from a tile to the next, tiles of a row */
    size_t group;            /* tiles of time of one call, but for the last */
    size_t reach, zeros;     /* input bins that the tiles cover; bins of zeros before the outputs in a row of m */
    size_t m_bins;           /* of a row */
    size_t v_row, m_row;     /* floats of a row */
    size_t v_plane, m_plane; /* floats of a plane of points along frequency */
    size_t matrices, depth;  /* of weights for each point of time, and their rows */
    size_t weights, back;    /* floats of the transformed weights (and their gradient), and of the transposed ones */
    size_t scratch;          /* floats */
} lc_winograd;

lc_winograd lc_winograd_of(size_t bins, size_t n, size_t c, size_t kernel_f, size_t stride);

/* Element (p, i) of G, from so many taps to six, seven or eight points. */
double lc_winograd_g(size_t p, size_t i, size_t taps, size_t order);

/* winograd_weights.c. weight: (3, kernel_f, c, n) as stored. */
void lc_winograd_pack(const lc_winograd *w, const float *weight, float *packed);
void lc_winograd_pack_back(const lc_winograd *w, const float *packed, float *back);

/* Adds the gradient of the transformed weights, as a gradient of the weights as stored. */
void lc_winograd_unpack(const lc_winograd *w, const float *grads, float *d_weight);

/* One call works on `tiles` tiles of time, at most w->group; what passes from step to step stands in scratch. */
typedef struct lc_winograd_call {
    const lc_winograd *w;
    const lc_nn_kernels *kernels;
    size_t tiles;
    const float *in; /* the first window of the first frame; read up to two frames behind the last */
    size_t in_row;   /* floats from frame to frame, of in and d_in */
    float *scratch;
} lc_winograd_call;

/* Forward pass: lc_winograd_forward, then lc_winograd_out or, for every tile t, lc_winograd_pool. z: rows of bins *
 * width floats; bias_row has as many as a row. pooled: y, which, bias, bins, c and pool set. */
void lc_winograd_forward(const lc_winograd_call *call, const float *packed);
void lc_winograd_out(const lc_winograd_call *call, const float *bias_row, float *z);
void lc_winograd_pool(const lc_winograd_call *call, size_t t, lc_pooled *pooled);

/* Backward pass: lc_winograd_d_out or, for every tile t, lc_winograd_unpool, then lc_winograd_backward, which adds to
 * grads and puts out d_in, each unless NULL. held is w->points where all frames of d_in are added to; 2 where only the
 * first two are, which the tile before has written; 0 where all are set. */
void lc_winograd_d_out(const lc_winograd_call *call, const float *dz);
void lc_winograd_unpool(const lc_winograd_call *call, size_t t, lc_pooled *pooled);
void lc_winograd_backward(const lc_winograd_call *call, const float *back, float *grads, float *d_in, size_t held);

#endif
