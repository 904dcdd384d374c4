/* SPDX-License-Identifier: MIT
 *
 * strokes.h - what the annotations of public data sets say: strokes, each with a time and a label of the set.
 *
 * Readers take bytes, append to a list, and stop at the first line that is wrong with LOCO_EDATA, file and line; the
 * list must then only be freed.
 *
 *     lc_strokes strokes = {0};
 *     status = lc_strokes_parse_lines(&strokes, &vocabulary, path, text, length, err);
 *     strokes.items[i]: time, label (an index of the vocabulary), line
 *     lc_strokes_free(&strokes); */
#ifndef LC_STUDIO_IMPORT_STROKES_H
#define LC_STUDIO_IMPORT_STROKES_H

#include "base/plain_text.h"
#include "loco.h"

#include <stdbool.h>
#include <stdint.h>

/* All labels of a set. */
typedef struct lc_vocabulary {
    const char *set;                /* its name, for messages */
    const char *const (*labels)[2]; /* theirs, ours; NULL: known, and left out */
    size_t len;
    bool numbered; /* several of a kind have numbers: cr2 is a cr */
} lc_vocabulary;

enum { LC_VOCABULARY_MOST = 128 };

/* The index of a label, or SIZE_MAX. */
size_t lc_vocabulary_find(const lc_vocabulary *vocabulary, const char *label, size_t length);

/* All labels, `KD, SD, HH`. */
typedef struct lc_vocabulary_shown {
    char text[128];
} lc_vocabulary_shown;

lc_vocabulary_shown lc_vocabulary_show(const lc_vocabulary *vocabulary);

typedef struct lc_stroke {
    double time;
    uint32_t label; /* in the vocabulary */
    uint32_t line;
} lc_stroke;

/* Zero at first. */
typedef struct lc_strokes {
    lc_stroke *items;
    size_t len, capacity;
} lc_strokes;

void lc_strokes_free(lc_strokes *strokes);

/* Adds a stroke; times are checked against their range. */
LOCO_MUST_USE loco_status lc_strokes_add(lc_strokes *strokes, lc_place place, double time, size_t label, loco_err *err);

/* A stroke as it is written; neither text needs to end with 0. */
typedef struct lc_stroke_text {
    const char *time, *label;
    size_t time_len, label_len;
} lc_stroke_text;

/* The same from text. */
LOCO_MUST_USE loco_status lc_strokes_add_text(lc_strokes *strokes, const lc_vocabulary *vocabulary, lc_place place,
                                              lc_stroke_text text, loco_err *err);

/* Lines `time label`, with spaces or tabs anywhere. No line at all is an error, for every recording has strokes. */
LOCO_MUST_USE loco_status lc_strokes_parse_lines(lc_strokes *strokes, const lc_vocabulary *vocabulary, const char *path,
                                                 const char *text, size_t length, loco_err *err);

/* Rows `onset offset pitch velocity` of notes, in seconds; the label is the pitch, 0..127. Names above the rows may
 * give another order (notes.c). No note at all is an error. */
LOCO_MUST_USE loco_status lc_strokes_parse_notes(lc_strokes *strokes, const char *path, const char *text, size_t length,
                                                 loco_err *err);

/* <instrumentRecording> of IDMT: an <event> has <onsetSec> and <instrument>. */
LOCO_MUST_USE loco_status lc_strokes_parse_events(lc_strokes *strokes, const lc_vocabulary *vocabulary,
                                                  const char *path, const char *bytes, size_t length, loco_err *err);

/* A layer of Sonic Visualiser, all of whose points are of one label: time = frame / sampleRate. The rate must be the
 * one given, that of the sound. */
LOCO_MUST_USE loco_status lc_strokes_parse_layer(lc_strokes *strokes, size_t label, double rate, const char *path,
                                                 const char *bytes, size_t length, loco_err *err);

#endif
