/* SPDX-License-Identifier: MIT
 *
 * reliability_picture.c - a picture of how far probabilities hold.
 *
 *     title
 *     what is shown; expected calibration error
 *     1 |          .'        events claimed right error
 *       |        .I    all     2357  0.942 0.930 0.015
 *       |    I .'      kick     633  0.966 0.957 0.012
 *     0 |__.'______    ...
 *       how many       I: 95 % of what the true share can be
 *
 * Events of one tenth of the probabilities are a point, at their mean probability and the share that is right. On the
 * dotted line, probabilities mean what they say; below it they promise too much.
 */
#include "report/reliability_picture.h"

#include "report/plot.h"
#include "report/svg.h"

#include <math.h>

#define WIDTH 860.0
#define HEIGHT 590.0
#define LEFT 60.0
#define RIGHT 430.0
#define TOP 112.0
#define BOTTOM 424.0
#define BARS_TOP 484.0
#define BARS_BOTTOM 546.0
#define TABLE 480.0 /* its left edge */
#define COLUMN 70.0 /* right edges of numbers, one after another */
#define FIRST_NUMBER 630.0
#define ROW 22.0

#define BLUE "#3b73ab"

enum { TITLE_CHARACTERS = 80, NAME_CHARACTERS = 14 };

/* ---- the points ---- */

static void draw_point(lc_text *out, const lc_plot *plot, const lc_reliability *r, size_t bin)
{
    double n = (double)r->events[bin], low, high, cap = 4;
    if (r->events[bin] == 0)
        return;
    double x = lc_plot_x(plot, r->claimed[bin] / n), y = lc_plot_y(plot, (double)r->right[bin] / n);
    lc_reliability_interval(r->right[bin], r->events[bin], &low, &high);
    lc_svg_path_open(out);
    for (int end = 0; end < 2; end++) {
        double at = lc_plot_y(plot, end == 0 ? low : high);
        lc_svg_path_point(out, 'M', x - cap, at);
        lc_svg_path_along(out, 'H', x + cap);
    }
    lc_svg_path_point(out, 'M', x, lc_plot_y(plot, low));
    lc_svg_path_along(out, 'V', lc_plot_y(plot, high));
    lc_svg_path_close(out, "fill='none' stroke='" BLUE "' stroke-width='1.3'");
    lc_svg_circle(out, x, y, 4, "fill='" BLUE "'");
}

static void draw_points(lc_text *out, const lc_reliability *r)
{
    lc_plot plot = {LEFT, RIGHT, TOP, BOTTOM, 0, 1, 0, 1};
    lc_plot_frame(out, &plot, "share of right events", 5, 5, "probability");
    lc_svg_line(out, LEFT, BOTTOM, RIGHT, TOP, "class='best' stroke='#66727f' stroke-dasharray='3 3'");
    for (size_t b = 0; b < LC_RELIABILITY_BINS; b++)
        draw_point(out, &plot, r, b);
}

static void draw_bars(lc_text *out, const lc_reliability *r)
{
    double most = 1;
    for (size_t b = 0; b < LC_RELIABILITY_BINS; b++)
        most = fmax(most, (double)r->events[b]);
    lc_plot plot = {LEFT, RIGHT, BARS_TOP, BARS_BOTTOM, 0, 1, 0, most};
    lc_plot_frame(out, &plot, "events", 5, 2, NULL);
    for (size_t b = 0; b < LC_RELIABILITY_BINS; b++)
        lc_plot_bar(out, &plot, (double)b / LC_RELIABILITY_BINS, 1.0 / LC_RELIABILITY_BINS, (double)r->events[b],
                    "fill='#8aabcd' stroke='#fdfdfc' stroke-width='.5'");
}

/* ---- the numbers ---- */

static void draw_head(lc_text *out)
{
    static const char *const names[] = {"events", "claimed", "right", "error"};
    for (size_t i = 0; i < 4; i++)
        lc_svg_text(out, FIRST_NUMBER + COLUMN * (double)i, TOP + 4, LC_SMALL_END, names[i]);
}

static void draw_row(lc_text *out, size_t row, const char *name, const lc_reliability *r)
{
    double y = TOP + 6 + ROW * (double)(row + 1);
    const double numbers[] = {lc_reliability_claimed(r), lc_reliability_right(r), lc_reliability_error(r)};
    lc_svg_text_open(out, TABLE, y, LC_INK " font-size='13'");
    lc_svg_escape(out, name, NAME_CHARACTERS);
    lc_svg_text_close(out);
    lc_svg_text_open(out, FIRST_NUMBER, y, LC_INK " font-size='13' text-anchor='end'");
    lc_text_format(out, "%zu", lc_reliability_events(r));
    lc_svg_text_close(out);
    for (size_t i = 0; i < 3; i++) {
        lc_svg_text_open(out, FIRST_NUMBER + COLUMN * (double)(i + 1), y, LC_INK " font-size='13' text-anchor='end'");
        lc_text_fixed(out, numbers[i], 3);
        lc_svg_text_close(out);
    }
}

static void draw_caption(lc_text *out, const lc_matched *matched)
{
    lc_svg_text_open(out, LEFT, 68, LC_MUTE " font-size='12.5'");
    lc_text_string(out, "an event is right within ");
    lc_text_number(out, 1e3 * matched->tolerance, 3);
    lc_text_string(out, " ms; bars: 95 % intervals; expected calibration error ");
    lc_text_fixed(out, lc_reliability_error(&matched->reliability[matched->classes]), 4);
    lc_svg_text_close(out);
}

void lc_reliability_draw(lc_text *out, const char *title, const char *const *classes, const lc_matched *matched)
{
    const lc_reliability *all = &matched->reliability[matched->classes];
    lc_svg_open(out, WIDTH, HEIGHT, title);
    lc_svg_rect(out, 0, 0, WIDTH, HEIGHT, LC_PAPER);
    lc_svg_text_open(out, LEFT, 42, LC_TITLE);
    lc_svg_escape(out, title, TITLE_CHARACTERS);
    lc_svg_text_close(out);
    draw_caption(out, matched);
    draw_points(out, all);
    draw_bars(out, all);
    draw_head(out);
    draw_row(out, 0, "all", all);
    for (size_t k = 0; matched->classes > 1 && k < matched->classes && k + 1 < LC_RELIABILITY_ROWS; k++)
        draw_row(out, k + 1, classes[k], &matched->reliability[k]);
    lc_svg_close(out);
}
