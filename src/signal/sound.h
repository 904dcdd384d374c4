/* SPDX-License-Identifier: MIT
 * sound.h - sound files, series and raw streams as samples at a wanted rate.
 *
 * Any format that libsndfile reads (wav, flac, ogg, mp3, aiff, ...), any rate and number of channels: the mean of the
 * channels, resampled without delay. Sample 0 is time 0, sample i is time i / rate; of N samples at rate R come
 * round(N * rate / R).
 *
 *     lc_sound *sound;
 *     if (lc_sound_open(&sound, "take.flac", 22050, err) != LOCO_OK) ...
 *     while ((status = lc_sound_read(sound, samples, 4096, &got, err)) == LOCO_OK && got > 0) ...
 *     lc_sound_close(sound);
 *
 * What is said of sound holds for series (track.h), too. For these there are forms of the same functions that keep the
 * channels separate: `columns` says how many there must be, samples are (n, channels), interleaved, and n and got count
 * frames of them. With columns.n = 0 they are mixed, as sound is.
 *
 * Change of speed: sound that is read at rate * factor and then taken for sound at rate is factor times as long, and
 * lower by that factor. No other function is needed for it.
 */
#ifndef LC_SIGNAL_SOUND_H
#define LC_SIGNAL_SOUND_H

#include "loco.h"

#include <stdio.h>

enum { LC_SOUND_CHANNELS = 64, LC_SOUND_RATE = 1000000 }; /* most channels; highest rate in Hz, the lowest is 1 */
enum { LC_COLUMNS_BYTES = 512 };                          /* of names, with commas between them */
enum { LC_NOTICE_BYTES = 400 };                           /* of a sentence about a recording */

/* Which channels stay separate: n of them; 0: all are mixed. Of a table, names says which columns, "ax,ay,az"; NULL: all.
 * Where there are no names, all of n channels are taken as they come. */
typedef struct lc_columns {
    size_t n;
    const char *names;
} lc_columns;

typedef enum lc_raw_type {
    LC_RAW_U8,
    LC_RAW_S16LE,
    LC_RAW_S24LE,
    LC_RAW_S32LE,
    LC_RAW_F32LE,
    LC_RAW_F64LE,
    LC_RAW_FLAC /* what follows the first block of a FLAC stream, or all of the stream */
} lc_raw_type;

enum { LC_RAW_FLAC_BYTES = 28 };

/* Samples without a header, channels interleaved. */
typedef struct lc_raw_format {
    lc_raw_type type;
    size_t channels;
    double rate;
    uint64_t frames; /* how many there are, with perhaps other bytes behind them; 0: all up to the end */
    unsigned char flac[LC_RAW_FLAC_BYTES]; /* of FLAC: STREAMINFO without the sizes of frames */
} lc_raw_format;

/* Reads "s16le,1,44100": type (u8, s16le, s24le, s32le, f32le, f64le), channels, rate; or with frames behind them,
 * "s16le,1,44100,88200"; or "flac," and the 28 bytes in hexadecimal digits. */
LOCO_MUST_USE loco_status lc_raw_parse(lc_raw_format *format, const char *text, loco_err *err);

/* A stream. Memory stays below 1 MB for up to 2 channels, whatever the length of the sound. */
typedef struct lc_sound lc_sound;

LOCO_MUST_USE loco_status lc_sound_open(lc_sound **sound, const char *path, double rate, loco_err *err);
LOCO_MUST_USE loco_status lc_sound_open_channels(lc_sound **sound, const char *path, double rate, lc_columns columns,
                                                 loco_err *err);

/* Reads from file, which the caller closes; name is for errors, channels as n of lc_columns. A read waits for 1 ms of
 * sound, or for 16 samples where that is more. */
LOCO_MUST_USE loco_status lc_sound_open_raw_channels(lc_sound **sound, FILE *file, const char *name,
                                                     const lc_raw_format *format, double rate, size_t channels,
                                                     loco_err *err);

/* Rows of a table as they come: a row of names, then numbers, and the rate or times as in a file. Waits for the names,
 * and where the rate is found from times, for some rows. */
LOCO_MUST_USE loco_status lc_sound_open_rows(lc_sound **sound, FILE *file, const char *name, double rate,
                                             lc_columns columns, loco_err *err);

/* Samples in memory, which must outlive the sound. */
LOCO_MUST_USE loco_status lc_sound_open_samples(lc_sound **sound, const loco_samples *samples, double rate,
                                                lc_columns columns, loco_err *err);
void lc_sound_close(lc_sound *sound);

/* How many seconds of a raw stream must have come beyond a sample until lc_sound_read gives it out, at most. Measured on
 * a resampler of its own, in a few milliseconds. */
LOCO_MUST_USE loco_status lc_sound_delay(const lc_raw_format *format, double rate, double *seconds, loco_err *err);

/* Up to `most` samples; got is 0 at the end alone. What comes does not depend on the sizes that are asked for. After
 * an error the stream is over. Samples that are not numbers, a file that is cut short, or no sample at all:
 * LOCO_EDATA. */
LOCO_MUST_USE loco_status lc_sound_read(lc_sound *sound, float *out, size_t most, size_t *got, loco_err *err);

/* The samples of [start, end) seconds, to free(). end may be INFINITY: up to the end of the file. Outside of the file
 * are zeros, but start must lie before its end. start and end are moved to the next sample of the whole file at this
 * rate, so that clips side by side neither overlap nor leave a gap. At most 2^31 samples. */
LOCO_MUST_USE loco_status lc_sound_load(const char *path, double start, double end, double rate, float **samples,
                                        size_t *n, loco_err *err);

LOCO_MUST_USE loco_status lc_sound_load_channels(const char *path, double start, double end, double rate,
                                                 lc_columns columns, float **samples, size_t *n, loco_err *err);

/* The length and the file's own rate. Where the header has no length, the file is decoded to count. */
LOCO_MUST_USE loco_status lc_sound_length(const char *path, double *seconds, double *rate, loco_err *err);

/* The same with what there is of columns; n is not asked for. */
typedef struct lc_sound_shape {
    double seconds, rate;
    size_t channels, ignored;     /* columns that were not wanted */
    char names[LC_COLUMNS_BYTES]; /* of the channels; "": they have none */
    char notice[LC_NOTICE_BYTES]; /* what the user should know about the file; "": nothing */
    double mean[3];               /* of a series of three channels; 0 where these are less than most of it */
} lc_sound_shape;

LOCO_MUST_USE loco_status lc_sound_measure(lc_sound_shape *shape, const char *path, const char *columns, loco_err *err);

#endif
