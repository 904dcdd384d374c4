/* SPDX-License-Identifier: MIT
 * spots.h - images of bright spots, as of cells under a fluorescence microscope. */
#ifndef LC_STUDIO_IMAGES_SPOTS_H
#define LC_STUDIO_IMAGES_SPOTS_H

#include "studio/images/image_set.h"

typedef struct lc_spots_settings {
    const studio_image_options *options;
    double radius_least, radius_most; /* pixels; each image has a radius of its own, around which its spots vary */
} lc_spots_settings;

/* An lc_image_maker with lc_spots_settings. Every image has its own size, softness, shape and brightness of spots, its
 * own crowding, background, lamp and camera. Spots may overlap; their middles lie in the image, and some way apart as
 * long as there is room. */
LOCO_MUST_USE loco_status lc_spots_make(const void *context, size_t index, lc_drawn *drawn, loco_err *err);

#endif
