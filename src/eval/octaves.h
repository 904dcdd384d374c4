/* SPDX-License-Identifier: MIT
 * octaves.h - scores of pitches (events/pitches.h) by octave: 88 rows say less than 8. */
#ifndef LC_EVAL_OCTAVES_H
#define LC_EVAL_OCTAVES_H

#include "eval/score.h"

enum { LC_OCTAVES = 11 };

/* "C4 to B4" is octave 5, pitches 60 to 71; the first one is "C-1 to B-1". */
typedef struct lc_octave_name {
    char text[32];
} lc_octave_name;

lc_octave_name lc_octave_show(size_t octave);

/* The classes of one octave pooled, at a tolerance; names: of each class of the score, all of them pitches. Zeros where
 * nothing is or was found. */
lc_score_row lc_octave_read(const lc_score *score, const char *const *names, size_t octave, size_t tolerance);

#endif
