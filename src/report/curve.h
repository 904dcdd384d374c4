/* SPDX-License-Identifier: MIT
 *
 * curve.h - how training went: loss and score over steps, as an SVG picture.
 */
#ifndef LC_REPORT_CURVE_H
#define LC_REPORT_CURVE_H

#include "base/text.h"
#include "loco.h"

enum { LC_CURVE_MOST_SERIES = 4 };

/* One line. steps rise; a value that is not finite, or beyond +-1e9, leaves a gap. */
typedef struct lc_curve_series {
    const char *name;
    const double *steps, *values; /* (len) */
    size_t len;
    bool validation; /* measured on data that was not trained on: orange, the others blue */
} lc_curve_series;

/* Two panels above each other, either may be empty, not both. */
typedef struct lc_curve {
    const char *title; /* may be NULL */
    const lc_curve_series *loss;
    size_t loss_len; /* at most LC_CURVE_MOST_SERIES */
    const lc_curve_series *scores;
    size_t scores_len;
    const char *score_name; /* "F-measure"; NULL: "score" */
    double best_step;       /* marked by a line, "kept"; below 0: none */
} lc_curve;

/* Appends the picture. On failure out is as long as before. LOCO_EARG names the series that cannot be drawn. */
LOCO_MUST_USE loco_status lc_curve_write(lc_text *out, const lc_curve *curve, loco_err *err);

#endif
