/* SPDX-License-Identifier: MIT
 * test_tally_image.c - counts of whole images, of rows and of rectangles. */
#include "spot_model.h"

enum { HEIGHT = 46, WIDTH = 66, MOST = 64 }; /* neither is a whole number of cells */

/* Two light spots above, one on either side; one below; a dark one to the right. */
static const spot spots[] = {
    {2, 3,  0},
    {3, 12, 0},
    {9, 4,  0},
    {8, 13, 1},
};

typedef struct row_list {
    loco_tally_row rows[MOST];
    size_t len;
    char file[256]; /* of the last row, which lives no longer than its call */
} row_list;

static void keep(void *context, const loco_tally_row *row)
{
    row_list *list = context;
    snprintf(list->file, sizeof list->file, "%s", row->file);
    if (list->len < MOST)
        list->rows[list->len++] = *row;
}

static loco_model *load(const char *name)
{
    loco_model *model = NULL;
    if (loco_model_load(&model, run_path(name), NULL) != LOCO_OK)
        exit(1);
    return model;
}

static void check_row(const loco_tally_row *row, size_t kind, double count, const double corners[4])
{
    CHECK_EQ(row->kind, kind);
    CHECK_NEAR(row->expected, count, 0.05);
    CHECK(row->low == (size_t)count && row->high == (size_t)count);
    CHECK(row->claimed > 0.9 && row->claimed <= 1);
    CHECK_NEAR(row->left, corners[0], 0);
    CHECK_NEAR(row->start, corners[1], 0);
    CHECK_NEAR(row->right, corners[2], 0);
    CHECK_NEAR(row->end, corners[3], 0);
}

static void whole_images_are_counted(void)
{
    static row_list list;
    loco_model *model = load("m.loco");
    loco_label label = loco_label_at_least(3);
    loco_tally_options how = {.size = sizeof how, .label = &label};
    CHECK_STATUS(loco_tally(keep, &list, model, run_path("set/a.png"), &how, NULL), LOCO_OK);
    CHECK_EQ(list.len, 2);
    check_row(&list.rows[0], 0, 3, (const double[]){0, 0, WIDTH, HEIGHT});
    check_row(&list.rows[1], 1, 1, (const double[]){0, 0, WIDTH, HEIGHT});
    CHECK(list.rows[0].label > 0.95 && list.rows[1].label < 0.05);
    CHECK_SAYS(list.file, "set/a.png");
    loco_model_free(model);
}

/* The late model has its events a cell too low and to the right, and counts the same with its offsets. */
static void check_parts(const char *name, double late)
{
    static row_list list;
    loco_model *model = load(name);
    model->offsets[0] = model->offsets[1] = model->offsets_x[0] = model->offsets_x[1] = late;
    list.len = 0;
    CHECK_STATUS(loco_tally_clips(keep, &list, model, run_path("set"), NULL, NULL), LOCO_OK);
    CHECK_EQ(list.len, 8);
    check_row(&list.rows[0], 0, 3, (const double[]){0, 0, WIDTH, HEIGHT});
    check_row(&list.rows[2], 0, 2, (const double[]){0, 0, WIDTH, 24});
    check_row(&list.rows[3], 1, 0, (const double[]){0, 0, WIDTH, 24});
    check_row(&list.rows[4], 0, 1, (const double[]){32, 4, WIDTH, HEIGHT});
    check_row(&list.rows[5], 1, 1, (const double[]){32, 4, WIDTH, HEIGHT});
    check_row(&list.rows[6], 0, 1, (const double[]){0, 24, 32, HEIGHT});
    check_row(&list.rows[7], 1, 0, (const double[]){0, 24, 32, HEIGHT});
    CHECK_STR(list.file, "a.png");
    /* by the number of detections */
    for (size_t k = 0; k < 2; k++)
        model->count_calibration[k] = (lc_count_calibration){
            .scale = 1,
            .shift = -100,
            .detections = true,
            .frames = 100,
            .sum_frames = 100,
            .recordings = 9,
            .tails = {1, 1, 1, 1, 1, 1, 1},
            .sum_tails = {1, 1, 1, 1, 1, 1, 1}
        };
    list.len = 0;
    CHECK_STATUS(loco_tally_clips(keep, &list, model, run_path("set"), NULL, NULL), LOCO_OK);
    check_row(&list.rows[2], 0, 2, (const double[]){0, 0, WIDTH, 24});
    check_row(&list.rows[4], 0, 1, (const double[]){32, 4, WIDTH, HEIGHT});
    check_row(&list.rows[7], 1, 0, (const double[]){0, 24, 32, HEIGHT});
    CHECK_EQ(list.rows[7].recordings, 9);
    loco_model_free(model);
}

static void parts_are_counted(void)
{
    check_parts("m.loco", 0);
    check_parts("late.loco", 4);
}

static void refuse(const char *path, const loco_tally_options *how, loco_status want, const char *says)
{
    static row_list list;
    loco_model *model = load("m.loco");
    loco_err err = {""};
    CHECK_STATUS(loco_tally(keep, &list, model, path, how, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK_EQ(list.len, 0);
    loco_model_free(model);
}

static void mistakes_are_reported(void)
{
    char path[256];
    static const float samples[4];
    loco_model *model = load("m.loco");
    loco_err err = {""};
    loco_tally_options how = {.size = sizeof how, .every = 2};
    snprintf(path, sizeof path, "%s", run_path("set/a.png"));
    refuse(path, &how, LOCO_EARG, "windows of 2 s: the model reads images, which have no time");
    refuse("-", NULL, LOCO_EARG, "give it the path of a file");
    refuse(run_path("set/counts.csv"), NULL, LOCO_EDATA, "no image");
    refuse(run_path("set/none.png"), NULL, LOCO_EIO, "none.png");
    CHECK_STATUS(loco_tally_samples(keep, NULL, model, &(loco_samples){samples, 4, 1, 1}, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "give it the path of a file");
    run_write("set/late.csv", "file,x0,y0,x1,y1,light,dark\na.png,0,40,10,60,?,?\n");
    CHECK_STATUS(loco_tally_clips(keep, NULL, model, run_path("set/late.csv"), NULL, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "46 rows");
    loco_model_free(model);
}

int main(void)
{
    run_begin();
    CHECK(mkdir(run_path("set"), 0777) == 0);
    spot_model("m.loco", 32, 1, 1);
    spot_model("late.loco", 32, 0, 0);
    spot_image("set/a.png", HEIGHT, WIDTH, spots, 4);
    run_write("set/counts.csv", "file,x0,y0,x1,y1,light,dark\n"
                                "a.png,,,,,?,?\na.png,0,0,66,24,?,?\na.png,32,4,66,46,?,?\na.png,0,24,32,46,?,?\n");
    RUN(mistakes_are_reported);
    RUN(whole_images_are_counted);
    RUN(parts_are_counted);
    return run_done();
}
