/* SPDX-License-Identifier: MIT
 * infer_whole.c - the logits of a whole recording: its scale first, where the front end wants one, then all of it through an
 *   infer; of an image, as one piece or as windows. */
#include "detect/infer.h"

#include "base/status.h"
#include "signal/convert.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

/* ---- the scale of a recording ---- */

static size_t at_a_time(size_t inputs)
{
    return CHUNK / inputs + 1;
}

typedef struct measuring {
    lc_converter *converter;
    lc_frontend *front;
    size_t inputs;
    float *samples; /* (at_a_time, inputs) */
} measuring;

/* As a lc_block_take; samples NULL: the input is over. */
static loco_status measure_block(void *context, const float *samples, size_t frames, loco_err *err)
{
    measuring *m = context;
    size_t taken, got = 1;
    while (frames > 0 || (samples == NULL && got > 0)) {
        loco_status status = lc_converter_run(m->converter, samples, frames, &taken, m->samples, at_a_time(m->inputs),
                                              &got, err);
        if (status != LOCO_OK)
            return status;
        lc_frontend_measure(m->front, m->samples, got);
        frames -= taken;
        samples = samples != NULL ? samples + taken * m->inputs : NULL;
    }
    return LOCO_OK;
}

static loco_status measure(lc_scale *scale, const loco_model *model, lc_reader *reader, loco_err *err)
{
    const lc_frontend_settings *front = &model->frontend;
    measuring m = {.inputs = reader->channels};
    m.samples = malloc(at_a_time(m.inputs) * m.inputs * sizeof *m.samples);
    loco_status status = m.samples == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to measure a scale") : LOCO_OK;
    if (status == LOCO_OK)
        status = lc_frontend_new(&m.front, front, err);
    if (status == LOCO_OK)
        status = lc_converter_new(&m.converter, reader->rate, front->rate, m.inputs, true, err);
    if (status == LOCO_OK)
        status = lc_reader_each(reader, measure_block, &m, err);
    if (status == LOCO_OK)
        status = measure_block(&m, NULL, 0, err);
    if (status == LOCO_OK)
        lc_frontend_measured(m.front, scale);
    lc_converter_free(m.converter);
    lc_frontend_free(m.front);
    free(m.samples);
    return status;
}

loco_status lc_infer_measure(lc_scale *scale, bool *wanted, const loco_model *model, const lc_input *input,
                             loco_err *err)
{
    lc_reader reader;
    lc_input whole = {.path = input->whole};
    const lc_input *measured = input->whole != NULL ? &whole : input;
    *wanted = lc_frontend_wants_scale(&model->frontend) && (measured->path == NULL || strcmp(measured->path, "-") != 0);
    if (!*wanted)
        return LOCO_OK;
    loco_status status = lc_reader_open(&reader, measured, &model->frontend, err);
    if (status != LOCO_OK)
        return status;
    status = measure(scale, model, &reader, err);
    lc_reader_close(&reader);
    return status;
}

/* ---- whole recordings ---- */

typedef struct infer_run {
    lc_infer *infer;
    lc_logits_take *take;
    void *context;
} infer_run;

/* As a lc_block_take. */
static loco_status push_block(void *context, const float *samples, size_t frames, loco_err *err)
{
    infer_run *r = context;
    return lc_infer_push(r->infer, samples, frames, r->take, r->context, err);
}

static loco_status run_reader(const loco_model *model, lc_reader *reader, const lc_scale *scale, infer_run *r,
                              loco_err *err)
{
    loco_status status = lc_infer_new(&r->infer, model, reader->rate, 1, err);
    if (status == LOCO_OK && scale != NULL)
        lc_infer_rescale(r->infer, scale);
    if (status == LOCO_OK)
        status = lc_reader_each(reader, push_block, r, err);
    if (status == LOCO_OK)
        status = lc_infer_end(r->infer, r->take, r->context, err);
    lc_infer_free(r->infer);
    return status;
}

/* Whether an image is read row by row, and not as windows. */
static bool by_rows(const loco_model *model)
{
    return model->frontend.ops->picture && model->frontend.ops->places != NULL;
}

/* An image must be a file. */
static loco_status check_input(const loco_model *model, const lc_input *input, loco_err *err)
{
    if (!model->frontend.ops->picture)
        return LOCO_OK;
    if (input->path == NULL || strcmp(input->path, "-") == 0)
        return lc_err_set(err, LOCO_EARG, "the model reads images; give it the path of a file");
    return lc_frontend_check_file(&model->frontend, input->path, err);
}

static loco_status load_image(lc_logits *logits, const loco_model *model, const lc_input *input, size_t views,
                              loco_err *err)
{
    lc_image image;
    loco_status status = lc_image_load(&image, input->path, err);
    if (status != LOCO_OK)
        return status;
    status = lc_infer_image(logits, model, &image, (lc_shift){0, 0}, views, err);
    lc_image_free(&image);
    return status;
}

static loco_status run_image(const loco_model *model, const lc_input *input, lc_logits_take *take, void *context,
                             loco_err *err)
{
    lc_logits all = {0};
    loco_status status = load_image(&all, model, input, 1, err);
    for (size_t i = 0; status == LOCO_OK && i < all.T; i++)
        take(context, all.data + i * all.K);
    free(all.data);
    return status;
}

loco_status lc_infer_run(const loco_model *model, const lc_input *input, lc_logits_take *take, void *context,
                         loco_err *err)
{
    lc_reader reader;
    lc_scale scale;
    bool scaled;
    infer_run r = {.take = take, .context = context};
    loco_status status = check_input(model, input, err);
    if (status == LOCO_OK && by_rows(model))
        return run_image(model, input, take, context, err);
    if (status == LOCO_OK)
        status = lc_infer_measure(&scale, &scaled, model, input, err);
    if (status == LOCO_OK)
        status = lc_reader_open(&reader, input, &model->frontend, err);
    if (status != LOCO_OK)
        return status;
    status = run_reader(model, &reader, scaled ? &scale : NULL, &r, err);
    lc_reader_close(&reader);
    return status;
}

/* Doubles its room; a failure stays. */
void lc_logits_append(void *context, const float *frame)
{
    lc_logits *s = context;
    if (s->T == s->capacity && !s->failed) {
        size_t wanted = s->capacity > 0 ? 2 * s->capacity : 4096, bytes;
        float *grown = lc_size_mul(wanted, s->K * sizeof(float), &bytes) ? realloc(s->data, bytes) : NULL;
        s->failed = grown == NULL;
        s->data = grown != NULL ? grown : s->data;
        s->capacity = grown != NULL ? wanted : s->capacity;
    }
    if (s->failed)
        return;
    memcpy(s->data + s->T * s->K, frame, s->K * sizeof(float));
    s->T++;
}

loco_status lc_infer_logits(lc_logits *logits, const loco_model *model, const lc_input *input, loco_err *err)
{
    lc_logits all = {.K = model->net->classes};
    loco_status status = check_input(model, input, err);
    if (status == LOCO_OK && by_rows(model))
        return load_image(logits, model, input, 1, err);
    if (status == LOCO_OK)
        status = lc_infer_run(model, input, lc_logits_append, &all, err);
    if (status == LOCO_OK && all.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the probabilities of %.150s", lc_input_name(input));
    if (status == LOCO_OK && model->frontend.ops->picture)
        status = lc_infer_windows(&all, model, input->path, err);
    if (status != LOCO_OK) {
        free(all.data);
        return status;
    }
    *logits = all;
    return LOCO_OK;
}

loco_status lc_infer_counted(lc_logits *logits, const loco_model *model, const lc_input *input, loco_err *err)
{
    if (!by_rows(model))
        return lc_infer_logits(logits, model, input, err);
    loco_status status = check_input(model, input, err);
    return status == LOCO_OK ? load_image(logits, model, input, model->frontend.views, err) : status;
}

/* ---- for pictures ---- */

loco_status lc_infer_frames(float **frames, size_t *T, const loco_model *model, const lc_scale *scale,
                            const float *samples, size_t n, loco_err *err)
{
    const lc_frontend_settings *settings = &model->frontend;
    size_t size = lc_frontend_bins(settings) * lc_frontend_channels(settings);
    lc_frontend *front = NULL;
    loco_status status = lc_frontend_new(&front, settings, err);
    if (status != LOCO_OK)
        return status;
    float *made = calloc((lc_frontend_most(front, n) + lc_frontend_most(front, 0)) * size + 1, sizeof *made);
    if (made == NULL) {
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a picture");
    } else {
        lc_frontend_rescale(front, scale);
        *T = lc_frontend_push(front, samples, n, made);
        *T += lc_frontend_finish(front, made + *T * size);
        *frames = made;
    }
    lc_frontend_free(front);
    return status;
}
