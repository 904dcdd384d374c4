/* SPDX-License-Identifier: MIT
 * net.h - a network: layers in a row, from one readable line, and the memory that one sequence needs to run through it.
 *
 *     conv 3x4 8, pool 2, conv 3x4 16, pool 2, lstm 24, dense 16 sigmoid, dense 3
 *
 * A line that ends in `places` gives the classes of each bin: of an image, whose bins are columns, of each cell.
 *
 * lc_net is read-only once made, and shared by all threads. lc_tape is one thread's memory: activations, what layers
 * keep, gradients of activations. A sequence goes through the whole network, forward and backward, on one thread while
 * its tape is in cache. */
#ifndef LC_NN_NET_H
#define LC_NN_NET_H

#include "base/mem.h"
#include "nn/layer.h"

enum { LC_NET_LAYERS = 64 };

typedef struct lc_net {
    const lc_nn_kernels *kernels;
    size_t in_F, in_C; /* a frame of the input */
    size_t places;     /* of a frame of the output: its bins, where the line ends in `places`; else 1 */
    size_t classes;    /* values of each place */
    size_t layers_len;
    lc_layer layers[LC_NET_LAYERS];
    size_t params, packed, grads; /* floats in all */
    /* scratch: the most that one layer wants, since only one works at a time; state: the sum */
    size_t scratch, scratch_frame, state;
    /* the first layers, which run on frames as they come, and how many frames these look ahead; the network streams if they are
     * all of its layers. Those from there on read a sequence from its end, too, or join a layer that comes after those first. */
    size_t streamed, look_ahead;
    bool streams;
} lc_net;

/* Reads a network line for input frames of F bins and C channels. Errors point at the word that is wrong. */
loco_status lc_net_parse(lc_net *net, const char *line, size_t length, size_t F, size_t C, loco_err *err);

/* Writes the line back, in its shortest form. */
void lc_net_format(const lc_net *net, lc_text *text);

/* Whether the network's last layer says that its outputs are the classes (crop): training adds no layer to it. */
bool lc_net_has_outputs(const lc_net *net);

/* Values of a frame of the output: (places, classes). */
size_t lc_net_outputs(const lc_net *net);

/* Outputs (T, places, classes) as a sequence of T * places, in the order in which they lie in memory. */
lc_map lc_net_sequence(const lc_net *net, lc_map out);

/* He weights, zero biases; the last dense or convolution layer scaled by output_scale with all its biases
 * output_bias. */
void lc_net_init(const lc_net *net, float *params, double output_scale, double output_bias, lc_rng *rng);

void lc_net_pack(const lc_net *net, const float *params, float *packed);
void lc_net_unpack(const lc_net *net, const float *grads, float *d_params); /* adds */

/* Of layer i alone: layers share nothing there, and may be done at the same time. */
void lc_net_pack_layer(const lc_net *net, size_t i, const float *params, float *packed);
void lc_net_unpack_layer(const lc_net *net, size_t i, const float *grads, float *d_params);

/* Frames begin..end-1 of a clip. */
typedef struct lc_span {
    size_t begin, end;
} lc_span;

typedef struct lc_tape {
    size_t capacity;                  /* frames */
    size_t start;                     /* the first layer that runs on it; there is nothing of those before */
    size_t first;                     /* the number of row 0 in its clip: 0 but for a part of one */
    lc_map maps[LC_NET_LAYERS + 1];   /* the input, then each layer's output; T: rows up to the end of its part */
    lc_map d_maps[LC_NET_LAYERS + 1]; /* data NULL for the input */
    size_t begin[LC_NET_LAYERS + 1];  /* rows before its part */
    size_t before[LC_NET_LAYERS + 1], left[LC_NET_LAYERS + 1],
        rows[LC_NET_LAYERS + 1];      /* padding: rows before, bins left, rows before and after */
    size_t window[LC_NET_LAYERS + 1]; /* frames of the gradient that are there at a time; 0: all */
    float *keep[LC_NET_LAYERS];       /* (capacity + 3, keep of the layer) */
    float *scratch;                   /* capacity * scratch_frame + scratch; one for all layers */
    /* of lstm and gru on a part of a clip, as in lc_pass; NULL and 0 for a whole one */
    const float *state[LC_NET_LAYERS];
    float *d_state[LC_NET_LAYERS];
    size_t carry[LC_NET_LAYERS];
} lc_tape;

/* Lays out a tape for sequences of up to `frames` frames; its memory must be zeros. */
void lc_tape_layout(lc_tape *tape, const lc_net *net, size_t frames, lc_arena *arena);

/* The same for lc_tape_part and a few layers at a time: gradients are there whole, and no windows on them. */
void lc_tape_layout_parts(lc_tape *tape, const lc_net *net, size_t frames, lc_arena *arena);

/* For the layers from `start` on, whose input is what layer start - 1 puts out, and forward alone: there are no gradients. */
void lc_tape_layout_end(lc_tape *tape, const lc_net *net, size_t start, size_t frames, lc_arena *arena);

/* The input's frames, (T, F*C), to be filled before lc_net_forward. */
lc_map lc_tape_input(lc_tape *tape, const lc_net *net, size_t T);

/* For a part of a clip: the frames of each map, the input's first; none begins before the input or ends behind it, and
 * each layer's output needs no frame of its input that is not there, but for those outside of the clip. Returns the
 * input's frames, and forgets states. */
lc_map lc_tape_part(lc_tape *tape, const lc_net *net, const lc_span *spans);

/* What layer i works on, forward or back. */
lc_pass lc_tape_pass(lc_tape *tape, const lc_net *net, const float *packed, size_t i);

/* Runs all layers; returns the output (T, places * classes). rng: NULL unless training. */
lc_map lc_net_forward(const lc_net *net, lc_tape *tape, const float *packed, lc_rng *rng);

/* The output's gradient, to be filled between forward and backward; what is added to is set to 0 here. */
lc_map lc_tape_d_output(lc_tape *tape, const lc_net *net);

/* Adds the gradient of the packed weights to grads. */
void lc_net_backward(const lc_net *net, lc_tape *tape, const float *packed, float *grads);

/* Layers first..last-1 of both. seed: NULL unless training. */
void lc_net_forward_layers(const lc_net *net, lc_tape *tape, const float *packed, size_t first, size_t last,
                           const uint64_t *seed);
void lc_net_backward_layers(const lc_net *net, lc_tape *tape, const float *packed, size_t first, size_t last,
                            float *grads);

#endif
