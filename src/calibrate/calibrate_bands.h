/* SPDX-License-Identifier: MIT
 * calibrate_bands.h - calibration of a model: in which bands the sounds of each class begin. */
#ifndef LC_CALIBRATE_CALIBRATE_BANDS_H
#define LC_CALIBRATE_CALIBRATE_BANDS_H

#include "calibrate/calibrate.h"

/* Measures (measure_bands.c) and sets the bands of the model. events: one list a recording, in order of time, offsets
 * subtracted; seconds: how much of each recording they come from, 0: it is left out. */
LOCO_MUST_USE loco_status lc_calibrate_bands(const lc_calibration *calibration, const lc_event_array *events,
                                             const double *seconds, loco_err *err);

#endif
