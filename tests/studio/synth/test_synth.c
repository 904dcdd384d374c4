/* SPDX-License-Identifier: MIT
 * test_synth.c - options of synthetic sets: their size, and defaults in the place of zeros. */
#include "cases.h"

#include "studio/synth/drums.h"

static void sizes_are_checked(void)
{
    studio_synth_options own = {.recordings = 77}, given = {.recordings = 3};
    loco_err err = {""};
    CHECK_STATUS(lc_synth_options_read(&own, &given, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "sizeof(studio_synth_options)");
    CHECK_STATUS(studio_synth_drums("/nonexistent/folder", &given, &err), LOCO_EARG);
}

static void zeros_are_defaults(void)
{
    studio_synth_options own, given = {.size = sizeof given};
    CHECK_STATUS(lc_synth_options_read(&own, NULL, NULL), LOCO_OK);
    CHECK(own.recordings == 24 && own.seed == 0 && !own.unseen && !own.distractors);
    CHECK_NEAR(own.seconds, 20, 0);
    given.recordings = 2;
    given.seconds = -1; /* refused later, with a sentence */
    given.unseen = true;
    CHECK_STATUS(lc_synth_options_read(&own, &given, NULL), LOCO_OK);
    CHECK(own.recordings == 2 && own.unseen);
    CHECK_NEAR(own.seconds, -1, 0);
}

int main(void)
{
    RUN(sizes_are_checked);
    RUN(zeros_are_defaults);
    return check_done();
}
