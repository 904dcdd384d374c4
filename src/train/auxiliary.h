/* SPDX-License-Identifier: MIT
 * auxiliary.h - auxiliary classes: trained, not reported. They are what sounds like an event and is not one. */
#ifndef LC_TRAIN_AUXILIARY_H
#define LC_TRAIN_AUXILIARY_H

#include "nn/net.h"

/* How many of K classes the model reports, when those of a list (names between commas, "": none) are auxiliary. They
 * must be the last ones, in any order, and leave at least one: LOCO_EARG else. */
LOCO_MUST_USE loco_status lc_auxiliary_reported(size_t *reported, const char *names, const char *const *classes,
                                                size_t K, loco_err *err);

/* The parameters of a network whose last layer has fewer outputs, from those of one that is the same but for that. */
void lc_auxiliary_narrow(const lc_net *wide, const float *params, const lc_net *narrow, float *out);

#endif
