/* SPDX-License-Identifier: MIT
 *
 * clip_panels.c - draws how the loss of one clip comes about.
 *
 *     title
 *     +----------------------------+
 *     | sound                      |
 *     +----------------------------+
 *     kick                              c  loss
 *     | a  p over time    ^     ^  |    | .               the loss of every count that a label might name,
 *     +----------------------------+    |  .    .         the true one in orange
 *     | b  the count so far        |    |   . .
 *     +----------------------------+    0  1  2  3
 *     snare ...
 *
 * Blue is what the model believes, orange what is true, as in all of our pictures.
 */
#include "report/clip_panels.h"

#include "report/heat.h"
#include "report/plot.h"
#include "report/svg.h"

#include <math.h>

#define WIDTH 960.0
#define LEFT 72.0
#define RIGHT 640.0
#define C_LEFT 716.0
#define C_RIGHT 924.0
#define SOUND_TOP 104.0
#define SOUND_HEIGHT 84.0
#define LANE_TOP 238.0 /* of the first, with sound above it */
#define LANE 214.0     /* from lane to lane */
#define A_HEIGHT 66.0
#define B_TOP 78.0 /* below the top of the lane */
#define B_HEIGHT 84.0
#define FOOT 52.0

#define BLUE "#3b73ab"
#define ORANGE "#d1570f"

/* COUNT_LEVELS as in count_panels.c. MOST_LOSS: beyond, a count is impossible for the eye. */
enum { COUNT_LEVELS = 28, SOUND_LEVELS = 14, TITLE_CHARACTERS = 70, MOST_LOSS = 12 };

static double time_x(const lc_clip_scene *s, double time)
{
    return LEFT + (RIGHT - LEFT) * (time - s->start) / (s->end - s->start);
}

static double lane_top(const lc_clip_scene *s, size_t i)
{
    return (s->sound != NULL ? LANE_TOP : SOUND_TOP + 10) + LANE * (double)i;
}

/* ---- a and b: over time ---- */

/* A step for each frame, of the last frame's end. */
static void draw_process(lc_text *out, const lc_clip_scene *s, const lc_clip_lane *lane, double top)
{
    double bottom = top + A_HEIGHT, wide = (RIGHT - LEFT) / (double)s->frames;
    lc_svg_line(out, LEFT, top, RIGHT, top, LC_RULE);
    lc_svg_text(out, LEFT - 8, top + 4, LC_SMALL_END, "1");
    lc_svg_text(out, LEFT - 8, bottom + 1, LC_SMALL_END, "0");
    for (size_t i = 0; i < lane->times_len; i++)
        lc_svg_line(out, time_x(s, lane->times[i]), top, time_x(s, lane->times[i]), bottom,
                    "stroke='" ORANGE "' stroke-width='1.2' stroke-dasharray='3 3'");
    lc_svg_path_open(out);
    lc_svg_path_point(out, 'M', LEFT, bottom);
    for (size_t t = 0; t < s->frames; t++) {
        lc_svg_path_along(out, 'V', bottom - A_HEIGHT * lane->p[t]);
        lc_svg_path_along(out, 'H', LEFT + wide * (double)(t + 1));
    }
    lc_svg_path_along(out, 'V', bottom);
    lc_text_string(out, "z");
    lc_svg_path_close(out, "fill='#c3d7ea' fill-opacity='.8' stroke='" BLUE "' stroke-width='1.1'");
    lc_svg_path_open(out);
    for (size_t i = 0; i < lane->times_len; i++) { /* a triangle that points at the event from below */
        double x = time_x(s, lane->times[i]);
        lc_svg_path_point(out, 'M', x, bottom + 1);
        lc_svg_path_point(out, 'L', x + 4, bottom + 9);
        lc_svg_path_along(out, 'H', x - 4);
        lc_text_string(out, "z");
    }
    lc_svg_path_close(out, "fill='" ORANGE "'");
}

static void draw_counts(lc_text *out, const lc_clip_scene *s, const lc_clip_lane *lane, double top)
{
    size_t rows = lane->k_max + 1;
    double high = B_HEIGHT / (double)rows, step = lc_plot_step((double)rows, 5);
    lc_heat_draw(out, &(lc_heat){LEFT, top, RIGHT - LEFT, B_HEIGHT, s->frames, rows, lane->heat, COUNT_LEVELS, true});
    for (size_t k = 0; k<rows; k += step> 1 ? (size_t)step : 1) {
        lc_svg_text_open(out, LEFT - 8, top + B_HEIGHT - high * ((double)k + 0.5) + 4, LC_SMALL_END);
        lc_text_format(out, "%zu", k);
        lc_svg_text_close(out);
    }
    if (lane->label.lo == lane->label.hi && lane->label.lo < rows)
        lc_svg_rect(out, LEFT, top + B_HEIGHT - high * (double)(lane->label.lo + 1), RIGHT - LEFT, high,
                    "fill='none' stroke='" ORANGE "' stroke-width='1.6'");
}

static void draw_seconds(lc_text *out, const lc_clip_scene *s, double bottom)
{
    double step = lc_plot_step(s->end - s->start, 8);
    long last = (long)floor(s->end / step + 1e-9);
    for (long i = (long)ceil(s->start / step - 1e-9); i <= last; i++) {
        double at = (double)i * step;
        lc_svg_text_open(out, time_x(s, at), bottom + 18, LC_SMALL_MIDDLE);
        lc_text_number(out, at, 3);
        lc_svg_text_close(out);
    }
    lc_svg_text(out, (LEFT + RIGHT) / 2, bottom + 36, LC_SMALL_MIDDLE, "seconds");
}

/* ---- c: the loss of each count ---- */

/* The last bin also holds larger counts, and is left out. */
static void draw_loss(lc_text *out, const lc_clip_scene *s, const lc_clip_lane *lane, double top, bool last)
{
    const double *final = lane->heat + (s->frames - 1) * (lane->k_max + 1);
    double most = 1;
    for (size_t k = 0; k < lane->k_max; k++)
        most = fmax(most, final[k] > 0 ? -log(final[k]) : 0);
    most = fmin(most, MOST_LOSS);
    lc_plot plot = {C_LEFT, C_RIGHT, top, top + B_TOP + B_HEIGHT, -0.5, (double)lane->k_max - 0.5, 0, most * 1.02};
    bool known = lane->label.lo == lane->label.hi && lane->label.lo < lane->k_max;
    lc_plot_frame(out, &plot, "", 8, 4, last ? "count" : NULL);
    for (size_t k = 0; k < lane->k_max; k++) {
        double loss = final[k] > 0 ? -log(final[k]) : MOST_LOSS;
        double x = lc_plot_x(&plot, (double)k), y = lc_plot_y(&plot, loss);
        bool truth = known && k == lane->label.lo;
        lc_svg_line(out, x, plot.bottom, x, y,
                    truth ? "stroke='" ORANGE "' stroke-width='2.4'" : "stroke='#8aabcd' stroke-width='1.6'");
        lc_svg_circle(out, x, y, truth ? 4.5 : 3.2, truth ? "fill='" ORANGE "'" : "fill='" BLUE "'");
    }
    if (!known)
        return;
    lc_svg_text_open(out, C_RIGHT, top - 14, "font-size='12' font-weight='600' text-anchor='end' fill='" ORANGE "'");
    lc_text_format(out, "%zu: ", lane->label.lo);
    lc_text_fixed(out, final[lane->label.lo] > 0 ? -log(final[lane->label.lo]) : MOST_LOSS, 3);
    lc_svg_text_close(out);
}

/* ---- the whole picture ---- */

static void draw_caption(lc_text *out, double x, double y, const char *letter, const char *words)
{
    lc_svg_text(out, x, y, LC_INK " font-size='12' font-weight='700'", letter);
    lc_svg_text(out, x + 14, y, LC_MUTE " font-size='12'", words);
}

static void draw_lane(lc_text *out, const lc_clip_scene *s, size_t i)
{
    const lc_clip_lane *lane = &s->lanes[i];
    double top = lane_top(s, i);
    lc_svg_text_open(out, LEFT, top - 14, LC_HEADING);
    lc_svg_escape(out, lane->name, 20);
    lc_svg_text_close(out);
    if (i == 0) {
        draw_caption(out, LEFT + 170, top - 14, "a", "event probability");
        draw_caption(out, LEFT + 310, top - 14, "b", "distribution of the count so far");
        draw_caption(out, C_LEFT, top - 14, "c", "loss of a count");
    }
    draw_process(out, s, lane, top);
    draw_counts(out, s, lane, top + B_TOP + 4);
    draw_loss(out, s, lane, top, i + 1 == s->lanes_len);
}

void lc_clip_scene_draw(lc_text *out, const lc_clip_scene *s)
{
    double bottom = lane_top(s, s->lanes_len - 1) + B_TOP + 4 + B_HEIGHT, height = bottom + FOOT;
    lc_svg_open(out, WIDTH, height, s->title);
    lc_svg_rect(out, 0, 0, WIDTH, height, LC_PAPER);
    lc_svg_text_open(out, LEFT, 42, LC_TITLE);
    lc_svg_escape(out, s->title, TITLE_CHARACTERS);
    lc_svg_text_close(out);
    lc_svg_text_open(out, LEFT, 65, LC_MUTE " font-size='12.5'");
    lc_text_string(out,
                   "<tspan fill='" BLUE "' font-weight='600'>what the model believes</tspan> and <tspan fill='" ORANGE
                   "' font-weight='600'>what is true</tspan>: the times of events, and how many there are");
    lc_svg_text_close(out);
    if (s->sound != NULL) {
        lc_svg_text(out, LEFT, SOUND_TOP - 10, LC_HEADING, "sound");
        lc_heat_draw(out, &(lc_heat){LEFT, SOUND_TOP, RIGHT - LEFT, SOUND_HEIGHT, s->columns, s->bands, s->sound,
                                     SOUND_LEVELS, false});
    }
    for (size_t i = 0; i < s->lanes_len; i++)
        draw_lane(out, s, i);
    draw_seconds(out, s, bottom);
    lc_svg_close(out);
}
