/* SPDX-License-Identifier: MIT
 *
 * font.h - drum kits out of SoundFonts.
 *
 * A SoundFont is a RIFF file: LIST INFO with names and terms, LIST sdta with the sounds, which may be large and is not
 * read, LIST pdta with tables, of which phdr holds the presets: 38 bytes each, name, program, bank. Presets of bank 128
 * are drums; a font of few presets without that bank is taken for a drum set whose notes are those of General MIDI.
 *
 *     status = lc_font_find(&fonts, &bank.store, "/usr/share/sounds/sf2", side, err);   reads tables, not sounds
 *     status = lc_font_add_kits(&bank, fonts.items, fonts.len, 22050, pool, err);       plays and cuts the drums */
#ifndef LC_STUDIO_KITS_FONT_H
#define LC_STUDIO_KITS_FONT_H

#include "base/pool.h"
#include "base/store.h"
#include "loco.h"
#include "studio/kits/bank.h"

enum { LC_FONT_BYTES = 32 << 20 /* of the lists that are read */, LC_FONT_PRESETS = 8192, LC_FONT_KITS = 8 };

typedef struct lc_font_preset {
    const char *name;
    unsigned bank, program;
} lc_font_preset;

typedef struct lc_font {
    const char *path, *name, *author, *licence, *comment; /* "" where it states none */
    const lc_font_preset *presets;
    size_t len;
} lc_font;

/* Zero-initialised at first. */
typedef struct lc_fonts {
    lc_font *items;
    size_t len, capacity;
} lc_fonts;

/* From the chunks of LIST INFO and LIST pdta, one behind the other. All lies in store. */
LOCO_MUST_USE loco_status lc_font_parse(lc_font *font, lc_store *store, const char *path, const char *bytes,
                                        size_t length, loco_err *err);
LOCO_MUST_USE loco_status lc_font_load(lc_font *font, lc_store *store, const char *path, loco_err *err);

/* True when the font has the instruments of General MIDI. */
bool lc_font_is_general(const lc_font *font);

/* The indexes of at most LC_FONT_KITS presets that are drum sets. Returns how many. */
size_t lc_font_kits(const lc_font *font, size_t kits[LC_FONT_KITS]);

/* Adds the drum sets of the fonts to the bank: each note at four velocities, as one-shots. */
LOCO_MUST_USE loco_status lc_font_add_kits(lc_bank *bank, const lc_font *fonts, size_t fonts_len, unsigned rate,
                                           lc_pool *pool, loco_err *err);

/* Adds the .sf2 files of a path on that side of the split: itself, or those in the folder that are not links. Their
 * texts lie in store; the caller frees fonts->items. */
LOCO_MUST_USE loco_status lc_font_find(lc_fonts *fonts, lc_store *store, const char *path, lc_kit_side side,
                                       loco_err *err);

#endif
