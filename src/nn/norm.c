/* SPDX-License-Identifier: MIT
 * norm.c - normalises each frame over its bins and channels: y = gain[c] (x - mean) / sd + shift[c].
 *   It needs no other frame and no other sequence, so that it works on one clip and in a stream alike.
 *   Kept for each frame: the normalised values and 1 / sd. The convolution has the same inside (conv.c: norm).
 *   Backward, with g = gain d_out:  d_in = (g - mean(g) - x mean(g x)) / sd, x the normalised values (norm_body.h). */
#include "nn/layer.h"

#include <string.h>

static loco_status shape(lc_layer *layer, loco_err *err)
{
    layer->params.size = layer->packed.size = layer->grads.size = 2 * layer->in.C;
    layer->keep = layer->in.F * layer->in.C + 1;
    layer->scratch = layer->in.F * layer->in.C; /* one frame of gradients */
    layer->state = layer->keep;
    return lc_layer_same_shape(layer, err);
}

static size_t tensors(const lc_layer *layer, lc_tensor *t)
{
    t[0] = (lc_tensor){"gain", {layer->in.C}, 1};
    t[1] = (lc_tensor){"shift", {layer->in.C}, 1};
    return 2;
}

/* Starts as plain normalisation: gain 1, shift 0. */
static void init(const lc_layer *layer, float *params, lc_rng *rng)
{
    (void)rng;
    for (size_t c = 0; c < layer->in.C; c++) {
        params[c] = 1;
        params[layer->in.C + c] = 0;
    }
}

/* What the kernel works on: parameters, and what is kept of frame t for the backward pass. */
static lc_frame_norm frame_of(const lc_layer *layer, const lc_pass *pass, size_t t)
{
    return (lc_frame_norm){
        .gain = pass->packed,
        .shift = pass->packed + layer->in.C,
        .kept = pass->keep + t * layer->keep,
        .size = layer->in.F * layer->in.C,
        .channels = layer->in.C,
    };
}

/* Copied first, since the kernel works in place. */
static void forward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; t < pass->in.T; t++) {
        lc_frame_norm frame = frame_of(layer, pass, t);
        float *out = pass->out.data + t * pass->out.row;
        memcpy(out, pass->in.data + t * pass->in.row, frame.size * sizeof *out);
        pass->kernels->frame_norm_forward(&frame, out);
    }
}

/* In scratch, since frame_norm_backward works in place and d_in is added to. */
static void backward(const lc_layer *layer, const lc_pass *pass)
{
    float *d = pass->scratch;
    for (size_t t = 0; t < pass->in.T; t++) {
        lc_frame_norm frame = frame_of(layer, pass, t);
        memcpy(d, pass->d_out.data + t * pass->d_out.row, frame.size * sizeof *d);
        pass->kernels->frame_norm_backward(&frame, d, pass->grads, pass->grads + layer->in.C);
        for (size_t i = 0; pass->d_in.data != NULL && i < frame.size; i++)
            pass->d_in.data[t * pass->d_in.row + i] += d[i];
    }
}

const lc_layer_ops lc_norm_ops = {
    .name = "norm",
    .usage = "norm",
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
