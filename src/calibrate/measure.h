/* SPDX-License-Identifier: MIT
 * measure.h - the measurements behind a calibration, each from numbers to numbers: they know neither models nor files.
 * calibrate.h runs them over the recordings of a data set, never of test data, and stores the results in a model.
 *
 *   lc_offset       how late events are, from reference times              measure_offset.c
 *   lc_plane_offset how far events of images are off, from positions       measure_plane_offset.c
 *   lc_lag          how late events are, from the sound, without times     measure_lag.c
 *   lc_bands        in which bands the sounds of a class begin             measure_bands.c
 *   lc_sweep        the threshold with the best F1, from reference times   measure_sweep.c
 *   lc_count_sweep  the same from the counts of clips, without times       measure_count_sweep.c
 *   lc_count_errors how far counts are from the truth                      measure_count_errors.c
 *
 * A positive offset says that the model's events are late: subtract it from their times. */
#ifndef LC_CALIBRATE_MEASURE_H
#define LC_CALIBRATE_MEASURE_H

#include "events/event_array.h"

#include <stdbool.h>

/* ---- time offset from reference times ---------------------------------------------------------------------- */

/* Time errors of all recordings so far, for each class. */
typedef struct lc_offset lc_offset;

typedef struct lc_offset_row {
    double offset; /* seconds, estimate - reference; 0 without pairs */
    double spread; /* standard deviation of the pairs that the offset is the mean of */
    size_t pairs;  /* their number */
    size_t all;    /* pairs of a reference and an estimated event within 550 ms */
} lc_offset_row;

LOCO_MUST_USE loco_status lc_offset_new(lc_offset **offset, size_t classes, loco_err *err);
void lc_offset_free(lc_offset *offset);

/* Adds one recording; events in any order. On failure nothing was added. */
LOCO_MUST_USE loco_status lc_offset_add(lc_offset *offset, const loco_event *reference, size_t n,
                                        const loco_event *estimate, size_t m, loco_err *err);

/* kind: a class, or LC_ALL_KINDS of score.h for one offset over all classes. */
LOCO_MUST_USE loco_status lc_offset_read(lc_offset *offset, size_t kind, lc_offset_row *row, loco_err *err);

/* ---- offset in images --------------------------------------------------------------------------------------- */

/* The mean of distances of events from where they should be, in pixels to the right and down; {0} is empty. */
typedef struct lc_plane_offset {
    double x, y, squares; /* squares: sum of those of deviations from the mean */
    size_t n;
} lc_plane_offset;

void lc_plane_offset_add(lc_plane_offset *offset, double x, double y);
double lc_plane_offset_uncertainty(const lc_plane_offset *offset); /* the standard error of the mean */

/* The events of an image, and those that should have been found. */
typedef struct lc_plane_pairing {
    const loco_event *truth, *found;
    size_t truth_len, found_len;
} lc_plane_pairing;

/* Sets (groups + 1) offsets from n images: one a class, or with groups = 1 one for all; the last is that of all classes.
 * x and y of each: where to begin. Only pairs within radius pixels of that count. */
LOCO_MUST_USE loco_status lc_plane_offsets(lc_plane_offset *offsets, size_t groups, const lc_plane_pairing *images,
                                           size_t n, double radius, loco_err *err);

/* Where to begin: the way, up to farthest pixels in each direction, that most pairs of found and true events of a class have. */
LOCO_MUST_USE loco_status lc_plane_usual_way(double *x, double *y, const lc_plane_pairing *images, size_t n,
                                             double farthest, loco_err *err);

/* ---- time offset from the sound ---------------------------------------------------------------------------- */

enum { LC_LAG_STEPS = 90, LC_LAG_PEAK = 60 }; /* steps to either side: averaged, searched for the peak */
enum { LC_LAG_PARTS = 8 };

/* Sums of one class over its detections; {0} is empty. One for each class. */
typedef struct lc_lag {
    double step; /* seconds; 0: 1 ms, so that 60 ms are searched */
    bool open;   /* the strength is 0 beyond the ends of a recording, where else detections do not count */
    size_t events;
    double sum[2 * LC_LAG_STEPS + 1];     /* of the onset strength at lag (i - LC_LAG_STEPS) steps after a detection, */
    double squares[2 * LC_LAG_STEPS + 1]; /* less its mean over the lags; in standard deviations of the recording */
    double parts[LC_LAG_PARTS][2 * LC_LAG_STEPS + 1]; /* sum, of every eighth detection */
} lc_lag;

typedef struct lc_lag_row {
    double offset;    /* seconds, detection - sound */
    double sharpness; /* height of the peak above the mean of the lags, in standard errors; 0 below LC_LAG_EVENTS */
    size_t events;
    bool inside;        /* the peak is not at the edge of the search */
    double uncertainty; /* seconds: standard error, and a sixth of the width of the peak */
} lc_lag_row;

/* Trust an offset from this sharpness on. The largest of 2000 trials with detections unrelated to the sound is 3.7
 * (test_measure_lag.c). Few events can agree at random. */
#define LC_LAG_SHARP 6.0
enum { LC_LAG_EVENTS = 20 };

/* The onset strength of one recording: values[i] at start + i * hop seconds. */
typedef struct lc_lag_curve {
    const float *values;
    size_t length;
    double start, hop;
} lc_lag_curve;

/* Adds the n detections of the class in one recording; hop up to 20 steps. A detection whose lags reach beyond the
 * strength is left out unless lag->open. */
LOCO_MUST_USE loco_status lc_lag_add(lc_lag *lag, const lc_lag_curve *strength, const double *times, size_t n,
                                     loco_err *err);
lc_lag_row lc_lag_read(const lc_lag *lag);

/* ---- bands in which sounds begin ----------------------------------------------------------------------------- */

typedef struct lc_bands lc_bands;

LOCO_MUST_USE loco_status lc_bands_new(lc_bands **out, size_t classes, size_t n, loco_err *err);
void lc_bands_free(lc_bands *bands);

/* Adds one recording: rises (frames, n), frame t at t * hop seconds, and the events in it, in order of time. */
void lc_bands_add(lc_bands *bands, const float *rises, size_t frames, double hop, const loco_event *events, size_t len);

/* Sets the weights (classes, n), 0 to 1, of classes with enough events, and returns how many these are. Call it once,
 * at the end: the sums are changed in place. */
size_t lc_bands_read(lc_bands *bands, double *weights);

/* ---- threshold from reference times ------------------------------------------------------------------------ */

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

/* ---- threshold from counts --------------------------------------------------------------------------------- */

/* Thresholds that are tried, from 0.01 to 0.9: the first LC_COUNT_SWEEP_FAINT, below 0.1, for series only. */
enum { LC_COUNT_SWEEP_FAINT = 8, LC_COUNT_SWEEP_POINTS = LC_COUNT_SWEEP_FAINT + 33 };

double lc_count_sweep_threshold(size_t point);

/* Sums over the clips of one class, at each threshold. {0} is empty. */
typedef struct lc_count_sweep {
    double differences[LC_COUNT_SWEEP_POINTS]; /* sum of |detections - count| */
    double sums[LC_COUNT_SWEEP_POINTS];        /* sum of detections + count */
    size_t clips;
} lc_count_sweep;

/* A clip of a recording, in seconds. */
typedef struct lc_count_clip {
    double start, end;
} lc_count_clip;

/* Adds a clip with `count` events of class kind, of which `detected` are all candidates of its recording. */
void lc_count_sweep_add(lc_count_sweep *sweep, const lc_event_array *detected, size_t kind, lc_count_clip clip,
                        double count);

/* The middle of the best thresholds, from point `first` on. */
double lc_count_sweep_best(const lc_count_sweep *sweep, size_t first);

/* ---- errors of counts ---------------------------------------------------------------------------------------- */

/* One class of one clip whose count is known exactly. */
typedef struct lc_count_error {
    double truth, expected, variance; /* the last two by the distribution of the count */
    double detected;                  /* detections in it */
    double frames;
    size_t recording;
} lc_count_error;

typedef struct lc_count_errors {
    bool detections;             /* their number is the better count */
    double excess, spread, rate; /* as in count_calibration.h */
    size_t recordings;
    double frames, sum_frames; /* geometric means: of clips, of all clips of a recording */
} lc_count_errors;

/* Clips of one recording are in a row. */
lc_count_errors lc_count_errors_measure(const lc_count_error *clips, size_t n);

#endif
