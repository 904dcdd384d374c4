/* SPDX-License-Identifier: MIT
 *
 * bank.h - all drum kits that recordings are made of, with their sounds in memory.
 *
 *     lc_bank bank = {0};
 *     status = lc_bank_add_kits(&bank, "/usr/share/hydrogen/data/drumkits", (lc_kit_side){0}, 22050, pool, err);
 *     const lc_instrument *snare = lc_bank_kit_find(&bank.kits[0], LC_VOICE_SNARE, 0);
 *     lc_sample_play(lc_instrument_sample(snare, 0.8), pitch, level, out, most);
 *     lc_bank_free(&bank);
 *
 * A kit has instruments, one or more a part; an instrument has layers, each for a range of velocities. Sounds are
 * 16-bit samples at the rate of the set. */
#ifndef LC_STUDIO_KITS_BANK_H
#define LC_STUDIO_KITS_BANK_H

#include "base/pool.h"
#include "base/store.h"
#include "base/text.h"
#include "loco.h"
#include "studio/kits/held_out.h"
#include "studio/kits/sample.h"
#include "studio/synth/voice.h"

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

/* False for a sound that does not fit its name, and is left out: a hi-hat with most of its energy in the band of a kick
 * (lc_sample_is_low), as two of ElectricEmpireKit have it, with 93 %. All other kits in Debian have less than a half. */
bool lc_bank_takes(lc_voice_kind part, const lc_sample *sample, double rate);

/* Adds the kits in a folder, or the kit that the folder is, as far as they are on that side of the split. */
LOCO_MUST_USE loco_status lc_bank_add_kits(lc_bank *bank, const char *path, lc_kit_side side, double rate,
                                           lc_pool *pool, loco_err *err);

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
