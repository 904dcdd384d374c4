/* SPDX-License-Identifier: MIT
 *
 * page.h - the report: one HTML page that needs nothing but itself.
 *
 *     title, summary in plain words, score cards
 *     each recording: spectrogram, waveform, probabilities, events and counts over time, with sound
 *     or each image with its events (page_image.h)
 *     table of scores, how training went, how to read the page
 *
 * All data belong to the caller and are only read. Strings may hold any bytes: they are escaped. The same page gives
 * the same bytes.
 */
#ifndef LC_REPORT_PAGE_H
#define LC_REPORT_PAGE_H

#include "base/text.h"
#include "loco.h"
#include "report/curve.h"

#include <stdbool.h>

/* Above these a page would be slow to open. A recording takes up to 1.8 MB, most of it sound. */
enum {
    LC_PAGE_MOST_RECORDINGS = 24,
    LC_PAGE_MOST_SECONDS = 30, /* shown of a recording */
    LC_PAGE_MOST_LANES = 8,    /* more classes than these share one lane, with a row for each */
    LC_PAGE_MOST_CLASSES = 1024,
    LC_PAGE_MOST_BANDS = 512
};

/* What became of an event. Without a reference all are LC_PAGE_FOUND. */
typedef enum lc_page_verdict {
    LC_PAGE_FOUND,
    LC_PAGE_HIT,        /* detected, and in the reference */
    LC_PAGE_MISS,       /* in the reference alone */
    LC_PAGE_FALSE_ALARM /* detected alone */
} lc_page_verdict;

typedef struct lc_page_mark {
    double time; /* seconds from the start of the recording; of a miss, that of the reference */
    size_t kind; /* class */
    double probability;
    lc_page_verdict verdict;
    double reference; /* of a hit: the time of the reference */
    double end;       /* of a note: seconds from the start of the recording; 0: not known */
    double velocity;  /* of a note: 1..127; 0: not known */
} lc_page_mark;

/* A piece of at most LC_PAGE_MOST_SECONDS from `start` is shown. Frame t of the network is at frame_start + t /
 * frame_rate seconds, and that of the spectrogram likewise. */
typedef struct lc_page_recording {
    const char *name;
    const char *note; /* a line below the name; may be NULL */
    double start;
    const float *samples; /* (samples_len) one channel; NULL: no sound */
    size_t samples_len;
    double rate;
    bool silent;              /* samples are drawn, but are no sound to play: any rate from 1 on */
    const float *spectrogram; /* (spectrogram_len, bands) in 0..1, lowest band first; NULL: none */
    size_t spectrogram_len, bands;
    double spectrogram_rate, spectrogram_start;
    const float *logits; /* (frames, K) */
    size_t frames;
    double frame_rate, frame_start;
    const lc_page_mark *marks;
    size_t marks_len;
    const size_t *counts; /* (K) the known count of each class in the piece that is shown; NULL: unknown */
} lc_page_recording;

/* One number that matters. */
typedef struct lc_page_card {
    const char *label, *value;
    const char *note; /* may be NULL */
    double share;     /* 0..1: drawn as a bar below; otherwise no bar */
} lc_page_card;

/* Cells are text, row by row; all columns but the first are numbers and stand right. */
typedef struct lc_page_table {
    const char *title; /* may be NULL */
    const char *const *heads;
    size_t columns;
    const char *const *cells; /* (rows, columns) */
    size_t rows;
} lc_page_table;

typedef struct lc_page {
    const char *title;
    const char *const *summary; /* paragraphs; the first is the largest */
    size_t summary_len;
    const lc_page_card *cards;
    size_t cards_len;
    const char *scope;          /* what the cards are about, a line below them; may be NULL */
    const char *const *classes; /* (K) */
    size_t classes_len;
    const lc_page_recording *recordings;
    size_t recordings_len;
    const struct lc_page_image *images; /* in place of recordings */
    size_t images_len;
    const lc_page_table *tables;
    size_t tables_len;
    const lc_curve *curve; /* may be NULL */
} lc_page;

/* Appends the page. On failure out is as long as before; LOCO_EARG or LOCO_EDATA names the recording and the value. */
LOCO_MUST_USE loco_status lc_page_write(lc_text *out, const lc_page *page, loco_err *err);

#endif
