/* SPDX-License-Identifier: MIT
 * source.h - a sound file, series or raw stream as it is: samples at its own rate, mixed to mono or channel by channel. */
#ifndef LC_SIGNAL_SOURCE_H
#define LC_SIGNAL_SOURCE_H

#include "signal/flac.h"
#include "signal/series_live.h"

#include <sndfile.h>
#include <stdbool.h>

enum { LC_SOURCE_CHUNK = 4096, LC_SOURCE_NAME = 128 };

#define LC_SOURCE_UNKNOWN UINT64_MAX /* number of frames, until the end is reached */

typedef struct lc_source {
    char name[LC_SOURCE_NAME + 4]; /* for errors: the path, or its end */
    SNDFILE *file;                 /* one of file, raw, rows and track; */
    lc_flac *flac;                 /* of a FLAC file, as long as it is read from its beginning on */
    FILE *raw;
    lc_live_rows *rows;
    lc_track track;       /* samples: NULL, or all of a series */
    bool split;           /* channels stay apart: set it before the first read */
    lc_raw_format format; /* the type is of raw alone */
    uint64_t frames;      /* in all, as the header says */
    uint64_t at;          /* frames read */
    size_t chunk;         /* frames of one read */
    float *block;         /* (chunk, channels) */
    unsigned char *bytes; /* of raw: chunk frames */
    size_t rest;          /* of raw: bytes of a frame that the end cut off */
    int kind;             /* of the file: SF_FORMAT_... */
} lc_source;

LOCO_MUST_USE loco_status lc_source_open(lc_source *source, const char *path, loco_err *err);

/* The same with some columns of a table, as in lc_columns. */
LOCO_MUST_USE loco_status lc_source_open_columns(lc_source *source, const char *path, const char *columns,
                                                 loco_err *err);
LOCO_MUST_USE loco_status lc_source_open_raw(lc_source *source, FILE *file, const char *name,
                                             const lc_raw_format *format, loco_err *err);

/* Rows of a table as they come; a rate near `usual` is taken for that (series_live.h). */
LOCO_MUST_USE loco_status lc_source_open_rows(lc_source *source, FILE *file, const char *name, const char *columns,
                                              double usual, loco_err *err);
void lc_source_close(lc_source *source);

/* Whether it gives what it has, and more may come later. */
bool lc_source_is_live(const lc_source *source);

/* Frames that one read of a raw stream waits for: 1 ms, or 16. */
size_t lc_source_raw_chunk(const lc_raw_format *format);

/* The next 1 to chunk samples, (got, channels) of them where they stay apart; got is 0 at the end. */
LOCO_MUST_USE loco_status lc_source_read(lc_source *source, float *samples, size_t *got, loco_err *err);

/* Makes sure that frames is known: where the header does not tell, decodes all of the file and goes back. */
LOCO_MUST_USE loco_status lc_source_count(lc_source *source, loco_err *err);

/* Goes to a frame of a file, at most to its end, before the first read or after. */
LOCO_MUST_USE loco_status lc_source_seek(lc_source *source, uint64_t frame, loco_err *err);

/* raw.c: bytes of a sample; n samples into floats of -1..1. */
size_t lc_raw_size(lc_raw_type type);
void lc_raw_decode(lc_raw_type type, const unsigned char *bytes, size_t n, float *samples);

/* "s16le" */
const char *lc_raw_name(lc_raw_type type);
bool lc_raw_find(const char *name, size_t length, lc_raw_type *type); /* false when there is none */

#endif
