/* SPDX-License-Identifier: MIT
 * series_front.h - the front end of series: filters, scales, frames of samples side by side. */
#ifndef LC_SIGNAL_SERIES_FRONT_H
#define LC_SIGNAL_SERIES_FRONT_H

#include "signal/frontend.h"

typedef struct lc_series_front lc_series_front;

LOCO_MUST_USE loco_status lc_series_front_new(lc_series_front **front, const lc_frontend_settings *settings,
                                              loco_err *err);
void lc_series_front_free(lc_series_front *front);
void lc_series_front_reset(lc_series_front *front);

/* As lc_frontend_push and its relatives. */
size_t lc_series_front_push(lc_series_front *front, const float *samples, size_t n, float *frames);
size_t lc_series_front_finish(lc_series_front *front, float *frames);
void lc_series_front_measure(lc_series_front *front, const float *samples, size_t n);
void lc_series_front_measured(lc_series_front *front, lc_scale *scale);
void lc_series_front_rescale(lc_series_front *front, const lc_scale *scale);

/* series_slope.c: |slope| of (n, channels) samples, each channel divided by its mean |slope|, summed; n values. Where
 * something happens in a series, without any filter and so without delay. */
void lc_series_slope(const float *samples, size_t n, size_t channels, float *strength);

/* series_peak.c: |x| of (n, settings->channels) samples behind the filters of these settings, which are run without
 * delay; each channel around its mean, divided by its mean size, summed; n values. */
LOCO_MUST_USE loco_status lc_series_peak(const lc_frontend_settings *settings, const float *samples, size_t n,
                                         float *strength, loco_err *err);

#endif
