/* SPDX-License-Identifier: MIT
 *
 * compare.c - the course of several methods in one picture.
 *
 *     title
 *     F1 at 50 ms     ___....----  exact
 *                 _.-'   __..----  squared       a line is the mean of a method's runs, a pale band around it reaches
 *                /  _.--'                        from the least to the largest of them
 *     F1 at 20 ms ...
 *       0     100    200    300
 */
#include "report/compare.h"

#include "base/status.h"
#include "report/plot.h"
#include "report/svg.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 960.0
#define LEFT 72.0
#define RIGHT 800.0
#define FIRST_TOP 112.0
#define PANEL 156.0
#define GAP 62.0
#define FOOT 56.0

enum { TITLE_CHARACTERS = 80, STYLE_BYTES = 96 };

static loco_status check(const lc_compare_panel *panels, size_t panels_len, loco_err *err)
{
    if (panels == NULL || panels_len < 1 || panels_len > LC_COMPARE_PANELS)
        return lc_err_set(err, LOCO_EARG, "%zu panels; a comparison has 1 to %d", panels_len, LC_COMPARE_PANELS);
    for (size_t i = 0; i < panels_len; i++) {
        if (panels[i].lines_len < 1 || panels[i].lines_len > LC_COMPARE_METHODS)
            return lc_err_set(err, LOCO_EARG, "%zu methods; a picture has colours for 1 to %d", panels[i].lines_len,
                              LC_COMPARE_METHODS);
        for (size_t k = 0; k < panels[i].lines_len; k++) {
            const lc_compare_line *line = &panels[i].lines[k];
            for (size_t j = 0; j < line->len; j++)
                if (!(line->steps[j] >= (j > 0 ? line->steps[j - 1] : 0) && line->steps[j] < 1e9))
                    return lc_err_set(err, LOCO_EARG, "%.60s: step %g after %g; steps rise from 0 to below 1e9",
                                      line->name, line->steps[j], j > 0 ? line->steps[j - 1] : 0);
        }
    }
    return LOCO_OK;
}

/* ---- ranges ---- */

static void widen(double *lo, double *hi, double value)
{
    if (isfinite(value)) {
        *lo = fmin(*lo, value);
        *hi = fmax(*hi, value);
    }
}

static double last_step(const lc_compare_panel *panels, size_t n)
{
    double last = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < panels[i].lines_len; k++)
            if (panels[i].lines[k].len > 0)
                last = fmax(last, panels[i].lines[k].steps[panels[i].lines[k].len - 1]);
    return last > 0 ? last : 1;
}

/* Whole steps of the axis around all values; false without any value. */
static bool set_range(lc_plot *plot, const lc_compare_panel *panel)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t k = 0; k < panel->lines_len; k++)
        for (size_t j = 0; j < panel->lines[k].len; j++) {
            const lc_compare_line *line = &panel->lines[k];
            widen(&lo, &hi, line->mean[j]);
            if (line->lo != NULL && line->hi != NULL) {
                widen(&lo, &hi, line->lo[j]);
                widen(&lo, &hi, line->hi[j]);
            }
        }
    if (!(lo <= hi) || fabs(lo) > 1e9 || fabs(hi) > 1e9)
        return false;
    double step = lc_plot_step(fmax(hi - lo, 0.01 * fmax(1, fabs(hi))), 5);
    plot->y0 = floor(lo / step + 1e-9) * step;
    plot->y1 = fmax(ceil(hi / step - 1e-9) * step, plot->y0 + step);
    return true;
}

/* ---- drawing ---- */

/* The last value of a line that is known. */
static bool last_value(const lc_compare_line *line, double *value)
{
    for (size_t j = line->len; j-- > 0;)
        if (isfinite(line->mean[j])) {
            *value = line->mean[j];
            return true;
        }
    return false;
}

static void draw_panel(lc_text *out, const lc_plot *plot, const lc_compare_panel *panel, bool last)
{
    lc_plot_label labels[LC_COMPARE_METHODS];
    char style[STYLE_BYTES];
    size_t used = 0;
    lc_plot_frame(out, plot, panel->heading, 8, 5, last ? "step" : NULL);
    for (size_t k = 0; k < panel->lines_len; k++) {
        const lc_compare_line *line = &panel->lines[k];
        snprintf(style, sizeof style, "fill='%s' fill-opacity='.16'", lc_plot_colours[k]);
        if (line->lo != NULL && line->hi != NULL)
            lc_plot_band(out, plot, line->steps, line->lo, line->hi, line->len, style);
    }
    for (size_t k = 0; k < panel->lines_len; k++) {
        const lc_compare_line *line = &panel->lines[k];
        double value;
        snprintf(style, sizeof style, "stroke='%s' stroke-width='2'", lc_plot_colours[k]);
        lc_plot_line(out, plot, line->steps, line->mean, line->len, style);
        if (last_value(line, &value))
            labels[used++] = (lc_plot_label){lc_plot_y(plot, value), line->name, lc_plot_colours[k]};
    }
    lc_plot_labels(out, plot, labels, used);
}

loco_status lc_compare_write(lc_text *out, const char *title, const char *note, const lc_compare_panel *panels,
                             size_t panels_len, loco_err *err)
{
    loco_status status = check(panels, panels_len, err);
    if (status != LOCO_OK)
        return status;
    lc_plot plots[LC_COMPARE_PANELS];
    const lc_compare_panel *shown[LC_COMPARE_PANELS];
    size_t n = 0, start = out->length;
    double last = last_step(panels, panels_len);
    for (size_t i = 0; i < panels_len; i++) {
        double top = FIRST_TOP + (double)n * (PANEL + GAP);
        plots[n] = (lc_plot){.left = LEFT, .right = RIGHT, .top = top, .bottom = top + PANEL, .x1 = last};
        shown[n] = &panels[i];
        n += set_range(&plots[n], &panels[i]);
    }
    if (n == 0)
        return lc_err_set(err, LOCO_EDATA, "nothing to draw: no run has a score on what was held out");
    double height = plots[n - 1].bottom + FOOT;
    lc_svg_open(out, WIDTH, height, title);
    lc_svg_rect(out, 0, 0, WIDTH, height, LC_PAPER);
    lc_svg_text_open(out, LEFT, 42, LC_TITLE);
    lc_svg_escape(out, title, TITLE_CHARACTERS);
    lc_svg_text_close(out);
    if (note != NULL)
        lc_svg_text(out, LEFT, 65, LC_MUTE " font-size='12.5'", note);
    for (size_t i = 0; i < n; i++)
        draw_panel(out, &plots[i], shown[i], i + 1 == n);
    lc_svg_close(out);
    if (!out->failed)
        return LOCO_OK;
    out->length = start;
    return lc_err_set(err, LOCO_ENOMEM, "out of memory while drawing a comparison");
}
