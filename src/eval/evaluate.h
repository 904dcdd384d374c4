/* SPDX-License-Identifier: MIT
 * evaluate.h - what loco_evaluate_options ask for, with the defaults filled in. */
#ifndef LC_EVAL_EVALUATE_H
#define LC_EVAL_EVALUATE_H

#include "loco.h"

typedef struct lc_evaluate_settings {
    const double *tolerances; /* seconds, or pixels of images; one or more */
    size_t tolerances_len;
    bool defaults; /* none were given */
    bool pixels;   /* those given are in pixels */
    loco_detect_options detect;
} lc_evaluate_settings;

/* options may be NULL. settings points to the tolerances of the options, which must outlive it. */
LOCO_MUST_USE loco_status lc_evaluate_settings_read(lc_evaluate_settings *settings,
                                                    const loco_evaluate_options *options, loco_err *err);

/* When it is known whether images are compared: their default tolerance; LOCO_EARG for tolerances in the other unit. */
LOCO_MUST_USE loco_status lc_evaluate_settings_unit(lc_evaluate_settings *settings, bool images, loco_err *err);

#endif
