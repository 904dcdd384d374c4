/* SPDX-License-Identifier: MIT
 * stream.h - the first layers of a network (lc_net.streamed), or all, on frames as they come, one or many at a time, with
 *   carried state.
 *   Frames come out `look_ahead` frames after they went in; after the last, lc_stream_end gives out those that are
 *   left. */
#ifndef LC_NN_STREAM_H
#define LC_NN_STREAM_H

#include "nn/net.h"

typedef struct lc_stream {
    const lc_net *net;
    const float *packed;          /* memory of the caller */
    float *state;                 /* of all layers, net->state floats */
    float *states[LC_NET_LAYERS]; /* where each layer's begins in it */
    float *frames[LC_NET_LAYERS]; /* output frames of each layer, LC_STREAM_BLOCK */
    float *scratch;
} lc_stream;

/* Values of a frame that comes out. */
size_t lc_stream_size(const lc_net *net);

/* Lays out a stream's memory. */
void lc_stream_layout(lc_stream *stream, const lc_net *net, lc_arena *arena);

/* Starts a new sequence with these weights; nothing of the one before remains. */
void lc_stream_start(lc_stream *stream, const float *packed);

/* Called for each frame that comes out. */
typedef void lc_stream_take(void *context, const float *output);

/* n frames of in_F * in_C values; what comes out is the same for any n. */
void lc_stream_push(lc_stream *stream, const float *frames, size_t n, lc_stream_take *take, void *context);
void lc_stream_end(lc_stream *stream, lc_stream_take *take, void *context);

#endif
