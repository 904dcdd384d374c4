/* SPDX-License-Identifier: MIT
 * attend.c - `attend REACH UNITS`: soft attention, each frame a mean of those up to REACH frames away, weighed by a score.
 *   m_tj = tanh(x_(t+j) K + x_t Q + p_j);  a_t = softmax over j of m_tj v;  out_t = sum over j of a_tj x_(t+j)
 * for j from -REACH to REACH. Past the ends of a clip x is 0. The score is made of UNITS numbers: K and Q (D, UNITS) for D
 * values a frame, p (2 REACH + 1, UNITS), v (UNITS).
 *
 * K and Q are columns of one matrix, so that one product serves both. Parameters: weight (D, 2 UNITS), place, score.
 * Packed: weight (D, width), place, score; then for the backward pass weight transposed (2 UNITS, LC_COLUMNS(D)); width =
 * LC_COLUMNS(2 UNITS). Kept for each frame: m (2 REACH + 1, UNITS), then a (2 REACH + 1). */
#include "nn/layer.h"

#include <math.h>
#include <string.h>

enum { REACH_MAX = 64 };

static loco_status parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    long reach, units;
    loco_status status = lc_words_number(words, &reach, 1, REACH_MAX, "the frames to either side, 1 to 64", err);
    if (status == LOCO_OK)
        status = lc_words_number(words, &units, 1, 1024, "the number of units, 1 to 1024", err);
    if (status != LOCO_OK)
        return status;
    layer->attend.reach = (size_t)reach;
    layer->attend.units = (size_t)units;
    return LOCO_OK;
}

static void format(const lc_layer *layer, lc_text *text)
{
    lc_text_format(text, "attend %zu %zu", layer->attend.reach, layer->attend.units);
}

/* Values of a frame. */
static size_t values(const lc_layer *layer)
{
    return layer->in.F * layer->in.C;
}

/* Frames that an output reads. */
static size_t window(const lc_layer *layer)
{
    return 2 * layer->attend.reach + 1;
}

/* Floats of a row of x (K | Q). */
static size_t width(const lc_layer *layer)
{
    return LC_COLUMNS(2 * layer->attend.units);
}

/* Where place begins in the packed weights and in their gradient; score follows it. */
static size_t place_at(const lc_layer *layer)
{
    return values(layer) * width(layer);
}

static size_t score_at(const lc_layer *layer)
{
    return place_at(layer) + window(layer) * layer->attend.units;
}

/* Where the transposed weights begin. */
static size_t back_at(const lc_layer *layer)
{
    return LC_TO_CACHE_LINE(score_at(layer) + layer->attend.units);
}

/* State when streaming: the number of frames seen, the frames that outputs still read and those of a block, and what is
 * kept of a block. */
static loco_status shape(lc_layer *layer, loco_err *err)
{
    size_t D = values(layer), U = layer->attend.units, reach = layer->attend.reach;
    layer->pad.before = layer->pad.after = layer->look_ahead = reach;
    layer->params.size = D * 2 * U + (window(layer) + 1) * U;
    layer->grads.size = score_at(layer) + U + LC_OVERRUN;
    layer->packed.size = back_at(layer) + 2 * U * LC_COLUMNS(D) + LC_OVERRUN;
    layer->keep = window(layer) * (U + 1);
    layer->scratch_frame = width(layer) + LC_COLUMNS(D);
    layer->scratch = 2 * reach * layer->scratch_frame + LC_OVERRUN;
    layer->state = 1 + (2 * reach + LC_STREAM_BLOCK) * D + LC_STREAM_BLOCK * layer->keep;
    return lc_layer_same_shape(layer, err);
}

static size_t tensors(const lc_layer *layer, lc_tensor *t)
{
    size_t U = layer->attend.units;
    t[0] = (lc_tensor){
        "weight", {values(layer), 2 * U},
         2
    };
    t[1] = (lc_tensor){
        "place", {window(layer), U},
         2
    };
    t[2] = (lc_tensor){"score", {U}, 1};
    return 3;
}

/* Small scores: training begins with nearly the plain mean of the window. */
static void init(const lc_layer *layer, float *params, lc_rng *rng)
{
    size_t weights = values(layer) * 2 * layer->attend.units, rest = (window(layer) + 1) * layer->attend.units;
    double scale = 1 / sqrt((double)values(layer));
    for (size_t i = 0; i < weights; i++)
        params[i] = (float)(scale * (2 * lc_rng_uniform(rng) - 1));
    for (size_t i = 0; i < rest; i++)
        params[weights + i] = (float)(0.1 * lc_rng_normal(rng));
}

static void pack(const lc_layer *layer, const float *params, float *packed)
{
    size_t D = values(layer), U = layer->attend.units;
    lc_pack_rows(packed, params, D, 2 * U);
    memcpy(packed + place_at(layer), params + D * 2 * U, (window(layer) + 1) * U * sizeof *packed);
    lc_pack_transposed(packed + back_at(layer), params, D, 2 * U);
}

static void unpack(const lc_layer *layer, const float *grads, float *d_params)
{
    size_t D = values(layer), U = layer->attend.units;
    lc_unpack_rows(d_params, grads, D, 2 * U);
    lc_add_row(d_params + D * 2 * U, grads + place_at(layer), (window(layer) + 1) * U);
}

/* e, the scores of n frames, become their weights: positive, with the sum 1. */
static void softmax(float *e, size_t n)
{
    float most = e[0], sum = 0;
    for (size_t j = 1; j < n; j++)
        most = e[j] > most ? e[j] : most;
    for (size_t j = 0; j < n; j++)
        sum += e[j] = expf(e[j] - most);
    for (size_t j = 0; j < n; j++)
        e[j] /= sum;
}

/* The weights of one frame, from the products of its window: m and a. */
static void weigh(const lc_layer *layer, const lc_pass *pass, const float *products, float *m, float *a)
{
    size_t U = layer->attend.units, W = width(layer), n = window(layer);
    const float *query = products + layer->attend.reach * W + U, *place = pass->packed + place_at(layer),
                *score = pass->packed + score_at(layer);
    for (size_t j = 0; j < n; j++)
        for (size_t u = 0; u < U; u++)
            m[j * U + u] = products[j * W + u] + query[u] + place[j * U + u];
    pass->kernels->tanh(m, m, n * U);
    for (size_t j = 0; j < n; j++) {
        a[j] = 0;
        for (size_t u = 0; u < U; u++)
            a[j] += m[j * U + u] * score[u];
    }
    softmax(a, n);
}

/* The products x (K | Q) of all frames and of those around them, then one frame after the other. */
static void forward(const lc_layer *layer, const lc_pass *pass)
{
    size_t D = values(layer), W = width(layer), n = window(layer), reach = layer->attend.reach;
    const float *first = pass->in.data - reach * pass->in.row;
    pass->kernels->product(&(lc_product){
        .out = pass->scratch,
        .out_stride = W,
        .a = first,
        .a_stride = pass->in.row,
        .b = pass->packed,
        .taps = 1,
        .rows = pass->in.T + 2 * reach,
        .depth = D,
        .columns = W,
    });
    for (size_t t = 0; t < pass->in.T; t++) {
        float *m = pass->keep + t * layer->keep, *a = m + n * layer->attend.units;
        float *out = pass->out.data + t * pass->out.row;
        weigh(layer, pass, pass->scratch + t * W, m, a);
        memset(out, 0, D * sizeof *out);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < D; i++)
                out[i] += a[j] * first[(t + j) * pass->in.row + i];
    }
}

/* da_j = d_out x_(t+j);  de_j = a_j (da_j - sum over i of a_i da_i), in place of a. Adds a_j d_out to d_in. */
static void weights_backward(const lc_layer *layer, const lc_pass *pass, size_t t, float *a)
{
    size_t D = values(layer), n = window(layer), reach = layer->attend.reach;
    const float *x = pass->in.data + t * pass->in.row - reach * pass->in.row,
                *d_out = pass->d_out.data + t * pass->d_out.row;
    float da[2 * REACH_MAX + 1], mean = 0;
    for (size_t j = 0; j < n; j++) {
        da[j] = 0;
        for (size_t i = 0; i < D; i++)
            da[j] += d_out[i] * x[j * pass->in.row + i];
        mean += a[j] * da[j];
    }
    for (size_t j = 0; pass->d_in.data != NULL && j < n; j++) {
        float *d_in = pass->d_in.data + (t + j) * pass->d_in.row - reach * pass->d_in.row;
        for (size_t i = 0; i < D; i++)
            d_in[i] += a[j] * d_out[i];
    }
    for (size_t j = 0; j < n; j++)
        a[j] *= da[j] - mean;
}

/* With de in place of a:  dm_j = de_j v (1 - m_j^2), which is that of x_(t+j) K, of p_j and, summed, of x_t Q. */
static void scores_backward(const lc_layer *layer, const lc_pass *pass, const float *m, const float *de,
                            float *products)
{
    size_t U = layer->attend.units, W = width(layer);
    const float *score = pass->packed + score_at(layer);
    float *d_place = pass->grads + place_at(layer), *d_score = pass->grads + score_at(layer);
    float *d_query = products + layer->attend.reach * W + U;
    for (size_t j = 0; j < window(layer); j++)
        for (size_t u = 0; u < U; u++) {
            float y = m[j * U + u], d = de[j] * score[u] * (1 - y * y);
            d_score[u] += de[j] * y;
            d_place[j * U + u] += d;
            products[j * W + u] += d;
            d_query[u] += d;
        }
}

/* The gradient of the products of all frames first, then those of the weights and of the input, each in one product. */
static void backward(const lc_layer *layer, const lc_pass *pass)
{
    size_t D = values(layer), W = width(layer), wide = LC_COLUMNS(D), U = layer->attend.units;
    size_t reach = layer->attend.reach, rows = pass->in.T + 2 * reach;
    float *products = memset(pass->scratch, 0, rows * W * sizeof *products), *g = products + rows * W;
    for (size_t t = 0; t < pass->in.T; t++) {
        float *m = pass->keep + t * layer->keep, *a = m + window(layer) * U;
        weights_backward(layer, pass, t, a);
        scores_backward(layer, pass, m, a, products + t * W);
    }
    lc_outer o = {
        .out = pass->grads, .a = pass->in.data - reach * pass->in.row, .a_stride = pass->in.row, .d = products};
    o.d_stride = o.columns = W, o.frames = 1, o.rows = rows, o.depth = D;
    pass->kernels->outer(&o);
    if (pass->d_in.data == NULL)
        return;
    lc_product p = {.out = g, .out_stride = wide, .a = products, .a_stride = W, .b = pass->packed + back_at(layer)};
    p.taps = 1, p.rows = rows, p.depth = 2 * U, p.columns = wide;
    pass->kernels->product(&p);
    for (size_t r = 0; r < rows; r++)
        lc_add_row(pass->d_in.data + r * pass->d_in.row - reach * pass->d_in.row, g + r * wide, D);
}

/* A block as a short clip, with the frames before and behind it in the state. */
static size_t step(const lc_layer *layer, const lc_pass *pass)
{
    size_t D = values(layer), reach = layer->attend.reach, n = pass->in.T;
    float *seen = pass->keep, *frames = seen + 1, *next = frames + 2 * reach * D;
    size_t before = (size_t)*seen, dropped = before >= reach ? 0 : n < reach - before ? n : reach - before;
    if (pass->in.data != NULL)
        memcpy(next, pass->in.data, n * D * sizeof *next);
    else
        memset(next, 0, n * D * sizeof *next);
    lc_pass block = *pass;
    block.in = (lc_map){
        .data = frames + (reach + dropped) * D, .T = n - dropped, .F = layer->in.F, .C = layer->in.C, .row = D};
    block.keep = frames + (2 * reach + LC_STREAM_BLOCK) * D;
    if (n > dropped)
        forward(layer, &block);
    memmove(frames, frames + n * D, 2 * reach * D * sizeof *frames);
    *seen = before < reach ? (float)(before + n) : *seen;
    return n - dropped;
}

const lc_layer_ops lc_attend_ops = {
    .name = "attend",
    .usage = "attend REACH UNITS",
    .parse = parse,
    .format = format,
    .shape = shape,
    .tensors = tensors,
    .init = init,
    .pack = pack,
    .unpack = unpack,
    .forward = forward,
    .backward = backward,
    .step = step,
};
