/* SPDX-License-Identifier: MIT
 *
 * backing.h - who plays in one recording: for each part an instrument, its level and pitch; and its strokes as sound.
 *
 *     lc_backing backing;
 *     lc_backing_draw(&backing, &bank, &lc_ranges_ordinary, &rng, 0.15, false);
 *     for each hit of a pattern that lc_backing_has can play:
 *         lc_backing_strike(&backing, &hit, rate, &rng, samples, scratch, n); */
#ifndef LC_STUDIO_KITS_BACKING_H
#define LC_STUDIO_KITS_BACKING_H

#include "studio/kits/bank.h"
#include "studio/kits/part.h"
#include "studio/kits/ranges.h"
#include "studio/synth/kit.h"
#include "studio/synth/pattern.h"

typedef struct lc_backing_part {
    const lc_instrument *instrument; /* NULL: synthesised, or missing */
    const lc_instrument *layer;      /* one that sounds with it, from another kit; NULL: none */
    bool synthesised;
    double level;                    /* of the hardest stroke, as lc_sample_level has it */
    double pitch;                    /* of all strokes */
    double layer_level, layer_pitch; /* times those of the part */
    double decay;                    /* s in which strokes lose 60 dB more than by themselves; 0: none */
} lc_backing_part;

typedef struct lc_backing {
    lc_backing_part parts[LC_PARTS];
    lc_kit kit;     /* synthesised voices */
    double power;   /* level of a stroke = level * velocity^power */
    double wobble;  /* of pitch from stroke to stroke */
    double damping; /* s, in which a choked hi-hat dies */
} lc_backing;

/* Draws instruments: sometimes of several kits, one for each group; else of one kit, and what it lacks of others.
 * Each group is synthesised with probability `synth`; all are when the bank is empty. */
void lc_backing_draw(lc_backing *backing, const lc_bank *bank, const lc_ranges *ranges, lc_rng *rng, double synth,
                     bool unseen);

/* False when nothing can play the part. */
bool lc_backing_has(const lc_backing *backing, lc_voice_kind part);

/* Adds a stroke to samples (n of them), from sample hit->time * rate on, rounded down. scratch: room for n. */
void lc_backing_strike(const lc_backing *backing, const lc_hit *hit, double rate, lc_rng *rng, float *samples,
                       float *scratch, size_t n);

#endif
