/* SPDX-License-Identifier: MIT
 * test_calibrate_image_oom.c - lets the n-th allocation fail, for every n, where images are detected in, counted, enriched and
 *   calibrated by. Images are read by libraries with messages of their own; nothing may crash, leak or be half done. */
#include "spot_model.h"

#include "oom.h"

enum { SIDE = 16 };

static loco_model *model;
static char image[256], set[256];

static void ignore(void *context, const loco_tally_row *row)
{
    (void)context;
    (void)row;
}

static loco_status detect(loco_err *err)
{
    loco_event *events = NULL;
    size_t n = 0;
    loco_detect_options how = {.size = sizeof how, .ensemble = 4};
    loco_status status = loco_detect(&events, &n, model, image, &how, err);
    loco_free(events);
    return status;
}

static loco_status place(loco_err *err)
{
    loco_event *events = NULL;
    size_t n = 0;
    const loco_label counts[2] = {loco_label_exact(3), loco_label_unknown()};
    loco_detect_options how = {.size = sizeof how, .counts = counts};
    loco_status status = loco_detect(&events, &n, model, image, &how, err);
    loco_free(events);
    return status;
}

static loco_status count(loco_err *err)
{
    return loco_tally_clips(ignore, NULL, model, set, NULL, err);
}

static loco_status enrich(loco_err *err)
{
    loco_events *lists = NULL;
    size_t n = 0;
    loco_status status = loco_enrich(&lists, &n, model, set, NULL, err);
    loco_free(lists);
    return status;
}

static loco_status calibrate(loco_err *err)
{
    char *findings = NULL;
    loco_status status = loco_calibrate(&findings, model, set, NULL, err);
    loco_free(findings);
    return status;
}

static size_t fail_each(loco_status (*attempt)(loco_err *err))
{
    for (size_t n = 1;; n++) {
        loco_err err = {""};
        oom_begin(n);
        loco_status status = attempt(&err);
        bool failed = oom_end() >= n;
        CHECK(status == LOCO_OK || err.text[0] != 0);
        CHECK(failed || status == LOCO_OK);
        if (!failed)
            return n - 1;
    }
}

static void allocations_may_fail(void)
{
    CHECK(fail_each(detect) > 10);
    CHECK(fail_each(place) > 10);
    CHECK(fail_each(count) > 10);
    model->count_calibration[0].detections = true;
    CHECK(fail_each(count) > 10);
    CHECK(fail_each(enrich) > 10);
    CHECK(fail_each(calibrate) > 10);
}

int main(void)
{
    const spot spots[] = {
        {0, 1, 0},
        {3, 2, 1}
    };
    run_begin();
    CHECK(mkdir(run_path("set"), 0777) == 0);
    spot_model("m.loco", SIDE, 1, 1);
    spot_image("set/a.png", SIDE, SIDE, spots, 2);
    run_write("set/counts.csv", "file,x0,y0,x1,y1,light,dark\na.png,,,,,1,1\na.png,0,0,8,16,1,0\n");
    run_write("set/events.csv", "file,x,y,class\na.png,5.5,1.5,light\na.png,9.5,13.5,dark\n");
    snprintf(image, sizeof image, "%s", run_path("set/a.png"));
    snprintf(set, sizeof set, "%s", run_path("set"));
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    if (model != NULL)
        RUN(allocations_may_fail);
    loco_model_free(model);
    return run_done();
}
