/* SPDX-License-Identifier: MIT
 *
 * events_write.h - detected events as files that other programs read.
 *
 *     name    ending            one recording only  what it is
 *     csv     .csv              no                  file,time,class,probability
 *     jsonl   .jsonl .ndjson    no                  one JSON object a line
 *     labels  .txt .labels      yes                 a label track for Audacity
 *     midi    .mid .midi        yes                 a MIDI file, one track a class
 *     click   .wav              yes                 the sound with a click at each event: click.h
 *     html    .html .htm        no                  the report: page.h
 *
 * The last two need the sound as well and have functions of their own; lc_format_find knows them by name.
 */
#ifndef LC_REPORT_EVENTS_WRITE_H
#define LC_REPORT_EVENTS_WRITE_H

#include "base/text.h"
#include "loco.h"

/* The events of one recording; nothing is owned. Events are written in the order given; MIDI sorts them by time. */
typedef struct lc_events_view {
    const char *file; /* the recording's name */
    const char *const *classes;
    size_t classes_len;
    const loco_event *events;
    size_t events_len;
} lc_events_view;

typedef enum lc_format_kind {
    LC_FORMAT_CSV,
    LC_FORMAT_JSONL,
    LC_FORMAT_LABELS,
    LC_FORMAT_MIDI,
    LC_FORMAT_CLICK,
    LC_FORMAT_HTML
} lc_format_kind;

typedef struct lc_format {
    const char *name;
    const char *endings[3]; /* with the point, the usual one first; NULL behind the last */
    lc_format_kind kind;
    bool one_file; /* a file of this format holds one recording */
    bool writes;   /* lc_events_write and lc_events_save write it */
} lc_format;

/* The format called name, or when name is NULL or empty, the one that path's ending stands for. Upper and lower case
 * are the same. LOCO_EARG with a list of what there is. */
LOCO_MUST_USE loco_status lc_format_find(const lc_format **format, const char *name, const char *path, loco_err *err);

/* Appends the whole file. On failure out is as long as before. LOCO_EDATA for an event whose time is not finite, whose
 * class is not in classes or whose probability is not in 0..1. */
LOCO_MUST_USE loco_status lc_events_write(lc_text *out, const lc_format *format, const lc_events_view *views,
                                          size_t views_len, loco_err *err);

/* The same into a file, which is replaced whole or not at all. */
LOCO_MUST_USE loco_status lc_events_save(const char *path, const lc_format *format, const lc_events_view *views,
                                         size_t views_len, loco_err *err);

/* For output while events are still being found: what comes first (the heading of a CSV, nothing for JSON lines and
 * labels), then each event as a line. view's own events are not looked at. CSV, JSON lines and labels alone. */
void lc_events_head(lc_text *out, const lc_format *format);
LOCO_MUST_USE loco_status lc_events_line(lc_text *out, const lc_format *format, const lc_events_view *view,
                                         const loco_event *event, loco_err *err);

/* The MIDI file of one recording whose events have been checked; events_midi.c. */
LOCO_MUST_USE loco_status lc_events_midi(lc_text *out, const lc_events_view *view, loco_err *err);

#endif
