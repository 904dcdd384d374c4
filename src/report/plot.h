/* SPDX-License-Identifier: MIT
 *
 * plot.h - one panel with two linear axes, anywhere on a picture: rules and numbers, lines, bands, bars.
 *
 * Values that are not finite leave a gap; those beyond an axis are drawn at its end.
 */
#ifndef LC_REPORT_PLOT_H
#define LC_REPORT_PLOT_H

#include "base/text.h"

/* x0..x1 lies on left..right, y0..y1 on bottom..top. */
typedef struct lc_plot {
    double left, right, top, bottom;
    double x0, x1, y0, y1;
} lc_plot;

/* The attributes of texts and rules, the same in all of our pictures: a style sheet uses the classes, and viewers
 * without one the colours. */
#define LC_INK "class='ink' fill='#1f2933'"
#define LC_MUTE "class='mute' fill='#66727f'"
#define LC_RULE "class='rule' stroke='#dde2e8'"
#define LC_SMALL LC_MUTE " font-size='11'"
#define LC_SMALL_END LC_SMALL " text-anchor='end'"
#define LC_SMALL_MIDDLE LC_SMALL " text-anchor='middle'"
#define LC_PAPER "class='paper' fill='#fdfdfc'"
#define LC_TITLE LC_INK " font-size='18' font-weight='600'"
#define LC_HEADING LC_INK " font-size='13' font-weight='600'"

/* Colours of lines, apart for colour-blind eyes and in grey print as far as six can be. */
enum { LC_PLOT_COLOURS = 6 };
extern const char *const lc_plot_colours[LC_PLOT_COLOURS];

/* 1, 2 or 5 times a power of ten, the smallest that cuts span > 0 into at most pieces parts. */
double lc_plot_step(double span, double pieces);

double lc_plot_x(const lc_plot *plot, double x);
double lc_plot_y(const lc_plot *plot, double y);

/* Heading, which is escaped, rules and numbers, at most `pieces` on an axis; below the x axis what it counts, or
 * NULL. */
void lc_plot_frame(lc_text *out, const lc_plot *plot, const char *heading, double x_pieces, double y_pieces,
                   const char *x_name);

/* style ends up in the element: "stroke='#123456' stroke-width='2'". */
void lc_plot_line(lc_text *out, const lc_plot *plot, const double *x, const double *y, size_t n, const char *style);
void lc_plot_band(lc_text *out, const lc_plot *plot, const double *x, const double *lo, const double *hi, size_t n,
                  const char *style);

/* From x to x + width, from the x axis up. */
void lc_plot_bar(lc_text *out, const lc_plot *plot, double x, double width, double y, const char *style);

/* Names at the right end of lines, each at the height of its value: moved apart so that all can be read. */
typedef struct lc_plot_label {
    double y; /* of the picture */
    const char *name, *colour;
} lc_plot_label;
void lc_plot_labels(lc_text *out, const lc_plot *plot, lc_plot_label *labels, size_t n);

#endif
