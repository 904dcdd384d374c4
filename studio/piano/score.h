/* SPDX-License-Identifier: MIT
 *
 * score.h - what a pianist plays: notes with the time at which the damper falls on them.
 *
 *     lc_scores scores = {0};
 *     status = lc_scores_load(&scores, "midi", side, err);                   a file, or a folder and those below it
 *     status = lc_score_compose(&score, &store, &rng, 30, err);              or music of our own
 *     lc_scores_free(&scores);
 */
#ifndef LC_STUDIO_PIANO_SCORE_H
#define LC_STUDIO_PIANO_SCORE_H

#include "base/rng.h"
#include "base/store.h"
#include "loco.h"
#include "studio/kits/held_out.h"

enum {
    LC_SCORES_MOST = 100000,
    LC_SCORES_NOTES = 20000000, /* of all together */
    LC_PIANO_LOWEST = 21,       /* the keys of a piano */
    LC_PIANO_HIGHEST = 108,
    LC_PIANO_KEYS = LC_PIANO_HIGHEST - LC_PIANO_LOWEST + 1
};

#define LC_SCORE_TOGETHER 0.03 /* s: a key cannot be struck again within */

typedef struct lc_score_note {
    float on, off; /* s; off: key and pedal are both up */
    uint8_t pitch, velocity;
} lc_score_note;

typedef struct lc_score {
    const char *folder;   /* it is in: scores of one folder are one source; "" for one of our own */
    lc_score_note *notes; /* in order of on, then pitch */
    size_t len;
} lc_score;

/* Zero-initialised at first. */
typedef struct lc_scores {
    lc_score *items; /* in order of path */
    size_t len, capacity;
    size_t notes;    /* of all together */
    size_t held_out; /* files on the other side of the split */
    lc_store store;
} lc_scores;

/* All notes of a piano in a MIDI file, whatever their track; those on the channel of drums are left out, and strokes
 * of one key within LC_SCORE_TOGETHER are one. A file without any is LOCO_EDATA. */
LOCO_MUST_USE loco_status lc_score_parse(lc_score *score, lc_store *store, const char *path, const char *bytes,
                                         size_t length, loco_err *err);

/* Adds those on the side of the split; LOCO_EDATA where there is no MIDI file at all. */
LOCO_MUST_USE loco_status lc_scores_load(lc_scores *scores, const char *path, lc_kit_side side, loco_err *err);
void lc_scores_free(lc_scores *scores);

/* In order of on, then pitch, then from the loudest on. */
void lc_score_sort(lc_score_note *notes, size_t len);

/* compose.c: music of our own of about so many seconds: chords, melodies, runs, repeated notes, bass, pedal; every key
 * occurs. */
LOCO_MUST_USE loco_status lc_score_compose(lc_score *score, lc_store *store, lc_rng *rng, double seconds,
                                           loco_err *err);

#endif
