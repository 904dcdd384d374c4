/* SPDX-License-Identifier: MIT
 * test_dataset.c - data sets in folders: recordings that must exist, events from all sources, lengths. */
#include "data_cases.h"

#include "data/dataset.h"

static const char midi_file[] = "MThd\0\0\0\6\0\0\0\1\0\5MTrk\0\0\0\4\1\x99\x24\x40"; /* kick at 0.1 s */

static lc_dataset *set_of(const char *name)
{
    lc_dataset *set = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_dataset_load(&set, data_path(name), &err), LOCO_OK);
    if (set == NULL) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return set;
}

static void check_refused(const char *name, loco_status status, const char *says)
{
    lc_dataset *set = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_dataset_load(&set, data_path(name), &err), status);
    CHECK_SAYS(err.text, says);
    CHECK(set == NULL);
}

static void missing_files_are_named(void)
{
    check_refused("none", LOCO_EIO, "none");
    check_refused("", LOCO_EDATA, "no events.csv, and no .txt or .mid file");
    data_write("counts.csv", "file,kick\na.wav,1\na.wav,2\n\nsub/b.wav,3\n");
    check_refused("", LOCO_EDATA, "counts.csv:2: column \"file\": no file \"a.wav\"");
    data_write("a.wav", "");
    check_refused("", LOCO_EDATA, "counts.csv:5: column \"file\": no file \"sub/b.wav\"");
    check_refused("counts.csv", LOCO_EDATA, "counts.csv:5: column \"file\": no file \"sub/b.wav\"");
    CHECK(mkdir(data_path("sub"), 0700) == 0);
    CHECK(mkdir(data_path("sub/b.wav"), 0700) == 0); /* a folder is no recording */
    check_refused("", LOCO_EDATA, "no file \"sub/b.wav\"");
    CHECK(rmdir(data_path("sub/b.wav")) == 0);
    data_write("sub/b.wav", "");
    lc_dataset *set = set_of("");
    CHECK_EQ(set->recordings_len, 2);
    CHECK_EQ(set->clips_len, 3);
    CHECK(!set->recordings[0].timed && !set->recordings[1].timed);
    lc_dataset_free(set);
    lc_dataset_free(NULL);
    data_clear();
}

static void tables_give_events(void)
{
    data_write("counts.csv", "file,kick,snare\na.wav,1,0\nb.wav,2,?\nc.flac,,\nd.wav,0,0\n");
    data_write("a.wav", "");
    data_write("b.wav", "");
    data_write("c.flac", "");
    data_write("d.wav", "");
    data_write("events.csv", "file,time,class\n./a.wav,1,snare\nc,1.5,snare\nc,0.5,kick\nother.wav,1,kick\nd.wav,,\n");
    lc_dataset *set = set_of("");
    const lc_recording *r = set->recordings;
    CHECK(r[0].timed && !r[1].timed && r[2].timed && r[3].timed);
    CHECK_EQ(r[0].events_len, 1);
    CHECK_EQ(r[0].events[0].kind, 1);
    CHECK_EQ(r[2].events_len, 2);
    CHECK_NEAR(r[2].events[0].time, 0.5, 0);
    CHECK_EQ(r[3].events_len, 0);
    lc_dataset_free(set);
    data_write("events.csv", "file,time,class\na.wav,1,kcik\n");
    check_refused("", LOCO_EDATA, "events.csv:2: column \"class\": \"kcik\" is not a class here; is it \"kick\"?");
    data_write("events.csv", "file,time,class\nx.wav,1,kick\n");
    check_refused("", LOCO_EDATA, "events.csv: no recording of the counts is named here; the first file is \"x.wav\"");
    data_write("events.csv", "time,class\n1,kick\n");
    check_refused("", LOCO_EDATA, "events.csv: no column \"file\", though there are 4 recordings");
    data_write("counts.csv", "file,kick\na.wav,1\n");
    set = set_of("counts.csv");
    CHECK(set->recordings[0].timed && set->recordings[0].events_len == 1);
    lc_dataset_free(set);
    data_clear();
}

static void files_beside_give_events(void)
{
    data_write("counts.csv", "file,snare,kick\na.wav,1,0\nb.wav,2,?\nc.wav,,\n");
    data_write("a.wav", "");
    data_write("b.wav", "");
    data_write("c.wav", "");
    data_write("a.txt", "1\t1\tkick\n0.5\t0.5\tsnare\n");
    CHECK_STATUS(lc_file_save(data_path("c.mid"), midi_file, sizeof midi_file - 1, NULL), LOCO_OK);
    lc_dataset *set = set_of("");
    const lc_recording *r = set->recordings;
    CHECK(r[0].timed && !r[1].timed && r[2].timed);
    CHECK_EQ(r[0].events_len, 2);
    CHECK_EQ(r[0].events[0].kind, 0);
    CHECK_EQ(r[2].events_len, 1);
    CHECK_EQ(r[2].events[0].kind, 1);
    CHECK_NEAR(r[2].events[0].time, 0.1, 1e-12);
    lc_dataset_free(set);
    data_write("b.txt", "1\t1\thonk\n");
    check_refused("", LOCO_EDATA, "b.txt:1: \"honk\" is not one of the 2 classes");
    data_clear();
}

static void events_alone_are_a_set(void)
{
    data_write("b.txt", "1\tkick\n");
    check_refused("", LOCO_EDATA, "no sound file for the events of \"b.txt\"");
    data_write("b.wav", "");
    data_write("a.flac", "");
    data_write("c.wav", "");
    data_write("a.txt", "");
    lc_dataset *set = set_of("");
    CHECK_EQ(set->clips_len, 0);
    CHECK_EQ(set->recordings_len, 2);
    CHECK_EQ(set->classes_len, 1);
    CHECK_STR(set->recordings[0].name, "a.flac");
    CHECK_STR(set->recordings[1].name, "b.wav");
    CHECK_STR(set->recordings[1].path, data_path("b.wav"));
    CHECK(set->recordings[0].timed && set->recordings[0].events_len == 0 && set->recordings[1].events_len == 1);
    lc_dataset_free(set);
    data_write("b.txt", "");
    check_refused("", LOCO_EDATA, "there is no event in the whole folder");
    data_write("events.csv", "file,time,class\nc.wav,1,kick\nq.wav,1,kick\n");
    check_refused("", LOCO_EDATA, "no sound file for the events of \"q.wav\"");
    data_write("events.csv", "time,class\n1,kick\n");
    check_refused("", LOCO_EDATA, "events.csv has no column \"file\", and there are 3 sound files");
    CHECK(unlink(data_path("a.flac")) == 0 && unlink(data_path("c.wav")) == 0);
    set = set_of("");
    CHECK_STR(set->recordings[0].name, "b.wav");
    lc_dataset_free(set);
    data_clear();
}

static void lengths_are_checked(void)
{
    data_write("counts.csv", "file,start,end,kick\na.wav,,,1\nb.wav,1,2.005,1\na.wav,1,,1\n");
    data_write("a.wav", "");
    data_write("b.wav", "");
    lc_dataset *set = set_of("");
    loco_err err = {""};
    CHECK_STATUS(lc_dataset_check_lengths(set, (const double[]){3, 2}, &err), LOCO_OK);
    CHECK_STATUS(lc_dataset_check_lengths(set, (const double[]){3, 1.99}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "counts.csv:3: column \"end\": the clip ends at 2.005 s, but \"b.wav\" lasts 1.990 s");
    CHECK_STATUS(lc_dataset_check_lengths(set, (const double[]){1, 2}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "counts.csv:4: column \"start\": the clip starts at 1.000 s, but \"a.wav\" lasts 1.000 s");
    CHECK_STATUS(lc_dataset_check_lengths(set, (const double[]){NAN, 2}, &err), LOCO_EDATA);
    lc_dataset_free(set);
    data_clear();
}

/* The first event that is late is named, with its row; 0.1 s are allowed. */
static void late_events_are_named(void)
{
    lc_dataset *set = NULL, *cut = NULL;
    loco_err err = {""};
    data_write("a.wav", "");
    data_write("b.wav", "");
    data_write("events.csv", "file,time,class\nb.wav,3,x\na.wav,1.25,x\nb.wav,2.5,x\n\nb.wav,0.5,y\n");
    CHECK_STATUS(lc_dataset_load(&set, data_path(""), &err), LOCO_OK);
    const double fit[] = {2.9, 1.15}, small[] = {2.3, 2},
                 none[] = {NAN, 2}; /* of b.wav, which comes first, and a.wav */
    CHECK_STATUS(lc_dataset_check_lengths(set, fit, &err), LOCO_OK);
    CHECK_STATUS(lc_dataset_check_lengths(set, small, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "events.csv:4: an event at 2.500 s, but \"b.wav\" lasts 2.300 s");
    CHECK_STATUS(lc_dataset_check_lengths(set, none, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "events.csv:6:");
    CHECK_STATUS(lc_dataset_check_events(set, 1, 1.1, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "events.csv:3: an event at 1.250 s, but \"a.wav\"");
    lc_cut how = {.seconds = fit, .shortest = 0.5, .longest = 1};
    CHECK_STATUS(lc_dataset_cut(&cut, set, &how, &err), LOCO_OK);
    lc_dataset_free(set); /* the cut has its own */
    CHECK_STATUS(lc_dataset_check_events(cut, 1, 1.1, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "events.csv:3:");
    lc_dataset_free(cut);
    data_clear();
}

/* Beside the sounds, each in its own file; MIDI files have no lines. */
static void late_labels_are_named(void)
{
    lc_dataset *set = NULL;
    loco_err err = {""};
    data_write("a.wav", "");
    data_write("b.wav", "");
    data_write("a.txt", "0.5 x\n");
    data_write("b.txt", "0.5 x\n\n1.5 x\n");
    CHECK_STATUS(lc_dataset_load(&set, data_path(""), &err), LOCO_OK);
    CHECK_STATUS(lc_dataset_check_lengths(set, (const double[]){1, 1}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "b.txt:3: an event at 1.500 s");
    lc_dataset_free(set);
    data_clear();
}

/* Places of events are kept by loading, cutting and splitting. */
static void places_are_kept(void)
{
    lc_dataset *set = NULL, *cut = NULL;
    loco_err err = {""};
    data_write("a.png", "");
    data_write("b.png", "");
    data_write("counts.csv", "file,x0,y0,x1,y1,cell\na.png,,,,,2\nb.png,1,2,30,40,1\n");
    data_write("events.csv", "file,x,y,class\na.png,7.5,3,cell\na.png,2,3,cell\nb.png,20,30,cell\n");
    CHECK_STATUS(lc_dataset_load(&set, data_path(""), &err), LOCO_OK);
    CHECK(set->places);
    CHECK_NEAR(set->recordings[0].events[0].x, 2, 0);
    CHECK_NEAR(set->recordings[0].events[1].x, 7.5, 0);
    CHECK_STATUS(lc_dataset_check_events(set, 1, 20, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "events.csv:4: an event at y = 30.000, but \"b.png\" has 20 rows");
    lc_cut how = {
        .seconds = (const double[]){50, 50},
           .shortest = 50, .longest = 50
    };
    CHECK_STATUS(lc_dataset_cut(&cut, set, &how, &err), LOCO_OK);
    CHECK(cut->places && cut->clips_len == 2 && cut->clips[0].right <= 0);
    CHECK_NEAR(cut->recordings[0].events[1].x, 7.5, 0);
    lc_dataset_free(cut);
    lc_dataset_free(set);
    size_t parts[LOCO_SPLIT_PARTS];
    char to[64];
    snprintf(to, sizeof to, "%s-split", data_path(""));
    CHECK_STATUS(loco_split(parts, to, data_path(""),
                            &(loco_split_options){.size = sizeof(loco_split_options), .pattern = "a*"}, &err),
                 LOCO_OK);
    char test[128];
    snprintf(test, sizeof test, "%s/train", to);
    CHECK_STATUS(lc_dataset_load(&set, test, &err), LOCO_OK);
    CHECK(set->places && set->recordings[0].events_len == 1);
    CHECK_NEAR(set->recordings[0].events[0].x, 20, 0);
    CHECK_NEAR(set->clips[0].right, 30, 0);
    lc_dataset_free(set);
    data_clear_in(to);
    CHECK(rmdir(to) == 0);
    data_clear();
}

int main(void)
{
    if (!data_begin())
        return 1;
    RUN(missing_files_are_named);
    RUN(tables_give_events);
    RUN(files_beside_give_events);
    RUN(events_alone_are_a_set);
    RUN(lengths_are_checked);
    RUN(late_events_are_named);
    RUN(late_labels_are_named);
    RUN(places_are_kept);
    return data_done();
}
