/* SPDX-License-Identifier: MIT
 * test_images_oom.c - lets the n-th allocation fail, for every n, while data sets of images are made: the caller gets an
 *   error, nothing leaks, and counts.csv is not written. */
#include "digit_cases.h"
#include "oom_cases.h"

#include "studio/studio.h"

static const studio_image_options small = {
    .size = sizeof small, .images = 2, .width = 16, .height = 16, .seed = 1, .threads = 1};
static char from[256];

static void check_counts(loco_status status)
{
    CHECK((access(data_path("set/counts.csv"), F_OK) == 0) == (status == LOCO_OK));
}

static loco_status make_digits(loco_err *err)
{
    studio_digits_options digits = {.size = sizeof digits, .from = from};
    data_clear_in(data_path("set"));
    loco_status status = studio_synth_digits(data_path("set"), &small, &digits, err);
    check_counts(status);
    return status;
}

static loco_status make_spots(loco_err *err)
{
    data_clear_in(data_path("set"));
    loco_status status = studio_synth_spots(data_path("set"), &small, NULL, err);
    check_counts(status);
    return status;
}

static void every_failing_allocation_is_reported(void)
{
    CHECK(oom_fail_each(make_digits) > 20);
    CHECK(oom_fail_each(make_spots) > 15);
    snprintf(from, sizeof from, "%s", data_path("mnist/train-images-idx3-ubyte"));
    CHECK(oom_fail_each(make_digits) > 20);
}

int main(void)
{
    if (!data_begin())
        return 1;
    digit_files();
    snprintf(from, sizeof from, "%s", data_path("mnist"));
    RUN(every_failing_allocation_is_reported);
    return data_done();
}
