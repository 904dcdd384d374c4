/* SPDX-License-Identifier: MIT
 * test_validate_image.c - the verdict on a network of images in training: counts are met, and places are scored within
 *   radii after the offset of a class is removed. */
#include "spot_model.h"

#include "train/validate.h"

enum { IMAGES = 8, SIDE = 32, PARAMS = SPOT_PARAMS + 2 * SPOT_CLASSES + SPOT_CLASSES };

static lc_plan *plan;
static lc_trainer *trainer;

static void make_set(void)
{
    lc_text counts = {0}, events = {0};
    CHECK(mkdir(run_path("set"), 0777) == 0);
    lc_text_string(&counts, "file,light,dark\n");
    lc_text_string(&events, "file,x,y,class\n");
    for (size_t i = 0; i < IMAGES; i++) {
        char name[32];
        spot spots[] = {
            {1 + i % 2, 2,         0},
            {5,         1 + i % 5, 1}
        };
        snprintf(name, sizeof name, "set/%zu.png", i);
        spot_image(name, SIDE, SIDE, spots, 2);
        lc_text_format(&counts, "%zu.png,1,1\n", i);
        for (size_t s = 0; s < 2; s++)
            lc_text_format(&events, "%zu.png,%zu.5,%zu.5,%s\n", i, 4 * spots[s].column + 1, 4 * spots[s].row + 1,
                           spot_names[spots[s].kind]);
    }
    run_write("set/counts.csv", counts.bytes);
    run_write("set/events.csv", events.bytes);
    lc_text_free(&counts);
    lc_text_free(&events);
}

static void open_plan(void)
{
    static const char *const sets[] = {"network=conv 3x3 2 linear", "held=0.5", "batch=4",
                                       "decoding=mass window=3 threshold=0.5 gap=6"};
    loco_err err = {""};
    loco_train_options training = {
        .size = sizeof training, .preset = "image", .sets = sets, .sets_len = 4, .threads = 1};
    lc_schedule schedule = {.rate = 0.001, .steps = 10};
    lc_trainer_options options = {.batch = 4, .threads = 1, .seed = 1};
    bool planned = lc_plan_new(&plan, run_path("set"), &training, &err) == LOCO_OK && plan->held != NULL;
    options.frames = planned ? lc_feed_frames(plan->held) : 0;
    if (!planned || lc_trainer_new(&trainer, &plan->net, &schedule, &options, &err) != LOCO_OK) {
        fprintf(stderr, "no plan: %s\n", err.text);
        exit(1);
    }
    plan->recipe.frontend.usual = (lc_scale){.mean = {0.4}, .spread = {1}};
}

/* The spot network that sees the cell (down, right) of nine, and a last layer that passes on what it says. */
static lc_validation_result judge(size_t down, size_t right)
{
    lc_validation *validation = NULL;
    lc_validation_result verdict = {0};
    loco_err err = {""};
    float *params = lc_trainer_state(trainer)->average;
    CHECK_EQ(lc_trainer_state(trainer)->n, PARAMS);
    memset(params, 0, PARAMS * sizeof *params);
    spot_params(params, down, right);
    params[SPOT_PARAMS] = params[SPOT_PARAMS + 3] = 1;
    CHECK_STATUS(lc_validation_new(&validation, plan, params, &err), LOCO_OK);
    CHECK_STATUS(lc_validation_run(validation, trainer, &verdict, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    lc_validation_free(validation);
    return verdict;
}

static void places_are_scored(void)
{
    lc_validation_result exact = judge(1, 1), late = judge(0, 0);
    CHECK_NEAR(lc_validation_tolerances(true)[1], 4, 0);
    CHECK_NEAR(exact.f1[0], 1, 0);
    CHECK_NEAR(exact.f1[1], 1, 0);
    CHECK_NEAR(late.f1[0], 1, 0); /* 5.7 pixels off, which calibration would remove */
    CHECK_NEAR(late.f1[1], 1, 0);
}

/* A network that finds nothing, and one that finds the other class. */
static void misses_are_scored(void)
{
    lc_validation_result verdict;
    lc_validation *validation = NULL;
    float *params = lc_trainer_state(trainer)->average;
    judge(1, 1);
    params[SPOT_PARAMS] = params[SPOT_PARAMS + 3] = 0;
    params[SPOT_PARAMS + 1] = params[SPOT_PARAMS + 2] = 1;
    CHECK_STATUS(lc_validation_new(&validation, plan, params, NULL), LOCO_OK);
    CHECK_STATUS(lc_validation_run(validation, trainer, &verdict, NULL), LOCO_OK);
    CHECK(verdict.f1[0] < 0.5);
    memset(params, 0, PARAMS * sizeof *params);
    params[PARAMS - 2] = params[PARAMS - 1] = -20;
    CHECK_STATUS(lc_validation_run(validation, trainer, &verdict, NULL), LOCO_OK);
    CHECK_NEAR(verdict.f1[0], 0, 0);
    lc_validation_free(validation);
}

int main(void)
{
    run_begin();
    make_set();
    open_plan();
    RUN(places_are_scored);
    RUN(misses_are_scored);
    lc_trainer_free(trainer);
    lc_plan_free(plan);
    return run_done();
}
