/* SPDX-License-Identifier: MIT
 * sums.h - counts of several classes together: a column `kick+snare` of counts.csv.
 *
 *     file,kick,kick+snare
 *     a.wav,3,5                snare is 2: lc_sums_settle fills it in
 *     b.wav,?,0                both are 0
 *     c.wav,4,3                refused: a sum is at least each of its classes */
#ifndef LC_DATA_SUMS_H
#define LC_DATA_SUMS_H

#include "base/plain_text.h"
#include "data/dataset.h"

/* Compares the labels of a row, those of the classes and behind them those of the sums, with each other. A count that
 * follows from the others is filled in: kick 3 and kick+snare 5 make snare 2. bounds: room for as many labels.
 * LOCO_EDATA when no counts can meet all labels; sums.c says how far that is searched for. place: that of the row. */
LOCO_MUST_USE loco_status lc_sums_settle(const lc_dataset *set, loco_label *labels, loco_label *bounds, lc_place place,
                                         loco_err *err);

/* Appends a sentence for classes that no label distinguishes: that belong to the same sums, of those that are known in
 * any clip, and have the same label of their own in every clip, be it none. */
void lc_sums_advice(const lc_dataset *set, lc_text *text);

/* Whether any clip says something about a class or, from classes_len on, a sum. */
bool lc_sums_known(const lc_dataset *set, size_t number);

#endif
