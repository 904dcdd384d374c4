/* SPDX-License-Identifier: MIT
 * dense.c - every output from all bins and channels of its frame: y = activation(bias + x w).
 *   Weights and bias are one matrix (inputs + 1, units), the bias its last row; packed: that, then the weights
 *   transposed. Scratch: z or dz (T, width), then backward g (T, wide). Nothing is kept: the slope of every
 *   activation follows from its output y: sigmoid y (1 - y), tanh 1 - y^2, ReLU y > 0. */
#include "nn/layer.h"

#include <string.h>

static loco_status parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    long units;
    loco_status status = lc_words_number(words, &units, 1, 65536, "the number of units, 1 to 65536", err);
    if (status != LOCO_OK)
        return status;
    layer->dense.units = (size_t)units;
    if (lc_words_take(words, "relu"))
        layer->dense.activation = LC_RELU;
    else if (lc_words_take(words, "sigmoid"))
        layer->dense.activation = LC_SIGMOID;
    else if (lc_words_take(words, "tanh"))
        layer->dense.activation = LC_TANH;
    return LOCO_OK;
}

static void format(const lc_layer *layer, lc_text *text)
{
    static const char *const names[] = {"", " relu", " sigmoid", " tanh"};
    lc_text_format(text, "dense %zu%s", layer->dense.units, names[layer->dense.activation]);
}

/* A frame is one row, whatever its bins and channels: they lie behind one another. */
static size_t inputs(const lc_layer *layer)
{
    return layer->in.F * layer->in.C;
}

/* Sizes with rows padded to whole vectors; LC_OVERRUN floats behind the last one may be read, and are never used. */
static loco_status shape(lc_layer *layer, loco_err *err)
{
    size_t n = layer->dense.units, width = LC_COLUMNS(n), wide = LC_COLUMNS(inputs(layer));
    (void)err;
    layer->out.F = 1;
    layer->out.C = n;
    layer->params.size = (inputs(layer) + 1) * n;
    layer->packed.size = (inputs(layer) + 1) * width + n * wide + LC_OVERRUN;
    layer->grads.size = (inputs(layer) + 1) * width + LC_OVERRUN;
    layer->scratch_frame = width + wide;
    return LOCO_OK;
}

/* As the model file has them: the two parts of one matrix. */
static size_t tensors(const lc_layer *layer, lc_tensor *t)
{
    t[0] = (lc_tensor){
        "weight", {inputs(layer), layer->dense.units},
         2
    };
    t[1] = (lc_tensor){"bias", {layer->dense.units}, 1};
    return 2;
}

static void init(const lc_layer *layer, float *params, lc_rng *rng)
{
    lc_init_he(params, inputs(layer) * layer->dense.units, inputs(layer), rng);
    memset(params + inputs(layer) * layer->dense.units, 0, layer->dense.units * sizeof *params);
}

static void pack(const lc_layer *layer, const float *params, float *packed)
{
    size_t rows = inputs(layer) + 1;
    lc_pack_rows(packed, params, rows, layer->dense.units);
    lc_pack_transposed(packed + rows * LC_COLUMNS(layer->dense.units), params, inputs(layer), layer->dense.units);
}

static void unpack(const lc_layer *layer, const float *grads, float *d_params)
{
    lc_unpack_rows(d_params, grads, inputs(layer) + 1, layer->dense.units);
}

/* One row. sigmoid and tanh are kernels, which take exp of whole vectors. */
static void activate(const lc_layer *layer, const lc_nn_kernels *k, float *y, const float *z)
{
    size_t n = layer->dense.units;
    switch (layer->dense.activation) {
    case LC_SIGMOID: k->sigmoid(y, z, n); break;
    case LC_TANH: k->tanh(y, z, n); break;
    case LC_RELU:
        for (size_t i = 0; i < n; i++)
            y[i] = z[i] > 0 ? z[i] : 0;
        break;
    case LC_LINEAR: memcpy(y, z, n * sizeof *y); break;
    }
}

/* One product over all frames of the pass: frames are its rows. */
static void forward(const lc_layer *layer, const lc_pass *pass)
{
    size_t width = LC_COLUMNS(layer->dense.units);
    float *z = pass->scratch; /* (T, width) */
    pass->kernels->product(&(lc_product){
        .out = z,
        .out_stride = width,
        .a = pass->in.data,
        .a_stride = pass->in.row,
        .b = pass->packed,
        .bias = pass->packed + inputs(layer) * width,
        .taps = 1,
        .rows = pass->in.T,
        .depth = inputs(layer),
        .columns = width,
    });
    for (size_t t = 0; t < pass->in.T; t++)
        activate(layer, pass->kernels, pass->out.data + t * pass->out.row, z + t * width);
}

/* dz = d_out f'(z) of one row, by the value y of the activation; adds to d_bias. The switch is outside of the loops:
 * inside it would keep the compiler from using vectors. */
static void row_dz(lc_activation activation, size_t n, float *restrict dz, const float *restrict d_out,
                   const float *restrict y, float *restrict d_bias)
{
    switch (activation) {
    case LC_SIGMOID:
        for (size_t i = 0; i < n; i++)
            dz[i] = d_out[i] * (y[i] * (1 - y[i]));
        break;
    case LC_TANH:
        for (size_t i = 0; i < n; i++)
            dz[i] = d_out[i] * (1 - y[i] * y[i]);
        break;
    case LC_RELU:
        for (size_t i = 0; i < n; i++)
            dz[i] = y[i] > 0 ? d_out[i] : 0;
        break;
    case LC_LINEAR: memcpy(dz, d_out, n * sizeof *dz); break;
    }
    for (size_t i = 0; i < n; i++)
        d_bias[i] += dz[i];
}

/* dz = d_out f'(z);  d_bias = sum_t dz;  d_w = x^T dz;  d_in = dz w^T, with w^T packed behind w.
 * The padding of dz is cleared, because scratch is not zero and the product reads whole vectors. */
static void backward(const lc_layer *layer, const lc_pass *pass)
{
    size_t n = layer->dense.units, width = LC_COLUMNS(n), wide = LC_COLUMNS(inputs(layer)), T = pass->in.T;
    float *dz = pass->scratch, *g = dz + T * width, *d_bias = pass->grads + inputs(layer) * width;
    for (size_t t = 0; t < T; t++) {
        row_dz(layer->dense.activation, n, dz + t * width, pass->d_out.data + t * pass->d_out.row,
               pass->out.data + t * pass->out.row, d_bias);
        memset(dz + t * width + n, 0, (width - n) * sizeof *dz);
    }
    /* d_w (inputs, width) += sum_t x_t^T dz_t */
    pass->kernels->outer(&(lc_outer){
        .out = pass->grads,
        .a = pass->in.data,
        .a_stride = pass->in.row,
        .d = dz,
        .d_stride = width,
        .frames = 1,
        .rows = T,
        .depth = inputs(layer),
        .columns = width,
    });
    if (pass->d_in.data == NULL)
        return;
    /* g (T, wide) = dz w^T; its padding columns are not added */
    pass->kernels->product(&(lc_product){
        .out = g,
        .out_stride = wide,
        .a = dz,
        .a_stride = width,
        .b = pass->packed + (inputs(layer) + 1) * width,
        .taps = 1,
        .rows = T,
        .depth = n,
        .columns = wide,
    });
    for (size_t t = 0; t < T; t++)
        lc_add_row(pass->d_in.data + t * pass->d_in.row, g + t * wide, inputs(layer));
}

const lc_layer_ops lc_dense_ops = {
    .name = "dense",
    .usage = "dense UNITS [relu|sigmoid|tanh]",
    .parse = parse,
    .format = format,
    .shape = shape,
    .tensors = tensors,
    .init = init,
    .pack = pack,
    .unpack = unpack,
    .forward = forward,
    .backward = backward,
    .step = lc_layer_step_pointwise,
};
