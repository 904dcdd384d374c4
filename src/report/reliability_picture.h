/* SPDX-License-Identifier: MIT
 * reliability_picture.h - a picture of how far probabilities hold. */
#ifndef LC_REPORT_RELIABILITY_PICTURE_H
#define LC_REPORT_RELIABILITY_PICTURE_H

#include "report/matched.h"

enum { LC_RELIABILITY_ROWS = 16 };

/* Appends the picture: the share of right events over what their probabilities claim, how many events there are of each
 * probability, and a row of numbers for all events and for each class, up to LC_RELIABILITY_ROWS. */
void lc_reliability_draw(lc_text *out, const char *title, const char *const *classes, const lc_matched *matched);

#endif
