/* SPDX-License-Identifier: MIT
 * plane_map.h - the map of one class of an image, and the spots on it that may become events. Lengths are in places. */
#ifndef LC_DETECT_PLANE_MAP_H
#define LC_DETECT_PLANE_MAP_H

#include "base/mem.h"
#include "detect/plane.h"

#include <stdint.h>

typedef struct lc_plane_spot {
    double row, column; /* its position */
    double mass;
    float strength; /* of the smoothed map at its place */
    uint32_t place; /* where it was found, row * columns + column */
} lc_plane_spot;

typedef struct lc_plane_map {
    size_t rows, columns;
    double window, gap; /* radius of what belongs to a spot, and of what a spot suppresses */
    double reach;       /* of the centroid; the window but for peaks */
    size_t half;        /* places on each side over which s is smoothed */
    float *p, *s;       /* (rows, columns) */
    uint32_t *owner; /* (rows, columns): 0, or 1 + the spot to which a place belongs; also marks what is suppressed */
    float *weights;  /* (half + 1) of the Gaussian, the first is 1 */
    float *line;     /* (columns + 2 half) */
    lc_plane_spot *spots;
    size_t spots_len, spots_capacity;
    lc_block block;
} lc_plane_map;

/* Checks decoding and sizes and takes memory; free the map in any case. step: pixels from place to place. */
LOCO_MUST_USE loco_status lc_plane_map_new(lc_plane_map *map, size_t rows, size_t columns, double step,
                                           const lc_decoding *decoding, loco_err *err);
void lc_plane_map_free(lc_plane_map *map);

/* A part of the map, ends not included. */
typedef struct lc_plane_part {
    size_t row, row_end, column, column_end;
} lc_plane_part;

lc_plane_part lc_plane_whole(const lc_plane_map *map);

/* The places whose centres may lie within a radius of a position. */
lc_plane_part lc_plane_around(const lc_plane_map *map, double row, double column, double radius);

/* Sets s in a part of the map from p of all. */
void lc_plane_smooth(lc_plane_map *map, lc_plane_part part);

/* Where a place lies, in places. */
double lc_plane_row(const lc_plane_map *map, size_t place);
double lc_plane_column(const lc_plane_map *map, size_t place);

/* The sum of p within the window around a place. */
double lc_plane_mass(const lc_plane_map *map, size_t place);

/* Marks the places within `radius` of a place, which become no spots. */
void lc_plane_suppress(lc_plane_map *map, size_t place, double radius);

LOCO_MUST_USE loco_status lc_plane_spot_add(lc_plane_map *map, size_t place, loco_err *err);

/* Moves all spots to the centroids of what belongs to them and sets their mass; below `least` they are dropped. Overwrites
 * owner. */
void lc_plane_settle(lc_plane_map *map, double least);

/* ---- from maps to events (plane.c) ---- */

/* Finds the spots of the map whose p is set. */
LOCO_MUST_USE loco_status lc_plane_find(lc_plane_map *map, double threshold, loco_err *err);

/* Adds the spots as events of a class. */
void lc_plane_give(lc_event_array *events, const lc_plane_map *map, double step, size_t kind);

/* Sorts the events from number `before` on, or drops them when anything failed. */
LOCO_MUST_USE loco_status lc_plane_end(lc_event_array *events, size_t before, loco_status status, loco_err *err);

/* Where the maps of all classes come from; fill sets p of one. */
typedef struct lc_plane_source {
    size_t rows, columns, K;
    double step;
    void (*fill)(lc_plane_map *map, const void *from, size_t kind);
    const void *from;
} lc_plane_source;

LOCO_MUST_USE loco_status lc_plane_run(lc_event_array *events, const lc_plane_source *source,
                                       const lc_decoding *decoding, const double *thresholds, loco_err *err);

#endif
