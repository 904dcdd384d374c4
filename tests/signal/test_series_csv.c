/* SPDX-License-Identifier: MIT
 * test_series_csv.c - tables of sensor channels: what is read, and the sentence for each thing that is wrong. */
#include "cases.h"

#include "signal/track.h"

#include <locale.h>

static loco_status parse(lc_track *track, const char *text, const lc_track_format *format, loco_err *err)
{
    return lc_series_csv_parse(track, "data/walk.csv", text, strlen(text), format, err);
}

static void wrong_tables_are_refused(void)
{
    static const struct {
        const char *text, *hint;
    } wrongs[] = {
        {"",                                                      "is empty; the first row names"           },
        {"# rate: 50\n\n  \n",                                    "is empty; the first row names"           },
        {"1,2\n3,4\n",                                            ":1: \"1\" where a name should stand"     },
        {"x,x\n1,2\n",                                            "column \"x\" is there twice"             },
        {"time\n1\n2\n",                                          "0 columns beside the time"               },
        {"x,y\n1,2\n3,4\n",                                       "no column is named time, and no rate"    },
        {"# rate: fast\nx\n1\n",                                  "has no number; write # rate: 50"         },
        {"# rate: 50\nx,y\n1,2\n1\n",                             ":4: 1 cell, where the header has 2"      },
        {"# rate: 50\nx,y\n1,2\n1;2\n",                           "another separator than the header?"      },
        {"# rate: 50\nx,y\n1,5,2,5\n",                            "decimal commas? write points"            },
        {"# rate: 50\nx;y\n1,5;2\n",                              "\"1,5\" is not a number; write a decimal"},
        {"# rate: 50\nx,y\n1,fast\n",                             ":3: column \"y\": \"fast\" is not a"     },
        {"# rate: 50\nx,y\n1,2\n1,\n",                            ":4: column \"y\" has no value; put one"  },
        {"# rate: 50\nx,y\n1,2\nNaN,1\n",                         ":4: column \"x\" has no value"           },
        {"# rate: 50\nx,y\n1,inf\n",                              "\"inf\" is not a number"                 },
        {"# rate: 50\nx,y\n1,2e9\n",                              ":3: column \"y\": 2e9 is beyond +-1e9"   },
        {"# rate: 50\nx\n",                                       "holds no samples"                        },
        {"# rate: 0.5\nx\n1\n",                                   "it may be 1 to 1000000 Hz"               },
        {"t,x\n0,1\n0.1,2\n",                                     "2 rows; at least 3"                      },
        {"t,x\n0,1\n0.1,2\n0.1,3\n0.2,3\n0.3,3\n0.4,3\n",         ":4: the time 0.100000 does not rise: it" },
        {"t,x\n0,1\n0.1,2\n0.05,3\n0.2,3\n0.3,3\n0.4,3\n",        ":4: the time 0.050000 does not rise"     },
        {"t,x\n0.0,1\n0.1,2\n0.2,3\n0.7,4\n0.8,5\n0.9,5\n",       ":5: a gap of 0.500000 s to the row"      },
        {"t,x\n0.00,1\n0.10,2\n0.20,3\n0.33,4\n0.43,5\n0.53,5\n", ":5: a step of 0.130000 s"                },
        {"t,x\n0,1\n1,2\n2,3\n4,4\n5,4\n6,5\n",                   ":5: a gap of 2.000000 s"                 },
        {"t,x\n5,1\n4,2\n3,3\n2,3\n",                             "the times do not rise"                   },
        {"t,x\n0,1\n,2\n2,3\n",                                   ":3: column \"t\": a time is missing"     },
        {"time,x\n12:00:01,1\n12:00:02,2\n",                      "times are seconds, such as 12.5"         },
        {"t,x\n0,1\n20,2\n40,3\n60,3\n",                          "times must be in seconds"                },
        {"# rate: 50\nt,x\n0,1\n0.1,2\n0.2,3\n0.3,3\n",           "50 Hz is stated, but the times rise by"  },
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        lc_track track = {.frames = 77};
        loco_err err = {""};
        CHECK_STATUS(parse(&track, wrongs[i].text, &(lc_track_format){0}, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrongs[i].hint);
        CHECK_SAYS(err.text, "walk.csv");
        CHECK_EQ(track.frames, 77);
    }
}

static void check_track(const char *text, const lc_track_format *format, double rate, size_t frames, size_t channels,
                        const float *want)
{
    lc_track track = {0};
    loco_err err = {""};
    CHECK_STATUS(parse(&track, text, format, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    CHECK_EQ(track.frames, frames);
    CHECK_EQ(track.channels, channels);
    CHECK_NEAR(track.rate, rate, 1e-9);
    for (size_t i = 0; i < frames * channels && track.frames == frames; i++)
        CHECK_NEAR(track.samples[i], want[i], 0);
    lc_track_free(&track);
}

static void right_tables_are_read(void)
{
    static const lc_track_format nothing, at_20 = {.rate = 20};
    static const float want[] = {1, 2, 3.5f, -4, 5, 6e-3f};
    check_track("# rate: 50\nx,y\n1,2\n3.5,-4\n5,6e-3\n", &nothing, 50, 3, 2, want);
    check_track("\xef\xbb\xbf#rate=50 Hz\r\n x ; y\r\n1;2\r\n\r\n 3.5;-4 \r\n5;6e-3", &nothing, 50, 3, 2, want);
    check_track("x\ty\n1\t2\n# a pause\n3.5\t-4\n5\t6e-3\n", &at_20, 20, 3, 2, want);
}

static void times_give_the_rate(void)
{
    static const lc_track_format nothing, at_50 = {.rate = 50};
    static const float want[] = {1, 2, 3, 4};
    check_track("x,Time\n1,0\n2,0.02\n3,0.04\n4,0.06\n", &nothing, 50, 4, 1, want);
    check_track("timestamp,x\n1e3,1\n1000.02,2\n1000.04,3\n1000.06,4\n", &at_50, 50, 4, 1, want);
    check_track("t,x\n0,1\n0.41,2\n0.79,3\n1.2,4\n", &nothing, 2.5, 4, 1, want);
}

/* Milliseconds of 360 Hz are 3, 3, 2, 3, ...; a real file looks so. */
static void rounded_times_are_even(void)
{
    lc_track track = {0};
    static char text[40000];
    for (int rows = 200; rows <= 1000; rows += 200) {
        size_t at = (size_t)snprintf(text, sizeof text, "t,x\n");
        for (int i = 0; i < rows; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%d.%03d,%d\n", (i * 1000 + 180) / 360 / 1000,
                                   (i * 1000 + 180) / 360 % 1000, i % 7);
        CHECK_STATUS(parse(&track, text, &(lc_track_format){0}, NULL), LOCO_OK);
        CHECK_NEAR(track.rate, 360, 0); /* not 359.86, for which all would be resampled */
        lc_track_free(&track);
    }
}

static void missing_values_are_filled_as_asked(void)
{
    static const char text[] = "# rate: 50\nx,y\n,1\n2,\nna,NaN\n,4\n6,null\n";
    static const float hold[] = {2, 1, 2, 1, 2, 1, 2, 4, 6, 4}, zero[] = {0, 1, 2, 0, 0, 0, 0, 4, 6, 0};
    static const float linear[] = {2, 1, 2, 2, 10.0f / 3, 3, 14.0f / 3, 4, 6, 4};
    lc_track track = {0};
    loco_err err = {""};
    check_track(text, &(lc_track_format){.missing = LC_MISSING_HOLD}, 50, 5, 2, hold);
    check_track(text, &(lc_track_format){.missing = LC_MISSING_ZERO}, 50, 5, 2, zero);
    CHECK_STATUS(parse(&track, text, &(lc_track_format){.missing = LC_MISSING_LINEAR}, &err), LOCO_OK);
    for (size_t i = 0; i < 10; i++)
        CHECK_NEAR(track.samples[i], linear[i], 1e-6);
    lc_track_free(&track);
    CHECK_STATUS(parse(&track, "# rate: 50\nx,y\n1,\n2,\n", &(lc_track_format){.missing = LC_MISSING_HOLD}, &err),
                 LOCO_EDATA);
    CHECK_SAYS(err.text, "channel 2 has no value at all");
}

/* Where the user's language has a decimal comma. */
static void the_locale_does_not_matter(void)
{
    static const lc_track_format nothing;
    static const float want[] = {1.5f, 2.25f, 3};
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
        printf("    no German locale here\n");
    check_track("t,x\n0,1.5\n0.02,2.25\n0.04,3\n", &nothing, 50, 3, 1, want);
    setlocale(LC_ALL, "C");
}

static void limits_hold(void)
{
    lc_track track = {0};
    loco_err err = {""};
    char text[2000] = "# rate: 9\na0";
    for (int i = 1; i < 66; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ",a%d", i);
    CHECK_STATUS(parse(&track, text, &(lc_track_format){0}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "more than 65 columns");
}

int main(void)
{
    RUN(wrong_tables_are_refused);
    RUN(right_tables_are_read);
    RUN(times_give_the_rate);
    RUN(rounded_times_are_even);
    RUN(missing_values_are_filled_as_asked);
    RUN(the_locale_does_not_matter);
    RUN(limits_hold);
    return check_done();
}
