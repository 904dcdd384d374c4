/* SPDX-License-Identifier: MIT
 * tiff_values.h - numbers of a TIFF file as values of an image.
 *
 * Of 8 and 16 bits they stay as they are. Other numbers (32 bits, signed, floats) have no range of their own: they become 16
 * bits, with the least value of the image as 0 and the largest as 65535. Where 0 is white, values are turned over, and
 * numbers of a palette become its colours. */
#ifndef LC_IMAGE_TIFF_VALUES_H
#define LC_IMAGE_TIFF_VALUES_H

#include "image/image.h"

#include <stdint.h>

typedef struct lc_tiff_values {
    uint16_t bits, format;         /* as the tags BitsPerSample and SampleFormat */
    bool turned;                   /* 0 is white */
    bool coloured;                 /* numbers of a palette */
    unsigned char palette[3][256]; /* red, green, blue */
    double least, largest;         /* of the image, where values are scaled by them */
} lc_tiff_values;

/* A row of numbers: count of them, `step` bytes apart. The first becomes value `to` of the image, the next lie `channels`
 * values further each. */
typedef struct lc_tiff_row {
    const unsigned char *from;
    size_t step, count, to;
} lc_tiff_row;

bool lc_tiff_values_known(const lc_tiff_values *v);  /* whether numbers of this kind are read */
bool lc_tiff_values_scaled(const lc_tiff_values *v); /* whether the range has to be noted before they are put */

void lc_tiff_values_note(lc_tiff_values *v, const lc_tiff_row *row);
void lc_tiff_values_put(const lc_tiff_values *v, const lc_tiff_row *row, const lc_image *image);

#endif
