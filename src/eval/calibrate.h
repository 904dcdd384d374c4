/* SPDX-License-Identifier: MIT
 * calibrate.h - what is measured on validation data and then stored in a model: how late its events come, and from
 * which probability on they count. Never on test data.
 *
 *   offset  from reference times           (offset.c)
 *   lag     from the sound, without times  (lag.c)
 *   bands   where in the spectrum a class begins  (bands.c)
 *   sweep   thresholds                     (sweep.c)
 *
 * A positive offset says that the model's events come late: subtract it from their times. */
#ifndef LC_EVAL_CALIBRATE_H
#define LC_EVAL_CALIBRATE_H

#include "loco.h"

#include <stdbool.h>

/* ---- time offset from reference times ---------------------------------------------------------------------- */

/* Time errors of all recordings so far, for each class. */
typedef struct lc_offset lc_offset;

typedef struct lc_offset_row {
    double offset; /* seconds, estimate - reference; 0 without pairs */
    double spread; /* standard deviation of the pairs that the offset is the mean of */
    size_t pairs;  /* their number */
    size_t all;    /* pairs within 150 ms: much larger than `pairs` when there is no common offset */
} lc_offset_row;

LOCO_MUST_USE loco_status lc_offset_new(lc_offset **offset, size_t classes, loco_err *err);
void lc_offset_free(lc_offset *offset);

/* Adds one recording; events in any order. On failure nothing was added. */
LOCO_MUST_USE loco_status lc_offset_add(lc_offset *offset, const loco_event *reference, size_t n,
                                        const loco_event *estimate, size_t m, loco_err *err);

/* kind: a class, or LC_ALL_KINDS of score.h for one offset over all classes. Sorts what it holds. */
LOCO_MUST_USE loco_status lc_offset_read(lc_offset *offset, size_t kind, lc_offset_row *row, loco_err *err);

/* ---- time offset from the sound ---------------------------------------------------------------------------- */

enum { LC_LAG_STEPS = 90, LC_LAG_PEAK = 60 }; /* steps to either side: averaged, searched for the peak */
#define LC_LAG_SERIES 0.005                   /* seconds of a step for series: searched within 300 ms */

/* Sums of one class over its detections; {0} is empty. One for each class. */
typedef struct lc_lag {
    double step; /* seconds; 0: 1 ms */
    size_t events;
    double sum[2 * LC_LAG_STEPS + 1];     /* of the onset strength at lag (i - LC_LAG_STEPS) steps after a detection, */
    double squares[2 * LC_LAG_STEPS + 1]; /* less its mean over the lags; in standard deviations of the recording */
} lc_lag;

typedef struct lc_lag_row {
    double offset;    /* seconds, detection - sound */
    double sharpness; /* height of the peak above the mean of the lags, in standard errors; 0 below LC_LAG_EVENTS */
    size_t events;
    bool inside; /* the peak is not at the edge of the search */
} lc_lag_row;

/* Trust an offset from this sharpness on. The largest of 2000 trials with detections unrelated to the sound is 3.7
 * (test_lag.c). Few events can agree by chance. */
#define LC_LAG_SHARP 6.0
enum { LC_LAG_EVENTS = 20 };

/* Adds the detections of the class in one recording. strength[i] is the onset strength at start + i * hop seconds; hop
 * up to 20 steps. A detection whose lags reach beyond the strength is left out. */
LOCO_MUST_USE loco_status lc_lag_add(lc_lag *lag, const float *strength, size_t length, double start, double hop,
                                     const double *times, size_t n, loco_err *err);
lc_lag_row lc_lag_read(const lc_lag *lag);

/* ---- bands that sounds begin in ----------------------------------------------------------------------------- */

typedef struct lc_bands lc_bands;

LOCO_MUST_USE loco_status lc_bands_new(lc_bands **out, size_t classes, size_t n, loco_err *err);
void lc_bands_free(lc_bands *bands);

/* Adds one recording: rises (frames, n), frame t at t * hop seconds, and the events in it, in order of time. */
void lc_bands_add(lc_bands *bands, const float *rises, size_t frames, double hop, const loco_event *events, size_t len);

/* weights (classes, n), 0 to 1; those of a class of which too little is known stay. How many are known. Once, at the
 * end: it uses up what was added. */
size_t lc_bands_read(lc_bands *bands, double *weights);

/* ---- threshold --------------------------------------------------------------------------------------------- */

/* Matches at every threshold, for each class. */
typedef struct lc_sweep lc_sweep;

typedef struct lc_sweep_row {
    double threshold;             /* keep events with probability >= threshold */
    double f1, precision, recall; /* pooled over the recordings, at that threshold */
    double low, high;             /* all thresholds from low to high keep the same events */
} lc_sweep_row;

LOCO_MUST_USE loco_status lc_sweep_new(lc_sweep **sweep, size_t classes, double tolerance, loco_err *err);
void lc_sweep_free(lc_sweep *sweep);

/* Adds one recording: reference events, and what the decoder finds at its lowest threshold, with probabilities. The
 * decoder at a higher threshold must give those of these events that reach it. On failure nothing was added. */
LOCO_MUST_USE loco_status lc_sweep_add(lc_sweep *sweep, const loco_event *reference, size_t n,
                                       const loco_event *candidates, size_t m, loco_err *err);

/* The threshold with the largest F1 of one class, or one threshold for LC_ALL_KINDS. Without reference events or
 * candidates no threshold is better than another, and f1 is 0. */
LOCO_MUST_USE loco_status lc_sweep_read(const lc_sweep *sweep, size_t kind, lc_sweep_row *row, loco_err *err);

/* Every threshold that is tried, LC_SWEEP_POINTS from the lowest to the highest: low and high are threshold itself, and
 * precision is NaN where no event is left. kind and number must exist. */
enum { LC_SWEEP_POINTS = 121 };
lc_sweep_row lc_sweep_point(const lc_sweep *sweep, size_t kind, size_t number);

#endif
