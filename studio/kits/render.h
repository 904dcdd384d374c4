/* SPDX-License-Identifier: MIT
 *
 * render.h - a recording of sampled drums: pattern, backing, mix, music, room, machine.
 *
 * Recording `index` is a function of the settings, of what the bank and the performances hold, and of the index alone;
 * classes and results as in synth/drums.h. audible.h says which strokes are events.
 *
 *     lc_render_settings settings = {.synth = {.rate = 22050, .seconds = 10, .seed = 1}, .bank = &bank};
 *     status = lc_render(&settings, 0, &samples, &n, &events, &events_len, err);      the caller frees both
 *
 * Nothing is kept between recordings, so that any of them can be made again, by any thread. */
#ifndef LC_STUDIO_KITS_RENDER_H
#define LC_STUDIO_KITS_RENDER_H

#include "studio/kits/backing.h"
#include "studio/kits/pattern.h"
#include "studio/kits/song.h"
#include "studio/synth/drums.h"

typedef struct lc_render_settings {
    lc_synth_settings synth;             /* rate, length and seed; distractors as there */
    double synthesised;                  /* part of the groups of instruments that are synthesised, 0..1 */
    double ordinary;                     /* part of recordings of lc_ranges_ordinary, 0..1; the others are varied */
    double background;                   /* part of recordings with music, 0..1 */
    bool others;                         /* strokes that no class counts are events, too: kinds are lc_part_group */
    bool whole_kit;                      /* every drum is an event: kinds are lc_part_drum, probabilities velocities */
    const lc_bank *bank;                 /* may be empty */
    const lc_performances *performances; /* may be empty */
    const lc_songs *songs;               /* NULL: no music */
} lc_render_settings;

LOCO_MUST_USE loco_status lc_render(const lc_render_settings *settings, size_t index, float **samples, size_t *n,
                                    loco_event **events, size_t *events_len, loco_err *err);

#endif
