/* SPDX-License-Identifier: MIT
 * source.h - one recording or stream as it is: samples at its own rate, mixed to mono or channel by channel.
 *
 *     files by content   sound through libsndfile    source_sound.c      FLAC    source_flac.c
 *     files by ending    tables, arrays, WFDB: all of a recording of sensors in memory    source_track.c
 *                        images, a row of pixels is a moment    image/source_image.c
 *     streams            raw samples    source_raw.c      rows of a table as they arrive    source_rows.c
 *     memory             samples of the caller    source.c
 *
 * Each is a const table of functions, lc_source_ops. Those that are opened by a path stand in the list lc_sources in
 * source.c: docs/map.md says how to add one.
 *
 *     lc_source source;
 *     if (lc_source_open(&source, "take.flac", (lc_columns){0}, err) != LOCO_OK) ...
 *     while ((status = lc_source_read(&source, samples, &got, err)) == LOCO_OK && got > 0) ...
 *     lc_source_close(&source); */
#ifndef LC_SIGNAL_SOURCE_H
#define LC_SIGNAL_SOURCE_H

#include "signal/sound.h"

#include <stdbool.h>

enum { LC_SOURCE_CHUNK = 4096, LC_SOURCE_NAME = 128 };

#define LC_SOURCE_UNKNOWN UINT64_MAX /* number of frames, until the end is reached */

typedef struct lc_source_ops lc_source_ops;

typedef struct lc_source {
    const lc_source_ops *ops;
    void *state;                   /* of the reader, which frees it in close */
    char name[LC_SOURCE_NAME + 4]; /* for errors: the path, or its end */
    double rate;                   /* Hz */
    size_t channels;
    uint64_t frames;     /* in all, as the header says */
    uint64_t at;         /* frames read */
    size_t chunk;        /* most frames of one read */
    float *block;        /* (chunk, channels) */
    const float *memory; /* all samples, (frames, channels), where they are in memory; else NULL */
    const char *titles;  /* names of the channels, "ax,ay"; NULL: they have none */
    size_t ignored;      /* columns of a table that were not wanted */
    const char *notice;  /* a sentence that the user should read; NULL or "": none */
    bool split;          /* channels stay separate: set it before the first read */
} lc_source;

/* A path is opened by the first reader that claims it by its name, or else by the first that knows its content.
 * open and open_file set state, rate, channels and frames; after a failure close is called, if state is set. */
struct lc_source_ops {
    const char *name;
    const char *recipe; /* of a reader: the preset with which such recordings are trained by default */
    bool live;          /* gives what there is, and more may come later */
    size_t widest;      /* most channels; 0: LC_SOUND_CHANNELS */

    bool (*claims)(const char *path);
    loco_status (*open)(lc_source *source, const char *path, lc_columns columns, loco_err *err);

    bool (*knows)(int descriptor); /* reads with pread, so that the file stays at its start */
    loco_status (*open_file)(lc_source *source, int descriptor, loco_err *err); /* closes it, also on failure */

    /* Writes the next 1 to chunk frames to source->block; got is 0 at the end. at is moved by the caller. */
    loco_status (*read)(lc_source *source, size_t *got, loco_err *err);
    loco_status (*seek)(lc_source *source, uint64_t frame, loco_err *err); /* sets at; NULL: live */
    void (*close)(lc_source *source);                                      /* frees state; NULL: there is none */
};

/* The readers of paths, ended by NULL. */
extern const lc_source_ops *const lc_sources[];

extern const lc_source_ops lc_source_track, lc_source_image, lc_source_flac, lc_source_sound, lc_source_raw,
    lc_source_rows, lc_source_flac_stream;

/* ---- opening ---- */

/* A file: all of its columns (names NULL), or some. n says how many are wanted, but 0 and others are opened as well. */
LOCO_MUST_USE loco_status lc_source_open(lc_source *source, const char *path, lc_columns columns, loco_err *err);

/* Raw samples; file stays the caller's. */
LOCO_MUST_USE loco_status lc_source_open_raw(lc_source *source, FILE *file, const char *name,
                                             const lc_raw_format *format, loco_err *err);

/* Rows of a table as they arrive; a rate near `usual` is taken for that (source_rows.h). file stays the caller's. */
LOCO_MUST_USE loco_status lc_source_open_rows(lc_source *source, FILE *file, const char *name, const char *columns,
                                              double usual, loco_err *err);

/* Samples in memory, which must outlive the source. */
LOCO_MUST_USE loco_status lc_source_open_samples(lc_source *source, const loco_samples *samples, loco_err *err);
void lc_source_close(lc_source *source);

/* The preset with which recordings such as this one are trained by default: "sound", "series". */
const char *lc_source_recipe(const char *path);

/* ---- reading ---- */

/* Whether it gives what it has, and more may come later. */
bool lc_source_is_live(const lc_source *source);

/* The next 1 to chunk samples, (got, channels) of them where they stay separate; got is 0 at the end. */
LOCO_MUST_USE loco_status lc_source_read(lc_source *source, float *samples, size_t *got, loco_err *err);

/* Makes sure that frames is known: where the header does not say, decodes all of the file and goes back. */
LOCO_MUST_USE loco_status lc_source_count(lc_source *source, loco_err *err);

/* Goes to a frame of a file, at most to its end, before the first read or after. */
LOCO_MUST_USE loco_status lc_source_seek(lc_source *source, uint64_t frame, loco_err *err);

/* mono[i] = the mean of frame i of interleaved samples. */
void lc_mix(float *mono, const float *samples, size_t frames, size_t channels);

/* ---- for readers ---- */

/* A source of this kind, without state, frames unknown. */
lc_source lc_source_begin(const lc_source_ops *ops, const char *name, size_t chunk);

/* The last step of opening: checks rate and channels, reserves the block, and closes the source where that or status,
 * what came before, failed. After open and open_file the caller does it. */
LOCO_MUST_USE loco_status lc_source_ready(lc_source *source, loco_status status, loco_err *err);

/* Whether sound may be read at a rate: its own is at least 100 Hz, or a sixteenth of that rate if this is less. A header of 1
 * Hz would make 22050 samples of one, and minutes of work of a small file. Series have any rate. */
LOCO_MUST_USE loco_status lc_source_check_rate(const lc_source *source, double wanted, loco_err *err);

/* "NAME: at 1.234 s WHAT" */
LOCO_MUST_USE loco_status lc_source_refuse_at(const lc_source *source, uint64_t frame, const char *what, loco_err *err);

/* At the end: refuses a file that is shorter than its header says, and one without any sample. */
LOCO_MUST_USE loco_status lc_source_check_end(const lc_source *source, loco_err *err);

/* read and seek of what is in memory. */
LOCO_MUST_USE loco_status lc_source_read_memory(lc_source *source, size_t *got, loco_err *err);
LOCO_MUST_USE loco_status lc_source_seek_memory(lc_source *source, uint64_t frame, loco_err *err);

/* ---- raw samples, source_raw.c ---- */

/* Frames that one read of a raw stream waits for: 1 ms, or 16; a block of FLAC. */
size_t lc_source_raw_chunk(const lc_raw_format *format);

/* Bytes of a sample; n samples into floats of -1..1. */
size_t lc_raw_size(lc_raw_type type);
void lc_raw_decode(lc_raw_type type, const unsigned char *bytes, size_t n, float *samples);

/* "s16le" */
const char *lc_raw_name(lc_raw_type type);
bool lc_raw_find(const char *name, size_t length, lc_raw_type *type); /* false when there is none */

#endif
