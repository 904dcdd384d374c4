/* SPDX-License-Identifier: MIT
 *
 * test_report_image_oom.c - lets the n-th allocation fail, for every n: the page of images and the image with marks come
 * whole or not at all, nothing leaks, and the call reports it.
 */
#include "oom.h"
#include "spot_model.h"

static const spot spots[] = {
    {1, 2, 0},
    {4, 6, 1}
};
static loco_model *model;
static char set[512], image[512], output[512];

static loco_status write_page(loco_err *err)
{
    loco_report_options page = {.size = sizeof page, .data = set};
    return loco_report(output, model, &page, err);
}

static loco_status write_marks(loco_err *err)
{
    const loco_event event = {.time = 5, .probability = 1, .x = 9};
    return loco_marks_save(output, image, &event, 1, err);
}

/* Runs work once for each allocation it makes, with that one failing; then it must succeed. Returns how many there
 * were. */
static size_t fail_each(loco_status (*work)(loco_err *err))
{
    for (size_t n = 1; n < 10000; n++) {
        loco_err err = {""};
        unlink(output);
        oom_begin(n);
        loco_status status = work(&err);
        bool reached = oom_end() >= n;
        CHECK_STATUS(status, reached ? LOCO_ENOMEM : LOCO_OK);
        CHECK(!reached || strlen(err.text) > 10);
        CHECK((access(output, F_OK) == 0) == !reached);
        if (!reached)
            return n - 1;
    }
    return 0;
}

static void whole_or_absent(void)
{
    CHECK(fail_each(write_marks) >= 5);
    CHECK(fail_each(write_page) >= 50);
}

int main(void)
{
    run_begin();
    spot_model("m.loco", 40, 1, 1);
    if (mkdir(run_path("set"), 0777) != 0 || loco_model_load(&model, run_path("m.loco"), NULL) != LOCO_OK)
        exit(1);
    spot_image("set/a.png", 32, 40, spots, 2);
    run_write("set/counts.csv", "file,light,dark\na.png,1,1\n");
    run_write("set/events.csv", "file,x,y,class\na.png,9.5,5.5,light\na.png,1,2,dark\n");
    snprintf(set, sizeof set, "%s", run_path("set"));
    snprintf(image, sizeof image, "%s", run_path("set/a.png"));
    snprintf(output, sizeof output, "%s", run_path("output"));
    RUN(whole_or_absent);
    loco_model_free(model);
    return run_done();
}
