/* SPDX-License-Identifier: MIT
 * test_source_raw.c - raw formats as text, and samples of known bytes. */
#include "cases.h"

#include "signal/source.h"

static void wrong_formats_are_refused(void)
{
    static const struct {
        const char *text, *hint;
    } wrongs[] = {
        {"",                               "the type must be"  },
        {"s16",                            "the type must be"  },
        {"s16be,1,44100",                  "the type must be"  },
        {"S16LE,1,44100",                  "the type must be"  },
        {" s16le,1,44100",                 "the type must be"  },
        {"s16le",                          "channels, 1 to 64" },
        {"s16le,",                         "channels, 1 to 64" },
        {"s16le,,44100",                   "channels, 1 to 64" },
        {"s16le,0,44100",                  "channels, 1 to 64" },
        {"s16le,65,44100",                 "channels, 1 to 64" },
        {"s16le,-1,44100",                 "channels, 1 to 64" },
        {"s16le,1",                        "channels, 1 to 64" },
        {"s16le,1,",                       "the rate, 1 to 100"},
        {"s16le,1,0",                      "the rate, 1 to 100"},
        {"s16le,1,1000001",                "the rate, 1 to 100"},
        {"s16le,1,44100 ",                 "the rate, 1 to 100"},
        {"s16le,1,44.1",                   "the rate, 1 to 100"},
        {"s16le,1,99999999999999999999",   "the rate, 1 to 100"},
        {"s16le,99999999999999999999,100", "channels, 1 to 64" },
        {"s16le,1,44100,",                 "number of frames"  },
        {"s16le,1,44100,0",                "number of frames"  },
        {"s16le,1,44100,7,",               "number of frames"  },
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        lc_raw_format format = {.type = LC_RAW_U8, .channels = 77, .rate = 7};
        loco_err err = {""};
        CHECK_STATUS(lc_raw_parse(&format, wrongs[i].text, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrongs[i].hint);
        CHECK_EQ(format.channels, 77);
    }
}

static void right_formats_are_read(void)
{
    static const char *const names[] = {"u8", "s16le", "s24le", "s32le", "f32le", "f64le"};
    static const size_t sizes[] = {1, 2, 3, 4, 4, 8};
    for (size_t i = 0; i < 6; i++) {
        char text[32];
        lc_raw_format format;
        snprintf(text, sizeof text, "%s,64,1000000", names[i]);
        CHECK_STATUS(lc_raw_parse(&format, text, NULL), LOCO_OK);
        CHECK_STR(lc_raw_name(format.type), names[i]);
        CHECK_EQ(lc_raw_size(format.type), sizes[i]);
        CHECK_EQ(format.channels, 64);
        CHECK_NEAR(format.rate, 1e6, 0);
    }
}

/* Bytes behind the number of frames are not read; too few frames are an error. */
static void frames_end_a_stream(void)
{
    lc_raw_format format;
    lc_source source;
    float x[LC_SOURCE_CHUNK];
    size_t got = 0;
    FILE *file = tmpfile();
    CHECK(file != NULL && fwrite("abcdefg", 1, 7, file) == 7);
    for (int i = 0; i < 2 && file != NULL; i++) {
        rewind(file);
        CHECK_STATUS(lc_raw_parse(&format, i == 0 ? "s16le,1,44100,2" : "s16le,1,44100,4", NULL), LOCO_OK);
        CHECK_STATUS(lc_source_open_raw(&source, file, "raw", &format, NULL), LOCO_OK);
        CHECK_STATUS(lc_source_read(&source, x, &got, NULL), LOCO_OK);
        CHECK_EQ(got, i == 0 ? 2 : 3);
        CHECK_STATUS(lc_source_read(&source, x, &got, NULL), i == 0 ? LOCO_OK : LOCO_EDATA);
        CHECK(i > 0 || got == 0);
        lc_source_close(&source);
    }
    if (file != NULL)
        fclose(file);
}

static void bytes_become_samples(void)
{
    static const unsigned char bytes[] = {0x00, 0x80, 0xff, 0x7f, 0x00, 0x40, 0x01, 0x00};
    static const unsigned char floats[] = {0x00, 0x00, 0x80, 0xbf, 0x00, 0x00, 0x00, 0x3e};              /* -1, 1/8 */
    static const unsigned char doubles[] = {0, 0, 0, 0, 0, 0, 0xf0, 0xbf, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f}; /* -1, inf */
    float x[8];
    lc_raw_decode(LC_RAW_U8, bytes, 3, x);
    CHECK_NEAR(x[0], -1, 0);
    CHECK_NEAR(x[1], 0, 0);
    CHECK_NEAR(x[2], 127.0 / 128, 0);
    lc_raw_decode(LC_RAW_S16LE, bytes, 4, x);
    CHECK_NEAR(x[0], -1, 0);
    CHECK_NEAR(x[1], 32767.0 / 32768, 0);
    CHECK_NEAR(x[2], 0.5, 0);
    CHECK_NEAR(x[3], 1.0 / 32768, 0);
    lc_raw_decode(LC_RAW_S24LE, bytes, 2, x); /* ff8000, 40007f */
    CHECK_NEAR(x[0], -32768.0 / 8388608, 0);
    CHECK_NEAR(x[1], 0x40007f / 8388608.0, 0);
    lc_raw_decode(LC_RAW_S32LE, bytes, 2, x); /* 7fff8000, 00014000 */
    CHECK_NEAR(x[0], 0x7fff8000 / 2147483648.0, 0);
    CHECK_NEAR(x[1], 0x14000 / 2147483648.0, 0);
    lc_raw_decode(LC_RAW_F32LE, floats, 2, x);
    CHECK_NEAR(x[0], -1, 0);
    CHECK_NEAR(x[1], 0.125, 0);
    lc_raw_decode(LC_RAW_F64LE, doubles, 2, x);
    CHECK_NEAR(x[0], -1, 0);
    CHECK(isinf(x[1]));
}

int main(void)
{
    RUN(wrong_formats_are_refused);
    RUN(right_formats_are_read);
    RUN(frames_end_a_stream);
    RUN(bytes_become_samples);
    return check_done();
}
