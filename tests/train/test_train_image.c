/* SPDX-License-Identifier: MIT
 * test_train_image.c - training on images from end to end: counts of light squares are learned, and their places are found;
 *   the same bits on any number of threads and after a break; from positions; from another model. */
#include "spot_model.h"

enum { IMAGES = 24, CELLS = 8, SIDE = CELLS * SPOT_CELL, SETS = 9, MOST = 4 };

static const char *const sets[] = {"network=conv 3x3 6 local",
                                   "steps=150",
                                   "check=50",
                                   "batch=8",
                                   "rate=0.02",
                                   "sharpen=0.3",
                                   "held=0.125",
                                   "warm_up=10",
                                   "decoding=mass window=4 threshold=0.4 gap=5"};
static spot drawn[IMAGES][MOST];
static size_t drawn_len[IMAGES];

/* Squares of a cell, one in a row of cells, with counts, and places in a second set. */
static void make_sets(void)
{
    lc_rng rng = lc_rng_seed(8);
    lc_text counts = {0}, events = {0};
    lc_text_string(&counts, "file,light\n");
    lc_text_string(&events, "file,x,y,class\n");
    CHECK(mkdir(run_path("set"), 0777) == 0 && mkdir(run_path("timed"), 0777) == 0);
    for (size_t i = 0; i < IMAGES; i++) {
        char name[32];
        drawn_len[i] = case_below(&rng, MOST + 1);
        for (size_t j = 0; j < drawn_len[i]; j++) {
            drawn[i][j] = (spot){2 * j, 1 + case_below(&rng, CELLS - 2), 0};
            lc_text_format(&events, "%02zu.png,%.1f,%.1f,light\n", i, 4 * (double)drawn[i][j].column + 1.5,
                           4 * (double)drawn[i][j].row + 1.5);
        }
        if (drawn_len[i] == 0)
            lc_text_format(&events, "%02zu.png,,,\n", i);
        lc_text_format(&counts, "%02zu.png,%zu\n", i, drawn_len[i]);
        snprintf(name, sizeof name, "set/%02zu.png", i);
        spot_image(name, SIDE, SIDE, drawn[i], drawn_len[i]);
        snprintf(name, sizeof name, "timed/%02zu.png", i);
        spot_image(name, SIDE, SIDE, drawn[i], drawn_len[i]);
    }
    run_write("set/counts.csv", counts.bytes);
    run_write("timed/counts.csv", counts.bytes);
    run_write("timed/events.csv", events.bytes);
    lc_text_free(&counts);
    lc_text_free(&events);
}

/* Trains, with one more setting (NULL: none). */
static void train(const char *data, const char *model, unsigned threads, const char *more, const char *from)
{
    char data_path[512], model_path[512], from_path[512];
    const char *all[SETS + 1];
    memcpy(all, sets, sizeof sets);
    all[SETS] = more;
    snprintf(data_path, sizeof data_path, "%s", run_path(data));
    snprintf(model_path, sizeof model_path, "%s", run_path(model));
    snprintf(from_path, sizeof from_path, "%s", from != NULL ? run_path(from) : "");
    run_case training = {
        data_path,
        model_path,
        {.size = sizeof(loco_train_options),
          .preset = from != NULL ? NULL : "image",
          .sets = from != NULL ? all + 1 : all,
          .sets_len = (size_t)SETS - (from != NULL ? 1 : 0) + (more != NULL ? 1 : 0),
          .threads = threads,
          .from = from != NULL ? from_path : NULL}
    };
    run_train(&training);
}

/* Squares found within 4 pixels of the true ones, and all that are found. */
static void score(const char *model_name, size_t *right, size_t *found)
{
    loco_model *model = NULL;
    loco_err err = {""};
    *right = *found = 0;
    CHECK_STATUS(loco_model_load(&model, run_path(model_name), &err), LOCO_OK);
    for (size_t i = 0; model != NULL && i < IMAGES; i++) {
        loco_event *events = NULL;
        size_t n = 0;
        char name[32];
        snprintf(name, sizeof name, "set/%02zu.png", i);
        CHECK_STATUS(loco_detect(&events, &n, model, run_path(name), NULL, &err), LOCO_OK);
        for (size_t j = 0; j < drawn_len[i]; j++)
            for (size_t e = 0; e < n; e++)
                *right += hypot(events[e].x - 4 * (double)drawn[i][j].column - 1.5,
                                events[e].time - 4 * (double)drawn[i][j].row - 1.5) <= 4;
        *found += n;
        loco_free(events);
    }
    CHECK_STR(err.text, "");
    loco_model_free(model);
}

static size_t squares(void)
{
    size_t n = 0;
    for (size_t i = 0; i < IMAGES; i++)
        n += drawn_len[i];
    return n;
}

static void places_follow_from_counts(void)
{
    size_t right, found, all = squares();
    train("set", "one.loco", 1, NULL, NULL);
    score("one.loco", &right, &found);
    printf("    %zu squares, %zu found, %zu right\n", all, found, right);
    CHECK(10 * right >= 9 * all);
    CHECK(10 * found <= 11 * all);
}

static void threads_do_not_matter(void)
{
    train("set", "two.loco", 2, NULL, NULL);
    CHECK(run_same_files("one.loco", "two.loco"));
}

static void positions_are_learned_from(void)
{
    size_t right, found, all = squares();
    train("timed", "taught.loco", 1, "supervised=1", NULL);
    score("taught.loco", &right, &found);
    CHECK(10 * right >= 9 * all);
    CHECK(!run_same_files("one.loco", "taught.loco"));
}

static void changes_are_drawn_by_the_seed(void)
{
    train("set", "warped.loco", 1, "warp=0.1", NULL);
    train("set", "again.loco", 2, "warp=0.1", NULL);
    CHECK(run_same_files("warped.loco", "again.loco"));
    CHECK(!run_same_files("one.loco", "warped.loco"));
}

/* Two images side by side, each half counted by a row of its own. */
static void make_rectangles(void)
{
    lc_text counts = {0};
    lc_text_string(&counts, "file,x0,y0,x1,y1,light\n");
    CHECK(mkdir(run_path("halves"), 0777) == 0);
    for (size_t i = 0; i + 1 < IMAGES; i += 2) {
        char name[32];
        spot both[2 * MOST];
        size_t n = 0;
        for (size_t side = 0; side < 2; side++)
            for (size_t j = 0; j < drawn_len[i + side]; j++) {
                both[n] = drawn[i + side][j];
                both[n++].column += side * CELLS;
            }
        snprintf(name, sizeof name, "halves/%02zu.png", i);
        spot_image(name, SIDE, (size_t)2 * SIDE, both, n);
        lc_text_format(&counts, "%02zu.png,0,0,%d,%d,%zu\n", i, SIDE, SIDE, drawn_len[i]);
        lc_text_format(&counts, "%02zu.png,%d,0,%d,%d,%zu\n", i, SIDE, 2 * SIDE, SIDE, drawn_len[i + 1]);
    }
    run_write("halves/counts.csv", counts.bytes);
    lc_text_free(&counts);
}

static void rectangles_are_counted_alone(void)
{
    size_t right, found, all = squares();
    make_rectangles();
    train("halves", "halves.loco", 1, NULL, NULL);
    score("halves.loco", &right, &found);
    printf("    %zu squares, %zu found, %zu right\n", all, found, right);
    CHECK(10 * right >= 8 * all);
    CHECK(10 * found <= 12 * all);
}

static void cells_must_stay(void)
{
    static const char *const wrong[] = {"network=conv 3x3 4 stride 2", "network=dense 4"};
    char data[512], model[512];
    snprintf(data, sizeof data, "%s", run_path("set"));
    snprintf(model, sizeof model, "%s", run_path("wrong.loco"));
    for (size_t i = 0; i < 2; i++) {
        bool finished;
        loco_err err = {""};
        loco_train_options how = {.size = sizeof how, .preset = "image", .sets = &wrong[i], .sets_len = 1};
        CHECK_STATUS(loco_train(&finished, model, data, &how, &err), LOCO_EARG);
        CHECK_SAYS(err.text, "keep the number of bins");
    }
}

static void training_goes_on_from_a_model(void)
{
    size_t right, found, all = squares();
    train("set", "next.loco", 1, NULL, "one.loco");
    score("next.loco", &right, &found);
    CHECK(10 * right >= 9 * all);
}

int main(void)
{
    run_begin();
    make_sets();
    RUN(places_follow_from_counts);
    RUN(threads_do_not_matter);
    RUN(positions_are_learned_from);
    RUN(changes_are_drawn_by_the_seed);
    RUN(rectangles_are_counted_alone);
    RUN(cells_must_stay);
    RUN(training_goes_on_from_a_model);
    return run_done();
}
