/* SPDX-License-Identifier: MIT
 * test_nearest.c - the nearest valid word to a mistyped one. */
#include "check.h"

#include "loco.h"

#include <string.h>

static const char *const words[] = {"kick", "snare", "hihat",
                                    "KD",   "SD",    "a word that is much too long to be compared"};

enum { WORDS = sizeof words / sizeof words[0] };

static void near_words_are_found(void)
{
    CHECK_STR(loco_nearest("kick", words, WORDS), "kick");
    CHECK_STR(loco_nearest("kik", words, WORDS), "kick");
    CHECK_STR(loco_nearest("snaer", words, WORDS), "snare");
    CHECK_STR(loco_nearest("hi-hat", words, WORDS), "hihat");
    CHECK_STR(loco_nearest("Snare", words, WORDS), "snare");
    CHECK_STR(loco_nearest("xsnarex", words, WORDS), "snare");
    CHECK_STR(loco_nearest("DK", words, WORDS), "KD"); /* one swap; two replacements would be too many */
}

/* Where one letter apart is nearer, case alone is still the nearest; and it may be long. */
static void case_comes_first(void)
{
    static const char *const both[] = {"ad", "SD", "KD"};
    CHECK_STR(loco_nearest("kd", both, 3), "KD");
    CHECK_STR(loco_nearest("k", (const char *const[]){"KD", "K"}, 2), "K");
    CHECK_STR(loco_nearest("A WORD that is much too long to be compared", words, WORDS), words[WORDS - 1]);
}

static void far_words_are_not(void)
{
    CHECK(loco_nearest("xyz", words, WORDS) == NULL);
    CHECK(loco_nearest("", words, WORDS) == NULL);
    CHECK(loco_nearest("q", words, WORDS) == NULL);
    CHECK(loco_nearest("qq", words, WORDS) == NULL);
    CHECK(loco_nearest("snrexyz", words, WORDS) == NULL);
    CHECK(loco_nearest("a word that is much too long to be comparex", words, WORDS) == NULL);
    CHECK(loco_nearest("kick", words, 0) == NULL);
}

/* Of equally near ones the first; a nearer one wins wherever it stands. */
static void the_nearest_wins(void)
{
    CHECK_STR(loco_nearest("tome", (const char *const[]){"tomb", "tom"}, 2), "tomb");
    CHECK_STR(loco_nearest("tomes", (const char *const[]){"tom", "tome"}, 2), "tome");
}

int main(void)
{
    RUN(near_words_are_found);
    RUN(case_comes_first);
    RUN(far_words_are_not);
    RUN(the_nearest_wins);
    return check_done();
}
