/* SPDX-License-Identifier: MIT
 *
 * paint.c - a digit, turned, scaled and sheared a little.
 *
 * A pixel (x, y) of the box, from its middle, shows the digit at M (x, y), between whose pixels values are interpolated;
 *     M = 1/s (cos t  sin t; -sin t  cos t) (1  h; 0  1)
 */
#include "signal/filter.h"
#include "studio/images/digits.h"

#include <string.h>

typedef struct warp {
    double xx, xy, yx, yy;
} warp;

static warp draw_warp(const lc_digit_changes *changes, lc_rng *rng)
{
    double turn = lc_draw_even(rng, -changes->turn, changes->turn) * LC_PI / 180;
    double scale = 1 / (1 + lc_draw_even(rng, -changes->scale, changes->scale));
    double shear = lc_draw_even(rng, -changes->shear, changes->shear);
    double c = cos(turn) * scale, s = sin(turn) * scale;
    return (warp){.xx = c, .xy = c * shear + s, .yx = -s, .yy = c - s * shear};
}

static double pixel(const unsigned char *digit, size_t height, size_t width, double x, double y)
{
    bool inside = x >= 0 && y >= 0 && x < (double)width && y < (double)height;
    return inside ? digit[(size_t)y * width + (size_t)x] : 0;
}

static unsigned char between(const unsigned char *digit, size_t height, size_t width, double x, double y)
{
    double left = floor(x), top = floor(y), right = x - left, down = y - top;
    double upper = (1 - right) * pixel(digit, height, width, left, top) +
                   right * pixel(digit, height, width, left + 1, top);
    double lower = (1 - right) * pixel(digit, height, width, left, top + 1) +
                   right * pixel(digit, height, width, left + 1, top + 1);
    return (unsigned char)lrint((1 - down) * upper + down * lower);
}

void lc_digit_paint(unsigned char *to, size_t stride, const unsigned char *digit, size_t height, size_t width,
                    const lc_digit_changes *changes, lc_rng *rng)
{
    bool changed = changes->turn > 0 || changes->scale > 0 || changes->shear > 0;
    double middle_x = ((double)width - 1) / 2, middle_y = ((double)height - 1) / 2;
    warp w = changed ? draw_warp(changes, rng) : (warp){0};
    for (size_t i = 0; i < height; i++) {
        if (!changed)
            memcpy(to + i * stride, digit + i * width, width);
        for (size_t j = 0; changed && j < width; j++) {
            double x = (double)j - middle_x, y = (double)i - middle_y;
            to[i * stride + j] = between(digit, height, width, middle_x + w.xx * x + w.xy * y,
                                         middle_y + w.yx * x + w.yy * y);
        }
    }
}
