/* SPDX-License-Identifier: MIT
 * source_flac.h - samples of a FLAC file, read with libFLAC.
 *
 *     lc_flac *flac = lc_flac_open(descriptor, &problem);
 *     while ((got = lc_flac_read(flac, samples, most)) > 0) ...
 *     if (lc_flac_problem(flac) != NULL) ...
 *
 * Sample i of the file is always frame i that is read, or reading stops with a problem: a damaged, missing, repeated or
 * moved frame never shifts what follows. */
#ifndef LC_SIGNAL_SOURCE_FLAC_H
#define LC_SIGNAL_SOURCE_FLAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
