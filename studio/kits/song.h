/* SPDX-License-Identifier: MIT
 *
 * song.h - music without drums to lay under them: random, played by SoundFonts.
 *
 * A font plays several songs in one process, once for a whole set; a recording then takes an excerpt, and its drums the
 * song's tempo. A song is a whole number of bars and repeats without a seam.
 *
 *     status = lc_songs_load(&songs, fonts.items, fonts.len, 22050, seed, pool, err);
 *     lc_metre metre = lc_songs_draw(&songs, &rng, 22050, samples, n);         an excerpt, and where its beats are
 *     lc_songs_free(&songs); */
#ifndef LC_STUDIO_KITS_SONG_H
#define LC_STUDIO_KITS_SONG_H

#include "base/pool.h"
#include "base/rng.h"
#include "events/midi_write.h"
#include "loco.h"
#include "studio/kits/font.h"
#include "studio/kits/pattern.h"

enum { LC_SONGS_A_FONT = 16 };

typedef struct lc_song {
    int16_t *samples; /* n, at the rate of the set; part of a block */
    size_t n;
    double beat; /* s; bars have four */
} lc_song;

typedef struct lc_songs {
    lc_song *items;
    size_t len;
    int16_t **blocks; /* what samples lie in */
    size_t blocks_len;
} lc_songs;

/* Plays LC_SONGS_A_FONT songs with each font of General MIDI. LOCO_EDATA when there is no such font. */
LOCO_MUST_USE loco_status lc_songs_load(lc_songs *songs, const lc_font *fonts, size_t fonts_len, unsigned rate,
                                        uint64_t seed, lc_pool *pool, loco_err *err);
void lc_songs_free(lc_songs *songs);

/* n samples of one of the songs, from anywhere in it; where its beats are. */
lc_metre lc_songs_draw(const lc_songs *songs, lc_rng *rng, double rate, float *samples, size_t n);

/* Writes a song of about `seconds` from time on; returns its length, a whole number of bars. */
double lc_song_write(lc_midi_out *midi, double time, double seconds, lc_rng *rng, double *beat);

#endif
