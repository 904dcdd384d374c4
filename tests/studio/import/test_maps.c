/* SPDX-License-Identifier: MIT
 * test_maps.c - pianos: tiny sets in the two layouts of MAPS, their counts, and what is refused. */
#include "import_cases.h"

#include "data/dataset.h"

static const import_how maps = {.kind = "maps", .classes = "60-62"};

static void check_text(const char *name, const char *want)
{
    size_t length = 0;
    char *text = run_read(name, &length);
    CHECK_STR(text, want);
    free(text);
}

static void notes_in_their_own_folder_are_imported(void)
{
    import_folder("own/flac");
    import_folder("own/tsv");
    import_sound("own/flac/a.wav", 1.2, 0.1f);
    import_sound("own/flac/lonely.wav", 1, 0.1f);
    run_write("own/tsv/a.tsv",
              "# onset,offset,note,velocity\n0.5 0.6 62 9\n0.49 0.6 60 9\n1.1 1.2 60 9\n1.1 1.2 99 9\n");
    studio_import_result done = import_good(maps, "own", "own-set",
                                            "a.wav,0.490000,60\na.wav,0.500000,62\na.wav,1.100000,60\n");
    CHECK_EQ(done.recordings, 1);
    CHECK_EQ(done.events, 3);
    CHECK_EQ(done.left_out, 1);
    CHECK_STR(done.first_skipped, "lonely.wav");
    check_text("own-set/counts.csv",
               "file,start,end,60,61,62\na.wav,0,0.5,1,0,0\na.wav,0.5,1,0,0,1\na.wav,1,1.2,1,0,0\n");
    import_good((import_how){.kind = "maps", .map = "60=c", .clip = 3600}, "own", "c-set",
                "a.wav,0.490000,c\na.wav,1.100000,c\n");
    check_text("c-set/counts.csv", "file,start,end,c\na.wav,0,1.2,2\n");
}

/* Whatever is played, all 88 keys are classes, in order. */
static void all_keys_are_classes(void)
{
    lc_dataset *set = NULL;
    import_folder("deep/AkPnBcht/MUS");
    run_write("deep/readme.txt", "about the set\n");
    import_sound("deep/AkPnBcht/MUS/MAPS_a.wav", 1, 0.1f);
    run_write("deep/AkPnBcht/MUS/MAPS_a.txt", "OnsetTime\tOffsetTime\tMidiPitch\n0.1\t0.2\t108\n0.1\t0.2\t21\n");
    import_good((import_how){.kind = "maps"}, "deep", "deep-set", "MAPS_a.wav,0.100000,21\nMAPS_a.wav,0.100000,108\n");
    CHECK_STATUS(lc_dataset_load(&set, run_path("deep-set"), NULL), LOCO_OK);
    CHECK_EQ(set->classes_len, 88);
    CHECK_EQ(set->clips_len, 2);
    CHECK_STR(set->classes[0], "21");
    CHECK_STR(set->classes[87], "108");
    CHECK_EQ(set->clips[0].labels[87].lo, 1);
    CHECK_EQ(set->recordings[0].events_len, 2);
    lc_dataset_free(set);
}

static void wrong_sets_are_refused(void)
{
    static const char *const lists[] = {"", "60-", "62-60", "128", "60,", "c4", "60-62-64", "1000-1001"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        import_refused((import_how){.kind = "maps", .classes = lists[i]}, "own", LOCO_EARG, "classes",
                       "such as 21-108");
    import_refused((import_how){.kind = "mdb", .classes = "1"}, "own", LOCO_EARG, "maps, maestro", "map");
    import_refused((import_how){.kind = "maps", .classes = "1", .map = "all"}, "own", LOCO_EARG, "classes", "one of");
    import_refused((import_how){.kind = "maps", .mix = "wet"}, "own", LOCO_EARG, "mix", "no choice");
    import_refused((import_how){.kind = "maps", .clip = 0.001}, "own", LOCO_EARG, "clips of 0.001 s", "3600");
    run_write("own/tsv/a.tsv", "0.5 0.6 62 9\n7.5 8 60 9\n");
    import_refused(maps, "own", LOCO_EDATA, "a.tsv:2", "lasts 1.200 s");
    run_write("own/tsv/a.tsv", "0.5 0.4 62 9\n");
    import_refused(maps, "own", LOCO_EDATA, "a.tsv:1", "ends before");
    run_write("own/tsv/lost.tsv", "0.5 0.6 62 9\n");
    import_refused(maps, "own", LOCO_EDATA, "lost.tsv", "no sound of the same name");
    run_write("deep/AkPnBcht/MAPS_b.txt", "0.5 0.6 62\n");
    import_refused(maps, "deep", LOCO_EDATA, "MAPS_b.txt", "no sound of the same name");
    import_folder("empty");
    import_refused(maps, "empty", LOCO_EDATA, "empty", "no recordings where MAPS has them");
}

int main(void)
{
    run_begin();
    RUN(notes_in_their_own_folder_are_imported);
    RUN(all_keys_are_classes);
    RUN(wrong_sets_are_refused);
    return run_done();
}
