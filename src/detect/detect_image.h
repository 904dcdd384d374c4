/* SPDX-License-Identifier: MIT
 * detect_image.h - what detection, counting and calibration in images share: the parts of an image that clips are. */
#ifndef LC_DETECT_DETECT_IMAGE_H
#define LC_DETECT_DETECT_IMAGE_H

#include "data/dataset.h"
#include "detect/plane.h"
#include "model/model.h"

/* The part of its image, of so many rows, that a clip is. */
lc_plane_box lc_clip_box(const lc_clip *clip, double height);

/* Whether an event lies in a part. */
bool lc_box_holds(const lc_plane_box *box, const loco_event *event);

/* How many events of a class lie in a part. */
size_t lc_box_count(const lc_plane_box *box, const lc_event_array *events, size_t kind);

/* Rows and columns of places, ends not included. */
typedef struct lc_places {
    size_t row, row_end, column, column_end;
} lc_places;

/* The places of a part of an image of rows x columns places, moved by the offsets of the class: those with their centres
 * in it. A part that has the first or the last place has all places up to the edge. */
lc_places lc_detect_places(const loco_model *model, size_t kind, const lc_plane_box *box, size_t rows, size_t columns);

/* How many these are. */
size_t lc_places_len(const lc_places *places);

#endif
