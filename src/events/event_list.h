/* SPDX-License-Identifier: MIT
 *
 * event_list.h - lists of events with their times, for one recording or many.
 *
 * Read from any of
 *     events.csv     columns file, time, class in any order, and probability where there is one; others are ignored.
 *                    Of images it has x and y, in pixels, in place of time: the time of an event is then its y.
 *                    Without a column file the list is about one recording. A row without time and class says that
 *                    its file has no events.
 *     label tracks   as Audacity writes them: start TAB end TAB class, of which the start counts; also time TAB class
 *                    or time SPACE class. Lines that begin with \ (ranges of frequency) or # are skipped.
 *     MIDI files     each note is an event, its class the number of the note: 36. Where the classes are called kick,
 *                    snare, hihat or KD, SD, HH, drum notes of General MIDI become these, and other notes are left out.
 *     a folder       with events.csv, or with label tracks and MIDI files, one for each recording, with the same name
 *                    up to the ending.
 */
#ifndef LC_EVENTS_EVENT_LIST_H
#define LC_EVENTS_EVENT_LIST_H

#include "base/store.h"
#include "base/text.h"
#include "loco.h"

#include <stdbool.h>

enum {
    LC_EVENTS_MOST = 8000000,    /* in a list */
    LC_EVENTS_CLASSES = 4096,    /* in a list */
    LC_EVENTS_LABELS = 16 << 20, /* bytes of a label track */
    LC_EVENTS_LABEL = 4096       /* bytes of a class in it */
};

typedef struct lc_event_file {
    const char *name;         /* as the list has it; "" where it names none */
    const loco_event *events; /* in order of time, then x */
    size_t events_len;
} lc_event_file;

/* Where the events of a file were read. */
typedef struct lc_event_origin {
    const char *path;      /* NULL: there are none */
    const uint32_t *lines; /* of each event, from 1; 0: a file without lines */
} lc_event_origin;

typedef struct lc_event_list {
    const char *const *classes;
    size_t classes_len;
    const lc_event_file *files;
    size_t files_len;
    lc_store owns;                  /* all of the above; zero in a list that a caller puts together */
    const lc_event_origin *origins; /* of each file; NULL in such a list */
    bool places;                    /* events are of images: x, and time is y, in pixels */
} lc_event_list;

/* classes NULL: those found, in the order of first appearance. Otherwise all others are LOCO_EDATA. */
LOCO_MUST_USE loco_status lc_event_list_load(lc_event_list **list, const char *path, const char *const *classes,
                                             size_t classes_len, loco_err *err);

/* The same with all other classes that are found behind those given. */
LOCO_MUST_USE loco_status lc_event_list_load_more(lc_event_list **list, const char *path, const char *const *classes,
                                                  size_t classes_len, loco_err *err);

/* As lc_event_list_load, from length bytes. Their format follows from their beginning and the ending of path. */
LOCO_MUST_USE loco_status lc_event_list_parse(lc_event_list **list, const char *path, const char *bytes, size_t length,
                                              const char *const *classes, size_t classes_len, loco_err *err);

/* From the label tracks and MIDI files beside the sounds (paths), under the path of the sound. Where no sound has one,
 * the list has no files; two for one sound are LOCO_EDATA. */
LOCO_MUST_USE loco_status lc_event_list_beside(lc_event_list **list, const char *const *sounds, size_t sounds_len,
                                               const char *const *classes, size_t classes_len, loco_err *err);
void lc_event_list_free(lc_event_list *list);

/* The entry for a recording: of that name; or else of that name up to the endings; or else the only entry, when it has
 * no name. NULL: no such entry. */
const lc_event_file *lc_event_list_find(const lc_event_list *list, const char *recording);

/* As events.csv; times have 6 decimals, places up to 6, and probabilities are written where one is not 1. */
void lc_events_format(lc_text *text, const lc_event_list *list);
LOCO_MUST_USE loco_status lc_event_list_save_csv(const char *path, const lc_event_list *list, loco_err *err);

#endif
