/* SPDX-License-Identifier: MIT
 * tune_bands.h - calibration: in which bands the sounds of each class begin. */
#ifndef LC_TRAIN_TUNE_BANDS_H
#define LC_TRAIN_TUNE_BANDS_H

#include "train/tune.h"

/* Sets the model's bands. events: one list a recording, in order of time, offsets removed; of heard[i] seconds, 0: left
 * out. */
LOCO_MUST_USE loco_status lc_tune_bands(const lc_tuning *tuning, const lc_found *events, const double *heard,
                                        loco_err *err);

#endif
