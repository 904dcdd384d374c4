/* SPDX-License-Identifier: MIT
 * test_decoding.c - the decoding line: methods, their settings, and what is refused. */
#include "cases.h"

#include "model/decoding.h"

static loco_status parse(lc_decoding *decoding, const char *line, loco_err *err)
{
    return lc_decoding_parse(decoding, line, strlen(line), err);
}

/* Bit for bit, but for the padding. */
static bool same(const lc_decoding *a, const lc_decoding *b)
{
    double x[] = {a->threshold, a->window, a->gap, a->reset, a->quiet};
    double y[] = {b->threshold, b->window, b->gap, b->reset, b->quiet};
    return a->method == b->method && case_same(x, y, sizeof x);
}

static void wrong_lines_are_refused(void)
{
    static const struct {
        const char *line, *says;
    } wrong[] = {
        {"",                                 "it is one of mass, peak and count"                                                },
        {"mas threshold=0.3",                "did you mean mass?"                                                               },
        {"Peak",                             "did you mean peak?"                                                               },
        {"mass treshold=0.3",                "mass: \"treshold\" is not a setting; did you mean threshold?"                     },
        {"peak window=0.01",                 "peak: \"window\" is not a setting; it is one of threshold, gap, versions and snap"},
        {"count gap=0.1",                    "count: \"gap\" is not a setting; it is one of reset and quiet"                    },
        {"peak threshold=0",                 "threshold=0 is out of range; write a number from 0.000001 to 1"                   },
        {"peak threshold=1.01",              "out of range"                                                                     },
        {"mass window=101",                  "window=101 is out of range; write a number from 0 to 100"                         },
        {"mass gap=1001",                    "write a number from 0 to 1000"                                                    },
        {"count reset=3601",                 "write a number from 0 to 3600"                                                    },
        {"count quiet=2",                    "write a number from 0 to 1"                                                       },
        {"mass gap=0.1 threshold=1 gap=0.1", "gap is set twice"                                                                 },
    };
    lc_decoding before = lc_decoding_default(LC_DECODE_COUNT), decoding = before;
    loco_err err = {""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_STATUS(parse(&decoding, wrong[i].line, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrong[i].says);
    }
    CHECK(same(&decoding, &before));
    decoding.method = (lc_decode_method)3;
    CHECK_STATUS(lc_decoding_check(&decoding, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "decoding method 3");
    CHECK_STATUS(lc_decoding_set(&decoding, "gap=1", 5, &err), LOCO_EARG);
    decoding = lc_decoding_default(LC_DECODE_PEAK);
    decoding.threshold = (double)NAN;
    CHECK_STATUS(lc_decoding_check(&decoding, &err), LOCO_EARG);
    decoding.threshold = 0;
    CHECK_STATUS(lc_decoding_check(&decoding, &err), LOCO_EARG);
}

static void check_format(const lc_decoding *decoding, const char *line)
{
    lc_text text = {0};
    lc_decoding_format(decoding, &text);
    CHECK_STR(text.bytes, line);
    lc_text_free(&text);
}

static void default_settings_are_these(void)
{
    static const char *const lines[] = {
        [LC_DECODE_MASS] = "mass window=0.01 threshold=0.3 gap=0.04",
        [LC_DECODE_PEAK] = "peak threshold=0.3 gap=0.03",
        [LC_DECODE_COUNT] = "count reset=0.25 quiet=0.02",
    };
    static const char *const names[] = {"mass", "peak", "count"};
    for (lc_decode_method m = LC_DECODE_MASS; m <= LC_DECODE_COUNT; m++) {
        lc_decoding defaults = lc_decoding_default(m), read;
        loco_err err = {""};
        CHECK_STATUS(lc_decoding_check(&defaults, &err), LOCO_OK);
        check_format(&defaults, lines[m]);
        CHECK_STATUS(parse(&read, names[m], &err), LOCO_OK);
        CHECK(read.method == m);
        check_format(&read, lines[m]);
        CHECK_STATUS(parse(&read, lines[m], &err), LOCO_OK);
        CHECK(same(&read, &defaults));
    }
}

static void settings_are_read(void)
{
    lc_decoding d;
    loco_err err = {""};
    CHECK_STATUS(parse(&d, "mass gap=0.1 threshold=0.45 window=0.02", &err), LOCO_OK);
    CHECK(d.method == LC_DECODE_MASS);
    CHECK_NEAR(d.gap, 0.1, 0);
    CHECK_NEAR(d.threshold, 0.45, 0);
    CHECK_NEAR(d.window, 0.02, 0);
    CHECK_STATUS(lc_decoding_set(&d, "gap=0.25", 8, &err), LOCO_OK);
    check_format(&d, "mass window=0.02 threshold=0.45 gap=0.25");
    CHECK_STATUS(lc_decoding_set(&d, "versions=8", 10, &err), LOCO_OK); /* written only where there is a vote */
    CHECK_EQ(d.versions, 8);
    check_format(&d, "mass window=0.02 threshold=0.45 gap=0.25 versions=8");
    CHECK_STATUS(lc_decoding_set(&d, "versions=65", 11, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "versions=65");
    CHECK(!lc_decoding_plain(&d));
    CHECK_STATUS(lc_decoding_set(&d, "versions=1", 10, &err), LOCO_OK);
    CHECK(lc_decoding_plain(&d));
    CHECK_STATUS(lc_decoding_set(&d, "snap=0.015", 10, &err), LOCO_OK); /* the same */
    CHECK_NEAR(d.snap, 0.015, 0);
    CHECK(!lc_decoding_plain(&d));
    check_format(&d, "mass window=0.02 threshold=0.45 gap=0.25 snap=0.015");
    CHECK_STATUS(lc_decoding_set(&d, "snap=0.2", 8, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "snap=0.2");
    CHECK_STATUS(lc_decoding_set(&d, "quiet=0.25", 10, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "mass: \"quiet\" is not a setting");
    CHECK_STATUS(parse(&d, "count quiet=0 reset=1", &err), LOCO_OK);
    check_format(&d, "count reset=1 quiet=0");
}

static void probabilities_are_exact(void)
{
    CHECK_NEAR(lc_probability(0), 0.5, 0);
    CHECK_NEAR(lc_probability(2), 1 / (1 + exp(-2)), 1e-16);
    CHECK_NEAR(lc_probability(-40) / exp(-40), 1, 1e-15);
    CHECK_NEAR(lc_probability(-3) + lc_probability(3), 1, 1e-15);
    CHECK_NEAR(lc_probability(INFINITY), 1, 0);
    CHECK_NEAR(lc_probability(-INFINITY), 0, 0);
    CHECK_NEAR(lc_probability(NAN), 0, 0);
    CHECK(lc_probability(30) < lc_probability(31));
}

int main(void)
{
    RUN(wrong_lines_are_refused);
    RUN(default_settings_are_these);
    RUN(settings_are_read);
    RUN(probabilities_are_exact);
    return check_done();
}
