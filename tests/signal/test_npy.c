/* SPDX-License-Identifier: MIT
 * test_npy.c - NumPy files made byte by byte: every type and order, shapes, and what is refused. */
#include "cases.h"

#include "signal/track.h"

static const lc_track_format at_50 = {.rate = 50};

/* A file of version `major` with this dictionary and these bytes behind it; its length. */
static size_t make(unsigned char *file, unsigned major, const char *header, const void *data, size_t size)
{
    size_t length = strlen(header), at = major == 1 ? 10 : 12;
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)major;
    file[7] = 0;
    for (size_t i = 0; i < at - 8; i++)
        file[8 + i] = (unsigned char)(length >> (8 * i));
    memcpy(file + at, header, length);
    memcpy(file + at + length, data, size);
    return at + length + size;
}

static void wrong_files_are_refused(void)
{
    static const struct {
        const char *header, *hint;
    } wrongs[] = {
        {"",                                                                             "does not begin with {"   },
        {"{",                                                                            "is not a dictionary"     },
        {"{}",                                                                           "lacks one of descr"      },
        {"{'descr': '<f4', 'fortran_order': False}",                                     "lacks one of"            },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)",                       "lacks a comma"           },
        {"{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}",                       "lacks a comma"           },
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}",                      "astype('f4')"            },
        {"{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}",                      "astype('f4')"            },
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2,)}",                       "astype('f4')"            },
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",             "not a simple type"       },
        {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}",                      "neither True nor False"  },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': ()}",                        "neither (T,) nor (T, C)" },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, 1)}",                 "neither (T,) nor (T, C)" },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",                     "neither (T,) nor (T, C)" },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 2)}",                     "neither (T,) nor (T, C)" },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",                      "is cut short"            },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 999999999999)}",         "channels first; save x.T"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}",                      "holds no samples"        },
        {"{'descr': '<f4', 'descr': '<f4', 'shape': (2,)}",                              "should not be there"     },
        {"{'descr': '<f4', 'order': False, 'shape': (2,)}",                              "should not be there"     },
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999999,)}", "neither (T,) nor"        },
        {"{'a name of more than 23 bytes': '<f4'}",                                      "is not a dictionary"     },
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (70, 65)}",                  "is cut short"            },
    };
    static const float data[2] = {1, 2};
    unsigned char file[256];
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        lc_track track = {.frames = 77};
        loco_err err = {""};
        size_t n = make(file, 1, wrongs[i].header, data, sizeof data);
        CHECK_STATUS(lc_npy_parse(&track, "a.npy", file, n, &at_50, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrongs[i].hint);
        CHECK_SAYS(err.text, "a.npy");
        CHECK_EQ(track.frames, 77);
    }
}

static void broken_frames_are_refused(void)
{
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
    static const unsigned char data[] = {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40};           /* 1, 2 on any machine */
    static const unsigned char bad[] = {0, 0, 0x80, 0x3f, 0, 0, 0xc0, 0x7f};         /* 1, NaN */
    static const unsigned char large[] = {0, 0, 0x80, 0x3f, 0x28, 0x6b, 0xee, 0x4e}; /* 1, 2e9 */
    unsigned char file[256];
    lc_track track = {0};
    loco_err err = {""};
    size_t n = make(file, 1, header, data, sizeof data);
    for (size_t cut = 0; cut < n; cut++)
        CHECK_STATUS(lc_npy_parse(&track, "a.npy", file, cut, &at_50, &err), LOCO_EDATA);
    file[6] = 4;
    CHECK_STATUS(lc_npy_parse(&track, "a.npy", file, n, &at_50, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "version 4");
    n = make(file, 1, header, data, sizeof data);
    CHECK_STATUS(lc_npy_parse(&track, "some/a.npy", file, n, &(lc_track_format){0}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "write rate=50 (samples a second) into a.npy.format");
    n = make(file, 1, header, bad, sizeof bad);
    CHECK_STATUS(lc_npy_parse(&track, "a.npy", file, n, &at_50, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "row 2: channel 1 has no value");
    n = make(file, 1, header, large, sizeof large);
    CHECK_STATUS(lc_npy_parse(&track, "a.npy", file, n, &at_50, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "row 2: channel 1 has a value beyond");
}

/* Blanks up to the longest header that is read, and one more; a second version that ends within its length. */
static void headers_have_a_limit(void)
{
    static const char entries[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}";
    lc_track track = {0};
    loco_err err = {""};
    char *header = case_array(65538, 1);
    unsigned char *file = case_array(65600, 1), *cut = case_array(11, 1);
    memset(header, ' ', 65537);
    memcpy(header, entries, strlen(entries));
    size_t n = make(file, 2, header, "ab", 2);
    CHECK_STATUS(lc_npy_parse(&track, "a.npy", file, n, &at_50, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "a header of 65537 bytes");
    header[65536] = '\0';
    n = make(file, 2, header, "ab", 2);
    CHECK_STATUS(lc_npy_parse(&track, "a.npy", file, n, &at_50, &err), LOCO_OK);
    CHECK_NEAR(track.samples[1], 'b', 0);
    lc_track_free(&track);
    memcpy(cut, file, 11);
    CHECK_STATUS(lc_npy_parse(&track, "a.npy", cut, 11, &at_50, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "is cut short or damaged");
    free(header);
    free(file);
    free(cut);
}

/* Time first: many channels are said as such, unless the other side could be channels. */
static void channels_have_a_limit(void)
{
    static const char header[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (70, 65)}";
    unsigned char *file = case_array(5000, 1), *data = case_array(70 * 65, 1);
    lc_track track = {0};
    loco_err err = {""};
    size_t n = make(file, 1, header, data, 70 * 65);
    CHECK_STATUS(lc_npy_parse(&track, "a.npy", file, n, &at_50, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "65 channels; there may be 1 to 64");
    free(file);
    free(data);
}

/* The same three numbers in every type. */
static void every_type_is_read(void)
{
    static const struct {
        const char *type;
        unsigned char bytes[24];
        size_t size;
        float want[3];
    } types[] = {
        {"|u1", {1, 2, 255},                                                                       3,  {1, 2, 255}  },
        {"|i1", {1, 2, 255},                                                                       3,  {1, 2, -1}   },
        {"<u2", {1, 0, 2, 0, 255, 255},                                                            6,  {1, 2, 65535}},
        {"<i2", {1, 0, 2, 0, 254, 255},                                                            6,  {1, 2, -2}   },
        {">i2", {0, 1, 0, 2, 255, 254},                                                            6,  {1, 2, -2}   },
        {"<i4", {1, 0, 0, 0, 2, 0, 0, 0, 253, 255, 255, 255},                                      12, {1, 2, -3}   },
        {"<i8",
         {1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 252, 255, 255, 255, 255, 255, 255, 255},
         24,                                                                                           {1, 2, -4}   },
        {"<f4", {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 0, 191},                                        12, {1, 2, -0.5f}},
        {">f4", {63, 128, 0, 0, 64, 0, 0, 0, 191, 0, 0, 0},                                        12, {1, 2, -0.5f}},
        {"<f8", {0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 224, 191},  24, {1, 2, -0.5f}},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        unsigned char file[256];
        char header[128];
        lc_track track;
        loco_err err = {""};
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (3,), }   \n", types[i].type);
        for (unsigned version = 1; version <= 3; version++) {
            size_t n = make(file, version, header, types[i].bytes, types[i].size);
            CHECK_STATUS(lc_npy_parse(&track, "a.npy", file, n, &at_50, &err), LOCO_OK);
            CHECK_EQ(track.frames, 3);
            CHECK_EQ(track.channels, 1);
            CHECK_NEAR(track.rate, 50, 0);
            for (size_t j = 0; j < 3; j++)
                CHECK_NEAR(track.samples[j], types[i].want[j], 0);
            lc_track_free(&track);
        }
    }
}

static void both_orders_of_memory_are_read(void)
{
    static const unsigned char rows[] = {1, 2, 3, 4, 5, 6}, columns[] = {1, 3, 5, 2, 4, 6};
    unsigned char file[256];
    for (int fortran = 0; fortran < 2; fortran++) {
        char header[128];
        lc_track track;
        snprintf(header, sizeof header, "{\"descr\": \"|u1\", \"fortran_order\": %s, \"shape\": (3L, 2L)}",
                 fortran ? "True" : "False");
        size_t n = make(file, 1, header, fortran ? columns : rows, 6);
        CHECK_STATUS(lc_npy_parse(&track, "a.npy", file, n, &at_50, NULL), LOCO_OK);
        CHECK_EQ(track.frames, 3);
        CHECK_EQ(track.channels, 2);
        for (size_t i = 0; i < 6; i++)
            CHECK_NEAR(track.samples[i], (double)i + 1, 0);
        lc_track_free(&track);
    }
}

int main(void)
{
    RUN(wrong_files_are_refused);
    RUN(broken_frames_are_refused);
    RUN(headers_have_a_limit);
    RUN(channels_have_a_limit);
    RUN(every_type_is_read);
    RUN(both_orders_of_memory_are_read);
    return check_done();
}
