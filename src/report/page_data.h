/* SPDX-License-Identifier: MIT
 *
 * page_data.h - the numbers of one recording as the report's script reads them.
 */
#ifndef LC_REPORT_PAGE_DATA_H
#define LC_REPORT_PAGE_DATA_H

#include "report/page.h"

/* What of a recording is shown: seconds from start on, and frames first..end-1 of the network. */
typedef struct lc_page_piece {
    const lc_page *page;
    const lc_page_recording *recording;
    double start, seconds, whole; /* whole: the length of the recording */
    size_t first, end;
    size_t lanes; /* one a class; 0: all classes share one, with a row for each */
} lc_page_piece;

lc_page_piece lc_page_piece_of(const lc_page *page, const lc_page_recording *recording);

/* Whether a mark lies in the piece. */
bool lc_page_piece_holds(const lc_page_piece *piece, const lc_page_mark *mark);

/* The first sample of the piece, and how many it has. */
size_t lc_page_piece_samples(const lc_page_piece *piece, size_t *n);

/* Mean and spread of the count of a class in the piece, by the model. */
typedef struct lc_page_count {
    double mean, sd;
} lc_page_count;
lc_page_count lc_page_piece_count(const lc_page_piece *piece, size_t kind);

/* Appends a JSON object of numbers and base64 alone: nothing in it comes from outside as text. */
LOCO_MUST_USE loco_status lc_page_data_write(lc_text *out, const lc_page_piece *piece, loco_err *err);

/* Appends the piece's sound as a WAV file in base64, and a click for each of the first lanes at the same rate as a list of strings
 * of 16-bit numbers. Both do nothing without sound. */
LOCO_MUST_USE loco_status lc_page_sound_write(lc_text *out, const lc_page_piece *piece, loco_err *err);
LOCO_MUST_USE loco_status lc_page_clicks_write(lc_text *out, const lc_page_piece *piece, loco_err *err);

/* RFC 4648, with the = at the end. */
void lc_base64_append(lc_text *out, const void *data, size_t length);

#endif
