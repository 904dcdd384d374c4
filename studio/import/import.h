/* SPDX-License-Identifier: MIT
 *
 * import.h - public data sets in their own layout, made into ours.
 *
 * First everything is read and checked, then the new folder is written, so that a mistake in the last annotation leaves
 * nothing behind. A layout (lc_importer) says which sounds there are, and where their annotations; the rest is common.
 *
 * A new layout is one file with an lc_importer and one line in the table of import.c:
 *     lc_import_use        which labels the set has, and the classes they become
 *     lc_import_folder     where the sounds and annotations are
 *     lc_import_lines      for each recording; or lc_import_measure, lc_import_add for other annotations */
#ifndef LC_STUDIO_IMPORT_IMPORT_H
#define LC_STUDIO_IMPORT_IMPORT_H

#include "base/status.h"
#include "base/store.h"
#include "base/text.h"
#include "studio/import/strokes.h"
#include "studio/studio.h"

/* One recording of the new set. */
typedef struct lc_import_file {
    const char *name;   /* in the new folder */
    const char *sound;  /* path, which a link will lead to */
    const char *second; /* a sound to add to it, or NULL; then the sum is written, and no link */
    const char *beside; /* a file that it needs beside it, linked under its own name, or NULL */
} lc_import_file;

typedef struct lc_import {
    const char *from, *to; /* folders of the set, and of the new one */
    studio_import_options options;
    const lc_vocabulary *vocabulary;
    const char *ours[LC_VOCABULARY_MOST]; /* what each of its labels becomes; NULL: left out */
    size_t columns[LC_VOCABULARY_MOST];   /* of counts.csv, for each label; see lc_import_counts_begin */
    size_t columns_len;
    lc_store store;
    lc_names stems; /* of the new names: no two recordings may be one but for the ending */
    lc_text events; /* events.csv */
    lc_text counts; /* counts.csv, and series.format: written unless empty */
    lc_text format;
    lc_import_file *files;
    size_t files_len, capacity;
    studio_import_result done;
} lc_import;

/* A recording while it is taken up. */
typedef struct lc_import_take {
    lc_import_file file;
    double seconds, rate; /* of its sound */
    lc_strokes strokes;   /* the caller frees them */
    const char *path;     /* of the annotation, for messages */
} lc_import_take;

/* Chooses the vocabulary, and what its labels become: as it says, or as the user wants it. First of all calls. */
LOCO_MUST_USE loco_status lc_import_use(lc_import *import, const lc_vocabulary *vocabulary, loco_err *err);

/* A text that lives as long as the import; NULL without memory. */
char *lc_import_format(lc_import *import, const char *format, ...) LC_PRINTF(2, 3);

/* The first of the folders (names below `from`, the last NULL) that is there; else LOCO_EDATA lists what was looked for
 * and what is there. */
LOCO_MUST_USE loco_status lc_import_folder(const char **path, lc_import *import, const char *const *names,
                                           loco_err *err);

/* Takes up a recording whose annotation is lines of text; counts it as skipped where there is none. A NULL among the
 * paths is LOCO_ENOMEM. */
LOCO_MUST_USE loco_status lc_import_lines(lc_import *import, lc_import_file file, const char *annotation,
                                          loco_err *err);

/* The same in steps, for other annotations: measures the sound of a take that has its file; ... */
LOCO_MUST_USE loco_status lc_import_measure(lc_import_take *take, loco_err *err);

/* ... checks its strokes: one beyond the end of the sound is LOCO_EDATA; ... */
LOCO_MUST_USE loco_status lc_import_check(const lc_import_take *take, loco_err *err);

/* ... checks and adds it. */
LOCO_MUST_USE loco_status lc_import_add(lc_import *import, lc_import_take *take, loco_err *err);

/* Counts a recording without annotation. */
void lc_import_skip(lc_import *import, const char *name);

/* LOCO_EARG unless the user's choice, or NULL, is one of the words (the last NULL), the first of which is the default;
 * *chosen is its index. */
LOCO_MUST_USE loco_status lc_import_choose(size_t *chosen, const char *option, const char *choice,
                                           const char *const *words, loco_err *err);

/* LOCO_EARG where the user chose a mix or labels, of which this set has one kind. */
LOCO_MUST_USE loco_status lc_import_choose_none(const lc_import *import, loco_err *err);

/* counts.c: the header of counts.csv, a column a class in the order of the labels; ... */
void lc_import_counts_begin(lc_import *import);

/* ... adds a take, and rows for its clips of `clip` seconds, side by side. What is left over at its end is a clip of its
 * own with `rest`, else it has no row. */
LOCO_MUST_USE loco_status lc_import_add_counted(lc_import *import, lc_import_take *take, double clip, bool rest,
                                                loco_err *err);

/* The clip that the user wants, or usual; LOCO_EARG below 0.01 s, or above an hour. */
LOCO_MUST_USE loco_status lc_import_clip(double *clip, const lc_import *import, double usual, loco_err *err);

/* pitches.c: what data sets of pianos share. A label is a pitch of MIDI, "0" .. "127"; classes are 21 to 108, or what
 * the user chose. Begins counts.csv, too. */
LOCO_MUST_USE loco_status lc_import_use_pitches(lc_import *import, const char *set, loco_err *err);

/* Adds a take with its notes and its rows of counts.csv. */
LOCO_MUST_USE loco_status lc_import_add_notes(lc_import *import, lc_import_take *take, loco_err *err);

/* One layout. */
typedef loco_status lc_importer(lc_import *import, loco_err *err);
lc_importer lc_import_mdb, lc_import_enst, lc_import_idmt, lc_import_ecg, lc_import_maps, lc_import_maestro;

/* sum.c: writes the sum of two sounds, mono at the rate of the first, as long as the longer one. */
LOCO_MUST_USE loco_status lc_import_sum(const char *path, const char *first, const char *second, loco_err *err);

#endif
