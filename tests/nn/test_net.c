/* SPDX-License-Identifier: MIT
 * test_net.c - the memory of a network: sequences of any length on one tape, each as on a tape of its own, forward and
 *   back; blocks of time against all frames at once; weights at the start; packed weights and back. */
#include "nets.h"

enum { F = 7, C = 2, LONGEST = 30 };

static const char *const lines[] = {
    "conv 3x3 4, pool 2, conv 5x3 6 norm, conv 3x2 3 causal linear, dense 3",
    "conv 4x3 4 as c, conv 1x3 4 stride 2, lstm 5, join c, dense 2",
    "gather -1 0 1, conv 9x3 4 norm, gru 5 both, dropout 0.3, dense 2",
    "conv 3x8 9, pool 2, conv 3x3 17 causal norm, conv 3x3 5, dense 2",
    "norm, bias as b, lstm 4 both, join b, conv 3x1 4, dense 2",
};

enum { LINES = sizeof lines / sizeof *lines };

/* Forward and back on the first T frames; the gradient of the packed weights goes to grads. */
static lc_map run(net_case *c, lc_tape *tape, size_t T, float *grads)
{
    size_t size = c->net.in_F * c->net.in_C, K = c->net.classes;
    lc_rng rng = lc_rng_seed(T);
    lc_map in = lc_tape_input(tape, &c->net, T);
    for (size_t t = 0; t < T; t++)
        memcpy(in.data + t * in.row, c->frames + t * size, size * sizeof(float));
    lc_map out = lc_net_forward(&c->net, tape, c->packed, &rng);
    lc_map d = lc_tape_d_output(tape, &c->net);
    for (size_t t = 0; t < T; t++)
        for (size_t k = 0; k < K; k++)
            d.data[t * d.row + k] = (float)lc_rng_normal(&rng);
    memset(grads, 0, c->net.grads * sizeof(float));
    lc_net_backward(&c->net, tape, c->packed, grads);
    return out;
}

static void check_same(const net_case *c, lc_map a, lc_map b, size_t T)
{
    for (size_t t = 0; t < T; t++)
        CHECK(case_same(a.data + t * a.row, b.data + t * b.row, c->net.classes * sizeof(float)));
}

static void a_tape_takes_any_length(void)
{
    static const size_t lengths[] = {LONGEST, 3, 17, 1, 2, LONGEST, 9, 10, 5};
    for (size_t i = 0; i < LINES; i++) {
        net_case *c = net_case_new(lines[i], F, C, LONGEST, i + 1);
        float *grads = case_array(c->net.grads, sizeof *grads);
        lc_net_pack(&c->net, c->params, c->packed);
        for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
            lc_tape own;
            lc_block block = {0};
            net_tape(&own, &block, &c->net, lengths[n]);
            lc_map shared = run(c, &c->tape, lengths[n], c->grads), alone = run(c, &own, lengths[n], grads);
            check_same(c, shared, alone, lengths[n]);
            CHECK(case_same(c->grads, grads, c->net.grads * sizeof *grads));
            lc_block_free(&block);
        }
        free(grads);
        net_case_free(c);
    }
}

/* ---- blocks of time ---- */

static const char *const chains[] = {
    "conv 3x4 8, pool 2, conv 3x4 16, pool 2, conv 3x4 16, conv 3x4 16 causal, lstm 4, dense 2",
    "conv 3x3 4 as c, conv 5x3 6 norm, conv 3x3 8, conv 3x2 9 causal, conv 3x8 3 linear, join c, dense 2",
    "bias, conv 2x3 8 as c, conv 3x4 16, conv 3x4 16, join c, conv 3x3 16, conv 1x3 2",
    "conv 1x1 1, conv 3x4 8, pool 2, conv 3x4 16, conv 3x4 16, dense 2", /* 36 bins: two layers of five frames */
    "conv 1x1 8, conv 3x4 16 causal norm, conv 3x4 16, conv 3x3 16, conv 3x4 8, dense 2",
};

enum { BINS = 73 };

/* The largest distance, as part of the largest number. */
static double distance(const float *a, const float *b, size_t n)
{
    double most = 0, apart = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs((double)b[i]));
        worst_note(&apart, (double)a[i], (double)b[i], 1);
    }
    return apart > 0 ? apart / most : 0;
}

/* Outputs are the same, bit for bit; gradients are sums in another order. */
static void check_blocks(net_case *c, size_t T)
{
    net_case *whole = case_array(1, sizeof *whole);
    *whole = *c;
    for (size_t i = 0; i < whole->net.layers_len; i++)
        whole->net.layers[i].block = 0;
    whole->grads = case_array(c->net.grads, sizeof(float));
    whole->block = (lc_block){0};
    net_tape(&whole->tape, &whole->block, &whole->net, T);
    lc_map out = run(c, &c->tape, T, c->grads), wanted = run(whole, &whole->tape, T, whole->grads);
    check_same(c, out, wanted, T);
    for (size_t i = 0; i < c->net.layers_len; i++) {
        const lc_layer *layer = &c->net.layers[i];
        if (layer->grads.size > 0)
            CHECK_NEAR(distance(c->grads + layer->grads.at, whole->grads + layer->grads.at, layer->grads.size), 0,
                       1e-5);
    }
    lc_block_free(&whole->block);
    free(whole->grads);
    free(whole);
}

static void blocks_of_time_change_nothing(void)
{
    static const size_t lengths[] = {203, 1, 5, 6, 12, 16, 17, 20, 21, 41, 49, 150, 203};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        net_case *c = net_case_new(chains[i], BINS, C, lengths[0], i + 1);
        lc_net_pack(&c->net, c->params, c->packed);
        for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
            check_blocks(c, lengths[n]);
        if (i == 3) /* else nothing would slide between two such layers */
            CHECK(c->net.layers[2].tile == LC_TILE_MAX && c->net.layers[3].tile == LC_TILE_MAX);
        net_case_free(c);
    }
}

/* A convolution that copies its input, which rises with the bins: the last of 64 neighbours wins, and has the gradient.
 * Half of the channels change its sign: none is positive, and none has one. */
static void the_last_neighbour_wins_or_none(void)
{
    enum { BINS_64 = 64, FRAMES = 11 };
    net_case *c = net_case_new("conv 3x4 8, pool 64", BINS_64, 1, FRAMES, 1);
    memset(c->params, 0, c->net.params * sizeof(float));
    for (size_t n = 0; n < 8; n++)
        c->params[(4 + c->net.layers[0].pad.left) * 8 + n] = n % 2 == 0 ? 1
                                                                        : -1; /* of the frame itself, and its own bin */
    for (size_t i = 0; i < (size_t)FRAMES * BINS_64; i++)
        c->frames[i] = (float)(1 + i % BINS_64);
    lc_net_pack(&c->net, c->params, c->packed);
    lc_map out = run(c, &c->tape, FRAMES, c->grads), d = c->tape.d_maps[1];
    memset(c->d_params, 0, c->net.params * sizeof(float));
    lc_net_unpack(&c->net, c->grads, c->d_params);
    for (size_t n = 0; n < 8; n++) {
        double sum = 0;
        for (size_t t = 0; t < FRAMES; t++) {
            CHECK_NEAR((double)out.data[t * out.row + n], n % 2 == 0 ? BINS_64 : 0, 1e-4);
            sum += n % 2 == 0 ? (double)d.data[t * d.row + n] : 0;
        }
        CHECK_NEAR((double)c->d_params[3 * 4 * 8 + n], sum, 1e-5);
    }
    net_case_free(c);
}

/* Unpacking the packed weights themselves gives what was packed, once for each time: layouts agree, and unpack adds. */
static void packed_rows_come_back(void)
{
    net_case *c = net_case_new("dense 17, dense 3", F, C, 2, 1);
    for (size_t i = 0; i < c->net.params; i++)
        c->params[i] = (float)(i + 1);
    lc_net_pack(&c->net, c->params, c->packed);
    for (size_t l = 0; l < 2; l++) {
        const lc_layer *layer = &c->net.layers[l];
        memcpy(c->grads + layer->grads.at, c->packed + layer->packed.at, layer->grads.size * sizeof(float));
    }
    memset(c->d_params, 0, c->net.params * sizeof(float));
    lc_net_unpack(&c->net, c->grads, c->d_params);
    CHECK(case_same(c->d_params, c->params, c->net.params * sizeof(float)));
    lc_net_unpack(&c->net, c->grads, c->d_params);
    CHECK_NEAR((double)c->d_params[5], 12, 0);
    net_case_free(c);
}

static double variance(const float *w, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)w[i] * (double)w[i];
    return sum / (double)n;
}

/* He: variance 2 / inputs; the output layer is scaled, and its biases are set. */
static void weights_start_well(void)
{
    lc_net net;
    lc_rng rng = lc_rng_seed(2);
    net_of(&net, "conv 3x3 40 norm, dense 50 relu, dense 30, dropout 0.1", 20, 4);
    float *params = case_array(net.params, sizeof *params);
    lc_net_init(&net, params, 0.1, -4, &rng);
    const lc_layer *conv = &net.layers[0], *dense = &net.layers[1], *output = &net.layers[2];
    CHECK_NEAR(variance(params, 36 * 40) * 36, 2, 0.3);
    CHECK_NEAR(variance(params + dense->params.at, 800 * 50) * 800, 2, 0.1);
    CHECK_NEAR(variance(params + output->params.at, 50 * 30) * 50, 0.02, 0.003);
    for (size_t n = 0; n < 40; n++) {
        const float *rest = params + conv->params.at + 36 * 40;
        CHECK(rest[n] == 0 && rest[40 + n] == 1 && rest[80 + n] == 0);
    }
    for (size_t n = 0; n < 30; n++)
        CHECK(params[output->params.at + 50 * 30 + n] == -4);
    for (size_t n = 0; n < 50; n++)
        CHECK(params[dense->params.at + 800 * 50 + n] == 0);
    free(params);
}

int main(void)
{
    RUN(a_tape_takes_any_length);
    RUN(blocks_of_time_change_nothing);
    RUN(the_last_neighbour_wins_or_none);
    RUN(packed_rows_come_back);
    RUN(weights_start_well);
    return check_done();
}
