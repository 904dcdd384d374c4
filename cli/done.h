/* SPDX-License-Identifier: MIT
 *
 * done.h - which files of a long list are done, so that work that was stopped at any moment can go on.
 *
 * A journal is a text file beside an output. Each process appends to its own, one record a file, written by one call:
 *
 *     loco journal 1 settings 8d3f5b00c9a1e277 classes 3
 *     file 11 84 good 32044 1763460000123456789 2 1,0,1 5a6b...\n       bytes of path and text, verdict, size and
 *     tree/a.wav\n                                                      time of the file, seconds, events of each
 *     tree/a.wav,0.51,kick,0.98\n...                                    class, and a checksum of all of it
 *
 * A kill while a record is written leaves a part of it, which the checksum shows: it is cut off before the next one is
 * added. A record counts as long as its file has the same size and time of change, and the journal the same settings,
 * a hash of all that the result depends on. So a file that is recorded twice has the same result in both.
 */
#ifndef LC_CLI_DONE_H
#define LC_CLI_DONE_H

#include "shard.h"

#include <stdio.h>
#include <time.h>

typedef struct lc_done_entry {
    const char *path;
    uint64_t size;    /* of the file, in bytes */
    int64_t changed;  /* nanoseconds since 1970 */
    bool good;        /* false: it could not be read, and the text says why */
    double seconds;   /* of the recording */
    uint32_t *counts; /* events of each class */
    /* where its text lies; set by reading */
    size_t source;
    long long at;
    uint64_t text;
} lc_done_entry;

typedef struct lc_done_source {
    char *path;
    FILE *file;
} lc_done_source;

typedef struct lc_done {
    const char *base; /* path of the journal of a process that is alone; shards have theirs beside it */
    uint64_t settings;
    size_t classes;
    bool strict;    /* a journal of other settings is an error; else the own one begins anew, and others do not count */
    lc_shard shard; /* of = 0: alone */
    /* private from here on, zero at first */
    lc_done_source *sources; /* the own one first */
    size_t sources_len;
    lc_done_entry *entries; /* sorted by path */
    size_t len, capacity;
    long long end; /* of the own one */
    bool broken;   /* a write failed */
    time_t synced; /* to the disk */
} lc_done;

/* Opens the process's own journal, which no other process may have open, and reads all. LOCO_EDATA when one of them is
 * not a journal, LOCO_EIO when it cannot be written. The caller closes it after a failure, too. */
loco_status lc_done_open(lc_done *journal, loco_err *err);
/* remove: deletes the process's own journal. */
void lc_done_close(lc_done *journal, bool remove);

/* Reads all journals again: what this and other processes have added. */
loco_status lc_done_load(lc_done *journal, loco_err *err);

/* The record of a file as it is now; NULL: there is none. One that is good is preferred. */
const lc_done_entry *lc_done_find(const lc_done *journal, const char *path, uint64_t size, int64_t changed);

/* Adds a record, with a text of length bytes; one thread at a time. It is on the disk five seconds later, as long as
 * records follow. */
loco_status lc_done_append(lc_done *journal, const lc_done_entry *entry, const char *text, size_t length,
                           loco_err *err);

/* Copies the text of a record. False when it cannot be read or written. */
bool lc_done_copy(FILE *to, const lc_done *journal, const lc_done_entry *entry);

/* Adds the entries of one journal, whose number is source. *whole: where its last whole record ends; what is behind it
 * is passed over. LOCO_EARG when it is of other settings, LOCO_EDATA when it is not a journal. */
loco_status lc_done_read(lc_done *journal, FILE *file, size_t source, long long *whole, loco_err *err);

#endif
