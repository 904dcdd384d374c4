/* SPDX-License-Identifier: MIT
 * calibrate_image.h - calibration of a model of images: offsets in the plane, and thresholds. */
#ifndef LC_CALIBRATE_CALIBRATE_IMAGE_H
#define LC_CALIBRATE_CALIBRATE_IMAGE_H

#include "calibrate/calibrate.h"

/* As lc_calibrate, which calls it. */
LOCO_MUST_USE loco_status lc_calibrate_image(const lc_calibration *calibration, lc_text *findings, loco_err *err);

#endif
