/* SPDX-License-Identifier: MIT
 *
 * detect.h - the parts of `loco detect`: what is asked for, how events are printed and saved, and the files one by one.
 */
#ifndef LC_CLI_DETECT_H
#define LC_CLI_DETECT_H

#include "files.h"
#include "shard.h"

#include <stdint.h>

enum { LC_DETECT_PATH = 4096, LC_DETECT_NOTICE = 512 };

typedef struct lc_detect_format {
    const char *name, *ending, *other;
    bool alone; /* a file holds one recording */
} lc_detect_format;

enum { LC_DETECT_MARKS = 5, LC_DETECT_CLICK, LC_DETECT_FORMATS };
extern const lc_detect_format lc_detect_formats[LC_DETECT_FORMATS];

typedef struct lc_detect_request {
    const char *model, *output, *name, *counts, *fold;
    const lc_detect_format *format; /* by name, or by the ending of output; else csv */
    bool folder;                    /* output is one, or becomes one */
    bool headed;                    /* the heading is printed */
    bool notes;                     /* with velocity and end */
    bool places;                    /* of images: x and y */
    uint64_t threads;
    double tempo;         /* of MIDI files; 0: the default */
    bool resume;          /* keep what is done */
    bool retry;           /* try files again that could not be read */
    bool sandbox;         /* files are read in caged processes */
    lc_shard shard;       /* of = 0: all files */
    struct lc_cage *cage; /* NULL: files are read here */
    char *path;           /* of the model */
    loco_detect_options how;
    loco_model *loaded;
    const char **classes;
    size_t classes_len;
} lc_detect_request;

/* Prints the heading, once: not before there is something below it, so that a failure leaves stdout empty. */
void lc_detect_heading(lc_detect_request *asked);
/* Prints one event; NULL: the heading. */
void lc_detect_line(const lc_detect_request *asked, const char *file, const loco_event *event);

/* Saves the events of n recordings in the format asked for; formats that hold one recording take the first. */
loco_status lc_detect_save(const lc_detect_request *asked, const char *path, loco_events *lists, size_t n,
                           loco_err *err);

/* out/take.mid for sounds/take.wav; false when it does not fit. */
bool lc_detect_path(const lc_detect_request *asked, const char *file, char path[LC_DETECT_PATH]);

/* The events of list->file, as loco_detect gives them, in a caged process if there is a cage. */
loco_status lc_detect_one(const lc_detect_request *asked, loco_events *list, const loco_detect_options *how,
                          loco_err *err);

/* What a caged process answers before its events. A stranger may have written it. */
typedef struct lc_detect_report {
    int32_t status;
    loco_err err;
    char notice[LC_DETECT_NOTICE]; /* empty: none */
    double seconds;
    uint64_t events_len;
} lc_detect_report;

/* Where a sandbox is asked for: before threads are made, for so many files at a time; and after they ended. */
loco_status lc_detect_open_cage(lc_detect_request *asked, size_t together, loco_err *err);
void lc_detect_close_cage(lc_detect_request *asked);

/* Detects in all files, prints or saves, and returns the exit status. */
int lc_detect_files(lc_detect_request *asked, const lc_files *files);

/* The same for an archive: what is done is kept in a journal beside the output, which is put together at the end. */
int lc_detect_archive(lc_detect_request *asked, const lc_files *files);

#endif
