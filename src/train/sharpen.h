/* SPDX-License-Identifier: MIT
 * sharpen.h - the loss of clips with many events: the count loss at a temperature below 1. sharpen.c has the formulas. */
#ifndef LC_TRAIN_SHARPEN_H
#define LC_TRAIN_SHARPEN_H

#include "loco.h"

/* How far sharpening has come: 0 before LC_SHARPEN_FROM of all steps, 1 from LC_SHARPEN_FULL on. */
#define LC_SHARPEN_FROM 0.2
#define LC_SHARPEN_FULL 0.6
double lc_sharpen_ramp(uint64_t step, uint64_t steps);

/* The temperature for a label, from 1 (the exact loss) down to 1 - most; 1 for up to LC_SHARPEN_FEW events. */
enum { LC_SHARPEN_FEW = 10 };
double lc_sharpen_temperature(double most, loco_label label);

/* Replaces item->grad, which must not be item->logits, by the gradient at the temperature. item->loss stays. */
LOCO_MUST_USE loco_status lc_sharpen(loco_count_item *item, double temperature, loco_count *count, loco_err *err);

#endif
