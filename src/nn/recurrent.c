/* SPDX-License-Identifier: MIT
 * recurrent.c - what lstm.c, gru.c and rnn.c share.
 *   The input's part of the gates does not depend on the state, so that it is one matrix product over all frames, as
 *   are the gradients of w, u and the input; only u times the state is left for the loop in time. */
#include "nn/recurrent.h"

#include <math.h>
#include <string.h>

loco_status lc_recurrent_parse_units(lc_layer *layer, lc_words *words, loco_err *err)
{
    long units;
    loco_status status = lc_words_number(words, &units, 1, 4096, "the number of units, 1 to 4096", err);
    if (status == LOCO_OK)
        layer->recurrent.units = (size_t)units;
    return status;
}

loco_status lc_recurrent_parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    loco_status status = lc_recurrent_parse_units(layer, words, err);
    if (status == LOCO_OK)
        layer->recurrent.both = lc_words_take(words, "both");
    return status;
}

void lc_recurrent_format(const lc_layer *layer, lc_text *text)
{
    lc_text_format(text, "%s %zu%s", layer->ops->name, layer->recurrent.units, layer->recurrent.both ? " both" : "");
}

/* The second direction sees the frames in reverse order; such a network cannot stream. */
size_t lc_recurrent_directions(const lc_layer *layer)
{
    return layer->recurrent.both ? 2 : 1;
}

static size_t inputs(const lc_layer *layer)
{
    return layer->in.F * layer->in.C;
}

/* Floats of one direction. */
static size_t params_size(const lc_layer *layer)
{
    return (inputs(layer) + layer->recurrent.units + 1) * layer->ops->cell.gates * layer->recurrent.units +
           layer->ops->cell.extra * layer->recurrent.units;
}

static size_t grads_size(const lc_layer *layer)
{
    return (inputs(layer) + layer->recurrent.units + 1) * LC_COLUMNS(layer->ops->cell.gates * layer->recurrent.units) +
           layer->ops->cell.extra * LC_COLUMNS(layer->recurrent.units);
}

/* As the gradients are laid out, and behind them both matrices transposed. */
static size_t packed_size(const lc_layer *layer)
{
    size_t gates = layer->ops->cell.gates * layer->recurrent.units;
    return grads_size(layer) + gates * (LC_COLUMNS(inputs(layer)) + LC_COLUMNS(layer->recurrent.units));
}

/* State when streaming: h and c (2 H; gru and rnn leave c unused), then the keep of one frame. */
loco_status lc_recurrent_shape(lc_layer *layer, loco_err *err)
{
    (void)err; /* any number of units fits any input */
    size_t H = layer->recurrent.units, n = lc_recurrent_directions(layer);
    layer->needs_end = layer->recurrent.both;
    layer->out.F = 1;
    layer->out.C = n * H;
    layer->params.size = n * params_size(layer);
    layer->packed.size = n * packed_size(layer) + LC_OVERRUN;
    layer->grads.size = n * grads_size(layer) + LC_OVERRUN;
    layer->keep = n * (LC_COLUMNS(layer->ops->cell.gates * H) + layer->ops->cell.kept * H);
    /* more than the cells take: dh, and dc or du, each rounded up to vectors */
    layer->scratch = 4 * LC_COLUMNS(layer->ops->cell.gates * H);
    layer->scratch_frame = LC_COLUMNS(inputs(layer));
    layer->state = 2 * H + LC_STREAM_BLOCK * layer->keep;
    return LOCO_OK;
}

/* As the model file has them: w (inputs, G), u (H, G), b (G), extra (H) or (extra, H), of each direction; `.back` is the second one,
 * which reads the frames from the last to the first. */
size_t lc_recurrent_tensors(const lc_layer *layer, lc_tensor *t)
{
    static const char *const names[] = {"weight",      "recurrent",      "bias",      "extra",
                                        "weight.back", "recurrent.back", "bias.back", "extra.back"};
    size_t H = layer->recurrent.units, gates = layer->ops->cell.gates * H, n = 0;
    for (size_t d = 0; d < lc_recurrent_directions(layer); d++) {
        t[n++] = (lc_tensor){
            names[4 * d], {inputs(layer), gates},
               2
        };
        t[n++] = (lc_tensor){
            names[4 * d + 1], {H, gates},
                 2
        };
        t[n++] = (lc_tensor){names[4 * d + 2], {gates}, 1};
        if (layer->ops->cell.extra == 1)
            t[n++] = (lc_tensor){names[4 * d + 3], {H}, 1};
        else if (layer->ops->cell.extra > 1)
            t[n++] = (lc_tensor){
                names[4 * d + 3], {layer->ops->cell.extra, H},
                     2
            };
    }
    return n;
}

/* Uniform in +-1/sqrt(H), the common choice for recurrent layers; biases 0. */
void lc_recurrent_init(const lc_layer *layer, float *params, lc_rng *rng)
{
    size_t H = layer->recurrent.units, one = params_size(layer),
           matrices = (inputs(layer) + H) * layer->ops->cell.gates * H;
    double scale = 1 / sqrt((double)H);
    memset(params, 0, layer->params.size * sizeof *params);
    for (size_t d = 0; d < lc_recurrent_directions(layer); d++)
        for (size_t i = 0; i < matrices; i++)
            params[d * one + i] = (float)(scale * (2 * lc_rng_uniform(rng) - 1));
}

/* w, u and b are rows of one matrix (inputs + H + 1, G), so that one call packs all three. */
void lc_recurrent_pack(const lc_layer *layer, const float *params, float *packed)
{
    size_t H = layer->recurrent.units, gates = layer->ops->cell.gates * H, rows = inputs(layer) + H + 1,
           width = LC_COLUMNS(gates);
    for (size_t d = 0; d < lc_recurrent_directions(layer); d++) {
        const float *from = params + d * params_size(layer);
        float *to = packed + d * packed_size(layer);
        lc_pack_rows(to, from, rows, gates);
        lc_pack_rows(to + rows * width, from + rows * gates, layer->ops->cell.extra, H);
        to += grads_size(layer);
        lc_pack_transposed(to, from, inputs(layer), gates);
        lc_pack_transposed(to + gates * LC_COLUMNS(inputs(layer)), from + inputs(layer) * gates, H, gates);
    }
}

void lc_recurrent_unpack(const lc_layer *layer, const float *grads, float *d_params)
{
    size_t H = layer->recurrent.units, gates = layer->ops->cell.gates * H, rows = inputs(layer) + H + 1;
    for (size_t d = 0; d < lc_recurrent_directions(layer); d++) {
        const float *from = grads + d * grads_size(layer);
        float *to = d_params + d * params_size(layer);
        lc_unpack_rows(to, from, rows, gates);
        lc_unpack_rows(to + rows * gates, from + rows * LC_COLUMNS(gates), layer->ops->cell.extra, H);
    }
}

/* Columns begin..begin+n-1 of a map: one direction's part of the output. A map without data stays so. */
static lc_map columns(lc_map map, size_t begin, size_t n)
{
    if (map.data != NULL)
        map.data += begin;
    map.F = 1;
    map.C = n;
    return map;
}

/* Where everything of one direction lies; recurrent.h has the order. */
lc_scan lc_recurrent_scan(const lc_layer *layer, const lc_pass *pass, size_t direction)
{
    size_t H = layer->recurrent.units, gates = layer->ops->cell.gates * H, width = LC_COLUMNS(gates),
           in = inputs(layer);
    const float *packed = pass->packed + direction * packed_size(layer);
    float *grads = pass->grads == NULL ? NULL : pass->grads + direction * grads_size(layer);
    lc_scan s = {.H = H,
                 .width = width,
                 .T = pass->in.T,
                 .stride = layer->keep,
                 .reverse = direction == 1,
                 .peeps = layer->ops == &lc_lstmp_ops};
    s.w = packed;
    s.u = s.w + in * width;
    s.b = s.u + H * width;
    s.extra = s.b + width;
    s.w_back = packed + grads_size(layer);
    s.u_back = s.w_back + gates * LC_COLUMNS(in);
    if (grads != NULL) {
        s.d_w = grads;
        s.d_u = s.d_w + in * width;
        s.d_b = s.d_u + H * width;
        s.d_extra = s.d_b + width;
    }
    s.gates = pass->keep + direction * (width + layer->ops->cell.kept * H);
    s.kept = s.gates + width;
    s.out = columns(pass->out, direction * H, H);
    s.d_out = columns(pass->d_out, direction * H, H);
    s.state = pass->state;
    s.d_state = pass->d_state;
    s.carry = pass->carry;
    return s;
}

void lc_recurrent_state(const lc_layer *layer, const lc_pass *pass, size_t t, float *state)
{
    lc_scan s = lc_recurrent_scan(layer, pass, 0);
    memcpy(state, s.out.data + t * s.out.row, s.H * sizeof *state);
    memset(state + s.H, 0, s.H * sizeof *state);
    if (layer->ops->cell.kept > 0)
        memcpy(state + s.H, s.kept + t * s.stride, s.H * sizeof *state);
}

size_t lc_scan_frame(const lc_scan *scan, size_t i)
{
    return scan->reverse ? scan->T - 1 - i : i;
}

void lc_scan_inputs(const lc_scan *scan, const lc_layer *layer, const lc_pass *pass)
{
    pass->kernels->product(&(lc_product){
        .out = scan->gates,
        .out_stride = scan->stride,
        .a = pass->in.data,
        .a_stride = pass->in.row,
        .b = scan->w,
        .bias = scan->b,
        .taps = 1,
        .rows = scan->T,
        .depth = inputs(layer),
        .columns = scan->width,
    });
}

void lc_scan_enter(const lc_scan *scan, size_t t, float *dh, float *dc)
{
    if (scan->d_state == NULL || t != scan->carry)
        return;
    lc_add_row(dh, scan->d_state, scan->H);
    if (dc != NULL)
        lc_add_row(dc, scan->d_state + scan->H, scan->H);
}

void lc_scan_leave(const lc_scan *scan, const float *dh, const float *dc)
{
    if (scan->d_state == NULL)
        return;
    memset(scan->d_state, 0, 2 * scan->H * sizeof *dh); /* stays 0 where the clip begins here */
    if (scan->state != NULL)
        memcpy(scan->d_state, dh, scan->H * sizeof *dh);
    if (scan->state != NULL && dc != NULL)
        memcpy(scan->d_state + scan->H, dc, scan->H * sizeof *dc);
}

/* d_u = sum_t h_(t-1)^T dG_t: the state before each frame is out[t - 1], or out[t + 1] in reverse; before the first one
 * it is `state`, if there is one. */
void lc_scan_d_u(const lc_scan *scan, const lc_nn_kernels *kernels)
{
    lc_outer o = {.out = scan->d_u,
                  .a = scan->out.data + (scan->reverse ? scan->out.row : 0),
                  .a_stride = scan->out.row,
                  .d = scan->gates + (scan->reverse ? 0 : scan->stride),
                  .d_stride = scan->stride,
                  .frames = 1,
                  .rows = scan->T - 1,
                  .depth = scan->H,
                  .columns = scan->width};
    kernels->outer(&o);
    o.a = scan->state, o.d = scan->gates, o.rows = 1;
    if (scan->state != NULL)
        kernels->outer(&o);
}

/* With dG (T, G), the gradients of the gates:  d_w = x^T dG;  d_b = sum_t dG_t;  d_in += dG w^T */
void lc_scan_gradients(const lc_scan *scan, const lc_layer *layer, const lc_pass *pass)
{
    size_t T = scan->T, in = inputs(layer), wide = LC_COLUMNS(in), gates = scan->width;
    /* (T, wide), over the cell's dh, which is no longer needed */
    float *g = pass->scratch;
    lc_outer o = {.d_stride = scan->stride, .frames = 1, .rows = T, .columns = gates};
    o.out = scan->d_w, o.a = pass->in.data, o.a_stride = pass->in.row, o.d = scan->gates, o.depth = in;
    pass->kernels->outer(&o);
    for (size_t t = 0; t < T; t++)
        lc_add_row(scan->d_b, scan->gates + t * scan->stride, gates);
    if (pass->d_in.data == NULL)
        return;
    pass->kernels->product(&(lc_product){
        .out = g,
        .out_stride = wide,
        .a = scan->gates,
        .a_stride = scan->stride,
        .b = scan->w_back,
        .taps = 1,
        .rows = T,
        .depth = (size_t)(scan->u_back - scan->w_back) / wide, /* G: w_back has no padding rows */
        .columns = wide,
    });
    for (size_t t = 0; t < T; t++)
        lc_add_row(pass->d_in.data + t * pass->d_in.row, g + t * wide, in);
}
