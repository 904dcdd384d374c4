/* SPDX-License-Identifier: MIT
 * plane_vote.c - several passes over one image, shifted against each other, on one finer grid. Definitions are in plane.h.
 *   A pass knows an event no better than its cells are large; passes that are shifted by parts of a cell see it from
 *   different cells, and their mean is as fine as the shifts. */
#include "detect/plane.h"

#include "base/mem.h"
#include "base/status.h"
#include "detect/plane_map.h"

#include <math.h>
#include <stdlib.h>

loco_status lc_plane_sum_new(lc_plane_sum *sum, size_t height, size_t width, size_t K, double step, loco_err *err)
{
    size_t places, values;
    if (height < 1 || width < 1 || K < 1 || !(step >= 1e-3 && step <= 1e6))
        return lc_err_set(err, LOCO_EARG, "a sum of maps needs pixels, classes, and a step of 0.001 to 1000000 pixels");
    double rows = ceil((double)height / step), columns = ceil((double)width / step);
    lc_plane_sum made = {.K = K, .step = step};
    if (rows < 1e9 && columns < 1e9 && lc_size_mul((size_t)rows, (size_t)columns, &places) &&
        lc_size_mul(places, K, &values))
        made.mass = calloc(values, sizeof *made.mass);
    if (made.mass == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the maps of an image of %zu x %zu pixels", width,
                          height);
    made.rows = (size_t)rows;
    made.columns = (size_t)columns;
    *sum = made;
    return LOCO_OK;
}

void lc_plane_sum_free(lc_plane_sum *sum)
{
    free(sum->mass);
    *sum = (lc_plane_sum){0};
}

/* A position between two places of a grid: the first of them, and the part that the second has. */
typedef struct grid_position {
    size_t at;
    float behind;
    bool inside;
} grid_position;

/* place of a pass, `cell` pixels each and shifted by `shift`. */
static grid_position position_of(size_t place, double cell, double shift, double step, size_t end)
{
    double at = (((double)place + 0.5) * cell + shift) / step - 0.5;
    if (!(at >= -0.5 && at < (double)end - 0.5))
        return (grid_position){0};
    at = fmin(fmax(at, 0), (double)(end - 1));
    double first = fmin(floor(at), (double)(end > 1 ? end - 2 : 0));
    return (grid_position){.at = (size_t)first, .behind = (float)(at - first), .inside = true};
}

static void spread(float *mass, size_t columns, grid_position row, grid_position column, float p)
{
    float *to = mass + row.at * columns + column.at;
    float below = p * row.behind, here = p - below;
    to[0] += here * (1 - column.behind);
    if (column.behind > 0)
        to[1] += here * column.behind;
    if (!(row.behind > 0))
        return;
    to[columns] += below * (1 - column.behind);
    if (column.behind > 0)
        to[columns + 1] += below * column.behind;
}

void lc_plane_add(lc_plane_sum *sum, const lc_plane *plane, double dx, double dy)
{
    size_t places = sum->rows * sum->columns, K = plane->K;
    for (size_t r = 0; r < plane->rows; r++) {
        grid_position row = position_of(r, plane->cell, dy, sum->step, sum->rows);
        for (size_t c = 0; row.inside && c < plane->columns; c++) {
            grid_position column = position_of(c, plane->cell, dx, sum->step, sum->columns);
            const float *logits = plane->logits + (r * plane->columns + c) * K;
            for (size_t k = 0; column.inside && k < K; k++)
                spread(sum->mass + k * places, sum->columns, row, column, (float)lc_probability(logits[k]));
        }
    }
    sum->passes++;
}

static void fill_sum(lc_plane_map *map, const void *from, size_t kind)
{
    const lc_plane_sum *sum = from;
    size_t places = sum->rows * sum->columns;
    float share = sum->passes > 0 ? 1 / (float)sum->passes : 0;
    for (size_t i = 0; i < places; i++)
        map->p[i] = share * sum->mass[kind * places + i];
}

loco_status lc_plane_vote(lc_event_array *events, const lc_plane_sum *sum, const lc_decoding *decoding,
                          const double *thresholds, loco_err *err)
{
    lc_plane_source source = {sum->rows, sum->columns, sum->K, sum->step, fill_sum, sum};
    return lc_plane_run(events, &source, decoding, thresholds, err);
}
