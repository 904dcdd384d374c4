/* SPDX-License-Identifier: MIT
 * image_conv.h - one 3x3 convolution of a block of small images, zeros around them; image_conv.c says how. */
#ifndef LC_NN_IMAGE_CONV_H
#define LC_NN_IMAGE_CONV_H

#include "nn/image_kernels.h"

typedef enum lc_image_way { LC_IMAGE_PATCHES, LC_IMAGE_TILES, LC_IMAGE_WHOLE } lc_image_way;

/* The shape of a convolution, and of the matrix products that it becomes. */
typedef struct lc_image_conv {
    size_t height, width, c, n; /* (height, width, c) to (height, width, n) */
    lc_image_way way;
    size_t frames;         /* images at a time, at most */
    size_t wide_c, wide_n; /* channels, padded to LC_IMAGE_BLOCK */
    size_t tiles_y, tiles_x;
    size_t points, rows, depth, columns; /* for each point: (images * rows, depth) times (depth, columns) */
    size_t v_stride, m_stride;           /* floats from row to row of the inputs and of the outputs of a product */
    size_t out_row, out_size;            /* floats of a row and of an image of outputs; pixels are wide_n apart */
} lc_image_conv;

lc_image_conv lc_image_conv_of(size_t height, size_t width, size_t c, size_t n);

/* Floats: packed weights, their gradient, and scratch of one call. */
size_t lc_image_conv_packed(const lc_image_conv *conv);
size_t lc_image_conv_grads(const lc_image_conv *conv);
size_t lc_image_conv_scratch(const lc_image_conv *conv);

/* params: weights (3, 3, c, n), then biases (n). */
void lc_image_conv_pack(const lc_image_conv *conv, const float *params, float *packed);
void lc_image_conv_unpack(const lc_image_conv *conv, const float *grads, float *d_params); /* adds */

/* What one call works on. */
typedef struct lc_image_pass {
    const lc_nn_kernels *kernels;
    const lc_image_kernels *image;
    const float *packed;
    float *grads, *scratch;
    size_t frames; /* at most conv->frames */
} lc_image_pass;

/* out: z, without ReLU. Pixels past the image, where tiles reach over its end, hold anything. With patches the images
 * of out must lie one behind the other. */
void lc_image_conv_forward(const lc_image_conv *conv, const lc_image_pass *pass, lc_images in, lc_images out);

/* dz: images of out_size one behind the other, zeros past the image. Adds to the gradient of the weights and to d_in
 * (data NULL: not wanted); the caller adds that of the bias, the last wide_n floats of grads. */
void lc_image_conv_backward(const lc_image_conv *conv, const lc_image_pass *pass, lc_images in, const float *dz,
                            lc_images d_in);

#endif
