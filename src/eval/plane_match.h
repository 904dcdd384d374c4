/* SPDX-License-Identifier: MIT
 * plane_match.h - which estimated place belongs to which true one in an image. */
#ifndef LC_EVAL_PLANE_MATCH_H
#define LC_EVAL_PLANE_MATCH_H

#include "base/mem.h"
#include "eval/match.h"
#include "loco.h"

/* A side of the comparison: n places in pixels. */
typedef struct lc_points {
    const double *x, *y;
    size_t n;
} lc_points;

/* Pairs places one to one, as many as possible at a distance of at most radius: dx dx + dy dy <= radius radius in doubles.
 * pair_of_reference[i] becomes the number of the estimate that belongs to reference i, or LC_UNMATCHED; *matched their
 * number. Of the largest matchings the sum of distances is near the least one. LOCO_ENOMEM; scratch is kept from call to
 * call, {0} at first. Coordinates must be finite. */
LOCO_MUST_USE loco_status lc_plane_match(size_t *pair_of_reference, size_t *matched, lc_points reference,
                                         lc_points estimate, double radius, lc_block *scratch, loco_err *err);

#endif
