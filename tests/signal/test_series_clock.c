/* SPDX-License-Identifier: MIT
 * test_series_clock.c - which columns hold times, in which unit, and what dates mean. */
#include "cases.h"

#include "signal/series_clock.h"

static void names_are_recognised(void)
{
    static const struct {
        const char *name;
        double unit; /* -1: not a time */
    } cases[] = {
        {"time",                   0   },
        {"T",                      0   },
        {"Timestamp",              0   },
        {"time_stamp",             0   },
        {"loggingTime(txt)",       0   },
        {"timestamp (+0700)",      0   },
        {"seconds",                1   },
        {"seconds_elapsed",        1   },
        {"Time (s)",               1   },
        {"epoc (ms)",              1e-3},
        {"time_ms",                1e-3},
        {"timestampMillis",        1e-3},
        {"Time since start in ms", 1e-3},
        {"time [\xc2\xb5s]",       1e-6},
        {"t_us",                   1e-6},
        {"timestamp (ns)",         1e-9},
        {"",                       -1  },
        {"x",                      -1  },
        {"s",                      -1  },
        {"date",                   -1  },
        {"elapsed",                -1  },
        {"times",                  -1  },
        {"t0",                     -1  },
        {"acc_t",                  -1  },
        {"sensor",                 -1  },
        {"contact time",           -1  },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double unit = -2;
        bool is_time = lc_clock_name(cases[i].name, strlen(cases[i].name), &unit);
        CHECK_EQ(is_time, cases[i].unit >= 0);
        if (is_time)
            CHECK_NEAR(unit, cases[i].unit, 0);
        if (is_time != (cases[i].unit >= 0))
            printf("    \"%s\"\n", cases[i].name);
    }
}

static void dates_are_read(void)
{
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {
        {"1970-01-01T00:00:00Z",             0             },
        {"2000-02-29 12:00",                 951825600     },
        {"2026-11-18T03:31:46.125Z",         1794972706.125},
        {"2026-11-18 03:31:46,125 UTC",      1794972706.125},
        {"2026/11/18 04:31:46.125+01:00",    1794972706.125},
        {"2026-11-17T22:31:46.125 -0500",    1794972706.125},
        {"2026-11-18T03:31:46.125000000+00", 1794972706.125},
        {"2100-03-01T00:00:00z",             4107542400    },
        {"23:59:59.5",                       86399.5       },
    };
    static const char *const wrongs[] = {"",
                                         "2026-11-18",
                                         "2026-11-18T",
                                         "2026-13-18T03:31:46",
                                         "2026-11-32T03:31:46",
                                         "2026-11-18T24:00:00",
                                         "2026-11-18T03:60:00",
                                         "2026-11-18T03:31:46ZZ",
                                         "2026-11-18T03:31:4",
                                         "2026-11-18T03:31:46+1",
                                         "2026-11-18T03:31:46 noon",
                                         "26-11-18T03:31:46",
                                         "3:31:46"};
    double seconds = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(lc_clock_date(cases[i].text, strlen(cases[i].text), &seconds));
        CHECK_NEAR(seconds, cases[i].seconds, 1e-6);
    }
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
        CHECK(!lc_clock_date(wrongs[i], strlen(wrongs[i]), &seconds));
}

static void units_are_guessed(void)
{
    CHECK_NEAR(lc_clock_unit(0, 0.02, 0), 1, 0);
    CHECK_NEAR(lc_clock_unit(0, 1, 0), 1, 0);
    CHECK_NEAR(lc_clock_unit(0, 20, 0), 1e-3, 0);
    CHECK_NEAR(lc_clock_unit(0, 1000, 0), 1e-3, 0);
    CHECK_NEAR(lc_clock_unit(0, 2e4, 0), 1e-6, 0);
    CHECK_NEAR(lc_clock_unit(0, 2e7, 0), 1e-9, 0);
    CHECK_NEAR(lc_clock_unit(1.7e12, 1, 0), 1e-3, 0); /* a thousand rows a second, in ms since 1970 */
    CHECK_NEAR(lc_clock_unit(1.7e9, 20, 0), 1e-3, 0); /* ms since a phone was started three weeks ago */
    CHECK_NEAR(lc_clock_unit(0, 1, 1000), 1e-3, 0);   /* as stated */
    CHECK_NEAR(lc_clock_unit(0, 1, 50), 1, 0);        /* no unit agrees */
    CHECK_STR(lc_clock_unit_name(1e-6), "microseconds");
    CHECK_NEAR(lc_clock_quantum("12.345", 6), 1e-3, 1e-12);
    CHECK_NEAR(lc_clock_quantum("03:31:46,12Z", 12), 1e-2, 1e-12);
    CHECK_NEAR(lc_clock_quantum("12", 2), 1, 0);
    CHECK_NEAR(lc_clock_quantum("1.2e3", 5), 0, 0);
}

int main(void)
{
    RUN(names_are_recognised);
    RUN(dates_are_read);
    RUN(units_are_guessed);
    return check_done();
}
