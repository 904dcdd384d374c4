/* SPDX-License-Identifier: MIT
 * evaluate.h - what loco_evaluate_options ask for, with the defaults filled in. */
#ifndef LC_EVAL_EVALUATE_H
#define LC_EVAL_EVALUATE_H

#include "loco.h"

typedef struct lc_evaluate_settings {
    const double *tolerances; /* seconds; one or more */
    size_t tolerances_len;
    loco_detect_options detect;
} lc_evaluate_settings;

/* options may be NULL. settings points to the tolerances of the options, which must outlive it. */
LOCO_MUST_USE loco_status lc_evaluate_settings_read(lc_evaluate_settings *settings,
                                                    const loco_evaluate_options *options, loco_err *err);

#endif
