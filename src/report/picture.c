/* SPDX-License-Identifier: MIT
 *
 * picture.c - what is shown of an image. Pixel x of m covers x n/m to (x + 1) n/m of n, and is their mean, by the part of
 *   each that is covered; so a whole factor repeats pixels. Rows are read one after the other: beside both images there
 *   are only a few rows in memory.
 */
#include "report/picture.h"

#include "base/mem.h"
#include "base/status.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- shades ---- */

/* A value v of 0..1 is shown as (v - low) * factor. */
typedef struct shades {
    float low, factor;
} shades;

enum { LEVELS = 65536 };

/* The first level with more than `left` values at and below it, coming from either end. */
static size_t level_after(const size_t *histogram, double left, bool from_top)
{
    size_t i = 0;
    for (double seen = 0; i < LEVELS - 1; i++) {
        seen += (double)histogram[from_top ? LEVELS - 1 - i : i];
        if (seen > left)
            break;
    }
    return from_top ? LEVELS - 1 - i : i;
}

/* Of 16 bits: one value of a thousand lies beyond each end. */
static loco_status shades_of(shades *s, const lc_image *image, loco_err *err)
{
    const uint16_t *values = (const void *)image->values;
    size_t n = image->height * image->width * image->channels;
    *s = (shades){0, 1};
    if (image->bytes == 1)
        return LOCO_OK;
    size_t *histogram = calloc(LEVELS, sizeof *histogram);
    if (histogram == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the shades of an image");
    for (size_t i = 0; i < n; i++)
        histogram[values[i]]++;
    size_t low = level_after(histogram, 1e-3 * (double)n, false), high = level_after(histogram, 1e-3 * (double)n, true);
    free(histogram);
    if (high > low)
        *s = (shades){(float)low / (LEVELS - 1), (float)(LEVELS - 1) / (float)(high - low)};
    return LOCO_OK;
}

static unsigned char shade(const shades *s, float value)
{
    return (unsigned char)lrintf(255 * fminf(1, fmaxf(0, (value - s->low) * s->factor)));
}

/* ---- size ---- */

/* The elements, of n, that one of m covers. */
typedef struct covered {
    size_t first, end;
    double from, to;
} covered;

static covered cover(size_t at, size_t m, size_t n)
{
    double step = (double)n / (double)m;
    covered c = {.from = (double)at * step, .to = (double)(at + 1) * step};
    c.first = (size_t)c.from;
    c.end = (size_t)ceil(c.to - 1e-9);
    c.end = c.end > n ? n : c.end;
    return c;
}

/* The share of element i in the mean. */
static float share(const covered *c, size_t i)
{
    return (float)((fmin(c->to, (double)(i + 1)) - fmax(c->from, (double)i)) / (c->to - c->from));
}

/* Adds n pixels as m, times weight. */
static void squeeze(float *out, size_t m, const float *row, size_t n, size_t channels, float weight)
{
    for (size_t x = 0; x < m; x++) {
        covered c = cover(x, m, n);
        for (size_t i = c.first; i < c.end; i++)
            for (size_t k = 0; k < channels; k++)
                out[x * channels + k] += weight * share(&c, i) * row[i * channels + k];
    }
}

static void fill(lc_image *picture, const lc_image *image, const shades *s, float *row, float *sum)
{
    size_t values = picture->width * picture->channels;
    for (size_t y = 0; y < picture->height; y++) {
        covered c = cover(y, picture->height, image->height);
        for (size_t i = 0; i < values; i++)
            sum[i] = 0;
        for (size_t i = c.first; i < c.end; i++) {
            lc_image_row(image, i, 0, image->width, picture->channels, row);
            squeeze(sum, picture->width, row, image->width, picture->channels, share(&c, i));
        }
        for (size_t i = 0; i < values; i++)
            picture->values[y * values + i] = shade(s, sum[i]);
    }
}

loco_status lc_picture_resize(lc_image *picture, const lc_image *image, size_t height, size_t width, size_t channels,
                              loco_err *err)
{
    shades s;
    lc_image made = {.height = height, .width = width, .channels = channels, .bytes = 1};
    size_t pixels, bytes;
    loco_status status = shades_of(&s, image, err);
    if (status != LOCO_OK)
        return status;
    bool fits = lc_size_mul(height, width, &pixels) && lc_size_mul(pixels, channels, &bytes) && bytes <= LC_IMAGE_BYTES;
    made.values = fits ? malloc(bytes) : NULL;
    float *row = malloc(image->width * channels * sizeof *row),
          *sum = fits ? calloc(width, channels * sizeof *sum) : NULL;
    if (made.values == NULL || row == NULL || sum == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture of %zu x %zu pixels", width, height);
    else
        fill(&made, image, &s, row, sum);
    free(row);
    free(sum);
    if (status == LOCO_OK)
        *picture = made;
    else
        lc_image_free(&made);
    return status;
}

/* ---- files ---- */

void lc_picture_fit(size_t *height, size_t *width, const lc_image *image, size_t most)
{
    size_t side = image->height > image->width ? image->height : image->width;
    double factor = side > most ? (double)most / (double)side : 1;
    *height = (size_t)fmax(1, round(factor * (double)image->height));
    *width = (size_t)fmax(1, round(factor * (double)image->width));
}

enum { TRIES = 4, LEAST_SIDE = 64 };

loco_status lc_picture_format(lc_text *out, const lc_image *image, size_t most, size_t bytes, loco_err *err)
{
    loco_status status = LOCO_OK;
    lc_text png = {0};
    for (int i = 0; status == LOCO_OK && i < TRIES && (i == 0 || png.length > bytes); i++) {
        lc_image picture = {0};
        size_t height, width;
        lc_picture_fit(&height, &width, image, most);
        lc_text_free(&png);
        status = lc_picture_resize(&picture, image, height, width, image->channels, err);
        if (status == LOCO_OK)
            status = lc_image_format(&png, &picture, err);
        lc_image_free(&picture);
        size_t side = height > width ? height : width;
        most = (size_t)fmax(LEAST_SIDE, 0.95 * (double)side * sqrt((double)bytes / (double)(png.length + 1)));
    }
    if (status == LOCO_OK)
        lc_text_append(out, png.bytes, png.length);
    lc_text_free(&png);
    if (status == LOCO_OK && out->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture");
    return status;
}
