/* SPDX-License-Identifier: MIT
 * wfdb.h - records of PhysioNet's WFDB: a text header and samples. Annotations are in studio/import. */
#ifndef LC_SIGNAL_WFDB_H
#define LC_SIGNAL_WFDB_H

#include "signal/track.h"

enum { LC_WFDB_NAME = 63 };

typedef struct lc_wfdb_signal {
    double gain; /* numbers of the file a physical unit */
    double zero; /* the number that means 0 */
    bool summed; /* the header says what all numbers add up to */
    int sum;     /* that, in 16 bits */
    char about[32];
} lc_wfdb_signal;

/* A *.hea: one file of samples, all signals interleaved in it. */
typedef struct lc_wfdb_header {
    size_t channels;
    double rate;
    size_t frames; /* 0: not said */
    unsigned format;
    size_t skip;                 /* bytes before the first sample */
    char file[LC_WFDB_NAME + 1]; /* beside the header; no folder in it */
    lc_wfdb_signal signals[LC_SOUND_CHANNELS];
} lc_wfdb_header;

LOCO_MUST_USE loco_status lc_wfdb_header_parse(lc_wfdb_header *header, const char *name, const char *text,
                                               size_t length, loco_err *err);

/* The samples in physical units; formats 212, 16, 61, 80, 24 and 32. */
LOCO_MUST_USE loco_status lc_wfdb_samples(lc_track *track, const char *name, const lc_wfdb_header *header,
                                          const void *bytes, size_t length, lc_missing missing, loco_err *err);

#endif
