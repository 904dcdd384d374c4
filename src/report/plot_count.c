/* SPDX-License-Identifier: MIT
 *
 * plot_count.c - the picture of one clip: computes what count_panels.c draws, and saves it.
 *
 * Working memory: 17 bytes a frame and the heat map, in one block. Above 1236 frames several are drawn as one; above
 * a million there is nothing left to see, and the clip is refused.
 */
#include "loco.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/status.h"
#include "report/count_panels.h"

#include <math.h>
#include <stdbool.h>

/* 400 columns on a panel of 618 units, and 41 rows on one of 220: a cell is about as small as an eye can see. At
 * least the counts 0..3 are shown, or the one row of a silent clip would fill the panel. */
enum { MOST_FRAMES = 1000000, MOST_COLUMNS = 400, MOST_ROWS = 41, LEAST_COUNT = 3 };

/* Everything one picture needs in one block. */
typedef struct canvas {
    lc_count_scene scene;
    double *now; /* (k_max + 1) the distribution after the frames so far; the last holds all larger counts */
} canvas;

/* Runs twice: over an empty arena to measure, then over the block to hand out. */
static void lay_out(canvas *c, lc_arena *arena)
{
    lc_count_scene *s = &c->scene;
    s->p = lc_arena_take(arena, s->frames, sizeof *s->p);
    s->posterior = lc_arena_take(arena, s->frames, sizeof *s->posterior);
    s->events = lc_arena_take(arena, s->frames, sizeof *s->events);
    s->heat = lc_arena_take(arena, s->columns * s->rows, sizeof *s->heat);
    c->now = lc_arena_take(arena, s->k_max + 1, sizeof *c->now);
}

/* The largest count shown: room for the label and for four standard deviations above the mean; the far end of a wide
 * label may be left out. At most the number of frames, which bounds the memory. */
static size_t choose_k_max(const lc_count_scene *s)
{
    double likely = fmax(LEAST_COUNT, ceil(s->mean + 4 * s->sd) + 1);
    size_t k_max = likely < (double)s->frames ? (size_t)likely : s->frames;
    if (s->label.lo > k_max)
        k_max = s->label.lo + 1;
    if (s->label.hi > k_max)
        k_max = s->label.hi < 2 * k_max ? s->label.hi : k_max;
    k_max = k_max < s->frames ? k_max : s->frames;
    return k_max > LEAST_COUNT ? k_max : LEAST_COUNT;
}

/* The heat map comes from the probabilities, the rest from the logits: the recursion adds only positive numbers, and
 * two digits are enough for a shade; loss and posterior have to be right for any logits. */
static loco_status compute(canvas *c, loco_count *count, const double *logits, loco_err *err)
{
    lc_count_scene *s = &c->scene;
    loco_status status = loco_count_loss(&s->loss, NULL, s->posterior, count, logits, s->frames, s->label, err);
    if (status != LOCO_OK)
        return status;
    for (size_t t = 0; t < s->frames; t++) {
        s->p[t] = 1 / (1 + exp(-logits[t]));
        s->events[t] = 0;
    }
    lc_count_scene_fill(s, c->now);
    if (!isfinite(s->loss)) /* certain frames contradict the label: there is no event set to draw */
        return LOCO_OK;
    return loco_count_best(s->events, count, logits, s->frames, s->label, err);
}

/* Draws into memory first: a file is written whole or not at all. */
static loco_status draw_and_save(const lc_count_scene *scene, const char *path, loco_err *err)
{
    lc_text svg = {0};
    lc_count_scene_draw(&svg, scene);
    loco_status status = LOCO_OK;
    if (svg.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory while drawing %zu frames", scene->frames);
    else
        status = lc_file_save(path, svg.bytes, svg.length, err);
    lc_text_free(&svg);
    return status;
}

/* !(a && b) instead of its opposite: so that NaN is refused too. */
static loco_status check(const loco_count *count, const double *logits, size_t length, double rate, const char *path,
                         loco_err *err)
{
    if (count == NULL || logits == NULL)
        return lc_err_set(err, LOCO_EARG, "loco_plot_count: %s is NULL", count == NULL ? "count" : "logits");
    if (path == NULL || path[0] == 0)
        return lc_err_set(err, LOCO_EARG, "loco_plot_count: path is empty; give the name of a file to write");
    if (length == 0 || length > MOST_FRAMES)
        return lc_err_set(err, LOCO_EARG, "a picture shows 1 to %d frames, not %zu", MOST_FRAMES, length);
    if (!(rate >= 0 && rate < 1e9))
        return lc_err_set(err, LOCO_EARG, "%g frames per second: give a rate below 1e9, or 0 to count in frames", rate);
    return LOCO_OK;
}

loco_status loco_plot_count(const char *path, loco_count *count, const double *logits, size_t length, loco_label label,
                            double frames_per_second, const char *title, loco_err *err)
{
    loco_status status = check(count, logits, length, frames_per_second, path, err);
    if (status != LOCO_OK)
        return status;
    canvas c = {0};
    lc_count_scene *s = &c.scene;
    *s = (lc_count_scene){.title = title != NULL ? title : "", .label = label, .frames = length};
    s->frames_per_second = frames_per_second;
    s->columns = length < MOST_COLUMNS ? length : MOST_COLUMNS;
    double variance;
    status = loco_count_moments(&s->mean, &variance, logits, length, err);
    if (status != LOCO_OK)
        return status;
    s->sd = sqrt(variance);
    s->k_max = choose_k_max(s);
    s->per_row = s->k_max / MOST_ROWS + 1; /* so that the k_max + 1 counts take at most MOST_ROWS rows */
    s->rows = s->k_max / s->per_row + 1;
    lc_arena measure = {0};
    lay_out(&c, &measure);
    lc_block block = {0};
    if (!lc_block_reserve(&block, measure.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture of %zu frames", length);
    lc_arena arena = lc_arena_over(&block);
    lay_out(&c, &arena);
    status = compute(&c, count, logits, err);
    if (status == LOCO_OK)
        status = draw_and_save(s, path, err);
    lc_block_free(&block);
    return status;
}
