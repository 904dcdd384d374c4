/* SPDX-License-Identifier: MIT
 * test_plot_clip.c - a clip of a recording as a picture: its true events are found, its loss is that of the count. */
#include "burst_model.h"

static loco_model *model;
static char sound_path[256], picture[256];
static double times[256];
static size_t times_len;

static void refuse(const char *sound, double start, double end, loco_status want, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(loco_plot_clip(picture, model, sound, start, end, NULL, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(access(picture, F_OK) != 0);
}

static void mistakes_are_reported(void)
{
    refuse(sound_path, 2, 2, LOCO_EARG, "from 2 to 2 s");
    refuse(sound_path, -1, 2, LOCO_EARG, "from -1 to 2 s");
    refuse(sound_path, 1, 900, LOCO_EARG, "1 to 4000 frames");
    refuse(sound_path, 25, 26, LOCO_EARG, "ends before 25 s");
    refuse("/no/such.wav", 1, 2, LOCO_EIO, "/no/such.wav");
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

static void draw(const char *sound, const char *label, size_t events)
{
    size_t length;
    loco_err err = {""};
    CHECK_STATUS(loco_plot_clip(picture, model, sound, 3, 4, NULL, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    char *text = run_read("p.svg", &length);
    CHECK_SAYS(text, "r.wav, 3 to 4 s");
    CHECK_SAYS(text, ">burst<");
    CHECK_EQ(count_of(text, "stroke-dasharray='3 3'"), events);
    if (label != NULL)
        CHECK_SAYS(text, label);
    else
        CHECK(strstr(text, "font-weight='600' text-anchor='end'") == NULL);
    free(text);
}

/* With times; with counts alone; with nothing. */
static void what_is_true_is_found(void)
{
    size_t inside = 0, length;
    char label[32];
    for (size_t i = 0; i < times_len; i++)
        inside += times[i] >= 3 && times[i] < 4;
    CHECK(inside > 1);
    snprintf(label, sizeof label, ">%zu: ", inside);
    draw(sound_path, label, inside);
    CHECK(rename(run_path("set/events.csv"), run_path("events.csv")) == 0);
    draw(sound_path, label, 0);
    char *wav = run_read("set/r.wav", &length);
    CHECK_STATUS(lc_file_save(run_path("r.wav"), wav, length, NULL), LOCO_OK);
    CHECK(rename(run_path("events.csv"), run_path("set/events.csv")) == 0);
    draw(run_path("r.wav"), NULL, 0);
    free(wav);
}

int main(void)
{
    run_begin();
    burst_model("m.loco", 2, 1);
    times_len = burst_set("set", 20, 1, times, 256);
    CHECK_STATUS(loco_model_load(&model, run_path("m.loco"), NULL), LOCO_OK);
    snprintf(sound_path, sizeof sound_path, "%s", run_path("set/r.wav"));
    snprintf(picture, sizeof picture, "%s", run_path("p.svg"));
    RUN(mistakes_are_reported);
    RUN(what_is_true_is_found);
    loco_model_free(model);
    return run_done();
}
