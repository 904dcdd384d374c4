/* SPDX-License-Identifier: MIT
 * test_settings.c - settings lines: every sentence, and numbers that come back bit for bit. */
#include "cases.h"

#include "base/settings.h"

#include <locale.h>

typedef enum colour { RED, GREEN, BLUE } colour;

typedef struct values {
    int other;
    double width, height;
    size_t legs;
    colour paint;
} values;

static const char *const colours[] = {"red", "green", "blue", NULL};

static const lc_setting box_keys[] = {
    {.key = "width",  .at = offsetof(values, width),  .usual = 0.5, .low = 0.25, .high = 8   },
    {.key = "height", .at = offsetof(values, height), .usual = 2,   .low = 0,    .high = 5000},
};
static const lc_setting bar_keys[] = {
    {.key = "width", .at = offsetof(values, width), .usual = 1, .low = 0, .high = 2},
};
static const lc_settings_kind kinds[] = {
    {.name = "box", .keys = box_keys, .keys_len = 2},
    {.name = "bar", .keys = bar_keys, .keys_len = 1},
};

/* One of each form, under a title of its own. */
static const lc_setting table_keys[] = {
    {.key = "width", .at = offsetof(values,    width),                .usual = 1.5,                         .low = -9e6,     .high = 9e6   },
    {.key = "legs",  .form = LC_SETTING_WHOLE, .at = offsetof(values, legs),                                .usual = 4,      .low = 3,       .high = 1e6},
    {.key = "paint",              .form = LC_SETTING_WORD,                         .at = offsetof(values,          paint), .usual = GREEN, .words = colours},
};
static const lc_settings_kind table = {.name = "t", .title = "the table", .keys = table_keys, .keys_len = 3};

static loco_status parse(values *v, size_t *kind, const char *line, loco_err *err)
{
    return lc_settings_parse(v, kind, kinds, 2, line, strlen(line), err);
}

static void wrong_lines_are_refused(void)
{
    static const struct {
        const char *line, *says;
    } wrong[] = {
        {"",                       "\"\" is not a kind of settings; it is one of box and bar"           },
        {"  ",                     "is not a kind of settings"                                          },
        {"bx",                     "\"bx\" is not a kind of settings; did you mean box?"                },
        {"zzzzzz width=1",         "it is one of box and bar"                                           },
        {"box widht=1",            "box: \"widht\" is not a setting; did you mean width?"               },
        {"box q=1",                "box: \"q\" is not a setting; it is one of width and height"         },
        {"box =1",                 "box: \"\" is not a setting"                                         },
        {"bar height=1",           "bar: \"height\" is not a setting"                                   },
        {"box width",              "box: width has no value; write width=..."                           },
        {"box widht",              "box: \"widht\" is not a setting; write key=value, such as width=..."},
        {"box width=",             "box: width= is not a decimal number; write a number from 0.25 to 8" },
        {"box width=.",            "width=. is not a decimal number"                                    },
        {"box width=1,5",          "width=1,5 is not a decimal number"                                  },
        {"box width=1.5.1",        "width=1.5.1 is not a decimal number"                                },
        {"box width=-1",           "width=-1 is out of range"                                           },
        {"box width=1e1",          "width=1e1 is out of range"                                          },
        {"box width=nan",          "width=nan is not a decimal number"                                  },
        {"box width=0.2499999994", "width=0.2499999994 is out of range"                                 },
        {"box width=8.1",          "box: width=8.1 is out of range; write a number from 0.25 to 8"      },
        {"box height=99999999999", "height=99999999999 is out of range; write a number from 0 to 5000"  },
        {"box width=1 width=1",    "box: width is set twice; write it once"                             },
        {"box width=1 = height=2", "box: \"\" is not a setting"                                         },
        {"box width=\001\377",     "width=?? is not a decimal number"                                   },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        values v = {0};
        size_t kind = 9;
        loco_err err = {""};
        CHECK_STATUS(parse(&v, &kind, wrong[i].line, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrong[i].says);
        CHECK_EQ(kind, 9);
        CHECK_STATUS(parse(&v, &kind, wrong[i].line, NULL), LOCO_EDATA);
    }
}

/* A quoted word is cut, so that the valid range still fits into the message. */
static void long_words_are_cut(void)
{
    char line[1000] = "box width=";
    values v = {0};
    size_t kind;
    loco_err err = {""};
    memset(line + 10, '1', sizeof line - 11);
    CHECK_STATUS(parse(&v, &kind, line, &err), LOCO_EDATA);
    CHECK_SAYS(err.text,
               "width=11111111111111111111111111111111 is not a decimal number; write a number from 0.25 to 8");
    CHECK_STATUS(parse(&v, &kind, line + 4, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "is not a kind of settings; it is one of box and bar");
}

static void lines_are_read(void)
{
    values v = {.other = 3};
    size_t kind = 9;
    loco_err err = {""};
    CHECK_STATUS(parse(&v, &kind, "box", &err), LOCO_OK);
    CHECK(kind == 0 && v.other == 3);
    CHECK_NEAR(v.width, 0.5, 0);
    CHECK_NEAR(v.height, 2, 0);
    CHECK_STATUS(parse(&v, &kind, " \tbar  width=.25 ", &err), LOCO_OK);
    CHECK_EQ(kind, 1);
    CHECK_NEAR(v.width, 0.25, 0);
    CHECK_STATUS(parse(&v, &kind, "box height=5000 width=8.", &err), LOCO_OK);
    CHECK_NEAR(v.width, 8, 0);
    CHECK_NEAR(v.height, 5000, 0);
    CHECK_STATUS(parse(&v, &kind, "box width=0.2499999996", &err), LOCO_OK); /* 0.25 to 9 decimals */
    CHECK_NEAR(v.width, 0.25, 0);
    /* not more than length bytes */
    CHECK_STATUS(lc_settings_parse(&v, &kind, kinds, 2, "box width=1.55", 13, &err), LOCO_OK);
    CHECK_NEAR(v.width, 1.5, 0);
}

static void one_setting_changes_alone(void)
{
    values v = {.width = 1, .height = 2};
    loco_err err = {""};
    CHECK_STATUS(lc_settings_set(&v, &kinds[0], " height=7.5 ", 12, &err), LOCO_OK);
    CHECK_NEAR(v.height, 7.5, 0);
    CHECK_NEAR(v.width, 1, 0);
    CHECK_STATUS(lc_settings_set(&v, &kinds[0], "height=5001", 11, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "out of range");
    CHECK_STATUS(lc_settings_set(&v, &kinds[0], "height=1 width=2", 16, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "\"height=1\" is followed by more");
    CHECK_STATUS(lc_settings_set(&v, &kinds[0], "", 0, &err), LOCO_EDATA);
    CHECK_NEAR(v.height, 7.5, 0);
}

static void values_are_checked(void)
{
    loco_err err = {""};
    values v = {.width = 1, .height = 2};
    CHECK_STATUS(lc_settings_check(&v, &kinds[0], &err), LOCO_OK);
    v.height = 5000.5;
    CHECK_STATUS(lc_settings_check(&v, &kinds[0], &err), LOCO_EARG);
    CHECK_SAYS(err.text, "box: height=5000.5 is out of range; write a number from 0 to 5000");
    v.height = (double)NAN;
    CHECK_STATUS(lc_settings_check(&v, &kinds[0], &err), LOCO_EARG);
    CHECK_SAYS(err.text, "box: height=? is out of range");
}

/* Any number, written and read, is the same from the second time on; with a comma for a point in the locale, if there
 * is such a one. */
static void numbers_come_back(void)
{
    lc_rng rng = lc_rng_seed(1);
    printf("    locale %s\n", setlocale(LC_ALL, "de_DE.UTF-8") != NULL ? "de_DE" : "C");
    for (size_t i = 0; i < 2000; i++) {
        values v = {.width = 0.25 + 7.75 * lc_rng_uniform(&rng), .height = 5000 * lc_rng_uniform(&rng)}, read = {0};
        values again = {0};
        lc_text text = {0}, second = {0};
        size_t kind;
        loco_err err = {""};
        lc_settings_format(&v, &kinds[0], &text);
        CHECK_STATUS(parse(&read, &kind, text.bytes, &err), LOCO_OK);
        CHECK_NEAR(read.width, v.width, 6e-10);
        CHECK_NEAR(read.height, v.height, 6e-10);
        lc_settings_format(&read, &kinds[0], &second);
        CHECK_STR(text.bytes, second.bytes);
        CHECK_STATUS(parse(&again, &kind, second.bytes, &err), LOCO_OK);
        CHECK(case_same(&again.width, &read.width, 8) && case_same(&again.height, &read.height, 8));
        lc_text_free(&text);
        lc_text_free(&second);
    }
    setlocale(LC_ALL, "C");
}

static void wrong_forms_are_refused(void)
{
    static const struct {
        const char *line, *says;
    } wrong[] = {
        {"",             "the table: \"\" stands where the line must begin with the word t"        },
        {"tt legs=3",    "the table: \"tt\" stands where"                                          },
        {"t legs=3.5",   "the table: legs=3.5 is not whole; write a whole number from 3 to 1000000"},
        {"t legs=2",     "legs=2 is out of range; write a whole number"                            },
        {"t legs=green", "legs=green is not a decimal number"                                      },
        {"t paint=gren", "the table: paint=gren is unknown; write red, green or blue"              },
        {"t paint=",     "paint= is unknown"                                                       },
        {"t paint=1",    "paint=1 is unknown"                                                      },
        {"t paint",      "the table: paint has no value; write paint=..."                          },
        {"t leg=3",      "the table: \"leg\" is not a setting; did you mean legs?"                 },
        {"t LEGS=3",     "did you mean legs?"                                                      },
        {"t q=3",        "it is one of width, legs and paint"                                      },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        values v = {0};
        size_t kind = 9;
        loco_err err = {""};
        CHECK_STATUS(lc_settings_parse(&v, &kind, &table, 1, wrong[i].line, strlen(wrong[i].line), &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrong[i].says);
        CHECK_EQ(kind, 9);
    }
    values v = {.width = 1, .legs = 2};
    loco_err err = {""};
    CHECK_STATUS(lc_settings_check(&v, &table, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the table: legs=2 is out of range");
    v.legs = 3;
    CHECK_STATUS(lc_settings_check(&v, &table, &err), LOCO_OK);
    v.paint = (colour)3;
    CHECK_STATUS(lc_settings_check(&v, &table, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "the table: paint=3 is unknown; write red, green or blue");
}

static void check_table(const char *line, const char *want)
{
    values v = {.other = 5}, again = {0};
    lc_text text = {0}, second = {0};
    size_t kind;
    CHECK_STATUS(lc_settings_parse(&v, &kind, &table, 1, line, strlen(line), NULL), LOCO_OK);
    lc_settings_format(&v, &table, &text);
    CHECK_STR(text.bytes, want);
    CHECK_STATUS(lc_settings_parse(&again, &kind, &table, 1, text.bytes, text.length, NULL), LOCO_OK);
    CHECK(case_same(&again.width, &v.width, sizeof v.width) && again.legs == v.legs && again.paint == v.paint);
    lc_settings_format(&again, &table, &second);
    CHECK_STR(second.bytes, want);
    CHECK_EQ((size_t)v.other, 5);
    lc_text_free(&text);
    lc_text_free(&second);
}

/* A -0 becomes 0; around 2^23 = 8388608 rounding ends. */
static void forms_are_read_and_written(void)
{
    check_table("t", "t width=1.5 legs=4 paint=green");
    check_table(" t\r\n paint=blue\tlegs=1e3\n", "t width=1.5 legs=1000 paint=blue");
    check_table("t paint=red width=-0.0000000001 legs=+3.0", "t width=0 legs=3 paint=red");
    check_table("t width=-2.5e-1", "t width=-0.25 legs=4 paint=green");
    check_table("t width=8388607.123456789", "t width=8388607.123456789 legs=4 paint=green");
    check_table("t width=-8388609.1", "t width=-8388609.1 legs=4 paint=green");
}

int main(void)
{
    RUN(wrong_lines_are_refused);
    RUN(wrong_forms_are_refused);
    RUN(long_words_are_cut);
    RUN(lines_are_read);
    RUN(one_setting_changes_alone);
    RUN(values_are_checked);
    RUN(forms_are_read_and_written);
    RUN(numbers_come_back);
    return check_done();
}
