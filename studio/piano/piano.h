/* SPDX-License-Identifier: MIT
 *
 * piano.h - pianos with their sounds in memory: sets of samples, and the pianos of SoundFonts.
 *
 *     lc_pianos pianos = {0};
 *     status = lc_pianos_add_samples(&pianos, "salamander", 22050, pool, err);       a .sfz file, or folders with some
 *     status = lc_pianos_add_font(&pianos, "TimGM6mb.sf2", 22050, pool, err);        played once, by fluidsynth
 *     const lc_zone *zone = lc_piano_zone(&pianos.items[0], 60, 90);
 *     lc_pianos_free(&pianos);
 *
 * A zone is one sound, which begins at its attack, for a range of keys and velocities. What a piano has no zone for is
 * played by the nearest one. */
#ifndef LC_STUDIO_PIANO_PIANO_H
#define LC_STUDIO_PIANO_PIANO_H

#include "base/pool.h"
#include "base/store.h"
#include "base/text.h"
#include "loco.h"

enum {
    LC_PIANOS_MOST = 256,
    LC_PIANO_PITCHES = 128,
    LC_PIANO_SECONDS = 20,      /* what is longer is cut */
    LC_PIANO_BYTES = 1024 << 20 /* of the sounds of one piano */
};

typedef struct lc_zone {
    unsigned lokey, hikey, lovel, hivel;
    double centre;   /* its pitch */
    int16_t *values; /* its peak is 32767 */
    size_t n;
    float level; /* root mean square of its first LC_ZONE_ATTACK seconds, of a peak of 1 */
    float loud;  /* the same in the sound file: how loud it was recorded */
} lc_zone;

#define LC_ZONE_ATTACK 0.2 /* s */

typedef struct lc_piano {
    const char *name, *about; /* about: who made it, under what terms; "" where that is not stated */
    lc_zone *zones;
    size_t len;
    uint16_t (*index)[LC_PIANO_PITCHES]; /* the zone for each pitch and velocity */
    float loudest[LC_PIANO_PITCHES];     /* for each pitch: of its hardest stroke, relative to the loudest pitch */
} lc_piano;

/* Zero-initialised at first. */
typedef struct lc_pianos {
    lc_piano *items;
    size_t len, capacity;
    lc_store store; /* all but items and sounds */
} lc_pianos;

/* Cuts the sound at its attack and makes 16 bits of it; silence gives n = 0. False without memory. */
LOCO_MUST_USE bool lc_zone_cut(lc_zone *zone, const float *samples, size_t n, double rate);

/* Adds a piano of len > 0 zones that sound, and takes them over. LOCO_ENOMEM, LOCO_EARG: there are too many. */
LOCO_MUST_USE loco_status lc_pianos_add(lc_pianos *pianos, const char *name, const char *about, lc_zone *zones,
                                        size_t len, loco_err *err);
void lc_zones_free(lc_zone *zones, size_t len);

LOCO_MUST_USE loco_status lc_pianos_add_samples(lc_pianos *pianos, const char *path, double rate, lc_pool *pool,
                                                loco_err *err);

/* piano_font.c: bank 0, program 0 of a font, each third key at some velocities. A font without a piano is LOCO_EDATA. */
LOCO_MUST_USE loco_status lc_pianos_add_font(lc_pianos *pianos, const char *path, unsigned rate, lc_pool *pool,
                                             loco_err *err);
void lc_pianos_free(lc_pianos *pianos);

const lc_zone *lc_piano_zone(const lc_piano *piano, unsigned pitch, unsigned velocity);

/* Appends a line a piano: name and terms. */
void lc_pianos_list(const lc_pianos *pianos, lc_text *text);

#endif
