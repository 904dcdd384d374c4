/* SPDX-License-Identifier: MIT
 * join.c - appends the output of an earlier layer: `dense 64 relu as wide, gru 48, join wide, dense 3`.
 *   (F, C) and (F', C') become (1, F*C + F'*C'). In a stream the layers between hold back as many frames as they
 *   look ahead: the frames of the earlier layer wait in the state, a queue of `lag` frames and those of a block. */
#include "nn/layer.h"

#include <string.h>

static loco_status parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    size_t length;
    const char *name = lc_words_peek(words, &length);
    if (length == 0 || length >= LC_NAME_MAX || memchr(name, '\0', length) != NULL)
        return lc_words_refuse(words, "the name of an earlier layer, as in: dense 64 relu as wide, gru 48, join wide",
                               err);
    memcpy(layer->join.name, name, length);
    layer->join.name[length] = '\0';
    words->at += length;
    return LOCO_OK;
}

static void format(const lc_layer *layer, lc_text *text)
{
    lc_text_format(text, "join %s", layer->join.name);
}

/* Values of a frame of the input, and of the source. */
static size_t here(const lc_layer *layer)
{
    return layer->in.F * layer->in.C;
}

static size_t there(const lc_layer *layer)
{
    return layer->join.source_F * layer->join.source_C;
}

/* The source's frames of a block arrive before this layer's input of the same block, which belongs to the frames lag
 * pushes ago. */
static loco_status shape(lc_layer *layer, loco_err *err)
{
    (void)err;
    layer->out.F = 1;
    layer->out.C = here(layer) + there(layer);
    layer->state = 1 + (layer->join.lag + LC_STREAM_BLOCK) * there(layer);
    return LOCO_OK;
}

/* (in | source) of each frame. */
static void forward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; t < pass->in.T; t++) {
        float *out = pass->out.data + t * pass->out.row;
        memcpy(out, pass->in.data + t * pass->in.row, here(layer) * sizeof *out);
        memcpy(out + here(layer), pass->source.data + t * pass->source.row, there(layer) * sizeof *out);
    }
}

/* to += columns offset..offset + n - 1 of from, unless to is not wanted. */
static void add(lc_map to, lc_map from, size_t offset, size_t n)
{
    for (size_t t = 0; to.data != NULL && t < from.T; t++)
        for (size_t i = 0; i < n; i++)
            to.data[t * to.row + i] += from.data[t * from.row + offset + i];
}

static void backward(const lc_layer *layer, const lc_pass *pass)
{
    add(pass->d_in, pass->d_out, 0, here(layer));
    add(pass->d_source, pass->d_out, here(layer), there(layer));
}

/* Called when either input has new frames. State: the number of waiting frames, then the queue, oldest first. */
static size_t step(const lc_layer *layer, const lc_pass *pass)
{
    size_t n = there(layer), waiting = (size_t)pass->keep[0], T = pass->in.data != NULL ? pass->in.T : 0;
    float *queue = pass->keep + 1;
    if (pass->source.data != NULL) {
        memcpy(queue + n * waiting, pass->source.data, n * pass->source.T * sizeof *queue);
        waiting += pass->source.T;
    }
    for (size_t t = 0; t < T; t++) {
        float *out = pass->out.data + t * pass->out.row;
        memcpy(out, pass->in.data + t * pass->in.row, here(layer) * sizeof *queue);
        memcpy(out + here(layer), queue + n * t, n * sizeof *queue);
    }
    waiting -= T;
    memmove(queue, queue + n * T, n * waiting * sizeof *queue);
    pass->keep[0] = (float)waiting;
    return T;
}

const lc_layer_ops lc_join_ops = {
    .name = "join",
    .usage = "join NAME",
    .parse = parse,
    .format = format,
    .shape = shape,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = forward,
    .backward = backward,
    .step = step,
};
