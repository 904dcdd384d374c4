/* SPDX-License-Identifier: MIT
 *
 * ranges.c - the two sets of ranges.
 *
 * Where the ordinary ones come from: a recording has one kit, at its own pitch, played by one drummer in metre. What no
 * class counts has the rate of drummers. Of the strokes in Groove MIDI 13 % are cymbals and 7 % toms, of those in MDB
 * Drums 13 % are cymbals and 1 % percussion; our grooves have 14 and 7 %, and 12 % percussion, so that percussion plays
 * in one recording of ten. Balance within some dB, equalisers as an engineer turns them, room below the drums, noise at
 * least 40 dB below, no machine that damages the sound.
 */
#include "studio/kits/ranges.h"

const lc_ranges lc_ranges_varied = {
    .mixed = 0.55,
    .layered = 0.25,
    .percussion = 1,
    .free = 0.14,
    .level = 1,
    .pitch = 1,
    .damped = 0.25,
    .power = {0.7, 1.8},
    .equalised = {2,   8  },
    .shaped = 0.25,
    .saturated = 0.12,
    .ring = 0.15,
    .bleed = 0.2,
    .wet = {0,   9  },
    .mastered = {0,   5  },
    .old = 0.06,
    .coded = 0.14,
    .compressed = 0.6,
    .noisy = 0.7,
    .noise = {22,  65 },
};

const lc_ranges lc_ranges_ordinary = {
    .mixed = 0,
    .layered = 0,
    .percussion = 0.1,
    .free = 0,
    .level = 0.5,
    .pitch = 0.25,
    .damped = 0,
    .power = {0.7, 1.4},
    .equalised = {0,   4  },
    .shaped = 0,
    .saturated = 0,
    .ring = 0,
    .bleed = 0,
    .wet = {-9,  3  },
    .mastered = {0,   2  },
    .old = 0,
    .coded = 0,
    .compressed = 0.6,
    .noisy = 0.7,
    .noise = {40,  65 },
};
