/* SPDX-License-Identifier: MIT
 * plane_known.c - the most likely events of an image, or of a part of it, whose counts are known. Definitions in plane.h.
 *   In time the posterior can keep a gap between events (spaced.h); in the plane the sum over all sets of places with a
 *   gap has no short form. So q is the plain posterior, whose mass may exceed 1 at one event, and the gap is kept by
 *   the choice of places: each event takes at most 1 of the mass around it.
 *   The largest value of the map is looked up in tiles of 32 x 32 places, of which an event changes a few. */
#include "detect/plane.h"

#include "base/mem.h"
#include "base/status.h"
#include "detect/plane_map.h"

#include <math.h>
#include <string.h>

enum { TILE = 32 };
#define NONE UINT32_MAX
#define BEFORE_END 1e-6 /* pixels; files have 6 decimals */

typedef struct known_job {
    const lc_plane *plane;
    const lc_decoding *decoding;
    lc_plane_part part;         /* of the plane, in places */
    lc_plane_map map;           /* of the part */
    double *logits, *posterior; /* (places of the part) */
    uint32_t *best;             /* of each tile, the largest place that is not suppressed; NONE */
    size_t tile_rows, tile_columns;
    double gap; /* that is kept, in places */
    lc_block block;
    loco_count *count;
} known_job;

static size_t places_of(const known_job *j)
{
    return j->map.rows * j->map.columns;
}

/* ---- the best place ---- */

/* Of equals the first. */
static bool is_better(const lc_plane_map *map, uint32_t place, uint32_t than)
{
    if (place == NONE || than == NONE)
        return place != NONE;
    return map->s[place] > map->s[than] || (!(map->s[place] < map->s[than]) && place < than);
}

static uint32_t best_of_tile(const lc_plane_map *map, size_t row, size_t column)
{
    size_t row_end = row + TILE < map->rows ? row + TILE : map->rows;
    size_t column_end = column + TILE < map->columns ? column + TILE : map->columns;
    uint32_t best = NONE;
    for (size_t r = row; r < row_end; r++)
        for (size_t c = column; c < column_end; c++) {
            uint32_t place = (uint32_t)(r * map->columns + c);
            if (map->owner[place] == 0 && is_better(map, place, best))
                best = place;
        }
    return best;
}

/* The tiles of a part that has changed. */
static void refresh(const known_job *j, lc_plane_part part)
{
    for (size_t r = part.row / TILE; r * TILE < part.row_end; r++)
        for (size_t c = part.column / TILE; c * TILE < part.column_end; c++)
            j->best[r * j->tile_columns + c] = best_of_tile(&j->map, r * TILE, c * TILE);
}

static uint32_t best_place(const known_job *j)
{
    uint32_t best = NONE;
    for (size_t i = 0; i < j->tile_rows * j->tile_columns; i++)
        if (is_better(&j->map, j->best[i], best))
            best = j->best[i];
    return best;
}

/* ---- one event after another ---- */

/* No place is left beyond the gap: half of it. Below 1 a place suppresses none but itself. */
static void narrow(known_job *j)
{
    j->gap = j->gap >= 2 ? j->gap / 2 : 0;
    memset(j->map.owner, 0, places_of(j) * sizeof *j->map.owner);
    for (size_t i = 0; i < j->map.spots_len; i++)
        lc_plane_suppress(&j->map, j->map.spots[i].place, j->gap);
    refresh(j, lc_plane_whole(&j->map));
}

/* Takes the mass within the window of a place away, 1 at most. */
static void take_mass(known_job *j, size_t place)
{
    lc_plane_map *map = &j->map;
    double mass = lc_plane_mass(map, place), row = lc_plane_row(map, place);
    double column = lc_plane_column(map, place), radius = map->window + 1e-9;
    lc_plane_part near = lc_plane_around(map, row, column, map->window);
    float left = mass > 1 ? (float)(1 - 1 / mass) : 0;
    for (size_t r = near.row; r < near.row_end; r++)
        for (size_t c = near.column; c < near.column_end; c++) {
            double down = (double)r - row, right = (double)c - column;
            if (down * down + right * right <= radius * radius)
                map->p[r * map->columns + c] *= left;
        }
    lc_plane_smooth(map, lc_plane_around(map, row, column, map->window + (double)map->half));
}

static loco_status place_next(known_job *j, loco_err *err)
{
    lc_plane_map *map = &j->map;
    uint32_t place = best_place(j);
    while (place == NONE) {
        narrow(j);
        place = best_place(j);
    }
    loco_status status = lc_plane_spot_add(map, place, err);
    if (status != LOCO_OK)
        return status;
    take_mass(j, place);
    lc_plane_suppress(map, place, j->gap);
    refresh(j, lc_plane_around(map, lc_plane_row(map, place), lc_plane_column(map, place),
                               fmax(j->gap, map->window + (double)map->half)));
    return LOCO_OK;
}

static void set_p(known_job *j)
{
    for (size_t i = 0; i < places_of(j); i++)
        j->map.p[i] = (float)j->posterior[i];
}

/* n <= places. */
static loco_status place_all(known_job *j, size_t n, loco_err *err)
{
    loco_status status = LOCO_OK;
    j->map.spots_len = 0;
    j->gap = j->map.gap;
    memset(j->map.owner, 0, places_of(j) * sizeof *j->map.owner);
    set_p(j);
    lc_plane_smooth(&j->map, lc_plane_whole(&j->map));
    refresh(j, lc_plane_whole(&j->map));
    for (size_t i = 0; status == LOCO_OK && i < n; i++)
        status = place_next(j, err);
    set_p(j);
    if (status == LOCO_OK)
        lc_plane_settle(&j->map, 0);
    return status;
}

/* ---- one class ---- */

/* An infinite logit would forbid a count; a NaN is p = 0. */
static double bounded(float logit)
{
    return isnan(logit) ? -1000 : fmin(fmax((double)logit, -1000), 1000);
}

static loco_status find_posterior(known_job *j, size_t kind, loco_label label, size_t *n, loco_err *err)
{
    double loss, sum = 0;
    for (size_t r = 0; r < j->map.rows; r++)
        for (size_t c = 0; c < j->map.columns; c++) {
            size_t place = (j->part.row + r) * j->plane->columns + j->part.column + c;
            j->logits[r * j->map.columns + c] = bounded(j->plane->logits[place * j->plane->K + kind]);
        }
    loco_status status = loco_count_loss(&loss, NULL, j->posterior, j->count, j->logits, places_of(j), label, err);
    for (size_t i = 0; status == LOCO_OK && i < places_of(j); i++)
        sum += j->posterior[i];
    *n = (size_t)fmin(fmax(round(sum), (double)label.lo), (double)label.hi);
    return status;
}

/* The part begins at another place than the plane, and events stay in the box. */
static void move_events(const known_job *j, const lc_plane_box *box, const lc_event_array *list, size_t from)
{
    double down = (double)j->part.row * j->plane->cell, right = (double)j->part.column * j->plane->cell;
    for (size_t i = from; i < list->len; i++) {
        loco_event *event = &list->events[i];
        event->time = fmax(fmin(event->time + down, box->bottom - BEFORE_END), fmax(0, box->top));
        event->x = fmax(fmin(event->x + right, box->right - BEFORE_END), fmax(0, box->left));
    }
}

static loco_status add_class(known_job *j, const lc_plane_box *box, size_t kind, loco_label label,
                             lc_event_array *events, loco_err *err)
{
    size_t places = places_of(j), before = events->len, n;
    loco_label met = {label.lo < places ? label.lo : places, label.hi < places ? label.hi : places};
    loco_status status = places > 0 ? find_posterior(j, kind, met, &n, err) : LOCO_OK;
    if (status != LOCO_OK || places == 0)
        return status;
    status = place_all(j, n, err);
    if (status != LOCO_OK)
        return status;
    lc_plane_give(events, &j->map, j->plane->cell, kind);
    move_events(j, box, events, before);
    return LOCO_OK;
}

/* ---- classes without a count ---- */

static bool unknown(loco_label label)
{
    return label.lo == 0 && label.hi == LOCO_NO_LIMIT;
}

/* Adds the detected events in the box of classes about which nothing is known. */
static loco_status add_plain(const known_job *j, const lc_plane_box *box, const double *thresholds,
                             const loco_label *labels, lc_event_array *events, loco_err *err)
{
    lc_event_array all = {0};
    bool any = false;
    for (size_t k = 0; k < j->plane->K; k++)
        any = any || unknown(labels[k]);
    loco_status status = any ? lc_plane_decode(&all, j->plane, j->decoding, thresholds, err) : LOCO_OK;
    for (size_t i = 0; status == LOCO_OK && i < all.len; i++) {
        const loco_event *event = &all.events[i];
        if (unknown(labels[event->kind]) && event->x >= box->left && event->x < box->right && event->time >= box->top &&
            event->time < box->bottom)
            lc_event_array_add(events, event);
    }
    lc_event_array_free(&all);
    return status;
}

/* ---- all classes ---- */

/* The first place whose centre is not before a number of pixels. */
static size_t first_place(double pixels, double cell, size_t end)
{
    double at = ceil((pixels + 0.5) / cell - 0.5);
    return at <= 0 ? 0 : at >= (double)end ? end : (size_t)at;
}

static lc_plane_part part_of(const lc_plane *plane, const lc_plane_box *box)
{
    lc_plane_part part = {
        first_place(box->top, plane->cell, plane->rows), first_place(box->bottom, plane->cell, plane->rows),
        first_place(box->left, plane->cell, plane->columns), first_place(box->right, plane->cell, plane->columns)};
    part.row_end = part.row_end > part.row ? part.row_end : part.row;
    part.column_end = part.column_end > part.column ? part.column_end : part.column;
    return part;
}

static void layout(known_job *j, lc_arena *arena)
{
    j->logits = lc_arena_take(arena, places_of(j), sizeof *j->logits);
    j->posterior = lc_arena_take(arena, places_of(j), sizeof *j->posterior);
    j->best = lc_arena_take(arena, j->tile_rows * j->tile_columns, sizeof *j->best);
}

static loco_status begin(known_job *j, loco_err *err)
{
    lc_arena arena = {0};
    loco_status status = lc_plane_map_new(&j->map, j->part.row_end - j->part.row, j->part.column_end - j->part.column,
                                          j->plane->cell, j->decoding, err);
    if (status != LOCO_OK)
        return status;
    j->tile_rows = (j->map.rows + TILE - 1) / TILE;
    j->tile_columns = (j->map.columns + TILE - 1) / TILE;
    layout(j, &arena);
    if (!lc_block_reserve(&j->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a map of %zu places", places_of(j));
    arena = lc_arena_over(&j->block);
    layout(j, &arena);
    return loco_count_new(&j->count, 1, err);
}

loco_status lc_plane_known(lc_event_array *events, const lc_plane *plane, const lc_plane_box *box,
                           const lc_decoding *decoding, const double *thresholds, const loco_label *labels,
                           loco_err *err)
{
    lc_plane_box all = {0, 0, INFINITY, INFINITY};
    const lc_plane_box *within = box != NULL ? box : &all;
    known_job j = {.plane = plane, .decoding = decoding, .part = part_of(plane, within)};
    size_t before = events->len;
    loco_status status = begin(&j, err);
    if (status == LOCO_OK)
        status = add_plain(&j, within, thresholds, labels, events, err);
    for (size_t k = 0; status == LOCO_OK && k < plane->K; k++)
        if (!unknown(labels[k]))
            status = add_class(&j, within, k, labels[k], events, err);
    lc_plane_map_free(&j.map);
    lc_block_free(&j.block);
    loco_count_free(j.count);
    return lc_plane_end(events, before, status, err);
}
