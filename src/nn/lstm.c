/* SPDX-License-Identifier: MIT
 * lstm.c - long short-term memory: `lstm`, and `lstmp` with peepholes.
 *   i, f, o = sigmoid, g = tanh of (b + x w + h u);  c' = f c + i g;  h' = o tanh(c')
 * With peepholes the gates also read the cell, each unit its own: p_i c is added for i, p_f c for f, p_o c' for o.
 * Gates stand in the order i, f, o, g, so that one call of sigmoid serves three. Kept for each frame: the gates, c'
 * and tanh(c'). The bias of f starts at 1: a new cell remembers. Peepholes (extra: rows p_i, p_f, p_o) start at 0. */
#include "nn/recurrent.h"

#include <string.h>

static void init(const lc_layer *layer, float *params, lc_rng *rng)
{
    size_t H = layer->recurrent.units, one = layer->params.size / lc_recurrent_directions(layer);
    lc_recurrent_init(layer, params, rng);
    for (size_t d = 1; d <= lc_recurrent_directions(layer); d++)
        for (size_t i = 0; i < H; i++)
            params[d * one - (layer->ops->cell.extra + 3) * H + i] = 1; /* b: i, f, o, g; then the peepholes end it */
}

/* lc_nn_kernels' lstm_frame, with peepholes. */
static void peep_forward(const lc_scan *s, const lc_nn_kernels *k, const lc_lstm_frame *frame)
{
    size_t H = s->H, row = LC_COLUMNS(H);
    const float *p_i = s->extra, *p_f = p_i + row, *p_o = p_f + row, *c = frame->c;
    float *i = frame->gates, *f = i + H, *o = f + H, *g = o + H, *now = frame->kept;
    for (size_t n = 0; c != NULL && n < H; n++) {
        i[n] += p_i[n] * c[n];
        f[n] += p_f[n] * c[n];
    }
    k->sigmoid(i, i, 2 * H);
    k->tanh(g, g, H);
    for (size_t n = 0; n < H; n++) {
        now[n] = i[n] * g[n] + (c != NULL ? f[n] * c[n] : 0);
        o[n] += p_o[n] * now[n];
    }
    k->sigmoid(o, o, H);
    k->tanh(now + H, now, H);
    for (size_t n = 0; n < H; n++)
        frame->out[n] = o[n] * now[H + n];
}

/* One frame: gates hold b + x w and become the gates' values; h and c are the state before (NULL: zeros). */
static void cell_forward(const lc_scan *s, const lc_nn_kernels *k, float *gates, float *kept, const float *h,
                         const float *c, float *out)
{
    lc_lstm_frame frame = {.gates = gates, .kept = kept, .out = out, .c = c, .H = s->H};
    if (h != NULL)
        k->matvec(gates, h, s->u, s->H, s->width);
    if (s->peeps)
        peep_forward(s, k, &frame);
    else
        k->lstm_frame(&frame);
}

/* The gates of all frames from the input, in one product, then frame after frame with the state (h, c). */
static void forward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t d = 0; d < lc_recurrent_directions(layer); d++) {
        lc_scan s = lc_recurrent_scan(layer, pass, d);
        const float *h = s.state, *c = h != NULL ? h + s.H : NULL;
        lc_scan_inputs(&s, layer, pass);
        for (size_t i = 0; i < s.T; i++) {
            size_t t = lc_scan_frame(&s, i);
            float *kept = s.kept + t * s.stride, *out = s.out.data + t * s.out.row;
            cell_forward(&s, pass->kernels, s.gates + t * s.stride, kept, h, c, out);
            h = out;
            c = kept;
        }
    }
}

/* lc_nn_kernels' lstm_back, with peepholes; now: c', then tanh(c').
 *   do = dh tanh(c') o (1 - o);  dc += dh o (1 - tanh(c')^2) + p_o do;  di, df, dg as without;
 *   dc = dc f + p_i di + p_f df;  dp_i += di c,  dp_f += df c,  dp_o += do c' */
static void peep_backward(const lc_scan *s, const lc_lstm_back *back, const float *now)
{
    size_t H = s->H, row = LC_COLUMNS(H);
    const float *p_i = s->extra, *p_f = p_i + row, *p_o = p_f + row;
    float *d_pi = s->d_extra, *d_pf = d_pi + row, *d_po = d_pf + row, *gates = back->gates;
    for (size_t n = 0; n < H; n++) {
        float i = gates[n], f = gates[H + n], o = gates[2 * H + n], g = gates[3 * H + n];
        float y = now[H + n], dh = back->dh[n], c = back->c != NULL ? back->c[n] : 0;
        float d_o = dh * y * o * (1 - o), dc = back->dc[n] + dh * o * (1 - y * y) + p_o[n] * d_o;
        float d_i = dc * g * i * (1 - i), d_f = dc * c * f * (1 - f);
        d_pi[n] += d_i * c;
        d_pf[n] += d_f * c;
        d_po[n] += d_o * now[n];
        back->dc[n] = dc * f + p_i[n] * d_i + p_f[n] * d_f;
        gates[n] = d_i;
        gates[H + n] = d_f;
        gates[2 * H + n] = d_o;
        gates[3 * H + n] = dc * i * (1 - g * g);
    }
}

/* The backward pass of one frame is a kernel, in which the gates become their gradients before the activation; dh and
 * dc are those of this frame's state, and dc becomes that of the state before:
 *   dc += dh o (1 - tanh(c')^2);  di = dc g,  df = dc c,  do = dh tanh(c'),  dg = dc i, each times its
 *   slope;  dc = dc f
 * As a loop here the compiler made no vectors, since the arrays might overlap: a third of the time of the backward
 * pass. */
static void backward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t d = 0; d < lc_recurrent_directions(layer); d++) {
        lc_scan s = lc_recurrent_scan(layer, pass, d);
        float *dh = pass->scratch, *dc = dh + LC_COLUMNS(s.H);
        memset(dh, 0, 2 * LC_COLUMNS(s.H) * sizeof *dh);
        for (size_t i = s.T; i-- > 0;) {
            size_t t = lc_scan_frame(&s, i);
            const float *c = i > 0             ? s.kept + lc_scan_frame(&s, i - 1) * s.stride
                             : s.state != NULL ? s.state + s.H
                                               : NULL;
            float *gates = s.gates + t * s.stride, *kept = s.kept + t * s.stride;
            lc_lstm_back back = {.gates = gates, .dc = dc, .c = c, .tanh_c = kept + s.H, .dh = dh, .H = s.H};
            for (size_t j = 0; j < s.H; j++)
                dh[j] += s.d_out.data[t * s.d_out.row + j];
            lc_scan_enter(&s, t, dh, dc);
            if (s.peeps)
                peep_backward(&s, &back, kept);
            else
                pass->kernels->lstm_back(&back);
            memset(dh, 0, LC_COLUMNS(s.H) * sizeof *dh);
            pass->kernels->matvec(dh, gates, s.u_back, 4 * s.H, LC_COLUMNS(s.H));
        }
        lc_scan_leave(&s, dh, dc);
        lc_scan_gradients(&s, layer, pass);
        lc_scan_d_u(&s, pass->kernels);
    }
}

/* State: h, c, then room for a block's gates. */
static size_t step(const lc_layer *layer, const lc_pass *pass)
{
    size_t H = layer->recurrent.units;
    if (pass->in.data == NULL)
        return 0;
    lc_pass block = *pass;
    block.keep = pass->keep + 2 * H;
    lc_scan s = lc_recurrent_scan(layer, &block, 0);
    const float *h = pass->keep, *c = h + H;
    lc_scan_inputs(&s, layer, &block);
    for (size_t t = 0; t < s.T; t++) {
        float *out = s.out.data + t * s.out.row, *kept = s.kept + t * s.stride;
        cell_forward(&s, pass->kernels, s.gates + t * s.stride, kept, h, c, out);
        h = out;
        c = kept;
    }
    memcpy(pass->keep, h, H * sizeof *h);
    memcpy(pass->keep + H, c, H * sizeof *c);
    return s.T;
}

const lc_layer_ops lc_lstm_ops = {
    .name = "lstm",
    .usage = "lstm UNITS [both]",
    .parse = lc_recurrent_parse,
    .format = lc_recurrent_format,
    .shape = lc_recurrent_shape,
    .tensors = lc_recurrent_tensors,
    .init = init,
    .pack = lc_recurrent_pack,
    .unpack = lc_recurrent_unpack,
    .forward = forward,
    .backward = backward,
    .step = step,
    .cell = {.gates = 4, .kept = 2},
};

const lc_layer_ops lc_lstmp_ops = {
    .name = "lstmp",
    .usage = "lstmp UNITS [both]",
    .parse = lc_recurrent_parse,
    .format = lc_recurrent_format,
    .shape = lc_recurrent_shape,
    .tensors = lc_recurrent_tensors,
    .init = init,
    .pack = lc_recurrent_pack,
    .unpack = lc_recurrent_unpack,
    .forward = forward,
    .backward = backward,
    .step = step,
    .cell = {.gates = 4, .extra = 3, .kept = 2},
};
