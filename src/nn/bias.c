/* SPDX-License-Identifier: MIT
 * bias.c - `bias`: adds a learned number for each bin and channel, which weights shared along frequency cannot express.
 */
#include "nn/layer.h"

#include <string.h>

static size_t values(const lc_layer *layer)
{
    return layer->in.F * layer->in.C;
}

static loco_status shape(lc_layer *layer, loco_err *err)
{
    layer->params.size = layer->packed.size = layer->grads.size = values(layer);
    return lc_layer_same_shape(layer, err);
}

static size_t tensors(const lc_layer *layer, lc_tensor *t)
{
    t[0] = (lc_tensor){
        "bias", {layer->in.F, layer->in.C},
         2
    };
    return 1;
}

/* Starts as a layer that changes nothing. */
static void init(const lc_layer *layer, float *params, lc_rng *rng)
{
    (void)rng;
    memset(params, 0, layer->params.size * sizeof *params);
}

static void forward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; t < pass->in.T; t++)
        for (size_t i = 0; i < values(layer); i++)
            pass->out.data[t * pass->out.row + i] = pass->in.data[t * pass->in.row + i] + pass->packed[i];
}

/* The same number is added in all frames: its gradient is the sum over them. */
static void backward(const lc_layer *layer, const lc_pass *pass)
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
    .parse = lc_layer_no_words,
    .format = lc_layer_format_name,
    .shape = shape,
    .tensors = tensors,
    .init = init,
    .pack = lc_layer_copy_params,
    .unpack = lc_layer_add_grads,
    .forward = forward,
    .backward = backward,
    .step = lc_layer_step_pointwise,
};
