/* SPDX-License-Identifier: MIT
 * test_wfdb.c - WFDB headers and samples: each format, and what is refused. */
#include "cases.h"

#include "signal/wfdb.h"

static void wrong_headers_are_refused(void)
{
    static const struct {
        const char *text, *hint;
    } wrongs[] = {
        {"",                                      "is empty; a WFDB header"                 },
        {"# nothing\n",                           "is empty; a WFDB header"                 },
        {"100\n",                                 "is not a number of signals"              },
        {"100 0 360\n",                           ":1: \"0\" is not a number of signals"    },
        {"100 65 360\n",                          "is not a number of signals"              },
        {"100/3 2 360\n",                         "several segments"                        },
        {"100 1 fast\na.dat 16\n",                "\"fast\" is not a rate"                  },
        {"100 1 0.5\na.dat 16\n",                 "is not a rate"                           },
        {"100 1 360 -4\na.dat 16\n",              "is not a number of samples"              },
        {"100 1 360 1e15\na.dat 16\n",            "is not a number of samples"              },
        {"100 2 360 4\na.dat 16\n",               "describes 1 of its 2 signals"            },
        {"100 1 360 4\na.dat\n",                  "describes 0 of its 1 signals"            },
        {"100 1 360 4\na.dat 310\n",              ":2: \"310\" is not a format that is read"},
        {"100 1 360 4\na.dat 16x2\n",             "several samples a frame"                 },
        {"100 1 360 4\na.dat 16:4\n",             "is not a format"                         },
        {"100 1 360 4\n../a.dat 16\n",            "is not the name of a file beside"        },
        {"100 1 360 4\n/etc/a 16\n",              "is not the name of a file beside"        },
        {"100 2 360 4\na.dat 16\nb.dat 16\n",     "differs from the file of the first"      },
        {"100 2 360 4\na.dat 16\na.dat 212\n",    "differs from the file of the first"      },
        {"100 1 360 4\na.dat 16 much\n",          "is not a gain"                           },
        {"100 1 360 4\na.dat 16 200(10\n",        "is not a gain"                           },
        {"100 1 360 4\na.dat 16 200 11 zero\n",   "the zero of the converter"               },
        {"100 1 360 4\na.dat 16 200 11 0 0 x\n",  "is not a sum of samples"                 },
        {"100 1 360 4\n.. 16\n",                  "is not the name of a file beside"        },
        {"100 2 360 4\na.dat 16+2\na.dat 16+4\n", "differs from the file of the first"      },
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        lc_wfdb_header header = {.channels = 77};
        loco_err err = {""};
        CHECK_STATUS(lc_wfdb_header_parse(&header, "100.hea", wrongs[i].text, strlen(wrongs[i].text), &err),
                     LOCO_EDATA);
        CHECK_SAYS(err.text, wrongs[i].hint);
        CHECK_SAYS(err.text, "100.hea");
        CHECK_EQ(header.channels, 77);
    }
}

static void a_header_is_read(void)
{
    static const char text[] = "# first\r\n100 2 360/720(3) 650000 0:0:0 1/1/1980\r\n"
                               "100.dat 212+24 200 11 1024 995 -22131 0 MLII, upper\r\n"
                               "100.dat 212+24 0(-5)/mV 11 1024 1011 20052 0 V5\r\n# 69 M\r\n";
    lc_wfdb_header h;
    CHECK_STATUS(lc_wfdb_header_parse(&h, "100.hea", text, strlen(text), NULL), LOCO_OK);
    CHECK_EQ(h.channels, 2);
    CHECK_NEAR(h.rate, 360, 0);
    CHECK_EQ(h.frames, 650000);
    CHECK_EQ(h.format, 212);
    CHECK_EQ(h.skip, 24);
    CHECK_STR(h.file, "100.dat");
    CHECK_NEAR(h.signals[0].gain, 200, 0);
    CHECK_NEAR(h.signals[0].zero, 1024, 0);
    CHECK_STR(h.signals[0].about, "MLII, upper");
    CHECK_NEAR(h.signals[1].gain, 200, 0); /* 0: not calibrated */
    CHECK_NEAR(h.signals[1].zero, -5, 0);
    CHECK_STATUS(lc_wfdb_header_parse(&h, "a.hea", "a 1\na.dat 16", 12, NULL), LOCO_OK);
    CHECK_NEAR(h.rate, 250, 0);
    CHECK_EQ(h.frames, 0);
}

/* 12 bits each: 0x123 and 0xabc = -1348, then 0x7ff; three in five bytes. */
static void every_format_is_read(void)
{
    static const struct {
        unsigned format;
        unsigned char bytes[12];
        size_t size;
        int want[3];
    } cases[] = {
        {212, {0x23, 0xa1, 0xbc, 0xff, 0x07},                   5,  {0x123, -1348, 0x7ff}},
        {16,  {1, 0, 0xff, 0xff, 0, 0x80 - 1},                  6,  {1, -1, 0x7f00}      },
        {61,  {0, 1, 0xff, 0xff, 0x7f, 0},                      6,  {1, -1, 0x7f00}      },
        {80,  {128, 127, 255},                                  3,  {0, -1, 127}         },
        {24,  {1, 0, 0, 0xff, 0xff, 0xff, 0, 0, 0x7f},          9,  {1, -1, 0x7f0000}    },
        {32,  {1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1}, 12, {1, -1, 0x1000000}   },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_wfdb_header h = {.channels = 1, .rate = 360, .frames = 3, .format = cases[i].format};
        lc_track track = {0};
        loco_err err = {""};
        h.signals[0] = (lc_wfdb_signal){.gain = 2, .zero = 1};
        CHECK_STATUS(lc_wfdb_samples(&track, "a.dat", &h, cases[i].bytes, cases[i].size, LC_MISSING_REFUSE, &err),
                     LOCO_OK);
        for (size_t j = 0; j < 3 && track.frames == 3; j++)
            CHECK_NEAR(track.samples[j], (cases[i].want[j] - 1) / 2.0, 0);
        lc_track_free(&track);
        CHECK_STATUS(lc_wfdb_samples(&track, "a.dat", &h, cases[i].bytes, cases[i].size - 1, LC_MISSING_REFUSE, &err),
                     LOCO_EDATA);
        CHECK_SAYS(err.text, "is cut short");
    }
}

static void missing_samples_are_told_or_filled(void)
{
    static const unsigned char bytes[] = {1, 0, 0, 0x80, 3, 0, 9, 9};
    lc_wfdb_header h = {.channels = 2, .rate = 360, .format = 16};
    lc_track track = {0};
    loco_err err = {""};
    h.signals[0].gain = h.signals[1].gain = 1;
    CHECK_STATUS(lc_wfdb_samples(&track, "a.dat", &h, bytes, sizeof bytes, LC_MISSING_REFUSE, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "sample 1: channel 2 has no value");
    CHECK_STATUS(lc_wfdb_samples(&track, "a.dat", &h, bytes, sizeof bytes, LC_MISSING_ZERO, &err), LOCO_OK);
    CHECK_EQ(track.frames, 2);
    CHECK_NEAR(track.samples[1], 0, 0);
    lc_track_free(&track);
    h.skip = 4;
    CHECK_STATUS(lc_wfdb_samples(&track, "a.dat", &h, bytes, sizeof bytes, LC_MISSING_REFUSE, &err), LOCO_OK);
    CHECK_EQ(track.frames, 1);
    CHECK_NEAR(track.samples[0], 3, 0);
    lc_track_free(&track);
}

/* 16 bits, with or without a sign: 40000 is -25536. */
static void samples_must_add_up(void)
{
    static const unsigned char bytes[] = {0x20, 0x4e, 1, 0, 0x20, 0x4e, 2, 0};
    static const struct {
        int first, second;
        bool right;
    } cases[] = {
        {-25536, 3, true },
        {40000,  3, true },
        {-25536, 0, true },
        {-25535, 3, false},
        {-25536, 4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        lc_wfdb_header h;
        lc_track track = {0};
        loco_err err = {""};
        snprintf(text, sizeof text, "a 2 360 2\na.dat 16 1 16 0 20000 %d 0 x\na.dat 16 1 16 0 1 %d 0 y\n",
                 cases[i].first, cases[i].second);
        CHECK_STATUS(lc_wfdb_header_parse(&h, "a.hea", text, strlen(text), &err), LOCO_OK);
        CHECK_STATUS(lc_wfdb_samples(&track, "a.dat", &h, bytes, sizeof bytes, LC_MISSING_REFUSE, &err),
                     cases[i].right ? LOCO_OK : LOCO_EDATA);
        if (!cases[i].right)
            CHECK_SAYS(err.text, i == 3 ? "a.dat: signal 1 adds up to -25536, and its header says -25535"
                                        : "a.dat: signal 2 adds up to 3, and its header says 4");
        lc_track_free(&track);
    }
}

/* Where the header has no number of samples, its sums are of nobody knows how many. */
static void sums_need_a_length(void)
{
    static const char text[] = "a 1 360\na.dat 16 1 16 0 5 99 0 x\n";
    static const unsigned char bytes[] = {5, 0, 6, 0};
    lc_wfdb_header h;
    lc_track track = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_wfdb_header_parse(&h, "a.hea", text, strlen(text), &err), LOCO_OK);
    CHECK_STATUS(lc_wfdb_samples(&track, "a.dat", &h, bytes, sizeof bytes, LC_MISSING_REFUSE, &err), LOCO_OK);
    CHECK_EQ(track.frames, 2);
    lc_track_free(&track);
    h.frames = 2;
    CHECK_STATUS(lc_wfdb_samples(&track, "a.dat", &h, bytes, sizeof bytes, LC_MISSING_REFUSE, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "signal 1 adds up to 11, and its header says 99");
    h.signals[0].sum = 11 + 256;
    CHECK_STATUS(lc_wfdb_samples(&track, "a.dat", &h, bytes, sizeof bytes, LC_MISSING_REFUSE, &err), LOCO_EDATA);
    h.signals[0].sum = 11;
    h.skip = 1; /* what is skipped holds no samples */
    CHECK_STATUS(lc_wfdb_samples(&track, "a.dat", &h, bytes, sizeof bytes, LC_MISSING_REFUSE, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "is cut short: 4 bytes, and 2 samples of 1 signals need 5");
}

int main(void)
{
    RUN(wrong_headers_are_refused);
    RUN(a_header_is_read);
    RUN(every_format_is_read);
    RUN(missing_samples_are_told_or_filled);
    RUN(samples_must_add_up);
    RUN(sums_need_a_length);
    return check_done();
}
