/* SPDX-License-Identifier: MIT
 * series_even.h - rows with times of their own as rows at one rate. */
#ifndef LC_SIGNAL_SERIES_EVEN_H
#define LC_SIGNAL_SERIES_EVEN_H

#include "signal/track.h"

#include <stdbool.h>

/* Rows as they stand in a table; the arrays are the caller's, and are put in order. */
typedef struct lc_stamped {
    const char *name; /* for messages */
    double *times;    /* seconds */
    size_t *lines;
    float *values; /* (len, channels); NaN: missing */
    size_t len, channels;
    double quantum; /* seconds, of the times */
} lc_stamped;

typedef struct lc_pace {
    double rate;              /* rows a second */
    bool even;                /* rows can be taken as they are; else they must be resampled to `frames` rows */
    double shortest, longest; /* seconds from row to row */
    size_t frames;
} lc_pace;

/* The mean of the middle half of the steps upwards; 0 where less than a quarter of all steps are, NAN without memory. */
double lc_stamped_step(const lc_stamped *rows);

/* The rate of times whose middle step is `step`; rows come in order, and rows of one time become their mean, where they have
 * to be resampled. stated: the rate that the file states, or 0. A clock that goes back is refused, and with
 * LC_MISSING_REFUSE a long gap. */
LOCO_MUST_USE loco_status lc_stamped_pace(lc_pace *pace, lc_stamped *rows, double step, double stated,
                                          lc_missing missing, loco_err *err);

/* Fills (pace->frames, channels) samples; NaN in long gaps, and where a neighbour is missing. */
void lc_stamped_resample(float *samples, const lc_stamped *rows, const lc_pace *pace);

/* Seconds without a row that are filled by a straight line, and seconds that a clock may go back, at a rate. */
double lc_even_gap(double rate);
double lc_even_back(double rate);

/* Whether steps are all like the middle one, and times lie on a straight line, but for a fiftieth of a step, and what decimals
 * round away, up to half a step. */
bool lc_even_line(const double *times, size_t n, double middle, double quantum);

/* A rate that rates around it share: 50 for 48.7. */
double lc_even_rate(double rate);

#endif
