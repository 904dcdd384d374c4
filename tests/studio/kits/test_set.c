/* SPDX-License-Identifier: MIT
 * test_set.c - whole data sets of sampled drums: arguments, files, threads, progress. */
#include "kit_cases.h"
#include "studio/studio.h"

#include <stdlib.h>

static const studio_synth_options small = {.size = sizeof small, .recordings = 5, .seconds = 3, .seed = 2};
static char kits_path[256];

static studio_kit_options defaults(void)
{
    return (studio_kit_options){.size = sizeof(studio_kit_options), .kits = kits_path, .synth = 0.2, .threads = 1};
}

static void refuse(studio_kit_options kits, studio_synth_options synthesis, loco_status want, const char *says)
{
    loco_err err = {""};
    CHECK_STATUS(studio_synth_kits(data_path("refused"), &synthesis, &kits, &err), want);
    CHECK_SAYS(err.text, says);
    CHECK(access(data_path("refused"), F_OK) != 0);
}

static void wrong_arguments_are_refused(void)
{
    studio_kit_options kits = defaults();
    studio_synth_options synthesis = small;
    kits.synth = 1.5;
    refuse(kits, small, LOCO_EARG, "1.5");
    kits = defaults();
    kits.background = NAN;
    refuse(kits, small, LOCO_EARG, "nan");
    kits.background = 0.5; /* without a font */
    refuse(kits, small, LOCO_EDATA, "General MIDI");
    kits = defaults();
    kits.others = true; /* without any that play */
    refuse(kits, small, LOCO_EARG, "distractors");
    kits = defaults();
    kits.whole_kit = true;
    refuse(kits, small, LOCO_EARG, "whole kit");
    kits = defaults();
    kits.threads = 2000;
    refuse(kits, small, LOCO_EARG, "2000");
    kits = defaults();
    kits.rate = 10;
    refuse(kits, small, LOCO_EARG, "10");
    kits = defaults();
    kits.kits = "/nonexistent";
    refuse(kits, small, LOCO_EIO, "/nonexistent");
    kits = defaults();
    kits.patterns = "/nonexistent";
    refuse(kits, small, LOCO_EIO, "/nonexistent");
    kits = defaults();
    kits.soundfonts = "/nonexistent/fluid.sf2"; /* a family that is not held out */
    refuse(kits, small, LOCO_EIO, "/nonexistent/fluid.sf2");
    synthesis.seconds = -1;
    refuse(defaults(), synthesis, LOCO_EARG, "seconds");
    kits = (studio_kit_options){0};
    refuse(kits, small, LOCO_EARG, "sizeof(studio_kit_options)");
    kits.size = sizeof kits;
    refuse(kits, small, LOCO_EDATA, "none of the kits");
    refuse(defaults(), (studio_synth_options){.seconds = 1}, LOCO_EARG, "sizeof(studio_synth_options)");
    kits = defaults();
    kits.held_out = "/nonexistent/rules.txt";
    refuse(kits, small, LOCO_EIO, "/nonexistent/rules.txt");
}

static char *load(const char *name, size_t *length)
{
    char *data = NULL;
    CHECK_STATUS(lc_file_load(data_path(name), 10000000, &data, length, NULL), LOCO_OK);
    return data;
}

static void same(const char *a, const char *b)
{
    size_t a_len = 0, b_len = 1;
    char *first = load(a, &a_len), *second = load(b, &b_len);
    CHECK(first != NULL && second != NULL && a_len == b_len && memcmp(first, second, a_len) == 0);
    free(first);
    free(second);
}

static void threads_do_not_matter(void)
{
    studio_kit_options kits = defaults();
    CHECK_STATUS(studio_synth_kits(data_path("one"), &small, &kits, NULL), LOCO_OK);
    kits.threads = 3;
    CHECK_STATUS(studio_synth_kits(data_path("three"), &small, &kits, NULL), LOCO_OK);
    same("one/counts.csv", "three/counts.csv");
    same("one/events.csv", "three/events.csv");
    same("one/rec_000.wav", "three/rec_000.wav");
    same("one/rec_004.wav", "three/rec_004.wav");
    size_t length;
    char *sources = load("one/sources.txt", &length);
    CHECK_SAYS(sources, "\tNobody\tCC0\t4 instruments");
    free(sources);
}

/* Columns for what no class counts; the sounds are the same. */
static void others_have_columns(void)
{
    static const char head[] = "file,start,end,kick,snare,hihat,tom,cymbal,hand,shaker\n";
    studio_kit_options kits = defaults();
    studio_synth_options more = small;
    size_t length;
    more.distractors = true;
    CHECK_STATUS(studio_synth_kits(data_path("plain"), &more, &kits, NULL), LOCO_OK);
    kits.others = true;
    CHECK_STATUS(studio_synth_kits(data_path("others"), &more, &kits, NULL), LOCO_OK);
    same("plain/rec_000.wav", "others/rec_000.wav");
    same("plain/rec_004.wav", "others/rec_004.wav");
    char *counts = load("others/counts.csv", &length), *events = load("others/events.csv", &length);
    CHECK(strncmp(counts, head, strlen(head)) == 0);
    CHECK_SAYS(events, ",cymbal\n");
    char *plain = load("plain/counts.csv", &length);
    size_t rows = 0;
    for (const char *a = plain, *b = counts; *a != 0; rows++) { /* a row of the latter begins with one of the former */
        size_t n = strcspn(a, "\n");
        CHECK(strncmp(a, b, n) == 0 && b[n] == ',');
        a += n + 1;
        b += strcspn(b, "\n") + 1;
    }
    CHECK(rows > 20);
    free(plain);
    free(counts);
    free(events);
}

/* A column for every drum, and velocities of events. */
static void whole_kit_has_columns(void)
{
    studio_kit_options kits = defaults();
    studio_synth_options more = small;
    size_t length;
    more.distractors = kits.whole_kit = true;
    CHECK_STATUS(studio_synth_kits(data_path("whole"), &more, &kits, NULL), LOCO_OK);
    char *counts = load("whole/counts.csv", &length), *events = load("whole/events.csv", &length);
    CHECK(strncmp(counts, "file,start,end,kick,snare,side-stick,closed-hihat,", 50) == 0);
    CHECK(strncmp(events, "file,time,class,velocity\n", 25) == 0);
    free(counts);
    free(events);
}

static bool stop_at_once(void *context, size_t done, size_t all)
{
    size_t *calls = context;
    CHECK(done > 0 && done <= all && all == small.recordings);
    return ++*calls > 1;
}

static void progress_may_stop(void)
{
    size_t calls = 0;
    loco_err err = {""};
    studio_kit_options kits = defaults();
    studio_synth_options more = small;
    kits.progress = stop_at_once;
    kits.context = &calls;
    CHECK_STATUS(studio_synth_kits(data_path("stopped"), &more, &kits, &err), LOCO_EIO);
    CHECK_EQ(calls, 1);
    CHECK_SAYS(err.text, "stopped after 5 of 5");
    CHECK(access(data_path("stopped/counts.csv"), F_OK) != 0);
}

/* Several folders with a colon between them, an empty one among them. */
static void lists_of_folders(void)
{
    char list[600];
    size_t length;
    studio_kit_options kits = defaults();
    snprintf(list, sizeof list, "%s::%s", kits_path, kits_path);
    kits.kits = list;
    CHECK_STATUS(studio_synth_kits(data_path("twice"), &small, &kits, NULL), LOCO_OK);
    char *once = load("one/sources.txt", &length);
    size_t lines = length;
    char *twice = load("twice/sources.txt", &length);
    CHECK_EQ(length, 2 * lines);
    free(once);
    free(twice);
}

/* Which kits are for unseen sets is the caller's choice. */
static void rules_decide_what_is_held_out(void)
{
    size_t length;
    studio_kit_options kits = defaults();
    studio_synth_options unseen = small;
    unseen.unseen = true;
    data_write("rules.txt", "test kit1\ntrain kit\n");
    char rules[512];
    snprintf(rules, sizeof rules, "%s", data_path("rules.txt"));
    kits.held_out = rules;
    CHECK_STATUS(studio_synth_kits(data_path("trained"), &small, &kits, NULL), LOCO_OK);
    CHECK_STATUS(studio_synth_kits(data_path("tested"), &unseen, &kits, NULL), LOCO_OK);
    char *trained = load("trained/sources.txt", &length), *tested = load("tested/sources.txt", &length);
    CHECK(strstr(trained, "kit0") != NULL && strstr(trained, "kit1") == NULL && strstr(trained, "kit2") != NULL);
    CHECK(strstr(tested, "kit0") == NULL && strstr(tested, "kit1") != NULL && strstr(tested, "kit2") == NULL);
    free(trained);
    free(tested);
}

int main(void)
{
    static char folder[] = "/tmp/loco-kits-XXXXXX";
    if (!data_begin() || mkdtemp(folder) == NULL)
        return 1;
    char scratch[sizeof data_folder];
    memcpy(scratch, data_folder, sizeof scratch);
    snprintf(data_folder, sizeof data_folder, "%s", folder); /* kits in one folder, sets in another */
    kit_make("kit0");
    kit_make("kit1");
    kit_make("kit2");
    memcpy(data_folder, scratch, sizeof scratch);
    snprintf(kits_path, sizeof kits_path, "%s", folder);
    RUN(wrong_arguments_are_refused);
    RUN(threads_do_not_matter);
    RUN(others_have_columns);
    RUN(whole_kit_has_columns);
    RUN(progress_may_stop);
    RUN(lists_of_folders);
    RUN(rules_decide_what_is_held_out);
    data_clear_in(folder);
    rmdir(folder);
    return data_done();
}
