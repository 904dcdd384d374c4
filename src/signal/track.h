/* SPDX-License-Identifier: MIT
 * track.h - series of any kind as a track: samples of C channels, interleaved, at one rate, in memory.
 *
 *     *.csv               a header row with names; a column of times, or a stated rate
 *                                            series_csv.c, series_rows.c, series_clock.c, series_even.c
 *     *.npy               NumPy arrays of shape (T) or (T, C); the rate must be stated       npy.c
 *     *.raw *.bin *.i16   samples without a header: type, channels and rate must be stated  track.c
 *     *.hea               a WFDB header and the samples it names                            wfdb.c
 *
 * What a file does not say itself stands in a line of text, in a file of its name with .format behind it, or in
 * series.format in the same folder for all of them:
 *
 *     rate=360 type=s16le channels=1 order=little missing=hold
 *
 * Readers take the bytes of a file and know nothing of files. Their results are the caller's to lc_track_free.
 */
#ifndef LC_SIGNAL_TRACK_H
#define LC_SIGNAL_TRACK_H

#include "signal/sound.h"

#include <stdbool.h>

enum {
    LC_TRACK_BYTES = 1 << 30, /* of a file */
    LC_TRACK_SAMPLES = 1 << 28,
    LC_TRACK_FORMAT = 512, /* bytes of a .format file */
    LC_TRACK_NOTICE = LC_NOTICE_BYTES
};

/* What becomes of values that are not there: empty cells, NaN. */
typedef enum lc_missing { LC_MISSING_REFUSE, LC_MISSING_HOLD, LC_MISSING_LINEAR, LC_MISSING_ZERO } lc_missing;

/* Of raw samples: the order of their bytes. Without a word about it little is read, and big suspected. */
typedef enum lc_order { LC_ORDER_UNKNOWN, LC_ORDER_LITTLE, LC_ORDER_BIG } lc_order;

/* What is stated about a file; zero: nothing. */
typedef struct lc_track_format {
    double rate; /* Hz */
    bool typed;  /* type is stated */
    lc_raw_type type;
    size_t channels;
    lc_order order;
    lc_missing missing;
    const char *columns; /* of a table, those that are wanted, by lc_columns; no word of the text */
} lc_track_format;

typedef struct lc_track {
    double rate;
    size_t frames, channels;
    float *samples;                 /* (frames, channels) */
    char columns[LC_COLUMNS_BYTES]; /* of a table: the names of the channels, with commas; "": they have none */
    size_t ignored;                 /* columns of the table that were not wanted */
    char notice[LC_TRACK_NOTICE];   /* what the user should know, such as that rows were resampled; "": nothing */
} lc_track;

void lc_track_free(lc_track *track);

/* Reads a line such as the one above, in any order, over several lines if wanted; # begins a comment. */
LOCO_MUST_USE loco_status lc_track_format_parse(lc_track_format *format, const char *name, const char *text,
                                                size_t length, loco_err *err);

/* ---- readers of bytes; name stands in sentences alone ---- */

LOCO_MUST_USE loco_status lc_npy_parse(lc_track *track, const char *name, const void *bytes, size_t length,
                                       const lc_track_format *format, loco_err *err);
LOCO_MUST_USE loco_status lc_series_csv_parse(lc_track *track, const char *name, const void *text, size_t length,
                                              const lc_track_format *format, loco_err *err);
LOCO_MUST_USE loco_status lc_track_raw_parse(lc_track *track, const char *name, const void *bytes, size_t length,
                                             const lc_track_format *format, loco_err *err);

/* "ax, ay" as "ax,ay", and how many names: each at least one character, no quotes, none twice. */
LOCO_MUST_USE loco_status lc_columns_parse(char names[LC_COLUMNS_BYTES], size_t *n, const char *text, loco_err *err);

/* ---- files ---- */

/* Whether the ending says that it is a series and not a sound. */
bool lc_track_is(const char *path);

/* columns: of tables, which are wanted, as in lc_columns; others are read whole. */
LOCO_MUST_USE loco_status lc_track_load(lc_track *track, const char *path, const char *columns, loco_err *err);

/* ---- shared by the readers ---- */

typedef struct lc_track_name {
    char text[104];
} lc_track_name;

lc_track_name lc_track_show(const char *name); /* of a long name the end */

/* Room for (frames, channels) samples, after a check of the limits; a rate of 0 is refused as missing. */
LOCO_MUST_USE loco_status lc_track_new(lc_track *track, const char *name, size_t frames, size_t channels, double rate,
                                       loco_err *err);

/* Where samples are NaN, does as missing says; refusing names `unit` (row, sample) and channel, both from 1. Samples
 * beyond +-1e9 are always refused. */
LOCO_MUST_USE loco_status lc_track_fill(lc_track *track, const char *name, lc_missing missing, const char *unit,
                                        loco_err *err);

#endif
