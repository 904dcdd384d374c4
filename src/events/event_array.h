/* SPDX-License-Identifier: MIT
 * event_array.h - events as they come out of a decoder: a callback, a list that grows, and the order of time.
 *
 *     lc_event_array list = {0};
 *     lc_decoder_push(decoder, logits, lc_event_array_take, &list);
 *     if (list.failed) ...out of memory... */
#ifndef LC_EVENTS_EVENT_ARRAY_H
#define LC_EVENTS_EVENT_ARRAY_H

#include "loco.h"

#include <stdbool.h>

/* Called for each event; it must not call the object that gives it out. */
typedef void lc_event_take(void *context, const loco_event *event);

/* After a failure nothing is added, and events hold what was there before it. */
typedef struct lc_event_array {
    loco_event *events;
    size_t len, capacity;
    bool failed;
} lc_event_array;

void lc_event_array_add(lc_event_array *list, const loco_event *event);
void lc_event_array_take(void *list, const loco_event *event); /* the same as an lc_event_take */
void lc_event_array_free(lc_event_array *list);

/* What is estimated about an event that is a note (detect/notes.h). */
typedef struct lc_note {
    double end;      /* seconds from the start of the recording */
    double velocity; /* whole, 1..127 */
} lc_note;

/* How many events of a class lie from start on and before end. */
size_t lc_events_count(const lc_event_array *list, size_t kind, double start, double end);

/* By time, then x (of images), then class, then from the most probable on. */
void lc_events_sort(loco_event *events, size_t events_len);
void lc_event_array_sort(lc_event_array *list, size_t from); /* the events from this one on; there may be none */

#endif
