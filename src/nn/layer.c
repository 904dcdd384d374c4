/* SPDX-License-Identifier: MIT
 * layer.c - the table of layers, and what several of them share. */
#include "nn/layer.h"

#include <math.h>
#include <string.h>

/* In the order in which a message about an unknown layer lists them. */
const lc_layer_ops *const lc_layers[] = {
    &lc_conv_ops,   &lc_dense_ops, &lc_lstm_ops,    &lc_lstmp_ops,  &lc_gru_ops,  &lc_rnn_ops,
    &lc_attend_ops, &lc_norm_ops,  &lc_dropout_ops, &lc_gather_ops, &lc_crop_ops, &lc_fold_ops,
    &lc_bias_ops,   &lc_join_ops,  &lc_shift_ops,   &lc_image_ops,  NULL,
};

bool lc_layer_joins(const lc_layer *layer, size_t i)
{
    return layer->ops == &lc_join_ops && layer->join.source == i;
}

/* Where a layer keeps something for each frame, the state has room for one frame: then one frame at a time. */
size_t lc_layer_step_pointwise(const lc_layer *layer, const lc_pass *pass)
{
    lc_pass part = *pass;
    if (pass->in.data == NULL)
        return 0;
    if (layer->keep > 0)
        part.in.T = part.out.T = 1;
    for (size_t t = 0; t < pass->in.T; t += part.in.T) {
        layer->ops->forward(layer, &part);
        part.in.data += part.in.row;
        part.out.data += part.out.row;
    }
    return pass->in.T;
}

loco_status lc_layer_no_words(lc_layer *layer, lc_words *words, loco_err *err)
{
    (void)layer, (void)words, (void)err;
    return LOCO_OK;
}

void lc_layer_format_name(const lc_layer *layer, lc_text *text)
{
    lc_text_string(text, layer->ops->name);
}

loco_status lc_layer_same_shape(lc_layer *layer, loco_err *err)
{
    (void)err;
    layer->out.F = layer->in.F;
    layer->out.C = layer->in.C;
    return LOCO_OK;
}

size_t lc_layer_no_tensors(const lc_layer *layer, lc_tensor *tensors)
{
    (void)layer, (void)tensors;
    return 0;
}

void lc_layer_no_init(const lc_layer *layer, float *params, lc_rng *rng)
{
    (void)layer, (void)params, (void)rng;
}

void lc_layer_no_pack(const lc_layer *layer, const float *from, float *to)
{
    (void)layer, (void)from, (void)to;
}

void lc_layer_copy_params(const lc_layer *layer, const float *params, float *packed)
{
    memcpy(packed, params, layer->params.size * sizeof *packed);
}

void lc_layer_add_grads(const lc_layer *layer, const float *grads, float *d_params)
{
    lc_add_row(d_params, grads, layer->params.size);
}

void lc_add_row(float *restrict to, const float *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

/* He: keeps the size of the values from layer to layer where half of them are cut off by ReLU. */
void lc_init_he(float *w, size_t n, size_t fan_in, lc_rng *rng)
{
    double scale = sqrt(2.0 / (double)fan_in);
    for (size_t i = 0; i < n; i++)
        w[i] = (float)(scale * lc_rng_normal(rng));
}

/* Rows padded with zeros to a whole number of vectors, so that the product has no remainder to treat. */
void lc_pack_rows(float *packed, const float *w, size_t rows, size_t columns)
{
    size_t width = LC_COLUMNS(columns);
    for (size_t r = 0; r < rows; r++) {
        memcpy(packed + r * width, w + r * columns, columns * sizeof *w);
        memset(packed + r * width + columns, 0, (width - columns) * sizeof *w);
    }
}

/* For the backward pass, d_in = dz w^T: transposed once a step, the product runs along rows as it does forward. */
void lc_pack_transposed(float *packed, const float *w, size_t rows, size_t columns)
{
    size_t width = LC_COLUMNS(rows);
    memset(packed, 0, columns * width * sizeof *packed);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            packed[c * width + r] = w[r * columns + c];
}

/* Back again, added to the gradient of the parameters; the padding is left out. */
void lc_unpack_rows(float *d_w, const float *grads, size_t rows, size_t columns)
{
    size_t width = LC_COLUMNS(columns);
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            d_w[r * columns + c] += grads[r * width + c];
}
