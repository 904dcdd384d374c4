/* SPDX-License-Identifier: MIT
 *
 * count_panels.c - draws one clip in three panels.
 *
 *     title, clip in a few words
 *     +---------------------------------+  legend
 *     | a  event probability p_t,       |  expected count
 *     |    posterior given the label    |  P(label), loss
 *     +---------------------------------+
 *        ^ most likely events  ^   ^
 *     +---------------------------------+----------+
 *     | b  distribution of the count    | c  after |
 *     |    so far, filling up over time |  the end |
 *     +---------------------------------+----------+
 *       time
 *
 * One colour means one thing: blue is what the model believes alone, orange what the label adds. Both stay apart for
 * colour-blind eyes and in grey print. The picture brings its own background, and so reads the same on dark pages.
 *
 * Frame t covers [t, t+1) of the time axis and its tick is at the centre; the column of frame t in panel b is the
 * distribution after that frame, so that mass moves exactly below the event that moves it. The shade is the square
 * root of the probability, in LEVELS steps: a linear shade hides everything below 5 %. Cells of equal shade side by
 * side become one box; since P(count = k) rises once and falls once over time, a row has at most 2 * LEVELS boxes,
 * which bounds the file at about 100 kB for any clip.
 */
#include "report/count_panels.h"

#include "report/svg.h"

#include <math.h>
#include <stdbool.h>

/* In units of the picture. Panels a and b share LEFT and RIGHT, b and c share B_TOP and B_BOTTOM: what belongs together
 * lines up. */
#define WIDTH 960.0
#define HEIGHT 604.0
#define LEFT 72.0 /* panels a and b */
#define RIGHT 690.0
#define A_TOP 112.0 /* panel a */
#define A_BOTTOM 252.0
#define B_TOP 316.0 /* panels b and c */
#define B_BOTTOM 536.0
#define C_LEFT 714.0 /* panel c and the legend above it */
#define C_RIGHT 924.0

/* Dark blue ink and light rules; the blue and the orange differ in lightness as well as in hue. */
#define PAPER "#fdfdfc"
#define INK "#1f2933"
#define GREY "#66727f"
#define RULE "#dde2e8"
#define BLUE "#3b73ab"
#define PALE_BLUE "#c3d7ea"
#define MID_BLUE "#8aabcd"
#define ORANGE "#d1570f"

/* AREA_BINS: two bins for each unit of width, as fine as a screen of double density shows. More than MOST_MARKS dots
 * hide the lines instead of explaining them. MOST_TICKS is a guard alone: nice_step cuts an axis into at most
 * 11 parts. */
enum { LEVELS = 28, AREA_BINS = 1236, MOST_TICKS = 200, MOST_MARKS = 60, TITLE_CHARACTERS = 70 };

#define RING "fill='none' stroke='" ORANGE "' stroke-width='1.5'"
#define SMALL "font-size='11' fill='" GREY "'"
#define SMALL_CENTRE SMALL " text-anchor='middle'"
#define SMALL_RIGHT SMALL " text-anchor='end'"

/* ---- axes ------------------------------------------------------------------------------------------------- */

/* The left edge of a frame; frame + 0.5 is its centre. */
static double frame_x(const lc_count_scene *scene, double frame)
{
    return LEFT + (RIGHT - LEFT) * frame / (double)scene->frames;
}

/* y grows downwards in SVG, probabilities and counts upwards. */
static double probability_y(double p)
{
    return A_BOTTOM - (A_BOTTOM - A_TOP) * p;
}

/* The lower edge of the row of a count. */
static double count_y(const lc_count_scene *scene, double count)
{
    return B_BOTTOM - (B_BOTTOM - B_TOP) * count / ((double)scene->k_max + 1);
}

/* The smallest of 1, 2, 5, 10, 20, ... times 10^n that cuts span into at most pieces parts. */
static double nice_step(double span, double pieces)
{
    double raw = span / pieces;
    double power = pow(10, floor(log10(raw)));
    static const double factors[] = {1, 2, 5, 10};
    for (int i = 0; i < 3; i++)
        if (factors[i] * power >= raw * (1 - 1e-9))
            return factors[i] * power;
    return 10 * power;
}

/* As many decimals as neighbouring ticks need to differ; 1e-9 allows for the rounding of log10(0.001) and the like. */
static unsigned decimals_of(double step)
{
    return step >= 1 ? 0 : (unsigned)fmin(6, ceil(-log10(step) - 1e-9));
}

static void tick_text(lc_text *out, double x, double y, const char *style, double value, unsigned decimals)
{
    lc_svg_text_open(out, x, y, style);
    lc_text_fixed(out, value, decimals);
    lc_svg_text_close(out);
}

/* Light vertical rules through a alone, since the heat map would cover them in b; ticks and numbers below b. Both
 * panels share the axis. In frames a step is at least 1: there is no half frame to point at. */
static void draw_time_axis(lc_text *out, const lc_count_scene *scene)
{
    double rate = scene->frames_per_second > 0 ? scene->frames_per_second : 1;
    double last = (double)(scene->frames - 1) / rate;
    double step = nice_step(fmax(last, 1 / rate), 8);
    if (scene->frames_per_second <= 0)
        step = fmax(1, step);
    for (size_t i = 0; i < MOST_TICKS && (double)i * step <= last * (1 + 1e-9); i++) {
        double x = frame_x(scene, (double)i * step * rate + 0.5);
        lc_svg_line(out, x, A_TOP, x, A_BOTTOM, "stroke='" RULE "'");
        lc_svg_line(out, x, B_BOTTOM, x, B_BOTTOM + 4, "stroke='" GREY "'");
        tick_text(out, x, B_BOTTOM + 18, SMALL_CENTRE, (double)i * step, decimals_of(step));
    }
    lc_svg_text(out, (LEFT + RIGHT) / 2, B_BOTTOM + 38, SMALL_CENTRE,
                scene->frames_per_second > 0 ? "time (s)" : "frame");
}

static void draw_probability_axis(lc_text *out)
{
    for (int i = 0; i <= 2; i++) {
        double y = probability_y(i / 2.0);
        lc_svg_line(out, LEFT, y, RIGHT, y, "stroke='" RULE "'");
        tick_text(out, LEFT - 9, y + 4, SMALL_RIGHT, i / 2.0, i == 1 ? 1 : 0);
    }
}

/* Counts are whole: a step below 1 would repeat labels. The number stands at the middle of its row. */
static void draw_count_axis(lc_text *out, const lc_count_scene *scene)
{
    double step = fmax(1, nice_step((double)scene->k_max, 11));
    for (size_t i = 0; i < MOST_TICKS && (double)i * step <= (double)scene->k_max; i++)
        tick_text(out, LEFT - 9, count_y(scene, (double)i * step + 0.5) + 4, SMALL_RIGHT, (double)i * step, 0);
}

/* A bold letter and a heading above a panel. */
static void draw_heading(lc_text *out, double x, double y, const char *letter, const char *heading)
{
    lc_svg_text(out, x, y, "font-size='13' font-weight='700' fill='" INK "'", letter);
    lc_svg_text(out, x + 17, y, "font-size='13' fill='" INK "'", heading);
}

/* ---- a: event probabilities --------------------------------------------------------------------------------- */

/* The largest of values[from .. to-1]. */
static double largest(const double *values, size_t from, size_t to)
{
    double most = values[from];
    for (size_t t = from + 1; t < to; t++)
        most = fmax(most, values[t]);
    return most;
}

/* One step per frame, or per bin of frames with the largest value in it. Equal neighbours become one step. */
static void path_steps(lc_text *out, const lc_count_scene *scene, const double *values)
{
    size_t bins = scene->frames < AREA_BINS ? scene->frames : AREA_BINS;
    double last = -1;
    for (size_t i = 0; i < bins; i++) {
        size_t from = lc_count_scene_bin(i, bins, scene->frames), to = lc_count_scene_bin(i + 1, bins, scene->frames);
        double y = probability_y(largest(values, from, to));
        if (last >= 0 && fabs(y - last) < 0.1) /* a tenth of a unit: cannot be seen, but would fill the file */
            continue;
        if (i > 0)
            lc_svg_path_along(out, 'H', frame_x(scene, (double)from));
        lc_svg_path_along(out, 'V', y);
        last = y;
    }
    lc_svg_path_along(out, 'H', RIGHT);
}

/* p as an area, the posterior as a line over it: where both agree, both can be seen. */
static void draw_probabilities(lc_text *out, const lc_count_scene *scene)
{
    lc_svg_path_open(out);
    lc_svg_path_point(out, 'M', LEFT, A_BOTTOM);
    path_steps(out, scene, scene->p);
    lc_svg_path_along(out, 'V', A_BOTTOM);
    lc_text_string(out, "z");
    lc_svg_path_close(out, "fill='" PALE_BLUE "' stroke='" BLUE "' stroke-width='1.1' stroke-linejoin='round'");
    lc_svg_path_open(out);
    lc_svg_path_point(out, 'M', LEFT, A_BOTTOM);
    path_steps(out, scene, scene->posterior);
    lc_svg_path_close(out, "fill='none' stroke='" ORANGE "' stroke-width='1.3' stroke-linejoin='round'");
}

/* Points up at the frame; x, y is its tip. */
static void draw_triangle(lc_text *out, double x, double y)
{
    lc_svg_path_point(out, 'M', x, y);
    lc_svg_path_point(out, 'L', x + 4, y + 8);
    lc_svg_path_along(out, 'H', x - 4);
    lc_text_string(out, "z");
}

/* The first frame of bin i that holds one of the most likely events, or the number of frames without any. */
static size_t event_in_bin(const lc_count_scene *scene, size_t i, size_t bins)
{
    size_t to = lc_count_scene_bin(i + 1, bins, scene->frames);
    for (size_t t = lc_count_scene_bin(i, bins, scene->frames); t < to; t++)
        if (scene->events[t])
            return t;
    return scene->frames;
}

/* A triangle below each of the most likely events; above AREA_BINS frames, at most one for each bin. */
static void draw_events(lc_text *out, const lc_count_scene *scene)
{
    size_t bins = scene->frames < AREA_BINS ? scene->frames : AREA_BINS;
    lc_svg_path_open(out);
    for (size_t i = 0; i < bins; i++) {
        size_t t = event_in_bin(scene, i, bins);
        if (t < scene->frames)
            draw_triangle(out, frame_x(scene, (double)t + 0.5), A_BOTTOM + 6);
    }
    lc_svg_path_close(out, "fill='" ORANGE "'");
}

/* 0.1 is where a dot rises clear of the base line. */
static bool notable(const lc_count_scene *scene, size_t t)
{
    return scene->p[t] >= 0.1 || scene->posterior[t] >= 0.1;
}

/* In a long clip a frame is narrower than the lines: while there are few, frames with some belief get a dot at p and
 * a ring at the posterior. */
static void draw_marks(lc_text *out, const lc_count_scene *scene)
{
    size_t marks = 0;
    for (size_t t = 0; t < scene->frames; t++)
        marks += notable(scene, t);
    for (size_t t = 0; t < scene->frames && marks <= MOST_MARKS; t++) {
        if (!notable(scene, t))
            continue;
        double x = frame_x(scene, (double)t + 0.5);
        lc_svg_circle(out, x, probability_y(scene->p[t]), 2.6, "fill='" BLUE "'");
        lc_svg_circle(out, x, probability_y(scene->posterior[t]), 3.6, RING);
    }
}

/* ---- b: the count so far -------------------------------------------------------------------------------------- */

/* White over blue to a dark blue, for shade in 0..1: linear between three stops, with lightness falling all the way, so
 * that the order of shades survives grey print. Ends the path that lc_svg_path_open began. */
static void shade_style(lc_text *out, double shade)
{
    static const double stops[3][3] = {
        {244, 247, 250},
        {91,  148, 198},
        {13,  43,  78 }
    };
    int first = shade < 0.5 ? 0 : 1;
    double f = 2 * shade - first;
    unsigned rgb[3];
    for (int i = 0; i < 3; i++)
        rgb[i] = (unsigned)lround(stops[first][i] + f * (stops[first + 1][i] - stops[first][i]));
    lc_text_format(out, "' fill='#%02x%02x%02x'/>\n", rgb[0], rgb[1], rgb[2]);
}

/* The clamp is for rounding: a sum of probabilities may exceed 1 by a few ulp. */
static int level_of(double probability)
{
    return (int)lround(sqrt(fmax(0, fmin(1, probability))) * LEVELS);
}

/* The last row may hold fewer than per_row counts, and ends at the edge of the panel. */
static double row_top(const lc_count_scene *scene, size_t row)
{
    return count_y(scene, fmin((double)((row + 1) * scene->per_row), (double)scene->k_max + 1));
}

/* Adds the boxes of one level in one row to the open path; returns the number of boxes. */
static size_t row_boxes(lc_text *out, const lc_count_scene *scene, size_t row, int level)
{
    double top = row_top(scene, row), bottom = count_y(scene, (double)(row * scene->per_row));
    size_t boxes = 0;
    for (size_t c = 0; c < scene->columns; c++) {
        size_t from = c;
        while (c < scene->columns && level_of(scene->heat[c * scene->rows + row]) == level)
            c++;
        if (c == from)
            continue;
        double x = frame_x(scene, (double)lc_count_scene_bin(from, scene->columns, scene->frames));
        double end = frame_x(scene, (double)lc_count_scene_bin(c, scene->columns, scene->frames));
        lc_svg_path_box(out, x, top, end - x, bottom - top);
        boxes++;
    }
    return boxes;
}

/* One path for each shade instead of one element for each box: the file stays small and viewers fast. crispEdges, since
 * smoothed edges would show as seams between the boxes. */
static void draw_heat(lc_text *out, const lc_count_scene *scene)
{
    lc_svg_rect(out, LEFT, B_TOP, RIGHT - LEFT, B_BOTTOM - B_TOP, "fill='#f4f7fa'");
    lc_svg_group_open(out, "shape-rendering='crispEdges'");
    for (int level = 1; level <= LEVELS; level++) {
        size_t start = out->length, boxes = 0;
        lc_svg_path_open(out);
        for (size_t row = 0; row < scene->rows; row++)
            boxes += row_boxes(out, scene, row, level);
        if (boxes > 0)
            shade_style(out, (double)level / LEVELS);
        else if (!out->failed)
            out->length = start; /* nothing has this shade: take the empty path back */
    }
    lc_svg_group_close(out);
}

/* Rows lo..hi of the label as they are visible here; false when the label excludes nothing. */
static bool label_rows(const lc_count_scene *scene, double *lo, double *hi)
{
    *lo = (double)scene->label.lo;
    *hi = scene->label.hi < scene->k_max ? (double)scene->label.hi : (double)scene->k_max;
    return scene->label.lo > 0 || scene->label.hi < scene->frames;
}

/* Where the count has to end up. At least 2 units high, to be seen when a row has many counts. */
static void draw_label_outline(lc_text *out, const lc_count_scene *scene)
{
    double lo, hi;
    if (!label_rows(scene, &lo, &hi))
        return;
    double top = count_y(scene, hi + 1), height = fmax(2, count_y(scene, lo) - top);
    lc_svg_rect(out, LEFT, top, RIGHT - LEFT, height, "fill='none' stroke='" ORANGE "' stroke-width='1.6'");
}

/* The scale of shades, right-aligned above panel b; its steps follow the square root, as the shades do. */
static void draw_scale(lc_text *out)
{
    const double width = 96, x = RIGHT - 12 - width, y = B_TOP - 20;
    for (int i = 0; i < LEVELS; i++) {
        lc_svg_path_open(out);
        lc_svg_path_box(out, x + width * i / LEVELS, y, width / LEVELS + (i + 1 < LEVELS ? 0.4 : 0), 9);
        shade_style(out, (double)(i + 1) / LEVELS);
    }
    lc_svg_text(out, x - 6, y + 8.5, SMALL_RIGHT, "probability 0");
    lc_svg_text(out, RIGHT, y + 8.5, SMALL_RIGHT, "1");
}

/* ---- c: the final count ------------------------------------------------------------------------------------------ */

/* A row of several counts is in the label when any of them is. */
static bool row_in_label(const lc_count_scene *scene, size_t row)
{
    double lo, hi;
    if (!label_rows(scene, &lo, &hi))
        return false;
    double first = (double)(row * scene->per_row), last = first + (double)scene->per_row - 1;
    return last >= lo && first <= hi;
}

/* Bars line up with the rows of panel b. The axis ends a little beyond the longest bar, and at 0.1 at the least: a flat
 * distribution over many counts should look flat. */
static void draw_bars(lc_text *out, const lc_count_scene *scene)
{
    const double *final = scene->heat + (scene->columns - 1) * scene->rows;
    double most = fmax(0.1, largest(final, 0, scene->rows));
    double end = most * 1.04, step = nice_step(most, 4);
    double scale = (C_RIGHT - C_LEFT) / end;
    for (int i = 0; i * step <= end * (1 + 1e-9); i++) {
        double value = i * step, x = C_LEFT + value * scale;
        lc_svg_line(out, x, B_TOP, x, B_BOTTOM, "stroke='" RULE "'");
        tick_text(out, x, B_BOTTOM + 18, SMALL_CENTRE, value, value > 0 ? decimals_of(step) : 0);
    }
    for (size_t row = 0; row < scene->rows; row++) {
        double top = row_top(scene, row), height = count_y(scene, (double)(row * scene->per_row)) - top;
        double gap = height > 6 ? fmin(3, 0.15 * height) : 0;
        if (final[row] * scale < 0.05) /* narrower than can be seen */
            continue;
        lc_svg_rect(out, C_LEFT, top + gap, final[row] * scale, height - 2 * gap,
                    row_in_label(scene, row) ? "fill='" ORANGE "'" : "fill='" MID_BLUE "'");
    }
    lc_svg_line(out, C_LEFT, B_TOP, C_LEFT, B_BOTTOM, "stroke='" GREY "'");
    lc_svg_text(out, (C_LEFT + C_RIGHT) / 2, B_BOTTOM + 38, SMALL_CENTRE, "probability");
}

/* ---- legend and numbers ------------------------------------------------------------------------------------------ */

/* Each mark looks as it does in panel a, only a little larger: a change there needs one here. */
static void draw_legend(lc_text *out)
{
    const char *style = "font-size='12' fill='" INK "'";
    double y = A_TOP + 2;
    lc_svg_rect(out, C_LEFT, y, 18, 10, "fill='" PALE_BLUE "' stroke='" BLUE "' stroke-width='1.1'");
    lc_svg_circle(out, C_LEFT + 9, y, 2.6, "fill='" BLUE "'");
    lc_svg_text(out, C_LEFT + 27, y + 9.5, style, "the model alone");
    y += 21;
    lc_svg_line(out, C_LEFT, y + 5, C_LEFT + 18, y + 5, "stroke='" ORANGE "' stroke-width='1.8'");
    lc_svg_circle(out, C_LEFT + 9, y + 5, 3.6, RING);
    lc_svg_text(out, C_LEFT + 27, y + 9.5, style, "given the label");
    y += 21;
    lc_svg_path_open(out);
    draw_triangle(out, C_LEFT + 9, y + 1);
    lc_svg_path_close(out, "fill='" ORANGE "'");
    lc_svg_text(out, C_LEFT + 27, y + 9.5, style, "most likely events");
}

/* Opens a line `name` with its value to the right, for the caller to fill and close. */
static void open_fact(lc_text *out, int line, const char *name, const char *style)
{
    double y = A_TOP + 82 + 20 * line;
    lc_svg_text(out, C_LEFT, y, "font-size='12' fill='" GREY "'", name);
    lc_svg_text_open(out, C_LEFT + 108, y, style);
}

/* P(label); one that is small, even if it is 0 in a double, is still not 0 unless the loss is infinite. */
static void chance_text(lc_text *out, double loss)
{
    double probability = exp(-loss);
    if (isfinite(loss) && probability < 0.0005)
        lc_text_string(out, "below 0.001");
    else
        lc_text_fixed(out, probability, isfinite(loss) ? 3 : 0);
}

/* The numbers behind the picture. Above 1000 expected events decimals would only suggest a precision. */
static void draw_facts(lc_text *out, const lc_count_scene *scene)
{
    const char *plain = "font-size='12' fill='" INK "'";
    unsigned decimals = scene->mean < 1000 ? 2 : 0;
    char label[64];
    loco_label_format(label, sizeof label, scene->label);
    open_fact(out, 0, "expected count", plain);
    lc_text_fixed(out, scene->mean, decimals);
    lc_text_string(out, " \xc2\xb1 ");
    lc_text_fixed(out, scene->sd, decimals);
    lc_svg_text_close(out);
    open_fact(out, 1, "label", plain);
    lc_svg_escape(out, label, sizeof label);
    lc_svg_text_close(out);
    open_fact(out, 2, "P(label)", plain);
    chance_text(out, scene->loss);
    lc_svg_text_close(out);
    open_fact(out, 3, "loss, \xe2\x88\x92log P", "font-size='12' font-weight='700' fill='" ORANGE "'");
    if (isfinite(scene->loss))
        lc_text_fixed(out, scene->loss, 3);
    else
        lc_text_string(out, "\xe2\x88\x9e");
    lc_svg_text_close(out);
}

/* The second line says what a picture of a long clip leaves out: its peaks are true, its widths are not. */
static void draw_title(lc_text *out, const lc_count_scene *scene)
{
    lc_svg_text_open(out, LEFT, 42, "font-size='18' font-weight='600' fill='" INK "'");
    lc_svg_escape(out, scene->title, TITLE_CHARACTERS);
    lc_svg_text_close(out);
    lc_svg_text_open(out, LEFT, 65, "font-size='12.5' fill='" GREY "'");
    lc_text_format(out, "%zu %s", scene->frames, scene->frames == 1 ? "frame" : "frames");
    if (scene->frames_per_second > 0) {
        lc_text_string(out, ", ");
        lc_text_number(out, (double)scene->frames / scene->frames_per_second, 3);
        lc_text_string(out, " s");
    }
    if (scene->frames > AREA_BINS)
        lc_text_string(out, "; neighbouring frames drawn as one, at their largest probability");
    lc_svg_text_close(out);
}

void lc_count_scene_draw(lc_text *out, const lc_count_scene *scene)
{
    lc_svg_open(out, WIDTH, HEIGHT, scene->title);
    lc_svg_rect(out, 0, 0, WIDTH, HEIGHT, "rx='8' fill='" PAPER "'");
    draw_title(out, scene);
    /* Later shapes cover earlier ones: rules first, then areas, then marks. */
    draw_heading(out, LEFT, A_TOP - 13, "a", "Event probability");
    draw_probability_axis(out);
    draw_time_axis(out, scene);
    draw_probabilities(out, scene);
    draw_marks(out, scene);
    draw_events(out, scene);
    draw_heading(out, LEFT, B_TOP - 12, "b", "Count so far");
    draw_scale(out);
    draw_heat(out, scene);
    draw_label_outline(out, scene);
    draw_count_axis(out, scene);
    draw_heading(out, C_LEFT, B_TOP - 12, "c", "Final count");
    draw_bars(out, scene);
    draw_legend(out);
    draw_facts(out, scene);
    lc_svg_close(out);
}
