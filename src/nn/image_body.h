/* SPDX-License-Identifier: MIT
 * image_body.h - Winograd's F(4x4, 3x3) on tiles of an image, ReLU and max-pooling of squares. Needs LANES and TABLE.
 *
 * The matrices of six points are those of winograd_weights.c, used twice: y = A^T [(G g G^T) * (B^T d B)] A. A tile is
 * worked on for LANES channels at a time, first along its columns, then along its rows, with the 36 vectors between on
 * the stack: they do not fit the registers, and stay in the first cache. */
#include "nn/image_kernels.h"

#include <string.h>

#include "nn/vector_body.h"

enum { IN = 6, OUT = 4, TAPS = 3 };

#include "nn/points_body.h"

/* G^T: the gradient of six points to that of three taps. */
INLINE void d_taps_of_points(vec g[TAPS], const vec u[IN])
{
    vec sum = u[1] + u[2], gap = u[1] - u[2], far_sum = u[3] + u[4], far_gap = u[3] - u[4];
    g[0] = u[0] - sum * (2.0f / 3) + far_sum * (1.0f / 6);
    g[1] = far_gap * (FAR / 6) - gap * (2 * NEAR / 3);
    g[2] = (far_sum - sum) * (1.0f / 3) + u[5];
}

/* ---- one tile ---- */

/* V = B^T d B: t[x] is column x of the tile, transformed along y; the second loop transforms along x. The other three
 * follow the same two steps. */
static void tile_in(float *v, size_t plane, const float *in, size_t row, size_t pixel, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec t[IN][IN], line[IN], points[IN];
        for (size_t x = 0; x < IN; x++) {
            for (size_t y = 0; y < IN; y++)
                line[y] = load(in + y * row + x * pixel + i);
            to_points(t[x], line);
        }
        for (size_t y = 0; y < IN; y++) {
            for (size_t x = 0; x < IN; x++)
                line[x] = t[x][y];
            to_points(points, line);
            for (size_t x = 0; x < IN; x++)
                store(v + (y * IN + x) * plane + i, points[x]);
        }
    }
}

/* out = A^T M A + bias: 36 points to 4x4 pixels. */
static void tile_out(float *out, size_t row, size_t pixel, const float *m, size_t plane, const float *bias, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec t[IN][OUT + 1], line[IN], pixels[OUT + 1], b = load(bias + i);
        for (size_t x = 0; x < IN; x++) {
            for (size_t y = 0; y < IN; y++)
                line[y] = load(m + (y * IN + x) * plane + i);
            to_outputs(t[x], line, OUT);
        }
        for (size_t y = 0; y < OUT; y++) {
            for (size_t x = 0; x < IN; x++)
                line[x] = t[x][y];
            to_outputs(pixels, line, OUT);
            for (size_t x = 0; x < OUT; x++)
                store(out + y * row + x * pixel + i, pixels[x] + b);
        }
    }
}

/* M = A d A^T, the transpose of tile_out. */
static void tile_d_out(float *m, size_t plane, const float *d_out, size_t row, size_t pixel, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec t[OUT][IN], line[OUT + 1], points[IN];
        for (size_t x = 0; x < OUT; x++) {
            for (size_t y = 0; y < OUT; y++)
                line[y] = load(d_out + y * row + x * pixel + i);
            from_outputs(t[x], line, OUT);
        }
        for (size_t y = 0; y < IN; y++) {
            for (size_t x = 0; x < OUT; x++)
                line[x] = t[x][y];
            from_outputs(points, line, OUT);
            for (size_t x = 0; x < IN; x++)
                store(m + (y * IN + x) * plane + i, points[x]);
        }
    }
}

/* d_in += B dV B^T, the transpose of tile_in. Added, since neighbouring tiles share two rows and columns of pixels. */
static void tile_d_in(float *d_in, size_t row, size_t pixel, const float *d_v, size_t plane, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec t[IN][IN], line[IN], pixels[IN];
        for (size_t x = 0; x < IN; x++) {
            for (size_t y = 0; y < IN; y++)
                line[y] = load(d_v + (y * IN + x) * plane + i);
            from_points(t[x], line);
        }
        for (size_t y = 0; y < IN; y++) {
            for (size_t x = 0; x < IN; x++)
                line[x] = t[x][y];
            from_points(pixels, line);
            for (size_t x = 0; x < IN; x++) {
                float *to = d_in + y * row + x * pixel + i;
                store(to, load(to) + pixels[x]);
            }
        }
    }
}

/* ---- weights ---- */

/* d_w += G^T dU G. */
static void d_weights(float *d_w, size_t d_tap, const float *d_u, size_t plane, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec t[IN][TAPS], line[IN], taps[TAPS];
        for (size_t x = 0; x < IN; x++) {
            for (size_t y = 0; y < IN; y++)
                line[y] = load(d_u + (y * IN + x) * plane + i);
            d_taps_of_points(t[x], line);
        }
        for (size_t y = 0; y < TAPS; y++) {
            for (size_t x = 0; x < IN; x++)
                line[x] = t[x][y];
            d_taps_of_points(taps, line);
            for (size_t x = 0; x < TAPS; x++) {
                float *to = d_w + (y * TAPS + x) * d_tap + i;
                store(to, load(to) + taps[x]);
            }
        }
    }
}

/* ---- ReLU and pooling ---- */

INLINE vec positive(vec x)
{
    return choose(x > splat(0), x, splat(0));
}

static void relu(float *z, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        store(z + i, positive(load(z + i)));
}

/* One vector of channels after the other, so that its sum for the bias stays in a register. */
static void relu_back(float *d, float *d_bias, const float *z, size_t pixels, size_t wide)
{
    for (size_t i = 0; i < wide; i += LANES) {
        vec sum = {0};
        for (size_t p = 0; p < pixels; p++) {
            vec x = choose(load(z + p * wide + i) > splat(0), load(d + p * wide + i), splat(0));
            store(d + p * wide + i, x);
            sum += x;
        }
        store(d_bias + i, load(d_bias + i) + sum);
    }
}

typedef int8_t bytes __attribute__((vector_size(LANES)));

/* One output pixel from the square that begins at z; of equals the first wins, as in pointwise_body.h. */
INLINE void pool_square(const lc_image_pool *p, const float *z, float *y, uint8_t *which, size_t squares)
{
    for (size_t i = 0; i < p->wide; i += LANES) {
        vec best = load(z + i);
        ivec winner = {0};
        for (size_t j = 1; j < squares; j++) {
            vec other = load(z + j / 2 * p->row + j % 2 * p->wide + i);
            ivec more = other > best;
            best = choose(more, other, best);
            winner = (winner & ~more) | ((int32_t)j & more);
        }
        ivec above = best > splat(0);
        bytes narrow = __builtin_convertvector(winner | ~above, bytes);
        memcpy(which + i, &narrow, sizeof narrow);
        if (i < p->n)
            store_part(y, choose(above, best, splat(0)), i, p->n);
    }
}

/* The pixel that won gets the gradient, the others of its square 0; -1, where none was positive, matches no pixel. */
INLINE void unpool_square(const lc_image_pool *p, float *dz, const float *dy, const uint8_t *which, size_t squares)
{
    for (size_t i = 0; i < p->wide; i += LANES) {
        bytes narrow;
        memcpy(&narrow, which + i, sizeof narrow);
        ivec winner = __builtin_convertvector(narrow, ivec);
        vec d = i < p->n ? choose(winner >= 0, load_part(dy, i, p->n), splat(0)) : splat(0);
        for (size_t j = 0; j < squares; j++)
            store(dz + j / 2 * p->row + j % 2 * p->wide + i, choose(winner == (int32_t)j, d, splat(0)));
        store(p->d_bias + i, load(p->d_bias + i) + d);
    }
}

/* Constants for the number of pixels of a square, so that the loops over it unroll. */
static void pool(const lc_image_pool *p)
{
    for (size_t y = 0; y < p->height; y++) {
        for (size_t x = 0; x < p->width; x++) {
            size_t at = y * p->width + x;
            const float *z = p->z + (y * p->row + x * p->wide) * p->pool;
            if (p->pool == 2)
                pool_square(p, z, p->y + at * p->n, p->which + at * p->wide, 4);
            else
                pool_square(p, z, p->y + at * p->n, p->which + at * p->wide, 1);
        }
    }
}

static void unpool(const lc_image_pool *p)
{
    for (size_t y = 0; y < p->height; y++) {
        for (size_t x = 0; x < p->width; x++) {
            size_t at = y * p->width + x;
            float *dz = p->dz + (y * p->row + x * p->wide) * p->pool;
            if (p->pool == 2)
                unpool_square(p, dz, p->dy + at * p->n, p->which + at * p->wide, 4);
            else
                unpool_square(p, dz, p->dy + at * p->n, p->which + at * p->wide, 1);
        }
    }
}

const lc_image_kernels TABLE = {
    .tile_in = tile_in,
    .tile_out = tile_out,
    .tile_d_out = tile_d_out,
    .tile_d_in = tile_d_in,
    .d_weights = d_weights,
    .relu = relu,
    .relu_back = relu_back,
    .pool = pool,
    .unpool = unpool,
};
