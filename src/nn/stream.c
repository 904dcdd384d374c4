/* SPDX-License-Identifier: MIT
 * stream.c - a network one frame at a time, with carried state.
 *   A frame runs down the layers until one of them still waits for its look-ahead. At the end each layer in turn is
 *   told that nothing follows, as often as it looks ahead: it reads zeros there, exactly like the padding of a whole
 *   clip. */
#include "nn/stream.h"

#include <string.h>

void lc_stream_layout(lc_stream *stream, const lc_net *net, lc_arena *arena)
{
    *stream = (lc_stream){.net = net};
    stream->state = lc_arena_take(arena, net->state, sizeof(float));
    stream->scratch = lc_arena_take(arena, net->scratch + net->scratch_frame, sizeof(float));
    float *state = stream->state;
    for (size_t i = 0; i < net->layers_len; i++) {
        stream->frames[i] = lc_arena_take(arena, net->layers[i].out_F * net->layers[i].out_C, sizeof(float));
        stream->states[i] = state;
        state = state != NULL ? state + net->layers[i].state : NULL;
    }
}

void lc_stream_start(lc_stream *stream, const float *packed)
{
    stream->packed = packed;
    memset(stream->state, 0, stream->net->state * sizeof *stream->state);
}

/* Layers take maps that are not const, but write to none that they read. */
static lc_map frame_map(const float *frame, size_t F, size_t C)
{
    return (lc_map){.data = (float *)(uintptr_t)frame, .T = 1, .F = F, .C = C, .row = F * C};
}

/* Gives layer i a frame (NULL: past the end), and for a join perhaps the source's frame. */
static bool step_layer(lc_stream *stream, size_t i, const float *frame, const float *source)
{
    const lc_net *net = stream->net;
    const lc_layer *layer = &net->layers[i];
    lc_pass pass = {
        .kernels = net->kernels,
        .packed = stream->packed + layer->packed_at,
        .keep = stream->states[i],
        .scratch = stream->scratch,
        .in = frame_map(frame, layer->in_F, layer->in_C),
        .out = frame_map(stream->frames[i], layer->out_F, layer->out_C),
        .source = frame_map(source, layer->source_F, layer->source_C),
    };
    return layer->ops->step(layer, &pass);
}

/* Layer i has put out a frame: tells the joins that wait for it. */
static void feed_joins(lc_stream *stream, size_t i)
{
    for (size_t j = i + 1; j < stream->net->layers_len; j++)
        if (stream->net->layers[j].ops == &lc_join_ops && stream->net->layers[j].source == i)
            step_layer(stream, j, NULL, stream->frames[i]);
}

/* Runs layers from first on; frame NULL: nothing follows for layer `first`. */
static void run_from(lc_stream *stream, size_t first, const float *frame, lc_stream_take *take, void *context)
{
    for (size_t i = first; i < stream->net->layers_len; i++) {
        if (!step_layer(stream, i, frame, NULL))
            return;
        /* first: a join counts on its source being ahead of its input */
        feed_joins(stream, i);
        frame = stream->frames[i];
    }
    take(context, frame);
}

void lc_stream_push(lc_stream *stream, const float *frame, lc_stream_take *take, void *context)
{
    run_from(stream, 0, frame, take, context);
}

/* In the order of the layers: what the first still holds passes through the others before they are told to end. */
void lc_stream_end(lc_stream *stream, lc_stream_take *take, void *context)
{
    for (size_t i = 0; i < stream->net->layers_len; i++)
        for (size_t n = 0; n < stream->net->layers[i].look_ahead; n++)
            run_from(stream, i, NULL, take, context);
}
