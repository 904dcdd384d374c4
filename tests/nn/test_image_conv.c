/* SPDX-License-Identifier: MIT
 * test_image_conv.c - one 3x3 convolution of images against its definition in double: outputs and all gradients, each
 *   way to compute it, odd sizes, as many images as a block takes and fewer, on every instruction set that runs here.
 *   */
#include "cases.h"

#include "nn/image_conv.h"

static const double tolerance = 2e-5; /* of the largest: Winograd's sums lose a digit or two of float */

typedef struct sample {
    size_t height, width, c, n, frames;
    lc_image_way way;
} sample;

static const sample samples[] = {
    {3,  3,  1,  5,  2,  LC_IMAGE_PATCHES},
    {1,  5,  2,  17, 3,  LC_IMAGE_PATCHES},
    {32, 32, 1,  64, 1,  LC_IMAGE_PATCHES},
    {9,  6,  7,  16, 4,  LC_IMAGE_PATCHES},
    {1,  1,  1,  1,  1,  LC_IMAGE_WHOLE  },
    {2,  1,  20, 3,  7,  LC_IMAGE_WHOLE  },
    {1,  2,  3,  33, 96, LC_IMAGE_WHOLE  },
    {2,  2,  17, 40, 13, LC_IMAGE_WHOLE  },
    {3,  1,  8,  3,  5,  LC_IMAGE_TILES  },
    {4,  4,  48, 16, 96, LC_IMAGE_TILES  },
    {8,  8,  16, 32, 5,  LC_IMAGE_TILES  },
    {5,  9,  19, 21, 3,  LC_IMAGE_TILES  },
    {17, 12, 33, 9,  2,  LC_IMAGE_TILES  },
};

static float *noise(lc_rng *rng, size_t n)
{
    float *x = case_array(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)lc_rng_normal(rng);
    return x;
}

/* The memory of one case; images as a network lays them out, with some floats between them. */
typedef struct run {
    sample s;
    lc_image_conv conv;
    lc_image_pass pass;
    float *params, *packed, *in, *out, *dz, *d_in, *d_params;
    size_t in_size, weights;
} run;

static run run_new(const sample *s, lc_rng *rng, lc_isa isa)
{
    run r = {.s = *s, .conv = lc_image_conv_of(s->height, s->width, s->c, s->n)};
    size_t pixels = s->height * s->width;
    r.in_size = pixels * s->c + 3;
    r.weights = LC_IMAGE_TAPS * s->c * s->n;
    r.params = noise(rng, r.weights + s->n);
    r.in = noise(rng, s->frames * r.in_size);
    r.d_in = case_array(s->frames * r.in_size, sizeof(float));
    r.out = case_array(s->frames * r.conv.out_size, sizeof(float));
    r.dz = case_array(s->frames * r.conv.out_size, sizeof(float));
    r.d_params = case_array(r.weights + s->n, sizeof(float));
    r.packed = case_array(lc_image_conv_packed(&r.conv), sizeof(float));
    r.pass = (lc_image_pass){.kernels = lc_nn_kernels_of(isa), .packed = r.packed, .frames = s->frames};
    r.pass.image = lc_image_kernels_for(r.pass.kernels);
    r.pass.grads = case_array(lc_image_conv_grads(&r.conv), sizeof(float));
    r.pass.scratch = case_array(lc_image_conv_scratch(&r.conv), sizeof(float));
    memset(r.packed, 0xff, lc_image_conv_packed(&r.conv) * sizeof(float));
    memset(r.pass.scratch, 0xff, lc_image_conv_scratch(&r.conv) * sizeof(float));
    return r;
}

static void run_free(run *r)
{
    float *all[] = {r->params, r->packed, r->in, r->out, r->dz, r->d_in, r->d_params, r->pass.grads, r->pass.scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static lc_images images_in(const run *r, float *data)
{
    return (lc_images){.data = data, .frame = r->in_size, .row = r->s.width * r->s.c, .pixel = r->s.c};
}

static size_t out_at(const run *r, size_t f, size_t y, size_t x)
{
    return f * r->conv.out_size + y * r->conv.out_row + x * r->conv.wide_n;
}

/* For each pair of an output pixel and an input pixel that it sees: z += w in, d_in += w dz, d_w += in dz. */
static void by_definition(const run *r, double *z, double *d_in, double *d_w)
{
    size_t H = r->s.height, W = r->s.width, c = r->s.c, n = r->s.n;
    for (size_t i = 0; i < r->s.frames * H * W * LC_IMAGE_TAPS; i++) {
        size_t tap = i % 9, x = i / 9 % W, y = i / 9 / W % H, f = i / 9 / W / H;
        size_t from_y = y + tap / 3, from_x = x + tap % 3; /* one too many each */
        if (from_y < 1 || from_y > H || from_x < 1 || from_x > W)
            continue;
        size_t at = f * r->in_size + ((from_y - 1) * W + from_x - 1) * c, to = out_at(r, f, y, x);
        for (size_t a = 0; a < c; a++) {
            for (size_t b = 0; b < n; b++) {
                size_t w = (tap * c + a) * n + b;
                z[to + b] += (double)r->in[at + a] * (double)r->params[w];
                d_in[at + a] += (double)r->dz[to + b] * (double)r->params[w];
                d_w[w] += (double)r->in[at + a] * (double)r->dz[to + b];
            }
        }
    }
}

/* The largest error, as part of the largest value. */
static double distance(const float *x, const double *right, size_t n)
{
    double largest = 0, worst = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(right[i]));
    for (size_t i = 0; i < n; i++)
        worst_note(&worst, (double)x[i], right[i], largest);
    return worst;
}

/* Outputs without the pixels where tiles reach over the end and the padding channels, in both arrays. */
static void cut_rest(const run *r, float *out, double *right)
{
    for (size_t i = 0; i < r->s.frames * r->conv.out_size; i++) {
        size_t b = i % r->conv.wide_n, x = i % r->conv.out_row / r->conv.wide_n;
        size_t y = i % r->conv.out_size / r->conv.out_row;
        if (b >= r->s.n || x >= r->s.width || y >= r->s.height)
            out[i] = 0, right[i] = 0;
        else
            right[i] += (double)r->params[r->weights + b];
    }
}

static void check_sample(const sample *s, lc_isa isa, uint64_t seed)
{
    lc_rng rng = lc_rng_seed(seed);
    run r = run_new(s, &rng, isa);
    size_t outs = s->frames * r.conv.out_size, ins = s->frames * r.in_size;
    double *z = case_array(outs, sizeof *z), *d_in = case_array(ins, sizeof *d_in);
    double *d_w = case_array(r.weights, sizeof *d_w);
    CHECK(r.conv.way == s->way && s->frames <= r.conv.frames);
    for (size_t i = 0; i < s->frames * s->height * s->width * s->n; i++) {
        size_t b = i % s->n, x = i / s->n % s->width, y = i / s->n / s->width % s->height;
        r.dz[out_at(&r, i / s->n / s->width / s->height, y, x) + b] = (float)lc_rng_normal(&rng);
    }
    by_definition(&r, z, d_in, d_w);
    lc_image_conv_pack(&r.conv, r.params, r.packed);
    lc_images out = {.data = r.out, .frame = r.conv.out_size, .row = r.conv.out_row, .pixel = r.conv.wide_n};
    lc_image_conv_forward(&r.conv, &r.pass, images_in(&r, r.in), out);
    cut_rest(&r, r.out, z);
    /* twice, so that a gradient that is set where it should be added shows */
    lc_image_conv_backward(&r.conv, &r.pass, images_in(&r, r.in), r.dz, images_in(&r, r.d_in));
    lc_image_conv_backward(&r.conv, &r.pass, images_in(&r, r.in), r.dz, images_in(&r, NULL));
    lc_image_conv_unpack(&r.conv, r.pass.grads, r.d_params);
    for (size_t i = 0; i < r.weights; i++)
        d_w[i] *= 2;
    double errors[] = {distance(r.out, z, outs), distance(r.d_in, d_in, ins), distance(r.d_params, d_w, r.weights)};
    printf("    %zux%zu, %zu to %zu channels: %.1e %.1e %.1e\n", s->height, s->width, s->c, s->n, errors[0], errors[1],
           errors[2]);
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(errors[i], 0, tolerance);
    free(z);
    free(d_in);
    free(d_w);
    run_free(&r);
}

int main(void)
{
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa))
            continue;
        printf("%s\n", lc_isa_name(isa));
        for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
            check_sample(&samples[i], isa, i + 1);
    }
    return check_done();
}
