/* SPDX-License-Identifier: MIT
 * score_text.h - scores as a table for people and as JSON for programs. Numbers have a point in every locale. */
#ifndef LC_EVAL_SCORE_TEXT_H
#define LC_EVAL_SCORE_TEXT_H

#include "base/text.h"
#include "count/sum.h"
#include "eval/count_score.h"
#include "eval/score.h"

/* Characters of UTF-8 text; and text in a cell of so many, at its left or right end. */
size_t lc_cell_width(const char *string);
void lc_cell_left(lc_text *out, size_t width, const char *string);
void lc_cell_right(lc_text *out, size_t width, const char *string);

/* Appends a table: a row for each class, then all events pooled, the mean over recordings and the mean over classes.
 * names: one for each class of the score. counts: one for each class, which adds a second table, or NULL. Out of
 * memory is in out->failed. */
void lc_score_table(lc_text *out, const lc_score *score, const char *const *names, const lc_count_score *counts,
                    lc_empty empty);

/* The same for many classes: first all events, then each octave where classes are pitches, and no row for each class. */
enum { LC_SCORE_MANY = 24 };
void lc_score_brief(lc_text *out, const lc_score *score, const char *const *names, const lc_count_score *counts,
                    lc_empty empty);

/* Appends the same as one JSON object on one line, without a line end. Times are in seconds; an error without a matched
 * pair is null. A name that is not UTF-8 is written as it can be shown. */
void lc_score_json(lc_text *out, const lc_score *score, const char *const *names, const lc_count_score *counts,
                   lc_empty empty);

/* A table with a row for each recording, all classes together; and the same into the JSON object that was just closed:
 * "per_recording": [{"file": ..., "reference": 12, "estimated": 11, "at": [{"tolerance": ..., "f1": ...}, ...]}]. */
void lc_recordings_table(lc_text *out, const lc_score *score, const lc_recording_score *recordings, size_t n);
void lc_recordings_json(lc_text *out, const lc_score *score, const lc_recording_score *recordings, size_t n);

/* Counts of sums of classes, below the table, and into the JSON object that was just closed: "sums": [{"name": ...,
 * "counts": {...}}]. */
void lc_sums_table(lc_text *out, const lc_sum *sums, const lc_count_score *counts, size_t n);
void lc_sums_json(lc_text *out, const lc_sum *sums, const lc_count_score *counts, size_t n);

#endif
