/* SPDX-License-Identifier: MIT
 * plane.c - probabilities of the places of an image into events, class by class. Definitions are in plane.h.
 *   A local maximum is larger than the four of its neighbours that come before it, and no smaller than the four behind
 *   it: of equals the first. Noise has many, but a smoothed map has about one in ten windows, so that their masses cost
 *   about as much as the smoothing. */
#include "detect/plane.h"

#include "base/status.h"
#include "detect/plane_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one class ---- */

static bool is_maximum(const lc_plane_map *map, size_t row, size_t column)
{
    size_t above = row > 0 ? row - 1 : 0, below = row + 1 < map->rows ? row + 1 : row;
    size_t left = column > 0 ? column - 1 : 0, right = column + 1 < map->columns ? column + 1 : column;
    float here = map->s[row * map->columns + column];
    for (size_t r = above; r <= below; r++)
        for (size_t c = left; c <= right; c++) {
            float other = map->s[r * map->columns + c];
            bool before = r < row || (r == row && c < column);
            if (other > here || (before && !(other < here)))
                return false;
        }
    return true;
}

static loco_status find_maxima(lc_plane_map *map, double threshold, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t r = 0; r < map->rows; r++)
        for (size_t c = 0; status == LOCO_OK && c < map->columns; c++) {
            size_t place = r * map->columns + c;
            if (map->s[place] > 0 && is_maximum(map, r, c) && lc_plane_mass(map, place) >= threshold)
                status = lc_plane_spot_add(map, place, err);
        }
    return status;
}

/* From the strongest on; of equals the first. */
static int by_strength(const void *a, const void *b)
{
    const lc_plane_spot *x = a, *y = b;
    if (x->strength < y->strength || x->strength > y->strength)
        return x->strength > y->strength ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void suppress(lc_plane_map *map)
{
    size_t kept = 0;
    memset(map->owner, 0, map->rows * map->columns * sizeof *map->owner);
    for (size_t i = 0; i < map->spots_len; i++) {
        size_t place = map->spots[i].place;
        if (map->owner[place] > 0)
            continue;
        lc_plane_suppress(map, place, map->gap);
        map->spots[kept++] = map->spots[i];
    }
    map->spots_len = kept;
}

loco_status lc_plane_find(lc_plane_map *map, double threshold, loco_err *err)
{
    map->spots_len = 0;
    lc_plane_smooth(map, lc_plane_whole(map));
    loco_status status = find_maxima(map, threshold, err);
    if (status != LOCO_OK || map->spots_len == 0)
        return status;
    qsort(map->spots, map->spots_len, sizeof *map->spots, by_strength);
    suppress(map);
    lc_plane_settle(map, threshold);
    return LOCO_OK;
}

/* ---- all classes ---- */

static loco_status check_thresholds(const double *thresholds, size_t K, loco_err *err)
{
    for (size_t k = 0; thresholds != NULL && k < K; k++)
        if (!(thresholds[k] >= 1e-6 && thresholds[k] <= 1))
            return lc_err_set(err, LOCO_EARG, "the threshold of class %zu must lie in 0.000001 to 1", k);
    return LOCO_OK;
}

/* Pixels of a position in places. */
static double pixels(double at, double step)
{
    return fmax(0, (at + 0.5) * step - 0.5);
}

void lc_plane_give(lc_event_array *events, const lc_plane_map *map, double step, size_t kind)
{
    for (size_t i = 0; i < map->spots_len; i++) {
        const lc_plane_spot *spot = &map->spots[i];
        loco_event event = {.time = pixels(spot->row, step),
                            .kind = kind,
                            .probability = fmin(1, spot->mass),
                            .x = pixels(spot->column, step)};
        lc_event_array_add(events, &event);
    }
}

loco_status lc_plane_end(lc_event_array *events, size_t before, loco_status status, loco_err *err)
{
    if (status == LOCO_OK && events->failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of an image");
    if (status == LOCO_OK)
        lc_event_array_sort(events, before);
    else
        events->len = before;
    return status;
}

loco_status lc_plane_run(lc_event_array *events, const lc_plane_source *source, const lc_decoding *decoding,
                         const double *thresholds, loco_err *err)
{
    lc_plane_map map;
    size_t before = events->len;
    loco_status status = check_thresholds(thresholds, source->K, err);
    if (status != LOCO_OK)
        return status;
    status = lc_plane_map_new(&map, source->rows, source->columns, source->step, decoding, err);
    for (size_t k = 0; status == LOCO_OK && k < source->K; k++) {
        source->fill(&map, source->from, k);
        status = lc_plane_find(&map, thresholds != NULL ? thresholds[k] : decoding->threshold, err);
        if (status == LOCO_OK)
            lc_plane_give(events, &map, source->step, k);
    }
    lc_plane_map_free(&map);
    return lc_plane_end(events, before, status, err);
}

static void fill_plane(lc_plane_map *map, const void *from, size_t kind)
{
    const lc_plane *plane = from;
    for (size_t i = 0; i < plane->rows * plane->columns; i++)
        map->p[i] = (float)lc_probability(plane->logits[i * plane->K + kind]);
}

loco_status lc_plane_decode(lc_event_array *events, const lc_plane *plane, const lc_decoding *decoding,
                            const double *thresholds, loco_err *err)
{
    lc_plane_source source = {plane->rows, plane->columns, plane->K, plane->cell, fill_plane, plane};
    return lc_plane_run(events, &source, decoding, thresholds, err);
}
