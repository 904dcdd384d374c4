/* SPDX-License-Identifier: MIT
 * test_number.c - decimal numbers: what is one, what is not, and that no locale changes it. */
#include "base/number.h"
#include "base/rng.h"
#include "check.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static void reads(const char *text, double value)
{
    double number = -12345;
    CHECK(lc_number_parse(text, strlen(text), &number));
    CHECK(number == value);
}

static void refuses(const char *text)
{
    double number = -12345;
    CHECK(!lc_number_parse(text, strlen(text), &number));
    CHECK(number == -12345);
}

static void all_cases(void)
{
    static const char *const wrong[] = {"",   " 1", "1 ", "three", "1,5",   "inf",          "nan",   "0x10", "1e",
                                        "e5", ".",  "-",  "+-1",   "1.2.3", "1e400",        "--1",   "1e+",  "1_0",
                                        "x",  "1x", "+",  "1-",    "1e5.0", "1e9999999999", "-1e400"};
    reads("3", 3);
    reads("-0.25", -0.25);
    reads("+7", 7);
    reads(".5", .5);
    reads("5.", 5);
    reads("1e-3", 1e-3);
    reads("0.1", 0.1);
    reads("1E2", 100);
    reads("123456789.123456789", 123456789.123456789);
    reads("000000000000000000000000000001.5", 1.5);
    reads("12345678901234567890123", 12345678901234567890123.0);
    reads("1e-9999999999", 0);
    reads("0e9999", 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        refuses(wrong[i]);
    refuses("1111111111111111111111111111111111111111111111111111111111111111"); /* 64 characters */
}

static void only_the_length_counts(void)
{
    double number;
    CHECK(lc_number_parse("1.25x", 4, &number));
    CHECK(number == 1.25);
}

/* Times with 6 decimals, and doubles with 17 digits, come back to the last bit. */
static void numbers_come_back(void)
{
    lc_rng rng = lc_rng_seed(2);
    size_t wrong = 0;
    for (int i = 0; i < 20000; i++) {
        char text[64];
        double number = -1, x = (lc_rng_uniform(&rng) - 0.5) * exp(200 * (lc_rng_uniform(&rng) - 0.5));
        snprintf(text, sizeof text, "%.17g", x);
        wrong += !lc_number_parse(text, strlen(text), &number) || number != x;
        snprintf(text, sizeof text, "%.6f", lc_rng_uniform(&rng) * (i % 2 == 0 ? 1e7 : 10));
        wrong += !lc_number_parse(text, strlen(text), &number) || number != strtod(text, NULL);
    }
    CHECK_EQ(wrong, 0);
}

/* Locales that are not installed are passed over. */
static void every_locale_reads_alike(void)
{
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++)
        if (setlocale(LC_ALL, locales[i]) != NULL)
            all_cases();
    setlocale(LC_ALL, "C");
}

static void a_comma_may_be_the_point(void)
{
    static const char *const wrong[] = {"", ",", "1,5,2", "1,500.0", "1.5,2", " 1,5", "1,5e"};
    double number = -1;
    CHECK(lc_number_parse_comma("1,5", 3, &number) && number == 1.5);
    CHECK(lc_number_parse_comma("-,25E1", 6, &number) && number == -2.5);
    CHECK(lc_number_parse_comma("1.5", 3, &number) && number == 1.5);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!lc_number_parse_comma(wrong[i], strlen(wrong[i]), &number));
}

int main(void)
{
    RUN(every_locale_reads_alike);
    RUN(only_the_length_counts);
    RUN(numbers_come_back);
    RUN(a_comma_may_be_the_point);
    return check_done();
}
