/* SPDX-License-Identifier: MIT
 * test_evaluate_images.c - a model of images on a data set, event files with places, and lists in memory. */
#include "spot_model.h"

#include "eval/scores.h"

#include <sys/stat.h>

static const spot spots[] = {
    {1, 2, 0},
    {4, 6, 1},
    {6, 1, 0},
};

static loco_status evaluate(loco_scores **scores, const char *model, const char *data, double tolerance, bool pixels,
                            loco_err *err)
{
    loco_model *loaded = NULL;
    loco_evaluate_options how = {
        .size = sizeof how, .tolerances = tolerance > 0 ? &tolerance : NULL, .tolerances_len = 1, .pixels = pixels};
    loco_status status = loco_model_load(&loaded, run_path(model), err);
    if (status == LOCO_OK)
        status = loco_evaluate(scores, loaded, run_path(data), &how, err);
    loco_model_free(loaded);
    return status;
}

/* The spots are found where they are; one true event is where no spot is. */
static void a_model_is_scored(void)
{
    loco_scores *scores = NULL;
    loco_err err = {""};
    loco_score row;
    loco_count_quality counts;
    CHECK_STATUS(evaluate(&scores, "m.loco", "set", 0, false, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK_STATUS(loco_scores_read(&row, scores, LOCO_SCORE_POOLED, 0, NULL), LOCO_OK);
    CHECK(row.reference == 5 && row.estimated == 4 && row.matched == 4);
    CHECK_NEAR(row.error_mean, 3 / 4.0, 0.01); /* one is 3 px off */
    CHECK_STATUS(loco_scores_counts(&counts, scores, 0, NULL), LOCO_OK);
    CHECK_EQ(counts.clips, 3); /* two rectangles and a whole image */
    CHECK_NEAR(counts.exact, 1, 0);
    CHECK(counts.distance < 0.05);
    CHECK_STATUS(loco_scores_counts(&counts, scores, 1, NULL), LOCO_OK); /* the dark one is in no rectangle */
    CHECK_NEAR(counts.exact, 1, 0);
    CHECK(scores->plane->lone == 1 && scores->plane->lone_right == 1);
    loco_scores_free(scores);
    CHECK_STATUS(evaluate(&scores, "m.loco", "set", 2, true, &err), LOCO_OK);
    CHECK_STATUS(loco_scores_read(&row, scores, LOCO_SCORE_POOLED, 0, NULL), LOCO_OK);
    CHECK_EQ(row.matched, 3);
    loco_scores_free(scores);
}

static void mistakes_are_reported(void)
{
    loco_scores *scores = NULL;
    loco_err err = {""};
    CHECK_STATUS(evaluate(&scores, "m.loco", "set", 0.05, false, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "by distance; give tolerances in pixels, such as 10px");
    CHECK_STATUS(evaluate(&scores, "m.loco", "timed", 0, false, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "events have times, and the model reads images: write x and y instead");
    CHECK_STATUS(evaluate(&scores, "m.loco", "below", 0, false, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "an event at y = 40.000, but \"a.png\" has 32 rows");
    loco_status status = loco_evaluate_files(&scores, run_path("set/events.csv"), run_path("timed/events.csv"), NULL,
                                             &err);
    CHECK_STATUS(status, LOCO_EDATA);
    CHECK_SAYS(err.text, "compare lists of one kind");
    CHECK(scores == NULL);
}

static void files_are_scored(void)
{
    loco_scores *scores = NULL;
    loco_err err = {""};
    loco_score row;
    run_write("found.csv", "file,x,y,class,probability\na.png,9.5,5.5,light,0.9\na.png,30,17.5,light,0.5\n");
    CHECK_STATUS(loco_evaluate_files(&scores, run_path("set/events.csv"), run_path("found.csv"), NULL, &err), LOCO_OK);
    CHECK_STATUS(loco_scores_read(&row, scores, LOCO_SCORE_POOLED, 0, NULL), LOCO_OK);
    CHECK(row.reference == 5 && row.estimated == 2 && row.matched == 1);
    CHECK_EQ(scores->plane->confusion[3], 1); /* a dark one was found as light */
    loco_scores_free(scores);
    const loco_event truth = {.time = 5, .x = 5}, near = {.time = 5, .x = 9};
    loco_events one = {"a", (loco_event *)&truth, 1}, other = {"a", (loco_event *)&near, 1};
    loco_evaluate_options how = {
        .size = sizeof how, .tolerances = (const double[]){3}, .tolerances_len = 1, .pixels = true};
    CHECK_STATUS(loco_evaluate_events(&scores, &one, 1, &other, 1, spot_names, 2, &how, &err), LOCO_OK);
    CHECK_STATUS(loco_scores_read(&row, scores, LOCO_SCORE_POOLED, 0, NULL), LOCO_OK);
    CHECK_EQ(row.matched, 0);
    loco_scores_free(scores);
}

int main(void)
{
    run_begin();
    spot_model("m.loco", 32, 1, 1);
    CHECK(mkdir(run_path("set"), 0777) == 0 && mkdir(run_path("timed"), 0777) == 0);
    CHECK(mkdir(run_path("below"), 0777) == 0);
    spot_image("set/a.png", 32, 32, spots, 3);
    spot_image("set/b.png", 32, 32, spots, 1);
    spot_image("timed/a.png", 32, 32, spots, 3);
    spot_image("below/a.png", 32, 32, spots, 3);
    run_write("set/counts.csv",
              "file,x0,y0,x1,y1,light,dark\na.png,0,0,32,16,1,0\na.png,0,16,16,32,1,0\nb.png,,,,,1,0\n");
    run_write("set/events.csv", "file,x,y,class\na.png,9.5,5.5,light\na.png,25.5,20.5,dark\na.png,5.5,25.5,light\n"
                                "a.png,30,2,light\nb.png,9.5,5.5,light\n");
    run_write("timed/events.csv", "file,time,class\na.png,5,light\n");
    run_write("below/events.csv", "file,x,y,class\na.png,5,40,light\n");
    RUN(a_model_is_scored);
    RUN(mistakes_are_reported);
    RUN(files_are_scored);
    return run_done();
}
