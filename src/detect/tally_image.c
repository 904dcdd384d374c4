/* SPDX-License-Identifier: MIT
 * tally_image.c - the counts of images: of whole ones, or of the rows and rectangles that are the clips of a data set.
 *
 *   image -> network -> logits of all places -> scale and shift -> tally of the places of a part
 *
 * An image is read once, whatever parts of it are counted. Where a class counts by detections, the decoder runs as well. */
#include "detect/tally_image.h"

#include "base/status.h"
#include "detect/detect.h"
#include "detect/detect_image.h"
#include "detect/infer.h"
#include "detect/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An image whose parts are counted. */
typedef struct counted_image {
    const char *file; /* as rows name it */
    double height, width;
    lc_logits logits;
    lc_event_array events; /* none unless a class counts by detections */
    lc_tally tally;
} counted_image;

static bool by_detections(const loco_model *model)
{
    bool any = false;
    for (size_t k = 0; k < model->net->classes; k++)
        any = any || model->count_calibration[k].detections;
    return any;
}

static loco_status detect(counted_image *c, const loco_model *model, loco_err *err)
{
    lc_decoder *decoder = NULL;
    loco_status status = lc_detect_decoder(&decoder, model, NULL, err);
    if (status == LOCO_OK)
        status = lc_decoder_run_wide(decoder, c->logits.data, c->logits.T, c->logits.columns, &c->events, err);
    lc_decoder_free(decoder);
    return status;
}

static void count_class(counted_image *c, const lc_tally_image *job, const lc_plane_box *box, size_t kind)
{
    const lc_count_calibration *calibration = &job->model->count_calibration[kind];
    const lc_logits *z = &c->logits;
    lc_places p = lc_detect_places(job->model, kind, box, z->T / z->columns, z->columns);
    lc_tally_clear(&c->tally);
    for (size_t r = p.row; r < p.row_end; r++)
        for (size_t i = p.column; i < p.column_end; i++) {
            double logit = (double)z->data[(r * z->columns + i) * z->K + kind];
            lc_tally_add(&c->tally, calibration->scale * logit + calibration->shift);
        }
    loco_tally_row row = lc_tally_row(&c->tally, calibration, kind, lc_box_count(box, &c->events, kind), job->how);
    row.file = c->file;
    row.start = box->top;
    row.end = fmin(box->bottom, c->height);
    row.left = box->left;
    row.right = fmin(box->right, c->width);
    if (!c->tally.failed)
        job->take(job->context, &row);
}

static loco_status count_part(counted_image *c, const lc_tally_image *job, const lc_plane_box *box, loco_err *err)
{
    for (size_t k = 0; !c->tally.failed && k < job->model->net->classes; k++)
        count_class(c, job, box, k);
    return c->tally.failed ? lc_err_set(err, LOCO_ENOMEM, "out of memory to count in %.150s", c->file) : LOCO_OK;
}

static loco_status open_image(counted_image *c, const lc_tally_image *job, const lc_input *input, loco_err *err)
{
    lc_image size;
    loco_status status = lc_infer_counted(&c->logits, job->model, input, err);
    if (status == LOCO_OK)
        status = lc_image_measure(&size, input->path, err);
    if (status != LOCO_OK)
        return status;
    c->height = (double)size.height;
    c->width = (double)size.width;
    return by_detections(job->model) ? detect(c, job->model, err) : LOCO_OK;
}

static void close_image(counted_image *c)
{
    free(c->logits.data);
    lc_event_array_free(&c->events);
    lc_tally_free(&c->tally);
}

loco_status lc_tally_image_whole(const lc_tally_image *job, const lc_input *input, loco_err *err)
{
    const lc_plane_box all = {0, 0, INFINITY, INFINITY};
    counted_image c = {.file = input->path};
    if (job->how->every > 0)
        return lc_err_set(err, LOCO_EARG,
                          "windows of %g s: the model reads images, which have no time; count whole images, or the "
                          "rectangles of a data set",
                          job->how->every);
    loco_status status = open_image(&c, job, input, err);
    if (status == LOCO_OK)
        status = count_part(&c, job, &all, err);
    close_image(&c);
    return status;
}

static loco_status count_clips(const lc_tally_image *job, const lc_dataset *set, size_t recording, loco_err *err)
{
    const lc_recording *r = &set->recordings[recording];
    counted_image c = {.file = r->name};
    loco_status status = open_image(&c, job, &(lc_input){.path = r->path}, err);
    for (size_t i = 0; status == LOCO_OK && i < set->clips_len; i++)
        if (set->clips[i].recording == recording) {
            lc_plane_box box = lc_clip_box(&set->clips[i], c.height);
            status = count_part(&c, job, &box, err);
        }
    close_image(&c);
    return status;
}

loco_status lc_tally_image_clips(const lc_tally_image *job, const lc_dataset *set, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t r = 0; status == LOCO_OK && r < set->recordings_len; r++)
        status = count_clips(job, set, r, err);
    return status;
}
