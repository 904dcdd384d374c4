/* SPDX-License-Identifier: MIT
 *
 * compare.h - the course of several methods in one picture: panels of scores over the same steps, a colour a method.
 */
#ifndef LC_REPORT_COMPARE_H
#define LC_REPORT_COMPARE_H

#include "base/text.h"
#include "loco.h"

enum { LC_COMPARE_METHODS = 6, LC_COMPARE_PANELS = 7 };

/* One method in one panel. NaN: a gap. lo and hi may be NULL: a line without a band. */
typedef struct lc_compare_line {
    const char *name;
    const double *steps, *mean, *lo, *hi; /* (len) steps rise */
    size_t len;
} lc_compare_line;

typedef struct lc_compare_panel {
    const char *heading;
    const lc_compare_line *lines; /* (lines_len), in the order of methods, which is that of colours */
    size_t lines_len;
} lc_compare_panel;

/* Appends the picture. note: a line below the title, or NULL. On failure out is as long as before. */
LOCO_MUST_USE loco_status lc_compare_write(lc_text *out, const char *title, const char *note,
                                           const lc_compare_panel *panels, size_t panels_len, loco_err *err);

#endif
