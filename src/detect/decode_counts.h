/* SPDX-License-Identifier: MIT
 * decode_counts.h - event times where counts are known: the most likely set of events given the label of each class.
 *   Of n events it is the n largest logits, each with the posterior of its frame, P(event in frame | label), as its
 *   probability. A network that spreads one event over several frames can put two of the n there; with a gap, events
 *   within gap behind the first of a group become one, at the mean of their places weighted by posterior, with
 *   probability min(1, sum): fewer events than the label says, and none twice. */
#ifndef LC_DETECT_DECODE_COUNTS_H
#define LC_DETECT_DECODE_COUNTS_H

#include "detect/found.h"

/* logits (T, K), a label for each class; gap in seconds, 0: no merging; offsets as in decoder.h, or NULL. The events,
 * sorted by time, are added to the list, which is as before on failure. LOCO_EDATA for a NaN and for labels that T
 * frames, or certain ones, cannot meet. */
LOCO_MUST_USE loco_status lc_decode_counts(loco_count *count, const float *logits, size_t T, size_t K,
                                           const loco_label *labels, double hop, double gap, const double *offsets,
                                           lc_found *list, loco_err *err);

#endif
