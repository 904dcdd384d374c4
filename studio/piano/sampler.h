/* SPDX-License-Identifier: MIT
 *
 * sampler.h - plays notes on a piano of samples: any number at a time.
 */
#ifndef LC_STUDIO_PIANO_SAMPLER_H
#define LC_STUDIO_PIANO_SAMPLER_H

#include "studio/piano/piano.h"

/* How a piano is tuned, and how it answers. */
typedef struct lc_touch {
    double detune[LC_PIANO_PITCHES]; /* semitones, of each key */
    double power;                    /* of velocity / 127: what the level follows */
    double layer;                    /* added to velocities where a layer is chosen */
    double release;                  /* s: 60 dB, of the dampers at middle C; half two octaves above, twice below */
} lc_touch;

/* One note, in samples. The damper falls at off; struck again, it is faded from there on. */
typedef struct lc_played {
    size_t on, off;
    unsigned pitch, velocity;
    bool again; /* off is the next stroke of the same key */
} lc_played;

/* Adds a note to n samples. A note of velocity 127 on the loudest key has a level of 0.1. */
void lc_sampler_play(const lc_piano *piano, const lc_touch *touch, const lc_played *note, double rate, float *samples,
                     size_t n);

#endif
