/* SPDX-License-Identifier: MIT
 * test_import.c - importing as a whole: wrong arguments, choices, and a set that is written whole or not at all. */
#include "import_cases.h"

#include "data/dataset.h"
#include "studio/import/import.h"

static const import_how mdb = {.kind = "mdb"};

static void make_set(void)
{
    import_folder("mdb/audio");
    import_folder("mdb/class");
    import_sound("mdb/audio/A_Drum.wav", 2, 0.1f);
    import_sound("mdb/audio/B_Drum.wav", 2, 0.1f);
    run_write("mdb/class/A_class.txt", "0.010000 \t KD \n0.5\t SD\n0.75 \tTT\n1.25\tHH \n1.5\tCY\n");
    run_write("mdb/class/B_class.txt", "1\tCY\n");
}

static void wrong_arguments_are_refused(void)
{
    studio_import_result done = {.recordings = 9};
    loco_err err = {""};
    CHECK_STATUS(studio_import(&done, "mdb", ".", NULL, NULL, &err), LOCO_EARG);
    CHECK_STATUS(studio_import(&done, "mdb", NULL, ".", NULL, &err), LOCO_EARG);
    CHECK_STATUS(studio_import(&done, NULL, ".", "x", NULL, &err), LOCO_EARG);
    CHECK_STATUS(studio_import(&done, "mdb", ".", "x", &(studio_import_options){.mix = "full"}, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "sizeof(studio_import_options)");
    CHECK_EQ(done.recordings, 9);
    import_refused((import_how){.kind = "mbd"}, "mdb", LOCO_EARG, "mbd", "is it \"mdb\"");
    import_refused((import_how){.kind = "quux"}, "mdb", LOCO_EARG, "quux", "mdb, enst, idmt, ecg");
    import_refused(mdb, "nowhere", LOCO_EDATA, "nowhere", "folder");
    import_refused((import_how){.kind = "mdb", .mix = "wet"}, "mdb", LOCO_EARG, "wet", "drums, full");
    import_refused((import_how){.kind = "mdb", .labels = "clas"}, "mdb", LOCO_EARG, "clas", "\"class\"");
    import_refused((import_how){.kind = "enst", .labels = "clas"}, "mdb", LOCO_EARG, "clas", "\"class\"");
    import_refused((import_how){.kind = "idmt", .mix = "wet"}, "mdb", LOCO_EARG, "mix", "no choice");
    import_refused((import_how){.kind = "idmt", .labels = "x"}, "mdb", LOCO_EARG, "labels", "no choice");
}

static void a_data_set_comes_out(void)
{
    loco_err err = {""};
    lc_dataset *set = NULL;
    studio_import_result done = import_good(
        mdb, "mdb", "good",
        "A_Drum.wav,0.010000,kick\nA_Drum.wav,0.500000,snare\nA_Drum.wav,1.250000,hihat\n"
        "B_Drum.wav,,\n");
    CHECK_EQ(done.recordings, 2);
    CHECK_EQ(done.events, 3);
    CHECK_EQ(done.left_out, 3);
    CHECK_EQ(done.skipped, 0);
    CHECK_STATUS(lc_dataset_load(&set, run_path("good"), &err), LOCO_OK);
    if (set == NULL)
        return;
    CHECK_EQ(set->recordings_len, 2);
    CHECK(set->recordings[0].timed && set->recordings[1].timed);
    CHECK_EQ(set->recordings[0].events_len, 3);
    CHECK_EQ(set->recordings[1].events_len, 0);
    CHECK_EQ(set->classes_len, 3);
    CHECK_STR(set->classes[0], "kick");
    CHECK_NEAR(set->recordings[0].events[2].time, 1.25, 1e-9);
    lc_dataset_free(set);
}

static void folders_in_use_are_kept(void)
{
    studio_import_result done;
    loco_err err = {""};
    CHECK_STATUS(import_run(mdb, "mdb", "good", &done, &err), LOCO_EIO);
    CHECK_SAYS(err.text, "not an empty folder");
    CHECK_STATUS(import_run(mdb, "mdb", "no/such/place", &done, &err), LOCO_EIO);
    import_folder("empty");
    CHECK_STATUS(import_run(mdb, "mdb", "empty", &done, &err), LOCO_OK);
    CHECK(access(run_path("good/events.csv"), R_OK) == 0 && access(run_path("empty/events.csv"), R_OK) == 0);
}

/* A later annotation that is wrong, and a sound that cannot be linked. */
static void nothing_is_half_written(void)
{
    run_write("mdb/class/B_class.txt", "1\tCY\n1.5\tXX\n");
    import_refused(mdb, "mdb", LOCO_EDATA, "B_class.txt:2", "\"XX\" is not a label of MDB Drums: KD, SD, HH");
    run_write("mdb/class/B_class.txt", "1\tCY\n");
    run_write("mdb/audio/events.csv.wav", "no sound at all");
    run_write("mdb/class/events.csv_class.txt", "1 KD\n");
    import_refused(mdb, "mdb", LOCO_EDATA, "events.csv.wav", "");
    CHECK(unlink(run_path("mdb/audio/events.csv.wav")) == 0);
}

static void missing_annotations_are_counted(void)
{
    import_sound("mdb/audio/C_Drum.wav", 1, 0.1f);
    import_sound("mdb/audio/D_Drum.wav", 1, 0.1f);
    studio_import_result done = import_good((import_how){.kind = "mdb", .map = "HH=h"}, "mdb", "partly",
                                            "A_Drum.wav,1.250000,h\nB_Drum.wav,,\n");
    CHECK_EQ(done.skipped, 2);
    CHECK_STR(done.first_skipped, "C_Drum.wav");
    import_folder("bare/audio");
    import_folder("bare/class");
    import_refused(mdb, "bare", LOCO_EDATA, "bare", "no recordings");
    import_sound("bare/audio/C_Drum.wav", 1, 0.1f);
    import_refused(mdb, "bare", LOCO_EDATA, "bare", "not even C_Drum.wav");
}

int main(void)
{
    run_begin();
    make_set();
    RUN(wrong_arguments_are_refused);
    RUN(a_data_set_comes_out);
    RUN(folders_in_use_are_kept);
    RUN(nothing_is_half_written);
    RUN(missing_annotations_are_counted);
    return run_done();
}
