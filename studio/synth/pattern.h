/* SPDX-License-Identifier: MIT
 *
 * pattern.h - who plays when: drum patterns of one recording, drawn at random.
 *
 * A recording is a row of sections: grooves in 4/4, 3/4 and 6/8, straight, swung or in triplets, with ghost notes,
 * fills and breaks; and as much without metre: hits at random, one voice alone, rolls, silence. Without the latter a
 * network could learn where the beat goes instead of how it sounds.
 *
 *     lc_pattern pattern = {0};
 *     status = lc_pattern_draw(&pattern, &rng, 20, false, err);
 *     pattern.hits[i]: time, voice, velocity, and when it is choked; in order of time
 *     lc_pattern_free(&pattern); */
#ifndef LC_STUDIO_SYNTH_PATTERN_H
#define LC_STUDIO_SYNTH_PATTERN_H

#include "loco.h"
#include "studio/synth/voice.h"

#include <stdbool.h>

#define LC_HIT_DISTANCE 0.03 /* s: no two hits of one class, or of one uncounted voice, are closer */
#define LC_HIT_MARGIN 0.05   /* s: none is closer to the end */

typedef struct lc_hit {
    double time;     /* s, its true time: nothing moves it later */
    double stop;     /* s, when the sound is choked; past the end if never */
    double velocity; /* 0..1, the amplitude of the stroke */
    lc_voice_kind voice;
} lc_hit;

typedef struct lc_pattern {
    lc_hit *hits; /* by time */
    size_t length, capacity;
    bool failed; /* out of memory */
} lc_pattern;

/* seconds of hits; with distractors also of voices that no class counts. Free with lc_pattern_free. */
LOCO_MUST_USE loco_status lc_pattern_draw(lc_pattern *pattern, lc_rng *rng, double seconds, bool distractors,
                                          loco_err *err);
void lc_pattern_free(lc_pattern *pattern);

/* Adds a hit behind the others; without memory, only sets failed. */
void lc_pattern_push(lc_pattern *pattern, lc_hit hit);

#endif
