/* SPDX-License-Identifier: MIT
 * view.h - an image as it is seen in a mirror or turned, read where it lies. */
#ifndef LC_IMAGE_VIEW_H
#define LC_IMAGE_VIEW_H

#include "image/image.h"

/* Mirrored left-right, up-down, along the diagonal from the upper left corner; the last one is done first. Together they are
 * all eight ways to put a picture on a table. */
enum { LC_TURN_ACROSS = 1, LC_TURN_OVER = 2, LC_TURN_DIAGONAL = 4, LC_TURNS = 8 };

typedef struct lc_view {
    const lc_image *image;
    size_t height, width; /* as it is seen */
    unsigned turn;        /* LC_TURN_..., together */
} lc_view;

lc_view lc_view_of(const lc_image *image, unsigned turn);

/* As lc_image_row. */
void lc_view_row(const lc_view *view, size_t y, ptrdiff_t x0, size_t n, size_t channels, float *row);

#endif
