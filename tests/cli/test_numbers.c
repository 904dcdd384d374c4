/* SPDX-License-Identifier: MIT
 *
 * test_numbers.c - the reader of logits: what is accepted, and what every refusal says.
 */
#include "check.h"

#include <errno.h>

#include "../cli/numbers.h"

static lc_numbers numbers;
static loco_err err;

static loco_status parse(const char *text)
{
    lc_numbers_free(&numbers);
    err.text[0] = 0;
    return lc_numbers_parse(&numbers, "in.txt", text, strlen(text), &err);
}

static void check_refused(const char *text, const char *says)
{
    CHECK_STATUS(parse(text), LOCO_EDATA);
    CHECK(numbers.values == NULL && numbers.len == 0);
    CHECK(strncmp(err.text, "in.txt:", 7) == 0);
    if (strstr(err.text, says) == NULL)
        CHECK_STR(err.text, says);
}

static void what_is_no_number_is_refused(void)
{
    check_refused("", "no numbers");
    check_refused(" \n\t\n# only 1 comment\n", "no numbers");
    check_refused("\xef\xbb\xbf", "no numbers");
    check_refused("1\n2\nabc 4", "in.txt:3: \"abc\" is not a number");
    check_refused("1.5x", "\"1.5x\"");
    check_refused("1.5.2", "\"1.5.2\"");
    check_refused("0x10", "\"0x10\"");
    check_refused("1 -", "\"-\"");
    check_refused("1;2", "\"1;2\"");
    check_refused("\n\nnan", "in.txt:3: \"nan\" is not a logit");
    check_refused("-NaN", "\"-NaN\" is not a logit");
    check_refused("nan(12)", "\"nan(12)\"");
    check_refused("1e999", "\"1e999\" is too large; write inf");
    check_refused("-1e999", "\"-1e999\" is too large");
    check_refused("infinite", "\"infinite\" is not");
    check_refused("\x01\xff", "\"??\" is not");
}

static void a_missing_number_is_refused(void)
{
    check_refused("1,,2", "in.txt:1: a number is missing before a comma");
    check_refused(",1", "missing");
    check_refused("1\n,2", "in.txt:2: a number is missing");
    check_refused("1 , , 2", "missing");
}

static void long_words_are_cut(void)
{
    char text[2000];
    memset(text, '1', sizeof text);
    text[sizeof text - 1] = 0;
    check_refused(text, "\"111111111111111111111111111111...\"");
}

static void no_byte_beyond_the_text_is_read(void)
{
    lc_numbers_free(&numbers);
    CHECK_STATUS(lc_numbers_parse(&numbers, "x", "12345", 2, &err), LOCO_OK);
    CHECK(numbers.len == 1);
    CHECK_NEAR(numbers.values[0], 12, 0);
    lc_numbers_free(&numbers);
    CHECK_STATUS(lc_numbers_parse(&numbers, "x", "1\0002", 3, &err), LOCO_EDATA);
    CHECK_STATUS(lc_numbers_parse(&numbers, "x", NULL, 0, &err), LOCO_EDATA);
}

static void numbers_are_read(void)
{
    static const double want[] = {-4, 3.5, 0.1, -1e-3, 7, INFINITY, -INFINITY, INFINITY, 1e-320, 0, 2, 9};
    CHECK_STATUS(parse("\xef\xbb\xbf-4 +3.5,0.1,\n# comment, 5 6\n-1e-3\t7#8\r\ninf -INF, Infinity\n1e-320 -0\v2\f9,"),
                 LOCO_OK);
    CHECK_EQ(numbers.len, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < numbers.len && i < sizeof want / sizeof want[0]; i++)
        CHECK_NEAR(numbers.values[i], want[i], 0);
}

static void many_numbers_are_read(void)
{
    size_t length = 0;
    char *text = malloc(100000 * 7);
    for (int i = 0; i < 100000; i++)
        length += (size_t)sprintf(text + length, "%d\n", i);
    lc_numbers_free(&numbers);
    CHECK_STATUS(lc_numbers_parse(&numbers, "x", text, length, &err), LOCO_OK);
    CHECK_EQ(numbers.len, 100000);
    size_t wrong = 0;
    for (size_t i = 0; i < numbers.len; i++)
        wrong += numbers.values[i] < (double)i || numbers.values[i] > (double)i;
    CHECK_EQ(wrong, 0);
    free(text);
}

static void too_many_are_refused(void)
{
    size_t length = 2 * ((size_t)LC_NUMBERS_MOST + 1);
    char *text = malloc(length);
    for (size_t i = 0; i < length; i++)
        text[i] = i % 2 == 0 ? '1' : '\n';
    lc_numbers_free(&numbers);
    CHECK_STATUS(lc_numbers_parse(&numbers, "x", text, length, &err), LOCO_EDATA);
    CHECK(strncmp(err.text, "x:10000001: more than 10000000 numbers", 38) == 0);
    CHECK_STATUS(lc_numbers_parse(&numbers, "x", text, length - 2, &err), LOCO_OK);
    CHECK_EQ(numbers.len, LC_NUMBERS_MOST);
    free(text);
}

static void files_that_cannot_be_read_are_refused(void)
{
    lc_numbers_free(&numbers);
    CHECK_STATUS(lc_numbers_load(&numbers, "no/such/file", &err), LOCO_EIO);
    CHECK(strstr(err.text, "no/such/file") != NULL && strstr(err.text, strerror(ENOENT)) != NULL);
    CHECK_STATUS(lc_numbers_load(&numbers, "/", &err), LOCO_EIO);
    CHECK(numbers.values == NULL && numbers.len == 0);
}

int main(void)
{
    RUN(what_is_no_number_is_refused);
    RUN(a_missing_number_is_refused);
    RUN(long_words_are_cut);
    RUN(no_byte_beyond_the_text_is_read);
    RUN(numbers_are_read);
    RUN(many_numbers_are_read);
    RUN(too_many_are_refused);
    RUN(files_that_cannot_be_read_are_refused);
    lc_numbers_free(&numbers);
    return check_done();
}
