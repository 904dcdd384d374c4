/* SPDX-License-Identifier: MIT
 * test_detect_image.c - events of an image by the public ways: places and offsets. */
#include "spot_model.h"

static const spot spots[] = {
    {1, 2, 0},
    {4, 6, 1},
    {6, 1, 0},
};

typedef struct list {
    loco_event *events;
    size_t len;
} list;

static list detect(const loco_model *model, const char *name, const loco_detect_options *how)
{
    list l = {NULL, 0};
    loco_err err = {""};
    CHECK_STATUS(loco_detect(&l.events, &l.len, model, run_path(name), how, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return l;
}

static loco_model *load(const char *name)
{
    loco_model *model = NULL;
    if (loco_model_load(&model, run_path(name), NULL) != LOCO_OK)
        exit(1);
    return model;
}

/* The spots in order of y, moved by some pixels; centroids are not far from the centres of cells. */
static void check_spots(const list *l, double down, double right)
{
    CHECK_EQ(l->len, 3);
    for (size_t i = 0; i < 3 && i < l->len; i++) {
        CHECK_EQ(l->events[i].kind, spots[i].kind);
        CHECK_NEAR(l->events[i].time, (double)spots[i].row * SPOT_CELL + 1.5 + down, 0.01);
        CHECK_NEAR(l->events[i].x, (double)spots[i].column * SPOT_CELL + 1.5 + right, 0.01);
        CHECK(l->events[i].probability > 0.99);
    }
}

static void spots_are_found(void)
{
    loco_model *model = load("m.loco");
    list l = detect(model, "a.png", NULL);
    check_spots(&l, 0, 0);
    loco_free(l.events);
    loco_model_free(model);
}

/* An image that is one cell wide has places, too. */
static void narrow_images_have_places(void)
{
    spot_model("narrow.loco", SPOT_CELL, 1, 1);
    loco_model *model = load("narrow.loco");
    list l = detect(model, "a.png", NULL);
    check_spots(&l, 0, 0);
    loco_free(l.events);
    loco_model_free(model);
}

static void offsets_are_subtracted_in_both_directions(void)
{
    spot_model("late.loco", 32, 0, 0);
    loco_model *model = load("late.loco");
    list l = detect(model, "a.png", NULL);
    check_spots(&l, 4, 4);
    loco_free(l.events);
    for (size_t k = 0; k < 2; k++) {
        model->offsets[k] = 3;
        model->offsets_x[k] = 5;
    }
    l = detect(model, "a.png", NULL);
    check_spots(&l, 1, -1);
    loco_free(l.events);
    model->offsets[0] = 30; /* to the edge, and behind the other class */
    model->offsets_x[0] = 30;
    l = detect(model, "a.png", NULL);
    CHECK_EQ(l.len, 3);
    CHECK(l.events[0].kind == 0 && l.events[1].kind == 0 && l.events[2].kind == 1);
    CHECK_NEAR(l.events[0].time, 0, 0);
    CHECK_NEAR(l.events[1].x, 0, 0);
    loco_free(l.events);
    loco_model_free(model);
}

int main(void)
{
    run_begin();
    spot_model("m.loco", 32, 1, 1);
    spot_image("a.png", 32, 32, spots, 3);
    RUN(spots_are_found);
    RUN(narrow_images_have_places);
    RUN(offsets_are_subtracted_in_both_directions);
    return run_done();
}
