/* SPDX-License-Identifier: MIT
 *
 * svg.h - the few SVG shapes that our pictures need, appended to a text.
 *
 * Coordinates are in picture units with y downwards. `style` is a string of attributes such as "fill='none'", written
 * as it is: it comes from our own code. What comes from outside passes through lc_svg_escape.
 */
#ifndef LC_REPORT_SVG_H
#define LC_REPORT_SVG_H

#include "base/text.h"

/* The root element of width x height units; title, which may be NULL, becomes the accessible name. */
void lc_svg_open(lc_text *out, double width, double height, const char *title);
void lc_svg_close(lc_text *out);

void lc_svg_group_open(lc_text *out, const char *style);
void lc_svg_group_close(lc_text *out);

void lc_svg_rect(lc_text *out, double x, double y, double width, double height, const char *style);
void lc_svg_line(lc_text *out, double x1, double y1, double x2, double y2, const char *style);
void lc_svg_circle(lc_text *out, double x, double y, double radius, const char *style);

/* A path: open, then pen movements, then close with the style. `move` is one of SVG's letters: M and L take a point,
 * H and V one coordinate. */
void lc_svg_path_open(lc_text *out);
void lc_svg_path_point(lc_text *out, char move, double x, double y);
void lc_svg_path_along(lc_text *out, char move, double coordinate);
void lc_svg_path_box(lc_text *out, double x, double y, double width, double height);
void lc_svg_path_close(lc_text *out, const char *style);

/* A line of text at x, y (its baseline): open, append content, close; or all at once, with the content escaped. */
void lc_svg_text_open(lc_text *out, double x, double y, const char *style);
void lc_svg_text_close(lc_text *out);
void lc_svg_text(lc_text *out, double x, double y, const char *style, const char *content);

/* Appends string so that it is well-formed XML for any bytes: markup characters become entities, bytes that are no
 * UTF-8 and characters that XML forbids become U+FFFD. After most characters it is cut, with an ellipsis. */
void lc_svg_escape(lc_text *out, const char *string, size_t most);

#endif
