/* SPDX-License-Identifier: MIT
 * test_detect_image.c - events of an image by the public ways: places and offsets, shifts that vote, known counts. */
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

static void refuse(const loco_model *model, const char *path, const loco_detect_options *how, loco_status want,
                   const char *says)
{
    list l = {NULL, 77};
    loco_err err = {""};
    CHECK_STATUS(loco_detect(&l.events, &l.len, model, path, how, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(l.events == NULL && l.len == 77);
}

/* What needs time, or a stream. */
static void times_have_no_meaning(void)
{
    loco_model *model = load("m.loco");
    loco_listener *listener = NULL;
    loco_event *events = NULL;
    loco_err err = {""};
    double seconds = 0;
    size_t n = 0;
    static const float samples[4];
    loco_detect_options how = {.size = sizeof how, .decoding = "count"};
    refuse(model, run_path("a.png"), &how, LOCO_EARG, "decoding \"count\" follows time; of images use mass or peak");
    how.decoding = "snap=0.02";
    refuse(model, run_path("a.png"), &how, LOCO_EARG, "snap=0.02 moves events to where a sound begins");
    CHECK_STATUS(loco_listener_new(&listener, model, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the model reads images, which have no stream");
    CHECK_STATUS(loco_detect_samples(&events, &n, model, &(loco_samples){samples, 4, 1, 1}, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "give it the path of a file");
    CHECK_STATUS(loco_detect_latency(&seconds, model, NULL, NULL), LOCO_OK);
    CHECK(isinf(seconds));
    CHECK_STATUS(loco_plot_clip(run_path("c.svg"), model, run_path("a.png"), 1, 2, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "loco report shows them");
    CHECK_STATUS(loco_plot_evaluation(run_folder, model, run_folder, NULL, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "loco eval prints");
    loco_model_free(model);
}

/* ---- shifts that vote ---- */

/* A light spot that lies on four cells in equal parts, and one at the upper left corner. */
static void write_between(const char *name)
{
    enum { SIDE = 32 };
    static unsigned char values[SIDE * SIDE];
    lc_image image = {SIDE, SIDE, 1, 1, values};
    memset(values, 102, sizeof values);
    for (size_t p = 0; p < SPOT_PIXELS; p++) {
        values[(10 + p / SPOT_CELL) * SIDE + 18 + p % SPOT_CELL] = 255;
        values[p / SPOT_CELL * SIDE + p % SPOT_CELL] = 255;
    }
    CHECK_STATUS(lc_image_save(run_path(name), &image, NULL), LOCO_OK);
}

/* One pass sees a quarter of it in each cell; of four passes, three see all of it in one cell or two. */
static void shifts_find_what_lies_between_cells(void)
{
    loco_model *model = load("m.loco");
    loco_detect_options how = {.size = sizeof how, .ensemble = 4};
    write_between("b.png");
    list l = detect(model, "b.png", NULL);
    CHECK_EQ(l.len, 1);
    loco_free(l.events);
    for (unsigned versions = 2; versions <= 16; versions += 7) { /* 2, 9, 16: 4, 16 and 16 shifts */
        how.ensemble = versions;
        l = detect(model, "b.png", &how);
        CHECK_EQ(l.len, 2);
        CHECK_NEAR(l.events[0].time, 1.5, 1.6); /* at the edge, pixels are repeated outwards */
        CHECK_NEAR(l.events[1].time, 11.5, 0.3);
        CHECK_NEAR(l.events[1].x, 19.5, 0.3);
        CHECK(l.events[1].probability > 0.5 && l.events[1].probability <= 1);
        loco_free(l.events);
    }
    model->decoding.versions = 4; /* as the decoding of the model says */
    model->offsets[0] = 2;
    l = detect(model, "b.png", NULL);
    CHECK_EQ(l.len, 2);
    CHECK_NEAR(l.events[1].time, 9.5, 0.3);
    loco_free(l.events);
    how.ensemble = 65;
    refuse(model, run_path("b.png"), &how, LOCO_EARG, "an ensemble of 65 shifts; at most 64");
    refuse(model, "-", NULL, LOCO_EARG, "give it the path of a file");
    how.ensemble = 4;
    refuse(model, "-", &how, LOCO_EARG, "give it the path of a file");
    refuse(model, run_path("m.loco"), &how, LOCO_EDATA, "no image");
    loco_model_free(model);
}

/* ---- known counts ---- */

static void known_counts_are_met(void)
{
    loco_model *model = load("late.loco");
    loco_label counts[2] = {loco_label_exact(5), loco_label_unknown()};
    loco_detect_options how = {.size = sizeof how, .counts = counts};
    for (size_t k = 0; k < 2; k++)
        model->offsets[k] = model->offsets_x[k] = 4;
    list l = detect(model, "a.png", &how);
    CHECK_EQ(l.len, 6); /* the three, the dark one, and two more at the edge or anywhere */
    for (size_t s = 0; s < 3; s++) {
        bool found = false;
        for (size_t i = 0; i < l.len; i++)
            found = found || (l.events[i].kind == spots[s].kind && l.events[i].probability > 0.9 &&
                              fabs(l.events[i].time - (double)spots[s].row * SPOT_CELL - 1.5) < 0.1 &&
                              fabs(l.events[i].x - (double)spots[s].column * SPOT_CELL - 1.5) < 0.1);
        CHECK(found);
    }
    loco_free(l.events);
    counts[0] = loco_label_exact(2);
    counts[1] = loco_label_exact(0);
    l = detect(model, "a.png", &how);
    CHECK(l.len == 2 && l.events[0].kind == 0 && l.events[1].kind == 0);
    CHECK_NEAR(l.events[0].time, 5.5, 0.01);
    CHECK_NEAR(l.events[1].x, 5.5, 0.01);
    loco_free(l.events);
    counts[0] = loco_label_exact(65);
    refuse(model, run_path("a.png"), &how, LOCO_EDATA, "65 events of light do not fit into its 64 places");
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
    RUN(times_have_no_meaning);
    RUN(shifts_find_what_lies_between_cells);
    RUN(known_counts_are_met);
    return run_done();
}
