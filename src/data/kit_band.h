/* SPDX-License-Identifier: MIT
 *
 * kit_band.h - the band of one recording: for each part an instrument, its level and pitch; and its strokes as sound.
 */
#ifndef LC_DATA_KIT_BAND_H
#define LC_DATA_KIT_BAND_H

#include "data/kit_bank.h"
#include "data/kit_part.h"
#include "data/kit_ranges.h"
#include "data/synth_kit.h"
#include "data/synth_pattern.h"

typedef struct lc_band_part {
    const lc_instrument *instrument; /* NULL: synthesised, or missing */
    const lc_instrument *layer;      /* one that sounds with it, from another kit; NULL: none */
    bool synthesised;
    double level;                    /* of the hardest stroke, as lc_sample_level has it */
    double pitch;                    /* of all strokes */
    double layer_level, layer_pitch; /* times those of the part */
    double decay;                    /* s in which strokes lose 60 dB more than by themselves; 0: none */
} lc_band_part;

typedef struct lc_band {
    lc_band_part parts[LC_PARTS];
    lc_kit kit;     /* synthesised voices */
    double power;   /* level of a stroke = level * velocity^power */
    double wobble;  /* of pitch from stroke to stroke */
    double damping; /* s, in which a choked hi-hat dies */
} lc_band;

/* Draws the band: some of them of several kits, one for each group; the others of one kit, and what it lacks of others.
 * Each group is synthesised with probability `synth`; all are when the bank is empty. */
void lc_band_draw(lc_band *band, const lc_bank *bank, const lc_ranges *ranges, lc_rng *rng, double synth, bool unseen);

/* False when nothing can play the part. */
bool lc_band_has(const lc_band *band, lc_voice_kind part);

/* Adds a stroke to samples (n of them), from sample hit->time * rate on, rounded down. scratch: room for n. */
void lc_band_strike(const lc_band *band, const lc_hit *hit, double rate, lc_rng *rng, float *samples, float *scratch,
                    size_t n);

#endif
