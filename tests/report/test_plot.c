/* SPDX-License-Identifier: MIT
 * test_plot.c - a panel with two axes: where values land, gaps, steps of an axis, names that do not cover each
 * other. */
#include "cases.h"

#include "report/plot.h"

static const lc_plot plot = {100, 300, 50, 150, 0, 10, -1, 1};

static void values_land_on_the_panel(void)
{
    CHECK_NEAR(lc_plot_x(&plot, 0), 100, 1e-12);
    CHECK_NEAR(lc_plot_x(&plot, 2.5), 150, 1e-12);
    CHECK_NEAR(lc_plot_x(&plot, 11), 300, 1e-12);
    CHECK_NEAR(lc_plot_y(&plot, -1), 150, 1e-12);
    CHECK_NEAR(lc_plot_y(&plot, 0.5), 75, 1e-12);
    CHECK_NEAR(lc_plot_y(&plot, 7), 50, 1e-12);
}

static void steps_are_round(void)
{
    CHECK_NEAR(lc_plot_step(10, 5), 2, 1e-12);
    CHECK_NEAR(lc_plot_step(11, 5), 5, 1e-12);
    CHECK_NEAR(lc_plot_step(0.3, 5), 0.1, 1e-12);
    for (int i = 0; i < 65; i++) { /* up to 9e8 */
        double span = 1e-6 * pow(1.7, i);
        CHECK(span / lc_plot_step(span, 7) <= 7 + 1e-6 && span / lc_plot_step(span, 7) > 2);
    }
}

static void marks_skip_what_is_unknown(void)
{
    double x[] = {0, 5, 6, 10}, y[] = {-1, NAN, 1, INFINITY}, none[] = {NAN, NAN, NAN, NAN};
    lc_text out = {0};
    lc_plot_line(&out, &plot, x, y, 4, "stroke='red'");
    CHECK_SAYS(out.bytes, "d='M100 150M220 50'");
    CHECK_SAYS(out.bytes, "stroke='red'/>");
    lc_text_free(&out);
    lc_plot_line(&out, &plot, x, none, 4, "");
    lc_plot_band(&out, &plot, x, none, y, 4, "");
    CHECK_EQ(out.length, 0);
    lc_plot_bar(&out, &plot, 0, 1, -1, ""); /* nothing high */
    CHECK_EQ(out.length, 0);
    lc_plot_bar(&out, &plot, 0, 1, 0, "fill='red'");
    CHECK_SAYS(out.bytes, "<rect x='100' y='100' width='20' height='50' fill='red'/>");
    lc_text_free(&out);
    lc_plot_band(&out, &plot, x, (double[]){-1, -1, -1, -1}, (double[]){0, 0, NAN, 1}, 4, "fill='red'");
    CHECK_SAYS(out.bytes, "d='M100 100L200 100L300 50L300 150L200 150L100 150z'");
    lc_text_free(&out);
}

static void frames_have_numbers(void)
{
    lc_text out = {0};
    lc_plot_frame(&out, &plot, "a <b>", 5, 4, "steps");
    CHECK_SAYS(out.bytes, "a &lt;b&gt;");
    CHECK_SAYS(out.bytes, ">-0.5<");
    CHECK_SAYS(out.bytes, ">10<");
    CHECK_SAYS(out.bytes, ">steps<");
    lc_text_free(&out);
}

/* Three names at one height, at the bottom: 15 apart, none below. */
static void names_make_room(void)
{
    lc_plot_label labels[] = {
        {149, "low",  "#000001"},
        {148, "high", "#000002"},
        {150, "<&>",  "#000003"}
    };
    lc_text out = {0};
    lc_plot_labels(&out, &plot, labels, 3);
    CHECK_NEAR(labels[0].y, 120, 1e-9);
    CHECK_NEAR(labels[1].y, 135, 1e-9);
    CHECK_NEAR(labels[2].y, 150, 1e-9);
    CHECK_STR(labels[0].name, "high");
    CHECK_SAYS(out.bytes, "fill='#000002' x='310' y='124'>high</text>");
    CHECK_SAYS(out.bytes, ">&lt;&amp;&gt;</text>");
    lc_text_free(&out);
}

int main(void)
{
    RUN(values_land_on_the_panel);
    RUN(steps_are_round);
    RUN(marks_skip_what_is_unknown);
    RUN(frames_have_numbers);
    RUN(names_make_room);
    return check_done();
}
