/* SPDX-License-Identifier: MIT
 *
 * augment.h - small changes to a clip's samples, in place, that leave its events where they are.
 *
 * Levels are in dB, the level of an array is its root mean square. Random numbers come from the generator that is
 * passed: the same state gives the same samples. None of these can fail; n may be 0.
 */
#ifndef LC_DATA_AUGMENT_H
#define LC_DATA_AUGMENT_H

#include "base/rng.h"
#include "image/view.h"

#include <stddef.h>

double lc_augment_level(const float *samples, size_t n); /* root mean square, not in dB */

void lc_augment_gain(float *samples, size_t n, double decibels);

/* Turns the sign of all samples, or of none. */
void lc_augment_polarity(float *samples, size_t n, lc_rng *rng);

/* n samples of noise of level 1 whose spectrum falls or rises by about slope dB an octave from 40 Hz on: 0 white,
 * -3 pink, -6 brown. -9 to 9. */
void lc_augment_noise_fill(float *samples, size_t n, double rate, double slope, lc_rng *rng);

/* Adds such noise, snr dB below the level of the samples; nothing to silence. scratch: room for n. */
void lc_augment_noise(float *samples, size_t n, double rate, double slope, double snr, lc_rng *rng, float *scratch);

/* Adds white noise to every stride-th of n values, snr dB below their spread around their mean. */
void lc_augment_series_noise(float *samples, size_t n, size_t stride, double snr, lc_rng *rng);

/* Passes every stride-th of n values through a random filter that reaches `reach` values to either side (at most
 * LC_AUGMENT_REACH), and keeps their mean, the size of their steps and, on average, their place in time: pulses
 * become others, as another sensor or another body would show them. */
enum { LC_AUGMENT_REACH = 64 };
void lc_augment_series_shape(float *samples, size_t n, size_t stride, size_t reach, lc_rng *rng);

/* What may change in a series, at most; {.noise = -120}: nothing. */
typedef struct lc_augment_change {
    double noise; /* dB of the signal, in each channel; -120: none */
    double gain;  /* dB up or down, one for all channels */
    double flip;  /* part of the clips whose channels are each turned upside down or not, at random */
    size_t reach; /* of the random filter that half of the clips pass through; 0: none */
} lc_augment_change;

/* Of a series of several channels. */
void lc_augment_series(float *samples, size_t n, size_t channels, const lc_augment_change *most, lc_rng *rng);

/* Of an image of rows x columns pixels: LC_TURN_..., together (image/view.h); the diagonal needs a square. */
void lc_augment_turn(float *pixels, size_t rows, size_t columns, size_t channels, unsigned turn);

/* Where a place of it goes. */
void lc_augment_turn_place(double *x, double *y, size_t rows, size_t columns, unsigned turn);

/* A picture that is turned, stretched and sheared around its middle, and moved: the pixel at (x, y) from the middle is the
 * one that was at (a x + b y + dx, c x + d y + dy), between four neighbours; outside are the pixels of the edge. */
typedef struct lc_warp {
    double a, b, c, d, dx, dy;
} lc_warp;

/* Turned by up to `most` radians, each axis longer or shorter by up to that part, sheared by up to that; moved by up to
 * `shift` pixels. */
lc_warp lc_warp_draw(double most, double shift, lc_rng *rng);
void lc_augment_warp(float *to, const float *pixels, size_t rows, size_t columns, size_t channels, const lc_warp *warp);

/* Where a place of it goes. */
void lc_augment_warp_place(double *x, double *y, size_t rows, size_t columns, const lc_warp *warp);

/* Another camera: brighter or darker by up to `gain` dB, and white noise of up to `noise` dB of the spread; -120: none. */
void lc_augment_image(float *pixels, size_t n, double gain, double noise, lc_rng *rng);

/* Adds another clip, whose level relative to this one's is drawn from -range .. range dB; as it is when one of the two
 * is silent. The counts of both add up. */
void lc_augment_mix(float *samples, const float *other, size_t n, double range, lc_rng *rng);

/* Turns the spectrum around pivot Hz: -decibels/2 far below, +decibels/2 far above. */
void lc_augment_tilt(float *samples, size_t n, double rate, double pivot, double decibels);

/* Lifts what is above (high) or below (low) corner Hz by decibels, and leaves the other end as it is. */
void lc_augment_high_shelf(float *samples, size_t n, double rate, double corner, double decibels);
void lc_augment_low_shelf(float *samples, size_t n, double rate, double corner, double decibels);

/* A random microphone: tilt, low and high shelf, each of up to +-range dB. */
void lc_augment_colour(float *samples, size_t n, double rate, double range, lc_rng *rng);

#endif
