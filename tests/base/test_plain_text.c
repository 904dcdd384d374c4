/* SPDX-License-Identifier: MIT
 * test_plain_text.c - outside text: UTF-8 without control characters, and sentences that stay clean. */
#include "data_cases.h"

#include "base/plain_text.h"

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
        CHECK_STATUS(lc_plain_text_check("x.csv", good[i], strlen(good[i]), &err), LOCO_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_STATUS(lc_plain_text_check("x.csv", bad[i], strlen(bad[i]), &err), LOCO_EDATA);
    CHECK_STATUS(lc_plain_text_check("x.csv", "a\nb\nc\x1b", 6, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "x.csv:3: the byte 0x1b");
    CHECK_STATUS(lc_plain_text_check("x.csv", "a\0b", 3, &err), LOCO_EDATA);
    CHECK_STATUS(lc_plain_text_check("x.csv", "\n\xff", 2, NULL), LOCO_EDATA);
    CHECK_EQ(lc_plain_text_mark("\xef\xbb\xbf", 3), 3);
    CHECK_EQ(lc_plain_text_mark("\xef\xbb\xbf", 2), 0);
}

static void shown_text_is_clean_and_short(void)
{
    CHECK_STR(lc_show_bytes("plain", 5).text, "plain");
    CHECK_STR(lc_show_bytes("a\x1b[2Jb\n", 7).text, "a?[2Jb?");
    CHECK_STR(lc_show_bytes("\xc2\x9b\x80z", 4).text, "??z");
    CHECK_STR(lc_show_bytes("\xc3\xa4", 2).text, "\xc3\xa4");
    char text[500];
    for (size_t length = 0; length < sizeof text - 1; length++) {
        for (size_t i = 0; i < length; i++)
            text[i] = i % 2 == 0 ? '\xc3' : '\xa4';
        lc_shown shown = lc_show_bytes(text, length);
        size_t n = strlen(shown.text);
        CHECK(n < sizeof shown.text && (length > LC_SHOWN_MAX ? strcmp(shown.text + n - 3, "...") == 0 : n == length));
        CHECK_STATUS(lc_plain_text_check("x", shown.text, n, NULL), LOCO_OK);
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
    RUN(text_is_checked);
    RUN(shown_text_is_clean_and_short);
    RUN(places_are_named);
    return check_done();
}
