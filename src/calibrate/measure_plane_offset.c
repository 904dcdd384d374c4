/* SPDX-License-Identifier: MIT
 * measure_plane_offset.c - how far a model's events in images are from reference positions.
 *
 * A pair is an event and a reference event of its class that are nearest to each other, within a radius. The mean of their
 * distances, right and down, is the offset; events are then moved by it and paired again, three times in all. Where the offset
 * may be larger than events are apart, it begins with the way that most pairs of an event and a reference event have. */
#include "base/status.h"
#include "calibrate/measure.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 3 };

void lc_plane_offset_add(lc_plane_offset *offset, double x, double y)
{
    double before_x = x - offset->x, before_y = y - offset->y, n = (double)++offset->n;
    offset->x += before_x / n;
    offset->y += before_y / n;
    offset->squares += before_x * (x - offset->x) + before_y * (y - offset->y);
}

double lc_plane_offset_uncertainty(const lc_plane_offset *offset)
{
    double n = (double)offset->n;
    return offset->n > 1 ? sqrt(offset->squares / (n * (n - 1))) : (double)INFINITY;
}

/* The nearest event of a class to a position; SIZE_MAX: none is within reach. */
static size_t nearest(const loco_event *events, size_t n, size_t kind, double x, double y, double radius)
{
    size_t found = SIZE_MAX;
    double best = radius * radius;
    for (size_t i = 0; i < n; i++) {
        double right = events[i].x - x, down = events[i].time - y, far = right * right + down * down;
        if (events[i].kind == kind && far <= best) {
            best = far;
            found = i;
        }
    }
    return found;
}

/* Adds an image, its events moved by the offsets of the round before. */
static void add_pairs(lc_plane_offset *offsets, const lc_plane_offset *before, size_t groups,
                      const lc_plane_pairing *image, double radius)
{
    for (size_t i = 0; i < image->found_len; i++) {
        const loco_event *event = &image->found[i];
        size_t group = groups == 1 ? 0 : event->kind;
        const lc_plane_offset *late = &before[group];
        size_t truth = nearest(image->truth, image->truth_len, event->kind, event->x - late->x, event->time - late->y,
                               radius);
        if (truth == SIZE_MAX)
            continue;
        const loco_event *at = &image->truth[truth];
        if (nearest(image->found, image->found_len, event->kind, at->x + late->x, at->time + late->y, radius) != i)
            continue;
        lc_plane_offset_add(&offsets[group], event->x - at->x, event->time - at->time);
        lc_plane_offset_add(&offsets[groups], event->x - at->x, event->time - at->time);
    }
}

/* ---- where to begin ---- */

/* Adds the ways from reference events to events, as far as `side` allows: bins of a pixel, 0 in the middle. */
static void add_ways(uint32_t *bins, size_t side, const lc_plane_pairing *image)
{
    size_t half = side / 2;
    double middle = (double)half;
    for (size_t t = 0; t < image->truth_len; t++)
        for (size_t f = 0; f < image->found_len; f++) {
            double x = image->found[f].x - image->truth[t].x, y = image->found[f].time - image->truth[t].time;
            if (image->found[f].kind == image->truth[t].kind && fabs(x) < middle && fabs(y) < middle)
                bins[(size_t)lround(y + middle) * side + (size_t)lround(x + middle)]++;
        }
}

/* The sum of 3 x 3 bins. */
static uint32_t around(const uint32_t *bins, size_t side, size_t row, size_t column)
{
    uint32_t sum = 0;
    for (size_t r = row - 1; r <= row + 1; r++)
        for (size_t c = column - 1; c <= column + 1; c++)
            sum += bins[r * side + c];
    return sum;
}

loco_status lc_plane_usual_way(double *x, double *y, const lc_plane_pairing *images, size_t n, double farthest,
                               loco_err *err)
{
    size_t side = 2 * (size_t)farthest + 3, half = side / 2, best = half * side + half;
    uint32_t most = 0, *bins = calloc(side * side, sizeof *bins);
    if (bins == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to calibrate");
    for (size_t i = 0; i < n; i++)
        add_ways(bins, side, &images[i]);
    for (size_t row = 1; row + 1 < side; row++)
        for (size_t column = 1; column + 1 < side; column++)
            if (around(bins, side, row, column) > most) {
                most = around(bins, side, row, column);
                best = row * side + column;
            }
    size_t row_of_best = best / side;
    *x = (double)(best % side) - (double)half;
    *y = (double)row_of_best - (double)half;
    free(bins);
    return LOCO_OK;
}

/* ---- pairs ---- */

loco_status lc_plane_offsets(lc_plane_offset *offsets, size_t groups, const lc_plane_pairing *images, size_t n,
                             double radius, loco_err *err)
{
    lc_plane_offset *before = calloc(groups + 1, sizeof *before);
    if (before == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the offsets of %zu classes", groups);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t g = 0; g <= groups; g++) {
            before[g] = offsets[g];
            offsets[g] = (lc_plane_offset){0};
        }
        for (size_t i = 0; i < n; i++)
            add_pairs(offsets, before, groups, &images[i], radius);
    }
    free(before);
    return LOCO_OK;
}
