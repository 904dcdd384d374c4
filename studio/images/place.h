/* SPDX-License-Identifier: MIT
 * place.h - where things lie in an image. */
#ifndef LC_STUDIO_IMAGES_PLACE_H
#define LC_STUDIO_IMAGES_PLACE_H

#include "base/rng.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct lc_corner {
    size_t x, y; /* upper left */
} lc_corner;

/* The most boxes of the same size that an image can hold without overlap. */
size_t lc_place_most(size_t width, size_t height, size_t box_width, size_t box_height);

/* Places n boxes, which do not overlap, wholly in an image: one after the other, each evenly among the places that are
 * left; where none is found, all begin anew. False: none was found after many times. */
bool lc_place_boxes(lc_corner *corners, size_t n, size_t width, size_t height, size_t box_width, size_t box_height,
                    lc_rng *rng);

#endif
