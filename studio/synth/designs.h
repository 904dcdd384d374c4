/* SPDX-License-Identifier: MIT
 *
 * designs.h - a design: a voice with a range in the place of every number.
 */
#ifndef LC_STUDIO_SYNTH_DESIGNS_H
#define LC_STUDIO_SYNTH_DESIGNS_H

#include "studio/synth/voice.h"

/* lo > 0: drawn evenly on a logarithmic scale; lo = 0: evenly. Left out, it is 0. */
typedef struct lc_design_range {
    double lo, hi;
} lc_design_range;

/* As lc_tone; the frequency of every tone after the first is a ratio to the first. */
typedef struct lc_tone_spans {
    lc_design_range level, frequency, drop, drop_time, attack, decay, fm_ratio, fm_index;
} lc_tone_spans;

/* As lc_noise; a resonance left out is 0.7, a burst left out is one. */
typedef struct lc_noise_spans {
    lc_design_range level, low, high, attack, decay, tail, tail_decay, resonance, bursts, spacing;
} lc_noise_spans;

typedef enum lc_partial_set { LC_SET_CLASSIC, LC_SET_RANDOM, LC_SET_PLATE, LC_SET_BELL, LC_SET_PRIMES } lc_partial_set;

/* As lc_metal: `set` says how the partials lie above `base`. */
typedef struct lc_metal_spans {
    lc_metal_shape shape;
    lc_partial_set set;
    lc_design_range level, base, partials, low, high, attack, decay, index;
} lc_metal_spans;

typedef struct lc_design {
    lc_tone_spans tones[LC_TONES];
    lc_noise_spans noises[LC_NOISES];
    lc_metal_spans metal;
    lc_design_range drive;
} lc_design;

/* The designs of one kind; `seen` of them for every kit, the others for unseen kits alone. */
typedef struct lc_design_list {
    const lc_design *designs;
    size_t seen, all;
} lc_design_list;

/* Of hi-hats there is one design for the three ways to play them. */
lc_design_list lc_designs_of(lc_voice_kind kind);

#endif
