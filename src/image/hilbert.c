/* SPDX-License-Identifier: MIT
 * hilbert.c - windows of an image in the order of a Hilbert curve.
 *
 *   A square of side 2s is four squares of side s, passed in the order  1 2   each from corner to corner by the curve
 *                                                                       0 3   of the next smaller order, 0 and 3 turned
 *   A number d in base 4 names a square in each of its digits; from the last digit to the first, (x, y) inside the
 *   smaller square becomes that in the larger one.
 *
 * Images whose sides are not a power of two of cells lie in the corner of the next larger square: cells without a pixel
 * are left out, and the order of the others stays. */
#include "image/hilbert.h"

#include "base/mem.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

lc_grid_cell lc_hilbert_cell(unsigned order, uint64_t d)
{
    size_t x = 0, y = 0;
    for (unsigned i = 0; i < order; i++, d /= 4) {
        size_t s = (size_t)1 << i, was = x;
        switch (d % 4) {
        case 0: x = y, y = was; break;
        case 1: y += s; break;
        case 2: x += s, y += s; break;
        default: x = 2 * s - 1 - y, y = s - 1 - was; break;
        }
    }
    return (lc_grid_cell){.x = x, .y = y};
}

static size_t cells_along(size_t pixels, size_t step)
{
    return (pixels + step - 1) / step;
}

/* Of the smallest square that holds the image's cells. */
static unsigned order_of(const lc_windows *w)
{
    size_t across = cells_along(w->width, w->step), down = cells_along(w->height, w->step);
    unsigned order = 0;
    while ((size_t)1 << order < (across > down ? across : down))
        order++;
    return order;
}

loco_status lc_windows_plan(lc_windows *windows, size_t height, size_t width, size_t channels, size_t size, size_t step,
                            loco_err *err)
{
    lc_windows w = {.height = height, .width = width, .channels = channels, .size = size, .step = step};
    size_t area;
    if (height < 1 || width < 1 || height > LC_IMAGE_MOST || width > LC_IMAGE_MOST)
        return lc_err_set(err, LOCO_EARG, "an image of %zux%zu pixels; 1x1 to %dx%d are possible", height, width,
                          LC_IMAGE_MOST, LC_IMAGE_MOST);
    if (step < 1 || step > LC_IMAGE_MOST)
        return lc_err_set(err, LOCO_EARG, "a step of %zu pixels between windows; 1 to %d are possible", step,
                          LC_IMAGE_MOST);
    if (size < 1 || channels < 1 || !lc_size_mul(size, size, &area) || !lc_size_mul(area, channels, &w.frame) ||
        w.frame > LC_WINDOW_MOST)
        return lc_err_set(err, LOCO_EARG, "windows of %zux%zu pixels and %zu channels; 1 to %d numbers are possible",
                          size, size, channels, LC_WINDOW_MOST);
    w.T = cells_along(height, step) * cells_along(width, step);
    *windows = w;
    return LOCO_OK;
}

static bool has_pixel(const lc_windows *w, size_t x, size_t y)
{
    return x * w->step < w->width && y * w->step < w->height;
}

/* How far to go from a cell without a pixel: past the largest square that begins there and has none either. Of a strip
 * of 32768 x 1 pixels the curve passes a billion cells. */
static uint64_t stride(const lc_windows *w, unsigned order, uint64_t d, lc_grid_cell cell)
{
    unsigned k = 0;
    while (k < order && d % ((uint64_t)4 << 2 * k) == 0 &&
           !has_pixel(w, cell.x >> (k + 1) << (k + 1), cell.y >> (k + 1) << (k + 1)))
        k++;
    return (uint64_t)1 << 2 * k;
}

/* The cells of the image, in order; false at the end. *d: where the curve is, 0 at first. */
static bool next_cell(const lc_windows *w, unsigned order, uint64_t *d, lc_grid_cell *cell)
{
    while (*d < (uint64_t)1 << 2 * order) {
        *cell = lc_hilbert_cell(order, *d);
        if (has_pixel(w, cell->x, cell->y)) {
            ++*d;
            return true;
        }
        *d += stride(w, order, *d, *cell);
    }
    return false;
}

/* A row of a window, whose first pixel is (x, y) of the image: perhaps outside, even before 0. */
static void cut_row(const lc_windows *w, const float *image, ptrdiff_t x, ptrdiff_t y, float *row)
{
    ptrdiff_t size = (ptrdiff_t)w->size, width = (ptrdiff_t)w->width;
    ptrdiff_t from = x < 0 ? -x : 0, to = x + size > width ? width - x : size;
    memset(row, 0, w->size * w->channels * sizeof *row);
    if (y < 0 || y >= (ptrdiff_t)w->height || from >= to)
        return;
    memcpy(row + (size_t)from * w->channels, image + (size_t)(y * width + x + from) * w->channels,
           (size_t)(to - from) * w->channels * sizeof *row);
}

void lc_windows_cut(const lc_windows *w, const float *image, float *frames)
{
    unsigned order = order_of(w);
    ptrdiff_t to_corner = (ptrdiff_t)(w->step / 2) - (ptrdiff_t)(w->size / 2);
    uint64_t d = 0;
    lc_grid_cell cell;
    while (next_cell(w, order, &d, &cell))
        for (size_t i = 0; i < w->size; i++, frames += w->size * w->channels)
            cut_row(w, image, (ptrdiff_t)(cell.x * w->step) + to_corner, (ptrdiff_t)(cell.y * w->step + i) + to_corner,
                    frames);
}

void lc_windows_places(const lc_windows *w, lc_grid_cell *places)
{
    unsigned order = order_of(w);
    uint64_t d = 0;
    lc_grid_cell cell;
    while (next_cell(w, order, &d, &cell))
        *places++ = (lc_grid_cell){.x = cell.x * w->step + w->step / 2, .y = cell.y * w->step + w->step / 2};
}
