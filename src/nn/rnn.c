/* SPDX-License-Identifier: MIT
 * rnn.c - `rnn UNITS [relu] [both]`: the plain recurrent layer.
 *   h' = tanh(b + x w + h u), or with relu  h' = min(max(b + x w + h u, 0), CEILING)
 * A state that feeds itself may grow with every frame: the ceiling keeps it finite on recordings far longer than the
 * clips of training. Kept for each frame: h' itself. */
#include "nn/recurrent.h"

#include <string.h>

static const float CEILING = 20;

static loco_status parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    loco_status status = lc_recurrent_parse_units(layer, words, err);
    if (status != LOCO_OK)
        return status;
    layer->recurrent.relu = lc_words_take(words, "relu");
    layer->recurrent.both = lc_words_take(words, "both");
    return LOCO_OK;
}

static void format(const lc_layer *layer, lc_text *text)
{
    lc_text_format(text, "rnn %zu%s%s", layer->recurrent.units, layer->recurrent.relu ? " relu" : "",
                   layer->recurrent.both ? " both" : "");
}

/* One frame: y holds b + x w and becomes h', which also goes to out; h is the state before (NULL: zeros). */
static void cell_forward(const lc_layer *layer, const lc_scan *s, const lc_nn_kernels *k, float *y, const float *h,
                         float *out)
{
    if (h != NULL)
        k->matvec(y, h, s->u, s->H, s->width);
    if (!layer->recurrent.relu)
        k->tanh(y, y, s->H);
    for (size_t i = 0; layer->recurrent.relu && i < s->H; i++)
        y[i] = y[i] > CEILING ? CEILING : y[i] > 0 ? y[i] : 0;
    memcpy(out, y, s->H * sizeof *out);
}

/* Frame after frame from the state before the first one, in the order of the scan. Returns the last state. */
static const float *scan_forward(const lc_layer *layer, const lc_pass *pass, const lc_scan *s, const float *h)
{
    lc_scan_inputs(s, layer, pass);
    for (size_t i = 0; i < s->T; i++) {
        size_t t = lc_scan_frame(s, i);
        float *out = s->out.data + t * s->out.row;
        cell_forward(layer, s, pass->kernels, s->gates + t * s->stride, h, out);
        h = out;
    }
    return h;
}

static void forward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t d = 0; d < lc_recurrent_directions(layer); d++) {
        lc_scan s = lc_recurrent_scan(layer, pass, d);
        scan_forward(layer, pass, &s, s.state);
    }
}

/* One frame: h' becomes its gradient before the activation. */
static void cell_backward(const lc_layer *layer, float *restrict y, const float *restrict dh, size_t H)
{
    if (layer->recurrent.relu)
        for (size_t i = 0; i < H; i++)
            y[i] = y[i] > 0 && y[i] < CEILING ? dh[i] : 0;
    else
        for (size_t i = 0; i < H; i++)
            y[i] = dh[i] * (1 - y[i] * y[i]);
}

static void backward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t d = 0; d < lc_recurrent_directions(layer); d++) {
        lc_scan s = lc_recurrent_scan(layer, pass, d);
        float *dh = pass->scratch;
        memset(dh, 0, LC_COLUMNS(s.H) * sizeof *dh);
        for (size_t i = s.T; i-- > 0;) {
            size_t t = lc_scan_frame(&s, i);
            float *y = s.gates + t * s.stride;
            lc_add_row(dh, s.d_out.data + t * s.d_out.row, s.H);
            lc_scan_enter(&s, t, dh, NULL);
            cell_backward(layer, y, dh, s.H);
            memset(dh, 0, LC_COLUMNS(s.H) * sizeof *dh);
            pass->kernels->matvec(dh, y, s.u_back, s.H, LC_COLUMNS(s.H));
        }
        lc_scan_leave(&s, dh, NULL);
        lc_scan_gradients(&s, layer, pass);
        lc_scan_d_u(&s, pass->kernels);
    }
}

/* State: h, then (from 2 H on, recurrent.c) room for a block. */
static size_t step(const lc_layer *layer, const lc_pass *pass)
{
    size_t H = layer->recurrent.units;
    if (pass->in.data == NULL)
        return 0;
    lc_pass block = *pass;
    block.keep = pass->keep + 2 * H;
    lc_scan s = lc_recurrent_scan(layer, &block, 0);
    const float *h = scan_forward(layer, &block, &s, pass->keep);
    memcpy(pass->keep, h, H * sizeof *h);
    return s.T;
}

const lc_layer_ops lc_rnn_ops = {
    .name = "rnn",
    .usage = "rnn UNITS [relu] [both]",
    .parse = parse,
    .format = format,
    .shape = lc_recurrent_shape,
    .tensors = lc_recurrent_tensors,
    .init = lc_recurrent_init,
    .pack = lc_recurrent_pack,
    .unpack = lc_recurrent_unpack,
    .forward = forward,
    .backward = backward,
    .step = step,
    .cell = {.gates = 1},
};
