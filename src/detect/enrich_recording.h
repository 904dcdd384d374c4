/* SPDX-License-Identifier: MIT
 * enrich_recording.h - the events of a whole recording, from its clips with known counts. */
#ifndef LC_DETECT_ENRICH_RECORDING_H
#define LC_DETECT_ENRICH_RECORDING_H

#include "data/dataset.h"
#include "detect/enrich.h"
#include "events/event_array.h"

/* What all recordings share. */
typedef struct lc_enrich_plan {
    lc_enriching how;
    double hop;            /* seconds from frame to frame */
    double gap;            /* seconds that a firm gap stands for */
    const double *offsets; /* (K) seconds by which events of each class are reported late */
    const char *const *classes;
    size_t K;
    const char *where; /* counts.csv, for messages */
    /* Receives a message where a row of counts.csv could not be met as written; may be NULL. */
    void (*notice)(void *context, const char *message);
    void *context;
} lc_enrich_plan;

/* What is known of one recording. */
typedef struct lc_enrich_task {
    const float *logits; /* (T, K) */
    size_t T;
    const lc_clip *clips; /* of this recording, by start */
    size_t clips_len;
    const lc_event_array *plain; /* events detected without counts, for classes whose count is unknown */
    float *posterior;            /* (T, K), set where a clip has a count; NULL: not wanted */
} lc_enrich_task;

/* Adds the events, sorted by time, to the list. In each row they lie in start <= time < end. Events of one class that
 * clips which overlap both gave, nearer than the gap, become the more probable one; a firm gap also holds from clip to
 * clip. On failure the list is unchanged. */
LOCO_MUST_USE loco_status lc_enrich_recording(lc_enricher *enricher, const lc_enrich_plan *plan,
                                              const lc_enrich_task *task, lc_event_array *list, loco_err *err);

#endif
