/* SPDX-License-Identifier: MIT
 * test_plan.c - what a run decides before its first step: defaults from the data, and who is held out. */
#include "train_cases.h"

#include "train/plan.h"

static lc_text notices;

/* A plan for a set, with a notice of everything it chose; settings on top of the tiny ones. */
static lc_plan *plan_of(const char *data, const char *const *sets, size_t sets_len)
{
    lc_plan *plan = NULL;
    loco_err err = {""};
    lc_text_free(&notices);
    loco_train_options training = {.size = sizeof training, .sets = sets, .sets_len = sets_len};
    training.notice = run_note;
    training.context = &notices;
    lc_text_string(&notices, "");
    if (lc_plan_new(&plan, run_path(data), &training, &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return plan;
}

static void refuse(const char *data, const char *set, loco_status want, const char *says)
{
    lc_plan *plan = NULL;
    loco_err err = {""};
    loco_train_options training = {.size = sizeof training, .sets = &set, .sets_len = set != NULL};
    CHECK_STATUS(lc_plan_new(&plan, run_path(data), &training, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(plan == NULL);
}

/* A folder with r.wav, 6 s of it at a rate, and counts.csv. */
static void make_set(const char *folder, int rate, const char *counts)
{
    char name[64];
    CHECK(mkdir(run_path(folder), 0777) == 0);
    snprintf(name, sizeof name, "%s/r.wav", folder);
    run_bursts(name, rate, 6, (const double[]){1.1, 2.1}, 2);
    snprintf(name, sizeof name, "%s/counts.csv", folder);
    if (counts != NULL)
        run_write(name, counts);
}

static void mistakes_are_reported(void)
{
    refuse("nowhere", NULL, LOCO_EIO, "nowhere");
    refuse("drums", "network=gru eight", LOCO_EARG, "eight");
    refuse("drums", "stpes=5", LOCO_EARG, "did you mean steps?");
    refuse("drums", "frontend.bands=999999", LOCO_EARG, "bands");
    refuse("drums", "shortest=2", LOCO_EARG, "shortest=2 is more than longest=0");
    refuse("drums", "transpose=2", LOCO_EARG, "transpose=2 moves pitches by semitones; it needs the front end pitch");
    refuse("drums", "longest=9", LOCO_EDATA, "as long as 9 s");
    make_set("beyond", 22050, "file,start,end,a\nr.wav,0,1,1\nr.wav,5.5,7,1\n");
    refuse("beyond", NULL, LOCO_EDATA, "counts.csv:3");
    loco_train_options training = {.size = sizeof training, .preset = "durms"};
    lc_plan *plan = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_plan_new(&plan, run_path("drums"), &training, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "did you mean drums?");
    lc_plan_free(NULL);
}

static void recordings_are_on_one_side(void)
{
    for (uint64_t seed = 1; seed < 6; seed++) {
        char set[32];
        snprintf(set, sizeof set, "seed=%u", (unsigned)seed);
        const char *sets[] = {set, "held=0.4", "frontend.bands=24", "network=gru 4"};
        lc_plan *plan = plan_of("drums", sets, 4);
        size_t held = 0, held_clips = 0;
        for (size_t i = 0; i < plan->set->recordings_len; i++) {
            CHECK(plan->held_recordings[i] + plan->kept_recordings[i] == 1);
            held += plan->held_recordings[i];
        }
        for (size_t i = 0; i < plan->set->clips_len; i++) {
            size_t r = plan->set->clips[i].recording;
            CHECK(plan->held_clips[i] == plan->held_recordings[r] && plan->kept_clips[i] == plan->kept_recordings[r]);
            held_clips += plan->held_clips[i];
        }
        CHECK_EQ(held, 2);
        CHECK_SAYS(notices.bytes, "2 of 4 recordings are held out");
        CHECK_EQ(lc_feed_clips(plan->held), held_clips);
        CHECK_EQ(lc_feed_clips(plan->feed), plan->set->clips_len - held_clips);
        CHECK_EQ(plan->net.classes, 3);
        lc_plan_free(plan);
    }
}

static void nothing_is_held_when_asked(void)
{
    const char *sets[] = {"held=0"};
    lc_plan *plan = plan_of("drums", sets, 1);
    CHECK(plan->held == NULL);
    CHECK_EQ(lc_feed_clips(plan->feed), plan->set->clips_len);
    CHECK(strstr(notices.bytes, "held out") == NULL);
    CHECK_EQ((size_t)plan->recipe.batch, 32); /* as the preset says: clips are short */
    CHECK_NEAR(plan->recipe.clips.longest, 0, 0);
    lc_plan_free(plan);
}

/* Rows in any order, and clips that overlap: held out are the last by time, and none is on both sides in part. */
static void one_recording_is_cut_in_time(void)
{
    make_set("one", 22050,
             "file,start,end,a\nr.wav,4,5,0\nr.wav,5,6,1\nr.wav,0,1,1\nr.wav,1,2,0\nr.wav,2,3,1\nr.wav,3,4,0\n"
             "r.wav,4.5,5.5,1\n");
    lc_plan *plan = plan_of("one", NULL, 0);
    CHECK_SAYS(notices.bytes, "one recording only: its last clips are held out");
    static const uint8_t held[] = {0, 1, 0, 0, 0, 0, 0}, kept[] = {1, 0, 1, 1, 1, 1, 0};
    CHECK(case_same(plan->held_clips, held, 7) && case_same(plan->kept_clips, kept, 7));
    CHECK(plan->held != NULL && lc_feed_clips(plan->held) == 1 && lc_feed_clips(plan->feed) == 5);
    CHECK(plan->kept_recordings[0] == 1 && plan->held_recordings[0] == 0);
    lc_plan_free(plan);
    const char *sets[] = {"held=0.5"};
    plan = plan_of("one", sets, 1);
    static const uint8_t half[] = {1, 1, 0, 0, 0, 0, 1}, rest[] = {0, 0, 1, 1, 1, 1, 0};
    CHECK(case_same(plan->held_clips, half, 7) && case_same(plan->kept_clips, rest, 7));
    lc_plan_free(plan);
    make_set("whole", 22050, "file,start,end,a\nr.wav,,,1\n");
    plan = plan_of("whole", NULL, 0);
    CHECK_SAYS(notices.bytes, "nothing can be held out");
    CHECK(plan->held == NULL && lc_feed_clips(plan->feed) == 1);
    lc_plan_free(plan);
}

/* A wrong count is reported wherever it is. */
static void held_counts_are_checked(void)
{
    make_set("wrong", 22050, "file,start,end,a\nr.wav,0,1,1\nr.wav,1,2,1\nr.wav,2,3,1\nr.wav,5,6,900\n");
    refuse("wrong", NULL, LOCO_EDATA, "counts.csv:5: 900 events of a");
    make_set("unknown", 22050, "file,start,end,a\nr.wav,0,1,1\nr.wav,1,2,1\nr.wav,2,3,1\nr.wav,5,6,?\n");
    lc_plan *plan = plan_of("unknown", NULL, 0);
    CHECK(plan->held == NULL && lc_feed_clips(plan->feed) == 3);
    lc_plan_free(plan);
}

static void low_rates_lower_the_front_end(void)
{
    make_set("low", 8000, "file,start,end,a\nr.wav,0,1,1\nr.wav,1,2,1\n");
    lc_plan *plan = plan_of("low", NULL, 0);
    CHECK_SAYS(notices.bytes, "lowest sample rate of the recordings is 8000 Hz: the front end reads up to 4000 Hz");
    CHECK_NEAR(plan->recipe.frontend.high, 4000, 0);
    CHECK_NEAR(plan->recipe.frontend.rate, 22050, 0);
    lc_plan_free(plan);
    const char *sets[] = {"frontend.high=3000"};
    plan = plan_of("low", sets, 1);
    CHECK_NEAR(plan->recipe.frontend.high, 3000, 0);
    lc_plan_free(plan);
    plan = plan_of("one", NULL, 0);
    CHECK_NEAR(plan->recipe.frontend.high, 11000, 100);
    CHECK(strstr(notices.bytes, "sample rate") == NULL);
    lc_plan_free(plan);
}

static void long_clips_make_small_batches(void)
{
    static float silence[60 * 8000];
    CHECK(mkdir(run_path("long"), 0777) == 0);
    run_wav("long/r.wav", 8000, silence, 60 * 8000);
    run_write("long/counts.csv", "file,start,end,a\nr.wav,0,30,1\nr.wav,30,,2\n");
    lc_plan *plan = plan_of("long", NULL, 0);
    CHECK_SAYS(notices.bytes, "clips of up to 30.2 s: batches of 3;");
    CHECK_EQ((size_t)plan->recipe.batch, 3);
    lc_plan_free(plan);
    const char *sets[] = {"batch=9"};
    plan = plan_of("long", sets, 1);
    CHECK_EQ((size_t)plan->recipe.batch, 9);
    lc_plan_free(plan);
}

/* Times without counts: clips are cut, and whole recordings are held out. */
static void times_alone_are_cut(void)
{
    char name[64];
    CHECK(mkdir(run_path("timed"), 0777) == 0);
    for (size_t i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "timed/r%zu.wav", i);
        run_bursts(name, 22050, 3, (const double[]){1.1, 2.1}, 2);
    }
    run_write("timed/events.csv", "file,time,class\nr0.wav,1.1,a\nr1.wav,1.1,a\nr2.wav,2.1,a\nr3.wav,2.1,a\n");
    lc_plan *plan = plan_of("timed", NULL, 0);
    CHECK_NEAR(plan->recipe.clips.shortest, 0.4, 0);
    CHECK_NEAR(plan->recipe.clips.longest, 0.8, 0);
    CHECK_EQ(lc_feed_clips(plan->feed), 0);
    CHECK_SAYS(notices.bytes, "1 of 4 recordings are held out");
    const lc_example *batch;
    size_t n = 0;
    CHECK(plan->held != NULL); /* clips of the held-out recording are judged, always the same */
    CHECK_STATUS(lc_feed_plain(plan->held, 0, &batch, &n, NULL), LOCO_OK);
    CHECK(n > 0);
    float first = batch[0].frames[0];
    CHECK_STATUS(lc_feed_plain(plan->held, n, &batch, &n, NULL), LOCO_OK);
    CHECK_STATUS(lc_feed_plain(plan->held, 0, &batch, &n, NULL), LOCO_OK);
    CHECK_NEAR(batch[0].frames[0], first, 0);
    lc_plan_free(plan);
}

static void odd_counts_are_reported(void)
{
    make_set("odd", 22050, "file,start,end,a,b,c\nr.wav,0,1,2,0,?\nr.wav,1,2,2,0,?\nr.wav,2,3,2,0,?\n");
    lc_plan *plan = plan_of("odd", NULL, 0);
    CHECK_SAYS(notices.bytes, "class \"a\": all 3 counts are 2");
    CHECK_SAYS(notices.bytes, "class \"b\": it is never present");
    CHECK_SAYS(notices.bytes, "class \"c\": every count is unknown");
    lc_plan_free(plan);
}

/* Rate, channels and scale of series come from the data, and the preset from the ending. */
static void series_fit_the_data(void)
{
    lc_text table = {0};
    lc_rng rng = lc_rng_seed(6);
    lc_text_string(&table, "# rate: 130\nx,y\n");
    for (size_t i = 0; i < 1300; i++)
        lc_text_format(&table, "%d,%d\n", 500 + (int)(100 * lc_rng_normal(&rng)), (int)(10 * lc_rng_normal(&rng)));
    CHECK(mkdir(run_path("series"), 0777) == 0);
    run_write("series/a.csv", table.bytes);
    run_write("series/counts.csv", "file,start,end,a\na.csv,0,5,2\na.csv,5,10,1\n");
    lc_text_free(&table);
    lc_plan *plan = plan_of("series", NULL, 0);
    const lc_frontend_settings *front = &plan->recipe.frontend;
    CHECK(front->ops == &lc_front_series && front->channels == 2 && front->hop == 2);
    CHECK_NEAR(front->rate, 130, 0);
    CHECK_SAYS(notices.bytes, "series of 2 channels: the front end reads 130 samples and gives 65 frames a second");
    CHECK_NEAR(front->low, 65 / 16.0, 1e-9); /* of the spread this takes a part of 0.03 */
    CHECK_STR(front->columns, "x,y");
    CHECK_NEAR(front->usual.spread[0], 97, 8);
    CHECK_NEAR(front->usual.spread[1], 9.7, 0.8);
    CHECK_EQ(plan->net.in_F * plan->net.in_C, 4);
    lc_plan_free(plan);
    refuse("series", "mix=0.5", LOCO_EARG, "stretch, tilt and mix change sound");
    refuse("series", "frontend.bands=3", LOCO_EARG, "bands");
    refuse("series", "columns=x,z", LOCO_EDATA, "a.csv:2: there is no column \"z\"; there are x, y");
    plan = plan_of("series", (const char *[]){"columns=y"}, 1);
    CHECK_EQ(plan->recipe.frontend.channels, 1);
    CHECK_NEAR(plan->recipe.frontend.usual.spread[0], 9.7, 0.8);
    lc_plan_free(plan);
    refuse("series", "frontend=serial", LOCO_EARG, "serial");
    plan = plan_of("series", (const char *[]){"frontend.low=1", "frontend=series rate=50 hop=5", "columns=y"}, 3);
    CHECK_NEAR(plan->recipe.frontend.rate, 50,
               0); /* what a line says stays; what data say is fitted; what is set wins */
    CHECK_EQ(plan->recipe.frontend.hop, 5);
    CHECK_EQ(plan->recipe.frontend.channels, 1);
    CHECK_NEAR(plan->recipe.frontend.low, 1, 0);
    CHECK_STR(plan->recipe.frontend.columns, "y");
    lc_plan_free(plan);
}

int main(void)
{
    run_begin();
    run_drums("drums", 4, 3, 1);
    RUN(mistakes_are_reported);
    RUN(recordings_are_on_one_side);
    RUN(nothing_is_held_when_asked);
    RUN(one_recording_is_cut_in_time);
    RUN(held_counts_are_checked);
    RUN(low_rates_lower_the_front_end);
    RUN(long_clips_make_small_batches);
    RUN(times_alone_are_cut);
    RUN(odd_counts_are_reported);
    RUN(series_fit_the_data);
    lc_text_free(&notices);
    return run_done();
}
