/* SPDX-License-Identifier: MIT
 *
 * recital.h - one recording of a piano: what is played, on which piano, and how it was recorded.
 *
 * Recording `index` of a set is a function of the settings and the index alone.
 */
#ifndef LC_STUDIO_PIANO_RECITAL_H
#define LC_STUDIO_PIANO_RECITAL_H

#include "studio/piano/piano.h"
#include "studio/piano/piece.h"
#include "studio/synth/drums.h"

typedef struct lc_recital_settings {
    lc_synth_settings synth;
    const lc_pianos *pianos;           /* at least one */
    const lc_pieces *pieces;           /* may be empty: then all music is our own */
    double tuning;                     /* Hz of a' */
    size_t class_of[LC_PIANO_PITCHES]; /* of each pitch; SIZE_MAX: not counted */
} lc_recital_settings;

/* What is played: notes in samples, by time; the caller frees them. */
LOCO_MUST_USE loco_status lc_recital_draw(lc_piece_note **notes, size_t *len, const lc_recital_settings *settings,
                                          lc_rng *rng, loco_err *err);

/* samples (n of them, mono) and events (by time; probability is velocity / 127) are freed by the caller. */
LOCO_MUST_USE loco_status lc_recital(const lc_recital_settings *settings, size_t index, float **samples, size_t *n,
                                     loco_event **events, size_t *events_len, loco_err *err);

#endif
