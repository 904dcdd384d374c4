/* SPDX-License-Identifier: MIT
 * wav_header.h - the header of a WAV or FLAC stream, read once from front to back: pipes cannot be wound back, and so libsndfile
 *   cannot read them.
 *
 *     lc_raw_format format;
 *     status = lc_wav_header(&format, "standard input", read_some, &descriptor, err);
 *     ... what comes next are the samples, as lc_source_open_raw reads them ... */
#ifndef LC_DETECT_WAV_HEADER_H
#define LC_DETECT_WAV_HEADER_H

#include "signal/sound.h"

/* Reads n bytes, fewer at the end alone; returns how many. */
typedef size_t lc_wav_read(void *context, unsigned char *bytes, size_t n);

/* The format of the samples behind the header; PCM of 8, 16, 24 and 32 bits, float of 32 and 64. format->frames is 0
 * where a program that streams wrote 0 or an absurd length. LOCO_EARG when the first bytes are not those of WAV or
 * FLAC, LOCO_EDATA when the rest is damaged or of another kind. Exactly the header is read. */
LOCO_MUST_USE loco_status lc_wav_header(lc_raw_format *format, const char *name, lc_wav_read *read, void *context,
                                        loco_err *err);

#endif
