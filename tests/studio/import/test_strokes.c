/* SPDX-License-Identifier: MIT
 * test_strokes.c - annotations that are lines of text: what is read, and the message about every wrong line. */
#include "data_cases.h"

#include "events/event_list.h"
#include "studio/import/strokes.h"

static const char *const labels[][2] = {
    {"bd",  "kick" },
    {"sd",  "snare"},
    {"sd-", "snare"},
    {"cr",  NULL   },
};
static const lc_vocabulary vocabulary = {"a set", labels, 4, true}, plain = {"a set", labels, 4, false};

/* From a copy of exactly its length. */
static loco_status parse(lc_strokes *strokes, const char *text, size_t length, loco_err *err)
{
    char *copy = malloc(length > 0 ? length : 1);
    memcpy(copy, text, length);
    loco_status status = lc_strokes_parse_lines(strokes, &vocabulary, "x.txt", copy, length, err);
    free(copy);
    return status;
}

static void check_refused(const char *text, size_t length, const char *says)
{
    lc_strokes strokes = {0};
    loco_err err = {""};
    CHECK_STATUS(parse(&strokes, text, length, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, says);
    CHECK_STATUS(parse(&strokes, text, length, NULL), LOCO_EDATA);
    lc_strokes_free(&strokes);
}

#define REFUSED(text, says) check_refused((text), sizeof(text) - 1, (says))

static void wrong_lines_are_refused(void)
{
    REFUSED("", "x.txt:1: no stroke");
    REFUSED("\n \t\r\n", "x.txt:1: no stroke");
    REFUSED("<?xml version=\"1.0\"?>\n", "x.txt:1: \"<?xml\" is not a time");
    REFUSED("file,time,class\n", "x.txt:1: \"file,time,class\" is not a time");
    REFUSED("1 bd\n0,5 bd\n", "x.txt:2: \"0,5\" is not a time");
    REFUSED("1 bd\nnan bd\n", "x.txt:2: \"nan\" is not a time");
    REFUSED("1 bd\ninf bd\n", "x.txt:2: \"inf\" is not a time");
    REFUSED("1 bd\n\n-0.5 bd\n", "x.txt:3: times go from 0");
    REFUSED("1e7 bd\n", "x.txt:1: times go from 0");
    REFUSED("1 bd\n2", "x.txt:2: no label");
    REFUSED("1 bd\n2\t\n", "x.txt:2: no label");
    REFUSED("1 bd\n2 b", "x.txt:2: \"b\" is not a label of a set: bd, sd, sd-, cr");
    REFUSED("1 BD\n", "x.txt:1: \"BD\" is not a label");
    REFUSED("1 1 bd\n", "x.txt:1: \"1 bd\" is not a label");
    REFUSED("1 12\n", "x.txt:1: \"12\" is not a label");
    REFUSED("\xff\xfe\x31\0 \0b\0d\0\n\0", "x.txt:1: the byte 0xff is not UTF-8");
    REFUSED("1 bd\n2 b\xe9\n", "x.txt:2: the byte 0xe9 is not UTF-8");
    REFUSED("1\0bd\n", "x.txt:1: the byte 0x00 is a control character");
    REFUSED("MThd\0\0\0\6", "x.txt:1: the byte 0x00");
}

static void check_strokes(const char *text, size_t length, size_t len, const lc_stroke *want)
{
    lc_strokes strokes = {0};
    loco_err err = {""};
    CHECK_STATUS(parse(&strokes, text, length, &err), LOCO_OK);
    CHECK_EQ(strokes.len, len);
    for (size_t i = 0; i < len && i < strokes.len; i++) {
        CHECK_NEAR(strokes.items[i].time, want[i].time, 0);
        CHECK_EQ(strokes.items[i].label, want[i].label);
        CHECK_EQ(strokes.items[i].line, want[i].line);
    }
    lc_strokes_free(&strokes);
}

static void lines_are_read(void)
{
    const char text[] = "\xef\xbb\xbf"
                        "0.010000 \t bd \r\n\n 2\tsd-\n1.5 cr12\n-0 sd";
    const lc_stroke want[] = {
        {0.01, 0, 1},
        {2,    2, 3},
        {1.5,  3, 4},
        {0,    1, 5},
    };
    check_strokes(text, sizeof text - 1, 4, want);
}

static void numbers_stand_behind_labels(void)
{
    CHECK_EQ(lc_vocabulary_find(&vocabulary, "cr2", 3), 3);
    CHECK_EQ(lc_vocabulary_find(&vocabulary, "sd-", 3), 2);
    CHECK(lc_vocabulary_find(&vocabulary, "2", 1) == SIZE_MAX);
    CHECK(lc_vocabulary_find(&vocabulary, "cr2x", 4) == SIZE_MAX);
    CHECK(lc_vocabulary_find(&plain, "cr2", 3) == SIZE_MAX);
    CHECK_EQ(lc_vocabulary_find(&plain, "cr2", 2), 3);
}

static void long_lists_are_cut(void)
{
    static const char *const many[][2] = {
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL},
        {"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", NULL},
        {"cccc",                                                         NULL},
    };
    lc_vocabulary long_one = {"a set", many, 3, false};
    CHECK_EQ(strlen(lc_vocabulary_show(&long_one).text), 122);
    CHECK_STR(lc_vocabulary_show(&vocabulary).text, "bd, sd, sd-, cr");
}

static void limits_hold(void)
{
    size_t length = LC_EVENTS_LABELS + 1;
    char *text = malloc(length);
    lc_strokes strokes = {0};
    loco_err err = {""};
    memset(text, ' ', length);
    for (size_t i = 0; i < 4; i++)
        text[i] = "1 bd"[i];
    CHECK_STATUS(lc_strokes_parse_lines(&strokes, &vocabulary, "x.txt", text, length - 1, &err), LOCO_OK);
    CHECK_STATUS(lc_strokes_parse_lines(&strokes, &vocabulary, "x.txt", text, length, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "16 MiB");
    lc_strokes_free(&strokes);
    free(text);
}

int main(void)
{
    RUN(wrong_lines_are_refused);
    RUN(lines_are_read);
    RUN(numbers_stand_behind_labels);
    RUN(long_lists_are_cut);
    RUN(limits_hold);
    return check_done();
}
