/* SPDX-License-Identifier: MIT
 * image_kernels.h - the inner loops of 3x3 convolutions on small images, one table per instruction set.
 *
 * One body (image_body.h) is compiled once per set. All rows are LC_IMAGE_BLOCK channels or a multiple of it, zeros
 * behind the real ones: no loop here has an end to test for, whatever the width of a vector, but for frames of the
 * network itself (pool, unpool), which have no padding. */
#ifndef LC_NN_IMAGE_KERNELS_H
#define LC_NN_IMAGE_KERNELS_H

#include "nn/kernels.h"

/* LC_IMAGE_BLOCK: floats of the widest vector, and of a panel of weights. A tile of 4x4 pixels is made from 6x6. */
enum { LC_IMAGE_BLOCK = 16, LC_IMAGE_TILE = 4, LC_IMAGE_POINTS = 36, LC_IMAGE_TAPS = 9 };

/* Pixels in memory: (y, x, channel) of image i is data[i * frame + y * row + x * pixel + channel]. */
typedef struct lc_images {
    float *data;
    size_t frame, row, pixel;
} lc_images;

/* One image after ReLU, and its maximum over squares of `pool` x `pool` (1 or 2); see image.c. */
typedef struct lc_image_pool {
    const float *z; /* rows of `row` floats, pixels of `wide` */
    float *dz;
    float *y; /* (height, width, n) */
    const float *dy;
    uint8_t *which; /* (height, width, wide): the pixel of the square that won, or 255 where none is positive */
    float *d_bias;  /* (wide) */
    size_t row, wide, height, width, n, pool;
} lc_image_pool;

typedef struct lc_image_kernels {
    /* Winograd's transforms of one tile, n channels: 6x6 pixels to 36 points `plane` floats apart, and their
     * transposes; tile_d_in adds. */
    void (*tile_in)(float *v, size_t plane, const float *in, size_t row, size_t pixel, size_t n);
    void (*tile_out)(float *out, size_t row, size_t pixel, const float *m, size_t plane, const float *bias, size_t n);
    void (*tile_d_out)(float *m, size_t plane, const float *d_out, size_t row, size_t pixel, size_t n);
    void (*tile_d_in)(float *d_in, size_t row, size_t pixel, const float *d_v, size_t plane, size_t n);

    /* d_w[tap * d_tap + i] += the weights' transform, transposed, of d_u[point * plane + i], for i below n. */
    void (*d_weights)(float *d_w, size_t d_tap, const float *d_u, size_t plane, size_t n);

    void (*relu)(float *z, size_t n);

    /* d of values that ReLU made: 0 where z is not positive; adds the sums over all pixels to d_bias (wide). */
    void (*relu_back)(float *d, float *d_bias, const float *z, size_t pixels, size_t wide);

    void (*pool)(const lc_image_pool *p);
    void (*unpool)(const lc_image_pool *p); /* writes the pixels of whole squares, adds to d_bias */
} lc_image_kernels;

extern const lc_image_kernels lc_image_kernels_ref;
#ifdef LC_X86
extern const lc_image_kernels lc_image_kernels_avx2;
extern const lc_image_kernels lc_image_kernels_avx512;
#endif

/* The table for the same instruction set as that one. */
const lc_image_kernels *lc_image_kernels_for(const lc_nn_kernels *kernels);

#endif
