/* SPDX-License-Identifier: MIT
 * image.h - pictures in memory, read from files of any kind that is known by its first bytes, and saved as PNG.
 *
 * At most LC_IMAGE_MOST x LC_IMAGE_MOST pixels and LC_IMAGE_BYTES of values are read. What a header claims is compared with
 * that, and with the size of the file, before memory is taken. Alpha is ignored; of a file with several pictures the first
 * one is read. */
#ifndef LC_IMAGE_IMAGE_H
#define LC_IMAGE_IMAGE_H

#include "base/text.h"
#include "loco.h"

#include <stdbool.h>
#include <stddef.h>

enum { LC_IMAGE_MOST = 32768, LC_IMAGE_BYTES = 1 << 30 };

typedef struct lc_image {
    size_t height, width, channels; /* channels 1 (grey) or 3 (red, green, blue) */
    size_t bytes;                   /* of a value: 1 or 2 (native order) */
    unsigned char *values;          /* (height, width, channels) */
} lc_image;

/* Reads a file, by its content. An error names the file and says what to do; the image is then untouched. */
LOCO_MUST_USE loco_status lc_image_load(lc_image *image, const char *path, loco_err *err);

/* Whether the ending of path is one of an image: .png .jpg .jpeg .pgm .ppm .pnm .tif .tiff, in small or capital letters. */
bool lc_image_claims(const char *path);

/* The sizes, from the header alone; values are NULL. */
LOCO_MUST_USE loco_status lc_image_measure(lc_image *image, const char *path, loco_err *err);

void lc_image_free(lc_image *image);

/* Row y, columns x0..x0+n-1, as floats of 0..1, grey (channels 1: the luminance of colours) or red, green, blue (3: a grey
 * image gives three equal ones); columns and rows beyond the edge are those of the edge. */
void lc_image_row(const lc_image *image, size_t y, ptrdiff_t x0, size_t n, size_t channels, float *row);

/* The bytes of a PNG file, which the caller frees. */
LOCO_MUST_USE loco_status lc_image_format(lc_text *bytes, const lc_image *image, loco_err *err);

/* Saves as PNG, atomically. */
LOCO_MUST_USE loco_status lc_image_save(const char *path, const lc_image *image, loco_err *err);

#endif
