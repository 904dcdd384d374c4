/* SPDX-License-Identifier: MIT
 * test_dataset_advice.c - sentences about counts that look like mistakes, and none about those that do not. */
#include "data_cases.h"

#include "data/dataset.h"

/* The advice about a counts.csv with these rows. */
static const char *advice(const char *rows)
{
    static char said[4000];
    lc_text csv = {0}, text = {0};
    lc_dataset *set = NULL;
    lc_text_string(&csv, "file,start,end,kick,snare\n");
    lc_text_string(&csv, rows);
    CHECK_STATUS(lc_counts_parse(&set, "counts.csv", csv.bytes, csv.length, NULL), LOCO_OK);
    lc_dataset_advice(set, &text);
    CHECK(!text.failed);
    snprintf(said, sizeof said, "%s", text.bytes != NULL ? text.bytes : "");
    lc_text_free(&csv);
    lc_text_free(&text);
    lc_dataset_free(set);
    return said;
}

static void good_counts_need_none(void)
{
    CHECK_STR(advice("a,0,5,1,2\na,5,10,2,0\nb,,,3,?\n"), "");
    CHECK_STR(advice("a,,,4,1\n"), "");
    CHECK_STR(advice("a,,,4,1\nb,,,4,2\n"), ""); /* two equal counts may be a coincidence */
    CHECK_STR(advice("a,0,10,5,>=1\na,0,5,2,?\na,4,10,5,3\na,2,12,7..9,2..9\n"), "");
    lc_text text = {0};
    lc_dataset_advice(&(lc_dataset){.clips_len = 0}, &text);
    CHECK(text.length == 0 && !text.failed);
}

static void classes_are_looked_at(void)
{
    CHECK_STR(advice("a,,,?,1\nb,,,,2\nc,,,?,3\n"),
              "class \"kick\": every count is unknown, so nothing can be learnt about it\n");
    CHECK_STR(advice("a,,,1,0\nb,,,2,0\nc,,,3,?\n"), "class \"snare\": it is never present: every known count is 0\n");
    CHECK_STR(advice("a,,,1,4\nb,,,2,4\nc,,,3,4\n"),
              "class \"snare\": all 3 counts are 4; counts that never differ teach little\n");
    CHECK_STR(advice("a,,,1,4\nb,,,2,4\nc,,,3,?\n"), "");
    CHECK_STR(advice("a,,,1,4\nb,,,2,3\nc,,,330,1\n"),
              "class \"kick\": the count 330 in line 4 is very large; half of the clips have at most 2\n");
    CHECK_STR(advice("a,,,10,4\nb,,,12,3\nc,,,190,1\n"), "");
}

static void speed_is_looked_at(void)
{
    CHECK_STR(advice("a,0,1.5,75,1\nb,0,1,3,2\n"), "");
    CHECK_STR(advice("a,0,1.5,76,1\nb,0,1,3,2\n"),
              "class \"kick\": 76 events within 1.5 s in line 2 are more than 50 a second\n");
    const char *many = advice("a,0,1,51,52\na,1,2,53,54\na,2,3,55,56\na,3,4,57,58\n");
    CHECK_SAYS(many, "51 events within 1 s in line 2");
    CHECK_SAYS(many, "55 events within 1 s in line 4");
    CHECK(strstr(many, "56 events") == NULL);
    CHECK_SAYS(many, "and 3 more counts of more than 50 a second\n");
}

static void the_same_clip_twice_is_seen(void)
{
    CHECK_STR(advice("a,0,5,1,2\na,5,9,2,0\na,0,5,1,?\n"), "\"a\": line 2 and line 4 are the same clip\n");
    CHECK_STR(advice("a,,,1,2\nb,,,2,0\na,,,1,2\n"), "\"a\": line 2 and line 4 are the same clip\n");
}

static void contradictions_are_seen(void)
{
    CHECK_STR(advice("a,0,5,1,2\na,5,9,2,0\na,0,5,1,3\n"),
              "\"a\": line 2 and line 4 contradict each other: \"snare\" is 2 in the one and 3 in the other, "
              "which is the same clip\n");
    CHECK_STR(advice("a,0,5,1,3\na,5,9,2,0\na,0,5,1,2\n"),
              "\"a\": line 2 and line 4 contradict each other: \"snare\" is 3 in the one and 2 in the other, "
              "which is the same clip\n");
    CHECK_STR(advice("a,1,5,>=4,2\na,0,9,<=3,5\n"),
              "\"a\": line 3 and line 2 contradict each other: \"kick\" is <=3 in the one and >=4 in the other, "
              "which lies within it\n");
    CHECK_STR(advice("a,,,3,2\na,2,4,4,1\n"),
              "\"a\": line 2 and line 3 contradict each other: \"kick\" is 3 in the one and 4 in the other, "
              "which lies within it\n");
    CHECK_STR(advice("a,0,5,9,2\na,4,8,1,1\n"), ""); /* they only overlap */
    CHECK_STR(advice("a,0,5,1,2\nb,1,2,9,1\n"), ""); /* other recordings */
}

static void long_lists_are_cut(void)
{
    lc_text rows = {0};
    for (int i = 0; i < 8; i++)
        lc_text_format(&rows, "a,%d,%d,1,2\na,%d,%d,2,1\na,%d,%d,1,2\n", i, i + 1, i, i + 1, i + 20, i + 21);
    lc_text_string(&rows, "a,20,28,90,90\na,20,28,90,90\n");
    const char *said = advice(rows.bytes);
    size_t lines = 0;
    for (const char *c = said; *c != '\0'; c++)
        lines += *c == '\n';
    CHECK_EQ(lines, 7);
    CHECK_SAYS(said, "and 3 more pairs that contradict each other\n");
    CHECK_SAYS(said, "line 26 and line 27 are the same clip\n");
    lc_text_free(&rows);
}

int main(void)
{
    RUN(good_counts_need_none);
    RUN(classes_are_looked_at);
    RUN(speed_is_looked_at);
    RUN(the_same_clip_twice_is_seen);
    RUN(contradictions_are_seen);
    RUN(long_lists_are_cut);
    return check_done();
}
