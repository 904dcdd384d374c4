/* SPDX-License-Identifier: MIT
 * test_import.c - MDB Drums in its own layout becomes a data set; wrong folders are told. */
#include "data/dataset.h"
#include "train_cases.h"

/* Makes FOLDER/audio/A_Drum.wav and FOLDER/class/A_class.txt. */
static void make_folder(const char *labels)
{
    CHECK(mkdir(run_path("mdb"), 0700) == 0 && mkdir(run_path("mdb/audio"), 0700) == 0);
    CHECK(mkdir(run_path("mdb/class"), 0700) == 0);
    run_write("mdb/audio/A_Drum.wav", "not read here");
    run_write("mdb/class/A_class.txt", labels);
}

static void wrong_folders_are_told(void)
{
    size_t recordings = 9, events = 9;
    loco_err err = {""};
    CHECK_STATUS(loco_import("enst", ".", run_path("set"), &recordings, &events, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "mdb");
    CHECK_STATUS(loco_import("mdb", run_path("nowhere"), run_path("set"), &recordings, &events, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "audio");
    CHECK_EQ(recordings, 9);
}

static void classes_become_ours(void)
{
    size_t recordings = 0, events = 0;
    loco_err err = {""};
    lc_dataset *set = NULL;
    make_folder("0.010000 \t KD \n0.5\t SD\n0.75 \tTT\n1.25\tHH \n1.5\tCY\n");
    CHECK_STATUS(loco_import("mdb", run_path("mdb"), run_path("good"), &recordings, &events, &err), LOCO_OK);
    CHECK_EQ(recordings, 1);
    CHECK_EQ(events, 3);
    CHECK_STATUS(lc_dataset_load(&set, run_path("good"), &err), LOCO_OK);
    if (set == NULL)
        return;
    CHECK_EQ(set->recordings_len, 1);
    CHECK(set->recordings[0].timed);
    CHECK_EQ(set->recordings[0].events_len, 3);
    CHECK_EQ(set->classes_len, 3);
    CHECK_STR(set->classes[0], "kick");
    CHECK_NEAR(set->recordings[0].events[2].time, 1.25, 1e-9);
    lc_dataset_free(set);
    CHECK_STATUS(loco_import("mdb", run_path("mdb"), run_path("good"), &recordings, &events, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "not an empty folder");
}

static void missing_labels_are_told(void)
{
    size_t recordings = 0, events = 0;
    loco_err err = {""};
    run_write("mdb/audio/B_Drum.wav", "not read here");
    CHECK(loco_import("mdb", run_path("mdb"), run_path("bad"), &recordings, &events, &err) != LOCO_OK);
    CHECK_SAYS(err.text, "B_class.txt");
}

int main(void)
{
    run_begin();
    RUN(wrong_folders_are_told);
    RUN(classes_become_ours);
    RUN(missing_labels_are_told);
    return run_done();
}
