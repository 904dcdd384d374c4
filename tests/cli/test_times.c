/* SPDX-License-Identifier: MIT
 *
 * test_times.c - times on the command line: what is read, and what every refusal says.
 */
#include "check.h"

#include "../cli/times.h"

static loco_err err;

static double seconds_of(const char *text)
{
    double seconds = -1;
    CHECK_STATUS(lc_time_parse(&seconds, text, strlen(text), &err), LOCO_OK);
    return seconds;
}

static void check_refused(const char *text, const char *says)
{
    double seconds = -1;
    err.text[0] = 0;
    CHECK_STATUS(lc_time_parse(&seconds, text, strlen(text), &err), LOCO_EARG);
    CHECK(seconds <= -1 && seconds >= -1);
    if (strstr(err.text, says) == NULL)
        CHECK_STR(err.text, says);
}

/* Equal, not near: 50ms must be the number that 0.05 is in a program. */
static void units_are_read_exactly(void)
{
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {
        {"50ms",   0.05 },
        {"0.05s",  0.05 },
        {"20ms",   0.02 },
        {"150ms",  0.15 },
        {"7ms",    0.007},
        {"0ms",    0    },
        {"0s",     0    },
        {".5s",    0.5  },
        {"1.5s",   1.5  },
        {"2min",   120  },
        {"0.5min", 30   },
        {"1h",     3600 },
        {"250us",  25e-5},
        {"1e3ms",  1    },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double found = seconds_of(cases[i].text);
        CHECK(found <= cases[i].seconds && found >= cases[i].seconds);
    }
}

static void a_number_without_a_unit_is_refused(void)
{
    check_refused("0.15", "write the unit: 150ms or 0.15s");
    check_refused("50", "write the unit: 50ms or 50s");
    check_refused("0", "write the unit: 0ms or 0s");
}

static void what_is_not_a_time_is_refused(void)
{
    static const char *const texts[] = {"", "-1s", "+1s", "ms", "soon", "nan", "infs", "0x10s", " 1s", "1e999s", "..s"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_refused(texts[i], "not a time; write such as 50ms, 0.5s or 2min");
    check_refused("50mss", "\"mss\" is not a unit of time; use us, ms, s, min or h");
    check_refused("50 ms", "\" ms\" is not a unit");
    check_refused("5sec", "\"sec\" is not a unit");
    check_refused("1m", "\"m\" is not a unit");
    check_refused("1s1s", "\"s1s\" is not a unit");
    check_refused("00000000000000000000000000000000000000001s", "not a time");
}

static void lists_have_commas(void)
{
    double seconds[2] = {0, 0};
    size_t len = 0;
    CHECK_STATUS(lc_times_parse(seconds, &len, 2, 60, "50ms,1s", &err), LOCO_OK);
    CHECK(len == 2 && seconds[0] <= 0.05 && seconds[0] >= 0.05 && seconds[1] <= 1 && seconds[1] >= 1);
    CHECK_STATUS(lc_times_parse(seconds, &len, 2, 60, "30ms", &err), LOCO_OK);
    CHECK(len == 1);
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"50,20",     "write the unit: 50ms or 50s"   },
        {"50ms,20",   "write the unit: 20ms or 20s"   },
        {"50ms,",     "not a time"                    },
        {",50ms",     "not a time"                    },
        {"",          "not a time"                    },
        {"1s,2s,3s",  "more than 2 times"             },
        {"0s",        "takes times above 0, up to 60s"},
        {"61s",       "takes times above 0, up to 60s"},
        {"50ms;20ms", "is not a unit"                 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        len = 7;
        CHECK_STATUS(lc_times_parse(seconds, &len, 2, 60, cases[i].text, &err), LOCO_EARG);
        CHECK(len == 7);
        if (strstr(err.text, cases[i].says) == NULL)
            CHECK_STR(err.text, cases[i].says);
    }
}

static void tolerances_may_be_pixels(void)
{
    double values[2] = {0, 0};
    size_t len = 0;
    bool pixels = false;
    CHECK_STATUS(lc_tolerances_parse(values, &len, &pixels, 2, "14px,.5px", &err), LOCO_OK);
    CHECK(pixels && len == 2 && values[0] <= 14 && values[0] >= 14 && values[1] <= 0.5 && values[1] >= 0.5);
    CHECK_STATUS(lc_tolerances_parse(values, &len, &pixels, 2, "50ms", &err), LOCO_OK);
    CHECK(!pixels && len == 1 && values[0] <= 0.05 && values[0] >= 0.05);
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"14px,50ms", "write all of them in px, for images, or all as times"},
        {"0px",       "takes distances above 0, up to 10000px"              },
        {"10001px",   "takes distances above 0, up to 10000px"              },
        {"px",        "not a time"                                          },
        {"14 px",     "is not a unit"                                       },
        {"-1px",      "not a time"                                          },
        {"61s",       "up to 60s"                                           },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_STATUS(lc_tolerances_parse(values, &len, &pixels, 2, cases[i].text, &err), LOCO_EARG);
        if (strstr(err.text, cases[i].says) == NULL)
            CHECK_STR(err.text, cases[i].says);
    }
    CHECK_STATUS(lc_times_parse(values, &len, 2, 60, "14px", &err), LOCO_EARG); /* pixels are not times */
}

int main(void)
{
    RUN(units_are_read_exactly);
    RUN(a_number_without_a_unit_is_refused);
    RUN(what_is_not_a_time_is_refused);
    RUN(lists_have_commas);
    RUN(tolerances_may_be_pixels);
    return check_done();
}
