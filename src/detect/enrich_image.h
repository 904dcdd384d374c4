/* SPDX-License-Identifier: MIT
 * enrich_image.h - the events of an image, from its clips, whole or rectangles, with known counts. */
#ifndef LC_DETECT_ENRICH_IMAGE_H
#define LC_DETECT_ENRICH_IMAGE_H

#include "detect/detect_image.h"

/* What all images share. */
typedef struct lc_enrich_images {
    const loco_model *model;
    const lc_decoder *decoder; /* its gap is the least distance, in pixels, narrowed where a count needs it */
    const char *where;         /* counts.csv, for messages */
    /* Receives a message where a row of counts.csv could not be met as written; may be NULL. */
    void (*notice)(void *context, const char *message);
    void *context;
} lc_enrich_images;

/* Adds the events of an image of so many rows, sorted by y. Events of one class that clips which overlap both gave, nearer
 * than the gap, become the more probable one. On failure the list is unchanged. */
LOCO_MUST_USE loco_status lc_enrich_image(lc_event_array *list, const lc_enrich_images *plan, const lc_logits *logits,
                                          double height, const lc_clip *clips, size_t clips_len, loco_err *err);

#endif
