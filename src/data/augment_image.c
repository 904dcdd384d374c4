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
