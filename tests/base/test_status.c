/* SPDX-License-Identifier: MIT
 * test_status.c - status codes and their sentences. */
#include "cases.h"

#include "base/status.h"

static void a_failure_is_one_line(void)
{
    loco_err err = {"before"};
    CHECK_STATUS(lc_err_set(&err, LOCO_EDATA, "logit %d is %s", 3, "NaN"), LOCO_EDATA);
    CHECK_STR(err.text, "logit 3 is NaN");
    CHECK_STATUS(lc_err_set(NULL, LOCO_EIO, "not stored: %d", 1), LOCO_EIO);
}

static void long_sentences_are_cut(void)
{
    struct {
        loco_err err;
        char after[8];
    } both;
    memset(&both, '#', sizeof both);
    CHECK_STATUS(lc_err_set(&both.err, LOCO_EARG, "%0*d", 1000, 7), LOCO_EARG);
    CHECK_EQ(strlen(both.err.text), sizeof both.err.text - 1);
    CHECK(both.after[0] == '#');
    CHECK_STATUS(lc_err_set(&both.err, LOCO_EARG, "%s", ""), LOCO_EARG);
    CHECK_STR(both.err.text, "");
}

/* Also where a sentence quotes a name as it is, and where the cut is inside a character. */
static void no_control_character_passes(void)
{
    loco_err err = {""};
    CHECK_STATUS(lc_err_set(&err, LOCO_EIO, "cannot read %s", "a\x1b[2J\nb\xc2\x9b\xff\xc3\xa9"), LOCO_EIO);
    CHECK_STR(err.text, "cannot read a?[2J?b??\xc3\xa9");
    char wide[2 * sizeof err.text] = "x";
    for (size_t i = 1; i < sizeof wide - 1; i++)
        wide[i] = "\xc3\xa9"[(i - 1) % 2];
    for (size_t skip = 0; skip < 2; skip++) {
        CHECK_STATUS(lc_err_set(&err, LOCO_EIO, "%s", wide + skip), LOCO_EIO);
        CHECK(strlen(err.text) == sizeof err.text - 1 && (err.text[sizeof err.text - 2] == '?') == (skip == 1));
    }
}

static void every_status_has_its_name(void)
{
    static const loco_status all[] = {LOCO_OK, LOCO_EARG, LOCO_EDATA, LOCO_ENOMEM, LOCO_EIO};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK(strcmp(loco_status_name(all[i]), "unknown status") != 0);
        for (size_t j = 0; j < i; j++)
            CHECK(strcmp(loco_status_name(all[i]), loco_status_name(all[j])) != 0);
    }
    CHECK_EQ(LOCO_OK, 0);
    CHECK_STR(loco_status_name(LOCO_ENOMEM), "out of memory");
    CHECK_STR(loco_status_name((loco_status)99), "unknown status");
}

static void the_version_is_three_numbers(void)
{
    unsigned a, b, c;
    char rest;
    CHECK(sscanf(loco_version(), "%u.%u.%u%c", &a, &b, &c, &rest) ==
          3); /* NOLINT: a version that does not fit fails too */
}

int main(void)
{
    RUN(a_failure_is_one_line);
    RUN(long_sentences_are_cut);
    RUN(no_control_character_passes);
    RUN(every_status_has_its_name);
    RUN(the_version_is_three_numbers);
    return check_done();
}
