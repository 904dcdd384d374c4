/* SPDX-License-Identifier: MIT
 * crop.c - layers that say which outputs are reported: crop and fold.
 *
 * `crop FIRST COUNT`: (F, C) -> (COUNT, C), the bins FIRST, FIRST + 1, ...
 *   out[f][c] = in[FIRST + f][c]
 * At the end of a network whose bins are pitches it says which of them are classes: `conv 1x1 1 linear, bias, crop 0 88`.
 * Training adds no dense layer behind it.
 *
 * `fold G0 G1 ...`: input k goes to output Gk, or nowhere (-1). An output is the logit of "an event in any of them":
 *   out_g = log(exp(S) - 1), S = sum of softplus(in_k) over the k of g;   d out_g / d in_k = sigmoid(in_k) / (1 - exp(-S))
 * Two outputs of 0.4 each, where a closed hi-hat may as well be an open one, are 0.64 for a hi-hat. */
#include "base/status.h"
#include "nn/layer.h"

#include <math.h>
#include <string.h>

/* ---- crop ---- */

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

/* ---- fold ---- */

static loco_status parse_fold(lc_layer *layer, lc_words *words, loco_err *err)
{
    size_t length;
    do {
        long group;
        loco_status status = lc_words_number(words, &group, -1, LC_OFFSETS_MAX - 1,
                                             "the output of each input, from 0 on; -1: none", err);
        if (status != LOCO_OK)
            return status;
        layer->fold.groups[layer->fold.groups_len++] = (int)group;
        lc_words_peek(words, &length);
    } while (length > 0 && layer->fold.groups_len < LC_OFFSETS_MAX);
    return LOCO_OK;
}

static void format_fold(const lc_layer *layer, lc_text *text)
{
    lc_text_string(text, "fold");
    for (size_t k = 0; k < layer->fold.groups_len; k++)
        lc_text_format(text, " %d", layer->fold.groups[k]);
}

/* Every output from 0 to the largest has an input. */
static loco_status shape_fold(lc_layer *layer, loco_err *err)
{
    int outputs = 0, seen[LC_OFFSETS_MAX] = {0};
    for (size_t k = 0; k < layer->fold.groups_len; k++) {
        int group = layer->fold.groups[k];
        outputs = group >= outputs ? group + 1 : outputs;
        if (group >= 0)
            seen[group] = 1;
    }
    for (int g = 0; g < outputs; g++)
        if (!seen[g])
            return lc_err_set(err, LOCO_EDATA, "network line, column %zu: no input of fold goes to output %d",
                              layer->column, g);
    if (outputs == 0 || layer->fold.groups_len != layer->in.F * layer->in.C)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: fold has %zu outputs of %zu inputs; the layer before has %zu",
                          layer->column, (size_t)outputs, layer->fold.groups_len, layer->in.F * layer->in.C);
    layer->out.F = 1;
    layer->out.C = (size_t)outputs;
    return LOCO_OK;
}

static float softplus(float z)
{
    return fmaxf(z, 0) + log1pf(expf(-fabsf(z)));
}

/* The sum S of output g, and how many inputs it has; last: one of them. */
static float sum_of(const lc_layer *layer, const float *in, int g, size_t *n, size_t *last)
{
    float sum = 0;
    *n = 0;
    for (size_t k = 0; k < layer->fold.groups_len; k++)
        if (layer->fold.groups[k] == g) {
            sum += softplus(in[k]);
            *last = k;
            ++*n;
        }
    return sum;
}

/* log(exp(S) - 1); S is far below 1 where nothing happens. */
static float logit_of(float sum)
{
    return sum > 1 ? sum + log1pf(-expf(-sum)) : logf(fmaxf(expm1f(sum), 1e-37f));
}

static void forward_fold(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; t < pass->in.T; t++) {
        const float *in = pass->in.data + t * pass->in.row;
        float *out = pass->out.data + t * pass->out.row;
        for (size_t g = 0; g < layer->out.C; g++) {
            size_t n, last = 0;
            float sum = sum_of(layer, in, (int)g, &n, &last);
            out[g] = n == 1 ? in[last] : logit_of(sum);
        }
    }
}

static void backward_fold(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; pass->d_in.data != NULL && t < pass->in.T; t++) {
        const float *in = pass->in.data + t * pass->in.row, *d_out = pass->d_out.data + t * pass->d_out.row;
        float *d_in = pass->d_in.data + t * pass->d_in.row;
        for (size_t k = 0; k < layer->fold.groups_len; k++) {
            int g = layer->fold.groups[k];
            size_t n, last = 0;
            float sum = g >= 0 ? sum_of(layer, in, g, &n, &last) : 0;
            if (g >= 0)
                d_in[k] += d_out[g] * (n == 1 ? 1 : 1 / (1 + expf(-in[k])) / fmaxf(-expm1f(-sum), 1e-37f));
        }
    }
}

const lc_layer_ops lc_fold_ops = {
    .name = "fold",
    .usage = "fold OUTPUT...",
    .parse = parse_fold,
    .format = format_fold,
    .shape = shape_fold,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = forward_fold,
    .backward = backward_fold,
    .step = lc_layer_step_pointwise,
};
