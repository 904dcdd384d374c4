/* SPDX-License-Identifier: MIT
 *
 * eval_panels.c - pictures of an evaluation, three panels a row, or two.
 *
 *     title
 *     what is shown
 *     kick        F1 0.96 at 0.42    snare ...          kick                        snare ...
 *     |----.__ precision        |                       |        _##_   mean -1.2 |
 *     |   _.-'`-._              |                       |      _######_ spread 4.3|
 *     0          threshold      1                       -50        0          50 ms
 *
 * Blue is precision and orange recall, F1 is ink; a dashed line marks the model's threshold, or the mean error.
 */
#include "report/eval_panels.h"

#include "eval/score.h"
#include "report/plot.h"
#include "report/svg.h"

#include <math.h>

#define WIDTH 960.0
#define LEFT 60.0
#define GAP 62.0 /* between panels */
#define RIGHT 904.0
#define FIRST_TOP 124.0
#define HEIGHT 150.0
#define ROW 236.0
#define FOOT 56.0

#define BLUE "#3b73ab"
#define ORANGE "#d1570f"
#define MARK "class='best' stroke='#66727f' stroke-dasharray='3 3'"

enum { TITLE_CHARACTERS = 80, NAME_CHARACTERS = 16 };

void lc_error_add(lc_error_histogram *h, double error, double tolerance)
{
    double before = error - h->mean, bin = floor((error / tolerance + 1) / 2 * LC_ERROR_BINS);
    h->bins[(size_t)fmax(0, fmin(LC_ERROR_BINS - 1, bin))]++;
    h->pairs++;
    h->mean += before / (double)h->pairs;
    h->squares += before * (error - h->mean);
}

/* ---- the grid ---- */

static size_t panels_of(const lc_eval_scene *scene)
{
    size_t n = scene->classes_len + (scene->classes_len > 1);
    return n < LC_EVAL_PANELS ? n : LC_EVAL_PANELS;
}

/* The class of panel i; the last is all, when there are several. */
static size_t kind_of(const lc_eval_scene *scene, size_t i)
{
    return scene->classes_len > 1 && i + 1 == panels_of(scene) ? LC_ALL_KINDS : i;
}

/* Two and four panels fill two columns. */
static size_t columns_of(const lc_eval_scene *scene)
{
    size_t n = panels_of(scene);
    return n == 1 ? 1 : n == 2 || n == 4 ? 2 : 3;
}

static lc_plot plot_of(const lc_eval_scene *scene, size_t i, double x0, double x1, double y1)
{
    size_t columns = columns_of(scene), row = i / columns;
    double width = (RIGHT - LEFT - GAP * (double)(columns - 1)) / (double)columns;
    double left = LEFT + (width + GAP) * (double)(i % columns), top = FIRST_TOP + ROW * (double)row;
    return (lc_plot){left, left + width, top, top + HEIGHT, x0, x1, 0, y1};
}

static void open_picture(lc_text *out, const lc_eval_scene *scene)
{
    size_t rows = (panels_of(scene) - 1) / columns_of(scene) + 1;
    double height = FIRST_TOP + HEIGHT + ROW * (double)(rows - 1) + FOOT;
    lc_svg_open(out, WIDTH, height, scene->title);
    lc_svg_rect(out, 0, 0, WIDTH, height, LC_PAPER);
    lc_svg_text_open(out, LEFT, 42, LC_TITLE);
    lc_svg_escape(out, scene->title, TITLE_CHARACTERS);
    lc_svg_text_close(out);
}

static void draw_frame(lc_text *out, const lc_eval_scene *scene, const lc_plot *plot, size_t kind, const char *x_name)
{
    lc_text name = {0};
    lc_svg_escape(&name, kind == LC_ALL_KINDS ? "all" : scene->classes[kind], NAME_CHARACTERS);
    lc_plot_frame(out, plot, "", 5, 5, x_name);
    lc_svg_text_open(out, plot->left, plot->top - 14, LC_HEADING);
    lc_text_string(out, name.bytes != NULL ? name.bytes : "");
    lc_svg_text_close(out);
    out->failed |= name.failed;
    lc_text_free(&name);
}

/* ---- over the threshold ---- */

static void draw_lines(lc_text *out, const lc_eval_scene *scene, const lc_plot *plot, size_t kind)
{
    double x[LC_SWEEP_POINTS], y[3][LC_SWEEP_POINTS];
    for (size_t i = 0; i < LC_SWEEP_POINTS; i++) {
        lc_sweep_row row = lc_sweep_point(scene->sweep, kind, i);
        x[i] = row.threshold;
        y[0][i] = row.precision;
        y[1][i] = row.recall;
        y[2][i] = row.f1;
    }
    lc_plot_line(out, plot, x, y[0], LC_SWEEP_POINTS, "stroke='" BLUE "' stroke-width='1.6'");
    lc_plot_line(out, plot, x, y[1], LC_SWEEP_POINTS, "stroke='" ORANGE "' stroke-width='1.6'");
    lc_plot_line(out, plot, x, y[2], LC_SWEEP_POINTS, "class='ink-line' stroke='#1f2933' stroke-width='2.2'");
}

/* The point of the grid that is nearest to a threshold. */
static lc_sweep_row row_near(const lc_sweep *sweep, size_t kind, double threshold)
{
    lc_sweep_row best = lc_sweep_point(sweep, kind, 0);
    for (size_t i = 1; i < LC_SWEEP_POINTS; i++) {
        lc_sweep_row row = lc_sweep_point(sweep, kind, i);
        best = fabs(row.threshold - threshold) < fabs(best.threshold - threshold) ? row : best;
    }
    return best;
}

static void draw_threshold(lc_text *out, const lc_eval_scene *scene, const lc_plot *plot, size_t kind)
{
    lc_svg_text_open(out, plot->right, plot->top - 14, LC_SMALL_END);
    if (kind == LC_ALL_KINDS) {
        lc_text_string(out, "one threshold for all");
    } else {
        double threshold = scene->thresholds[kind];
        lc_text_string(out, "F1 ");
        lc_text_fixed(out, row_near(scene->sweep, kind, threshold).f1, 3);
        lc_text_string(out, " at ");
        lc_text_fixed(out, threshold, 2);
    }
    lc_svg_text_close(out);
    if (kind != LC_ALL_KINDS) {
        double x = lc_plot_x(plot, scene->thresholds[kind]);
        lc_svg_line(out, x, plot->top, x, plot->bottom, MARK);
    }
}

void lc_eval_draw_thresholds(lc_text *out, const lc_eval_scene *scene)
{
    open_picture(out, scene);
    lc_svg_text_open(out, LEFT, 68, LC_MUTE " font-size='12.5'");
    lc_text_string(out, "<tspan fill='" BLUE "' font-weight='600'>precision</tspan>, <tspan fill='" ORANGE
                        "' font-weight='600'>recall</tspan> and <tspan class='ink' fill='#1f2933' "
                        "font-weight='600'>F1</tspan> within ");
    lc_text_number(out, 1e3 * scene->tolerance, 3);
    lc_text_string(out, " ms; dashed: the threshold of the model");
    lc_svg_text_close(out);
    for (size_t i = 0; i < panels_of(scene); i++) {
        lc_plot plot = plot_of(scene, i, 0, 1, 1);
        draw_frame(out, scene, &plot, kind_of(scene, i), "threshold");
        draw_threshold(out, scene, &plot, kind_of(scene, i));
        draw_lines(out, scene, &plot, kind_of(scene, i));
    }
    lc_svg_close(out);
}

/* ---- errors ---- */

static void draw_fact(lc_text *out, const lc_plot *plot, double below, const char *name, double milliseconds)
{
    lc_svg_text_open(out, plot->right, plot->top + below, LC_INK " font-size='12' text-anchor='end'");
    lc_text_string(out, name);
    lc_text_fixed(out, milliseconds, 1);
    lc_text_string(out, " ms");
    lc_svg_text_close(out);
}

static void draw_histogram(lc_text *out, const lc_eval_scene *scene, size_t i)
{
    size_t kind = kind_of(scene, i);
    const lc_error_histogram *h = &scene->errors[kind == LC_ALL_KINDS ? scene->classes_len : kind];
    double most = 1, reach = 1e3 * scene->tolerance, width = 2 * reach / LC_ERROR_BINS;
    for (size_t b = 0; b < LC_ERROR_BINS; b++)
        most = fmax(most, (double)h->bins[b]);
    lc_plot plot = plot_of(scene, i, -reach, reach, most * 1.05);
    draw_frame(out, scene, &plot, kind, "milliseconds, detected - true");
    for (size_t b = 0; b < LC_ERROR_BINS; b++)
        lc_plot_bar(out, &plot, -reach + width * (double)b, width, (double)h->bins[b],
                    "fill='#8aabcd' stroke='#fdfdfc' stroke-width='.5'");
    lc_svg_text_open(out, plot.right, plot.top - 14, LC_SMALL_END);
    lc_text_format(out, "%zu pairs", h->pairs);
    lc_svg_text_close(out);
    if (h->pairs == 0)
        return;
    double x = lc_plot_x(&plot, 1e3 * h->mean);
    lc_svg_line(out, x, plot.top, x, plot.bottom, "stroke='" ORANGE "' stroke-width='1.4' stroke-dasharray='4 3'");
    draw_fact(out, &plot, 16, "mean ", 1e3 * h->mean);
    draw_fact(out, &plot, 32, "spread ", 1e3 * sqrt(h->squares / (double)h->pairs));
}

void lc_eval_draw_errors(lc_text *out, const lc_eval_scene *scene)
{
    open_picture(out, scene);
    lc_svg_text_open(out, LEFT, 68, LC_MUTE " font-size='12.5'");
    lc_text_string(out, "signed time errors of events that match within ");
    lc_text_number(out, 1e3 * scene->tolerance, 3);
    lc_text_string(out, " ms; dashed: their mean");
    lc_svg_text_close(out);
    for (size_t i = 0; i < panels_of(scene); i++)
        draw_histogram(out, scene, i);
    lc_svg_close(out);
}
