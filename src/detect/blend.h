/* SPDX-License-Identifier: MIT
 * blend.h - several versions of one recording, averaged: probabilities on a common grid of frames, from which one
 * decoder then takes the events. Simpler than a vote (ensemble.h), and no threshold comes before the average.
 *
 *   p(t) = sum_v w_v r_v p_v(t) / sum_v w_v   over the versions v that cover the time of frame t
 *
 * p_v(t) lies on the line between the two frames of the version around that time. r_v = hop / (scale * hop_v) is how
 * many of its frames a frame of the grid replaces: a version with more frames a second has more frames with the
 * mass of one event, and the sum of p, the expected count, must not depend on that. */
#ifndef LC_DETECT_BLEND_H
#define LC_DETECT_BLEND_H

#include "detect/ensemble.h"

typedef struct lc_blend lc_blend;

/* A grid of T frames, frame t at t * hop seconds of the original. 8 bytes a frame and class: blend long recordings in
 * pieces, with `shift` counted from the begin of the piece. */
LOCO_MUST_USE loco_status lc_blend_new(lc_blend **blend, size_t T, size_t classes, double hop, loco_err *err);
void lc_blend_free(lc_blend *blend);

/* Logits (T, K) of one version, hop seconds of its own time apart. */
LOCO_MUST_USE loco_status lc_blend_add(lc_blend *blend, const lc_version *version, const float *logits, size_t T,
                                       double hop, loco_err *err);

/* The average as logits (T, K) within -30..30; frames that no version covers have -30. */
void lc_blend_logits(const lc_blend *blend, float *logits);

#endif
