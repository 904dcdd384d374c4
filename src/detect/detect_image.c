/* SPDX-License-Identifier: MIT
 * detect_image.c - events in images, and parts of images. Definitions are in detect_image.h.
 *   Each class has its own offsets, so that a part of the image is another part of its logits: it is moved there, and its
 *   events are moved back.
 *   Votes: on 500 canvases of digits, cells of 4 pixels, a calibrated model: mean distance from the centres 1.99 pixels in
 *   one pass, 1.50 by 4 shifts and 1.39 by 16, at F1 within 14 pixels of .977, .973 and .974. */
#include "detect/detect_image.h"

#include "base/mem.h"
#include "base/status.h"
#include "detect/detect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BEFORE_END 1e-6 /* pixels; files have 6 decimals */

enum { VOTE_BYTES = 1 << 28 }; /* of the maps of a vote */

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

/* Moves a range of pixels by an offset; one that has the first or the last place goes to the edge. */
static void move_range(double *from, double *to, double late, double cell, size_t len)
{
    *from = first_place(*from, cell, len) > 0 ? *from + late : -INFINITY;
    *to = first_place(*to, cell, len) < len ? *to + late : (double)INFINITY;
}

/* Where the logits of a class have the events of a part. */
static lc_plane_box late_box(const loco_model *model, size_t kind, const lc_plane_box *box, size_t rows, size_t columns)
{
    lc_plane_box late = *box;
    double cell = lc_detect_hop(model);
    move_range(&late.left, &late.right, model->offsets_x[kind], cell, columns);
    move_range(&late.top, &late.bottom, model->offsets[kind], cell, rows);
    return late;
}

lc_places lc_detect_places(const loco_model *model, size_t kind, const lc_plane_box *box, size_t rows, size_t columns)
{
    double cell = lc_detect_hop(model);
    lc_plane_box late = late_box(model, kind, box, rows, columns);
    lc_places p = {first_place(late.top, cell, rows), first_place(late.bottom, cell, rows),
                   first_place(late.left, cell, columns), first_place(late.right, cell, columns)};
    p.row_end = p.row_end > p.row ? p.row_end : p.row;
    p.column_end = p.column_end > p.column ? p.column_end : p.column;
    return p;
}

size_t lc_places_len(const lc_places *p)
{
    return (p->row_end - p->row) * (p->column_end - p->column);
}

/* ---- shifts that vote ---- */

/* Pixels from place to place of the common map: 1, or more where the maps of all classes would take too much. */
static double step_of(const loco_model *model, const lc_image *image)
{
    double cell = lc_detect_hop(model), step = 1;
    double bytes = (double)(image->width * image->height) * (double)(4 * model->net->classes + 12);
    while (step < cell && bytes / (step * step) > VOTE_BYTES)
        step = fmin(2 * step, cell);
    return step;
}

/* Shifts in each direction: a divisor of the cell, or their mean would not lie in its middle. Windows are not shifted. */
static size_t side_of(const loco_model *model, unsigned versions)
{
    size_t cell = model->frontend.hop, side = 1;
    while (model->frontend.ops->places != NULL && side < cell && (side * side < versions || cell % side != 0))
        side++;
    return side;
}

static loco_status add_shift(lc_plane_sum *sum, const loco_model *model, const lc_image *image, lc_shift shift,
                             loco_err *err)
{
    lc_logits logits = {0};
    loco_status status = lc_infer_image(&logits, model, image, shift, 1, err);
    if (status != LOCO_OK)
        return status;
    lc_plane plane = {logits.T / logits.columns, logits.columns, logits.K, lc_detect_hop(model), logits.data};
    lc_plane_add(sum, &plane, (double)shift.x, (double)shift.y);
    free(logits.data);
    return LOCO_OK;
}

/* Shifts to the left and up: each pass has the whole image. */
static loco_status vote(lc_event_array *list, const loco_model *model, const lc_decoder *decoder, const lc_image *image,
                        size_t side, loco_err *err)
{
    lc_plane_sum sum = {0};
    size_t cell = model->frontend.hop;
    loco_status status = lc_plane_sum_new(&sum, image->height, image->width, model->net->classes, step_of(model, image),
                                          err);
    for (size_t i = 0; status == LOCO_OK && i < side * side; i++) {
        lc_shift shift = {-(ptrdiff_t)(i % side * cell / side), -(ptrdiff_t)(i / side * cell / side)};
        status = add_shift(&sum, model, image, shift, err);
    }
    if (status == LOCO_OK)
        status = lc_plane_vote(list, &sum, &decoder->how, decoder->thresholds, err);
    lc_plane_sum_free(&sum);
    return status;
}

/* One pass. */
static loco_status detect_once(lc_event_array *list, const loco_model *model, lc_decoder *decoder,
                               const lc_input *input, loco_err *err)
{
    lc_logits logits = {0};
    loco_status status = lc_infer_logits(&logits, model, input, err);
    if (status == LOCO_OK)
        status = lc_decoder_run_wide(decoder, logits.data, logits.T, logits.columns, list, err);
    free(logits.data);
    return status;
}

loco_status lc_detect_image(lc_event_array *list, const loco_model *model, lc_decoder *decoder, const lc_input *input,
                            unsigned versions, loco_err *err)
{
    size_t before = list->len, side = side_of(model, versions);
    lc_image image;
    if (side < 2 || input->path == NULL || strcmp(input->path, "-") == 0)
        return detect_once(list, model, decoder, input, err);
    loco_status status = lc_frontend_check_file(&model->frontend, input->path, err);
    if (status == LOCO_OK)
        status = lc_image_load(&image, input->path, err);
    if (status != LOCO_OK)
        return status;
    status = vote(list, model, decoder, &image, side, err);
    if (status == LOCO_OK)
        lc_decoder_shift(decoder, list, before);
    lc_image_free(&image);
    return status;
}

/* ---- known counts ---- */

/* Back to the part, whose end they stay before. */
static void move_back(lc_event_array *list, size_t from, const loco_model *model, size_t kind, const lc_plane_box *box)
{
    for (size_t i = from; i < list->len; i++) {
        loco_event *event = &list->events[i];
        event->kind = kind;
        event->time = fmax(fmin(event->time - model->offsets[kind], box->bottom - BEFORE_END), fmax(0, box->top));
        event->x = fmax(fmin(event->x - model->offsets_x[kind], box->right - BEFORE_END), fmax(0, box->left));
    }
}

loco_status lc_detect_known(lc_event_array *list, const loco_model *model, const lc_decoder *decoder,
                            const lc_logits *logits, const lc_plane_box *box, const loco_label *labels, loco_err *err)
{
    size_t T = logits->T, K = logits->K, first = list->len;
    float *one = malloc((T + 1) * sizeof *one);
    loco_status status = one == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of an image")
                                     : LOCO_OK;
    lc_plane plane = {T / logits->columns, logits->columns, 1, lc_detect_hop(model), one};
    for (size_t k = 0; status == LOCO_OK && k < K; k++) {
        size_t before = list->len;
        lc_plane_box late = late_box(model, k, box, plane.rows, plane.columns);
        for (size_t t = 0; t < T; t++)
            one[t] = logits->data[t * K + k];
        status = lc_plane_known(list, &plane, &late, &decoder->how, &decoder->thresholds[k], &labels[k], err);
        if (status == LOCO_OK)
            move_back(list, before, model, k, box);
    }
    free(one);
    if (status == LOCO_OK)
        lc_event_array_sort(list, first);
    else
        list->len = first;
    return status;
}
