/* SPDX-License-Identifier: MIT
 *
 * eval_panels.h - pictures of an evaluation: a small panel for each class, and one for all.
 */
#ifndef LC_REPORT_EVAL_PANELS_H
#define LC_REPORT_EVAL_PANELS_H

#include "base/text.h"
#include "calibrate/measure.h"

enum { LC_ERROR_BINS = 50, LC_EVAL_PANELS = 12 };

/* Signed errors of the matched pairs of a class, detected - true; {0} is empty. */
typedef struct lc_error_histogram {
    size_t pairs, bins[LC_ERROR_BINS]; /* even parts of -tolerance..tolerance */
    double mean, squares;              /* Welford: squares is the sum of squared deviations */
} lc_error_histogram;

void lc_error_add(lc_error_histogram *histogram, double error, double tolerance);

/* What both pictures show: classes, and when there are several also all, as the last. */
typedef struct lc_eval_scene {
    const char *title;
    const char *const *classes;
    size_t classes_len;
    double tolerance; /* seconds */
    const lc_sweep *sweep;
    const double *thresholds;         /* (classes) of the model */
    const lc_error_histogram *errors; /* (classes + 1), the last of all */
} lc_eval_scene;

/* Append a picture each; at most LC_EVAL_PANELS panels, the first classes and all. */
void lc_eval_draw_thresholds(lc_text *out, const lc_eval_scene *scene);
void lc_eval_draw_errors(lc_text *out, const lc_eval_scene *scene);

#endif
