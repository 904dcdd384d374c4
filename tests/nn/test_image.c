/* SPDX-License-Identifier: MIT
 * test_image.c - layers of images: their shapes, the layer against its definition in double, and blocks of frames
 *   against one frame at a time. Gradients by differences are in test_gradients.c, lines in test_line.c. */
#include "nets.h"

static void shapes(void)
{
    lc_net net;
    net_of(&net, "image 10x7 4 5, pool 2x2, norm, image 6, pool 2x2, image 7, dense 3", 70, 1);
    CHECK(net.layers[0].out.height == 5 && net.layers[0].out.width == 3);
    CHECK(net.layers[0].out.F == 15 && net.layers[0].out.C == 5);
    CHECK(net.layers[2].out.height == 2 && net.layers[2].out.width == 1 && net.layers[2].out.C == 6);
    CHECK(net.layers[3].out.F == 2 && net.layers[3].out.C == 7);
    CHECK_EQ(net.params, 10 * 4 + 37 * 5 + net.layers[1].params.size + 46 * 6 + 55 * 7 + 15 * 3);
    CHECK_EQ(net.look_ahead, 0);
    /* the same frame, as bins or as channels */
    net_of(&net, "image 10x7 4", 70, 3);
    CHECK_EQ(net.params, (9 * 3 + 1) * 4);
    net_of(&net, "image 10x7 4", 210, 1);
    CHECK_EQ(net.params, (9 * 3 + 1) * 4);
}

/* A map that few channels made is computed again; one that many made is kept. */
static void what_is_kept(void)
{
    lc_net net;
    net_of(&net, "image 32x32 64 64, pool 2x2, image 128 128, pool 2x2", 1024, 1);
    CHECK_EQ(net.layers[0].keep, 16 * 16 * 64 / 4);
    CHECK_EQ(net.layers[1].keep, 8 * 8 * 128 / 4 + 16 * 16 * 128);
}

/* ---- by definition ---- */

/* z of one 3x3 convolution, then ReLU. params: weights (3, 3, c, n), biases. */
static void convolve(const double *in, double *out, const float *params, size_t H, size_t W, size_t c, size_t n)
{
    for (size_t i = 0; i < H * W * n; i++) {
        size_t b = i % n, x = i / n % W, y = i / n / W;
        double z = (double)params[9 * c * n + b];
        for (size_t tap = 0; tap < 9; tap++) {
            size_t from_y = y + tap / 3, from_x = x + tap % 3;
            for (size_t a = 0; from_y >= 1 && from_y <= H && from_x >= 1 && from_x <= W && a < c; a++)
                z += in[((from_y - 1) * W + from_x - 1) * c + a] * (double)params[(tap * c + a) * n + b];
        }
        out[i] = fmax(z, 0);
    }
}

static double pooled(const double *z, size_t W, size_t n, size_t y, size_t x, size_t b)
{
    const double *square = z + (2 * y * W + 2 * x) * n + b;
    return fmax(fmax(square[0], square[n]), fmax(square[W * n], square[(W + 1) * n]));
}

static void layers_are_what_they_say(void)
{
    enum { H = 7, W = 10, A = 9, B = 4, FRAMES = 3, C = 2 };
    net_case *c = net_case_new("image 7x10 9 4, pool 2x2", (size_t)H * W, C, FRAMES, 5);
    static double in[H * W * C], middle[H * W * A], z[H * W * B];
    lc_map out = net_case_run(c, NULL);
    double worst = 0;
    for (size_t t = 0; t < FRAMES; t++) {
        for (size_t i = 0; i < (size_t)H * W * C; i++)
            in[i] = (double)c->frames[t * H * W * C + i];
        convolve(in, middle, c->params, H, W, C, A);
        convolve(middle, z, c->params + (9 * C + 1) * A, H, W, A, B);
        for (size_t i = 0; i < c->net.classes; i++)
            worst_note(&worst, (double)out.data[t * out.row + i],
                       pooled(z, W, B, i / B / (W / 2), i / B % (W / 2), i % B), 1);
    }
    CHECK_EQ(c->net.classes, (size_t)(H / 2) * (W / 2) * B);
    CHECK_NEAR(worst, 0, 1e-4);
    net_case_free(c);
}

/* ---- blocks ---- */

/* Runs T frames from `begin` on, forward and back with d_out = 1 - output, adding to the gradient. */
static void run_part(net_case *c, size_t begin, size_t T, float *outputs)
{
    size_t size = c->net.in_F * c->net.in_C, K = c->net.classes;
    lc_map in = lc_tape_input(&c->tape, &c->net, T);
    for (size_t t = 0; t < T; t++)
        memcpy(in.data + t * in.row, c->frames + (begin + t) * size, size * sizeof(float));
    lc_map out = lc_net_forward(&c->net, &c->tape, c->packed, NULL), d = lc_tape_d_output(&c->tape, &c->net);
    for (size_t t = 0; t < T; t++) {
        memcpy(outputs + (begin + t) * K, out.data + t * out.row, K * sizeof(float));
        for (size_t k = 0; k < K; k++)
            d.data[t * d.row + k] = 1 - out.data[t * out.row + k];
    }
    lc_net_backward(&c->net, &c->tape, c->packed, c->grads);
}

/* Frames do not see each other: a sequence of several blocks against each frame alone. */
static void check_blocks(const char *line, size_t F, size_t T)
{
    net_case *c = net_case_new(line, F, 1, T, 11);
    size_t K = c->net.classes;
    float *once = case_array(T * K, sizeof *once), *each = case_array(T * K, sizeof *each);
    float *d_once = case_array(c->net.params, sizeof *d_once);
    double worst = 0, d_worst = 0, largest = 0;
    lc_net_pack(&c->net, c->params, c->packed);
    run_part(c, 0, T, once);
    lc_net_unpack(&c->net, c->grads, d_once);
    memset(c->grads, 0, c->net.grads * sizeof(float));
    for (size_t t = 0; t < T; t++)
        run_part(c, t, 1, each);
    lc_net_unpack(&c->net, c->grads, c->d_params);
    for (size_t i = 0; i < T * K; i++)
        worst_note(&worst, (double)once[i], (double)each[i], 1);
    for (size_t i = 0; i < c->net.params; i++)
        largest = fmax(largest, fabs((double)d_once[i]));
    for (size_t i = 0; i < c->net.params; i++)
        worst_note(&d_worst, (double)d_once[i], (double)c->d_params[i], largest);
    CHECK_NEAR(worst, 0, 1e-5);
    CHECK_NEAR(d_worst, 0, 1e-5);
    free(once);
    free(each);
    free(d_once);
    net_case_free(c);
}

static void blocks_are_frames(void)
{
    check_blocks("image 9x8 8 9, pool 2x2, image 17 3, pool 2x2, image 4 5, pool 2x2, dense 2", 72, 100);
    check_blocks("image 2x2 18 3, dense 2", 4, 197);
    check_blocks("image 1x3 2 2 2 2", 3, 97);
}

int main(void)
{
    RUN(shapes);
    RUN(what_is_kept);
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa) || setenv("LOCO_KERNELS", lc_isa_name(isa), 1) != 0)
            continue;
        printf("%s\n", lc_isa_name(isa));
        RUN(layers_are_what_they_say);
        RUN(blocks_are_frames);
    }
    return check_done();
}
