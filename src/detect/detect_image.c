/* SPDX-License-Identifier: MIT
 * detect_image.c - parts of images. Definitions are in detect_image.h. */
#include "detect/detect_image.h"

#include "detect/detect.h"

#include <math.h>

/* ---- parts ---- */

lc_plane_box lc_clip_box(const lc_clip *clip, double height)
{
    double right = clip->right > 0 ? clip->right : (double)INFINITY;
    return (lc_plane_box){clip->left, clip->start, right, clip->end < height ? clip->end : (double)INFINITY};
}

bool lc_box_holds(const lc_plane_box *box, const loco_event *event)
{
    return event->x >= box->left && event->x < box->right && event->time >= box->top && event->time < box->bottom;
}

size_t lc_box_count(const lc_plane_box *box, const lc_event_array *events, size_t kind)
{
    size_t n = 0;
    for (size_t i = 0; i < events->len; i++)
        n += events->events[i].kind == kind && lc_box_holds(box, &events->events[i]);
    return n;
}

/* The first place, of `end`, whose centre is not before a number of pixels. */
static size_t first_place(double pixels, double cell, size_t end)
{
    return (size_t)fmin(fmax(ceil((pixels + 0.5) / cell - 0.5), 0), (double)end);
}

/* From the first place of a part to the one behind its last, in one direction. */
static void find_range(double from, double to, double late, double cell, size_t len, size_t *first, size_t *end)
{
    *first = first_place(from, cell, len);
    *end = first_place(to, cell, len);
    *first = *first > 0 ? first_place(from + late, cell, len) : 0;
    *end = *end < len ? first_place(to + late, cell, len) : len;
    *end = *end > *first ? *end : *first;
}

lc_places lc_detect_places(const loco_model *model, size_t kind, const lc_plane_box *box, size_t rows, size_t columns)
{
    lc_places p;
    double cell = lc_detect_hop(model);
    find_range(box->top, box->bottom, model->offsets[kind], cell, rows, &p.row, &p.row_end);
    find_range(box->left, box->right, model->offsets_x[kind], cell, columns, &p.column, &p.column_end);
    return p;
}

size_t lc_places_len(const lc_places *p)
{
    return (p->row_end - p->row) * (p->column_end - p->column);
}
