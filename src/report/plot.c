/* SPDX-License-Identifier: MIT
 *
 * plot.c - one panel with two linear axes.
 */
#include "report/plot.h"

#include "report/svg.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_TICKS = 40, NAME_CHARACTERS = 18, HEADING_CHARACTERS = 60 };
#define LABEL_STEP 15.0

const char *const lc_plot_colours[LC_PLOT_COLOURS] = {"#3b73ab", "#d1570f", "#4f8a3d", "#7d5ba6", "#a88a1c", "#66727f"};

double lc_plot_step(double span, double pieces)
{
    double power = pow(10, floor(log10(span / pieces) + 1e-9));
    static const double factors[] = {1, 2, 5};
    for (int i = 0; i < 3; i++)
        if (span <= factors[i] * power * pieces * (1 + 1e-9))
            return factors[i] * power;
    return 10 * power;
}

static double within(double share)
{
    return fmax(0, fmin(1, share));
}

double lc_plot_x(const lc_plot *p, double x)
{
    return p->left + (p->right - p->left) * within((x - p->x0) / (p->x1 - p->x0));
}

double lc_plot_y(const lc_plot *p, double y)
{
    return p->bottom - (p->bottom - p->top) * within((y - p->y0) / (p->y1 - p->y0));
}

/* ---- the frame ------------------------------------------------------------------------------------------- */

static void tick(lc_text *out, double x, double y, const char *style, double value)
{
    lc_svg_text_open(out, x, y, style);
    lc_text_number(out, value, 6);
    lc_svg_text_close(out);
}

/* Tick i of an axis; false behind its end. */
static bool tick_at(double from, double to, double step, int i, double *at)
{
    *at = (ceil(from / step - 1e-9) + i) * step;
    return *at <= to + 1e-9 * step;
}

void lc_plot_frame(lc_text *out, const lc_plot *p, const char *heading, double x_pieces, double y_pieces,
                   const char *x_name)
{
    double at;
    lc_svg_text_open(out, p->left, p->top - 14, LC_HEADING);
    lc_svg_escape(out, heading, HEADING_CHARACTERS);
    lc_svg_text_close(out);
    double step = lc_plot_step(p->y1 - p->y0, y_pieces);
    for (int i = 0; i < MOST_TICKS && tick_at(p->y0, p->y1, step, i, &at); i++) {
        double y = lc_plot_y(p, at);
        lc_svg_line(out, p->left, y, p->right, y, LC_RULE);
        tick(out, p->left - 8, y + 4, LC_SMALL_END, at);
    }
    lc_svg_line(out, p->left, p->bottom, p->right, p->bottom, "class='axis' stroke='#9aa5b1'");
    step = lc_plot_step(p->x1 - p->x0, x_pieces);
    for (int i = 0; i < MOST_TICKS && tick_at(p->x0, p->x1, step, i, &at); i++)
        tick(out, lc_plot_x(p, at), p->bottom + 17, LC_SMALL_MIDDLE, at);
    if (x_name != NULL)
        lc_svg_text(out, (p->left + p->right) / 2, p->bottom + 34, LC_SMALL_MIDDLE, x_name);
}

/* ---- marks ----------------------------------------------------------------------------------------------- */

/* Takes an element back that turned out to be empty. */
static void take_back(lc_text *out, size_t start)
{
    if (!out->failed)
        out->length = start;
}

void lc_plot_line(lc_text *out, const lc_plot *p, const double *x, const double *y, size_t n, const char *style)
{
    size_t start = out->length, points = 0;
    bool gap = true;
    lc_svg_path_open(out);
    for (size_t i = 0; i < n; i++) {
        bool good = isfinite(x[i]) && isfinite(y[i]);
        if (good)
            lc_svg_path_point(out, gap ? 'M' : 'L', lc_plot_x(p, x[i]), lc_plot_y(p, y[i]));
        points += good;
        gap = !good;
    }
    lc_text_format(out, "' fill='none' stroke-linejoin='round' stroke-linecap='round' %s/>\n", style);
    if (points == 0)
        take_back(out, start);
}

void lc_plot_band(lc_text *out, const lc_plot *p, const double *x, const double *lo, const double *hi, size_t n,
                  const char *style)
{
    size_t start = out->length, points = 0;
    lc_svg_path_open(out);
    for (size_t i = 0; i < 2 * n; i++) { /* right along the upper edge, and back along the lower */
        size_t k = i < n ? i : 2 * n - 1 - i;
        if (isfinite(x[k]) && isfinite(lo[k]) && isfinite(hi[k]))
            lc_svg_path_point(out, points++ == 0 ? 'M' : 'L', lc_plot_x(p, x[k]), lc_plot_y(p, i < n ? hi[k] : lo[k]));
    }
    lc_text_string(out, "z");
    lc_svg_path_close(out, style);
    if (points == 0)
        take_back(out, start);
}

void lc_plot_bar(lc_text *out, const lc_plot *p, double x, double width, double y, const char *style)
{
    double from = lc_plot_x(p, x), to = lc_plot_x(p, x + width), top = lc_plot_y(p, y);
    if (p->bottom - top > 0.05)
        lc_svg_rect(out, from, top, to - from, p->bottom - top, style);
}

/* Sorted from top to bottom, pushed down until none covers another, and back up when the last leaves the panel. */
void lc_plot_labels(lc_text *out, const lc_plot *p, lc_plot_label *labels, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && labels[k].y < labels[k - 1].y; k--) {
            lc_plot_label other = labels[k];
            labels[k] = labels[k - 1];
            labels[k - 1] = other;
        }
    for (size_t i = 1; i < n; i++)
        labels[i].y = fmax(labels[i].y, labels[i - 1].y + LABEL_STEP);
    double limit = p->bottom;
    for (size_t i = n; i-- > 0; limit -= LABEL_STEP) {
        labels[i].y = fmin(labels[i].y, limit);
        lc_text_format(out, "<text class='label' font-size='12' fill='%s' ", labels[i].colour);
        lc_text_string(out, "x='");
        lc_text_number(out, p->right + 10, 2);
        lc_text_string(out, "' y='");
        lc_text_number(out, labels[i].y + 4, 2);
        lc_text_string(out, "'>");
        lc_svg_escape(out, labels[i].name, NAME_CHARACTERS);
        lc_svg_text_close(out);
    }
}
