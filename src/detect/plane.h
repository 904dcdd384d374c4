/* SPDX-License-Identifier: MIT
 * plane.h - probabilities of the places of an image into events.
 *
 * Places lie on a grid, `cell` pixels apart; the centre of pixel (0, 0) is at (0, 0), so that place (row, column) has
 * its centre at x = (column + 1/2) cell - 1/2, y = (row + 1/2) cell - 1/2. p is the probability of a place, 0 outside
 * the image and where the logit is a NaN. Window and gap of a decoding are in pixels. Each class is on its own.
 *
 *   mass   s = p smoothed by a Gaussian with a spread of a third of the window. In order of s, from the largest, the local
 *          maxima become events, unless one that did lies within the gap or the mass of p within the window is below the
 *          threshold. Each place then belongs to the nearest event within the window, so that no mass counts twice: the
 *          sum of what belongs to an event is its mass, with the centroid as its position, around which the window is
 *          centred anew, three times in all. What falls below the threshold is dropped.
 *   peak   the same with p itself: the probability of the place alone, and the centroid of it and the eight around it
 *
 * The probability of an event is min(1, mass). A network spreads an event over neighbouring places, by more than one
 * where it lies between them: a window of less than 1.5 cells loses mass.
 *
 * Measured on 50 maps of 17 x 17 places at a cell of 8 with four Gaussian blobs each, of mass 1 and a spread of 5.6 px,
 * every logit off by 0.7: mean distance from the centres 1.88 px in one pass, 0.43 px in 16 passes shifted by 2 px; the
 * window is 14 (tests/detect/test_plane.c prints it). */
#ifndef LC_DETECT_PLANE_H
#define LC_DETECT_PLANE_H

#include "events/event_array.h"
#include "model/decoding.h"

typedef struct lc_plane {
    size_t rows, columns, K;
    double cell;         /* pixels from place to place */
    const float *logits; /* (rows, columns, K) */
} lc_plane;

/* Adds the events of all classes, in order of y, then x: time is y. thresholds: one for each class in place of the
 * common one, or NULL. LOCO_EARG for the method count, which follows time. On failure the events are unchanged. Memory:
 * 12 bytes a place, whatever K. A map of 2500 x 2500 places with 2000 events takes 0.3 s. */
LOCO_MUST_USE loco_status lc_plane_decode(lc_event_array *events, const lc_plane *plane, const lc_decoding *decoding,
                                          const double *thresholds, loco_err *err);

/* ---- shifts that vote ---- */

/* The probabilities of several passes over one image, each with the image shifted by whole pixels, on one finer grid. */
typedef struct lc_plane_sum {
    size_t rows, columns, K;
    double step;   /* pixels from place to place */
    size_t passes; /* added so far */
    float *mass;   /* (K, rows, columns), summed over passes; owned */
} lc_plane_sum;

/* An empty sum for an image of height x width pixels; a step of 1, or of half a cell for large images. */
LOCO_MUST_USE loco_status lc_plane_sum_new(lc_plane_sum *sum, size_t height, size_t width, size_t K, double step,
                                           loco_err *err);
void lc_plane_sum_free(lc_plane_sum *sum);

/* Adds a pass whose upper left pixel is (dx, dy) of the image: x of the image = x of the pass + dx. The probability of a
 * place goes to the four places around its centre, with the same centroid; places whose centre lies outside the image
 * are left out. Every pass should cover the whole image. plane->K is that of the sum. */
void lc_plane_add(lc_plane_sum *sum, const lc_plane *plane, double dx, double dy);

/* The events of the mean of all passes, as lc_plane_decode. */
LOCO_MUST_USE loco_status lc_plane_vote(lc_event_array *events, const lc_plane_sum *sum, const lc_decoding *decoding,
                                        const double *thresholds, loco_err *err);

/* ---- where, given how many ---- */

/* A part of an image: left <= x < right, top <= y < bottom, in pixels. right and bottom may be INFINITY. */
typedef struct lc_plane_box {
    double left, top, right, bottom;
} lc_plane_box;

/* Adds the most likely events of a part of the image (box NULL: all of it) whose counts are known: labels, one a class.
 * A class about which nothing is known has the events of lc_plane_decode there. Otherwise q = P(event in place | label),
 * and there are as many events as the label allows that is nearest to the sum of q. In turn each is placed where q,
 * smoothed, is largest beyond the gap of those before it, and takes its mass away, 1 at most; then places go to the
 * nearest event as in `mass`, and the probability of an event is the q that belongs to it. Where a part is too small for
 * the gap, the gap is narrowed; where it has fewer places than the label asks for, each holds one event. Events that
 * a centroid would take out of the box stay at its border. On failure the events are unchanged. */
LOCO_MUST_USE loco_status lc_plane_known(lc_event_array *events, const lc_plane *plane, const lc_plane_box *box,
                                         const lc_decoding *decoding, const double *thresholds,
                                         const loco_label *labels, loco_err *err);

#endif
