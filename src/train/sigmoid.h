/* SPDX-License-Identifier: MIT
 * sigmoid.h - the probability that a logit stands for. */
#ifndef LC_TRAIN_SIGMOID_H
#define LC_TRAIN_SIGMOID_H

#include <math.h>

static inline double lc_sigmoid(double z)
{
    return 1 / (1 + exp(-z));
}

#endif
