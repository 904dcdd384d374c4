/* SPDX-License-Identifier: MIT
 * view.c - mirrored images; see view.h. */
#include "image/view.h"

lc_view lc_view_of(const lc_image *image, unsigned turn)
{
    bool diagonal = (turn & LC_TURN_DIAGONAL) != 0;
    return (lc_view){image, diagonal ? image->width : image->height, diagonal ? image->height : image->width, turn};
}

/* A row of the view is a column of the image: pixel after pixel. */
static void column_row(const lc_view *view, size_t x, ptrdiff_t y0, size_t n, size_t channels, float *row)
{
    ptrdiff_t last = (ptrdiff_t)view->image->height - 1;
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t y = y0 + (ptrdiff_t)i;
        y = y < 0 ? 0 : y > last ? last : y;
        lc_image_row(view->image, (size_t)y, (ptrdiff_t)x, 1, channels, row + i * channels);
    }
}

static void reverse(float *row, size_t n, size_t channels)
{
    for (size_t i = 0; i < n / 2; i++)
        for (size_t c = 0; c < channels; c++) {
            float *a = row + i * channels + c, *b = row + (n - 1 - i) * channels + c, kept = *a;
            *a = *b;
            *b = kept;
        }
}

void lc_view_row(const lc_view *view, size_t y, ptrdiff_t x0, size_t n, size_t channels, float *row)
{
    bool across = (view->turn & LC_TURN_ACROSS) != 0;
    ptrdiff_t from = across ? (ptrdiff_t)view->width - x0 - (ptrdiff_t)n : x0;
    y = y < view->height ? y : view->height - 1;
    y = (view->turn & LC_TURN_OVER) != 0 ? view->height - 1 - y : y;
    if ((view->turn & LC_TURN_DIAGONAL) != 0)
        column_row(view, y, from, n, channels, row);
    else
        lc_image_row(view->image, y, from, n, channels, row);
    if (across)
        reverse(row, n, channels);
}
