/* SPDX-License-Identifier: MIT
 * aside.h - classes that are learned from and left out of the model: what sounds like an event and is none. */
#ifndef LC_TRAIN_ASIDE_H
#define LC_TRAIN_ASIDE_H

#include "nn/net.h"

/* How many of K classes the model tells, when those of a list (names between commas, "": none) are set aside. They must
 * be the last ones, in any order, and leave at least one: LOCO_EARG else. */
LOCO_MUST_USE loco_status lc_aside_told(size_t *told, const char *names, const char *const *classes, size_t K,
                                        loco_err *err);

/* The parameters of a network whose last layer has fewer outputs, from those of one that is the same but for that. */
void lc_aside_narrow(const lc_net *wide, const float *params, const lc_net *narrow, float *out);

#endif
