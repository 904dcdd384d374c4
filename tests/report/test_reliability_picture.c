/* SPDX-License-Identifier: MIT
 * test_reliability_picture.c - a point for each tenth that has events, numbers for all and for each class. */
#include "cases.h"

#include "report/reliability_picture.h"

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

static void points_and_numbers(void)
{
    static const char *const names[] = {"kick", "<b>"};
    static const loco_event truth[] = {
        {1, 0, 1, 0},
        {2, 1, 1, 0}
    };
    static const loco_event found[] = {
        {1.001, 0, 0.9, 0},
        {1.9,   1, 0.4, 0},
        {3,     0, 0.3, 0}
    };
    lc_matched matched = {0};
    lc_text out = {0};
    CHECK_STATUS(lc_matched_new(&matched, 2, 0.05, NULL), LOCO_OK);
    lc_reliability_draw(&out, "empty", names, &matched); /* no event: axes alone */
    CHECK_EQ(count_of(out.bytes, "<circle"), 0);
    CHECK_SAYS(out.bytes, "</svg>");
    lc_text_free(&out);
    CHECK_STATUS(lc_matched_add(&matched, truth, 2, found, 3, NULL), LOCO_OK);
    lc_reliability_draw(&out, "a & b", names, &matched);
    CHECK_EQ(count_of(out.bytes, "<circle"), 3);
    CHECK_SAYS(out.bytes, "a &amp; b");
    CHECK_SAYS(out.bytes, ">&lt;b&gt;<");
    CHECK_SAYS(out.bytes, "within 50 ms");
    CHECK_SAYS(out.bytes, "expected calibration error 0.2667"); /* (0.1 + 0.4 + 0.3) / 3 */
    CHECK_SAYS(out.bytes, ">0.533<");                           /* claimed */
    CHECK_SAYS(out.bytes, ">0.333<");                           /* right */
    lc_text_free(&out);
    lc_matched_free(&matched);
}

static void many_classes_are_cut(void)
{
    const char *names[40];
    lc_matched matched = {0};
    lc_text out = {0};
    for (size_t k = 0; k < 40; k++)
        names[k] = "name";
    CHECK_STATUS(lc_matched_new(&matched, 40, 0.05, NULL), LOCO_OK);
    lc_reliability_draw(&out, "many", names, &matched);
    CHECK_EQ(count_of(out.bytes, ">name<"), LC_RELIABILITY_ROWS - 1);
    lc_text_free(&out);
    lc_matched_free(&matched);
}

int main(void)
{
    RUN(points_and_numbers);
    RUN(many_classes_are_cut);
    return check_done();
}
