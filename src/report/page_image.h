/* SPDX-License-Identifier: MIT
 *
 * page_image.h - images in the report: each with a mark at every event, and the probability map.
 *
 * Places are in pixels of the image; the centre of the upper left one is (0, 0).
 */
#ifndef LC_REPORT_PAGE_IMAGE_H
#define LC_REPORT_PAGE_IMAGE_H

#include "report/page.h"

enum {
    LC_PAGE_MOST_SIDE = 1200,       /* pixels of what is shown of an image */
    LC_PAGE_IMAGE_BYTES = 6 << 20,  /* of all images of a page, before base64 */
    LC_PAGE_LEAST_BYTES = 150 << 10 /* of one image; a page with many may be larger */
};

typedef struct lc_page_point {
    double x, y; /* of a miss, those of the reference */
    size_t kind; /* class */
    double probability;
    lc_page_verdict verdict;
    double off; /* of a hit: pixels from the reference */
} lc_page_point;

/* The count of one class in an image. */
typedef struct lc_page_number {
    double expected;  /* by the model */
    size_t low, high; /* where it lies nine times of ten */
    loco_label known; /* in the data; unknown: not */
} lc_page_number;

typedef struct lc_page_image {
    const char *name;
    size_t width, height; /* in pixels; what is shown may be smaller */
    const char *png;      /* (png_len) what is shown, as a PNG file */
    size_t png_len;
    const float *logits; /* (rows, columns, K) */
    size_t rows, columns;
    double cell;   /* pixels from place to place */
    double radius; /* within which a detection is a hit, in pixels */
    const lc_page_point *points;
    size_t points_len;
    const lc_page_number *numbers; /* (K) */
} lc_page_image;

/* Refuses an image that cannot be drawn, with the value at fault. */
LOCO_MUST_USE loco_status lc_page_images_check(const lc_page *page, loco_err *err);

/* All images of the page, after a list of them to jump to. */
LOCO_MUST_USE loco_status lc_page_images_write(lc_text *out, const lc_page *page, loco_err *err);

#endif
