/* SPDX-License-Identifier: MIT
 * conv.c - convolution over (time, frequency), fused with bias, normalisation, ReLU and max-pooling: its words in the
 *   network line, its sizes and its weights. conv_pass.c runs it.
 *
 *   z[t][f][n] = bias[n] + sum_(j, i, c) in[t + j * dilate - before][f * stride + i - left][c] * w[j][i][c][n]
 *   norm:  x = (z - mean_t) / sd_t over all bins and channels of the frame, y = gain[n] x + shift[n]
 *   local: the same over the channels of each bin; of an image, no cell then depends on what is far from it
 *   out[t][q][n] = max(0, max over the pool of y)
 *
 * Params: w (kernel_t, kernel_f, c, n), bias (n), with norm gain (n) and shift (n). Packed: see lc_conv_parts; with
 * tiles the weights stand there three times, as they are for a stream, transformed for the forward pass, and transposed
 * of that for the backward pass. The gradient has the layout of the transformed weights, and unpack transforms it back
 * once a step. */
#include "nn/conv.h"
#include "base/status.h"

#include <string.h>

/* BLOCK: frames of one outer product, whose dz still fits the cache. A block that the next layer receives
 * (layer->block) is BLOCKS of them or BLOCK_TILES tiles of time, or one group of these (winograd.c) where that is more.
 */
enum { BLOCK = 8, BLOCKS = 2, BLOCK_TILES = 4 };

static loco_status parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    long number = 1;
    loco_status status = lc_words_pair(words, &layer->conv.kernel_t, &layer->conv.kernel_f,
                                       "the kernel as frames x bins, such as 3x4, each 1 to 64", err);
    if (status != LOCO_OK)
        return status;
    status = lc_words_number(words, &number, 1, 4096, "the number of channels, 1 to 4096", err);
    layer->conv.units = (size_t)number;
    layer->conv.stride = layer->conv.pool = layer->conv.dilate = 1;
    layer->conv.activation = LC_RELU;
    for (size_t length; status == LOCO_OK && (lc_words_peek(words, &length), length > 0);) {
        if (lc_words_take(words, "stride")) {
            status = lc_words_number(words, &number, 1, 64, "the stride in bins, 1 to 64", err);
            layer->conv.stride = (size_t)number;
        } else if (lc_words_take(words, "dilate")) {
            status = lc_words_number(words, &number, 1, 16, "the frames from one tap to the next, 1 to 16", err);
            layer->conv.dilate = (size_t)number;
        } else if (lc_words_take(words, "causal")) {
            layer->conv.causal = true;
        } else if (lc_words_take(words, "norm")) {
            layer->conv.norm = true;
        } else if (lc_words_take(words, "local")) {
            layer->conv.norm = layer->conv.local = true;
        } else if (lc_words_take(words, "linear")) {
            layer->conv.activation = LC_LINEAR;
        } else {
            break;
        }
    }
    return status;
}

static void format(const lc_layer *layer, lc_text *text)
{
    lc_text_format(text, "conv %zux%zu %zu", layer->conv.kernel_t, layer->conv.kernel_f, layer->conv.units);
    if (layer->conv.stride > 1)
        lc_text_format(text, " stride %zu", layer->conv.stride);
    if (layer->conv.dilate > 1)
        lc_text_format(text, " dilate %zu", layer->conv.dilate);
    if (layer->conv.causal)
        lc_text_string(text, " causal");
    if (layer->conv.norm)
        lc_text_string(text, layer->conv.local ? " local" : " norm");
    if (layer->conv.activation == LC_LINEAR)
        lc_text_string(text, " linear");
    if (layer->conv.pool > 1)
        lc_text_format(text, ", pool %zu", layer->conv.pool);
}

/* Sizes, and the method. Tiles pay even for one channel and a window of 4 (8 channels of 144 bins: 0.26 ms forward and
 * 0.19 backward for 400 frames, against 0.29 and 0.28 without). A pool of 64 has one winner more than lc_pooled has
 * numbers for. With kernels of its own (first_body.h) a drum step takes about 2 % less than with those of any
 * convolution. */
static lc_conv_parts method_of(const lc_layer *layer)
{
    const lc_conv_layer *conv = &layer->conv;
    lc_conv_parts p = {.bins = (layer->in.F + conv->stride - 1) / conv->stride, .window = conv->kernel_f * layer->in.C};
    p.rows = conv->kernel_t * p.window;
    p.which = (p.bins / conv->pool * conv->units + 3) / 4;
    p.by_tiles = conv->kernel_t == 3 && conv->dilate == 1 && conv->stride <= conv->kernel_f && p.window >= 4;
    p.pooled_at_once = conv->activation == LC_RELU && !conv->norm && conv->pool <= LC_NO_WINNER;
    p.is_first = p.by_tiles && p.pooled_at_once && layer->in.C == 1 && conv->kernel_f == LC_FIRST_WINDOW &&
                 conv->stride == 1 && conv->pool <= LC_FIRST_POOL;
    return p;
}

/* Where the parts of the packed weights begin. The direct weights stay even with tiles: a stream needs them. */
static lc_conv_parts parts_of(const lc_layer *layer)
{
    lc_conv_parts p = method_of(layer);
    size_t n = layer->conv.units, width = LC_COLUMNS(n);
    p.grads = p.bias = p.rows * width;
    p.frames = BLOCK;
    p.gain = p.bias + width;
    p.shift = p.gain + width;
    p.back = LC_TO_CACHE_LINE(p.shift + width);
    if (!p.by_tiles) {
        p.end = p.back + n * LC_COLUMNS(p.rows) + LC_OVERRUN;
        return p;
    }
    p.w = lc_winograd_of(p.bins, n, layer->in.C, layer->conv.kernel_f, layer->conv.stride);
    p.grads = p.is_first ? p.rows * width : p.w.weights;
    p.frames = p.w.tile * p.w.group;
    p.tiles = LC_TO_CACHE_LINE(p.back + p.w.back);
    p.bias_row = p.tiles + p.w.weights;
    p.end = p.bias_row + (p.pooled_at_once ? 0 : p.bins * width) + LC_OVERRUN;
    return p;
}

size_t lc_conv_reach(const lc_layer *layer)
{
    return (layer->conv.kernel_t - 1) * layer->conv.dilate;
}

/* Zeros around the input, so that no window leaves it: behind and right of it as far as the last tile reaches. */
static void set_pad(lc_layer *layer, const lc_conv_parts *p)
{
    size_t reach_t = lc_conv_reach(layer), reach = (p->bins - 1) * layer->conv.stride + layer->conv.kernel_f;
    size_t around = reach > layer->in.F ? reach - layer->in.F : 0;
    layer->pad.before = layer->conv.causal ? reach_t : (layer->conv.kernel_t - 1) / 2 * layer->conv.dilate;
    layer->look_ahead = reach_t - layer->pad.before;
    layer->tile = p->by_tiles ? p->w.tile : 1;
    layer->pad.after = layer->look_ahead + layer->tile - 1; /* the last tile may begin at the last frame */
    layer->pad.left = around / 2;
    layer->pad.right = (p->by_tiles ? p->w.reach - layer->in.F : around) - layer->pad.left;
}

static loco_status shape(lc_layer *layer, loco_err *err)
{
    lc_conv_parts p = parts_of(layer);
    size_t bins = p.bins, n = layer->conv.units, width = LC_COLUMNS(n);
    size_t least = p.by_tiles ? BLOCK_TILES * p.w.tile : BLOCKS * BLOCK;
    if (layer->conv.pool > bins)
        return lc_err_set(
            err, LOCO_EDATA,
            "network line, column %zu: pool %zu on %zu bins leaves none; use a smaller one, or fewer pools",
            layer->column, layer->conv.pool, bins);
    layer->conv.parts = p;
    layer->out.F = bins / layer->conv.pool;
    layer->out.C = n;
    set_pad(layer, &p);
    layer->sets_d_in = p.by_tiles;
    size_t frames = p.frames > 0 ? p.frames : 1; /* it is; the analyser cannot see it */
    layer->block = (least + frames - 1) / frames * frames;
    layer->params.size = p.rows * n + (layer->conv.norm ? 3 : 1) * n;
    layer->packed.size = p.end;
    layer->grads.size = p.grads + 3 * width + LC_OVERRUN;
    layer->keep = p.which + (layer->conv.norm ? bins * n + (layer->conv.local ? bins : 1) : 0);
    layer->scratch = p.frames * bins * width + bins * n + width + LC_OVERRUN +
                     (p.by_tiles ? p.w.scratch : bins * LC_COLUMNS(p.rows));
    layer->scratch += layer->keep; /* step has no tape to keep to */
    layer->state = 1 + (lc_conv_reach(layer) + LC_STREAM_BLOCK) * (layer->in.F + layer->pad.left + layer->pad.right) *
                           layer->in.C;
    return LOCO_OK;
}

static size_t tensors(const lc_layer *layer, lc_tensor *t)
{
    t[0] = (lc_tensor){
        "weight", {layer->conv.kernel_t, layer->conv.kernel_f, layer->in.C, layer->conv.units},
         4
    };
    t[1] = (lc_tensor){"bias", {layer->conv.units}, 1};
    t[2] = (lc_tensor){"gain", {layer->conv.units}, 1};
    t[3] = (lc_tensor){"shift", {layer->conv.units}, 1};
    return layer->conv.norm ? 4 : 2;
}

static void init(const lc_layer *layer, float *params, lc_rng *rng)
{
    size_t n = layer->conv.units, size = layer->conv.parts.rows * n;
    lc_init_he(params, size, layer->conv.parts.rows, rng);
    memset(params + size, 0, (layer->params.size - size) * sizeof *params);
    for (size_t i = 0; layer->conv.norm && i < n; i++)
        params[size + n + i] = 1;
}

static void pack(const lc_layer *layer, const float *params, float *packed)
{
    const lc_conv_parts *p = &layer->conv.parts;
    size_t n = layer->conv.units, rows = layer->conv.parts.rows, width = LC_COLUMNS(n);
    const float *rest = params + rows * n;
    lc_pack_rows(packed + p->weight, params, rows, n);
    lc_pack_rows(packed + p->bias, rest, 1, n);
    if (layer->conv.norm) {
        lc_pack_rows(packed + p->gain, rest + n, 1, n);
        lc_pack_rows(packed + p->shift, rest + 2 * n, 1, n);
    }
    if (!p->by_tiles) {
        lc_pack_transposed(packed + p->back, params, rows, n);
        return;
    }
    lc_winograd_pack(&p->w, params, packed + p->tiles);
    lc_winograd_pack_back(&p->w, packed + p->tiles, packed + p->back);
    /* the bias once for each bin: the output transform then is one loop along the whole row */
    for (size_t f = 0; !p->pooled_at_once && f < p->w.bins; f++)
        memcpy(packed + p->bias_row + f * width, packed + p->bias, width * sizeof *packed);
}

static void unpack(const lc_layer *layer, const float *grads, float *d_params)
{
    size_t n = layer->conv.units, rows = layer->conv.parts.rows, width = LC_COLUMNS(n);
    const lc_conv_parts *p = &layer->conv.parts;
    if (p->by_tiles && !p->is_first)
        lc_winograd_unpack(&p->w, grads, d_params);
    else
        lc_unpack_rows(d_params, grads, rows, n);
    for (size_t part = 0; part < (layer->conv.norm ? 3u : 1u); part++)
        lc_unpack_rows(d_params + (rows + part) * n, grads + p->grads + part * width, 1, n);
}

const lc_layer_ops lc_conv_ops = {
    .name = "conv",
    .usage = "conv FRAMESxBINS CHANNELS [stride N] [dilate N] [causal] [norm|local] [linear], then perhaps: pool BINS",
    .parse = parse,
    .format = format,
    .shape = shape,
    .tensors = tensors,
    .init = init,
    .pack = pack,
    .unpack = unpack,
    .forward = lc_conv_forward,
    .backward = lc_conv_backward,
    .step = lc_conv_step,
};
