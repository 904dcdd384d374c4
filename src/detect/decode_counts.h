/* SPDX-License-Identifier: MIT
 * decode_counts.h - event times where counts are known: the most likely set of events given the label of each class.
 *   Of n events it is the n largest logits, each with the posterior of its frame, P(event in frame | label), as its
 *   probability. A network that spreads one event over several frames can put two of the n there; with a gap, events
 *   within gap behind the first of a group become one, at the mean of their places weighted by posterior, with
 *   probability min(1, sum): fewer events than the label says, but no event twice. */
#ifndef LC_DETECT_DECODE_COUNTS_H
#define LC_DETECT_DECODE_COUNTS_H

#include "events/event_array.h"

/* A recording whose counts are known. */
typedef struct lc_known_counts {
    const float *logits; /* (T, K) */
    size_t T, K;
    const loco_label *labels; /* (K) */
    double hop;               /* seconds from frame to frame */
    double gap;               /* seconds; 0: no merging */
    const double *offsets;    /* (K) seconds to subtract, as in decoder.h; NULL: 0 */
} lc_known_counts;

/* Adds the events, sorted by time, to the list, which is unchanged on failure. LOCO_EDATA for a NaN and for labels that
 * T frames, or frames with infinite logits, cannot meet. */
LOCO_MUST_USE loco_status lc_decode_counts(lc_event_array *list, loco_count *count, const lc_known_counts *known,
                                           loco_err *err);

#endif
