/* SPDX-License-Identifier: MIT
 * synth.c - the public function for data sets of synthetic drums, and the defaults of its options. */
#include "base/options.h"
#include "studio/studio.h"
#include "studio/synth/drums.h"

enum { RECORDINGS = 24, SECONDS = 20, RATE = 22050 };

loco_status lc_synth_options_read(studio_synth_options *own, const studio_synth_options *given, loco_err *err)
{
    loco_status status = lc_options_read(own, sizeof *own, given, "studio_synth_options", err);
    if (status != LOCO_OK)
        return status;
    own->recordings = own->recordings > 0 ? own->recordings : RECORDINGS;
    own->seconds = own->seconds < 0 || own->seconds > 0 ? own->seconds : SECONDS;
    return LOCO_OK;
}

loco_status studio_synth_drums(const char *folder, const studio_synth_options *given, loco_err *err)
{
    studio_synth_options options;
    loco_status status = lc_synth_options_read(&options, given, err);
    if (status != LOCO_OK)
        return status;
    lc_synth_settings settings = {.rate = RATE,
                                  .seconds = options.seconds,
                                  .seed = options.seed,
                                  .unseen = options.unseen,
                                  .distractors = options.distractors};
    return lc_synth_save(folder, &settings, options.recordings, LC_SYNTH_SHORTEST, LC_SYNTH_LONGEST, err);
}
