/* SPDX-License-Identifier: MIT
 * transposed.h - an example whose notes are so many semitones higher or lower: its frames and its labels move together. */
#ifndef LC_TRAIN_TRANSPOSED_H
#define LC_TRAIN_TRANSPOSED_H

#include "train/example.h"

/* Draws a number of semitones, up to recipe->augment.transpose in either direction, and moves the frames, the labels and
 * the marked events of an example. A transposition that would move an event beyond the first or last class is not made. */
void lc_transpose_example(const lc_example_source *source, lc_rng *rng, const lc_slot *slot, const lc_example *example,
                          bool times);

#endif
