/* SPDX-License-Identifier: MIT
 * hilbert.h - an image as a sequence: windows of it in the order of a Hilbert curve.
 *
 * The curve passes each cell of a grid once, and steps from a cell to one beside it: what is close in the sequence is
 * close in the image, so that a recurrent layer can see that two windows show the same thing. */
#ifndef LC_IMAGE_HILBERT_H
#define LC_IMAGE_HILBERT_H

#include "image/image.h"

typedef struct lc_grid_cell {
    size_t x, y;
} lc_grid_cell;

/* Cell d < 4^order of the curve through a square of 2^order x 2^order cells, which begins at (0, 0) and ends at
 * (2^order - 1, 0). order is at most 31. */
lc_grid_cell lc_hilbert_cell(unsigned order, uint64_t d);

/* LC_WINDOW_MOST: numbers of a window, the most that a network takes for a frame. */
enum { LC_WINDOW_MOST = 1 << 20 };

/* How an image is cut; made by lc_windows_plan. */
typedef struct lc_windows {
    size_t height, width, channels; /* of the image */
    size_t size, step;              /* windows of size x size pixels around cells of step x step */
    size_t T;                       /* windows: one for each cell that has a pixel of the image */
    size_t frame;                   /* size * size * channels */
} lc_windows;

/* The sizes of a cut. An error says which of them cannot be. */
LOCO_MUST_USE loco_status lc_windows_plan(lc_windows *windows, size_t height, size_t width, size_t channels,
                                          size_t size, size_t step, loco_err *err);

/* image (height, width, channels) to frames (T, size, size, channels), zeros where a window reaches over the edge. */
void lc_windows_cut(const lc_windows *windows, const float *image, float *frames);

/* The pixel in the middle of each of the T windows: where an event in frame t is. Past the edge for a cell that lies
 * half outside. */
void lc_windows_places(const lc_windows *windows, lc_grid_cell *places);

#endif
