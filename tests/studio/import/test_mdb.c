/* SPDX-License-Identifier: MIT
 * test_mdb.c - MDB Drums as it is published and as it is often copied; full mixes, and sub-classes. */
#include "import_cases.h"

/* ROOT with its sounds in `drums` and `mixes`, and annotations in `class` and `subclass`. */
static void make_set(const char *drums, const char *mixes, const char *class, const char *subclass)
{
    char name[128];
    import_folder(drums);
    import_folder(mixes);
    import_folder(class);
    import_folder(subclass);
    snprintf(name, sizeof name, "%s/A_Drum.wav", drums);
    import_sound(name, 2, 0.1f);
    snprintf(name, sizeof name, "%s/B_Drum.wav", drums);
    import_sound(name, 2, 0.1f);
    snprintf(name, sizeof name, "%s/B_MIX.wav", mixes);
    import_sound(name, 2, 0.1f);
    snprintf(name, sizeof name, "%s/A_class.txt", class);
    run_write(name, "0.1\tKD\n0.2\tOT\n");
    snprintf(name, sizeof name, "%s/B_class.txt", class);
    run_write(name, "0.3\tSD\n");
    snprintf(name, sizeof name, "%s/A_subclass.txt", subclass);
    run_write(name, "0.1\tKD\n0.2\tSST\n0.4\tTMB\n");
    snprintf(name, sizeof name, "%s/B_subclass.txt", subclass);
    run_write(name, "0.3\tSDNS\n");
}

static void check_set(const char *root)
{
    char to[5][64];
    for (size_t i = 0; i < 5; i++)
        snprintf(to[i], sizeof to[i], "%s-%zu", root, i);
    import_good((import_how){.kind = "mdb"}, root, to[0], "A_Drum.wav,0.100000,kick\nB_Drum.wav,0.300000,snare\n");
    import_good((import_how){.kind = "mdb", .mix = "full"}, root, to[1], "B_MIX.wav,0.300000,snare\n");
    import_good((import_how){.kind = "mdb", .labels = "subclass"}, root, to[2],
                "A_Drum.wav,0.100000,kick\nA_Drum.wav,0.200000,snare\nB_Drum.wav,0.300000,snare\n");
    import_good((import_how){.kind = "mdb", .labels = "subclass", .mix = "full", .map = "all"}, root, to[3],
                "B_MIX.wav,0.300000,SDNS\n");
    import_good(
        (import_how){.kind = "mdb", .labels = "kit"}, root, to[4],
        "A_Drum.wav,0.100000,kick\nA_Drum.wav,0.200000,side-stick\nA_Drum.wav,0.400000,tambourine\nB_Drum.wav,0.300000,snare\n");
}

static void both_layouts_are_read(void)
{
    make_set("copied/audio", "copied/full_mix", "copied/class", "copied/subclass");
    check_set("copied");
    make_set("own/audio/drum_only", "own/audio/full_mix", "own/annotations/class", "own/annotations/subclass");
    check_set("own");
}

static void wrong_folders_are_refused(void)
{
    import_folder("half/audio");
    import_refused((import_how){.kind = "mdb"}, "half", LOCO_EDATA, "no folder class or annotations/class",
                   "this folder holds audio");
    import_refused((import_how){.kind = "mdb", .mix = "full"}, "half", LOCO_EDATA, "full_mix",
                   "this folder holds audio");
    run_write("copied/class/A_class.txt", "0.1\tKD\n2.2\tSD\n");
    import_refused((import_how){.kind = "mdb"}, "copied", LOCO_EDATA, "A_class.txt:2", "lasts 2.000 s");
}

int main(void)
{
    run_begin();
    RUN(both_layouts_are_read);
    RUN(wrong_folders_are_refused);
    return run_done();
}
