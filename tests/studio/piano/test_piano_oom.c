/* SPDX-License-Identifier: MIT
 * test_piano_oom.c - lets the n-th allocation fail, for every n, while a data set of a piano is made: the caller gets an
 *   error, nothing leaks, and counts.csv is not written. */
#include "oom_cases.h"
#include "piano_cases.h"
#include "studio/studio.h"

#include "studio/piano/sfz.h"

static char tiny[256], midi[256];

static loco_status read_sfz(loco_err *err)
{
    lc_store store = {0};
    lc_sfz sfz = {.len = 77};
    loco_status status = lc_sfz_load(&sfz, &store, data_path("outer.sfz"), err);
    CHECK_EQ(sfz.len, status == LOCO_OK ? 1 : 77);
    lc_store_free(&store);
    return status;
}

static loco_status make_set(loco_err *err)
{
    studio_synth_options how = {.size = sizeof how, .recordings = 3, .seconds = 1, .seed = 1};
    studio_piano_options piano = {
        .size = sizeof piano, .samples = tiny, .midi = midi, .rate = PIANO_RATE, .threads = 1};
    data_clear_in(data_path("set"));
    loco_status status = studio_synth_piano(data_path("set"), &how, &piano, err);
    CHECK((access(data_path("set/counts.csv"), F_OK) == 0) == (status == LOCO_OK));
    return status;
}

static void every_failing_allocation_is_reported(void)
{
    CHECK(oom_fail_each(read_sfz) > 3);
    CHECK(oom_fail_each(make_set) > 40);
}

int main(void)
{
    char name[32];
    if (!data_begin())
        return 1;
    piano_make();
    data_write("outer.sfz", "// by nobody\n#include \"inner.sfz\"\n");
    data_write("inner.sfz", "<region> sample=a.wav");
    snprintf(tiny, sizeof tiny, "%s", data_path("tiny"));
    CHECK(mkdir(data_path("midi"), 0777) == 0);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "midi/%d.mid", i);
        piano_midi(name, 5);
    }
    snprintf(midi, sizeof midi, "%s", data_path("midi"));
    RUN(every_failing_allocation_is_reported);
    return data_done();
}
