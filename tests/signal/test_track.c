/* SPDX-License-Identifier: MIT
 * test_track.c - what is stated beside a file, raw samples, and the suspicion of turned bytes. */
#include "cases.h"

#include "signal/track.h"

static void wrong_formats_are_refused(void)
{
    static const struct {
        const char *text, *hint;
    } wrongs[] = {
        {"rate",                    "rate= is wrong; it must be 1 to 1000000"},
        {"rate=",                   "rate= is wrong"                         },
        {"rate=0.5",                "rate=0.5 is wrong"                      },
        {"rate=fast",               "rate=fast is wrong"                     },
        {"type=s16",                "it must be u8, s16le, s24le"            },
        {"channels=0",              "a whole number, 1 to 64"                },
        {"channels=1.5",            "a whole number, 1 to 64"                },
        {"order=middle",            "little or big"                          },
        {"order=",                  "little or big"                          },
        {"missing=guess",           "refuse, hold, linear or zero"           },
        {"rat=50",                  "did you mean rate"                      },
        {"colour=red",              "there are rate, type, channels, order"  },
        {"rate=50 # good\nchanels", "did you mean channels"                  },
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        lc_track_format format = {.channels = 77};
        loco_err err = {""};
        CHECK_STATUS(lc_track_format_parse(&format, "series.format", wrongs[i].text, strlen(wrongs[i].text), &err),
                     LOCO_EDATA);
        CHECK_SAYS(err.text, wrongs[i].hint);
        CHECK_EQ(format.channels, 77);
    }
}

static void a_format_is_read(void)
{
    static const char text[] = "# ours\n rate=360.5\ttype=f64le\r\nchannels=2 order=big missing=linear # end";
    lc_track_format f;
    CHECK_STATUS(lc_track_format_parse(&f, "a", text, strlen(text), NULL), LOCO_OK);
    CHECK_NEAR(f.rate, 360.5, 0);
    CHECK(f.typed && f.type == LC_RAW_F64LE && f.channels == 2);
    CHECK(f.order == LC_ORDER_BIG && f.missing == LC_MISSING_LINEAR);
    CHECK_STATUS(lc_track_format_parse(&f, "a", "", 0, NULL), LOCO_OK);
    CHECK(!f.typed && f.channels == 0 && f.order == LC_ORDER_UNKNOWN && f.missing == LC_MISSING_REFUSE);
}

static void raw_samples_need_a_format(void)
{
    lc_track track = {0};
    loco_err err = {""};
    lc_track_format f = {.rate = 360, .channels = 2};
    CHECK_STATUS(lc_track_raw_parse(&track, "a.raw", "abcd", 4, &f, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "type=s16le channels=1 rate=360");
    f = (lc_track_format){.rate = 360, .channels = 2, .typed = true, .type = LC_RAW_S16LE};
    CHECK_STATUS(lc_track_raw_parse(&track, "a.raw", "abcdef", 6, &f, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "6 bytes are not a whole number of frames of 4; is it really s16le,2?");
    CHECK_STATUS(lc_track_raw_parse(&track, "a.raw", "", 0, &f, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "holds no samples");
    CHECK_STATUS(lc_track_raw_parse(&track, "a.raw", "\1\0\2\0\0\100\0\200", 8, &f, &err), LOCO_OK);
    CHECK_EQ(track.frames, 2);
    CHECK_NEAR(track.samples[0], 1.0 / 32768, 0);
    CHECK_NEAR(track.samples[2], 0.5, 0);
    CHECK_NEAR(track.samples[3], -1, 0);
    lc_track_free(&track);
}

/* A slow sine, and noise, as s16 in either order. */
static void turned_bytes_are_suspected(void)
{
    enum { N = 4000 };
    unsigned char little[2 * N], big[2 * N], noise[2 * N];
    lc_rng rng = lc_rng_seed(7);
    lc_track track = {0};
    loco_err err = {""};
    lc_track_format f = {.rate = 360, .channels = 1, .typed = true, .type = LC_RAW_S16LE};
    for (int i = 0; i < N; i++) {
        int x = (int)(6000 * sin(i * 0.02)) & 0xffff;
        little[2 * i] = big[2 * i + 1] = (unsigned char)(x & 0xff);
        little[2 * i + 1] = big[2 * i] = (unsigned char)(x >> 8);
        noise[2 * i] = (unsigned char)lc_rng_next(&rng);
        noise[2 * i + 1] = (unsigned char)lc_rng_next(&rng);
    }
    CHECK_STATUS(lc_track_raw_parse(&track, "a.raw", little, 2 * N, &f, &err), LOCO_OK);
    float want = track.samples[100];
    lc_track_free(&track);
    CHECK_STATUS(lc_track_raw_parse(&track, "a.raw", big, 2 * N, &f, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "write order=big");
    CHECK_STATUS(lc_track_raw_parse(&track, "a.raw", noise, 2 * N, &f, &err), LOCO_OK);
    lc_track_free(&track);
    f.order = LC_ORDER_LITTLE;
    CHECK_STATUS(lc_track_raw_parse(&track, "a.raw", big, 2 * N, &f, &err), LOCO_OK);
    lc_track_free(&track);
    f.order = LC_ORDER_BIG;
    CHECK_STATUS(lc_track_raw_parse(&track, "a.raw", big, 2 * N, &f, &err), LOCO_OK);
    CHECK_NEAR(track.samples[100], want, 0);
    lc_track_free(&track);
}

static void endings_tell_series_from_sounds(void)
{
    static const char *const series[] = {"a.csv", "b/c.NPY", "x.raw", "x.hea", "1.i16"};
    static const char *const sounds[] = {"a.wav", "csv", "a.csv/b", "", "a.flac"};
    for (size_t i = 0; i < 5; i++) {
        CHECK(lc_track_is(series[i]));
        CHECK(!lc_track_is(sounds[i]));
    }
}

int main(void)
{
    RUN(wrong_formats_are_refused);
    RUN(a_format_is_read);
    RUN(raw_samples_need_a_format);
    RUN(turned_bytes_are_suspected);
    RUN(endings_tell_series_from_sounds);
    return check_done();
}
