/* SPDX-License-Identifier: MIT
 * test_field.c - outside text: numbers as strtod reads them in the C locale, UTF-8, and sentences that stay clean. */
#include "data_cases.h"

#include "base/rng.h"
#include "data/field.h"

#include <locale.h>

static int reads(const char *text, double want)
{
    double number = -77;
    return lc_field_number(text, strlen(text), &number) && number >= want && number <= want;
}

static int refuses(const char *text)
{
    double number = -77;
    return !lc_field_number(text, strlen(text), &number) && number < -76 && number > -78;
}

static void what_is_no_number_is_refused(void)
{
    static const char *const wrong[] = {"",
                                        " ",
                                        "x",
                                        "1x",
                                        "1 ",
                                        " 1",
                                        ".",
                                        "-",
                                        "+",
                                        "1.2.3",
                                        "0x10",
                                        "inf",
                                        "nan",
                                        "1e",
                                        "1e+",
                                        "e5",
                                        "--1",
                                        "1-",
                                        "1e999",
                                        "1,5",
                                        "1e5.0",
                                        "1_000",
                                        "1e9999999999",
                                        "-1e400",
                                        "1111111111222222222233333333334444444444555555555566666666667777"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(refuses(wrong[i]));
}

static void numbers_are_read(void)
{
    CHECK(reads("0", 0) && reads("-0", 0) && reads("12", 12) && reads("+12", 12) && reads("-2.5", -2.5));
    CHECK(reads(".5", 0.5) && reads("5.", 5) && reads("1e3", 1000) && reads("1E-3", 0.001) && reads("25e+1", 250));
    CHECK(reads("0.040000", 0.04) && reads("000000000000000000000000000001.5", 1.5));
    CHECK(reads("12345678901234567890123", 12345678901234567890123.0));
    CHECK(reads("1e-9999999999", 0) && reads("0e9999", 0) && reads("1e22", 1e22) && reads("0.1", 0.1));
}

/* All times that are written with 6 decimals come back to the last bit. */
static void times_are_exact(void)
{
    lc_rng rng = lc_rng_seed(2);
    size_t wrong = 0;
    for (int i = 0; i < 20000; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.6f", lc_rng_uniform(&rng) * (i % 2 == 0 ? 1e7 : 10));
        wrong += !reads(text, strtod(text, NULL));
    }
    CHECK_EQ(wrong, 0);
}

static void long_numbers_are_near(void)
{
    lc_rng rng = lc_rng_seed(3);
    for (int i = 0; i < 2000; i++) {
        char text[64];
        double number, x = (lc_rng_uniform(&rng) - 0.5) * exp(200 * (lc_rng_uniform(&rng) - 0.5));
        snprintf(text, sizeof text, "%.17g", x);
        CHECK(lc_field_number(text, strlen(text), &number));
        CHECK_NEAR(number, x, fabs(x) * 1e-14);
    }
}

/* Skipped where no locale with a comma is installed. */
static void locale_changes_nothing(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setlocale(LC_ALL, names[i]) != NULL)
            break;
    CHECK(reads("1.5", 1.5));
    CHECK(refuses("1,5"));
    setlocale(LC_ALL, "C");
}

static void text_is_checked(void)
{
    static const char *const good[] = {"", "a\tb\r\nc\n", "\xc3\xa4\xe2\x82\xac\xf0\x9d\x84\x9e",
                                       "\xef\xbf\xbf\xed\x9f\xbf"};
    static const char *const bad[] = {"\x80",
                                      "\xc3",
                                      "\xc0\x80",
                                      "\xe0\x80\x80",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xe2\x82",
                                      "\xf0\x80\x80\x80",
                                      "\xff\xfe"};
    loco_err err = {""};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK_STATUS(lc_field_check("x.csv", good[i], strlen(good[i]), &err), LOCO_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_STATUS(lc_field_check("x.csv", bad[i], strlen(bad[i]), &err), LOCO_EDATA);
    CHECK_STATUS(lc_field_check("x.csv", "a\nb\nc\x1b", 6, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "x.csv:3: the byte 0x1b");
    CHECK_STATUS(lc_field_check("x.csv", "a\0b", 3, &err), LOCO_EDATA);
    CHECK_STATUS(lc_field_check("x.csv", "\n\xff", 2, NULL), LOCO_EDATA);
    CHECK_EQ(lc_field_mark("\xef\xbb\xbf", 3), 3);
    CHECK_EQ(lc_field_mark("\xef\xbb\xbf", 2), 0);
}

static void shown_text_is_clean_and_short(void)
{
    CHECK_STR(lc_field_show("plain", 5).text, "plain");
    CHECK_STR(lc_field_show("a\x1b[2Jb\n", 7).text, "a?[2Jb?");
    CHECK_STR(lc_field_show("\xc2\x9b\x80z", 4).text, "??z");
    CHECK_STR(lc_field_show("\xc3\xa4", 2).text, "\xc3\xa4");
    char text[500];
    for (size_t length = 0; length < sizeof text - 1; length++) {
        for (size_t i = 0; i < length; i++)
            text[i] = i % 2 == 0 ? '\xc3' : '\xa4';
        lc_field_shown shown = lc_field_show(text, length);
        size_t n = strlen(shown.text);
        CHECK(n < sizeof shown.text && (length > 44 ? strcmp(shown.text + n - 3, "...") == 0 : n == length));
        CHECK_STATUS(lc_field_check("x", shown.text, n, NULL), LOCO_OK);
    }
}

static void places_are_named(void)
{
    CHECK_STR(lc_place_show((lc_place){"a/counts.csv", 3, "kick"}).text, "a/counts.csv:3: column \"kick\"");
    CHECK_STR(lc_place_show((lc_place){"counts.csv", 12, NULL}).text, "counts.csv:12");
    CHECK_STR(lc_place_show((lc_place){"counts.csv", 0, NULL}).text, "counts.csv");
    CHECK_STR(lc_place_byte("a.mid", 22).text, "a.mid, byte 22");
    char path[1000];
    memset(path, 'p', sizeof path);
    memcpy(path + sizeof path - 10, "/take.csv", 10);
    lc_where where = lc_place_show((lc_place){path, SIZE_MAX, path});
    CHECK_SAYS(where.text, "/take.csv:");
    CHECK_SAYS(where.text, "column \"ppp");
    CHECK(where.text[strlen(where.text) - 1] == '"');
}

int main(void)
{
    RUN(what_is_no_number_is_refused);
    RUN(numbers_are_read);
    RUN(times_are_exact);
    RUN(long_numbers_are_near);
    RUN(locale_changes_nothing);
    RUN(text_is_checked);
    RUN(shown_text_is_clean_and_short);
    RUN(places_are_named);
    return check_done();
}
