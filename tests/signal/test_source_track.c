/* SPDX-License-Identifier: MIT
 * test_source_track.c - series in files: each ending, formats beside them, and WFDB's two files. */
#include "data_cases.h"

#include "signal/track.h"

#include <sys/stat.h>
#include <unistd.h>

static void wrong_files_are_refused(void)
{
    lc_track track = {.frames = 77};
    loco_err err = {""};
    CHECK_STATUS(lc_track_load(&track, data_path("none.csv"), NULL, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "none.csv");
    data_write("a.wav", "x");
    CHECK_STATUS(lc_track_load(&track, data_path("a.wav"), NULL, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "no series; they end in one of .csv .tsv .npy .raw .bin .i16 .hea");
    data_write("a.i16", "abcd");
    CHECK_STATUS(lc_track_load(&track, data_path("a.i16"), NULL, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "into series.format beside it");
    data_write("series.format", "rate=9 type=s17");
    CHECK_STATUS(lc_track_load(&track, data_path("a.i16"), NULL, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "series.format: type=s17 is wrong");
    data_write("r.hea", "r 1 360 2\nr.dat 16\n");
    data_write("series.format", "");
    CHECK_STATUS(lc_track_load(&track, data_path("r.hea"), NULL, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "r.hea: names a file of samples that cannot be read");
    CHECK_SAYS(err.text, "r.dat");
    CHECK_EQ(track.frames, 77);
    data_clear();
}

static void check_load(const char *name, double rate, size_t frames, size_t channels, double first)
{
    lc_track track = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_track_load(&track, data_path(name), NULL, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK_NEAR(track.rate, rate, 0);
    CHECK_EQ(track.frames, frames);
    CHECK_EQ(track.channels, channels);
    if (track.frames > 0)
        CHECK_NEAR(track.samples[0], first, 0);
    lc_track_free(&track);
}

static void each_ending_is_read(void)
{
    data_write("a.csv", "x,y\n3,4\n");
    data_write("a.csv.format", "rate=20");
    data_write("a.raw", "abcdefgh");
    data_write("a.i16", "\1\1\2\2");
    data_write("series.format", "rate=360 type=u8 channels=4");
    data_write("a.i16.format", "rate=100 type=s16le channels=1");
    data_write("r.hea", "r 2 250 2\nr.dat 80 1\nr.dat 80 1\n");
    data_write("r.dat", "abcd");
    check_load("a.csv", 20, 1, 2, 3);
    check_load("a.raw", 360, 2, 4, ('a' - 128) / 128.0);
    check_load("a.i16", 100, 2, 1, 257 / 32768.0);
    check_load("r.hea", 250, 2, 2, 'a' - 128);
    data_clear();
}

static void columns_are_chosen(void)
{
    lc_track track = {0};
    data_write("a.csv", "# rate: 9\nx,note,y\n3,a,4\n");
    CHECK_STATUS(lc_track_load(&track, data_path("a.csv"), "y,x", NULL), LOCO_OK);
    CHECK_EQ(track.channels, 2);
    CHECK_NEAR(track.samples[0], 4, 0);
    lc_track_free(&track);
    data_write("a.i16", "\1\1\2\2");
    data_write("series.format", "rate=100 type=s16le channels=2");
    CHECK_STATUS(lc_track_load(&track, data_path("a.i16"), "y,x", NULL), LOCO_OK); /* has no names: as they come */
    CHECK_STR(track.columns, "");
    lc_track_free(&track);
    data_clear();
}

/* Beside the link is nothing: what is beside its file holds, and what is there comes first. */
static void links_stand_for_their_files(void)
{
    char from[512], to[512];
    data_write("a.i16", "\1\1\2\2");
    data_write("series.format", "rate=100 type=s16le channels=1");
    data_write("r.hea", "r 2 250 2\nr.dat 80 1\nr.dat 80 1\n");
    data_write("r.dat", "abcd");
    CHECK(mkdir(data_path("part"), 0777) == 0);
    for (size_t i = 0; i < 2; i++) {
        snprintf(from, sizeof from, "../%s", i == 0 ? "a.i16" : "r.hea");
        snprintf(to, sizeof to, "%s", data_path(i == 0 ? "part/linked.i16" : "part/linked.hea"));
        CHECK(symlink(from, to) == 0);
    }
    check_load("part/linked.i16", 100, 2, 1, 257 / 32768.0);
    check_load("part/linked.hea", 250, 2, 2, 'a' - 128);
    data_write("part/series.format", "rate=50 type=s16le channels=1");
    check_load("part/linked.i16", 50, 2, 1, 257 / 32768.0);
    unlink(data_path("part/linked.i16"));
    unlink(data_path("part/linked.hea"));
    unlink(data_path("part/series.format"));
    CHECK(rmdir(data_path("part")) == 0);
    data_clear();
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(wrong_files_are_refused);
    RUN(each_ending_is_read);
    RUN(columns_are_chosen);
    RUN(links_stand_for_their_files);
    return data_done();
}
