/* SPDX-License-Identifier: MIT
 * layer.c - times one layer, forward and backward: `layer LINE F C INDEX BATCH FRAMES SECONDS`.
 *   LINE is a network for frames of (F, C), INDEX the layer in it that is timed. Prints one JSON object: the smallest
 *   time of a batch on one thread, and memory. As in a training step, weights are packed once, then each sequence passes
 *   forward and backward through the same tape, its gradients set to 0 before; in the end the gradient is unpacked. */
#include "clock.h"

#include "nn/net.h"

static int fail(const char *text)
{
    fprintf(stderr, "bench/layer: %s\n", text);
    return 2;
}

typedef struct bench {
    lc_net net;
    const lc_layer *layer;
    lc_tape tape;
    float *params, *packed, *grads, *d_params;
    size_t T;
} bench;

static void layout(bench *b, lc_arena *arena)
{
    lc_tape_layout(&b->tape, &b->net, b->T, arena);
    b->params = lc_arena_take(arena, b->net.params, sizeof(float));
    b->packed = lc_arena_take(arena, b->net.packed, sizeof(float));
    b->grads = lc_arena_take(arena, b->net.grads, sizeof(float));
    b->d_params = lc_arena_take(arena, b->net.params, sizeof(float));
}

static bool allocate(bench *b)
{
    static lc_block block; /* lives as long as the program */
    lc_arena arena = {0};
    layout(b, &arena);
    if (!lc_block_reserve(&block, arena.used))
        return false;
    memset(block.data, 0, block.size);
    arena = lc_arena_over(&block);
    layout(b, &arena);
    return true;
}

static void fill(lc_map map, lc_rng *rng)
{
    for (size_t t = 0; t < map.T; t++)
        for (size_t i = 0; i < map.F * map.C; i++)
            map.data[t * map.row + i] = (float)lc_rng_normal(rng);
}

/* What lc_tape_d_output does for this layer: d_in is cleared unless the layer sets it. */
static void clear(const lc_layer *layer, lc_map d_in)
{
    if (d_in.data != NULL && !layer->sets_d_in)
        memset(d_in.data, 0, ((d_in.T - 1) * d_in.row + d_in.F * d_in.C) * sizeof(float));
}

static double run_batch(bench *b, const lc_pass *pass, size_t batch)
{
    const lc_layer *layer = b->layer;
    double start = now();
    layer->ops->pack(layer, b->params + layer->params.at, b->packed + layer->packed.at);
    memset(pass->grads, 0, layer->grads.size * sizeof(float));
    for (size_t i = 0; i < batch; i++) {
        clear(layer, pass->d_in);
        layer->ops->forward(layer, pass);
        layer->ops->backward(layer, pass);
    }
    layer->ops->unpack(layer, pass->grads, b->d_params + layer->params.at);
    return now() - start;
}

static void run(bench *b, size_t index, size_t batch, double seconds)
{
    lc_rng rng = lc_rng_seed(1);
    b->layer = &b->net.layers[index];
    lc_net_init(&b->net, b->params, 1, 0, &rng);
    lc_tape_input(&b->tape, &b->net, b->T);
    lc_pass pass = {
        .kernels = b->net.kernels,
        .packed = b->packed + b->layer->packed.at,
        .grads = b->grads + b->layer->grads.at,
        .keep = b->tape.keep[index],
        .scratch = b->tape.scratch,
        .in = b->tape.maps[index],
        .out = b->tape.maps[index + 1],
        .d_in = b->tape.d_maps[index],
        .d_out = b->tape.d_maps[index + 1],
        .end = b->T,
        .d_in_held = !b->layer->sets_d_in,
    };
    fill(pass.in, &rng);
    fill(pass.d_out, &rng);
    double best = 1e9, end = now() + seconds;
    for (size_t i = 0; i < 3 || now() < end; i++) {
        double took = run_batch(b, &pass, batch);
        best = took < best ? took : best;
    }
    printf("{\"ms\":%.4f,\"mb\":%.1f}\n", 1e3 * best, peak_mb());
}

int main(int argc, char **argv)
{
    static bench b;
    loco_err err;
    if (argc != 8)
        return fail("usage: layer LINE F C INDEX BATCH FRAMES SECONDS");
    size_t F = strtoul(argv[2], NULL, 10), C = strtoul(argv[3], NULL, 10), index = strtoul(argv[4], NULL, 10);
    size_t batch = strtoul(argv[5], NULL, 10);
    b.T = strtoul(argv[6], NULL, 10);
    if (lc_net_parse(&b.net, argv[1], strlen(argv[1]), F, C, &err) != LOCO_OK)
        return fail(err.text);
    if (index >= b.net.layers_len || batch < 1 || batch > 4096 || b.T < 1 || b.T > 4096)
        return fail("INDEX must be a layer of the line; 1 to 4096 sequences, 1 to 4096 frames");
    if (!allocate(&b))
        return fail("out of memory");
    run(&b, index, batch, strtod(argv[7], NULL));
    return 0;
}
