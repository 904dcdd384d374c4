/* SPDX-License-Identifier: MIT
 *
 * picture.h - what is shown of an image: 8 bits a value, at any size.
 */
#ifndef LC_REPORT_PICTURE_H
#define LC_REPORT_PICTURE_H

#include "image/image.h"

/* A copy of height x width pixels, each the mean of what it covers; values of 16 bits are spread over all shades first,
 * since those of a microscope often fill a small part of their range. channels: 1 (grey) or 3. The caller frees it by
 * lc_image_free. */
LOCO_MUST_USE loco_status lc_picture_resize(lc_image *picture, const lc_image *image, size_t height, size_t width,
                                            size_t channels, loco_err *err);

/* The largest height and width in the same proportion with at most `most` pixels on a side, never more than the
 * image's. */
void lc_picture_fit(size_t *height, size_t *width, const lc_image *image, size_t most);

/* As PNG, at most `most` pixels on a side and about `bytes` long: it is made smaller until it is. Appends to out. */
LOCO_MUST_USE loco_status lc_picture_format(lc_text *out, const lc_image *image, size_t most, size_t bytes,
                                            loco_err *err);

#endif
