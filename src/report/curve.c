/* SPDX-License-Identifier: MIT
 *
 * curve.c - how training went, in one or two panels over the same steps.
 *
 *     title                            | best
 *     loss   \.                        |
 *             `-._____ ................|.....  validation
 *                     `---_____________|_____  training
 *     score          ___.--------------|-----  validation
 *       0     1000    2000     3000    4000
 *
 * Blue is training and orange is what was not trained on, as everywhere in our pictures; further lines of a colour are
 * dashed, and each line carries its name at its end, so that no legend has to be looked up. A long noisy line becomes
 * POINTS bins: their mean as a line over a pale band from the smallest to the largest value, which shows the noise
 * without hiding the course. The loss is drawn on a logarithmic axis when it spans more than a factor of 10.
 *
 * Classes (ink, mute, rule, train, valid) stand next to the colours: the report's style sheet recolours them for dark
 * screens, and a viewer that knows no style sheet falls back on the attributes.
 */
#include "report/curve.h"

#include "base/status.h"
#include "report/plot.h"
#include "report/svg.h"

#include <math.h>
#include <stdbool.h>

#define WIDTH 960.0
#define LEFT 72.0
#define RIGHT 800.0
#define FIRST_TOP 46.0 /* of the upper panel, and TITLE more below a title */
#define TITLE 44.0
#define PANEL 176.0 /* height of a panel */
#define GAP 58.0    /* between panels, with the heading of the lower one */
#define FOOT 54.0   /* for the axis of steps */
#define LABEL_STEP 15.0

#define INK "class='ink' fill='#1f2933'"
#define MUTE "class='mute' fill='#66727f'"
#define RULE_LINE "class='rule' stroke='#dde2e8'"
#define TICK MUTE " font-size='11'"
#define TICK_END TICK " text-anchor='end'"
#define TICK_MIDDLE TICK " text-anchor='middle'"
#define MOST_VALUE 1e9 /* what an axis can write */

enum { POINTS = 160, MOST_TICKS = 40, TITLE_CHARACTERS = 80, NAME_CHARACTERS = 18 };

/* ---- one panel ------------------------------------------------------------------------------------------- */

/* Values lo..hi on y bottom..top, steps from..to on x. */
typedef struct panel {
    double top, bottom, lo, hi, from, to;
    bool logarithmic;
} panel;

static double x_of(const panel *p, double step)
{
    return LEFT + (RIGHT - LEFT) * (step - p->from) / (p->to - p->from);
}

static double y_of(const panel *p, double value)
{
    double share = p->logarithmic ? log(fmax(value, p->lo) / p->lo) / log(p->hi / p->lo)
                                  : (value - p->lo) / (p->hi - p->lo);
    return p->bottom - (p->bottom - p->top) * fmax(0, fmin(1, share));
}

/* The smallest and the largest usable value of all lines; false without any. */
static bool range_of(const lc_curve_series *lines, size_t n, double *lo, double *hi)
{
    *lo = INFINITY, *hi = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < lines[i].len; k++) {
            if (fabs(lines[i].values[k]) < MOST_VALUE) {
                *lo = fmin(*lo, lines[i].values[k]);
                *hi = fmax(*hi, lines[i].values[k]);
            }
        }
    }
    return *lo <= *hi;
}

/* Widens a range to whole steps of its axis; a score never gets room above 1. */
static void set_range(panel *p, double lo, double hi, bool loss)
{
    p->logarithmic = loss && lo > 0 && hi > 10 * lo;
    if (p->logarithmic) {
        p->lo = lo / 1.1;
        p->hi = hi * 1.1;
        return;
    }
    if (hi - lo < 1e-9 * fmax(1, fabs(hi))) {
        lo -= 0.05 * fmax(1, fabs(lo));
        hi += 0.05 * fmax(1, fabs(hi));
    }
    double step = lc_plot_step(hi - lo, 5);
    p->lo = floor(lo / step + 1e-9) * step;
    p->hi = ceil(hi / step - 1e-9) * step;
    if (loss && lo >= 0 && lo < 0.3 * hi)
        p->lo = 0;
}

static void tick(lc_text *out, double x, double y, const char *style, double value)
{
    lc_svg_text_open(out, x, y, style);
    lc_text_number(out, value, 6);
    lc_svg_text_close(out);
}

static void value_rule(lc_text *out, const panel *p, double value)
{
    double y = y_of(p, value);
    lc_svg_line(out, LEFT, y, RIGHT, y, RULE_LINE);
    tick(out, LEFT - 10, y + 4, TICK_END, value);
}

/* 1, 2, 5, 10, ... where they lie on the axis; over more than two decades only the powers of ten. */
static void logarithmic_rules(lc_text *out, const panel *p)
{
    bool wide = p->hi > 100 * p->lo;
    int ticks = 0;
    for (double power = pow(10, floor(log10(p->lo))); power <= p->hi && ticks < MOST_TICKS; power *= 10) {
        static const double factors[] = {1, 2, 5};
        for (int i = 0; i < (wide ? 1 : 3); i++) {
            if (factors[i] * power >= p->lo && factors[i] * power <= p->hi) {
                value_rule(out, p, factors[i] * power);
                ticks++;
            }
        }
    }
}

static void draw_frame(lc_text *out, const panel *p, const char *heading, bool last)
{
    lc_svg_text(out, LEFT, p->top - 16, INK " font-size='13' font-weight='600'", heading);
    if (p->logarithmic) {
        logarithmic_rules(out, p);
    } else {
        double step = lc_plot_step(p->hi - p->lo, 5);
        for (int i = 0; i < MOST_TICKS && p->lo + i * step <= p->hi + 1e-9 * step; i++)
            value_rule(out, p, p->lo + i * step);
    }
    lc_svg_line(out, LEFT, p->bottom, RIGHT, p->bottom, "class='axis' stroke='#9aa5b1'");
    double step = lc_plot_step(p->to - p->from, 8);
    for (int i = 0; i < MOST_TICKS && last; i++) {
        double at = (ceil(p->from / step - 1e-9) + i) * step;
        if (at > p->to * (1 + 1e-9))
            break;
        tick(out, x_of(p, at), p->bottom + 20, TICK_MIDDLE, at);
    }
}

/* ---- lines ----------------------------------------------------------------------------------------------- */

/* Values from..to-1 of a line as one point; count 0: no value is usable. */
typedef struct bin {
    double step, mean, lo, hi;
    size_t count;
} bin;

static bin bin_of(const lc_curve_series *line, size_t i, size_t bins)
{
    size_t from = (size_t)((double)i * (double)line->len / (double)bins);
    size_t to = (size_t)((double)(i + 1) * (double)line->len / (double)bins);
    bin b = {.lo = INFINITY, .hi = -INFINITY};
    for (size_t k = from; k < to && k < line->len; k++) {
        double value = line->values[k];
        if (!(fabs(value) < MOST_VALUE))
            continue;
        b.step += line->steps[k];
        b.mean += value;
        b.lo = fmin(b.lo, value);
        b.hi = fmax(b.hi, value);
        b.count++;
    }
    if (b.count > 0) {
        b.step /= (double)b.count;
        b.mean /= (double)b.count;
    }
    return b;
}

static size_t bins_of(const lc_curve_series *line)
{
    return line->len < POINTS ? line->len : POINTS;
}

/* The band goes right along the largest values and back along the smallest. */
static void draw_band(lc_text *out, const panel *p, const lc_curve_series *line)
{
    size_t bins = bins_of(line), points = 0, start = out->length;
    lc_svg_path_open(out);
    for (size_t i = 0; i < 2 * bins; i++) {
        bin b = bin_of(line, i < bins ? i : 2 * bins - 1 - i, bins);
        if (b.count > 0)
            lc_svg_path_point(out, points++ == 0 ? 'M' : 'L', x_of(p, b.step), y_of(p, i < bins ? b.hi : b.lo));
    }
    lc_text_string(out, "z");
    lc_svg_path_close(out, line->validation ? "class='valid-band' fill='#d1570f' fill-opacity='.14'"
                                            : "class='train-band' fill='#3b73ab' fill-opacity='.16'");
    if (points == 0 && !out->failed)
        out->length = start;
}

/* nth: the place among the lines of the same colour. */
static void draw_line(lc_text *out, const panel *p, const lc_curve_series *line, size_t nth)
{
    static const char *const dashes[] = {"", " stroke-dasharray='7 4'", " stroke-dasharray='2 3'",
                                         " stroke-dasharray='9 3 2 3'"};
    size_t bins = bins_of(line), points = 0, start = out->length;
    bool gap = true;
    lc_svg_path_open(out);
    for (size_t i = 0; i < bins; i++) {
        bin b = bin_of(line, i, bins);
        if (b.count > 0) {
            lc_svg_path_point(out, gap ? 'M' : 'L', x_of(p, b.step), y_of(p, b.mean));
            points++;
        }
        gap = b.count == 0;
    }
    lc_text_string(out, "' fill='none' stroke-width='2' stroke-linejoin='round' stroke-linecap='round'");
    lc_text_string(out, line->validation ? " class='valid' stroke='#d1570f'" : " class='train' stroke='#3b73ab'");
    lc_text_string(out, dashes[nth % 4]);
    lc_text_string(out, "/>\n");
    if (points == 0 && !out->failed)
        out->length = start;
}

/* The last usable value of a line; false without any. */
static bool last_value(const lc_curve_series *line, double *value)
{
    for (size_t i = bins_of(line); i-- > 0;) {
        bin b = bin_of(line, i, bins_of(line));
        if (b.count > 0) {
            *value = b.mean;
            return true;
        }
    }
    return false;
}

typedef struct curve_label {
    double y;
    const lc_curve_series *line;
} curve_label;

/* Sorted from top to bottom, pushed down until none covers another, and back up when the last leaves the panel. */
static void place_labels(curve_label *labels, size_t n, double bottom)
{
    for (size_t i = 1; i < n; i++) {
        for (size_t k = i; k > 0 && labels[k].y < labels[k - 1].y; k--) {
            curve_label other = labels[k];
            labels[k] = labels[k - 1];
            labels[k - 1] = other;
        }
    }
    for (size_t i = 1; i < n; i++)
        labels[i].y = fmax(labels[i].y, labels[i - 1].y + LABEL_STEP);
    double limit = bottom;
    for (size_t i = n; i-- > 0; limit -= LABEL_STEP)
        labels[i].y = fmin(labels[i].y, limit);
}

static void draw_labels(lc_text *out, const panel *p, const lc_curve_series *lines, size_t n)
{
    curve_label labels[LC_CURVE_MOST_SERIES];
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        double value;
        if (last_value(&lines[i], &value))
            labels[used++] = (curve_label){y_of(p, value) + 4, &lines[i]};
    }
    place_labels(labels, used, p->bottom + 4);
    for (size_t i = 0; i < used; i++) {
        lc_svg_text_open(out, RIGHT + 10, labels[i].y,
                         labels[i].line->validation ? "class='valid-text' font-size='12' fill='#b84b0a'"
                                                    : "class='train-text' font-size='12' fill='#2f6193'");
        lc_svg_escape(out, labels[i].line->name, NAME_CHARACTERS);
        lc_svg_text_close(out);
    }
}

static void draw_lines(lc_text *out, const panel *p, const lc_curve_series *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lines[i].len > POINTS)
            draw_band(out, p, &lines[i]);
    size_t seen[2] = {0, 0};
    for (size_t i = 0; i < n; i++)
        draw_line(out, p, &lines[i], seen[lines[i].validation]++);
    draw_labels(out, p, lines, n);
}

/* ---- the picture ----------------------------------------------------------------------------------------- */

static loco_status check_lines(const lc_curve_series *lines, size_t n, const char *what, loco_err *err)
{
    if (n > LC_CURVE_MOST_SERIES || (lines == NULL && n > 0))
        return lc_err_set(err, LOCO_EARG, "%zu lines of %s; a picture has at most %d", n, what, LC_CURVE_MOST_SERIES);
    for (size_t i = 0; i < n; i++) {
        const lc_curve_series *line = &lines[i];
        if (line->name == NULL || (line->len > 0 && (line->steps == NULL || line->values == NULL)))
            return lc_err_set(err, LOCO_EARG, "line %zu of %s: name, steps or values is NULL", i, what);
        for (size_t k = 0; k < line->len; k++)
            if (!(line->steps[k] >= (k > 0 ? line->steps[k - 1] : 0) && line->steps[k] < 1e9))
                return lc_err_set(err, LOCO_EARG, "line %zu of %s: step %g after %g; steps rise from 0 to below 1e9", i,
                                  what, line->steps[k], k > 0 ? line->steps[k - 1] : 0);
    }
    return LOCO_OK;
}

/* Steps that all lines cover together. */
static void step_range(panel *p, const lc_curve_series *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (lines[i].len > 0) {
            p->from = fmin(p->from, lines[i].steps[0]);
            p->to = fmax(p->to, lines[i].steps[lines[i].len - 1]);
        }
    }
}

static void draw_best(lc_text *out, const panel *p, double step, bool named)
{
    if (!(step >= p->from && step <= p->to))
        return;
    double x = x_of(p, step);
    lc_svg_line(out, x, p->top - 4, x, p->bottom, "class='best' stroke='#66727f' stroke-dasharray='3 3'");
    if (named) {
        bool right = x < RIGHT - 40;
        lc_svg_text(out, right ? x + 5 : x - 5, p->top - 6, right ? TICK : TICK_END, "kept");
    }
}

/* The panels that have values: the upper one, then the lower one; returns how many. */
static size_t plan_panels(panel panels[2], bool is_loss[2], const lc_curve *curve)
{
    panel all = {.from = INFINITY, .to = 0};
    step_range(&all, curve->loss, curve->loss_len);
    step_range(&all, curve->scores, curve->scores_len);
    all.from = isfinite(all.from) && all.from > 0.1 * all.to ? all.from : 0;
    if (!(all.to > all.from))
        all.to = all.from + 1;
    size_t n = 0;
    for (int i = 0; i < 2; i++) {
        double lo, hi;
        if (!(i == 0 ? range_of(curve->loss, curve->loss_len, &lo, &hi)
                     : range_of(curve->scores, curve->scores_len, &lo, &hi)))
            continue;
        panels[n] = all;
        panels[n].top = FIRST_TOP + (curve->title != NULL ? TITLE : 0) + (double)n * (PANEL + GAP);
        panels[n].bottom = panels[n].top + PANEL;
        set_range(&panels[n], lo, hi, i == 0);
        is_loss[n++] = i == 0;
    }
    return n;
}

static void draw(lc_text *out, const lc_curve *curve, const panel *panels, const bool *is_loss, size_t n)
{
    double bottom = panels[n - 1].bottom;
    lc_svg_open(out, WIDTH, bottom + FOOT, curve->title != NULL ? curve->title : "Training");
    lc_svg_rect(out, 0, 0, WIDTH, bottom + FOOT, "class='paper' fill='#fdfdfc'");
    if (curve->title != NULL) {
        lc_svg_text_open(out, LEFT, 40, INK " font-size='18' font-weight='600'");
        lc_svg_escape(out, curve->title, TITLE_CHARACTERS);
        lc_svg_text_close(out);
    }
    for (size_t i = 0; i < n; i++) {
        const lc_curve_series *lines = is_loss[i] ? curve->loss : curve->scores;
        const char *score = curve->score_name != NULL ? curve->score_name : "score";
        const char *heading = !is_loss[i] ? score : panels[i].logarithmic ? "loss (logarithmic)" : "loss";
        draw_frame(out, &panels[i], heading, i + 1 == n);
        draw_best(out, &panels[i], curve->best_step, i == 0);
        draw_lines(out, &panels[i], lines, is_loss[i] ? curve->loss_len : curve->scores_len);
    }
    lc_svg_text(out, (LEFT + RIGHT) / 2, bottom + 40, TICK_MIDDLE, "step");
    lc_svg_close(out);
}

loco_status lc_curve_write(lc_text *out, const lc_curve *curve, loco_err *err)
{
    if (curve == NULL)
        return lc_err_set(err, LOCO_EARG, "lc_curve_write: curve is NULL");
    loco_status status = check_lines(curve->loss, curve->loss_len, "loss", err);
    if (status == LOCO_OK)
        status = check_lines(curve->scores, curve->scores_len, "scores", err);
    if (status != LOCO_OK)
        return status;
    panel panels[2];
    bool is_loss[2];
    size_t n = plan_panels(panels, is_loss, curve), start = out->length;
    if (n == 0)
        return lc_err_set(err, LOCO_EARG, "a training curve without a single finite value cannot be drawn");
    draw(out, curve, panels, is_loss, n);
    if (!out->failed)
        return LOCO_OK;
    out->length = start;
    return lc_err_set(err, LOCO_ENOMEM, "out of memory while drawing a training curve");
}
