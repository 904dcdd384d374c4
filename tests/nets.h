/* SPDX-License-Identifier: MIT
 * nets.h - a network from its line, with weights, one sequence and the memory to run it, for the tests of the engine.
 *   What layers keep and their scratch start as NaNs, so that whatever is read before it was written shows. */
#ifndef TESTS_NETS_H
#define TESTS_NETS_H

#include "cases.h"

#include "nn/net.h"

typedef struct net_case {
    lc_net net;
    lc_tape tape;
    lc_block block;
    size_t T;
    float *params, *packed, *grads, *d_params;
    float *frames; /* (T, F*C) */
} net_case;

/* The network of a line, or the end of the test. */
static inline void net_of(lc_net *net, const char *line, size_t F, size_t C)
{
    loco_err err;
    if (lc_net_parse(net, line, strlen(line), F, C, &err) != LOCO_OK) {
        fprintf(stderr, "%s: %s\n", line, err.text);
        exit(1);
    }
}

static inline float *net_noise(lc_rng *rng, size_t n, double scale)
{
    float *x = case_array(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(scale * lc_rng_normal(rng));
    return x;
}

/* A tape in memory of its own. */
static inline void net_tape(lc_tape *tape, lc_block *block, const lc_net *net, size_t T)
{
    lc_arena arena = {0};
    lc_tape_layout(tape, net, T, &arena);
    if (!lc_block_reserve(block, arena.used))
        exit(1);
    memset(block->data, 0, block->size);
    arena = lc_arena_over(block);
    lc_tape_layout(tape, net, T, &arena);
    for (size_t i = 0; i < net->layers_len; i++)
        memset(tape->keep[i], 0xff, (T + 3) * net->layers[i].keep * sizeof(float));
    memset(tape->scratch, 0xff, (net->scratch + T * net->scratch_frame) * sizeof(float));
}

static inline net_case *net_case_new(const char *line, size_t F, size_t C, size_t T, uint64_t seed)
{
    net_case *c = case_array(1, sizeof *c);
    lc_rng rng = lc_rng_seed(seed);
    net_of(&c->net, line, F, C);
    c->T = T;
    net_tape(&c->tape, &c->block, &c->net, T);
    c->params = case_array(c->net.params, sizeof(float));
    c->packed = case_array(c->net.packed, sizeof(float));
    c->grads = case_array(c->net.grads, sizeof(float));
    c->d_params = case_array(c->net.params, sizeof(float));
    memset(c->packed, 0xff, c->net.packed * sizeof(float));
    lc_net_init(&c->net, c->params, 1, 0.1, &rng);
    for (size_t i = 0; i < c->net.params; i++)
        c->params[i] += (float)(0.1 * lc_rng_normal(&rng));
    c->frames = net_noise(&rng, T * F * C, 1);
    return c;
}

static inline void net_case_free(net_case *c)
{
    lc_block_free(&c->block);
    free(c->params);
    free(c->packed);
    free(c->grads);
    free(c->d_params);
    free(c->frames);
    free(c);
}

/* The output (T, classes). rng: NULL unless training. */
static inline lc_map net_case_run(net_case *c, lc_rng *rng)
{
    size_t size = c->net.in_F * c->net.in_C;
    lc_net_pack(&c->net, c->params, c->packed);
    lc_map in = lc_tape_input(&c->tape, &c->net, c->T);
    for (size_t t = 0; t < c->T; t++)
        memcpy(in.data + t * in.row, c->frames + t * size, size * sizeof(float));
    return lc_net_forward(&c->net, &c->tape, c->packed, rng);
}

#endif
