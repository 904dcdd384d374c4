/* SPDX-License-Identifier: MIT
 * test_ecg.c - heart beats: tiny WFDB records and raw ones, their counts, and what is refused. */
#include "import_cases.h"

#include "data/dataset.h"

static const import_how ecg = {.kind = "ecg", .clip = 1};

/* 3 s at 4 samples a second, format 80. */
static const char header[] = "A 1 4 12\nA.dat 80 10 8 0\n";

/* Words of annotations: code and samples since the one before; then the end. */
static size_t put(char *bytes, const unsigned (*marks)[2], size_t len)
{
    for (size_t i = 0; i <= len; i++) {
        unsigned word = i < len ? marks[i][0] << 10 | marks[i][1] : 0;
        bytes[2 * i] = (char)(word & 0xff);
        bytes[2 * i + 1] = (char)(word >> 8);
    }
    return 2 * (len + 1);
}

static void check_text(const char *name, const char *want)
{
    size_t length = 0;
    char *text = run_read(name, &length);
    CHECK_STR(text, want);
    free(text);
}

static void make_wfdb(void)
{
    static const unsigned marks[][2] = {
        {28, 0},
        {1,  1},
        {5,  4},
        {8,  0},
        {14, 1},
        {1,  5}
    };
    char bytes[64];
    import_folder("wfdb");
    run_write("wfdb/A.hea", header);
    run_write("wfdb/A.dat", "abcdefghijkl");
    import_bytes("wfdb/A.atr", bytes, put(bytes, marks, 6));
    run_write("wfdb/B.hea", "B 1 4 12\nB.dat 80\n"); /* without annotation */
}

static void records_of_wfdb_are_imported(void)
{
    struct stat info;
    studio_import_result done = import_good(
        ecg, "wfdb", "good",
        "A.hea,0.250000,normal\nA.hea,1.250000,normal\nA.hea,1.250000,pvc\nA.hea,2.750000,normal\n");
    CHECK_EQ(done.recordings, 1);
    CHECK_EQ(done.events, 4);
    CHECK_EQ(done.skipped, 1);
    CHECK_STR(done.first_skipped, "B.hea");
    check_text("good/counts.csv", "file,start,end,normal,pvc\nA.hea,0,1,1,0\nA.hea,1,2,1,1\nA.hea,2,3,1,0\n");
    CHECK(lstat(run_path("good/A.dat"), &info) == 0 && S_ISLNK(info.st_mode));
    CHECK(lstat(run_path("good/series.format"), &info) != 0);
    lc_dataset *set = NULL;
    CHECK_STATUS(lc_dataset_load(&set, run_path("good"), NULL), LOCO_OK);
    CHECK_EQ(set->clips_len, 3);
    lc_dataset_free(set);
    import_good((import_how){.kind = "ecg", .clip = 1.5, .map = "normal=beat,pvc=beat"}, "wfdb", "beats",
                "A.hea,0.250000,beat\nA.hea,1.250000,beat\nA.hea,1.250000,beat\nA.hea,2.750000,beat\n");
    check_text("beats/counts.csv", "file,start,end,beat\nA.hea,0,1.5,3\nA.hea,1.5,3,1\n");
}

static void raw_records_are_imported(void)
{
    static char samples[2 * 360 * 12]; /* 12 s */
    import_folder("raw");
    import_bytes("raw/7.i16", samples, sizeof samples);
    run_write("raw/7.beats.csv", "sample,is_pvc\n36,0\n3599,1\n3600,0\n");
    studio_import_result done = import_good((import_how){.kind = "ecg"}, "raw", "raw-set",
                                            "7.i16,0.100000,normal\n7.i16,9.997222,pvc\n7.i16,10.000000,normal\n");
    CHECK_EQ(done.recordings, 1);
    check_text("raw-set/counts.csv", "file,start,end,normal,pvc\n7.i16,0,10,1,1\n");
    check_text("raw-set/series.format", "type=s16le channels=1 rate=360\n");
}

static void wrong_sets_are_refused(void)
{
    static const unsigned late[][2] = {
        {1, 40}
    };
    char bytes[16];
    import_folder("empty");
    import_refused(ecg, "empty", LOCO_EDATA, "empty", "no recordings");
    import_refused((import_how){.kind = "ecg", .clip = -1}, "wfdb", LOCO_EARG, "clips of -1 s", "3600");
    import_refused((import_how){.kind = "ecg", .mix = "wet"}, "wfdb", LOCO_EARG, "mix", "no choice");
    import_refused((import_how){.kind = "ecg", .map = "N=beat"}, "wfdb", LOCO_EARG, "map", "normal, pvc");
    run_write("raw/7.beats.csv", "sample,is_pvc\n36,yes\n");
    import_refused(ecg, "raw", LOCO_EDATA, "7.beats.csv:2", "neither 0 nor 1");
    run_write("raw/7.beats.csv", "sample,pvc\n36,0\n");
    import_refused(ecg, "raw", LOCO_EDATA, "7.beats.csv", "is_pvc");
    run_write("raw/7.beats.csv", "sample,is_pvc\n36000,0\n");
    import_refused(ecg, "raw", LOCO_EDATA, "7.beats.csv:2", "lasts 12.000 s");
    import_bytes("wfdb/A.atr", bytes, put(bytes, late, 1));
    import_refused(ecg, "wfdb", LOCO_EDATA, "A.atr", "lasts 3.000 s");
    run_write("wfdb/A.atr", "x");
    import_refused(ecg, "wfdb", LOCO_EDATA, "A.atr, byte 0", "end mark");
    import_bytes("wfdb/A.atr", bytes, put(bytes, late, 0));
    run_write("wfdb/A.dat", "abc");
    import_refused(ecg, "wfdb", LOCO_EDATA, "A.dat", "cut short");
    run_write("wfdb/A.hea", "A 1 4 12\nA.dat 17\n");
    import_refused(ecg, "wfdb", LOCO_EDATA, "A.hea:2", "is not a format");
}

int main(void)
{
    run_begin();
    make_wfdb();
    RUN(records_of_wfdb_are_imported);
    RUN(raw_records_are_imported);
    RUN(wrong_sets_are_refused);
    return run_done();
}
