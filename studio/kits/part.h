/* SPDX-License-Identifier: MIT
 *
 * part.h - which part of a drum kit is meant: by the name of an instrument, or by the number of a note.
 *
 *     lc_part_of_name("Side Stick 2")      LC_VOICE_RIM
 *     lc_part_of_note(42)                  LC_VOICE_HAT_CLOSED
 *     lc_part_class(LC_VOICE_HAT_CLOSED)   2, hi-hat
 *
 * Parts are finer than classes: a class counts several parts, and most parts are in no class. */
#ifndef LC_STUDIO_KITS_PART_H
#define LC_STUDIO_KITS_PART_H

#include "studio/synth/voice.h"

/* What stands for one: LC_PARTS means none. */
lc_voice_kind lc_part_of_name(const char *name);
lc_voice_kind lc_part_of_note(unsigned note); /* General MIDI drums, with the hi-hat edges 22 and 26 of Roland */

/* The class that counts the part: 0 kick, 1 snare (and the stick on its rim), 2 hi-hat; 3 for none. */
size_t lc_part_class(lc_voice_kind part);

/* Of sets with a column for every drum of the kit: the drum that counts the part. Shakers, hand drums and wood are too rare
 * and too varied to be learned one by one: together they are "percussion". */
enum { LC_DRUMS = 16 };
size_t lc_part_drum(lc_voice_kind part);

/* "kick", "snare", "side-stick", "closed-hihat", ...: LC_DRUMS names. */
extern const char *const lc_part_drums[LC_DRUMS];

/* "kick", "snare", "hi-hat closed", ... */
const char *lc_part_name(lc_voice_kind part);

/* Parts that are played, mixed and recorded together. */
typedef enum lc_part_group {
    LC_GROUP_KICK,
    LC_GROUP_SNARE,
    LC_GROUP_HAT,
    LC_GROUP_TOM,
    LC_GROUP_CYMBAL,
    LC_GROUP_HAND,  /* clap, conga, cowbell, wood */
    LC_GROUP_SHAKE, /* tambourine, shaker */
    LC_GROUPS
} lc_part_group;

lc_part_group lc_part_group_of(lc_voice_kind part);

#endif
