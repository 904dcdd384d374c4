/* SPDX-License-Identifier: MIT
 * spots_set.c - the public function for data sets of spots. */
#include "base/options.h"
#include "base/status.h"
#include "studio/images/spots.h"

enum { MOST_SPOTS = 20 };

#define RADIUS_LEAST 0.5
#define RADIUS_MOST 1000
#define USUAL_LEAST 3
#define USUAL_MOST 7

static loco_status check(const studio_spots_options *spots, loco_err *err)
{
    bool good = spots->radius_least >= RADIUS_LEAST && spots->radius_most >= spots->radius_least &&
                spots->radius_most <= RADIUS_MOST;
    return good ? LOCO_OK
                : lc_err_set(err, LOCO_EARG, "a radius of %g to %g pixels; expected two numbers in order, %g to %d",
                             spots->radius_least, spots->radius_most, RADIUS_LEAST, RADIUS_MOST);
}

loco_status studio_synth_spots(const char *folder, const studio_image_options *given,
                               const studio_spots_options *given_spots, loco_err *err)
{
    static const char *const names[] = {"spot"};
    studio_image_options options;
    studio_spots_options spots;
    loco_status status = lc_image_options_read(&options, given, 1, MOST_SPOTS, err);
    if (status == LOCO_OK)
        status = lc_options_read(&spots, sizeof spots, given_spots, "studio_spots_options", err);
    if (status != LOCO_OK)
        return status;
    bool usual = !(spots.radius_least < 0) && !(spots.radius_least > 0) && !(spots.radius_most < 0) &&
                 !(spots.radius_most > 0);
    if (usual) {
        spots.radius_least = USUAL_LEAST;
        spots.radius_most = USUAL_MOST;
    }
    status = check(&spots, err);
    if (status != LOCO_OK)
        return status;
    lc_spots_settings settings = {&options, spots.radius_least, spots.radius_most};
    lc_image_job job = {.options = &options,
                        .names = names,
                        .classes = 1,
                        .make = lc_spots_make,
                        .context = &settings,
                        .sources = "spots\tmade by loco\tof no material but random numbers\n"};
    return lc_image_set_write(folder, &job, err);
}
