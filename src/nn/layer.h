/* SPDX-License-Identifier: MIT
 * layer.h - one interface for all layers, filled by a const table in each layer's file and listed in layer.c.
 *
 * A layer turns a sequence of frames (T, F, C), channels innermost, into another of the same length. It owns no
 * memory: the network (net.h) lays out its parameters, packed weights, gradient and what it keeps for the backward pass
 * in blocks of their own, so that optimiser, norm, save and load are single loops.
 *
 *   params  what is learned, in the order in which the model file stores it
 *   packed  the same as the kernels want it (rows padded to LC_COLUMN_BLOCK, transposes), made once per step by `pack`
 *   grads   the gradient of the packed weights; `unpack` adds it to the gradient of params after all sequences
 *
 * Every backward *adds* to d_in, since another layer may have read the same frames. Where no other layer has, a layer
 * with sets_d_in sets it instead, and it need not be cleared: the largest maps are those of convolutions.
 *
 * Padding columns of packed weights are zeros, so that those of every product and gradient are zeros as well: kernels
 * run over whole rows, and no loop has to know which columns are real.
 *
 * To add a layer: a file with its lc_layer_ops, its name in the table in layer.c and, if its words in the network line
 * set something, a struct for that in the union of lc_layer. The gradient test walks the table. */
#ifndef LC_NN_LAYER_H
#define LC_NN_LAYER_H

#include "base/rng.h"
#include "base/words.h"
#include "nn/kernels.h"
#include "nn/winograd.h"

#include <stdbool.h>

/* LC_TENSORS_MAX: a recurrent layer in both directions has two times four, an image layer four times two. */
enum { LC_NAME_MAX = 16, LC_OFFSETS_MAX = 32, LC_IMAGE_CONVS = 4, LC_TENSORS_MAX = 8 };

/* Frames that a stream passes from layer to layer at once, at most: meanwhile the weights of a layer stay in the first
 * cache. */
enum { LC_STREAM_BLOCK = 16 };

/* Frames: element (t, f, c) is at data[(t - first) * row + f * C + c]. Around them are zeros that a convolution may
 * read. first is 0 except for gradients between two layers with a block, which exist only in part. */
typedef struct lc_map {
    float *data; /* frame `first`, bin 0: inside the zeros, not where its memory begins */
    size_t first, T, F, C, row;
} lc_map;

typedef struct lc_pad {
    size_t before, after; /* frames */
    size_t left, right;   /* bins */
} lc_pad;

/* One frame. Where its bins are the pixels of an image, F = height * width; else height and width are 0. */
typedef struct lc_frame_shape {
    size_t F, C;
    size_t height, width;
} lc_frame_shape;

/* A layer's part of one of the network's blocks, in floats. */
typedef struct lc_segment {
    size_t size; /* set by `shape` */
    size_t at;   /* where it begins: set by the network */
} lc_segment;

typedef enum lc_activation { LC_LINEAR, LC_RELU, LC_SIGMOID, LC_TANH } lc_activation;

/* ---- what each kind of layer has of its own: set by its `parse`, unless it says otherwise ---- */

/* Where the parts of a convolution's packed weights begin (a part that is not needed is empty), and what follows from
 * its shape. Kept, since every block of frames needs it; set by conv.c. */
typedef struct lc_conv_parts {
    size_t bins, window, rows; /* bins before pooling; inputs of an output in one frame, and in all */
    size_t which;              /* floats with a byte for each output; four frames of these hold a tile's lc_pooled */
    bool by_tiles;             /* Winograd's tiles (winograd.c) */
    bool pooled_at_once;       /* a tile goes from its points to the pooled output in one pass, and back */
    bool is_first;             /* by kernels of its own (first_body.h), as the first layer of a network for sound */
    size_t weight, bias, gain, shift; /* forward, directly */
    size_t back;                      /* backward: transposed, or Winograd's */
    size_t tiles, bias_row;           /* forward, Winograd's */
    size_t end;
    size_t grads;  /* floats of the gradient of the weights; those of bias, gain and shift follow */
    size_t frames; /* that are worked on together, so that their dz stays in the cache */
    lc_winograd w; /* by tiles only */
} lc_conv_parts;

typedef struct lc_conv_layer {
    size_t units, kernel_t, kernel_f, stride;
    size_t dilate;            /* frames from one tap to the next */
    size_t pool;              /* bins; 1: none. Set by line.c, since `pool` is an item of its own */
    bool causal, norm, local; /* local: the norm is that of each bin, not of the whole frame */
    lc_activation activation;
    lc_conv_parts parts; /* set by `shape` */
} lc_conv_layer;

typedef struct lc_dense_layer {
    size_t units;
    lc_activation activation;
} lc_dense_layer;

typedef struct lc_recurrent_layer { /* lstm, lstmp, gru and rnn */
    size_t units;
    bool both; /* directions */
    bool relu; /* rnn: else tanh */
} lc_recurrent_layer;

typedef struct lc_attend_layer {
    size_t reach, units; /* frames to either side; numbers that a score is made of */
} lc_attend_layer;

typedef struct lc_dropout_layer {
    double rate;
} lc_dropout_layer;

typedef struct lc_gather_layer {
    int offsets[LC_OFFSETS_MAX]; /* bins */
    size_t offsets_len;
} lc_gather_layer;

typedef struct lc_crop_layer {
    size_t first, count; /* bins */
} lc_crop_layer;

typedef struct lc_fold_layer {
    int groups[LC_OFFSETS_MAX]; /* the output of each input; -1: none */
    size_t groups_len;
} lc_fold_layer;

typedef struct lc_shift_layer {
    size_t frames;
} lc_shift_layer;

typedef struct lc_join_layer {
    char name[LC_NAME_MAX]; /* of the layer whose output is appended */
    size_t source;          /* its index. Set by the network before `shape`, as are the following */
    size_t source_F, source_C;
    size_t lag; /* frames by which the input of this layer lags behind it in a stream */
} lc_join_layer;

typedef struct lc_image_layer {
    size_t height, width; /* pixels; 0: those of the input */
    size_t channels[LC_IMAGE_CONVS], channels_len;
    size_t pool; /* 2: squares of 2x2; 1: none. Set by line.c */
} lc_image_layer;

/* ---- what all layers share ---- */

typedef struct lc_layer_ops lc_layer_ops;

typedef struct lc_layer {
    const lc_layer_ops *ops;
    char name[LC_NAME_MAX]; /* `as NAME`, or "" */
    size_t column;          /* where its words, or those of its pool, begin in the line, from 1 */
    lc_frame_shape in;      /* set by the network before `shape` */

    /* set by `shape` */
    lc_frame_shape out;
    lc_pad pad; /* zeros wanted around the input */
    lc_segment params, packed, grads;
    size_t keep;                   /* floats kept for each frame */
    size_t scratch, scratch_frame; /* floats, and floats for each frame */
    size_t state;                  /* floats carried from frame to frame when streaming */
    size_t look_ahead;             /* frames */
    bool needs_end;                /* reads a clip from its end, too: cannot stream, nor run in chunks */
    bool sets_d_in;                /* can do without a cleared d_in */
    size_t tile;                   /* a block begins at a multiple of so many frames, unless block is 0 */
    size_t block;                  /* frames that it takes at a time, see lc_pass; 0: all at once */

    union { /* by ops */
        lc_conv_layer conv;
        lc_dense_layer dense;
        lc_recurrent_layer recurrent;
        lc_dropout_layer dropout;
        lc_gather_layer gather;
        lc_crop_layer crop;
        lc_fold_layer fold;
        lc_join_layer join;
        lc_shift_layer shift;
        lc_attend_layer attend;
        lc_image_layer image;
    };
} lc_layer;

/* What one call works on. Forward fills out and keep; backward reads d_out and adds to d_in (data NULL: not wanted)
 * and grads. */
typedef struct lc_pass {
    const lc_nn_kernels *kernels;
    const float *packed;
    /* grads: this lane's. keep: (T + 3, layer->keep), from forward to backward; recurrent layers write their gradients over
     * it, so that a forward serves one backward. scratch: for this call only, shared by all layers. */
    float *grads, *keep, *scratch;
    lc_map in, out, d_in, d_out;
    size_t begin, end;       /* layers with a block: the frames to do, a block or less, in order of time */
    bool d_in_held;          /* backward: d_in holds something, if only zeros; else sets_d_in layers set it */
    lc_map source, d_source; /* join; else without data */
    bool training;           /* else no dropout */
    uint64_t seed;           /* of this layer's dropout */
    size_t first;            /* the number of frame 0 in its clip: dropout depends on it, however a clip is cut */
    /* recurrent layers on a part of a clip, else NULL. state: h and c of the frame before the first, H floats each; NULL:
     * the clip begins here. d_state, backward: the gradient of later parts with respect to the state after frame
     * `carry`; becomes that with respect to the state before the first frame of this part. */
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
    } cell; /* recurrent layers, see recurrent.h */
};

/* All layers, ended by NULL. */
extern const lc_layer_ops *const lc_layers[];

extern const lc_layer_ops lc_conv_ops, lc_dense_ops, lc_lstm_ops, lc_lstmp_ops, lc_gru_ops, lc_rnn_ops, lc_attend_ops,
    lc_norm_ops, lc_dropout_ops, lc_gather_ops, lc_crop_ops, lc_fold_ops, lc_bias_ops, lc_join_ops, lc_shift_ops,
    lc_image_ops;

/* Whether the layer is a join that appends the output of layer i. */
bool lc_layer_joins(const lc_layer *layer, size_t i);

/* Steps, for layers without memory in time: forward on all frames, or frame by frame where something is kept: the state
 * has room for that of one frame, and it is not read again. */
size_t lc_layer_step_pointwise(const lc_layer *layer, const lc_pass *pass);

/* For layers that have no words, whose output has the shape of their input, or that have no parameters. */
loco_status lc_layer_no_words(lc_layer *layer, lc_words *words, loco_err *err);
void lc_layer_format_name(const lc_layer *layer, lc_text *text);
loco_status lc_layer_same_shape(lc_layer *layer, loco_err *err);
size_t lc_layer_no_tensors(const lc_layer *layer, lc_tensor *tensors);
void lc_layer_no_init(const lc_layer *layer, float *params, lc_rng *rng);
void lc_layer_no_pack(const lc_layer *layer, const float *from, float *to);

/* For layers whose packed weights are the parameters: a copy, and a sum. */
void lc_layer_copy_params(const lc_layer *layer, const float *params, float *packed);
void lc_layer_add_grads(const lc_layer *layer, const float *grads, float *d_params);

/* Adds n floats; the two do not overlap. */
void lc_add_row(float *restrict to, const float *restrict from, size_t n);

/* Weights from N(0, 2 / fan_in) (He), and zeros. */
void lc_init_he(float *w, size_t n, size_t fan_in, lc_rng *rng);

/* Between (rows, columns) as stored and rows of LC_COLUMNS(columns) floats. */
void lc_pack_rows(float *packed, const float *w, size_t rows, size_t columns);
void lc_pack_transposed(float *packed, const float *w, size_t rows, size_t columns);
void lc_unpack_rows(float *d_w, const float *grads, size_t rows, size_t columns);

#endif
