/* SPDX-License-Identifier: MIT
 * dropout.c - `dropout RATE`: in training, zeroes a value with this probability and scales the others by 1 / (1 -
 * rate),
 *   so that the expected value stays the same; else it copies. Kept for each frame: what each value was multiplied by.
 *   */
#include "nn/layer.h"

#include <math.h>

static size_t values(const lc_layer *layer)
{
    return layer->in.F * layer->in.C;
}

/* To a millionth, as format writes it. */
static loco_status parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    loco_status status = lc_words_real(words, &layer->dropout.rate, 0, 1,
                                       "the part of values to drop, 0 or more and below 1", err);
    layer->dropout.rate = fmin(round(layer->dropout.rate * 1e6), 999999) / 1e6;
    return status;
}

static void format(const lc_layer *layer, lc_text *text)
{
    lc_text_string(text, "dropout ");
    lc_text_number(text, layer->dropout.rate, 6);
}

static loco_status shape(lc_layer *layer, loco_err *err)
{
    layer->keep = layer->state = values(layer); /* a stream keeps one frame, and never reads it */
    return lc_layer_same_shape(layer, err);
}

/* Which values are dropped depends on the seed and the frame's number in its clip alone, so that a part of a clip that
 * is run again drops the same ones. */
static void forward(const lc_layer *layer, const lc_pass *pass)
{
    float scale = (float)(1 / (1 - layer->dropout.rate));
    for (size_t t = 0; t < pass->in.T; t++) {
        const float *in = pass->in.data + t * pass->in.row;
        float *out = pass->out.data + t * pass->out.row, *kept = pass->keep + t * layer->keep;
        lc_rng rng = lc_rng_seed(pass->seed + (pass->first + t) * 0xbf58476d1ce4e5b9u);
        for (size_t i = 0; i < values(layer); i++) {
            float factor = !pass->training ? 1 : lc_rng_uniform(&rng) < layer->dropout.rate ? 0 : scale;
            kept[i] = factor;
            out[i] = in[i] * factor;
        }
    }
}

/* d_in += d_out * factor: the same values are dropped. */
static void backward(const lc_layer *layer, const lc_pass *pass)
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
