/* SPDX-License-Identifier: MIT
 * match.h - which estimated event belongs to which reference event. */
#ifndef LC_EVAL_MATCH_H
#define LC_EVAL_MATCH_H

#include <stddef.h>
#include <stdint.h>

#define LC_UNMATCHED SIZE_MAX

/* Pairs n reference times with m estimated times, both sorted, one to one, so that as many pairs as possible lie within
 * tolerance of each other; returns how many. pair_of_reference[i] becomes the number of the estimate that belongs to
 * reference i, or LC_UNMATCHED; pairs do not cross. A pair is within tolerance when, in doubles,
 *
 *     estimate - tolerance <= reference <= estimate + tolerance
 *
 * which is mir_eval.util.match_events, and so mir_eval.onset, to the last bit: an event exactly at the border is in or
 * out as these two sums round. mir_eval.transcription rounds the distance to 0.1 ms first; a tolerance that is larger
 * by 0.00005 has the same effect. */
size_t lc_match(const double *reference, size_t n, const double *estimate, size_t m, double tolerance,
                size_t *pair_of_reference);

#endif
