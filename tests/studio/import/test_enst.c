/* SPDX-License-Identifier: MIT
 * test_enst.c - ENST-Drums: drummers kept apart, mixes chosen and summed, labels known and unknown. */
#include "import_cases.h"

#include "signal/sound.h"

static const import_how enst = {.kind = "enst"};

static void make_set(void)
{
    import_folder("enst/drummer_1/audio/wet_mix");
    (void)mkdir(run_path("enst/drummer_1/audio/dry_mix"), 0700);
    (void)mkdir(run_path("enst/drummer_1/audio/accompaniment"), 0700);
    (void)mkdir(run_path("enst/drummer_1/annotation"), 0700);
    import_folder("enst/drummer_2/audio/wet_mix");
    (void)mkdir(run_path("enst/drummer_2/audio/accompaniment"), 0700);
    (void)mkdir(run_path("enst/drummer_2/annotation"), 0700);
    import_sound("enst/drummer_1/audio/wet_mix/001_x.wav", 2, 0.25f);
    import_sound("enst/drummer_1/audio/wet_mix/002_y.wav", 2, 0.25f);
    import_sound("enst/drummer_1/audio/dry_mix/001_x.wav", 1, 0.25f);
    import_sound("enst/drummer_2/audio/wet_mix/001_x.wav", 2, 0.25f);
    import_sound("enst/drummer_2/audio/wet_mix/009_no.wav", 2, 0.25f);
    import_sound("enst/drummer_1/audio/accompaniment/001_x.wav", 3, 0.5f);
    run_write("enst/drummer_1/annotation/001_x.txt", "0.1 bd\n0.2 sd\n0.3 sd-\n0.4 rs\n0.5 cs\n0.6 chh\n0.7 ohh\n");
    run_write("enst/drummer_1/annotation/002_y.txt",
              "0.1 mt\n0.2 rc3\n0.3 cr\n0.4 spl2\n0.5 sticks\n0.6 cb\n0.7 sweep\n0.8 ltr\n0.9 c1\n");
    run_write("enst/drummer_2/annotation/001_x.txt", "0.5 bd\n");
}

static void drummers_are_kept_apart(void)
{
    studio_import_result done = import_good(
        enst, "enst", "wet",
        "drummer_1_001_x.wav,0.100000,kick\ndrummer_1_001_x.wav,0.200000,snare\n"
        "drummer_1_001_x.wav,0.300000,snare\ndrummer_1_001_x.wav,0.400000,snare\n"
        "drummer_1_001_x.wav,0.500000,snare\ndrummer_1_001_x.wav,0.600000,hihat\n"
        "drummer_1_001_x.wav,0.700000,hihat\ndrummer_1_002_y.wav,,\ndrummer_2_001_x.wav,0.500000,kick\n");
    CHECK_EQ(done.recordings, 3);
    CHECK_EQ(done.left_out, 9);
    CHECK_EQ(done.skipped, 1);
    CHECK_STR(done.first_skipped, "drummer_2_009_no.wav");
    import_good((import_how){.kind = "enst", .map = "rc=ride,cr=crash"}, "enst", "cymbals",
                "drummer_1_001_x.wav,,\ndrummer_1_002_y.wav,0.200000,ride\ndrummer_1_002_y.wav,0.300000,crash\n"
                "drummer_2_001_x.wav,,\n");
}

/* The second drummer has no dry mix. */
static void mixes_are_chosen(void)
{
    import_refused((import_how){.kind = "enst", .mix = "dry"}, "enst", LOCO_EDATA, "drummer_2/audio/dry_mix",
                   "drummer_1, drummer_2");
    import_refused((import_how){.kind = "enst", .mix = "accompaniment"}, "enst", LOCO_EARG, "mix", "wet, dry, full");
}

static void accompaniments_are_added(void)
{
    float *samples = NULL;
    size_t n = 0;
    studio_import_result done = import_good((import_how){.kind = "enst", .mix = "full", .map = "bd=kick"}, "enst",
                                            "full", "drummer_1_001_x.wav,0.100000,kick\n");
    CHECK_EQ(done.recordings, 1);
    CHECK_STATUS(lc_sound_load(run_path("full/drummer_1_001_x.wav"), 0, INFINITY, 8000, &samples, &n, NULL), LOCO_OK);
    CHECK_EQ(n, 24000);
    if (n == 24000) {
        CHECK_NEAR(samples[8000], 0.75, 1e-6);
        CHECK_NEAR(samples[20000], 0.5, 1e-6);
    }
    free(samples);
    import_sound("enst/drummer_2/audio/accompaniment/005_z.wav", 1, 0.5f);
    import_refused((import_how){.kind = "enst", .mix = "full"}, "enst", LOCO_EDATA, "005_z.wav",
                   "no sound of the drums");
    CHECK(unlink(run_path("enst/drummer_2/audio/accompaniment/005_z.wav")) == 0);
    run_wav("enst/drummer_2/audio/accompaniment/001_x.wav", 8000, (const float[]){NAN},
            1); /* found out while writing */
    import_refused((import_how){.kind = "enst", .mix = "full"}, "enst", LOCO_EDATA, "001_x.wav", "");
    CHECK(unlink(run_path("enst/drummer_2/audio/accompaniment/001_x.wav")) == 0);
}

static void wrong_annotations_are_refused(void)
{
    run_write("enst/drummer_2/annotation/001_x.txt", "0.5 bd\n0.6 tamb\n");
    import_refused(enst, "enst", LOCO_EDATA, "001_x.txt:2",
                   "\"tamb\" is not a label of ENST-Drums: bd, sd, sd-, rs, cs");
    run_write("enst/drummer_2/annotation/001_x.txt", "<?xml version=\"1.0\"?>\n<sv/>");
    import_refused(enst, "enst", LOCO_EDATA, "001_x.txt:1", "is not a time");
    import_bytes("enst/drummer_2/annotation/001_x.txt", "\xff\xfe\x30\0 \0b\0d\0", 10);
    import_refused(enst, "enst", LOCO_EDATA, "001_x.txt:1", "not UTF-8");
    run_write("enst/drummer_2/annotation/001_x.txt", "0.5 bd\n2.11 sd\n");
    import_refused(enst, "enst", LOCO_EDATA, "001_x.txt:2", "2.110 s");
    run_write("enst/drummer_2/annotation/001_x.txt", "");
    import_refused(enst, "enst", LOCO_EDATA, "001_x.txt:1", "no stroke");
    run_write("enst/drummer_2/annotation/001_x.txt", "0.5 bd\n");
    import_folder("nothing");
    import_refused(enst, "nothing", LOCO_EDATA, "no folder drummer_1", "this folder holds nothing");
}

int main(void)
{
    run_begin();
    make_set();
    RUN(drummers_are_kept_apart);
    RUN(mixes_are_chosen);
    RUN(accompaniments_are_added);
    RUN(wrong_annotations_are_refused);
    return run_done();
}
