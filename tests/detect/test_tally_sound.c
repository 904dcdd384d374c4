/* SPDX-License-Identifier: MIT
 * test_tally_sound.c - counts of sounds: a whole file, windows, clips that overlap; they must be what the logits
 * say. */
#include "burst_model.h"

#include "detect/detect.h"
#include "detect/infer.h"
#include "detect/tally.h"

static burst_case made;

enum { MOST = 512 };
typedef struct rows {
    loco_tally_row items[MOST];
    size_t len;
} rows;

static void keep(void *context, const loco_tally_row *row)
{
    rows *all = context;
    if (all->len < MOST)
        all->items[all->len++] = *row;
}

static loco_model *load(const char *path)
{
    loco_model *model = NULL;
    if (loco_model_load(&model, path, NULL) != LOCO_OK)
        exit(1);
    return model;
}

static void mistakes_are_reported(void)
{
    loco_model *model = load(made.model);
    loco_err err = {""};
    static rows all;
    loco_label odd = {3, 2};
    loco_tally_options wrong[] = {{.interval = 0.3}, {.interval = 1}, {.interval = -1},
                                  {.every = 0.01},   {.every = -1},   {.label = &odd}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wrong[i].size = sizeof wrong[i];
        CHECK_STATUS(loco_tally(keep, &all, model, run_path("set/r.wav"), &wrong[i], &err), LOCO_EARG);
    }
    CHECK_STATUS(loco_tally(keep, &all, model, run_path("none.wav"), NULL, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "none.wav");
    CHECK_STATUS(loco_tally(keep, &all, model, "-", NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "needs its format");
    CHECK_STATUS(loco_tally_clips(keep, &all, model, run_path("nothing"), NULL, &err), LOCO_EIO);
    CHECK_EQ(all.len, 0);
    loco_model_free(model);
}

/* The same by all logits at once. */
static loco_tally_row slowly(const loco_model *model, const char *path, double start, double end)
{
    lc_logits logits = {0};
    lc_tally tally = {.frames = 0};
    CHECK_STATUS(lc_infer_logits(&logits, model, &(lc_input){.path = path}, NULL), LOCO_OK);
    lc_frames frames = lc_detect_frames(model, 0, start, end, logits.T);
    for (size_t t = frames.first; t < frames.end; t++)
        lc_tally_add(&tally, model->count_calibration[0].scale * (double)logits.data[t * logits.K] +
                                 model->count_calibration[0].shift);
    loco_event *events = NULL;
    size_t events_len = 0, detections = 0;
    CHECK_STATUS(loco_detect(&events, &events_len, model, path, NULL, NULL), LOCO_OK);
    for (size_t i = 0; i < events_len; i++)
        detections += events[i].kind == 0 && events[i].time >= start && events[i].time < end;
    loco_free(events);
    double count = lc_tally_calibrate(&tally, &model->count_calibration[0], detections);
    double tail = lc_count_calibration_tail_at(&model->count_calibration[0], 0.9, (double)tally.frames);
    lc_interval found = lc_tally_interval(&tally, tail, lc_tally_dice(&tally, 0));
    loco_tally_row row = {.expected = count,
                          .low = found.low,
                          .high = found.high,
                          .claimed = found.probability,
                          .label = lc_tally_probability(&tally, loco_label_at_least(3))};
    lc_tally_free(&tally);
    free(logits.data);
    return row;
}

static bool same(const loco_tally_row *a, const loco_tally_row *b)
{
    return fabs(a->expected - b->expected) < 1e-9 && a->low == b->low && a->high == b->high &&
           fabs(a->claimed - b->claimed) < 1e-9 && fabs(a->label - b->label) < 1e-9;
}

static void whole_files_are_counted(void)
{
    loco_model *model = load(made.model);
    static rows all;
    char path[256];
    loco_label label = loco_label_at_least(3);
    snprintf(path, sizeof path, "%s", run_path("set/r.wav"));
    CHECK_STATUS(loco_tally(keep, &all, model, path,
                            &(loco_tally_options){.size = sizeof(loco_tally_options), .label = &label}, NULL),
                 LOCO_OK);
    CHECK_EQ(all.len, 1);
    loco_tally_row want = slowly(model, path, 0, INFINITY);
    CHECK(same(&all.items[0], &want));
    CHECK_STR(all.items[0].file, path);
    CHECK_NEAR(all.items[0].end, 30, 0.01);
    printf("    %zu bursts: expected %.2f, %zu to %zu\n", made.times_len, want.expected, want.low, want.high);
    CHECK_NEAR(want.expected, (double)made.times_len, 2);
    loco_model_free(model);
}

/* The last one is shorter, and none is left over for the last half frame. */
static void windows_are_counted(void)
{
    loco_model *model = load(made.model);
    static rows all;
    double sum = 0;
    char path[256];
    loco_label label = loco_label_at_least(3);
    snprintf(path, sizeof path, "%s", run_path("set/r.wav"));
    CHECK_STATUS(loco_tally(keep, &all, model, path,
                            &(loco_tally_options){.size = sizeof(loco_tally_options), .every = 4, .label = &label},
                            NULL),
                 LOCO_OK);
    CHECK_EQ(all.len, 8);
    for (size_t i = 0; i < all.len; i++) {
        loco_tally_row want = slowly(model, path, 4 * (double)i, i == 7 ? (double)INFINITY : 4 * (double)i + 4);
        CHECK(same(&all.items[i], &want));
        CHECK_NEAR(all.items[i].start, 4 * (double)i, 1e-9);
        CHECK_NEAR(all.items[i].end, i == 7 ? 30 : 4 * (double)i + 4, 0.01);
        sum += all.items[i].expected;
    }
    CHECK_NEAR(sum, (double)made.times_len, 2);
    all.len = 0;
    CHECK_STATUS(loco_tally(keep, &all, model, path,
                            &(loco_tally_options){.size = sizeof(loco_tally_options), .every = 5}, NULL),
                 LOCO_OK);
    CHECK_EQ(all.len, 6);
    all.len = 0;
    CHECK_STATUS(loco_tally(keep, &all, model, path,
                            &(loco_tally_options){.size = sizeof(loco_tally_options), .every = 1000}, NULL),
                 LOCO_OK);
    CHECK_EQ(all.len, 1);
    loco_model_free(model);
}

/* Nested, equal and open-ended clips, not in order, two classes; counts.csv may hold any counts. */
static void clips_are_counted(void)
{
    loco_model *model = NULL;
    static rows all;
    char path[256];
    loco_label label = loco_label_at_least(3);
    burst_model("two.loco", 2, 2);
    model = load(run_path("two.loco"));
    snprintf(path, sizeof path, "%s", run_path("set/r.wav"));
    run_write("set/parts.csv", "file,start,end,burst,ghost\nr.wav,10,20,?,?\nr.wav,0,5,,1\nr.wav,2,,?,?\n"
                               "r.wav,0,5,,\nr.wav,12,13,?,?\n");
    CHECK_STATUS(loco_tally_clips(keep, &all, model, run_path("set/parts.csv"),
                                  &(loco_tally_options){.size = sizeof(loco_tally_options), .label = &label}, NULL),
                 LOCO_OK);
    const double starts[] = {0, 0, 2, 10, 12}, ends[] = {5, 5, INFINITY, 20, 13};
    CHECK_EQ(all.len, 10);
    for (size_t i = 0; i < 5 && all.len == 10; i++) {
        loco_tally_row want = slowly(model, path, starts[i], ends[i]);
        CHECK(same(&all.items[2 * i], &want));
        CHECK_EQ(all.items[2 * i].kind, 0);
        CHECK_EQ(all.items[2 * i + 1].kind, 1);
        CHECK(all.items[2 * i + 1].expected < 0.1 && all.items[2 * i + 1].low == 0);
        CHECK_NEAR(all.items[2 * i].start, starts[i], 1e-9);
    }
    run_write("set/late.csv", "file,start,end,burst,ghost\nr.wav,40,50,?,?\n");
    loco_err err = {""};
    CHECK_STATUS(loco_tally_clips(keep, &all, model, run_path("set/late.csv"), NULL, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "lasts 30.000 s");
    loco_model_free(model);
}

static void lines_are_written(void)
{
    char text[256];
    loco_tally_row row = {"a \"b\".wav", 0.5, 12, 1, 3.14159, 2, 5, 0.91234, 0.5, 1, 0, 64.5};
    size_t length = loco_tally_format(text, sizeof text, "csv", NULL, NULL, NULL);
    CHECK_EQ(length, strlen(text));
    CHECK_STR(text, "file,start,end,class,expected,low,high,claimed\n");
    loco_tally_format(text, sizeof text, "csv", NULL, ">=3", NULL);
    CHECK_SAYS(text, ",claimed,label,probability\n");
    loco_tally_format(text, sizeof text, "csv", "kick", NULL, &row);
    CHECK_STR(text, "\"a \"\"b\"\".wav\",0.500,12.000,kick,3.14,2,5,0.9123\n");
    loco_tally_format(text, sizeof text, "jsonl", "kick", ">=3", &row);
    CHECK_STR(text, "{\"file\":\"a \\\"b\\\".wav\",\"start\":0.500,\"end\":12.000,\"class\":\"kick\",\"expected\":3.14,"
                    "\"low\":2,\"high\":5,\"claimed\":0.9123,\"label\":\">=3\",\"probability\":0.5000,"
                    "\"recordings\":1}\n");
    loco_tally_format(text, sizeof text, "csv places", NULL, NULL, NULL);
    CHECK_STR(text, "file,x0,y0,x1,y1,class,expected,low,high,claimed\n");
    loco_tally_format(text, sizeof text, "csv places", "cell", NULL, &row);
    CHECK_STR(text, "\"a \"\"b\"\".wav\",0,0.5,64.5,12,cell,3.14,2,5,0.9123\n");
    loco_tally_format(text, sizeof text, "jsonl places", "cell", NULL, &row);
    CHECK_SAYS(text, "b\\\".wav\",\"x0\":0,\"y0\":0.5,\"x1\":64.5,\"y1\":12,\"class\":\"cell\",\"expected\":3.14,");
    CHECK_EQ(loco_tally_format(text, sizeof text, "jsonl", NULL, NULL, NULL), 0);
    CHECK_EQ(loco_tally_format(text, sizeof text, "midi", "kick", NULL, &row), 0);
    CHECK(loco_tally_format(text, 5, "csv", "kick", NULL, &row) > 5);
    CHECK_EQ(strlen(text), 4);
}

int main(void)
{
    burst_begin(&made, 30);
    RUN(mistakes_are_reported);
    RUN(whole_files_are_counted);
    RUN(windows_are_counted);
    RUN(clips_are_counted);
    RUN(lines_are_written);
    return run_done();
}
