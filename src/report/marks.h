/* SPDX-License-Identifier: MIT
 *
 * marks.h - events drawn on an image: a circle and a small cross in the colour of the class.
 */
#ifndef LC_REPORT_MARKS_H
#define LC_REPORT_MARKS_H

#include "image/image.h"

#include <stdint.h>

/* The colour of a class on an image, 0xRRGGBB: bright, for it has a dark edge around it. More classes than colours take
 * them in turn. */
enum { LC_MARK_COLOURS = 10 };
uint32_t lc_mark_colour(size_t kind);

/* The radius of circles in pixels of the image: less than half of what mostly lies between neighbours, and no more than a
 * thirtieth of the image. */
double lc_marks_radius(const loco_event *events, size_t events_len, size_t height, size_t width);

/* Draws on an image of three channels and 8 bits that shows the events' image `factor` times as large. radius, in its own
 * pixels. */
void lc_marks_draw(lc_image *picture, const loco_event *events, size_t events_len, double factor, double radius);

#endif
