/* SPDX-License-Identifier: MIT
 * flac.h - samples of FLAC files, one after the other: for reading fast what libFLAC reads, too.
 *
 * Streams as files have them ("fLaC" first) of 1 to 8 channels and 4 to 24 bits. This is a fast path and no more: it
 * stops, without a word, at whatever it does not know or finds damaged, and leaves it to libFLAC to go on or to say what
 * is wrong. All samples up to there are right: every frame's checksum is tested. */
#ifndef LC_SIGNAL_FLAC_H
#define LC_SIGNAL_FLAC_H

#include "loco.h"

/* Bytes of the file from `at` on; how many of n there are. */
typedef size_t lc_flac_bytes(void *context, uint64_t at, unsigned char *bytes, size_t n);

typedef struct lc_flac_info {
    unsigned rate, channels, bits;
    uint64_t frames; /* 0: the file does not say */
} lc_flac_info;

typedef struct lc_flac lc_flac;

/* NULL: no FLAC that this reads, or no memory. */
lc_flac *lc_flac_new(lc_flac_bytes *bytes, void *context, lc_flac_info *info);
void lc_flac_free(lc_flac *flac);

/* Up to `most` frames of interleaved samples of -1..1; how many. 0: the end, or what it does not know. */
size_t lc_flac_read(lc_flac *flac, float *samples, size_t most);

#endif
