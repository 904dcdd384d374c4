/* SPDX-License-Identifier: MIT
 * plain.c - layers without weights in matrices: dropout, gather, bias.
 *
 *   dropout RATE      in training, zeroes a value with this probability and scales the others by 1 / (1 - rate)
 *   gather O1 O2 ...  (F, C) -> (F, C * n): the channels of bins f + O1, f + O2, ..., zeros past the ends. With bins in
 *                     semitones, offsets 12, 19, 24 are harmonics: one kernel then serves all pitches
 *   bias              a learned number for each bin and channel: what weights shared along frequency cannot know */
#include "nn/layer.h"

#include <math.h>
#include <string.h>

static size_t values(const lc_layer *layer)
{
    return layer->in_F * layer->in_C;
}

/* What comes out has the bins and channels of what goes in. */
static loco_status same_shape(lc_layer *layer, loco_err *err)
{
    (void)err;
    layer->out_F = layer->in_F;
    layer->out_C = layer->in_C;
    return LOCO_OK;
}

/* ---- dropout ---- */

/* To a millionth, which is what dropout_format writes. */
static loco_status dropout_parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    loco_status status = lc_words_real(words, &layer->rate, 0, 1, "the part of values to drop, 0 or more and below 1",
                                       err);
    layer->rate = fmin(round(layer->rate * 1e6), 999999) / 1e6;
    return status;
}

static void dropout_format(const lc_layer *layer, lc_text *text)
{
    lc_text_string(text, "dropout ");
    lc_text_number(text, layer->rate, 6);
}

static loco_status dropout_shape(lc_layer *layer, loco_err *err)
{
    layer->keep = layer->state = values(layer);
    return same_shape(layer, err);
}

/* Kept: what each value was multiplied by. Which are dropped depends on the seed and the frame's number in its clip alone,
 * so that a part of a clip that is run again drops the same ones. */
static void dropout_forward(const lc_layer *layer, const lc_pass *pass)
{
    float scale = (float)(1 / (1 - layer->rate));
    for (size_t t = 0; t < pass->in.T; t++) {
        const float *in = pass->in.data + t * pass->in.row;
        float *out = pass->out.data + t * pass->out.row, *kept = pass->keep + t * layer->keep;
        lc_rng rng = lc_rng_seed(pass->seed + (pass->first + t) * 0xbf58476d1ce4e5b9u);
        for (size_t i = 0; i < values(layer); i++) {
            float factor = !pass->training ? 1 : lc_rng_uniform(&rng) < layer->rate ? 0 : scale;
            kept[i] = factor;
            out[i] = in[i] * factor;
        }
    }
}

static void dropout_backward(const lc_layer *layer, const lc_pass *pass)
{
    if (pass->d_in.data == NULL)
        return;
    for (size_t t = 0; t < pass->in.T; t++) {
        const float *d_out = pass->d_out.data + t * pass->d_out.row, *kept = pass->keep + t * layer->keep;
        float *d_in = pass->d_in.data + t * pass->d_in.row;
        for (size_t i = 0; i < values(layer); i++)
            d_in[i] += d_out[i] * kept[i];
    }
}

const lc_layer_ops lc_dropout_ops = {
    .name = "dropout",
    .usage = "dropout RATE",
    .parse = dropout_parse,
    .format = dropout_format,
    .shape = dropout_shape,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = dropout_forward,
    .backward = dropout_backward,
    .step = lc_layer_step_pointwise,
};

/* ---- gather ---- */

static loco_status gather_parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    size_t length;
    do {
        long offset;
        loco_status status = lc_words_number(words, &offset, -4096, 4096, "an offset in bins, such as -12 or 19", err);
        if (status != LOCO_OK)
            return status;
        layer->offsets[layer->offsets_len++] = (int)offset;
        lc_words_peek(words, &length);
    } while (length > 0 && layer->offsets_len < LC_OFFSETS_MAX);
    return LOCO_OK;
}

static void gather_format(const lc_layer *layer, lc_text *text)
{
    lc_text_string(text, "gather");
    for (size_t i = 0; i < layer->offsets_len; i++)
        lc_text_format(text, " %d", layer->offsets[i]);
}

static loco_status gather_shape(lc_layer *layer, loco_err *err)
{
    (void)err;
    layer->out_F = layer->in_F;
    layer->out_C = layer->in_C * layer->offsets_len;
    return LOCO_OK;
}

/* The first bin and the number of bins for which f + offset is inside. */
static size_t gather_span(const lc_layer *layer, int offset, size_t *first)
{
    size_t away = (size_t)(offset < 0 ? -offset : offset);
    *first = offset < 0 ? away : 0;
    return away < layer->in_F ? layer->in_F - away : 0;
}

/* Bins for which f + offset is outside stay 0. Channels of one offset are neighbours, so that whole bins are copied. */
static void gather_forward(const lc_layer *layer, const lc_pass *pass)
{
    size_t C = layer->in_C;
    for (size_t t = 0; t < pass->in.T; t++) {
        const float *in = pass->in.data + t * pass->in.row;
        float *out = pass->out.data + t * pass->out.row;
        memset(out, 0, layer->out_F * layer->out_C * sizeof *out);
        for (size_t o = 0; o < layer->offsets_len; o++) {
            size_t first, n = gather_span(layer, layer->offsets[o], &first);
            const float *from = in + (first + (size_t)layer->offsets[o]) * C;
            for (size_t i = 0; i < n; i++)
                memcpy(out + (first + i) * layer->out_C + o * C, from + i * C, C * sizeof *out);
        }
    }
}

/* The same walk, adding instead of copying: a bin is read once for each offset. */
static void gather_backward(const lc_layer *layer, const lc_pass *pass)
{
    size_t C = layer->in_C;
    for (size_t t = 0; pass->d_in.data != NULL && t < pass->in.T; t++) {
        const float *d_out = pass->d_out.data + t * pass->d_out.row;
        float *d_in = pass->d_in.data + t * pass->d_in.row;
        for (size_t o = 0; o < layer->offsets_len; o++) {
            size_t first, n = gather_span(layer, layer->offsets[o], &first);
            float *to = d_in + (first + (size_t)layer->offsets[o]) * C;
            for (size_t i = 0; i < n; i++)
                for (size_t c = 0; c < C; c++)
                    to[i * C + c] += d_out[(first + i) * layer->out_C + o * C + c];
        }
    }
}

const lc_layer_ops lc_gather_ops = {
    .name = "gather",
    .usage = "gather OFFSET...",
    .parse = gather_parse,
    .format = gather_format,
    .shape = gather_shape,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = gather_forward,
    .backward = gather_backward,
    .step = lc_layer_step_pointwise,
};

/* ---- bias ---- */

static loco_status bias_parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    (void)layer, (void)words, (void)err;
    return LOCO_OK;
}

static void bias_format(const lc_layer *layer, lc_text *text)
{
    lc_text_string(text, layer->ops->name);
}

static loco_status bias_shape(lc_layer *layer, loco_err *err)
{
    layer->params = layer->packed = layer->grads = values(layer);
    return same_shape(layer, err);
}

static size_t bias_tensors(const lc_layer *layer, lc_tensor *tensors)
{
    tensors[0] = (lc_tensor){
        "bias", {layer->in_F, layer->in_C},
         2
    };
    return 1;
}

static void bias_init(const lc_layer *layer, float *params, lc_rng *rng)
{
    (void)rng;
    memset(params, 0, layer->params * sizeof *params);
}

static void bias_pack(const lc_layer *layer, const float *params, float *packed)
{
    memcpy(packed, params, layer->params * sizeof *packed);
}

static void bias_unpack(const lc_layer *layer, const float *grads, float *d_params)
{
    for (size_t i = 0; i < layer->params; i++)
        d_params[i] += grads[i];
}

static void bias_forward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; t < pass->in.T; t++)
        for (size_t i = 0; i < values(layer); i++)
            pass->out.data[t * pass->out.row + i] = pass->in.data[t * pass->in.row + i] + pass->packed[i];
}

/* The same number is added in all frames: its gradient is the sum over them. */
static void bias_backward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; t < pass->in.T; t++) {
        for (size_t i = 0; i < values(layer); i++) {
            float d = pass->d_out.data[t * pass->d_out.row + i];
            pass->grads[i] += d;
            if (pass->d_in.data != NULL)
                pass->d_in.data[t * pass->d_in.row + i] += d;
        }
    }
}

const lc_layer_ops lc_bias_ops = {
    .name = "bias",
    .usage = "bias",
    .parse = bias_parse,
    .format = bias_format,
    .shape = bias_shape,
    .tensors = bias_tensors,
    .init = bias_init,
    .pack = bias_pack,
    .unpack = bias_unpack,
    .forward = bias_forward,
    .backward = bias_backward,
    .step = lc_layer_step_pointwise,
};
