/* SPDX-License-Identifier: MIT
 * recurrent.h - what lstm.c, gru.c and rnn.c share: gates from the input for all frames at once, gradients at the end.
 *
 * ops.cell says what a cell is: how many gates it has, how many times H parameters besides (extra: a second bias, or
 * peepholes), and how many times H floats are kept for each frame besides the gates.
 *
 * One direction's parameters: w (inputs, G), u (H, G), b (G), extra (extra, H), with G = gates * H. A bidirectional layer has
 * two such sets, the second for the frames in reverse order, and puts its outputs behind the first's.
 *
 * Packed, for each direction, with width = LC_COLUMNS(G): w (inputs, width), u (H, width), b (width), extra
 * (extra, LC_COLUMNS(H)), then for the backward pass w_back (G, LC_COLUMNS(inputs)), u_back (G, LC_COLUMNS(H)). The gradient
 * has the first four. Kept, for each frame and direction: gates (width), then cell.kept times H. Forward leaves the
 * gates' values there and backward writes their gradients over them, which so lie ready for one product over all
 * frames. */
#ifndef LC_NN_RECURRENT_H
#define LC_NN_RECURRENT_H

#include "nn/layer.h"

/* One direction of one pass. */
typedef struct lc_scan {
    const float *w, *u, *b, *extra, *w_back, *u_back; /* packed */
    float *d_w, *d_u, *d_b, *d_extra;                 /* NULL without gradients */
    float *gates, *kept;                              /* frame t: gates + t * stride, kept + t * stride */
    size_t stride, H, width, T;
    lc_map out, d_out;   /* this direction's columns */
    bool reverse, peeps; /* peeps: an LSTM with peepholes */
    const float *state;  /* as in lc_pass */
    float *d_state;
    size_t carry;
} lc_scan;

/* These go into the table of a layer as they are. */
loco_status lc_recurrent_parse(lc_layer *layer, lc_words *words, loco_err *err);
void lc_recurrent_format(const lc_layer *layer, lc_text *text);
loco_status lc_recurrent_shape(lc_layer *layer, loco_err *err);
size_t lc_recurrent_tensors(const lc_layer *layer, lc_tensor *tensors);
void lc_recurrent_init(const lc_layer *layer, float *params, lc_rng *rng);
void lc_recurrent_pack(const lc_layer *layer, const float *params, float *packed);
void lc_recurrent_unpack(const lc_layer *layer, const float *grads, float *d_params);

/* The first word alone. */
loco_status lc_recurrent_parse_units(lc_layer *layer, lc_words *words, loco_err *err);

size_t lc_recurrent_directions(const lc_layer *layer);
lc_scan lc_recurrent_scan(const lc_layer *layer, const lc_pass *pass, size_t direction);

/* The frame after t in the order of the scan is t + 1, or t - 1 when it runs backwards; i counts along the scan. */
size_t lc_scan_frame(const lc_scan *scan, size_t i);

/* The state after frame t of the pass, h and what is kept first (an LSTM's c), to 2 H floats; to be called
 * before the backward pass. */
void lc_recurrent_state(const lc_layer *layer, const lc_pass *pass, size_t t, float *state);

/* In the backward pass, before frame t: adds the gradient that later parts of the clip have for its state, where t is
 * the frame `carry`. dc: NULL for a cell without c. */
void lc_scan_enter(const lc_scan *scan, size_t t, float *dh, float *dc);

/* After the first frame: sets d_state to the gradient of the state before it. */
void lc_scan_leave(const lc_scan *scan, const float *dh, const float *dc);

/* gates of all frames = b + x w */
void lc_scan_inputs(const lc_scan *scan, const lc_layer *layer, const lc_pass *pass);

/* With the gradient of the gates in place of the gates: d_u, and d_w, d_b and d_in. */
void lc_scan_d_u(const lc_scan *scan, const lc_nn_kernels *kernels);
void lc_scan_gradients(const lc_scan *scan, const lc_layer *layer, const lc_pass *pass);

#endif
