/* SPDX-License-Identifier: MIT
 * enrich.h - the events of one class in a clip whose count is known: where they most likely are, and how sure that is.
 *
 * From the posterior given the label and the gap (spaced.h), q:
 *
 *   how many    the likeliest count within the label
 *   where       of all sets of so many frames, gap or more apart, the one that holds the most of q within +-half of its
 *               frames, half = (gap - 1) / 2: the largest expected number of right events. Then the centroid of q
 *               there.
 *   how sure    P(an event within reach of the frame, and nearer to it than to its neighbours): the sum of q, at most 1
 *
 * Where the count does not fit, either the gap is narrowed to what does, or with `firm` there are fewer events. */
#ifndef LC_DETECT_ENRICH_H
#define LC_DETECT_ENRICH_H

#include "base/mem.h"
#include "loco.h"

#include <stdbool.h>

typedef struct lc_enriching {
    size_t gap;   /* frames, 1 or more */
    size_t reach; /* frames on each side */
    bool firm;    /* the gap comes before the count */
} lc_enriching;

/* One event, in frames of the clip. */
typedef struct lc_spot {
    size_t frame;
    double place; /* the centroid around it */
    double probability;
} lc_spot;

/* Memory that is kept from clip to clip; {0} at first. The arrays hold what the last clip gave. */
typedef struct lc_enricher {
    double *logits, *posterior, *scores; /* (T) */
    double *sums;                        /* (T + 1) of the posterior, from the first frame on */
    size_t *frames;                      /* (T) */
    lc_spot *spots;                      /* (spots_len) in order of time */
    size_t spots_len;
    size_t wanted; /* events that the label asks for, at least */
    size_t gap;    /* that could be kept */
    lc_block arrays, scratch;
} lc_enricher;

/* logits[t * stride] of T frames. LOCO_EDATA for a NaN, or too many events to search (spaced.h). */
LOCO_MUST_USE loco_status lc_enrich_clip(lc_enricher *enricher, const lc_enriching *how, const float *logits, size_t T,
                                         size_t stride, loco_label label, loco_err *err);
void lc_enricher_free(lc_enricher *enricher);

#endif
