/* SPDX-License-Identifier: MIT
 * test_model_image.c - what only models of images have: offsets in the plane, kept and described in pixels, and networks
 *   that must have the places of the front end. */
#include "spot_model.h"

static void offsets_go_there_and_back(void)
{
    loco_model *model = NULL, *back = NULL;
    char *text = NULL;
    spot_model("m.loco", 32, 1, 1);
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    CHECK_NEAR(model->offsets_x[1], 0, 0);
    model->offsets[0] = 4;
    model->offsets[1] = -20.25;
    model->offsets_x[0] = -1.5;
    model->offsets_x[1] = 0.125;
    CHECK_STATUS(lc_model_save(run_path("n.loco"), model, NULL, 0, NULL), LOCO_OK);
    CHECK_STATUS(loco_model_load(&back, run_path("n.loco"), NULL), LOCO_OK);
    CHECK(case_same(back->offsets, model->offsets, 2 * sizeof(double)));
    CHECK(case_same(back->offsets_x, model->offsets_x, 2 * sizeof(double)));
    CHECK_STATUS(loco_model_describe(&text, back, NULL), LOCO_OK);
    CHECK_SAYS(text, "offsets     -1.5 +4.0, +0.1 -20.3 pixels to the right and down, subtracted\n");
    CHECK(strstr(text, " ms") == NULL && strstr(text, "latency") == NULL);
    loco_free(text);
    loco_model_free(model);
    loco_model_free(back);
}

/* Loads m.loco with one pair more. */
static void refuse(const char *key, const char *value, const char *says)
{
    loco_model *model = NULL, *wrong = NULL;
    loco_err err = {""};
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    CHECK_STATUS(lc_model_save(run_path("w.loco"), model, &(lc_pair){key, value}, 1, NULL), LOCO_OK);
    CHECK_STATUS(loco_model_load(&wrong, run_path("w.loco"), &err), LOCO_EDATA);
    CHECK_SAYS(err.text, says);
    loco_model_free(model);
}

static void garbled_files_are_refused(void)
{
    refuse("offsets_x", "1", "offsets_x needs 2 numbers from -60 to 60, not \"\"");
    refuse("offsets_x", "1 61", "not \"61\"");
    refuse("frontend", "image cell=8 width=16", "the network has 8 places a frame, but the front end has 2");
    refuse("frontend", "image cell=2 width=64", "the network has 8 places a frame, but the front end has 32");
    refuse("frontend", "mel bands=64", "the network has 8 places a frame, but the front end has 1");
}

static void classes_are_not_put_together(void)
{
    loco_model *model = NULL;
    loco_err err = {""};
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    CHECK_STATUS(loco_model_fold(&model, "a", &err), LOCO_EARG);
    CHECK_SAYS(err.text, "classes of images cannot be put together");
    loco_model_free(model);
}

int main(void)
{
    run_begin();
    RUN(offsets_go_there_and_back);
    RUN(garbled_files_are_refused);
    RUN(classes_are_not_put_together);
    return run_done();
}
