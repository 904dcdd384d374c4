/* SPDX-License-Identifier: MIT
 * test_show.c - text from outside: UTF-8 by the table of the Unicode standard, and sentences that stay clean. */
#include "check.h"

#include "base/show.h"
#include "loco.h"

#include <stdlib.h>

/* Table 3-7 of the Unicode standard: which second bytes a first byte takes. All further ones are 80..bf. */
static const struct form {
    unsigned char first, last, low, high;
    size_t length;
} forms[] = {
    {0xc2, 0xdf, 0x80, 0xbf, 2},
    {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4},
    {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static size_t length_by_table(unsigned first, unsigned second)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (first >= forms[i].first && first <= forms[i].last && second >= forms[i].low && second <= forms[i].high)
            return forms[i].length;
    return first < 0x80 ? 1 : 0;
}

static void characters_are_as_the_table_says(void)
{
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++) {
            unsigned char bytes[4] = {(unsigned char)first, (unsigned char)second, 0x80, 0xbf};
            size_t length = length_by_table(first, second);
            CHECK_EQ(lc_utf8_length(bytes, bytes + 4), length);
            for (size_t i = 2; i < length; i++) {
                bytes[i] = 0xc0;
                CHECK_EQ(lc_utf8_length(bytes, bytes + 4), 0);
                bytes[i] = 0x80;
            }
            if (length > 1) /* cut short; on the heap, where a sanitizer sees a read behind the end */
                for (size_t n = 1; n < length; n++) {
                    unsigned char *copy = malloc(n);
                    if (copy == NULL)
                        continue;
                    memcpy(copy, bytes, n);
                    CHECK_EQ(lc_utf8_length(copy, copy + n), 0);
                    free(copy);
                }
        }
}

static void text_is_valid_or_not(void)
{
    CHECK(lc_utf8_valid(NULL, 0) && lc_utf8_valid("", 0) && lc_utf8_valid("a\0b", 3));
    CHECK(lc_utf8_valid("\xc3\xa4\xe2\x82\xac\xf0\x9d\x84\x9e", 9));
    CHECK(!lc_utf8_valid("\xc3\xa4\xe2\x82\xac\xf0\x9d\x84\x9e", 8) && !lc_utf8_valid("a\xff", 2));
}

static void shown_text_is_harmless(void)
{
    CHECK_STR(lc_show("").text, "");
    CHECK_STR(lc_show("plain \xc3\xa9").text, "plain \xc3\xa9");
    CHECK_STR(lc_show("a\x1b[1m\n\x7f\xc2\x9b\xff").text, "a?[1m????");
    CHECK_STR(lc_show("\xc2\xa0\x80z").text, "\xc2\xa0?z");
    CHECK_STR(lc_show_bytes("a\0b", 3).text, "a?b");
    CHECK_STR(lc_show_bytes("abc", 2).text, "ab");
    CHECK_STR(lc_show_bytes(NULL, 0).text, "");
}

/* U+2027 to 202f and 2065 to 206a: what ends a line or changes the direction of writing is not shown, its neighbours are. */
static void lines_are_not_reordered(void)
{
    CHECK_STR(lc_show("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf").text,
              "\xe2\x80\xa7????\xe2\x80\xaf");
    CHECK_STR(lc_show("\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa").text, "\xe2\x81\xa5??\xe2\x81\xaa");
    CHECK(!lc_show_passes("kick\xe2\x80\xae") && lc_show_passes("\xd7\xa9\xd7\x9c"));
}

static void words_are_shown_as_ascii(void)
{
    CHECK_STR(lc_show_word("caf\xc3\xa9 \x1b\x7f~!", 10).text, "caf?????~!");
    CHECK_STR(lc_show_word(NULL, 0).text, "");
    char wide[300];
    memset(wide, 'a', sizeof wide);
    for (size_t n = 0; n <= sizeof wide; n++)
        CHECK_EQ(strlen(lc_show_word(wide, n).text), n < LC_SHOWN_WORD ? n : LC_SHOWN_WORD);
}

static void strings_are_cleaned_in_place(void)
{
    char text[] = "a\x1b[1m\n\x7f\xc2\x9b\xff\xc3\xa9\xe2\x82";
    lc_show_clean(text);
    CHECK_STR(text, "a?[1m????\xc3\xa9??");
    text[0] = '\0';
    lc_show_clean(text);
    CHECK_STR(text, "");
}

/* Of any length: whole characters, within the room, with dots where it was cut. */
static void shown_text_is_short(void)
{
    char wide[300], out[20];
    for (size_t i = 0; i < sizeof wide; i++)
        wide[i] = "\xe2\x82\xac"[i % 3];
    for (size_t n = 0; n <= 100; n++) {
        lc_shown shown = lc_show_bytes(wide, 3 * n);
        size_t length = strlen(shown.text);
        CHECK(length <= LC_SHOWN_MAX + 3 && lc_utf8_valid(shown.text, length));
        CHECK(3 * n <= LC_SHOWN_MAX ? length == 3 * n : strcmp(shown.text + length - 3, "...") == 0);
    }
    memset(wide, 'a', sizeof wide);
    for (size_t size = 4; size <= sizeof out; size++)
        for (size_t n = 0; n < 30; n++) {
            memset(out, 'z', sizeof out);
            lc_show_into(out, size, wide, n);
            CHECK_EQ(strlen(out), n <= size - 4 ? n : size - 1);
        }
}

static void markdown_is_only_text(void)
{
    char out[100], small[12], text[] = "a\r\n\x1b\tb\r\x7f";
    lc_show_markdown(out, sizeof out, "<b> & [x](y) *c* _e_ `d` a|b \\ \x1b");
    CHECK_STR(out, "&lt;b&gt; &amp; \\[x](y) \\*c\\* \\_e\\_ \\`d\\` a/b \\\\ ?");
    lc_show_markdown(small, sizeof small, "<<<<<<<<<<");
    CHECK_STR(small, "&lt;&lt;");
    lc_show_clean_lines(text);
    CHECK_STR(text, "a\n?\tb??");
    CHECK(lc_show_passes("kick \xc3\xa4") && !lc_show_passes("a\nb") && !lc_show_passes("\xff"));
}

/* The public function for one character, applied along a text, gives what the library itself shows. */
static void programs_show_the_same(void)
{
    static const char *const texts[] = {"", "a\x1b[1m\n\x7f\xc2\x9b\xff", "\xe2\x80\xae\xe2\x82\xac\xf0\x9d\x84\x9e",
                                        "\xf0\x9d\x84", "\xc2"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char out[40] = "";
        bool shown;
        for (const char *at = texts[i]; *at != '\0';) {
            size_t n = loco_character_length(&shown, at);
            CHECK(n > 0 || !shown);
            strncat(out, shown ? at : "?", shown ? n : 1);
            at += n > 0 ? n : 1;
        }
        CHECK_STR(out, lc_show(texts[i]).text);
        CHECK(loco_character_length(&shown, "") == 0 && !shown);
    }
}

int main(void)
{
    RUN(characters_are_as_the_table_says);
    RUN(text_is_valid_or_not);
    RUN(shown_text_is_harmless);
    RUN(lines_are_not_reordered);
    RUN(words_are_shown_as_ascii);
    RUN(strings_are_cleaned_in_place);
    RUN(shown_text_is_short);
    RUN(markdown_is_only_text);
    RUN(programs_show_the_same);
    return check_done();
}
