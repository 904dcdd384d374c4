/* SPDX-License-Identifier: MIT
 * kernels.h - the inner loops of the layers, one table per instruction set.
 *
 * One body (kernels_body.h) is compiled once per set, for AVX-512 twice, with a table that chooses. Weights reach the
 * kernels packed: rows of LC_COLUMNS(n) floats, zeros after the n-th: no kernel has a case for a narrow matrix. */
#ifndef LC_NN_KERNELS_H
#define LC_NN_KERNELS_H

#include "base/cpu.h"
#include "base/mem.h"

#include <stddef.h>
#include <stdint.h>

/* Rows are padded to 8 and not to the 16 of AVX-512: a first layer of 8 channels is common, and 16 would double
 * its memory and, with 8 lanes, its work. */
enum {
    LC_COLUMN_BLOCK = 8
}; /* floats of an AVX2 register; wider ones read past a last half block, and write only it */

/* A vector of 16 lanes that begins at the last 8 columns of a matrix reads 8 floats behind it, and uses none: every
 * layer adds these. */
#define LC_OVERRUN 16 /* floats behind packed weights, gradients and rows that a kernel may read */

#define LC_COLUMNS(n) (((n) + LC_COLUMN_BLOCK - 1) / LC_COLUMN_BLOCK * LC_COLUMN_BLOCK)

/* Weights that vectors of 16 run through begin at a cache line: a vector that crosses one takes two loads. */
#define LC_CACHE_LINE (LC_ALIGN / sizeof(float))
#define LC_TO_CACHE_LINE(n) (((n) + LC_CACHE_LINE - 1) / LC_CACHE_LINE * LC_CACHE_LINE)

/* out[m][n] = bias[n] + sum over taps j and k of a[j * tap_stride + m * a_stride + k] * b[j][k][n]
 * A convolution over one frame is this with overlapping rows: a_stride = stride * C, one tap a row of the kernel. */
typedef struct lc_product {
    float *out;
    const float *a, *b, *bias; /* bias may be NULL */
    size_t out_stride, a_stride, tap_stride;
    size_t taps, rows, depth, columns; /* columns: a multiple of LC_COLUMN_BLOCK */
    size_t more;                       /* further products, each this far behind the one before: */
    size_t out_next, a_next, b_next;
} lc_product;

/* out[k][n] += sum over frames t and rows m of a[t * a_frame + m * a_stride + k] * d[t * d_frame + m * d_stride + n] */
typedef struct lc_outer {
    float *out; /* (depth, columns) */
    const float *a, *d;
    size_t a_stride, a_frame, d_stride, d_frame;
    size_t frames, rows, depth, columns;
    size_t more; /* further ones, each this far behind the one before: */
    size_t out_next, a_next, d_next;
} lc_outer;

/* Tiles of six or eight bins along frequency, `step` bins (2 to 5 of six; 5 of eight) from one to the next:
 *   row     (rows, row_size), a row (step * (tiles - 1) + order bins, channels) on the side of the input, and
 *           (step * tiles bins, channels) on that of the output
 *   points  (order, plane), a plane (rows, tiles, channels) */
typedef struct lc_tiles {
    float *row, *points;
    size_t row_size, plane;
    size_t rows, tiles, order, step, channels; /* order: 6 or 8 */
} lc_tiles;

/* Products of all points of tiles along frequency: points of `to` = a (order, a_plane), a plane (rows, tiles, depth),
 * times b (order, depth, channels of `to`). */
typedef struct lc_tiles_product {
    lc_tiles to;
    const float *a, *b;
    size_t a_plane, depth;
} lc_tiles_product;

/* Rows of n floats along which Winograd's transforms of time run, from frames to points or back. A tile has LC_TILE or
 * LC_TILE_MAX frames of output, and two points, and two frames of input, more. */
enum { LC_TILE = 4, LC_TILE_MAX = 5 };

typedef struct lc_rows {
    float *to;
    const float *from, *bias; /* bias (n): of winograd_out, else NULL */
    size_t to_row, from_row, n, tile;
} lc_rows;

/* A tile between Winograd's points of time, rows m (tile + 2, m_row) of bins * pool bins of `width` floats, and the
 * pooled output of each frame, y[r] (bins, c). which (bins, c): LC_WINNER_BITS bits of a float for every frame, those
 * of the first the lowest, are the neighbour that won, or LC_NO_WINNER where none is positive. */
enum { LC_WINNER_BITS = 6, LC_NO_WINNER = (1 << LC_WINNER_BITS) - 1 };

_Static_assert(LC_WINNER_BITS *LC_TILE_MAX <= 32, "a tile has its winners in the bits of a float");

typedef struct lc_pooled {
    float *m, *y[LC_TILE_MAX], *which;
    const float *bias; /* (c): forward */
    float *d_bias;     /* (c): the backward pass adds to it */
    size_t m_row, bins, c, width, pool, tile;
} lc_pooled;

/* One frame of max(x, 0) and its maximum over `pool` neighbours: (bins * pool, width) becomes (bins, c). which (bins,
 * c): the neighbour that won, or 255 where none is positive. */
typedef struct lc_frame_pool {
    uint8_t *which;
    size_t bins, c, width, pool;
} lc_frame_pool;

/* A tile of a convolution of three frames and LC_FIRST_WINDOW bins of one channel, with its pool of at most
 * LC_FIRST_POOL. in: six rows, of which the first window begins each; forward those of the points of time, backward
 * those of the frames. */
enum { LC_FIRST_WINDOW = 4, LC_FIRST_POOL = 3 };

typedef struct lc_first {
    lc_pooled pooled; /* of LC_TILE frames, but for m, m_row, width and tile; backward y is its gradient */
    const float *in;
    const float *weights; /* forward: (6, LC_FIRST_WINDOW, width), of all points of time */
    float *grads;         /* backward: (3, LC_FIRST_WINDOW, width), added to */
    size_t in_row, width;
} lc_first;

/* One frame, channels innermost, whose values are normalised together. */
typedef struct lc_frame_norm {
    const float *gain, *shift; /* channels */
    float *kept;               /* size + 1: normalised values, then 1 / sd */
    size_t size, channels;
} lc_frame_norm;

/* One frame of an LSTM: gates (4, H) become their values, c' and tanh(c') follow in kept (2, H), h' in out (H). */
typedef struct lc_lstm_frame {
    float *gates, *kept, *out;
    const float *c; /* of the frame before, NULL at the first */
    size_t H;
} lc_lstm_frame;

/* The backward pass of one frame of an LSTM: gates (4, H) become their gradients, dc that of the state before. */
typedef struct lc_lstm_back {
    float *gates, *dc;
    const float *c, *tanh_c, *dh; /* c: of the frame before, NULL at the first */
    size_t H;
} lc_lstm_back;

typedef struct lc_nn_kernels {
    void (*product)(const lc_product *p);
    void (*outer)(const lc_outer *o);

    /* out[n] += sum_k x[k] * b[k][n] */
    void (*matvec)(float *out, const float *x, const float *b, size_t depth, size_t columns);

    void (*sigmoid)(float *y, const float *x, size_t n);
    void (*tanh)(float *y, const float *x, size_t n);
    void (*lstm_frame)(const lc_lstm_frame *frame);
    void (*lstm_back)(const lc_lstm_back *frame);

    /* y (bins, c) and which from x (bins * pool, width). */
    void (*relu_pool)(const lc_frame_pool *p, float *y, const float *x);

    /* Its backward pass: d_x (bins * pool, width) from d_y (bins, c); adds the sums over bins to d_bias (c). */
    void (*relu_unpool)(const lc_frame_pool *p, float *d_x, float *d_bias, const float *d_y);

    /* x becomes gain (x - mean) / sd + shift. Backward: d, the gradient of the output, becomes that of the input;
     * adds to d_gain and d_shift. */
    void (*frame_norm_forward)(const lc_frame_norm *frame, float *x);
    void (*frame_norm_backward)(const lc_frame_norm *frame, float *d, float *d_gain, float *d_shift);

    /* Winograd's transforms along time, see winograd.c. d_in: held is 0, 2 or tile + 2, the first rows that are added
     * to; the others are set. */
    void (*winograd_in)(const lc_rows *r);
    void (*winograd_out)(const lc_rows *r);
    void (*winograd_d_out)(const lc_rows *r);
    void (*winograd_d_in)(const lc_rows *r, size_t held);

    /* Zeros in the first n floats, a multiple of LC_COLUMN_BLOCK, of so many rows of m; perhaps in up to LC_OVERRUN
     * behind each. */
    void (*winograd_clear)(float *m, size_t m_row, size_t n, size_t rows);

    /* winograd_out with relu_pool, and relu_unpool with winograd_d_out, in one: the unpooled row stays in registers. */
    void (*winograd_pool)(const lc_pooled *p);
    void (*winograd_unpool)(const lc_pooled *p);

    /* Forward up to the pooled output; from the gradient of that to the gradients of weights and bias. */
    void (*first_pool)(const lc_first *f);
    void (*first_grads)(const lc_first *f);

    /* The same along frequency. in: from rows to points, and up to LC_OVERRUN floats behind each plane are written; its
     * rows end in LC_OVERRUN floats that are read. d_out: from the gradient of rows to that of points. The products set
     * the rows, by way of the points or of registers; what the points then hold is undefined. d_out and the products
     * want channels padded to LC_COLUMN_BLOCK. */
    void (*tiles_in)(const lc_tiles *t);
    void (*tiles_product_out)(const lc_tiles_product *p);
    void (*tiles_d_out)(const lc_tiles *t);
    void (*tiles_product_d_in)(const lc_tiles_product *p);
} lc_nn_kernels;

/* The sets differ in the last bits, since with FMA a product is not rounded before it is added: a run is repeatable bit
 * for bit on one of them, not across them. */
extern const lc_nn_kernels lc_nn_kernels_ref;
#ifdef LC_X86
extern const lc_nn_kernels lc_nn_kernels_avx2;
extern const lc_nn_kernels lc_nn_kernels_avx512;      /* one of the two that follow, by the number of columns */
extern const lc_nn_kernels lc_nn_kernels_wide_avx512; /* 16 floats to a vector */
extern const lc_nn_kernels lc_nn_kernels_half_avx512; /* 8 floats */
#endif

const lc_nn_kernels *lc_nn_kernels_of(lc_isa isa);

#endif
