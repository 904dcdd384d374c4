/* SPDX-License-Identifier: MIT
 * test_label.c - labels as text: what is read, what every refusal says, and formatting. */
#include "cases.h"

static loco_err err;

static loco_status parse(loco_label *label, const char *text)
{
    return loco_label_parse(label, text, strlen(text), &err);
}

static void check_refused(const char *text, const char *says)
{
    loco_label label = {11, 22};
    CHECK_STATUS(parse(&label, text), LOCO_EDATA);
    CHECK_SAYS(err.text, says);
    CHECK(label.lo == 11 && label.hi == 22);
    CHECK_STATUS(loco_label_parse(&label, text, strlen(text), NULL), LOCO_EDATA);
}

static void null_is_refused(void)
{
    loco_label label;
    CHECK_STATUS(loco_label_parse(NULL, "3", 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "must not be NULL");
    CHECK_STATUS(loco_label_parse(&label, NULL, 0, &err), LOCO_EARG);
}

static void invalid_labels_are_refused(void)
{
    static const char *const bad[] = {
        "",      " ",       "x",   "-1",     "+1",    "1.5",   "1e3", "3x", "3 4",  "..",   "3..", "..4",
        "3...4", "3..4..5", ">",   ">=",     "> =1",  ">= -1", "=>1", "<4", "<=",   "<=x",  "??",  "? 3",
        "3?",    "0x3",     "1,2", ">=1..2", "3. .4", "\n3",   "3\n", "٣",  "3..?", "?..3", ">=?",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        check_refused(bad[i], "is not a count; write 3, 2..5, >=1, <=4 or ?");
    check_refused("three", "\"three\" is not a count");
    check_refused("5..2", "the range \"5..2\" is empty; write the smaller count first: 2..5");
}

/* LOCO_NO_LIMIT is not a number, and nothing wraps around. */
static void large_numbers_are_exact_or_refused(void)
{
    char text[64];
    loco_label label;
    snprintf(text, sizeof text, "%zu", LOCO_NO_LIMIT);
    check_refused(text, "is not a count");
    check_refused("99999999999999999999999999", "is not a count");
    check_refused("1..18446744073709551616", "is not a count");
    check_refused(">=18446744073709551617", "is not a count");
    snprintf(text, sizeof text, "<=%zu", LOCO_NO_LIMIT - 1);
    CHECK_STATUS(parse(&label, text), LOCO_OK);
    CHECK(label.lo == 0 && label.hi == LOCO_NO_LIMIT - 1);
    CHECK_STATUS(parse(&label, "00000000000000000000000000000007"), LOCO_OK);
    CHECK(label.lo == 7 && label.hi == 7);
}

static void long_text_is_cut(void)
{
    char text[1000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = 0;
    check_refused(text, "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" is not a count");
}

static void no_byte_beyond_the_text_is_read(void)
{
    loco_label label;
    char *exact = malloc(2); /* the address sanitizer watches its end */
    if (exact == NULL)
        exit(1);
    exact[0] = '1';
    exact[1] = '2';
    CHECK_STATUS(loco_label_parse(&label, exact, 2, &err), LOCO_OK);
    CHECK(label.lo == 12 && label.hi == 12);
    exact[0] = '>';
    exact[1] = '=';
    CHECK_STATUS(loco_label_parse(&label, exact, 2, &err), LOCO_EDATA);
    CHECK_STATUS(loco_label_parse(&label, exact, 0, &err), LOCO_EDATA);
    CHECK_STATUS(loco_label_parse(&label, "123", 2, &err), LOCO_OK);
    CHECK(label.lo == 12);
    CHECK_STATUS(loco_label_parse(&label, "3\0", 2, &err), LOCO_EDATA);
    free(exact);
}

static void check_parsed(const char *text, size_t lo, size_t hi)
{
    loco_label label = {11, 22};
    CHECK_STATUS(parse(&label, text), LOCO_OK);
    CHECK_EQ(label.lo, lo);
    CHECK_EQ(label.hi, hi);
}

static void labels_are_read(void)
{
    check_parsed("3", 3, 3);
    check_parsed("0", 0, 0);
    check_parsed("2..5", 2, 5);
    check_parsed("5..5", 5, 5);
    check_parsed("0..0", 0, 0);
    check_parsed(">=1", 1, LOCO_NO_LIMIT);
    check_parsed(">=0", 0, LOCO_NO_LIMIT);
    check_parsed("<=4", 0, 4);
    check_parsed("?", 0, LOCO_NO_LIMIT);
    check_parsed(" \t2 \t.. 5\t", 2, 5);
    check_parsed("  >=  1 ", 1, LOCO_NO_LIMIT);
    check_parsed(" ? ", 0, LOCO_NO_LIMIT);
}

static void labels_are_made(void)
{
    CHECK(loco_label_exact(3).lo == 3 && loco_label_exact(3).hi == 3);
    CHECK(loco_label_range(2, 5).lo == 2 && loco_label_range(2, 5).hi == 5);
    CHECK(loco_label_at_least(2).lo == 2 && loco_label_at_least(2).hi == LOCO_NO_LIMIT);
    CHECK(loco_label_at_most(2).lo == 0 && loco_label_at_most(2).hi == 2);
    CHECK(loco_label_unknown().lo == 0 && loco_label_unknown().hi == LOCO_NO_LIMIT);
}

static void what_is_written_reads_back(void)
{
    lc_rng rng = lc_rng_seed(3);
    for (int i = 0; i < 2000; i++) {
        size_t limit = i % 3 == 0 ? LOCO_NO_LIMIT - 1 : 30;
        loco_label label = case_label_at(&rng, 10, case_below(&rng, limit - 20)), back = {11, 22};
        char text[64];
        size_t n = loco_label_format(text, sizeof text, label);
        CHECK_EQ(n, strlen(text));
        CHECK_STATUS(loco_label_parse(&back, text, n, &err), LOCO_OK);
        CHECK(back.lo == label.lo && back.hi == label.hi);
    }
}

static void text_is_short_and_cut_safely(void)
{
    char text[8] = "#######";
    CHECK_EQ(loco_label_format(text, sizeof text, loco_label_range(0, 4)), 3);
    CHECK_STR(text, "<=4");
    CHECK_EQ(loco_label_format(text, sizeof text, loco_label_unknown()), 1);
    CHECK_STR(text, "?");
    memset(text, '#', sizeof text);
    CHECK_EQ(loco_label_format(text, 4, loco_label_range(123, 456)), 8);
    CHECK_STR(text, "123");
    CHECK(text[4] == '#');
    CHECK_EQ(loco_label_format(NULL, 0, loco_label_at_least(10)), 4);
}

int main(void)
{
    RUN(null_is_refused);
    RUN(invalid_labels_are_refused);
    RUN(large_numbers_are_exact_or_refused);
    RUN(long_text_is_cut);
    RUN(no_byte_beyond_the_text_is_read);
    RUN(labels_are_read);
    RUN(labels_are_made);
    RUN(what_is_written_reads_back);
    RUN(text_is_short_and_cut_safely);
    return check_done();
}
