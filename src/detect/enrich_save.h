/* SPDX-License-Identifier: MIT
 * enrich_save.h - enriched events as an events.csv or a data set, and posteriors as a table. */
#ifndef LC_DETECT_ENRICH_SAVE_H
#define LC_DETECT_ENRICH_SAVE_H

#include "base/text.h"
#include "data/dataset.h"

/* As events.csv; a recording without events has a row of its own, so that all of them are timed. */
LOCO_MUST_USE loco_status lc_enrich_save_events(const char *path, const lc_dataset *set, const loco_events *lists,
                                                size_t lists_len, loco_err *err);

/* A new folder with counts.csv, as in the set, and events.csv. Both name the sounds where they are, relative to the
 * folder: what lies beside these, such as series.format, is found there. */
LOCO_MUST_USE loco_status lc_enrich_save_set(const char *folder, const lc_dataset *set, const loco_events *lists,
                                             size_t lists_len, loco_err *err);

/* Appends the posterior (T, K) of a recording to a table file,time,class,...; in column k, the frame that is
 * offsets[k] / hop frames later, rounded: where events of a class are reported late, they are moved back. */
void lc_enrich_table_head(lc_text *out, const char *const *classes, size_t K);
void lc_enrich_table_rows(lc_text *out, const char *file, const float *posterior, size_t T, size_t K, double hop,
                          const double *offsets);

#endif
