/* SPDX-License-Identifier: MIT
 * found.h - events as they come out of a decoder: a callback, a list that grows, and the order of time.
 *
 *     lc_found list = {0};
 *     lc_decoder_push(decoder, logits, lc_found_take, &list);
 *     if (list.failed) ...out of memory... */
#ifndef LC_DETECT_FOUND_H
#define LC_DETECT_FOUND_H

#include "loco.h"

#include <stdbool.h>

/* Called for each event; it must not call the object that gives it out. */
typedef void lc_event_take(void *context, const loco_event *event);

/* After a failure nothing is added, and events hold what was there before it. */
typedef struct lc_found {
    loco_event *events;
    size_t len, capacity;
    bool failed;
} lc_found;

void lc_found_add(lc_found *list, const loco_event *event);
void lc_found_take(void *list, const loco_event *event); /* the same as an lc_event_take */
void lc_found_free(lc_found *list);

/* By time, then class, then from the most probable on. */
void lc_events_sort(loco_event *events, size_t events_len);

#endif
