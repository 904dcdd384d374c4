/* SPDX-License-Identifier: MIT
 * crop.c - `crop FIRST COUNT`: (F, C) -> (COUNT, C), the bins FIRST, FIRST + 1, ...
 *   out[f][c] = in[FIRST + f][c]
 * At the end of a network whose bins are pitches it says which of them are classes: `conv 1x1 1 linear, bias, crop 0 88`.
 * Training adds no dense layer behind it. */
#include "base/status.h"
#include "nn/layer.h"

#include <string.h>

static loco_status parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    long first, count;
    loco_status status = lc_words_number(words, &first, 0, 1 << 20, "the first bin, 0 or more", err);
    if (status == LOCO_OK)
        status = lc_words_number(words, &count, 1, 1 << 20, "the number of bins, 1 or more", err);
    if (status != LOCO_OK)
        return status;
    layer->crop.first = (size_t)first;
    layer->crop.count = (size_t)count;
    return LOCO_OK;
}

static void format(const lc_layer *layer, lc_text *text)
{
    lc_text_format(text, "crop %zu %zu", layer->crop.first, layer->crop.count);
}

static loco_status shape(lc_layer *layer, loco_err *err)
{
    if (layer->crop.first + layer->crop.count > layer->in.F)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: crop %zu %zu of %zu bins; the last one would be number %zu",
                          layer->column, layer->crop.first, layer->crop.count, layer->in.F,
                          layer->crop.first + layer->crop.count - 1);
    layer->out.F = layer->crop.count;
    layer->out.C = layer->in.C;
    return LOCO_OK;
}

static void forward(const lc_layer *layer, const lc_pass *pass)
{
    size_t C = layer->in.C;
    for (size_t t = 0; t < pass->in.T; t++)
        memcpy(pass->out.data + t * pass->out.row, pass->in.data + t * pass->in.row + layer->crop.first * C,
               layer->crop.count * C * sizeof(float));
}

/* What was cut off has no gradient. */
static void backward(const lc_layer *layer, const lc_pass *pass)
{
    size_t C = layer->in.C;
    for (size_t t = 0; pass->d_in.data != NULL && t < pass->in.T; t++)
        lc_add_row(pass->d_in.data + t * pass->d_in.row + layer->crop.first * C, pass->d_out.data + t * pass->d_out.row,
                   layer->crop.count * C);
}

const lc_layer_ops lc_crop_ops = {
    .name = "crop",
    .usage = "crop FIRST COUNT",
    .parse = parse,
    .format = format,
    .shape = shape,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = forward,
    .backward = backward,
    .step = lc_layer_step_pointwise,
};
