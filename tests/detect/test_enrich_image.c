/* SPDX-License-Identifier: MIT
 * test_enrich_image.c - events of images given their counts: whole images, rectangles, clips that overlap, counts that do
 *   not fit, and what is written. */
#include "spot_model.h"

enum { SIDE = 32 };

/* Light, and one dark. */
static const spot spots[] = {
    {1, 1, 0},
    {2, 6, 0},
    {6, 3, 0},
    {5, 5, 1},
};

static size_t notices;
static char last[512];

static void note(void *context, const char *sentence)
{
    (void)context;
    notices++;
    snprintf(last, sizeof last, "%s", sentence);
}

static loco_model *load(const char *name)
{
    loco_model *model = NULL;
    if (loco_model_load(&model, run_path(name), NULL) != LOCO_OK)
        exit(1);
    return model;
}

/* The late model with its offsets: parts and events must both be moved. */
static loco_events *enrich(size_t *n, const char *counts, const loco_enrich_options *options)
{
    loco_model *model = load("late.loco");
    loco_events *lists = NULL;
    loco_err err = {""};
    loco_enrich_options how = {.size = sizeof how};
    if (options != NULL)
        how = *options;
    how.notice = note;
    notices = 0;
    run_write("set/counts.csv", counts);
    for (size_t k = 0; k < 2; k++)
        model->offsets[k] = model->offsets_x[k] = 4;
    CHECK_STATUS(loco_enrich(&lists, n, model, run_path("set"), &how, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    loco_model_free(model);
    return lists;
}

static bool has_spot(const loco_events *list, size_t number)
{
    for (size_t i = 0; i < list->events_len; i++)
        if (list->events[i].kind == spots[number].kind &&
            fabs(list->events[i].time - (double)spots[number].row * SPOT_CELL - 1.5) < 0.1 &&
            fabs(list->events[i].x - (double)spots[number].column * SPOT_CELL - 1.5) < 0.1)
            return true;
    return false;
}

static void counts_of_whole_images_are_met(void)
{
    size_t n = 0;
    loco_events *lists = enrich(&n, "file,light,dark\na.png,3,?\nb.png,<=4,0\n", NULL);
    CHECK_EQ(n, 2);
    CHECK_STR(lists[0].file, "a.png");
    CHECK_EQ(lists[0].events_len, 4);
    for (size_t i = 0; i < 4; i++)
        CHECK(has_spot(&lists[0], i));
    CHECK_EQ(lists[1].events_len, 3); /* the likeliest number */
    CHECK(has_spot(&lists[1], 0) && has_spot(&lists[1], 1) && has_spot(&lists[1], 2));
    CHECK_EQ(notices, 0);
    loco_free(lists);
}

/* The late network sees the third spot in the other half. */
static void counts_of_rectangles_are_met(void)
{
    size_t n = 0;
    loco_events *lists = enrich(&n, "file,x0,y0,x1,y1,light,dark\na.png,0,0,16,32,2,0\na.png,16,0,32,32,1,1\n", NULL);
    CHECK_EQ(n, 1);
    CHECK_EQ(lists[0].events_len, 4);
    for (size_t i = 0; i < 4; i++)
        CHECK(has_spot(&lists[0], i));
    loco_free(lists);
    /* each row has its own number, wherever events are surer */
    lists = enrich(&n, "file,x0,y0,x1,y1,light,dark\na.png,0,0,16,32,1,0\na.png,16,0,32,32,3,1\n", NULL);
    CHECK_EQ(lists[0].events_len, 5);
    CHECK(has_spot(&lists[0], 0) != has_spot(&lists[0], 2) && has_spot(&lists[0], 1) && has_spot(&lists[0], 3));
    loco_free(lists);
}

static void events_of_two_clips_are_written_once(void)
{
    size_t n = 0;
    loco_events *lists = enrich(&n, "file,x0,y0,x1,y1,light,dark\na.png,0,0,20,32,2,0\na.png,0,0,32,20,2,0\n", NULL);
    CHECK_EQ(lists[0].events_len, 3); /* the first spot is in both */
    CHECK(has_spot(&lists[0], 0) && has_spot(&lists[0], 1) && has_spot(&lists[0], 2));
    CHECK_EQ(notices, 1);
    CHECK_SAYS(last, "1 event that two rows with overlapping clips both have");
    loco_free(lists);
}

static void counts_that_do_not_fit_are_reported(void)
{
    size_t n = 0;
    loco_events *lists = enrich(&n, "file,x0,y0,x1,y1,light,dark\na.png,8,8,16,16,7,0\n", NULL);
    CHECK_EQ(lists[0].events_len, 4);
    CHECK_EQ(notices, 1);
    CHECK_SAYS(last,
               "counts.csv:2: column \"light\": 7 events do not fit into the 4 places of the clip; 4 are written");
    for (size_t i = 0; i < lists[0].events_len; i++)
        CHECK(lists[0].events[i].x >= 8 && lists[0].events[i].x < 16 && lists[0].events[i].time >= 8 &&
              lists[0].events[i].time < 16);
    loco_free(lists);
}

static void positions_are_written(void)
{
    size_t n = 0, length = 0;
    char events[256], set[256];
    snprintf(events, sizeof events, "%s", run_path("e.csv"));
    snprintf(set, sizeof set, "%s", run_path("timed"));
    loco_enrich_options how = {.size = sizeof how, .gap = 20, .events = events, .set = set};
    loco_events *lists = enrich(&n, "file,light,dark\na.png,3,1\n", &how);
    char *text = run_read("e.csv", &length), *copy = run_read("timed/events.csv", &length);
    CHECK_SAYS(text, "file,x,y,class,probability\na.png,5.5,5.5,light");
    CHECK_SAYS(copy, "file,x,y,class,probability\n../set/a.png,5.5,5.5,light");
    free(text);
    free(copy);
    loco_free(lists);
}

static void mistakes_are_reported(void)
{
    loco_model *model = load("late.loco");
    loco_events *lists = NULL;
    size_t n = 0;
    loco_err err = {""};
    loco_enrich_options how = {.size = sizeof how, .posterior = "p.csv"};
    CHECK_STATUS(loco_enrich(&lists, &n, model, run_path("set"), &how, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the model reads images: a table of probabilities is not possible");
    how = (loco_enrich_options){.size = sizeof how, .tolerance = 1};
    CHECK_STATUS(loco_enrich(&lists, &n, model, run_path("set"), &how, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "a tolerance is not possible");
    run_write("set/counts.csv", "file,light,dark\nc.wav,3,1\n");
    run_write("set/c.wav", "x");
    CHECK(loco_enrich(&lists, &n, model, run_path("set"), NULL, &err) != LOCO_OK);
    CHECK_SAYS(err.text, "c.wav");
    CHECK(lists == NULL);
    loco_model_free(model);
}

int main(void)
{
    run_begin();
    CHECK(mkdir(run_path("set"), 0777) == 0);
    spot_model("late.loco", SIDE, 0, 0);
    spot_image("set/a.png", SIDE, SIDE, spots, 4);
    spot_image("set/b.png", SIDE, SIDE, spots, 3);
    RUN(counts_of_whole_images_are_met);
    RUN(counts_of_rectangles_are_met);
    RUN(events_of_two_clips_are_written_once);
    RUN(counts_that_do_not_fit_are_reported);
    RUN(positions_are_written);
    RUN(mistakes_are_reported);
    return run_done();
}
