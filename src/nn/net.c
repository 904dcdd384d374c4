/* SPDX-License-Identifier: MIT
 * net.c - a network's memory, and running one sequence through it, forward and backward.
 *
 *   One map, row = (left + F + right) * C floats:
 *     before rows of zeros | T rows: left bins of zeros, F bins, right bins of zeros | after rows of zeros
 *   A layer's padding is laid around the map it reads, so that the layer before writes its output right into place and
 *   nothing is copied. Values and gradients have the same layout: one offset serves both.
 *
 *   Layers with a block (convolutions) go through the sequence in blocks of time, each passed to the next layer
 *   immediately: what a layer reads was just written and is in the second cache, for which the maps of a whole sequence
 *   are too large. Backward, the gradient between two such layers is a window that slides along and never reaches
 *   memory (drums, 400 frames: 240 us for writing them whole, 90 with windows). */
#include "nn/net.h"

#include <string.h>

bool lc_net_has_outputs(const lc_net *net)
{
    return net->layers[net->layers_len - 1].ops == &lc_crop_ops;
}

size_t lc_net_outputs(const lc_net *net)
{
    return net->places * net->classes;
}

/* The last map has no padding: nothing reads it. */
lc_map lc_net_sequence(const lc_net *net, lc_map out)
{
    out.T *= net->places;
    out.F = 1;
    out.row /= net->places;
    return out;
}

/* Small output weights and one bias make the first outputs nearly the same everywhere: loco_count_bias gives the bias
 * with which training starts at a known probability of no event. */
void lc_net_init(const lc_net *net, float *params, double output_scale, double output_bias, lc_rng *rng)
{
    const lc_layer *last = NULL;
    for (size_t i = 0; i < net->layers_len; i++) {
        const lc_layer *layer = &net->layers[i];
        layer->ops->init(layer, params + layer->params.at, rng);
        if (layer->ops == &lc_dense_ops || layer->ops == &lc_conv_ops)
            last = layer;
    }
    if (last == NULL)
        return;
    float *w = params + last->params.at;
    lc_tensor tensors[LC_TENSORS_MAX];
    size_t weights = 1;
    last->ops->tensors(last, tensors); /* of both, the weight and then the bias come first */
    for (size_t i = 0; i < tensors[0].rank; i++)
        weights *= tensors[0].shape[i];
    for (size_t i = 0; i < weights; i++)
        w[i] *= (float)output_scale;
    for (size_t i = 0; i < tensors[1].shape[0]; i++)
        w[weights + i] = (float)output_bias;
}

void lc_net_pack_layer(const lc_net *net, size_t i, const float *params, float *packed)
{
    const lc_layer *layer = &net->layers[i];
    layer->ops->pack(layer, params + layer->params.at, packed + layer->packed.at);
}

void lc_net_unpack_layer(const lc_net *net, size_t i, const float *grads, float *d_params)
{
    const lc_layer *layer = &net->layers[i];
    layer->ops->unpack(layer, grads + layer->grads.at, d_params + layer->params.at);
}

void lc_net_pack(const lc_net *net, const float *params, float *packed)
{
    for (size_t i = 0; i < net->layers_len; i++)
        lc_net_pack_layer(net, i, params, packed);
}

void lc_net_unpack(const lc_net *net, const float *grads, float *d_params)
{
    for (size_t i = 0; i < net->layers_len; i++)
        lc_net_unpack_layer(net, i, grads, d_params);
}

/* ---- the tape ---- */

/* Whether the gradient of map i must be 0 before the backward pass: layers add to it, more than one of them or one that
 * cannot set it. */
static bool added_to(const lc_net *net, size_t i)
{
    bool more = i == net->layers_len || !net->layers[i].sets_d_in;
    for (size_t j = i; j < net->layers_len; j++)
        more = more || (i > 0 && lc_layer_joins(&net->layers[j], i - 1));
    return more;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Whether the gradient of map i goes from a layer with a block to one with a block and nowhere else: then it is never
 * whole, and its memory is a window on it that slides along and stays in the second cache. */
static bool windowed(const lc_net *net, size_t i)
{
    return i > 0 && i < net->layers_len && net->layers[i].block > 0 && net->layers[i - 1].block > 0 &&
           !added_to(net, i);
}

/* Frames of a window, or 0 without one: a block that is written, and before it less than a block that is not yet
 * read. A block more, and only every second moves what is left. */
static size_t window_of(const lc_net *net, size_t i, size_t frames)
{
    if (!windowed(net, i))
        return 0;
    return least(frames, 2 * net->layers[i].block + net->layers[i].pad.before + net->layers[i - 1].block);
}

typedef enum gradients { NO_GRADIENTS, WHOLE_GRADIENTS, SLIDING_GRADIENTS } gradients;

/* One map with its padding, which is what the layer that reads it wants. Two such blocks: values and gradients. */
static void map_layout(lc_tape *tape, size_t i, size_t F, size_t C, lc_pad pad, gradients kind, lc_arena *arena)
{
    size_t row = (pad.left + F + pad.right) * C, around = pad.before + pad.after, rows = around + tape->capacity;
    lc_map map = {.F = F, .C = C, .row = row};
    tape->before[i] = pad.before;
    tape->left[i] = pad.left;
    tape->rows[i] = around;
    size_t inside = pad.before * row + pad.left * C;
    map.data = lc_arena_take(arena, rows, row * sizeof(float));
    tape->maps[i] = tape->d_maps[i] = map;
    if (map.data != NULL)
        tape->maps[i].data = map.data + inside;
    /* the gradient of the input is not used: with NULL the first layer skips that work */
    float *d = i == 0 || kind == NO_GRADIENTS
                   ? NULL
                   : lc_arena_take(arena, tape->window[i] > 0 ? around + tape->window[i] : rows, row * sizeof(float));
    tape->d_maps[i].data = d != NULL ? d + inside : NULL;
}

/* In memory: map 0, map 1 and its gradient, map 2 and its gradient, ... | what each layer keeps | scratch of all
 * layers.
 */
static void tape_layout(lc_tape *tape, const lc_net *net, size_t start, size_t frames, gradients kind, lc_arena *arena)
{
    *tape = (lc_tape){.capacity = frames, .start = start};
    for (size_t i = start; i <= net->layers_len; i++) {
        size_t F = i == 0 ? net->in_F : net->layers[i - 1].out.F, C = i == 0 ? net->in_C : net->layers[i - 1].out.C;
        lc_pad pad = i < net->layers_len ? net->layers[i].pad : (lc_pad){0};
        tape->window[i] = kind == SLIDING_GRADIENTS ? window_of(net, i, frames) : 0;
        map_layout(tape, i, F, C, pad, kind, arena);
    }
    /* a tile keeps as much as four frames, and the last may begin at the last one */
    for (size_t i = start; i < net->layers_len; i++)
        tape->keep[i] = lc_arena_take(arena, frames + 3, net->layers[i].keep * sizeof(float));
    tape->scratch = lc_arena_take(arena, frames, net->scratch_frame * sizeof(float));
    lc_arena_take(arena, net->scratch, sizeof(float)); /* right behind: one block of both */
}

void lc_tape_layout(lc_tape *tape, const lc_net *net, size_t frames, lc_arena *arena)
{
    tape_layout(tape, net, 0, frames, SLIDING_GRADIENTS, arena);
}

void lc_tape_layout_parts(lc_tape *tape, const lc_net *net, size_t frames, lc_arena *arena)
{
    tape_layout(tape, net, 0, frames, WHOLE_GRADIENTS, arena);
}

void lc_tape_layout_end(lc_tape *tape, const lc_net *net, size_t start, size_t frames, lc_arena *arena)
{
    tape_layout(tape, net, start, frames, NO_GRADIENTS, arena);
}

/* Zeros in the frames of a map and its padding. */
static void map_clear(const lc_tape *tape, const lc_map *map, size_t i)
{
    memset(map->data + tape->begin[i] * map->row - tape->before[i] * map->row - tape->left[i] * map->C, 0,
           (tape->rows[i] + map->T - tape->begin[i]) * map->row * sizeof(float));
}

/* The margins of a map are zeros from the start and never written; rows behind T may hold a longer sequence's. A tile
 * may read them beside the last frames: where a clip ends they must be zeros, and elsewhere the same whatever came
 * before, else the last bits would depend on it. */
static void set_span(lc_tape *tape, size_t i, lc_span span)
{
    lc_map *map = &tape->maps[i];
    size_t after = tape->rows[i] - tape->before[i];
    tape->begin[i] = span.begin - tape->first;
    map->T = tape->d_maps[i].T = span.end - tape->first;
    memset(map->data + map->T * map->row - tape->left[i] * map->C, 0, after * map->row * sizeof(float));
}

lc_map lc_tape_input(lc_tape *tape, const lc_net *net, size_t T)
{
    tape->first = 0;
    for (size_t i = tape->start; i <= net->layers_len; i++)
        set_span(tape, i, (lc_span){0, T});
    return tape->maps[tape->start];
}

lc_map lc_tape_part(lc_tape *tape, const lc_net *net, const lc_span *spans)
{
    tape->first = spans[0].begin;
    for (size_t i = 0; i <= net->layers_len; i++)
        set_span(tape, i, spans[i]);
    for (size_t i = 0; i < net->layers_len; i++) {
        tape->state[i] = NULL;
        tape->d_state[i] = NULL;
    }
    return tape->maps[0];
}

/* A map from row `begin` on, T frames; one without data stays so. */
static lc_map rows_of(lc_map map, size_t begin, size_t T)
{
    if (map.data != NULL)
        map.data += begin * map.row;
    map.T = T;
    return map;
}

/* A layer's frames are those of its output; it finds what it reads besides in the rows around. */
lc_pass lc_tape_pass(lc_tape *tape, const lc_net *net, const float *packed, size_t i)
{
    const lc_layer *layer = &net->layers[i];
    size_t begin = tape->begin[i + 1], T = tape->maps[i + 1].T - begin;
    lc_pass pass = {
        .kernels = net->kernels,
        .packed = packed + layer->packed.at,
        .keep = tape->keep[i],
        .scratch = tape->scratch,
        .in = rows_of(tape->maps[i], begin, T),
        .out = rows_of(tape->maps[i + 1], begin, T),
        .d_in = rows_of(tape->d_maps[i], begin, T),
        .d_out = rows_of(tape->d_maps[i + 1], begin, T),
        .first = tape->first + begin,
        .state = tape->state[i],
        .d_state = tape->d_state[i],
        .carry = tape->carry[i],
    };
    if (layer->ops == &lc_join_ops) {
        pass.source = rows_of(tape->maps[layer->join.source + 1], begin, T);
        pass.d_source = rows_of(tape->d_maps[layer->join.source + 1], begin, T);
    }
    return pass;
}

/* seed: NULL unless training. */
static lc_pass forward_pass(const lc_net *net, lc_tape *tape, const float *packed, size_t i, const uint64_t *seed)
{
    lc_pass pass = lc_tape_pass(tape, net, packed, i);
    pass.training = seed != NULL;
    pass.seed = (seed != NULL ? *seed : 0) + i * 0xd1b54a32d192ed03u; /* each layer drops others */
    return pass;
}

static lc_pass backward_pass(const lc_net *net, lc_tape *tape, const float *packed, size_t i, float *grads)
{
    lc_pass pass = lc_tape_pass(tape, net, packed, i);
    pass.grads = grads + net->layers[i].grads.at;
    pass.d_in_held = added_to(net, i);
    return pass;
}

void lc_net_forward_layers(const lc_net *net, lc_tape *tape, const float *packed, size_t first, size_t last,
                           const uint64_t *seed)
{
    for (size_t i = first; i < last; i++) {
        lc_pass pass = forward_pass(net, tape, packed, i, seed);
        pass.end = pass.out.T;
        net->layers[i].ops->forward(&net->layers[i], &pass);
    }
}

/* One sequence passing through the layers. */
typedef struct run {
    const lc_net *net;
    lc_tape *tape;
    const float *packed;
    float *grads;
    const uint64_t *seed;
    size_t T, done[LC_NET_LAYERS]; /* frames, of each layer */
    size_t first[LC_NET_LAYERS];   /* frames of its first block */
} run;

/* Frames of a layer's first block: whole tiles of those that it can take when the layer that runs before it has done
 * its own first block. With blocks of one length it could never take what was just written. */
static size_t first_of(const lc_layer *layer, size_t ready)
{
    size_t first = layer->block > 0 ? ready / layer->tile * layer->tile % layer->block : 0;
    return first > 0 ? first : layer->block;
}

/* Where the next frames of layer i end: all of them, or a block. */
static size_t next_end(const run *r, size_t i)
{
    size_t block = r->net->layers[i].block;
    if (block == 0)
        return r->T;
    return least(r->done[i] > 0 ? r->done[i] + block : r->first[i], r->T);
}

/* The first `ready` frames of layer i's input are there: does what can be done with them, in blocks of time, and
 * passes each to the next layer while it is in the cache. */
static void forward_from(run *r, size_t i, size_t ready)
{
    if (i == r->net->layers_len)
        return;
    const lc_layer *layer = &r->net->layers[i];
    while (r->done[i] < r->T && ready >= least(next_end(r, i) + layer->look_ahead, r->T)) {
        lc_pass pass = forward_pass(r->net, r->tape, r->packed, i, r->seed);
        pass.begin = r->done[i];
        pass.end = r->done[i] = next_end(r, i);
        layer->ops->forward(layer, &pass);
        forward_from(r, i + 1, pass.end);
    }
}

/* The first blocks are set from the first layer to the last: each can begin when the one before has done its own, less
 * the look-ahead. */
lc_map lc_net_forward(const lc_net *net, lc_tape *tape, const float *packed, lc_rng *rng)
{
    uint64_t seed = rng != NULL ? lc_rng_next(rng) : 0;
    size_t start = tape->start;
    run r = {.net = net, .tape = tape, .packed = packed, .seed = rng != NULL ? &seed : NULL, .T = tape->maps[start].T};
    for (size_t i = start; i < net->layers_len; i++) {
        size_t done = i > start ? r.first[i - 1] : 0;
        r.first[i] = first_of(&net->layers[i], done - least(done, net->layers[i].look_ahead));
    }
    forward_from(&r, start, r.T);
    return tape->maps[net->layers_len];
}

lc_map lc_tape_d_output(lc_tape *tape, const lc_net *net)
{
    /* margins too: convolutions add to them where windows reach past the edge. It is not read, but it would grow */
    for (size_t i = 1; i <= net->layers_len; i++)
        if (added_to(net, i))
            map_clear(tape, &tape->d_maps[i], i);
    return tape->d_maps[net->layers_len];
}

void lc_net_backward_layers(const lc_net *net, lc_tape *tape, const float *packed, size_t first, size_t last,
                            float *grads)
{
    for (size_t i = last; i-- > first;) {
        lc_pass pass = backward_pass(net, tape, packed, i, grads);
        pass.end = pass.out.T;
        net->layers[i].ops->backward(&net->layers[i], &pass);
    }
}

/* Makes room for the next block in the window on the gradient of map i: moves to its begin what layer i - 1 has not yet
 * read. Layer i has written up to, and for the next block adds to, the frames that windows of three frames cover. */
static void slide(run *r, size_t i)
{
    lc_map *map = &r->tape->d_maps[i];
    if (r->tape->window[i] == 0 || next_end(r, i) - map->first <= r->tape->window[i])
        return;
    size_t from = r->done[i - 1], end = r->done[i] + r->net->layers[i].look_ahead;
    float *first = map->data - r->tape->left[i] * map->C;
    memmove(first, first + (from - map->first) * map->row, (end - from) * map->row * sizeof *first);
    map->first = from;
}

/* The same, back: the gradient of layer i's output is final for the first `ready` frames. A block adds to the frames
 * before it that its windows cover, so that these are final only after it. */
static void backward_from(run *r, size_t i, size_t ready)
{
    const lc_layer *layer = &r->net->layers[i];
    while (r->done[i] < r->T && ready >= next_end(r, i)) {
        slide(r, i);
        lc_pass pass = backward_pass(r->net, r->tape, r->packed, i, r->grads);
        pass.begin = r->done[i];
        pass.end = r->done[i] = next_end(r, i);
        layer->ops->backward(layer, &pass);
        if (i > 0)
            backward_from(r, i - 1, pass.end < r->T ? pass.end - layer->pad.before : r->T);
    }
}

/* Here from the last layer to the first, less the frames before a block to which it still adds. */
void lc_net_backward(const lc_net *net, lc_tape *tape, const float *packed, float *grads)
{
    run r = {.net = net, .tape = tape, .packed = packed, .grads = grads, .T = tape->maps[0].T};
    for (size_t i = net->layers_len; i-- > 0;) {
        size_t done = i + 1 < net->layers_len ? r.first[i + 1] : 0;
        r.first[i] = first_of(&net->layers[i], done > 0 ? done - least(done, net->layers[i + 1].pad.before) : 0);
    }
    for (size_t i = 0; i <= net->layers_len; i++)
        tape->d_maps[i].first = 0;
    backward_from(&r, net->layers_len - 1, r.T);
}
