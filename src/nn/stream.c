/* SPDX-License-Identifier: MIT
 * stream.c - the first layers of a network (lc_net.streamed) on frames as they come, with carried state.
 *   Frames run down the layers, a block at a time, until a layer still waits for its look-ahead. At the end each layer
 *   in turn gets as many empty frames as it looks ahead: it reads zeros there, exactly like the padding of a whole
 *   clip. A frame's numbers are the same, bit for bit, alone and in a block: every sum runs in the same order. A block
 *   at a time took a sixth off the network's part of a detection, since weights are fetched once for it. */
#include "nn/stream.h"

#include <string.h>

/* Memory: states of all layers | scratch | a block of output frames of each layer that streams. */
void lc_stream_layout(lc_stream *stream, const lc_net *net, lc_arena *arena)
{
    *stream = (lc_stream){.net = net};
    stream->state = lc_arena_take(arena, net->state, sizeof(float));
    stream->scratch = lc_arena_take(arena, net->scratch + LC_STREAM_BLOCK * net->scratch_frame, sizeof(float));
    float *state = stream->state;
    for (size_t i = 0; i < net->streamed; i++) {
        size_t size = net->layers[i].out.F * net->layers[i].out.C;
        stream->frames[i] = lc_arena_take(arena, LC_STREAM_BLOCK * size, sizeof(float));
        stream->states[i] = state;
        state = state != NULL ? state + net->layers[i].state : NULL;
    }
}

size_t lc_stream_size(const lc_net *net)
{
    const lc_layer *last = &net->layers[net->streamed > 0 ? net->streamed - 1 : 0];
    return net->streamed > 0 ? last->out.F * last->out.C : net->in_F * net->in_C;
}

void lc_stream_start(lc_stream *stream, const float *packed)
{
    stream->packed = packed;
    memset(stream->state, 0, stream->net->state * sizeof *stream->state);
}

/* Layers take maps that are not const, but write to none that they read. */
static lc_map frames_map(const float *frames, size_t n, size_t F, size_t C)
{
    return (lc_map){.data = (float *)(uintptr_t)frames, .T = n, .F = F, .C = C, .row = F * C};
}

/* Gives layer i n frames (NULL: one past the end), or a join those of its source. Returns how many came out. */
static size_t step_layer(lc_stream *stream, size_t i, const float *frames, const float *source, size_t n)
{
    const lc_net *net = stream->net;
    const lc_layer *layer = &net->layers[i];
    lc_pass pass = {
        .kernels = net->kernels,
        .packed = stream->packed + layer->packed.at,
        .keep = stream->states[i],
        .scratch = stream->scratch,
        .in = frames_map(frames, n, layer->in.F, layer->in.C),
        .out = frames_map(stream->frames[i], n, layer->out.F, layer->out.C),
    };
    if (layer->ops == &lc_join_ops)
        pass.source = frames_map(source, n, layer->join.source_F, layer->join.source_C);
    return layer->ops->step(layer, &pass);
}

/* Passes n frames that layer i has put out to the joins that append them. */
static void feed_joins(lc_stream *stream, size_t i, size_t n)
{
    for (size_t j = i + 1; j < stream->net->streamed; j++)
        if (lc_layer_joins(&stream->net->layers[j], i))
            step_layer(stream, j, NULL, stream->frames[i], n);
}

/* Runs layers from first on; frames NULL: nothing follows for layer `first`, and n is 1. */
static void run_from(lc_stream *stream, size_t first, const float *frames, size_t n, lc_stream_take *take,
                     void *context)
{
    for (size_t i = first; i < stream->net->streamed; i++) {
        n = step_layer(stream, i, frames, NULL, n);
        if (n == 0)
            return;
        /* first: a join counts on its source being ahead of its input */
        feed_joins(stream, i, n);
        frames = stream->frames[i];
    }
    for (size_t t = 0; t < n; t++)
        take(context, frames + t * lc_stream_size(stream->net));
}

void lc_stream_push(lc_stream *stream, const float *frames, size_t n, lc_stream_take *take, void *context)
{
    size_t size = stream->net->in_F * stream->net->in_C;
    for (size_t t = 0; t < n; t += LC_STREAM_BLOCK)
        run_from(stream, 0, frames + t * size, n - t < LC_STREAM_BLOCK ? n - t : LC_STREAM_BLOCK, take, context);
}

/* In the order of the layers: what the first still holds passes through the others before they end. */
void lc_stream_end(lc_stream *stream, lc_stream_take *take, void *context)
{
    for (size_t i = 0; i < stream->net->streamed; i++)
        for (size_t n = 0; n < stream->net->layers[i].look_ahead; n++)
            run_from(stream, i, NULL, 1, take, context);
}
