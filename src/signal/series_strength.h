/* SPDX-License-Identifier: MIT
 * series_strength.h - where something happens in a recording of sensors, without any training. */
#ifndef LC_SIGNAL_SERIES_STRENGTH_H
#define LC_SIGNAL_SERIES_STRENGTH_H

#include "signal/frontend.h"

/* |slope| of (n, channels) samples, each channel divided by its mean |slope|, summed; n values. No filter, so no delay. */
void lc_series_slope(const float *samples, size_t n, size_t channels, float *strength);

/* |x| of (n, settings->channels) samples behind the filters of these settings, which are run without delay; each channel
 * around its mean, divided by its mean size, summed; n values. */
LOCO_MUST_USE loco_status lc_series_peak(const lc_frontend_settings *settings, const float *samples, size_t n,
                                         float *strength, loco_err *err);

/* The one or the other, as the anchor says; one value for each sample. */
LOCO_MUST_USE loco_status lc_series_strength(lc_strength *strength, const lc_frontend_settings *settings,
                                             lc_anchor anchor, const float *samples, size_t n, loco_err *err);

#endif
