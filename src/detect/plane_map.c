/* SPDX-License-Identifier: MIT
 * plane_map.c - the map of one class of an image: smoothing, mass in windows, and which place belongs to which spot.
 *   The Gaussian is separable: rows first, from p to s, then each row of s by itself; 4 half + 2 products a place, always
 *   in the same order, so that equal neighbourhoods have equal values. A running sum would cost less, and drift. */
#include "detect/plane_map.h"

#include "base/status.h"
#include "base/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* PLACES_MOST: numbers of places fit into 32 bits. */
#define PLACES_MOST ((size_t)1 << 31)
enum { RADIUS_MOST = 1 << 14, ROUNDS = 3 };

static const double slack = 1e-9; /* a place at the border of a window is in it */
static const double spread_of_window = 1.0 / 3;

static void layout(lc_plane_map *map, lc_arena *arena)
{
    size_t places = map->rows * map->columns;
    map->p = lc_arena_take(arena, places, sizeof *map->p);
    map->s = lc_arena_take(arena, places, sizeof *map->s);
    map->owner = lc_arena_take(arena, places, sizeof *map->owner);
    map->weights = lc_arena_take(arena, map->half + 1, sizeof *map->weights);
    map->line = lc_arena_take(arena, map->columns + 2 * map->half, sizeof *map->line);
}

static loco_status check(size_t rows, size_t columns, double step, const lc_decoding *decoding, loco_err *err)
{
    size_t places;
    loco_status status = lc_decoding_check(decoding, err);
    if (status != LOCO_OK)
        return status;
    if (decoding->method == LC_DECODE_COUNT)
        return lc_err_set(err, LOCO_EARG, "the decoding count follows time; for images use mass or peak");
    if (!(step >= 1e-3 && step <= 1e6))
        return lc_err_set(err, LOCO_EARG, "the pixels from place to place must lie in 0.001 to 1000000");
    if (!lc_size_mul(rows, columns, &places) || places > PLACES_MOST)
        return lc_err_set(err, LOCO_EARG, "a map of %zu x %zu places; at most %zu are possible", rows, columns,
                          PLACES_MOST);
    if (fmax(decoding->window, decoding->gap) / step > RADIUS_MOST)
        return lc_err_set(err, LOCO_EARG, "window and gap may be at most %d places of an image", RADIUS_MOST);
    return LOCO_OK;
}

loco_status lc_plane_map_new(lc_plane_map *map, size_t rows, size_t columns, double step, const lc_decoding *decoding,
                             loco_err *err)
{
    lc_arena arena = {0};
    *map = (lc_plane_map){.rows = rows, .columns = columns};
    loco_status status = check(rows, columns, step, decoding, err);
    if (status != LOCO_OK)
        return status;
    bool mass = decoding->method == LC_DECODE_MASS;
    map->window = mass ? decoding->window / step : 0;
    map->reach = mass ? map->window : sqrt(2);
    map->gap = decoding->gap / step;
    map->half = (size_t)floor(map->window + slack);
    layout(map, &arena);
    if (!lc_block_reserve(&map->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a map of %zu x %zu places", rows, columns);
    arena = lc_arena_over(&map->block);
    layout(map, &arena);
    memset(map->owner, 0, rows * columns * sizeof *map->owner);
    for (size_t i = 0; i <= map->half; i++) {
        double spreads = i > 0 ? (double)i / (map->window * spread_of_window) : 0;
        map->weights[i] = (float)exp(-spreads * spreads / 2);
    }
    return LOCO_OK;
}

void lc_plane_map_free(lc_plane_map *map)
{
    lc_block_free(&map->block);
    free(map->spots);
    *map = (lc_plane_map){0};
}

/* ---- parts ---- */

lc_plane_part lc_plane_whole(const lc_plane_map *map)
{
    return (lc_plane_part){0, map->rows, 0, map->columns};
}

static size_t bounded(double at, size_t end)
{
    return at <= 0 ? 0 : at >= (double)end ? end : (size_t)at;
}

lc_plane_part lc_plane_around(const lc_plane_map *map, double row, double column, double radius)
{
    double r = radius + slack;
    return (lc_plane_part){bounded(ceil(row - r), map->rows), bounded(floor(row + r) + 1, map->rows),
                           bounded(ceil(column - r), map->columns), bounded(floor(column + r) + 1, map->columns)};
}

/* The squared distance of a place from a position. */
static double apart(double row, double column, size_t r, size_t c)
{
    double down = (double)r - row, right = (double)c - column;
    return down * down + right * right;
}

static double squared(double radius)
{
    return (radius + slack) * (radius + slack);
}

/* ---- smoothing ---- */

static void add_row(float *restrict to, const float *restrict from, float weight, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += weight * from[i];
}

/* Row `row` of a part, columns `from` to `end`, into the line: sums over rows above and below. */
static void smooth_down(const lc_plane_map *map, size_t row, size_t from, size_t end, float *line)
{
    const float *p = map->p + from;
    size_t n = end - from, columns = map->columns;
    memcpy(line, p + row * columns, n * sizeof *line);
    for (size_t i = 1; i <= map->half; i++) {
        if (row >= i)
            add_row(line, p + (row - i) * columns, map->weights[i], n);
        if (row + i < map->rows)
            add_row(line, p + (row + i) * columns, map->weights[i], n);
    }
}

void lc_plane_smooth(lc_plane_map *map, lc_plane_part part)
{
    size_t half = map->half, n = part.column_end - part.column;
    /* columns that the part needs, and zeros beyond the map */
    size_t from = part.column > half ? part.column - half : 0;
    size_t end = map->columns - part.column_end > half ? part.column_end + half : map->columns;
    size_t left = half - (part.column - from), right = half - (end - part.column_end);
    memset(map->line, 0, left * sizeof *map->line);
    memset(map->line + left + (end - from), 0, right * sizeof *map->line);
    for (size_t r = part.row; r < part.row_end; r++) {
        float *s = map->s + r * map->columns + part.column;
        smooth_down(map, r, from, end, map->line + left);
        memcpy(s, map->line + half, n * sizeof *s);
        for (size_t i = 1; i <= half; i++) {
            add_row(s, map->line + half - i, map->weights[i], n);
            add_row(s, map->line + half + i, map->weights[i], n);
        }
    }
}

/* ---- windows ---- */

double lc_plane_row(const lc_plane_map *map, size_t place)
{
    size_t row = place / map->columns;
    return (double)row;
}

double lc_plane_column(const lc_plane_map *map, size_t place)
{
    return (double)(place % map->columns);
}

double lc_plane_mass(const lc_plane_map *map, size_t place)
{
    double row = lc_plane_row(map, place), column = lc_plane_column(map, place), sum = 0;
    lc_plane_part near = lc_plane_around(map, row, column, map->window);
    for (size_t r = near.row; r < near.row_end; r++)
        for (size_t c = near.column; c < near.column_end; c++)
            if (apart(row, column, r, c) <= squared(map->window))
                sum += (double)map->p[r * map->columns + c];
    return sum;
}

void lc_plane_suppress(lc_plane_map *map, size_t place, double radius)
{
    double row = lc_plane_row(map, place), column = lc_plane_column(map, place);
    lc_plane_part near = lc_plane_around(map, row, column, radius);
    for (size_t r = near.row; r < near.row_end; r++)
        for (size_t c = near.column; c < near.column_end; c++)
            if (apart(row, column, r, c) <= squared(radius))
                map->owner[r * map->columns + c] = UINT32_MAX;
}

loco_status lc_plane_spot_add(lc_plane_map *map, size_t place, loco_err *err)
{
    lc_plane_spot *spots = lc_list_grow(map->spots, &map->spots_capacity, map->spots_len + 1, sizeof *spots);
    if (spots == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of an image");
    map->spots = spots;
    spots[map->spots_len++] = (lc_plane_spot){.row = lc_plane_row(map, place),
                                              .column = lc_plane_column(map, place),
                                              .strength = map->s[place],
                                              .place = (uint32_t)place};
    return LOCO_OK;
}

/* ---- which place belongs to which spot ---- */

/* Spot `i` takes the places within its reach that are nearer to it than to their owner; of equals the first has them. */
static void claim(lc_plane_map *map, size_t i)
{
    const lc_plane_spot *spot = &map->spots[i];
    lc_plane_part near = lc_plane_around(map, spot->row, spot->column, map->reach);
    for (size_t r = near.row; r < near.row_end; r++)
        for (size_t c = near.column; c < near.column_end; c++) {
            uint32_t *owner = &map->owner[r * map->columns + c];
            double distance = apart(spot->row, spot->column, r, c);
            const lc_plane_spot *other = *owner > 0 ? &map->spots[*owner - 1] : NULL;
            if (distance <= squared(map->reach) && (other == NULL || distance < apart(other->row, other->column, r, c)))
                *owner = (uint32_t)i + 1;
        }
}

/* The centroid of what belongs to spot i. Of a peak the mass is that of its own place. */
static lc_plane_spot measured(const lc_plane_map *map, size_t i)
{
    lc_plane_spot spot = map->spots[i];
    lc_plane_part near = lc_plane_around(map, spot.row, spot.column, map->reach);
    double sum = 0, down = 0, right = 0;
    for (size_t r = near.row; r < near.row_end; r++)
        for (size_t c = near.column; c < near.column_end; c++) {
            size_t place = r * map->columns + c;
            double p = map->owner[place] == i + 1 ? (double)map->p[place] : 0;
            sum += p;
            down += p * ((double)r - spot.row);
            right += p * ((double)c - spot.column);
        }
    if (sum > 0) {
        spot.row += down / sum;
        spot.column += right / sum;
    }
    spot.mass = map->window < map->reach ? (double)map->p[spot.place] : sum;
    return spot;
}

/* Claims first and measures then: a spot that has moved would claim other places. */
static void settle_once(lc_plane_map *map, double least)
{
    size_t kept = 0;
    for (size_t i = 0; i < map->spots_len; i++)
        claim(map, i);
    for (size_t i = 0; i < map->spots_len; i++) {
        lc_plane_spot spot = measured(map, i);
        if (spot.mass >= least)
            map->spots[kept++] = spot;
    }
    map->spots_len = kept;
}

/* Peaks stay at their places, so that one round is enough. */
void lc_plane_settle(lc_plane_map *map, double least)
{
    for (int round = 0; round < (map->window < map->reach ? 1 : ROUNDS); round++) {
        memset(map->owner, 0, map->rows * map->columns * sizeof *map->owner);
        settle_once(map, least);
    }
}
