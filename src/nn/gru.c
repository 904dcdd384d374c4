/* SPDX-License-Identifier: MIT
 * gru.c - gated recurrent unit, in the variant that applies the reset gate after the matrix product.
 *   r, z = sigmoid(b + x w + h u);  m = h u_n + extra;  n = tanh(b_n + x w_n + r m);  h' = (1 - z) n + z h
 * Gates stand in the order r, z, n. Kept for each frame: the gates, and m.
 * With the reset after the product, h u of all gates is one product a frame; m has a bias of its own (extra) since r
 * multiplies it, which b_n cannot replace. r, z come first: one call of sigmoid serves both. */
#include "nn/recurrent.h"

#include <string.h>

/* One frame: gates hold b + x w and become the gates' values; h is the state before (NULL: zeros), and scratch takes
 * h u. */
static void cell_forward(const lc_scan *s, const lc_nn_kernels *k, float *gates, float *m, const float *h,
                         float *scratch, float *out)
{
    size_t H = s->H;
    memset(scratch, 0, s->width * sizeof *scratch);
    if (h != NULL)
        k->matvec(scratch, h, s->u, H, s->width);
    for (size_t i = 0; i < 2 * H; i++)
        gates[i] += scratch[i];
    k->sigmoid(gates, gates, 2 * H);
    for (size_t i = 0; i < H; i++) {
        m[i] = scratch[2 * H + i] + s->extra[i];
        gates[2 * H + i] += gates[i] * m[i];
    }
    k->tanh(gates + 2 * H, gates + 2 * H, H);
    for (size_t i = 0; i < H; i++) {
        float z = gates[H + i], n = gates[2 * H + i];
        out[i] = n + z * ((h != NULL ? h[i] : 0) - n);
    }
}

/* The gates of all frames from the input, in one product, then frame after frame with the state. */
static void forward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t d = 0; d < lc_recurrent_directions(layer); d++) {
        lc_scan s = lc_recurrent_scan(layer, pass, d);
        const float *h = s.state;
        lc_scan_inputs(&s, layer, pass);
        for (size_t i = 0; i < s.T; i++) {
            size_t t = lc_scan_frame(&s, i);
            float *out = s.out.data + t * s.out.row;
            cell_forward(&s, pass->kernels, s.gates + t * s.stride, s.kept + t * s.stride, h, pass->scratch, out);
            h = out;
        }
    }
}

/* One frame: gates become gradients before the activation (as x w sees them), du those that h u sees, and m the part of
 * these that differs, dm; dh becomes what passes on to the state before, without du.
 *   dn = dh (1 - z) (1 - n^2);  dr = dn m r (1 - r);  dz = dh (h - n) z (1 - z);  dm = dn r;  dh = dh z */
static void cell_backward(const lc_scan *s, float *gates, float *m, const float *h, float *dh, float *du)
{
    size_t H = s->H;
    for (size_t i = 0; i < H; i++) {
        float r = gates[i], z = gates[H + i], n = gates[2 * H + i];
        float dn = dh[i] * (1 - z) * (1 - n * n);
        du[i] = dn * m[i] * r * (1 - r);
        du[H + i] = dh[i] * ((h != NULL ? h[i] : 0) - n) * z * (1 - z);
        du[2 * H + i] = dn * r;
        s->d_extra[i] += dn * r;
        gates[i] = du[i];
        gates[H + i] = du[H + i];
        gates[2 * H + i] = dn;
        m[i] = dn * r;
        dh[i] *= z;
    }
}

/* The gates have two gradients here, one for x w and one for h u, which differ in n: first one of them stands in the
 * gates of all frames, then the other, and each is one product. (Added frame by frame, d_u took a seventh of the time
 * of training.) */
static void backward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t d = 0; d < lc_recurrent_directions(layer); d++) {
        lc_scan s = lc_recurrent_scan(layer, pass, d);
        float *dh = pass->scratch, *du = dh + LC_COLUMNS(s.H);
        memset(dh, 0, LC_COLUMNS(s.H) * sizeof *dh);
        memset(du, 0, s.width * sizeof *du);
        for (size_t i = s.T; i-- > 0;) {
            size_t t = lc_scan_frame(&s, i);
            const float *h = i > 0 ? s.out.data + lc_scan_frame(&s, i - 1) * s.out.row : s.state;
            lc_add_row(dh, s.d_out.data + t * s.d_out.row, s.H);
            lc_scan_enter(&s, t, dh, NULL);
            cell_backward(&s, s.gates + t * s.stride, s.kept + t * s.stride, h, dh, du);
            pass->kernels->matvec(dh, du, s.u_back, 3 * s.H, LC_COLUMNS(s.H));
        }
        lc_scan_leave(&s, dh, NULL);
        lc_scan_gradients(&s, layer, pass);
        for (size_t t = 0; t < s.T; t++)
            memcpy(s.gates + t * s.stride + 2 * s.H, s.kept + t * s.stride, s.H * sizeof *s.gates);
        lc_scan_d_u(&s, pass->kernels);
    }
}

/* The next frames of a stream, in one pass as a clip. State: h, then (from 2 H on) room for a block's gates; the H
 * floats between are an LSTM's c (recurrent.c). */
static size_t step(const lc_layer *layer, const lc_pass *pass)
{
    size_t H = layer->recurrent.units;
    if (pass->in.data == NULL)
        return 0;
    lc_pass block = *pass;
    block.keep = pass->keep + 2 * H;
    lc_scan s = lc_recurrent_scan(layer, &block, 0);
    const float *h = pass->keep;
    lc_scan_inputs(&s, layer, &block);
    for (size_t t = 0; t < s.T; t++) {
        float *out = s.out.data + t * s.out.row;
        cell_forward(&s, pass->kernels, s.gates + t * s.stride, s.kept + t * s.stride, h, pass->scratch, out);
        h = out;
    }
    memcpy(pass->keep, h, H * sizeof *h);
    return s.T;
}

const lc_layer_ops lc_gru_ops = {
    .name = "gru",
    .usage = "gru UNITS [both]",
    .parse = lc_recurrent_parse,
    .format = lc_recurrent_format,
    .shape = lc_recurrent_shape,
    .tensors = lc_recurrent_tensors,
    .init = lc_recurrent_init,
    .pack = lc_recurrent_pack,
    .unpack = lc_recurrent_unpack,
    .forward = forward,
    .backward = backward,
    .step = step,
    .cell = {.gates = 3, .extra = 1, .kept = 1},
};
