/* SPDX-License-Identifier: MIT
 *
 * piece.h - what a pianist plays: notes with the time at which the damper falls on them.
 *
 *     lc_pieces pieces = {0};
 *     status = lc_pieces_load(&pieces, "midi", side, err);                   a file, or a folder and those below it
 *     status = lc_piece_compose(&piece, &store, &rng, 30, err);              or music of our own
 *     lc_pieces_free(&pieces);
 */
#ifndef LC_STUDIO_PIANO_PIECE_H
#define LC_STUDIO_PIANO_PIECE_H

#include "base/rng.h"
#include "base/store.h"
#include "loco.h"
#include "studio/kits/held_out.h"

enum {
    LC_PIECES_MOST = 100000,
    LC_PIECES_NOTES = 20000000, /* of all together */
    LC_PIANO_LOWEST = 21,       /* the keys of a piano */
    LC_PIANO_HIGHEST = 108,
    LC_PIANO_KEYS = LC_PIANO_HIGHEST - LC_PIANO_LOWEST + 1
};

#define LC_PIECE_TOGETHER 0.03 /* s: a key cannot be struck again within */

typedef struct lc_piece_note {
    float on, off; /* s; off: key and pedal are both up */
    uint8_t pitch, velocity;
} lc_piece_note;

typedef struct lc_piece {
    const char *folder;   /* it is in: pieces of one folder are one source; "" for one of our own */
    lc_piece_note *notes; /* in order of on, then pitch */
    size_t len;
} lc_piece;

/* Zero-initialised at first. */
typedef struct lc_pieces {
    lc_piece *items; /* in order of path */
    size_t len, capacity;
    size_t notes;    /* of all together */
    size_t held_out; /* files on the other side of the split */
    lc_store store;
} lc_pieces;

/* All notes of a piano in a MIDI file, whatever their track; those on the channel of drums are left out, and strokes
 * of one key within LC_PIECE_TOGETHER are one. A file without any is LOCO_EDATA. */
LOCO_MUST_USE loco_status lc_piece_parse(lc_piece *piece, lc_store *store, const char *path, const char *bytes,
                                         size_t length, loco_err *err);

/* Adds those on the side of the split; LOCO_EDATA where there is no MIDI file at all. */
LOCO_MUST_USE loco_status lc_pieces_load(lc_pieces *pieces, const char *path, lc_kit_side side, loco_err *err);
void lc_pieces_free(lc_pieces *pieces);

/* In order of on, then pitch, then from the loudest on. */
void lc_piece_sort(lc_piece_note *notes, size_t len);

/* compose.c: music of our own of about so many seconds: chords, melodies, runs, repeated notes, bass, pedal; every key
 * occurs. */
LOCO_MUST_USE loco_status lc_piece_compose(lc_piece *piece, lc_store *store, lc_rng *rng, double seconds,
                                           loco_err *err);

#endif
