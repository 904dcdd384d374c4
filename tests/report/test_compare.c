/* SPDX-License-Identifier: MIT
 * test_compare.c - the course of several methods: wrong arguments, and what is drawn where. */
#include "cases.h"

#include "report/compare.h"

static const double steps[] = {0, 50, 100}, mean[] = {0, 0.5, 1}, lo[] = {0, 0.25, 1}, hi[] = {0, 0.75, 1};

static void wrong_arguments(void)
{
    double down[] = {2, 1, 0}, nothing[] = {NAN, NAN, INFINITY};
    lc_compare_line line = {"a", steps, mean, NULL, NULL, 3};
    lc_compare_panel panel = {"score", &line, 1};
    lc_text out = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_compare_write(&out, "t", NULL, NULL, 0, &err), LOCO_EARG);
    panel.lines_len = LC_COMPARE_METHODS + 1;
    CHECK_STATUS(lc_compare_write(&out, "t", NULL, &panel, 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "7 methods");
    panel.lines_len = 1;
    line.steps = down;
    CHECK_STATUS(lc_compare_write(&out, "t", NULL, &panel, 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "step 1 after 2");
    line.steps = steps;
    line.mean = nothing;
    CHECK_STATUS(lc_compare_write(&out, "t", NULL, &panel, 1, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "nothing to draw");
    CHECK_EQ(out.length, 0);
}

/* Two methods, one with a band; a panel without values is left out. */
static void lines_and_bands(void)
{
    double nothing[] = {NAN, NAN, NAN};
    lc_compare_line known[] = {
        {"exact",  steps, mean, lo,   hi,   3},
        {"<rest>", steps, lo,   NULL, NULL, 3}
    };
    lc_compare_line unknown = {"exact", steps, nothing, NULL, NULL, 3};
    lc_compare_panel panels[] = {
        {"empty", &unknown, 1},
        {"full",  known,    2}
    };
    lc_text out = {0};
    loco_err err = {""};
    CHECK_STATUS(lc_compare_write(&out, "A & B", "a note", panels, 2, &err), LOCO_OK);
    CHECK_SAYS(out.bytes, "A &amp; B");
    CHECK_SAYS(out.bytes, ">a note<");
    CHECK_SAYS(out.bytes, "M72 268L436 190L800 112");                         /* the mean of the first */
    CHECK_SAYS(out.bytes, "M72 268L436 151L800 112L800 112L436 229L72 268z"); /* its band */
    CHECK_SAYS(out.bytes, "&lt;rest&gt;");
    CHECK_SAYS(out.bytes, ">full<");
    CHECK(strstr(out.bytes, "empty") == NULL);
    lc_text_free(&out);
}

int main(void)
{
    RUN(wrong_arguments);
    RUN(lines_and_bands);
    return check_done();
}
