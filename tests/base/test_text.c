/* SPDX-License-Identifier: MIT
 *
 * test_text.c - the growing text: content, growth, numbers, and failure that sticks.
 */
#include "check.h"

#include "base/text.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>

static void empty_text_holds_nothing(void)
{
    lc_text text = {0};
    CHECK(!text.failed);
    CHECK_EQ(text.length, 0);
    lc_text_append(&text, "", 0);
    CHECK(!text.failed);
    CHECK_STR(text.bytes, "");
    lc_text_free(&text);
    CHECK(text.bytes == NULL && text.length == 0 && text.capacity == 0);
    lc_text_free(&text); /* twice does no harm */
}

static void pieces_stand_in_order(void)
{
    lc_text text = {0};
    lc_text_string(&text, "frame ");
    lc_text_format(&text, "%d of %s", 3, "seven");
    lc_text_append(&text, "\0!", 2);
    CHECK_EQ(text.length, 18);
    CHECK(memcmp(text.bytes, "frame 3 of seven\0!", 19) == 0);
    lc_text_free(&text);
}

/* Around every power of two the next append just fits, just does not, or is far beyond. */
static void growth_keeps_content(void)
{
    for (size_t first = 0; first < 1100; first++) {
        lc_text text = {0};
        for (size_t i = 0; i < first; i++)
            lc_text_append(&text, "x", 1);
        lc_text_format(&text, "%03zu", first % 1000);
        CHECK(!text.failed && text.length == first + 3 && text.capacity > text.length);
        CHECK_EQ(strlen(text.bytes), first + 3);
        CHECK_EQ(strspn(text.bytes, "x"), first);
        lc_text_free(&text);
    }
}

/* One append that is more than twice what is there. */
static void large_pieces_fit(void)
{
    static char piece[5000];
    memset(piece, 'y', sizeof piece);
    for (size_t length = 200; length < sizeof piece; length += 7) {
        lc_text text = {0};
        lc_text_append(&text, piece, length);
        CHECK(!text.failed && text.length == length && text.capacity > length);
        lc_text_append(&text, piece, length);
        CHECK(!text.failed && text.length == 2 * length && text.capacity > 2 * length);
        lc_text_free(&text);
    }
}

static void long_formats_are_whole(void)
{
    lc_text text = {0};
    lc_text_format(&text, "%*d", 100000, 7);
    CHECK_EQ(text.length, 100000);
    CHECK(text.bytes[99999] == '7' && text.bytes[100000] == 0);
    lc_text_free(&text);
}

static const char *as_number(double value, unsigned decimals)
{
    static char copy[64];
    lc_text text = {0};
    lc_text_number(&text, value, decimals);
    snprintf(copy, sizeof copy, "%s", text.bytes);
    lc_text_free(&text);
    return copy;
}

static const char *as_fixed(double value, unsigned decimals)
{
    static char copy[64];
    lc_text text = {0};
    lc_text_fixed(&text, value, decimals);
    snprintf(copy, sizeof copy, "%s", text.bytes);
    lc_text_free(&text);
    return copy;
}

static void numbers_are_short(void)
{
    CHECK_STR(as_number(12.5, 2), "12.5");
    CHECK_STR(as_number(12, 2), "12");
    CHECK_STR(as_number(100, 0), "100");
    CHECK_STR(as_number(-0.001, 2), "0");
    CHECK_STR(as_number(-0.25, 2), "-0.25");
    CHECK_STR(as_number(1.995, 1), "2");
    CHECK_STR(as_number(0.05, 2), "0.05");
    CHECK_STR(as_fixed(12.5, 3), "12.500");
    CHECK_STR(as_fixed(7, 0), "7");
    CHECK_STR(as_fixed(0.0625, 3), "0.063");
    CHECK_STR(as_fixed(1, 20), "1.000000000");
}

static void wild_numbers_stay_numbers(void)
{
    CHECK_STR(as_number(NAN, 2), "0");
    CHECK_STR(as_number(INFINITY, 2), "1000000000");
    CHECK_STR(as_number(-1e300, 9), "-1000000000");
    CHECK_STR(as_fixed(-INFINITY, 9), "-1000000000.000000000");
}

/* SVG and JSON want a point whatever the user's language. Skipped where no locale with a comma is installed. */
static void locale_changes_nothing(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (setlocale(LC_ALL, names[i]) != NULL)
            break;
    CHECK_STR(as_fixed(1.5, 1), "1.5");
    setlocale(LC_ALL, "C");
}

static void failure_sticks(void)
{
    lc_text text = {0};
    lc_text_string(&text, "kept");
    lc_text_append(&text, "", SIZE_MAX - 2); /* more than there can be: refused before a byte is read */
    CHECK(text.failed);
    CHECK_STR(text.bytes, "kept");
    lc_text_string(&text, "late");
    lc_text_format(&text, "%d", 1);
    CHECK(text.failed);
    CHECK_STR(text.bytes, "kept");
    lc_text_free(&text);
    CHECK(!text.failed);
}

static void folds(const char *lines, const char *want)
{
    lc_text text = {0};
    lc_text_string(&text, lines);
    lc_text_fold(&text);
    CHECK(!text.failed && strlen(text.bytes) == text.length);
    CHECK_STR(text.bytes, want);
    lc_text_free(&text);
}

/* Lines that differ in their names alone, four or more in a row. */
static void lines_are_folded(void)
{
    lc_text none = {0};
    lc_text_fold(&none);
    CHECK(none.bytes == NULL && !none.failed);
    folds("a: x\n", "a: x\n");
    folds("a: x\nb: x\nc: x\n", "a: x\nb: x\nc: x\n");
    folds("a: x\nb: x\nc: x\nd: x\n", "a ... d (4 in all): x\n");
    folds("0: y\n1: x: z\n2: x: z\n3: x: z\n4: x: z\n5: x: z\n6: x\n", "0: y\n1 ... 5 (5 in all): x: z\n6: x\n");
    folds("x\nx\nx\nx\nx", "x\nx\nx\nx\nx");                   /* no names */
    folds("a: x\nb: x\nc: x\nd: x", "a: x\nb: x\nc: x\nd: x"); /* the last is another line: without its end */
}

int main(void)
{
    RUN(empty_text_holds_nothing);
    RUN(pieces_stand_in_order);
    RUN(growth_keeps_content);
    RUN(large_pieces_fit);
    RUN(long_formats_are_whole);
    RUN(numbers_are_short);
    RUN(wild_numbers_stay_numbers);
    RUN(locale_changes_nothing);
    RUN(lines_are_folded);
    RUN(failure_sticks);
    return check_done();
}
