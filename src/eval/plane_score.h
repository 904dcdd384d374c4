/* SPDX-License-Identifier: MIT
 * plane_score.h - what is scored of images besides the events of each class: which classes are confused, and the class of
 * images with one event.
 *
 * For the confusion, events are matched by their places whatever their class (plane_match.h), within the first
 * tolerance. An image with one true event in all is right when the most probable of the events found in it has its
 * class; where none was found it is wrong. The count error is the mean over images of |events found - true events|. */
#ifndef LC_EVAL_PLANE_SCORE_H
#define LC_EVAL_PLANE_SCORE_H

#include "base/text.h"
#include "eval/plane_match.h"

typedef struct lc_plane_score {
    size_t classes;
    double radius;
    size_t *confusion;       /* (classes + 1, classes + 1): [true][found]; the last row: false alarms, column: missed */
    size_t lone, lone_right; /* images with one true event, and those of the right class */
    size_t images;
    double count_error; /* sum over images of |events found - true events| */
    lc_block points;    /* of one image */
    lc_block scratch;
} lc_plane_score;

/* radius in pixels; free it in any case. */
LOCO_MUST_USE loco_status lc_plane_score_new(lc_plane_score **score, size_t classes, double radius, loco_err *err);
void lc_plane_score_free(lc_plane_score *score);

/* Adds one image; kinds must be below classes and places finite, as lc_score_add has checked. On failure the score is
 * unchanged. */
LOCO_MUST_USE loco_status lc_plane_score_add(lc_plane_score *score, const loco_event *reference, size_t n,
                                             const loco_event *estimate, size_t m, loco_err *err);

/* Appends a table of the confusion where there are 2 to 24 classes, and lines about the count error and
 * images with one event. */
void lc_plane_score_table(lc_text *out, const lc_plane_score *score, const char *const *names);

/* The same into the JSON object that was just closed: "unit": "px", "confusion": [[...], ...], "count_error": 0.31,
 * "lone": {"images": 12, "class_right": 0.9912}. */
void lc_plane_score_json(lc_text *out, const lc_plane_score *score);

#endif
