/* SPDX-License-Identifier: MIT
 * digits.h - canvases with digits of MNIST, or of anything in its format: pictures of one size with labels 0 to 9. */
#ifndef LC_STUDIO_IMAGES_DIGITS_H
#define LC_STUDIO_IMAGES_DIGITS_H

#include "base/text.h"
#include "studio/images/image_set.h"

enum { LC_DIGIT_CLASSES = 10 };

typedef struct lc_digits {
    size_t n, height, width;
    unsigned char *pixels; /* (n, height, width) */
    unsigned char *labels; /* (n), 0 to 9 */
} lc_digits;

/* Reads the images and labels of a folder with the four files of MNIST, gzipped or not: its training digits, or, unseen,
 * its test digits. from may also be a file of images, beside which its labels lie; it has no unseen ones. Appends a line
 * for sources.txt. */
LOCO_MUST_USE loco_status lc_digits_load(lc_digits *digits, lc_text *sources, const char *from, bool unseen,
                                         loco_err *err);
void lc_digits_free(lc_digits *digits);

/* How a digit is changed, each evenly up to these in both directions; all 0: not at all. */
typedef struct lc_digit_changes {
    double turn;  /* degrees */
    double scale; /* larger or smaller by this share */
    double shear; /* pixels to the side for each pixel upwards */
} lc_digit_changes;

/* Draws changes, and the digit (height, width) into the box of the same size at `to`, whose rows are `stride` apart.
 * What leaves the box is lost. */
void lc_digit_paint(unsigned char *to, size_t stride, const unsigned char *digit, size_t height, size_t width,
                    const lc_digit_changes *changes, lc_rng *rng);

typedef struct lc_canvas_settings {
    const studio_image_options *options;
    const lc_digits *digits;
    lc_digit_changes changes;
    bool each; /* in the order of the file; else evenly among all */
} lc_canvas_settings;

/* An lc_image_maker with lc_canvas_settings: digits on black, whose boxes do not overlap. The event is the middle of the
 * box, which for MNIST is the digit's centre of mass, too, to half a pixel. */
LOCO_MUST_USE loco_status lc_canvas_make(const void *context, size_t index, lc_drawn *drawn, loco_err *err);

#endif
