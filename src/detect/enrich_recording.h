/* SPDX-License-Identifier: MIT
 * enrich_recording.h - the events of a whole recording, from its clips with known counts. */
#ifndef LC_DETECT_ENRICH_RECORDING_H
#define LC_DETECT_ENRICH_RECORDING_H

#include "data/dataset.h"
#include "detect/enrich.h"
#include "detect/found.h"

/* What all recordings share. */
typedef struct lc_enrich_plan {
    lc_enriching how;
    double hop;            /* seconds from frame to frame */
    double gap;            /* seconds that a firm gap stands for */
    const double *offsets; /* (K) seconds by which each class is told late */
    const char *const *classes;
    size_t K;
    const char *where; /* counts.csv, for sentences */
    /* Told what could not be done as a row of counts.csv has it; NULL: nobody is. */
    void (*notice)(void *context, const char *sentence);
    void *context;
} lc_enrich_plan;

/* What is known of one recording. */
typedef struct lc_enrich_task {
    const float *logits; /* (T, K) */
    size_t T;
    const lc_clip *clips; /* of this recording, by start */
    size_t clips_len;
    const lc_found *plain; /* events as they are told without counts, for classes whose count is unknown */
    float *posterior;      /* (T, K), set where a clip has a count; NULL: not wanted */
} lc_enrich_task;

/* Adds the events, sorted by time, to the list. In each row they lie in start <= time < end. Events of one class that
 * clips which overlap both gave, nearer than the gap, become the more probable one; a firm gap also holds from clip to
 * clip. On failure the list is as before. */
LOCO_MUST_USE loco_status lc_enrich_recording(lc_enricher *enricher, const lc_enrich_plan *plan,
                                              const lc_enrich_task *task, lc_found *list, loco_err *err);

#endif
