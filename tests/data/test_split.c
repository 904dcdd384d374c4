/* SPDX-License-Identifier: MIT
 * test_split.c - data sets split by recording: at random, by name, and what each part says about its recordings. */
#include "train_cases.h"

#include "data/dataset.h"

enum { RECORDINGS = 12 };

static size_t sizes[LOCO_SPLIT_PARTS];

/* Twelve recordings, two clips of each; the even ones are timed, and the first of these has no event. */
static void make_set(void)
{
    lc_text counts = {0}, events = {0};
    char name[32];
    CHECK(mkdir(run_path("set"), 0700) == 0);
    lc_text_string(&counts, "file,start,end,kick,snare\n");
    lc_text_string(&events, "file,time,class\n");
    for (int i = 0; i < RECORDINGS; i++) {
        snprintf(name, sizeof name, "%s%02d.wav", i < 4 ? "Real" : "Wave", i);
        lc_text_format(&counts, "%s,0,1,%d,?\n%s,1,2,>=1,2..3\n", name, i, name);
        if (i % 2 == 0 && i > 0)
            lc_text_format(&events, "%s,0.%d5,snare\n", name, i % 10);
        else if (i == 0)
            lc_text_format(&events, "%s,,\n", name);
        char path[64];
        snprintf(path, sizeof path, "set/%s", name);
        run_write(path, "");
    }
    run_write("set/counts.csv", counts.bytes);
    run_write("set/events.csv", events.bytes);
    run_write("set/sources.txt", "mine");
    lc_text_free(&counts);
    lc_text_free(&events);
}

static void split(const char *to, const loco_split_options *how)
{
    loco_err err = {""};
    loco_status status = loco_split(sizes, run_path(to), run_path("set"), how, &err);
    CHECK_STATUS(status, LOCO_OK);
    if (status != LOCO_OK)
        fprintf(stderr, "%s\n", err.text);
}

static void refuse(const char *data, const char *to, const loco_split_options *how, loco_status want, const char *says)
{
    size_t untouched[LOCO_SPLIT_PARTS] = {7, 7, 7};
    loco_err err = {""};
    CHECK_STATUS(loco_split(untouched, run_path(to), run_path(data), how, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(untouched[0] == 7 && untouched[1] == 7 && untouched[2] == 7);
}

/* Marks what a part holds, each recording once in all parts, and compares it with the set that was split. */
static void check_part(const char *part, size_t size, int seen[RECORDINGS])
{
    lc_dataset *some = NULL, *all = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_dataset_load(&some, run_path(part), &err), LOCO_OK);
    CHECK_STATUS(lc_dataset_load(&all, run_path("set"), &err), LOCO_OK);
    if (some == NULL || all == NULL)
        exit(1);
    CHECK_EQ(some->recordings_len, size);
    CHECK_EQ(some->clips_len, 2 * size);
    CHECK_EQ(some->classes_len, 2);
    for (size_t i = 0; i < some->recordings_len; i++) {
        const lc_recording *r = &some->recordings[i];
        int n = atoi(r->name + 4);
        seen[n]++;
        CHECK(r->timed == all->recordings[n].timed);
        CHECK_EQ(r->events_len, all->recordings[n].events_len);
        CHECK(r->events_len == 0 || fabs(r->events[0].time - all->recordings[n].events[0].time) < 1e-9);
        CHECK_EQ(some->clips[2 * i].labels[0].lo, (size_t)n);
        CHECK(some->clips[2 * i + 1].labels[0].hi == LOCO_NO_LIMIT && some->clips[2 * i + 1].labels[1].hi == 3);
    }
    lc_dataset_free(some);
    lc_dataset_free(all);
}

static void mistakes_are_reported(void)
{
    refuse("none", "x", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.5}, LOCO_EIO, "none");
    refuse("set", "x", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0}, LOCO_EARG,
           "test set is 0");
    refuse("set", "x", &(loco_split_options){.size = sizeof(loco_split_options), .test = 1}, LOCO_EARG,
           "between 0 and 1");
    refuse("set", "x", &(loco_split_options){.size = sizeof(loco_split_options), .test = NAN}, LOCO_EARG,
           "between 0 and 1");
    refuse("set", "x", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.5, .valid = -1}, LOCO_EARG,
           "validation is -1");
    refuse("set", "x", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.5, .valid = 0.5}, LOCO_EDATA,
           "of 12 recordings, 12 would be kept");
    refuse("set", "x", &(loco_split_options){.size = sizeof(loco_split_options), .pattern = "Techno*"}, LOCO_EDATA,
           "none of the 12 recordings fits \"Techno*\"");
    refuse("set", "x", &(loco_split_options){.size = sizeof(loco_split_options), .pattern = "*"}, LOCO_EDATA,
           "every one of the 12");
    refuse("set", "set/Real00.wav", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.5}, LOCO_EIO,
           "cannot be made");
    refuse("set", "no/where", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.5}, LOCO_EIO,
           "cannot be made");
    CHECK(access(run_path("x"), F_OK) != 0);
}

static void shares_are_drawn_by_seed(void)
{
    int drawn[RECORDINGS] = {0};
    for (unsigned seed = 1; seed <= 20; seed++) {
        char to[16], part[64];
        int seen[RECORDINGS] = {0}, test[RECORDINGS] = {0};
        snprintf(to, sizeof to, "by%u", seed);
        split(to, &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.25, .valid = 0.15, .seed = seed});
        CHECK(sizes[LOCO_SPLIT_TRAIN] == 7 && sizes[LOCO_SPLIT_TEST] == 3 && sizes[LOCO_SPLIT_VALID] == 2);
        snprintf(part, sizeof part, "%s/test", to);
        check_part(part, 3, test);
        memcpy(seen, test, sizeof seen);
        snprintf(part, sizeof part, "%s/train", to);
        check_part(part, 7, seen);
        snprintf(part, sizeof part, "%s/valid", to);
        check_part(part, 2, seen);
        for (int i = 0; i < RECORDINGS; i++) {
            CHECK(seen[i] == 1);
            drawn[i] += test[i];
        }
        snprintf(part, sizeof part, "%s/test/sources.txt", to);
        CHECK(access(run_path(part), R_OK) == 0);
        run_remove(run_path(to));
    }
    for (int i = 0; i < RECORDINGS; i++) /* 5 of 20 expected; beyond these limits once in some thousand draws */
        CHECK(drawn[i] >= 1 && drawn[i] <= 12);
}

static void the_same_seed_is_the_same_split(void)
{
    int one[RECORDINGS] = {0}, two[RECORDINGS] = {0}, other[RECORDINGS] = {0};
    split("one", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.5, .seed = 3});
    split("two", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.5, .seed = 3});
    split("other", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.5, .seed = 4});
    check_part("one/test", 6, one);
    check_part("two/test", 6, two);
    check_part("other/test", 6, other);
    CHECK(memcmp(one, two, sizeof one) == 0);
    CHECK(memcmp(one, other, sizeof one) != 0);
    CHECK(access(run_path("one/valid"), F_OK) != 0);
    refuse("set", "one", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.5}, LOCO_EIO,
           "one/train cannot be made: it is there already");
}

static void patterns_choose_by_name(void)
{
    int seen[RECORDINGS] = {0};
    split("named",
          &(loco_split_options){.size = sizeof(loco_split_options), .pattern = "Real*", .valid = 0.25, .seed = 1});
    check_part("named/test", 4, seen);
    CHECK(seen[0] && seen[1] && seen[2] && seen[3]);
    check_part("named/train", 6, seen);
    check_part("named/valid", 2, seen);
    split("stem", &(loco_split_options){.size = sizeof(loco_split_options), .pattern = "Wave1[01]"});
    CHECK_EQ(sizes[LOCO_SPLIT_TEST], 2);
}

/* Recordings in folders below keep apart, and a set of events alone has no counts.csv. */
static void folders_become_part_of_the_name(void)
{
    lc_dataset *set = NULL;
    CHECK(mkdir(run_path("deep"), 0700) == 0 && mkdir(run_path("deep/a"), 0700) == 0);
    CHECK(mkdir(run_path("deep/b"), 0700) == 0);
    run_write("deep/a/x.wav", "");
    run_write("deep/b/x.wav", "");
    run_write("deep/events.csv", "file,time,class\na/x.wav,0.5,tap\nb/x.wav,0.25,tap\n");
    CHECK_STATUS(loco_split(sizes, run_path("flat"), run_path("deep"),
                            &(loco_split_options){.size = sizeof(loco_split_options), .pattern = "b/*"}, NULL),
                 LOCO_OK);
    CHECK_STATUS(lc_dataset_load(&set, run_path("flat/test"), NULL), LOCO_OK);
    CHECK_STR(set->recordings[0].name, "b_x.wav");
    CHECK_NEAR(set->recordings[0].events[0].time, 0.25, 1e-12);
    CHECK_EQ(set->clips_len, 0);
    lc_dataset_free(set);
    run_write("deep/a_x.wav", "");
    run_write("deep/events.csv", "file,time,class\na/x.wav,0.5,tap\na_x.wav,0.25,tap\n");
    refuse("deep", "clash", &(loco_split_options){.size = sizeof(loco_split_options), .test = 0.5}, LOCO_EDATA,
           "both be called a_x.wav");
}

int main(void)
{
    run_begin();
    make_set();
    RUN(mistakes_are_reported);
    RUN(shares_are_drawn_by_seed);
    RUN(the_same_seed_is_the_same_split);
    RUN(patterns_choose_by_name);
    RUN(folders_become_part_of_the_name);
    return run_done();
}
