/* SPDX-License-Identifier: MIT
 * reliability.h - whether events are right as often as their probabilities say. */
#ifndef LC_EVAL_RELIABILITY_H
#define LC_EVAL_RELIABILITY_H

#include <stdbool.h>
#include <stddef.h>

enum { LC_RELIABILITY_BINS = 10 };

/* Events by their probability, in ten even parts of 0..1; {0} is empty. */
typedef struct lc_reliability {
    size_t events[LC_RELIABILITY_BINS], right[LC_RELIABILITY_BINS];
    double claimed[LC_RELIABILITY_BINS]; /* sum of probabilities */
} lc_reliability;

void lc_reliability_add(lc_reliability *reliability, double probability, bool right);

/* All parts together. */
size_t lc_reliability_events(const lc_reliability *reliability);
double lc_reliability_claimed(const lc_reliability *reliability); /* mean probability; 0 without events */
double lc_reliability_right(const lc_reliability *reliability);   /* share of right events; 0 without any */

/* The expected calibration error: the distance of the share of right events from the mean probability of a part,
 * weighted by the part's events. 0 without events. */
double lc_reliability_error(const lc_reliability *reliability);

/* Where the true share lies with a confidence of 95 %, by Wilson's score; n > 0. */
void lc_reliability_interval(size_t right, size_t n, double *low, double *high);

#endif
