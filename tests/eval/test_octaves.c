/* SPDX-License-Identifier: MIT
 * test_octaves.c - scores of pitches by octave, the table of many classes, and means that leave out absent classes. */
#include "check.h"

#include "eval/octaves.h"
#include "eval/score_text.h"

#include <stdlib.h>

enum { KEYS = 88, LOWEST = 21 };

static char texts[KEYS][8];
static const char *names[KEYS];

/* Key 60: two of two found, one late by 30 ms. Key 71: one missed. Key 72: one found, one false alarm. */
static lc_score *example(void)
{
    const loco_event truth[] = {
        {1, 60 - LOWEST, 1, 0},
        {2, 60 - LOWEST, 1, 0},
        {3, 71 - LOWEST, 1, 0},
        {4, 72 - LOWEST, 1, 0},
    };
    const loco_event found[] = {
        {1,    60 - LOWEST, 1, 0},
        {2.03, 60 - LOWEST, 1, 0},
        {4,    72 - LOWEST, 1, 0},
        {5,    72 - LOWEST, 1, 0},
    };
    lc_score *score = NULL;
    CHECK_STATUS(lc_score_new(&score, KEYS, (double[]){0.05, 0.02}, 2, NULL), LOCO_OK);
    CHECK_STATUS(lc_score_add(score, truth, 4, found, 4, NULL), LOCO_OK);
    return score;
}

static void octaves_are_sums(void)
{
    lc_score *score = example();
    lc_score_row row = lc_octave_read(score, names, 5, 0), narrow = lc_octave_read(score, names, 5, 1);
    CHECK_STR(lc_octave_show(5).text, "C4 to B4");
    CHECK_STR(lc_octave_show(0).text, "C-1 to B-1");
    CHECK(row.reference == 3 && row.estimated == 2 && row.matched == 2);
    CHECK_NEAR(row.precision, 1, 1e-15);
    CHECK_NEAR(row.recall, 2.0 / 3, 1e-15);
    CHECK_NEAR(row.f1, 0.8, 1e-15);
    CHECK_NEAR(row.error_mean, 0.015, 1e-12);
    CHECK_NEAR(row.error_sd, 0.015, 1e-12);
    CHECK(narrow.matched == 1);
    row = lc_octave_read(score, names, 2, 0);
    CHECK(row.reference == 0 && row.estimated == 0);
    CHECK_NEAR(row.f1, 0, 0);
    lc_score_free(score);
}

/* Of 88 keys three occur: F1 1, 0 and 2/3. */
static void absent_classes_do_not_count(void)
{
    lc_score *score = example();
    CHECK_EQ(lc_score_present(score), 3);
    CHECK_NEAR(lc_score_read(score, LC_ALL_KINDS, 0, LC_PER_CLASS, LC_EMPTY_ZERO).f1, 5.0 / 9, 1e-15);
    lc_score_free(score);
    CHECK_STATUS(lc_score_new(&score, KEYS, (double[]){0.05}, 1, NULL), LOCO_OK);
    CHECK_NEAR(lc_score_read(score, LC_ALL_KINDS, 0, LC_PER_CLASS, LC_EMPTY_ZERO).f1, 0, 0);
    lc_score_free(score);
}

/* clang-format off */
static const char want[] =
    "                                                    within 50 ms                  within 20 ms  error within 50 ms\n"
    "events                    ref    est  matched      P      R     F1  matched      P      R     F1   mean ms     sd ms\n"
    "all, pooled                 4      4        3  0.750  0.750  0.750        2  0.500  0.500  0.500     10.00     14.14\n"
    "mean over 1 recordings                         0.750  0.750  0.750           0.500  0.500  0.500\n"
    "mean over 3 classes                            0.500  0.667  0.556           0.333  0.500  0.389\n"
    "C4 to B4                    3      2        2  1.000  0.667  0.800        1  0.500  0.333  0.400     15.00     15.00\n"
    "C5 to B5                    1      2        1  0.500  1.000  0.667        1  0.500  1.000  0.667      0.00      0.00\n"
    "Without reference or without estimates, P, R and F1 are 0.\n"
    "Classes with neither, 85, are not in the mean over classes.\n"
    "loco eval --all has a row for each of 88 classes.\n";
/* clang-format on */

/* But for the spaces of the first line, whose width is that of the columns. */
static void many_classes_are_summed_up(void)
{
    lc_score *score = example();
    lc_text text = {0};
    lc_score_brief(&text, score, names, NULL, LC_EMPTY_ZERO);
    CHECK(!text.failed);
    CHECK_STR(strchr(text.bytes, '\n'), strchr(want, '\n'));
    lc_text_free(&text);
    names[3] = "noise"; /* no pitches, no octaves */
    lc_score_brief(&text, score, names, NULL, LC_EMPTY_ZERO);
    CHECK(strstr(text.bytes, "C4 to B4") == NULL && strstr(text.bytes, "all, pooled") != NULL);
    names[3] = texts[3];
    lc_text_free(&text);
    lc_score_free(score);
}

int main(void)
{
    for (size_t k = 0; k < KEYS; k++) {
        snprintf(texts[k], sizeof texts[k], "%zu", LOWEST + k);
        names[k] = texts[k];
    }
    RUN(octaves_are_sums);
    RUN(absent_classes_do_not_count);
    RUN(many_classes_are_summed_up);
    return check_done();
}
