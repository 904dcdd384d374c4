/* SPDX-License-Identifier: MIT
 *
 * formats.h - the formats of files with events: one file of code and one line of a table each.
 *
 *     name    endings           read  written  one recording only  what it is
 *     csv     .csv (.tsv)       yes   yes      no                  file,time,class,probability
 *     jsonl   .jsonl .ndjson    no    yes      no                  one JSON object a line
 *     labels  .txt .labels .lab yes   yes      yes                 a label track for Audacity
 *     midi    .mid .midi        yes   yes      yes                 a MIDI file, one track a class, or one of pitches
 *     roi     .roi              no    yes      yes                 of an image: points for ImageJ and Fiji
 *     click   .wav              no    no       yes                 the sound with a click at each event: click.h
 *     html    .html .htm        no    no       no                  the report: page.h
 *
 * csv and jsonl also hold the events of images, which have x and y; of sounds and series, all but roi. The last two need the sound as well and have functions of their own; lc_format_find knows them by name.
 *
 * A new format: its functions in a file format_NAME.c with an lc_format, a declaration below, and its line in the table
 * of formats.c.
 */
#ifndef LC_EVENTS_FORMATS_H
#define LC_EVENTS_FORMATS_H

#include "base/text.h"
#include "events/event_array.h"
#include "events/gather.h"
#include "loco.h"

/* The events of one recording; nothing is owned. Events are written in the order given; MIDI sorts them by time. */
typedef struct lc_events_view {
    const char *file; /* the recording's name */
    const char *const *classes;
    size_t classes_len;
    const loco_event *events;
    size_t events_len;
    double tempo;         /* of a MIDI file: quarters a minute; 0: 120 */
    const lc_note *notes; /* of each event; NULL: not known, and not written */
    bool places;          /* events of an image: x, and time is y */
} lc_events_view;

/* The note of one of the view's events; NULL: not known. */
const lc_note *lc_events_note(const lc_events_view *view, const loco_event *event);

/* What an ending says about a file. */
enum {
    LC_ENDING_WRITES = 1, /* a file to be written with it gets this format */
    LC_ENDING_READS = 2,  /* a file that has it is of this format, whatever its first bytes look like */
    LC_ENDING_BESIDE = 4  /* a file with it belongs to the recording beside it that has the same stem */
};

/* Whether a format holds events of images, which have a place instead of a time. */
typedef enum lc_format_places { LC_PLACES_NEVER, LC_PLACES_TOO, LC_PLACES_ONLY } lc_format_places;

enum { LC_FORMAT_ENDINGS = 4 };

typedef struct lc_ending {
    const char *text; /* with the point */
    unsigned use;     /* sum of LC_ENDING_... */
} lc_ending;

typedef struct lc_format {
    const char *name;
    lc_ending endings[LC_FORMAT_ENDINGS]; /* the preferred one first; text NULL behind the last */
    bool one_file;                        /* a file of this format holds one recording */
    lc_format_places places;

    /* Reading; read is NULL where a format is only written. */
    const char *magic; /* the bytes that every file begins with; NULL: none */
    bool (*begins)(const char *bytes,
                   size_t length); /* the content may be of this format; NULL: only magic and ending decide */
    loco_status (*read)(lc_gather *gather, const lc_event_bytes *from, loco_err *err);

    /* Writing: line by line, or a file as a whole; both NULL where more than events is needed. Events were checked. */
    const char *heading;        /* the first line; NULL: none */
    const char *notes_heading;  /* the same where notes are known */
    const char *places_heading; /* the same of images */
    void (*line)(lc_text *out, const lc_events_view *view, const loco_event *event);
    loco_status (*write)(lc_text *out, const lc_events_view *view, loco_err *err);
} lc_format;

extern const lc_format lc_format_csv, lc_format_jsonl, lc_format_labels, lc_format_midi, lc_format_roi;

enum { LC_TIME_DECIMALS = 6, LC_PLACE_DECIMALS = 3, LC_PROBABILITY_DECIMALS = 4 }; /* of formats that are text */

/* The format called name, or when name is NULL or empty, the one that path's ending stands for. Upper and lower case
 * are the same. LOCO_EARG with a list of all formats. */
LOCO_MUST_USE loco_status lc_format_find(const lc_format **format, const char *name, const char *path, loco_err *err);

/* The format of a file to be read: by its magic; or else its ending; or else its first character; or else a table. */
const lc_format *lc_format_detect(const lc_event_bytes *from);

/* The index-th ending of files that may lie beside a recording, in the order in which they are looked for; NULL behind
 * the last. */
const char *lc_format_beside(size_t index);
bool lc_format_is_beside(const char *path); /* it has one of these endings */

/* Appends the whole file. On failure out is as long as before. LOCO_EDATA for an event whose time is not finite, whose
 * class is not in classes or whose probability is not in 0..1. */
LOCO_MUST_USE loco_status lc_events_write(lc_text *out, const lc_format *format, const lc_events_view *views,
                                          size_t views_len, loco_err *err);

/* The same into a file, which is replaced as a whole or not at all. */
LOCO_MUST_USE loco_status lc_events_save(const char *path, const lc_format *format, const lc_events_view *views,
                                         size_t views_len, loco_err *err);

/* loco_events_save, with the notes of each list; notes NULL: not known. */
LOCO_MUST_USE loco_status lc_events_save_lists(const char *path, const char *format, const loco_events *lists,
                                               size_t lists_len, const char *const *classes, size_t classes_len,
                                               lc_note *const *notes, loco_err *err);

/* For output while events are still being found: first the heading (nothing for JSON lines and labels), then each event
 * as a line. The events of view are not read. CSV, JSON lines and labels only. */
void lc_events_head(lc_text *out, const lc_format *format, bool places);
LOCO_MUST_USE loco_status lc_events_line(lc_text *out, const lc_format *format, const lc_events_view *view,
                                         const loco_event *event, loco_err *err);

#endif
