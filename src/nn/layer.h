/* SPDX-License-Identifier: MIT
 * layer.h - one interface for all layers: described once, in a table, and driven by it everywhere.
 *
 * A layer turns a sequence of frames (T, F, C), channels innermost, into another of the same length. It owns no
 * memory: the network (net.h) lays out its parameters, its packed weights, its gradient and what it keeps for the way
 * back in blocks of their own, so that optimiser, norm, save and load are single loops.
 *
 *   params  what is learned, in the order in which the model file stores it
 *   packed  the same as the kernels want it (rows padded to LC_COLUMN_BLOCK, transposes), made once per step by `pack`
 *   grads   the gradient of the packed weights; `unpack` adds it to the gradient of params after all sequences
 *
 * Every backward *adds* to d_in, since another layer may have read the same frames; where none has, one that says so
 * (sets_d_in) sets it, and nobody has to clear it: the largest maps are those of convolutions.
 *
 * Padding columns of packed weights are zeros, so that those of every product and gradient are zeros as well: kernels
 * run over whole rows, and nobody asks which columns are real. */
#ifndef LC_NN_LAYER_H
#define LC_NN_LAYER_H

#include "base/rng.h"
#include "nn/kernels.h"
#include "nn/winograd.h"
#include "nn/words.h"

#include <stdbool.h>

/* LC_TENSORS_MAX: a recurrent layer in both directions has two times four, an image layer four times two. */
enum { LC_NAME_MAX = 16, LC_OFFSETS_MAX = 32, LC_IMAGE_CONVS = 4, LC_TENSORS_MAX = 8 };

/* Frames that a stream hands from layer to layer at once, at most: while a layer is at work its weights stay in the
 * first cache. */
enum { LC_STREAM_BLOCK = 16 };

/* Frames: element (t, f, c) is at data[(t - first) * row + f * C + c]. Around them are zeros that a convolution may read.
 * first is 0 but for the gradients that layers with a block hand each other: of those only a part is there. */
typedef struct lc_map {
    float *data; /* frame `first`, bin 0: inside the zeros, not where its memory begins */
    size_t first, T, F, C, row;
} lc_map;

typedef struct lc_pad {
    size_t before, after; /* frames */
    size_t left, right;   /* bins */
} lc_pad;

typedef enum lc_activation { LC_LINEAR, LC_RELU, LC_SIGMOID, LC_TANH } lc_activation;

/* A convolution: where the parts of its packed weights begin (a part that is not needed is empty), and what follows from
 * its shape. Kept, since every block of frames asks for it. */
typedef struct lc_conv_parts {
    size_t weight, bias, gain, shift; /* direct way, forward */
    size_t back;                      /* transposed, or Winograd's way back */
    size_t tiles, bias_row;           /* Winograd's way forward */
    size_t end;
    size_t grads;  /* floats of the gradient of the weights; those of bias, gain and shift follow */
    size_t frames; /* that are worked on together, so that their dz stays in the cache */
    lc_winograd w; /* by tiles only */
} lc_conv_parts;

typedef struct lc_layer_ops lc_layer_ops;

typedef struct lc_layer {
    const lc_layer_ops *ops;
    char name[LC_NAME_MAX]; /* `as NAME`, or "" */
    size_t column;          /* where its words, or those of its pool, begin in the line, from 1 */

    /* as written */
    size_t units, kernel_t, kernel_f, stride, pool;
    bool causal, norm, both;
    lc_activation activation;
    double rate;
    int offsets[LC_OFFSETS_MAX];
    size_t offsets_len;
    char join[LC_NAME_MAX]; /* join: the name of the layer whose output is appended */
    size_t height, width;   /* image: in pixels; 0: as it comes */
    size_t channels[LC_IMAGE_CONVS], channels_len;

    /* set by the network before `shape` */
    size_t in_F, in_C;
    size_t in_height, in_width; /* where the bins are the pixels of an image, else 0 */
    size_t source;              /* join: the index of that layer */
    size_t source_F, source_C;  /* join: its output */
    size_t lag;                 /* join: frames by which this layer's input lags behind it in a stream */

    /* set by `shape` */
    size_t out_F, out_C;
    size_t out_height, out_width;
    lc_pad pad;                    /* zeros wanted around the input */
    size_t params, packed, grads;  /* floats */
    size_t keep;                   /* floats kept for each frame */
    size_t scratch, scratch_frame; /* floats, and floats for each frame */
    size_t state;                  /* floats carried from frame to frame when streaming */
    size_t look_ahead;             /* frames */
    bool sets_d_in;                /* can do without a cleared d_in */
    lc_conv_parts conv;
    size_t tile;  /* a block begins at a multiple of so many frames, unless block is 0 */
    size_t block; /* frames that it takes at a time, see lc_pass; 0: all at once */

    /* set by the network: where this layer's part begins */
    size_t params_at, packed_at, grads_at;
} lc_layer;

/* What one call works on. Forward fills out and keep; backward reads d_out and adds to d_in (data NULL: not wanted)
 * and grads. */
typedef struct lc_pass {
    const lc_nn_kernels *kernels;
    const float *packed;
    /* grads: this lane's. keep: (T + 3, layer->keep), from forward to backward; lstm and gru write their gradients over
     * it, so that a forward serves one backward. scratch: of this call only, shared by all layers. */
    float *grads, *keep, *scratch;
    lc_map in, out, d_in, d_out;
    size_t begin, end;       /* layers with a block: the frames to do, a block or less, in order of time */
    bool d_in_held;          /* backward: d_in holds something, if only zeros; else sets_d_in layers set it */
    lc_map source, d_source; /* join */
    bool training;           /* else no dropout */
    uint64_t seed;           /* of this layer's dropout */
    size_t first;            /* the number of frame 0 in its clip: dropout goes by it, however a clip is cut */
    /* lstm and gru on a part of a clip, else NULL. state: h and c of the frame before the first, H floats each; NULL: the
     * clip begins here. d_state, backward: what later parts want from the state after frame `carry`; becomes what this one
     * wants from the state before its first frame. */
    const float *state;
    float *d_state;
    size_t carry;
} lc_pass;

/* A named part of a layer's parameters, for the model file. */
typedef struct lc_tensor {
    const char *name;
    size_t shape[4], rank;
} lc_tensor;

struct lc_layer_ops {
    const char *name;
    const char *usage; /* "dense UNITS [relu|sigmoid|tanh]" */
    loco_status (*parse)(lc_layer *layer, lc_words *words, loco_err *err);
    void (*format)(const lc_layer *layer, lc_text *text);
    loco_status (*shape)(lc_layer *layer, loco_err *err);
    size_t (*tensors)(const lc_layer *layer, lc_tensor *tensors);
    void (*init)(const lc_layer *layer, float *params, lc_rng *rng);
    void (*pack)(const lc_layer *layer, const float *params, float *packed);
    void (*unpack)(const lc_layer *layer, const float *grads, float *d_params);
    void (*forward)(const lc_layer *layer, const lc_pass *pass);
    void (*backward)(const lc_layer *layer, const lc_pass *pass);
    /* The next frames, up to LC_STREAM_BLOCK: pass->in holds them (data NULL: one past the end), pass->out receives as
     * many as are returned, none while the layer still looks ahead; pass->keep is the state, zero at the start. */
    size_t (*step)(const lc_layer *layer, const lc_pass *pass);
    struct {
        size_t gates, extra, kept;
    } cell; /* lstm and gru, see recurrent.h */
};

/* All layers, ended by NULL. */
extern const lc_layer_ops *const lc_layers[];

extern const lc_layer_ops lc_conv_ops, lc_dense_ops, lc_lstm_ops, lc_gru_ops, lc_norm_ops, lc_dropout_ops,
    lc_gather_ops, lc_bias_ops, lc_join_ops, lc_image_ops;

/* For layers without memory in time: forward, at once, or frame by frame where something is kept: the state has room for
 * that of one frame, and it is not read again. */
size_t lc_layer_step_pointwise(const lc_layer *layer, const lc_pass *pass);

/* For layers without parameters. */
size_t lc_layer_no_tensors(const lc_layer *layer, lc_tensor *tensors);
void lc_layer_no_init(const lc_layer *layer, float *params, lc_rng *rng);
void lc_layer_no_pack(const lc_layer *layer, const float *from, float *to);

/* Adds n floats; the two do not overlap. */
void lc_add_row(float *restrict to, const float *restrict from, size_t n);

/* Weights from N(0, 2 / fan_in) (He), and zeros. */
void lc_init_he(float *w, size_t n, size_t fan_in, lc_rng *rng);

/* Between (rows, columns) as stored and rows of LC_COLUMNS(columns) floats. */
void lc_pack_rows(float *packed, const float *w, size_t rows, size_t columns);
void lc_pack_transposed(float *packed, const float *w, size_t rows, size_t columns);
void lc_unpack_rows(float *d_w, const float *grads, size_t rows, size_t columns);

#endif
