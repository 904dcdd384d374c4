/* SPDX-License-Identifier: MIT
 * detect_image.h - events in images: detected in one pass or by vote of several, and given their count; and what detection,
 *   counting and calibration share, the parts of an image that clips are. */
#ifndef LC_DETECT_DETECT_IMAGE_H
#define LC_DETECT_DETECT_IMAGE_H

#include "data/dataset.h"
#include "detect/decoder.h"
#include "detect/infer.h"
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

/* ---- events ---- */

/* Adds the events of an image, sorted. versions: how many shifted by parts of a cell vote, or the next number that
 * divides it evenly, up to one a pixel; 0 or 1: one pass. decoder: the model's, lc_detect_decoder. On failure the list is unchanged. */
LOCO_MUST_USE loco_status lc_detect_image(lc_event_array *list, const loco_model *model, lc_decoder *decoder,
                                          const lc_input *input, unsigned versions, loco_err *err);

/* Adds the most likely events of a part of an image, given what is known of their counts: labels, one a class. Sorted; on
 * failure the list is unchanged. */
LOCO_MUST_USE loco_status lc_detect_known(lc_event_array *list, const loco_model *model, const lc_decoder *decoder,
                                          const lc_logits *logits, const lc_plane_box *box, const loco_label *labels,
                                          loco_err *err);

#endif
