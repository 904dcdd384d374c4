/* SPDX-License-Identifier: MIT
 * gather.h - gathers events from readers, one by one and in any order, into a sorted list. */
#ifndef LC_EVENTS_GATHER_H
#define LC_EVENTS_GATHER_H

#include "base/plain_text.h"
#include "events/event_list.h"

/* A file in memory. */
typedef struct lc_event_bytes {
    const char *name; /* of the recording, for a file that does not name any */
    const char *path; /* for messages, and its ending */
    const char *bytes;
    size_t length;
} lc_event_bytes;

typedef struct lc_gather {
    lc_store store;
    lc_names classes, files, paths; /* paths: where events were read */
    size_t given;                   /* classes that were there at the beginning */
    bool fixed;                     /* others are refused; otherwise each new name becomes the next class */
    bool places;                    /* events are of images; set by the reader */
    struct lc_gathered *items;
    size_t len, capacity;
} lc_gather;

/* Begins with the classes given, which are then fixed until the caller says otherwise, or with none. gather is zero-initialised before; free it by lc_gather_free in any case. */
LOCO_MUST_USE loco_status lc_gather_begin(lc_gather *gather, const char *const *classes, size_t classes_len,
                                          loco_err *err);
void lc_gather_free(lc_gather *gather);

/* The index of a file, which from now on is in the list. */
LOCO_MUST_USE loco_status lc_gather_file(size_t *file, lc_gather *gather, const char *name, loco_err *err);

/* The class of that name; a new one is added, unless classes are fixed. An empty name is the only class given. */
LOCO_MUST_USE loco_status lc_gather_class(size_t *kind, lc_gather *gather, lc_place place, const char *name,
                                          size_t length, loco_err *err);

/* Adds an event. event.time must be a number; it is checked here against the range of times. */
LOCO_MUST_USE loco_status lc_gather_event(lc_gather *gather, lc_place place, size_t file, loco_event event,
                                          loco_err *err);

/* Makes the list, which the caller frees, as well as gather. */
LOCO_MUST_USE loco_status lc_gather_end(lc_event_list **list, lc_gather *gather, loco_err *err);

#endif
