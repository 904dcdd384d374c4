/* SPDX-License-Identifier: MIT
 *
 * audible.h - which strokes count as events: the audible ones.
 *
 * Drummers play many inaudible strokes, and counting these teaches nothing. A stroke is an event
 * when both hold:
 *   1. its level lies within LC_AUDIBLE_BELOW dB of the loudest stroke of its class in the recording; softer ones are
 *      not played at all;
 *   2. in the band of its group (kick 35-180 Hz, snare 200-7000 Hz, hi-hat above 5000 Hz, ...) and in the 25 ms from its
 *      attack on, its group is no more than LC_AUDIBLE_MASKED dB below all else in the mix, music and other drums.
 *      Masked strokes are played, and not counted.
 */
#ifndef LC_STUDIO_KITS_AUDIBLE_H
#define LC_STUDIO_KITS_AUDIBLE_H

#include "studio/kits/part.h"
#include "studio/synth/pattern.h"

#define LC_AUDIBLE_BELOW 20.0
#define LC_AUDIBLE_MASKED 18.0

/* Rule 1: leaves out counted hits whose level, velocity^power * that of its part, is too low. */
void lc_audible_keep(lc_pattern *pattern, const double level[LC_PARTS], double power);

/* Rule 2: audible[i] becomes false for each hit of the group that is masked. own holds the group alone and is
 * changed, as is rest, all else. */
void lc_audible_mark(bool *audible, const lc_pattern *pattern, lc_part_group group, float *own, float *rest, size_t n,
                     double rate);

#endif
