/* SPDX-License-Identifier: MIT
 * test_enrich_save.c - enriched events as files: names seen from another folder, sets that can be read, tables. */
#include "train_cases.h"

#include "data/dataset.h"
#include "detect/enrich_save.h"

static const char *const classes[] = {"kick", "a, b"};

/* A set with a sound of its own and one in a folder below. */
static lc_dataset *make_set(const char *folder)
{
    static float silence[100];
    lc_dataset *set = NULL;
    char name[128];
    CHECK(mkdir(run_path(folder), 0777) == 0);
    snprintf(name, sizeof name, "%s/below", folder);
    CHECK(mkdir(run_path(name), 0777) == 0);
    snprintf(name, sizeof name, "%s/one.wav", folder);
    run_wav(name, 100, silence, 100);
    snprintf(name, sizeof name, "%s/below/two.wav", folder);
    run_wav(name, 100, silence, 100);
    snprintf(name, sizeof name, "%s/counts.csv", folder);
    run_write(name, "file,start,end,kick,\"a, b\"\none.wav,0,0.5,1,2..3\nbelow/two.wav,,,0,?\n");
    if (lc_dataset_load(&set, run_path(folder), NULL) != LOCO_OK)
        exit(1);
    return set;
}

static loco_event events[] = {
    {0.25,  0, 0.5,  0},
    {0.375, 1, 0.75, 0}
};

static void sets_can_be_read(void)
{
    static const char *const places[] = {"new", "set/inside", "set/below/deep", "se"};
    lc_dataset *set = make_set("set");
    loco_events lists[] = {
        {"one.wav",       events, 2},
        {"below/two.wav", NULL,   0}
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        lc_dataset *made = NULL;
        loco_err err = {""};
        CHECK_STATUS(lc_enrich_save_set(run_path(places[i]), set, lists, 2, &err), LOCO_OK);
        CHECK_STATUS(lc_dataset_load(&made, run_path(places[i]), &err), LOCO_OK); /* so the sounds are found */
        CHECK_STR(err.text, "");
        if (made == NULL)
            continue;
        CHECK_EQ(made->recordings_len, 2);
        CHECK_EQ(made->clips_len, 2);
        CHECK(made->recordings[0].timed && made->recordings[1].timed);
        CHECK_EQ(made->recordings[0].events_len, 2);
        CHECK_EQ(made->recordings[1].events_len, 0);
        CHECK_NEAR(made->recordings[0].events[1].probability, 0.75, 0);
        CHECK_EQ(made->clips[0].labels[1].hi, 3);
        lc_dataset_free(made);
    }
    size_t length;
    char *text = run_read("new/events.csv", &length);
    CHECK_SAYS(text, "../set/one.wav,0.250000,kick,0.5");
    CHECK_SAYS(text, "../set/below/two.wav,,,");
    free(text);
    text = run_read("set/below/deep/events.csv", &length);
    CHECK_SAYS(text, "../../one.wav,");
    CHECK_SAYS(text, "\n../two.wav,");
    free(text);
    lc_dataset_free(set);
}

static void mistakes_are_reported(void)
{
    lc_dataset *set = make_set("other");
    loco_err err = {""};
    CHECK_STATUS(lc_enrich_save_set(run_path("other"), set, NULL, 0, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "it is there already");
    CHECK_STATUS(lc_enrich_save_set(run_path("no/where"), set, NULL, 0, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "cannot make");
    CHECK_STATUS(lc_enrich_save_events(run_path("no/where.csv"), set, NULL, 0, &err), LOCO_EIO);
    CHECK_STATUS(lc_enrich_save_events(run_path("other/events.csv"), set,
                                       (loco_events[]){
                                           {"one.wav", events, 1}
    },
                                       1, &err),
                 LOCO_OK);
    lc_dataset_free(set);
    CHECK_STATUS(lc_dataset_load(&set, run_path("other"), &err), LOCO_OK);
    CHECK(set->recordings[0].timed && !set->recordings[1].timed);
    lc_dataset_free(set);
}

/* Events of class 1 are reported a frame late, and moved back. */
static void tables_are_in_time(void)
{
    static const float posterior[] = {0.5f, 0, 0, 0.25f, 1, 1e-9f};
    static const double offsets[] = {0, 0.012};
    lc_text out = {0};
    lc_enrich_table_head(&out, classes, 2);
    lc_enrich_table_rows(&out, "a.wav", posterior, 3, 2, 0.01, offsets);
    CHECK_STR(out.bytes, "file,time,kick,\"a, b\"\na.wav,0.000000,0.5,0.25\na.wav,0.010000,0,0\na.wav,0.020000,1,0\n");
    lc_text_free(&out);
}

int main(void)
{
    run_begin();
    RUN(mistakes_are_reported);
    RUN(sets_can_be_read);
    RUN(tables_are_in_time);
    return run_done();
}
