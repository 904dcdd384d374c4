/* SPDX-License-Identifier: MIT
 *
 * plot_scores.c - the F1 of several methods as dots on one scale.
 *
 *     title                              o seen   o unseen
 *     exact                                          o 98.7
 *                                                  o 98.1        a dot is the mean of a method's runs, the line through
 *     one count per half hour        ---o--- 92.4                it reaches from the least to the largest of them
 *                                   90        95        100
 *
 * A method "ROW / SERIES" stands in the row ROW, in the colour of SERIES; a name without " / " is a row of its own.
 * The scale begins at the multiple of 5 or 10 per cent that is below all values: differences near 100 are what one
 * looks for, and dots, unlike bars, need no zero.
 */
#include "base/file.h"
#include "base/status.h"
#include "eval/runs.h"
#include "report/plot.h"
#include "report/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 960.0
#define LEFT 330.0
#define RIGHT 890.0
#define TOP 108.0
#define STEP 18.0 /* from series to series of a row */
#define GAP 14.0  /* from row to row */
#define FOOT 52.0

enum { ROWS = 40, NAME = 64, CHARACTERS = 46, STYLE_BYTES = 96 };
static const char between[] = " / ";

typedef struct name {
    char text[NAME];
} name;

/* Of a row and a series: what their runs have, in per cent. */
typedef struct figure_cell {
    double n, mean, lo, hi;
} figure_cell;

typedef struct figure {
    name rows[ROWS], series[LC_PLOT_COLOURS];
    size_t rows_len, series_len;
    figure_cell cells[ROWS][LC_PLOT_COLOURS];
} figure;

/* ---- what there is to draw ---- */

/* The place of a name in a list of at most `most`, where it is put when it is new; `most` when there is no room. */
static size_t place_of(name *names, size_t *len, size_t most, const char *text, size_t length)
{
    name made = {""};
    size_t i = 0;
    memcpy(made.text, text, length < NAME - 1 ? length : NAME - 1);
    while (i < *len && strcmp(names[i].text, made.text) != 0)
        i++;
    if (i == *len && i < most)
        names[(*len)++] = made;
    return i;
}

static loco_status add_method(figure *f, const char *method, figure_cell **out, loco_err *err)
{
    const char *slash = strstr(method, between), *series = slash != NULL ? slash + strlen(between) : "";
    size_t length = slash != NULL ? (size_t)(slash - method) : strlen(method);
    size_t row = place_of(f->rows, &f->rows_len, ROWS, method, length);
    size_t colour = place_of(f->series, &f->series_len, LC_PLOT_COLOURS, series, strlen(series));
    if (row == ROWS || colour == LC_PLOT_COLOURS)
        return lc_err_set(err, LOCO_EARG, "a picture has room for %d rows and %d colours", ROWS, LC_PLOT_COLOURS);
    *out = &f->cells[row][colour];
    return LOCO_OK;
}

static void add_value(figure_cell *c, double value)
{
    if (!isfinite(value))
        return;
    c->lo = c->n > 0 ? fmin(c->lo, value) : value;
    c->hi = c->n > 0 ? fmax(c->hi, value) : value;
    c->n++;
    c->mean += (value - c->mean) / c->n;
}

static loco_status find_class(size_t *kind, const lc_runs *runs, const char *class, loco_err *err)
{
    *kind = LC_ALL_KINDS;
    for (size_t k = 0; class != NULL && k < runs->classes_len; k++)
        if (strcmp(runs->classes[k], class) == 0)
            *kind = k;
    if (class != NULL && *kind == LC_ALL_KINDS)
        return lc_err_set(err, LOCO_EARG, "no class of the runs is called \"%.60s\"", class);
    return LOCO_OK;
}

static loco_status gather(figure *f, const lc_runs *runs, const char *class, loco_err *err)
{
    size_t kind;
    loco_status status = find_class(&kind, runs, class, err);
    for (size_t i = 0; status == LOCO_OK && i < runs->len; i++) {
        figure_cell *c = NULL;
        status = add_method(f, runs->methods[runs->method[i]], &c, err);
        if (status == LOCO_OK)
            add_value(c, 100 * lc_runs_value(runs, i, kind, 0, LC_RUN_F1));
    }
    return status;
}

/* ---- drawing ---- */

static double least(const figure *f)
{
    double lo = 100;
    for (size_t i = 0; i < f->rows_len; i++)
        for (size_t k = 0; k < f->series_len; k++)
            lo = f->cells[i][k].n > 0 ? fmin(lo, f->cells[i][k].lo) : lo;
    double step = lo < 80 ? 10 : 5;
    return fmax(0, fmin(90, floor(lo / step) * step));
}

static void draw_scale(lc_text *out, const lc_plot *plot)
{
    double step = lc_plot_step(plot->x1 - plot->x0, 10);
    for (int i = 0; i * step <= plot->x1 - plot->x0 + 1e-9; i++) {
        double at = plot->x0 + i * step, x = lc_plot_x(plot, at);
        lc_svg_line(out, x, plot->top, x, plot->bottom, LC_RULE);
        lc_svg_text_open(out, x, plot->bottom + 17, LC_SMALL_MIDDLE);
        lc_text_number(out, at, 3);
        lc_svg_text_close(out);
    }
}

static void draw_dot(lc_text *out, const lc_plot *plot, const figure_cell *c, double y, const char *colour)
{
    char style[STYLE_BYTES];
    double x = lc_plot_x(plot, c->mean);
    snprintf(style, sizeof style, "stroke='%s' stroke-width='2' stroke-opacity='.5'", colour);
    if (c->n > 1)
        lc_svg_line(out, lc_plot_x(plot, c->lo), y, lc_plot_x(plot, c->hi), y, style);
    snprintf(style, sizeof style, "fill='%s'", colour);
    lc_svg_circle(out, x, y, 5, style);
    lc_svg_text_open(out, lc_plot_x(plot, c->hi) + 10, y + 4, LC_SMALL);
    lc_text_fixed(out, c->mean, 1);
    lc_svg_text_close(out);
}

static double row_height(const figure *f)
{
    return STEP * (double)f->series_len + GAP;
}

static void draw_row(lc_text *out, const lc_plot *plot, const figure *f, size_t row)
{
    double top = plot->top + row_height(f) * (double)row + GAP / 2;
    lc_svg_text_open(out, LEFT - 16, top + STEP * (double)f->series_len / 2 + 4,
                     LC_INK " font-size='13' text-anchor='end'");
    lc_svg_escape(out, f->rows[row].text, CHARACTERS);
    lc_svg_text_close(out);
    for (size_t k = 0; k < f->series_len; k++)
        if (f->cells[row][k].n > 0)
            draw_dot(out, plot, &f->cells[row][k], top + STEP * ((double)k + 0.5), lc_plot_colours[k]);
}

/* What the colours mean, where there are several. */
static void draw_legend(lc_text *out, const figure *f)
{
    char style[STYLE_BYTES];
    double x = LEFT;
    for (size_t k = 0; k < f->series_len && f->series_len > 1; k++) {
        snprintf(style, sizeof style, "fill='%s'", lc_plot_colours[k]);
        lc_svg_circle(out, x, TOP - 22, 5, style);
        lc_svg_text_open(out, x + 11, TOP - 18, LC_INK " font-size='12.5'");
        lc_svg_escape(out, f->series[k].text, CHARACTERS);
        lc_svg_text_close(out);
        x += 40 + 7.0 * (double)strlen(f->series[k].text);
    }
}

static void draw(lc_text *out, const figure *f, const char *title, const char *note)
{
    double bottom = TOP + row_height(f) * (double)f->rows_len;
    lc_plot plot = {LEFT, RIGHT, TOP, bottom, least(f), 100, 0, 1};
    lc_svg_open(out, WIDTH, bottom + FOOT, title);
    lc_svg_rect(out, 0, 0, WIDTH, bottom + FOOT, LC_PAPER);
    lc_svg_text_open(out, 32, 38, LC_TITLE);
    lc_svg_escape(out, title, 80);
    lc_svg_text_close(out);
    lc_svg_text(out, 32, 60, LC_MUTE " font-size='12.5'", note);
    draw_legend(out, f);
    draw_scale(out, &plot);
    for (size_t i = 0; i < f->rows_len; i++)
        draw_row(out, &plot, f, i);
    lc_svg_close(out);
}

/* ---- files ---- */

static loco_status save(const char *path, const lc_runs *runs, const figure *f, const char *class, const char *title,
                        loco_err *err)
{
    lc_text text = {0}, note = {0};
    lc_text_format(&note, "F1 of %.60s in per cent, within ", class != NULL ? class : "all events");
    lc_text_number(&note, (runs->images ? 1 : 1e3) * runs->tolerances[0], 3);
    lc_text_string(&note, runs->images ? " px" : " ms");
    lc_text_string(&note, "; lines: from the least to the largest of several runs");
    draw(&text, f, title != NULL ? title : "Scores", note.bytes != NULL ? note.bytes : "");
    loco_status status = text.failed || note.failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture")
                                                    : lc_file_save(path, text.bytes, text.length, err);
    lc_text_free(&note);
    lc_text_free(&text);
    return status;
}

loco_status loco_plot_scores(const char *path, const loco_run *files, size_t files_len, const char *kind,
                             const char *title, loco_err *err)
{
    lc_runs runs = {0};
    figure *f = calloc(1, sizeof *f);
    loco_status status = LOCO_OK;
    if (f == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture");
    else if (files_len == 0)
        status = lc_err_set(err, LOCO_EARG, "a picture of scores needs at least one run");
    for (size_t i = 0; status == LOCO_OK && i < files_len; i++)
        status = lc_runs_load(&runs, &files[i], err);
    if (status == LOCO_OK)
        status = gather(f, &runs, kind, err);
    if (status == LOCO_OK)
        status = save(path, &runs, f, kind, title, err);
    lc_runs_free(&runs);
    free(f);
    return status;
}
