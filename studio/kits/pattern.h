/* SPDX-License-Identifier: MIT
 *
 * pattern.h - who plays when in recordings of kits: grooves of many styles, and performances of drummers.
 *
 * Hits are those of synth/pattern.h with the parts of part.h. A velocity is how hard the stroke is, as in MIDI; the
 * renderer decides how loud that is.
 */
#ifndef LC_STUDIO_KITS_PATTERN_H
#define LC_STUDIO_KITS_PATTERN_H

#include "base/store.h"
#include "studio/kits/held_out.h"
#include "studio/synth/pattern.h"

/* Where the beats are. */
typedef struct lc_metre {
    double beat;  /* s; 0: draw one */
    double first; /* s, where a bar begins; often before 0 */
} lc_metre;

/* seconds of hits in one of the styles, with fills, and lines of tambourine, shaker or ride in the place of the hi-hat
 * or with it. Not finished: see lc_kit_pattern_finish. */
void lc_groove_draw(lc_pattern *pattern, lc_rng *rng, double seconds, lc_metre metre);

/* Gives some lines to other instruments: the hi-hat's to a ride, a tambourine or a shaker, or to one of these as well. */
void lc_kit_pattern_orchestrate(lc_pattern *pattern, lc_rng *rng);

/* Of sets of the whole kit: in some patterns the snare's line goes to the stick on the rim or to toms, tambourines,
 * claps or cowbells play along, the hi-hat rests, so that kicks are alone, or a few drums play by themselves. */
void lc_kit_pattern_contrast(lc_pattern *pattern, lc_rng *rng);

/* Sorts; joins strokes of one class, or of one uncounted part, that are closer than LC_HIT_DISTANCE into the harder
 * one; sets when hi-hats are choked; leaves out what lies in the last LC_HIT_MARGIN or before 0. LOCO_ENOMEM where
 * memory was missing before, and then the pattern is empty. */
LOCO_MUST_USE loco_status lc_kit_pattern_finish(lc_pattern *pattern, double seconds, loco_err *err);

/* ---- performances ------------------------------------------------------------------------------------------- */

enum { LC_PERFORMANCES_MOST = 20000, LC_PERFORMANCE_NOTES = 4000000 /* of all of them */ };

typedef struct lc_performance {
    const lc_hit *hits; /* by time; velocities 1/127 .. 1 */
    size_t len;
    double beat; /* s */
} lc_performance;

typedef struct lc_performances {
    lc_performance *items;
    size_t len, capacity, notes;
    size_t held_out; /* files on the other side of the split */
    lc_store store;
} lc_performances;

/* Reads the drums of all MIDI files in a folder and those below it, as far as they are on that side of the split by
 * their path within the folder. */
LOCO_MUST_USE loco_status lc_performances_load(lc_performances *list, const char *folder, lc_kit_side side,
                                               loco_err *err);
void lc_performances_free(lc_performances *list);

/* seconds of hits: excerpts of performances from a bar on, up to 20 % slower or faster; where the metre has a beat, at
 * that pace. Not finished. */
void lc_performances_draw(const lc_performances *list, lc_pattern *pattern, lc_rng *rng, double seconds,
                          lc_metre metre);

#endif
