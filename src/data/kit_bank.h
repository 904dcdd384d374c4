/* SPDX-License-Identifier: MIT
 *
 * kit_bank.h - all drum kits that recordings are made of, with their sounds in memory.
 *
 * Held out. Some kits and fonts are kept for tests: unseen banks hold these alone, others never hold them. Of those in
 * Debian it is one of each kind, by a rule that kit_bank.c states: ColomboAcousticDrumkit (acoustic), ElectricEmpireKit
 * (electronic), TimGM6mb (a font of General MIDI), Gimme A Hand (hand drums). Of all others it is a quarter: those whose
 * name has a hash divisible by 4.
 */
#ifndef LC_DATA_KIT_BANK_H
#define LC_DATA_KIT_BANK_H

#include "base/pool.h"
#include "base/text.h"
#include "data/kit_sample.h"
#include "data/store.h"
#include "data/synth_voice.h"
#include "loco.h"

enum { LC_BANK_KITS = 1024, LC_BANK_BYTES = 256 << 20 /* of the sounds of one kit */ };

typedef struct lc_bank_layer {
    double min, max; /* velocities that it is for */
    lc_sample sample;
} lc_bank_layer;

typedef struct lc_instrument {
    lc_voice_kind part;
    lc_bank_layer *layers;
    size_t layers_len; /* at least 1 */
} lc_instrument;

typedef struct lc_bank_kit {
    const char *name, *author, *licence, *path;
    lc_instrument *instruments;
    size_t instruments_len;
    size_t missing; /* sounds that could not be read */
} lc_bank_kit;

typedef struct lc_bank {
    lc_bank_kit *kits;
    size_t len, capacity;
    lc_store store; /* all but the sounds and the array of kits */
} lc_bank;

/* False for what is not what its name says, and is left out: a hi-hat with most of its energy in the band of a kick
 * (lc_sample_is_low), as two of ElectricEmpireKit have it, with 93 %. All other kits in Debian have less than a half. */
bool lc_bank_takes(lc_voice_kind part, const lc_sample *sample, double rate);

/* True for a name that tests alone may use. */
bool lc_bank_held_out(const char *name);

/* Adds the kits in a folder, or the kit that the folder is; those held out, or the others. */
LOCO_MUST_USE loco_status lc_bank_add_kits(lc_bank *bank, const char *path, bool held_out, double rate, lc_pool *pool,
                                           loco_err *err);

/* A kit without instruments, for the caller to fill; but for the samples, what it points to lies in bank->store. NULL
 * without memory, or when there are LC_BANK_KITS. */
lc_bank_kit *lc_bank_new_kit(lc_bank *bank);
void lc_bank_free(lc_bank *bank);

/* The layer for a velocity of 0..1: one whose range holds it, or the nearest. */
const lc_sample *lc_instrument_sample(const lc_instrument *instrument, double velocity);

/* How many instruments of a part the kit has, and the index-th of them. */
size_t lc_bank_kit_count(const lc_bank_kit *kit, lc_voice_kind part);
const lc_instrument *lc_bank_kit_find(const lc_bank_kit *kit, lc_voice_kind part, size_t index);

/* Appends who made the kits and under what terms, a line each. */
void lc_bank_list(const lc_bank *bank, lc_text *text);

#endif
