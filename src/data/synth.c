/* SPDX-License-Identifier: MIT
 * synth.c - the public way to made-up data sets. */
#include "data/synth_drums.h"

/* Half a second or so a clip: with these, networks learn fastest from counts. */
static const double shortest = 0.4, longest = 0.8;

loco_status loco_synth_drums(const char *folder, const loco_synthesis *synthesis, loco_err *err)
{
    lc_synth_settings settings = {.rate = 22050,
                                  .seconds = synthesis->seconds,
                                  .seed = synthesis->seed,
                                  .unseen = synthesis->unseen,
                                  .distractors = synthesis->distractors};
    return lc_synth_save(folder, &settings, synthesis->recordings, shortest, longest, err);
}
