/* SPDX-License-Identifier: MIT
 * tally_image.h - the counts of images: of whole ones, or of the rows and rectangles that are the clips of a data set. */
#ifndef LC_DETECT_TALLY_IMAGE_H
#define LC_DETECT_TALLY_IMAGE_H

#include "data/dataset.h"
#include "detect/input.h"
#include "model/model.h"

/* Where rows go. */
typedef struct lc_tally_image {
    const loco_model *model;
    const loco_tally_options *how;
    loco_tally_take *take;
    void *context;
} lc_tally_image;

/* A row for each class of a file. */
LOCO_MUST_USE loco_status lc_tally_image_whole(const lc_tally_image *job, const lc_input *input, loco_err *err);

/* A row for each class of each clip, image after image, in the order of counts.csv. Lengths were checked. */
LOCO_MUST_USE loco_status lc_tally_image_clips(const lc_tally_image *job, const lc_dataset *set, loco_err *err);

#endif
