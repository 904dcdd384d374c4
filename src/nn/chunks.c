/* SPDX-License-Identifier: MIT
 * chunks.c - a clip of any length through a network and back, chunk by chunk, with the gradient of the whole.
 *
 * Forward, a chunk of outputs needs more frames the nearer a layer is to the input: those around it that the
 * convolutions behind that layer read. Each map has its own span of frames, in chunk and clip,
 *
 *     input    [begin - back[0] ............... end + ahead[0])      back, ahead: sums over the layers behind
 *     map i        [begin - back[i] ...... end + ahead[i])
 *     output           [begin ...... end)
 *
 * cut off where the clip ends. A layer runs on the span of its output and finds the frames around it in its input:
 * where the chunk is inside the clip, they are those of the clip. So chunks overlap in the inner maps, and share
 * nothing. Recurrent layers carry their state: that before the first frame of the next chunk's span is taken from this
 * chunk.
 *
 * The backward pass is linear in the gradient of the logits, once the values of the forward pass are fixed. So the
 * gradient of the weights is the sum over chunks of the gradients that the logits of one chunk cause, and overlaps need
 * no correction: each chunk sends its own part back through its own copy. The gradient of the state before a span is
 * passed to the chunk before (d_state), is added there at the frame whose state it was, and goes on from there. Every
 * path from a logit to a weight is followed in exactly one sequence of chunks.
 *
 * Only the state of a chunk is kept: in the backward pass its values are computed again, with the same numbers (the
 * same spans and, by seed and frame, the same dropout). That takes a quarter more time than a clip that is run whole (a
 * network of three convolutions: 4.8 against 3.8 us a frame; with a GRU, 2.8 against 2.6).
 *
 * LC_CHUNK_LANES chunks are a group, each on a tape and with a gradient of its own, and run in parallel up to `split`,
 * the first recurrent layer. From there on one chunk follows the other, forward because a state is not yet known, and
 * in the backward pass; meanwhile other threads work on the next group, hence two sets of tapes:
 *
 *     forward     task 0: group g from split on    others: group g + 1 up to split
 *     backward    task 0: group g down to split    others: group g + 1 from split to the input, then group g - 1 again
 *
 * The last two groups of the forward pass are on the tapes when the backward pass begins, and are not computed again.
 */
#include "nn/chunks.h"

#include "base/status.h"
#include "nn/recurrent.h"

#include <stdlib.h>
#include <string.h>

static const size_t whole_bytes = (size_t)256 << 20, both_bytes = (size_t)2 << 30, chunk_bytes = (size_t)8 << 20;

/* CHUNK_MOST: longer ones gain nothing, from 512 frames on. CHUNK_LEAST: for networks whose frames take megabytes. */
enum { CHUNK_LEAST = 16, CHUNK_MOST = 1024, SETS = 2 };

/* Frames that each map needs around those of the output. */
typedef struct reach {
    size_t back[LC_NET_LAYERS + 1], ahead[LC_NET_LAYERS + 1];
} reach;

struct lc_chunked {
    const lc_net *net;
    lc_pool *pool;
    size_t frames, chunk, split;
    reach reach;
    size_t state, state_at[LC_NET_LAYERS]; /* floats of all recurrent layers, and where each begins */
    lc_block block;
    lc_tape tapes[SETS][LC_CHUNK_LANES]; /* group g is on set g % SETS */
    float *states;                       /* (chunks, state), before each chunk's span */
    float *d_state; /* (state), set by each chunk for the one before; the last one of a clip reads none */

    /* the clip at hand */
    const float *packed, *in, *d_logits;
    const uint64_t *seed;
    float *logits, *lanes;
    size_t T, groups, group; /* group: the one that task 0 works on */
};

/* ---- spans ---- */

static size_t more(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Frames that each map needs: those that the next map needs, and those that the layer between reads around them. A join
 * reads an earlier map as well, which already reaches further than its own input. */
static reach reach_of(const lc_net *net)
{
    reach r = {{0}, {0}};
    for (size_t i = net->layers_len; i-- > 0;) {
        r.back[i] = r.back[i + 1] + net->layers[i].pad.before;
        r.ahead[i] = r.ahead[i + 1] + net->layers[i].look_ahead;
    }
    return r;
}

static bool recurs(const lc_layer *layer)
{
    return layer->ops->cell.gates > 0;
}

static size_t chunks_of(const lc_chunked *l, size_t T)
{
    return (T + l->chunk - 1) / l->chunk;
}

/* The frames of map i that chunk c needs. */
static lc_span span_of(const lc_chunked *l, size_t c, size_t i)
{
    size_t begin = c * l->chunk, end = begin + l->chunk + l->reach.ahead[i];
    return (lc_span){begin > l->reach.back[i] ? begin - l->reach.back[i] : 0, end < l->T ? end : l->T};
}

/* Whether recurrent layer i is in the middle of the clip where chunk c begins: else its state there is zeros. */
static bool has_state(const lc_chunked *l, size_t c, size_t i)
{
    return c < chunks_of(l, l->T) && span_of(l, c, i + 1).begin > 0;
}

static float *state_of(const lc_chunked *l, size_t c, size_t i)
{
    return l->states + c * l->state + l->state_at[i];
}

/* The frame of chunk c, in layer i, whose state the next chunk begins with. */
static size_t carry_of(const lc_chunked *l, size_t c, size_t i)
{
    return has_state(l, c + 1, i) ? span_of(l, c + 1, i + 1).begin - 1 - span_of(l, c, i + 1).begin : SIZE_MAX;
}

/* ---- construction ---- */

static size_t tape_bytes(const lc_net *net, size_t frames)
{
    lc_tape tape;
    lc_arena arena = {0};
    lc_tape_layout_parts(&tape, net, frames, &arena);
    return arena.used;
}

/* The most frames whose tape fits. */
static size_t frames_within(const lc_net *net, size_t bytes)
{
    size_t low = 1, high = bytes; /* a frame takes a byte at least */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (tape_bytes(net, middle) <= bytes)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t lc_chunked_whole(const lc_net *net)
{
    return frames_within(net, net->streams ? whole_bytes : both_bytes);
}

/* Without the frames around it, but never so short that these are most of the work. */
size_t lc_chunked_chunk(const lc_net *net)
{
    reach r = reach_of(net);
    size_t around = r.back[0] + r.ahead[0], fit = frames_within(net, chunk_bytes);
    size_t chunk = fit > around ? fit - around : 0;
    return more(chunk < CHUNK_MOST ? chunk : CHUNK_MOST, more(2 * around, CHUNK_LEAST));
}

static void layout(lc_chunked *l, lc_arena *arena)
{
    size_t frames = l->chunk + l->reach.back[0] + l->reach.ahead[0];
    for (size_t i = 0; i < SETS * LC_CHUNK_LANES; i++)
        lc_tape_layout_parts(&l->tapes[i / LC_CHUNK_LANES][i % LC_CHUNK_LANES], l->net,
                             frames < l->frames ? frames : l->frames, arena);
    l->states = lc_arena_take(arena, chunks_of(l, l->frames), l->state * sizeof(float));
    l->d_state = lc_arena_take(arena, l->state, sizeof(float));
}

static loco_status allocate(lc_chunked *l, loco_err *err)
{
    lc_arena arena = {0};
    layout(l, &arena);
    /* margins of maps are never written and must be zeros */
    if (!lc_block_zeros(&l->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory: training on %zu frames in chunks of %zu needs %zu bytes",
                          l->frames, l->chunk, arena.used);
    arena = lc_arena_over(&l->block);
    layout(l, &arena);
    return LOCO_OK;
}

loco_status lc_chunked_check(const lc_net *net, size_t frames, loco_err *err)
{
    if (frames > LC_CHUNKED_MOST)
        return lc_err_set(err, LOCO_EARG, "a clip of %zu frames; at most %d are possible", frames, LC_CHUNKED_MOST);
    for (size_t i = 0; i < net->layers_len; i++)
        if (net->layers[i].needs_end)
            return lc_err_set(
                err, LOCO_EARG,
                "network line, column %zu: %s %zu both reads a clip from its end, too, and takes clips of "
                "up to %zu frames; these have %zu: use shorter clips, or leave out `both`",
                net->layers[i].column, net->layers[i].ops->name, net->layers[i].recurrent.units, lc_chunked_whole(net),
                frames);
    return LOCO_OK;
}

/* Places of states, and the first recurrent layer. */
static void set_states(lc_chunked *l)
{
    l->split = l->net->layers_len;
    for (size_t i = l->net->layers_len; i-- > 0;) {
        const lc_layer *layer = &l->net->layers[i];
        if (!recurs(layer))
            continue;
        l->split = i;
        l->state_at[i] = l->state;
        l->state += 2 * layer->recurrent.units;
    }
}

loco_status lc_chunked_new(lc_chunked **out, const lc_net *net, size_t frames, size_t chunk, lc_pool *pool,
                           loco_err *err)
{
    if (frames == 0 || chunk == 0)
        return lc_err_set(err, LOCO_EARG, "%zu frames in chunks of %zu; both must be at least 1", frames, chunk);
    loco_status status = lc_chunked_check(net, frames, err);
    if (status != LOCO_OK)
        return status;
    lc_chunked *l = calloc(1, sizeof *l);
    if (l == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for clips in chunks");
    l->net = net;
    l->pool = pool;
    l->frames = frames;
    l->chunk = chunk < frames ? chunk : frames;
    l->reach = reach_of(net);
    set_states(l);
    status = allocate(l, err);
    if (status != LOCO_OK) {
        lc_chunked_free(l);
        return status;
    }
    *out = l;
    return LOCO_OK;
}

void lc_chunked_free(lc_chunked *l)
{
    if (l == NULL)
        return;
    lc_block_free(&l->block);
    free(l);
}

/* ---- forward ---- */

/* Groups are counted from 1, so that there are empty ones before and behind all others. */
static size_t chunk_of(size_t g, size_t lane)
{
    return (g - 1) * LC_CHUNK_LANES + lane;
}

static size_t group_len(const lc_chunked *l, size_t g)
{
    if (g == 0 || g > l->groups)
        return 0;
    size_t left = chunks_of(l, l->T) - chunk_of(g, 0);
    return left < LC_CHUNK_LANES ? left : LC_CHUNK_LANES;
}

static lc_tape *tape_of(lc_chunked *l, size_t g, size_t lane)
{
    return &l->tapes[g % SETS][lane];
}

/* The frames that a chunk needs, and where its states are. */
static void load(lc_chunked *l, size_t g, size_t lane)
{
    lc_span spans[LC_NET_LAYERS + 1];
    lc_tape *tape = tape_of(l, g, lane);
    size_t c = chunk_of(g, lane), size = l->net->in_F * l->net->in_C;
    for (size_t i = 0; i <= l->net->layers_len; i++)
        spans[i] = span_of(l, c, i);
    lc_map in = lc_tape_part(tape, l->net, spans);
    for (size_t t = 0; t < in.T; t++)
        memcpy(in.data + t * in.row, l->in + (spans[0].begin + t) * size, size * sizeof *in.data);
    for (size_t i = 0; i < l->net->layers_len; i++) {
        if (!recurs(&l->net->layers[i]))
            continue;
        tape->state[i] = has_state(l, c, i) ? state_of(l, c, i) : NULL;
        tape->d_state[i] = l->d_state + l->state_at[i];
        tape->carry[i] = carry_of(l, c, i);
    }
}

/* What the next chunk begins with. */
static void save_states(lc_chunked *l, size_t g, size_t lane)
{
    lc_tape *tape = tape_of(l, g, lane);
    for (size_t i = l->split; i < l->net->layers_len; i++) {
        if (!recurs(&l->net->layers[i]) || tape->carry[i] == SIZE_MAX)
            continue;
        lc_pass pass = lc_tape_pass(tape, l->net, l->packed, i);
        lc_recurrent_state(&l->net->layers[i], &pass, tape->carry[i], state_of(l, chunk_of(g, lane) + 1, i));
    }
}

/* The rows of a map of outputs that are the chunk's own, and the frame of the clip that the first one is. */
static lc_map own_rows(lc_chunked *l, size_t g, size_t lane, lc_map map, size_t *first)
{
    size_t n = l->net->layers_len, begin = tape_of(l, g, lane)->begin[n];
    lc_span span = span_of(l, chunk_of(g, lane), n);
    *first = span.begin;
    map.data += begin * map.row;
    map.T = span.end - span.begin;
    return map;
}

static void read_logits(lc_chunked *l, size_t g, size_t lane)
{
    size_t first, K = lc_net_outputs(l->net);
    lc_map out = own_rows(l, g, lane, tape_of(l, g, lane)->maps[l->net->layers_len], &first);
    for (size_t t = 0; t < out.T; t++)
        memcpy(l->logits + (first + t) * K, out.data + t * out.row, K * sizeof(float));
}

/* Task 0 takes its group from split on, the others the next one up to there. */
static void run_forward(void *context, size_t task, unsigned worker)
{
    lc_chunked *l = context;
    size_t g = l->group;
    (void)worker;
    for (size_t lane = 0; task == 0 && lane < group_len(l, g); lane++) {
        lc_net_forward_layers(l->net, tape_of(l, g, lane), l->packed, l->split, l->net->layers_len, l->seed);
        save_states(l, g, lane);
        read_logits(l, g, lane);
    }
    if (task > 0) {
        load(l, g + 1, task - 1);
        lc_net_forward_layers(l->net, tape_of(l, g + 1, task - 1), l->packed, 0, l->split, l->seed);
    }
}

void lc_chunked_forward(lc_chunked *l, const float *packed, const float *frames, size_t T, const uint64_t *seed,
                        float *logits)
{
    l->packed = packed;
    l->in = frames;
    l->T = T;
    l->seed = seed;
    l->logits = logits;
    l->groups = (chunks_of(l, T) + LC_CHUNK_LANES - 1) / LC_CHUNK_LANES;
    for (l->group = 0; l->group <= l->groups; l->group++)
        lc_pool_run(l->pool, 1 + group_len(l, l->group + 1), run_forward, l);
}

/* ---- backward ---- */

/* A chunk's values, unless they are still there, and the gradient of its logits. All states are known by now. */
static void run_again(lc_chunked *l, size_t g, size_t lane)
{
    lc_tape *tape = tape_of(l, g, lane);
    size_t first, K = lc_net_outputs(l->net);
    if (g + SETS <= l->groups) {
        load(l, g, lane);
        lc_net_forward_layers(l->net, tape, l->packed, 0, l->net->layers_len, l->seed);
    }
    lc_map d_out = own_rows(l, g, lane, lc_tape_d_output(tape, l->net), &first);
    for (size_t t = 0; t < d_out.T; t++)
        memcpy(d_out.data + t * d_out.row, l->d_logits + (first + t) * K, K * sizeof(float));
}

static void go_back(lc_chunked *l, size_t g, size_t lane, size_t begin, size_t end)
{
    lc_net_backward_layers(l->net, tape_of(l, g, lane), l->packed, begin, end, l->lanes + lane * l->net->grads);
}

/* Task 0 takes its group back to split; the others the one behind it from there to the input, and then, on the tape
 * that is free now, the one before it. */
static void run_backward(void *context, size_t task, unsigned worker)
{
    lc_chunked *l = context;
    size_t g = l->group;
    (void)worker;
    for (size_t lane = group_len(l, g); task == 0 && lane-- > 0;)
        go_back(l, g, lane, l->split, l->net->layers_len);
    if (task > 0 && task <= group_len(l, g + 1))
        go_back(l, g + 1, task - 1, 0, l->split);
    if (task > 0 && g > 0 && task <= group_len(l, g - 1))
        run_again(l, g - 1, task - 1);
}

void lc_chunked_backward(lc_chunked *l, const float *d_logits, float *lanes)
{
    l->d_logits = d_logits;
    l->lanes = lanes;
    for (size_t g = l->groups + 2; g-- > 0;) {
        l->group = g;
        lc_pool_run(l->pool, 1 + LC_CHUNK_LANES, run_backward, l);
    }
}
