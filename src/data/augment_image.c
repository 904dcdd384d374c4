/* SPDX-License-Identifier: MIT
 * augment_image.c - random changes of images: mirrors, light, noise. */
#include "data/augment.h"

#include <math.h>
#include <string.h>

static void swap_pixels(float *a, float *b, size_t channels)
{
    for (size_t c = 0; c < channels; c++) {
        float kept = a[c];
        a[c] = b[c];
        b[c] = kept;
    }
}

void lc_augment_turn(float *pixels, size_t rows, size_t columns, size_t channels, unsigned turn)
{
    size_t row = columns * channels;
    for (size_t y = 0; (turn & LC_TURN_DIAGONAL) != 0 && rows == columns && y < rows; y++)
        for (size_t x = 0; x < y; x++)
            swap_pixels(pixels + y * row + x * channels, pixels + x * row + y * channels, channels);
    for (size_t y = 0; (turn & LC_TURN_ACROSS) != 0 && y < rows; y++)
        for (size_t x = 0; x < columns / 2; x++)
            swap_pixels(pixels + y * row + x * channels, pixels + y * row + (columns - 1 - x) * channels, channels);
    for (size_t y = 0; (turn & LC_TURN_OVER) != 0 && y < rows / 2; y++)
        swap_pixels(pixels + y * row, pixels + (rows - 1 - y) * row, row);
}

void lc_augment_turn_place(double *x, double *y, size_t rows, size_t columns, unsigned turn)
{
    double kept = *x;
    if ((turn & LC_TURN_DIAGONAL) != 0 && rows == columns) {
        *x = *y;
        *y = kept;
    }
    if ((turn & LC_TURN_ACROSS) != 0)
        *x = (double)columns - 1 - *x;
    if ((turn & LC_TURN_OVER) != 0)
        *y = (double)rows - 1 - *y;
}

/* ---- warps ---- */

static double swing(lc_rng *rng, double most)
{
    return most * (2 * lc_rng_uniform(rng) - 1);
}

lc_warp lc_warp_draw(double most, double shift, lc_rng *rng)
{
    double turn = swing(rng, most), across = 1 + swing(rng, most), down = 1 + swing(rng, most),
           shear = swing(rng, most);
    double c = cos(turn), s = sin(turn);
    return (lc_warp){.a = c * across,
                     .b = (c * shear - s) * down,
                     .c = s * across,
                     .d = (s * shear + c) * down,
                     .dx = swing(rng, shift),
                     .dy = swing(rng, shift)};
}

static double clamp(double value, size_t n)
{
    return fmin(fmax(value, 0), (double)n - 1);
}

void lc_augment_warp(float *to, const float *pixels, size_t rows, size_t columns, size_t channels, const lc_warp *w)
{
    double mx = ((double)columns - 1) / 2, my = ((double)rows - 1) / 2;
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < columns; x++) {
            double u = (double)x - mx, v = (double)y - my;
            double px = clamp(w->a * u + w->b * v + w->dx + mx, columns),
                   py = clamp(w->c * u + w->d * v + w->dy + my, rows);
            size_t left = (size_t)px, up = (size_t)py;
            size_t right = left + 1 < columns ? left + 1 : left, down = up + 1 < rows ? up + 1 : up;
            float fx = (float)(px - (double)left), fy = (float)(py - (double)up);
            for (size_t c = 0; c < channels; c++) {
                float top = (1 - fx) * pixels[(up * columns + left) * channels + c] +
                            fx * pixels[(up * columns + right) * channels + c];
                float low = (1 - fx) * pixels[(down * columns + left) * channels + c] +
                            fx * pixels[(down * columns + right) * channels + c];
                *to++ = (1 - fy) * top + fy * low;
            }
        }
}

void lc_augment_warp_place(double *x, double *y, size_t rows, size_t columns, const lc_warp *w)
{
    double mx = ((double)columns - 1) / 2, my = ((double)rows - 1) / 2, det = w->a * w->d - w->b * w->c;
    double u = *x - mx - w->dx, v = *y - my - w->dy;
    *x = (w->d * u - w->b * v) / det + mx;
    *y = (w->a * v - w->c * u) / det + my;
}

/* ---- light ---- */

/* Noise of any size up to what is allowed, from 60 dB below the picture on. */
void lc_augment_image(float *pixels, size_t n, double gain, double noise, lc_rng *rng)
{
    if (gain > 0) {
        float factor = (float)pow(10, gain * (2 * lc_rng_uniform(rng) - 1) / 20);
        for (size_t i = 0; i < n; i++)
            pixels[i] *= factor;
    }
    if (noise > -120)
        lc_augment_series_noise(pixels, n, 1, 60 - (60 + noise) * lc_rng_uniform(rng), rng);
}
