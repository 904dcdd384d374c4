/* SPDX-License-Identifier: MIT
 * source_flac.h - samples of a FLAC file, read with libFLAC.
 *
 *     lc_flac *flac = lc_flac_open(descriptor, &problem);
 *     while ((got = lc_flac_read(flac, samples, most)) > 0) ...
 *     if (lc_flac_problem(flac) != NULL) ...
 *
 * Sample i of the file is always frame i that is read, or reading stops with a problem: a damaged, missing, repeated or
 * moved frame never shifts what follows.
 *
 * A stream that cannot be wound back, such as a pipe, is described by the 28 bytes of STREAMINFO that matter: they are
 * read before, for the rate, and written and read as text, since a description passes through the public interface. */
#ifndef LC_SIGNAL_SOURCE_FLAC_H
#define LC_SIGNAL_SOURCE_FLAC_H

#include "signal/source.h"

typedef struct lc_flac lc_flac;

typedef struct lc_flac_info {
    unsigned rate, channels, bits;
    unsigned block;  /* most samples of a block */
    uint64_t frames; /* 0: the header does not say */
} lc_flac_info;

/* Whether the file begins like FLAC or FLAC in Ogg, also behind an ID3v2 tag. False for pipes. */
bool lc_flac_is(int descriptor);

/* Takes the descriptor, also on failure. NULL: *problem says why, or is NULL where memory is missing. */
lc_flac *lc_flac_open(int descriptor, const char **problem);
void lc_flac_close(lc_flac *flac); /* may be NULL */

const lc_flac_info *lc_flac_view(const lc_flac *flac);

/* Returns how many frames it wrote, (frames, channels) samples of -1..1, at most `most`; 0: the end, or a problem. */
size_t lc_flac_read(lc_flac *flac, float *samples, size_t most);

/* Continues at a frame from 0 to the end. False: lc_flac_problem says why. */
bool lc_flac_seek(lc_flac *flac, uint64_t frame);

/* What stopped the last read or seek, as the end of a sentence about a place in the file; NULL: nothing. */
const char *lc_flac_problem(const lc_flac *flac);

/* ---- streams; formats are in source_raw.c ---- */

enum {
    LC_FLAC_HEADER = 42, /* bytes up to the end of STREAMINFO */
    LC_FLAC_BLOCKS = 4,  /* its bytes for sizes of blocks, the first of the 28 */
    LC_FLAC_SIZES = 6    /* those for sizes of frames behind them, which are left out */
};

/* The format of a stream from its first LC_FLAC_HEADER bytes; false: they are not those of FLAC. */
bool lc_flac_read_format(lc_raw_format *format, const unsigned char header[LC_FLAC_HEADER]);

/* "flac,1000..." and back. false: the text is not one that was written, or holds impossible values. */
void lc_flac_write_format(char text[64], const lc_raw_format *format);
bool lc_flac_parse_format(lc_raw_format *format, const char *text);

/* What follows the header, or all of the stream; the descriptor stays the caller's. */
LOCO_MUST_USE loco_status lc_source_open_flac(lc_source *source, int descriptor, const char *name,
                                              const lc_raw_format *format, loco_err *err);

#endif
