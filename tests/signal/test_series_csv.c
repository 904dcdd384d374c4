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
        {"",                                                "is empty; the first row names"           },
        {"# rate: 50\n\n  \n",                              "is empty; the first row names"           },
        {"1,2\n3,4\n",                                      ":1: \"1\" where a name should stand"     },
        {"x,x\n1,2\n",                                      "column \"x\" is there twice"             },
        {"time\n1\n2\n",                                    "0 columns beside the time"               },
        {"x,y\n1,2\n3,4\n",                                 "no column is named time, and no rate"    },
        {"# rate: fast\nx\n1\n",                            "has no number; write # rate: 50"         },
        {"# rate: 50\nx,y\n1,2\n1\n",                       ":4: 1 cell, where the header has 2"      },
        {"# rate: 50\nx,y\n1,2\n1;2\n",                     "another separator than the header?"      },
        {"# rate: 50\nx,y\n1,5,2,5\n",                      "decimal commas? write points"            },
        {"# rate: 50\nx;y\n1;2\n1,5,2;2\n",                 "\"1,5,2\" is not a number; write a"      },
        {"# rate: 50\nx,y\n1,2\n1,fast\n",                  ":4: column \"y\": \"fast\" is not a"     },
        {"# rate: 50\nx,y\nslow,fast\n",                    ":3: column \"x\": \"slow\" is not a"     },
        {"# rate: 50\nx,y\n1,2\n1,\n",                      ":4: column \"y\" has no value; put one"  },
        {"# rate: 50\nx,y\n1,2\nNaN,1\n",                   ":4: column \"x\" has no value"           },
        {"# rate: 50\nx,y\n1,inf\n",                        "\"inf\" is not a number"                 },
        {"# rate: 50\nx,y\n1,2e9\n",                        ":3: column \"y\": 2e9 is beyond +-1e9"   },
        {"# rate: 50\nx\n",                                 "holds no samples"                        },
        {"# rate: 0.5\nx\n1\n",                             "it may be 1 to 1000000 Hz"               },
        {"t,x\n0,1\n0.1,2\n",                               "2 rows; at least 3"                      },
        {"t,x\n2,1\n2.1,2\n0.9,3\n2.2,3\n2.3,3\n2.4,3\n",   ":4: the clock goes back by 1.200000 s; c"},
        {"t,x\n0.0,1\n0.1,2\n0.2,3\n0.8,4\n0.9,5\n1.0,5\n", ":5: a gap of 0.600000 s to the row befor"},
        {"t,x\n0,1\n1,2\n2,3\n8,4\n9,4\n10,5\n",            ":5: a gap of 6.000000 s"                 },
        {"t,x\n1,1\n1,2\n1,3\n1,4\n1,4\n2,5\n",             "the times do not rise from row to row; s"},
        {"t,x\n5,1\n4,2\n3,3\n2,3\n",                       "the times do not rise"                   },
        {"t,x\n0,1\n,2\n2,3\n",                             ":3: column \"t\": a time is missing"     },
        {"time,x\nnoon,1\n12:00:02,2\n",                    "times are numbers or dates, such as 12.5"},
        {"time,x\n12:00:01,1\n2,2\n",                       "column \"time\": \"2\" is not a number"  },
        {"time_s,x\n0,1\n20,2\n40,3\n60,3\n",               "20.000000 s apart, which is not a rate"  },
        {"# rate: 50\nt,x\n0,1\n0.1,2\n0.2,3\n0.3,3\n",     "50 Hz is stated, but the times rise by"  },
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
    check_track("t,x\n0,1\n0.41,2\n0.80,3\n1.2,4\n", &nothing, 2.5, 4, 1, want);
}

/* What a file of the user's states wins over the times, and over a comment. */
static void a_format_wins(void)
{
    static const float want[] = {1, 2, 3};
    check_track("# rate: 10\nt,x\n0,1\n0,2\n-5,3\n", &(lc_track_format){.rate = 25}, 25, 3, 1, want);
    check_track("# rate: fast\nt,x\nnoon,1\n?,2\n,3\n", &(lc_track_format){.rate = 25}, 25, 3, 1, want);
}

/* The same rows, 20 ms apart, in every unit; the name of the column wins over what the numbers look like. */
static void units_are_recognised(void)
{
    static const struct {
        const char *text;
        double rate;
        const char *notice;
    } cases[] = {
        {"t,x\n0,1\n20,2\n40,3\n",                                                                                    50,   "times are taken for milliseconds"},
        {"t,x\n0,1\n20000,2\n40000,3\n",                                                                              50,   "taken for microseconds"          },
        {"t,x\n0,1\n20000000,2\n40000000,3\n",                                                                        50,   "taken for nanoseconds"           },
        {"t,x\n1763436706123,1\n1763436706124,2\n1763436706125,3\n",                                                  1000, "taken for milliseconds"          },
        {"time,seconds_elapsed,x\n1763436706123000000,0,1\n1763436706143000000,0.02,2\n1763436706163000000,0.04,3\n",
         50,                                                                                                                "seconds_elapsed"                 },
        {"time_ms,x\n0,1\n0.1,2\n0.2,3\n",                                                                            1e4,  ""                                },
        {"timestamp (ns),x\n0,1\n20000,2\n40000,3\n",                                                                 5e4,  ""                                },
        {"seconds_elapsed,x\n0,1\n0.02,2\n0.04,3\n",                                                                  50,   ""                                },
        {"Time since start in ms,x\n0,1\n1,2\n2,3\n",                                                                 1000, ""                                },
        {"timestampMicros,x\n0,1\n500000,2\n1000000,3\n",                                                             2,    ""                                },
        {"# rate: 1000\nt,x\n0,1\n1,2\n2,3\n",                                                                        1000, "taken for milliseconds"          },
        {"time,x\n2026-11-18T03:31:46.120Z,1\n2026-11-18T03:31:46.140Z,2\n2026-11-18T03:31:46.160Z,3\n",              50,   ""                                },
        {"time,x\n2026-12-31 23:59:59.98,1\n2027-01-01 00:00:00.00,2\n2027-01-01 00:00:00.02,3\n",                    50,   ""                                },
        {"time,x\n2026-11-18T03:31:46+01:00,1\n2026-11-18T03:31:47+0100,2\n2026-11-18T01:31:48-01,3\n",               1,    ""                                },
        {"time;x\n23:59:58,5;1\n23:59:59,0;2\n23:59:59,5;3\n",                                                        2,    ""                                },
    };
    static const float want[] = {1, 2, 3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lc_track track = {0};
        check_track(cases[i].text, &(lc_track_format){0}, cases[i].rate, 3, 1, want);
        CHECK_STATUS(parse(&track, cases[i].text, &(lc_track_format){0}, NULL), LOCO_OK);
        if (*cases[i].notice != '\0')
            CHECK_SAYS(track.notice, cases[i].notice);
        else
            CHECK_STR(track.notice, "");
        lc_track_free(&track);
    }
}

/* Values are their times in ms: what comes out must lie on the grid, whatever rows were late, twins or missing. */
static void uneven_times_are_resampled(void)
{
    static const char *const texts[] = {
        "t,x\n0.000,0\n0.018,18\n0.040,40\n0.062,62\n0.080,80\n0.098,98\n0.120,120\n",
        "t,x\n5.00,0\n5.02,10\n5.02,30\n5.04,40\n5.06,60\n5.08,80\n5.10,100\n5.12,120\n",
        "t,x\n5.00,0\n5.02,20\n5.06,60\n5.04,40\n5.05,50\n5.07,70\n5.09,90\n5.08,80\n5.10,100\n5.12,120\n",
        "t,x\n0.00,0\n0.02,20\n0.04,40\n0.06,60\n0.08,80\n0.12,120\n",
        "x;t\n0;0,000\n;0,018\n18;0,018\n40;0,040\n60;0,060\n80;0,080\n100;0,100\n120;0,120\n",
    };
    static const char *const notices[] = {
        "data/walk.csv: time stamps vary (18 to 22 ms); resampled to 50 rows a second",
        "time stamps vary (20 to 20 ms)",
        "time stamps vary (10 to 20 ms)",
        "time stamps vary (20 to 40 ms)",
        "time stamps vary (18 to 22 ms)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        lc_track track = {0};
        loco_err err = {""};
        CHECK_STATUS(parse(&track, texts[i], &(lc_track_format){.missing = LC_MISSING_LINEAR}, &err), LOCO_OK);
        CHECK_STR(err.text, "");
        CHECK_NEAR(track.rate, 50, 0);
        CHECK_EQ(track.frames, 7);
        CHECK_SAYS(track.notice, notices[i]);
        for (size_t k = 0; k < track.frames; k++)
            CHECK_NEAR(track.samples[k], 20 * (double)k, 1e-4);
        lc_track_free(&track);
    }
}

/* 20 rows, a second without any, 20 rows: refused, or filled as missing values are. */
static void long_gaps_are_missing_values(void)
{
    static const struct {
        lc_missing missing;
        float middle;
    } cases[] = {
        {LC_MISSING_HOLD,   1},
        {LC_MISSING_LINEAR, 2},
        {LC_MISSING_ZERO,   0},
    };
    char text[1000] = "t,x\n";
    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d.%02d,%d\n", (i + (i > 19) * 49) / 50,
                 (i + (i > 19) * 49) % 50 * 2, i > 19 ? 3 : 1);
    lc_track track = {0};
    loco_err err = {""};
    CHECK_STATUS(parse(&track, text, &(lc_track_format){0}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "walk.csv:22: a gap of 1.000000 s to the row before; cut the file there, or write missing=");
    for (size_t i = 0; i < 3; i++) {
        CHECK_STATUS(parse(&track, text, &(lc_track_format){.missing = cases[i].missing}, &err), LOCO_OK);
        CHECK_EQ(track.frames, 89);
        CHECK_NEAR(track.samples[19], 1, 0);
        CHECK_NEAR(track.samples[44], cases[i].middle, 0.03);
        CHECK_NEAR(track.samples[69], 3, 0);
        lc_track_free(&track);
    }
    CHECK_STATUS(parse(&track, "t,x\n0,1\n1,1\n2,2\n4e6,1\n", &(lc_track_format){.missing = LC_MISSING_HOLD}, &err),
                 LOCO_EDATA);
    CHECK_SAYS(err.text, "4 rows in 4000000.000000 s; most of this time has no rows");
}

/* A step that drifts from 19 to 21 ms: rows alone would be 1.5 s off in the middle of a minute. */
static void a_drifting_clock_keeps_its_times(void)
{
    static char text[80000];
    size_t at = (size_t)snprintf(text, sizeof text, "t,x\n");
    double time = 0;
    for (int i = 0; i < 3000; i++, time += i < 1500 ? 0.019 : 0.021)
        at += (size_t)snprintf(text + at, sizeof text - at, "%.3f,%.3f\n", time, time);
    lc_track track = {0};
    CHECK_STATUS(parse(&track, text, &(lc_track_format){0}, NULL), LOCO_OK);
    for (size_t i = 0; i < track.frames; i++)
        CHECK_NEAR(track.samples[i], (double)i / track.rate, 1e-3);
    lc_track_free(&track);
}

/* Names of activities, numbers of rows, a second clock. */
static void text_is_set_aside(void)
{
    static const char text[] = ",time,activity,x,date,y\n0,0.00,,1,2026-11-18,2\n1,0.02,walk,3.5,2026-11-18,-4\n"
                               "2,0.04,\"run\",5,2026-11-18,6e-3\n";
    static const float want[] = {1, 2, 3.5f, -4, 5, 6e-3f};
    lc_track track = {0};
    check_track(text, &(lc_track_format){0}, 50, 3, 2, want);
    CHECK_STATUS(parse(&track, text, &(lc_track_format){0}, NULL), LOCO_OK);
    CHECK_STR(track.columns, "x,y");
    CHECK_STR(track.notice, "data/walk.csv: columns that are not read (text or more times): activity, date");
    lc_track_free(&track);
    CHECK_STATUS(parse(&track, text, &(lc_track_format){.columns = "y"}, NULL), LOCO_OK);
    CHECK_EQ(track.ignored, 1);
    CHECK_STR(track.notice, "");
    lc_track_free(&track);
}

static void decimal_commas_are_read(void)
{
    static const lc_track_format nothing;
    static const float want[] = {1.5f, 2, -0.25f, 4, 1e-3f, 6};
    check_track("Time (s);x;y\n0,00;1,5;2\n0,02;-0,25;4\n0,04;1,0E-3;6\n", &nothing, 50, 3, 2, want);
    check_track("t\tx\ty\n0,00\t1,5\t2.0\n0,02\t-,25\t4\n0,04\t0,001\t6\n", &nothing, 50, 3, 2, want);
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
    RUN(a_format_wins);
    RUN(units_are_recognised);
    RUN(uneven_times_are_resampled);
    RUN(long_gaps_are_missing_values);
    RUN(a_drifting_clock_keeps_its_times);
    RUN(text_is_set_aside);
    RUN(decimal_commas_are_read);
    RUN(rounded_times_are_even);
    RUN(missing_values_are_filled_as_asked);
    RUN(the_locale_does_not_matter);
    RUN(limits_hold);
    return check_done();
}
