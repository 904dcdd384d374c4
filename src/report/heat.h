/* SPDX-License-Identifier: MIT
 *
 * heat.h - a matrix as shades from white over blue to dark blue.
 */
#ifndef LC_REPORT_HEAT_H
#define LC_REPORT_HEAT_H

#include "base/text.h"

/* Fills the rectangle: value[column * rows + row] in 0..1, row 0 at the bottom. Values below 0 and NaN are white.
 * levels: shades, 2 to 64. */
typedef struct lc_heat {
    double x, y, width, height;
    size_t columns, rows;
    const double *values;
    int levels;
    bool root; /* shades follow the square root: a linear shade hides everything below 5 % */
} lc_heat;

void lc_heat_draw(lc_text *out, const lc_heat *heat);

#endif
