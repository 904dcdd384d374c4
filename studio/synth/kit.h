/* SPDX-License-Identifier: MIT
 *
 * kit.h - a drum kit: one voice of each kind, drawn at random from the designs of the synthesiser.
 *
 * Two kinds. Seen kits, for training, use the first designs of each kind and the larger part of every
 * range. Unseen kits, for testing, use designs of their own, or those designs with every number from the parts that
 * seen kits leave out.
 */
#ifndef LC_STUDIO_SYNTH_KIT_H
#define LC_STUDIO_SYNTH_KIT_H

#include "studio/synth/voice.h"

#include <stdbool.h>

typedef struct lc_kit {
    lc_voice voices[LC_VOICES];
} lc_kit;

void lc_kit_draw(lc_kit *kit, lc_rng *rng, bool unseen);

/* The number of designs of a kind; those from *unseen on are for unseen kits alone. */
size_t lc_kit_designs(lc_voice_kind kind, size_t *unseen);

/* A place in 0..1 of any range: seen kits leave out 0..0.08, 0.46..0.54 and 0.92..1, where unseen kits lie. */
double lc_kit_place(lc_rng *rng, bool unseen);

#endif
