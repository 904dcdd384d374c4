/* SPDX-License-Identifier: MIT
 * image_body.h - Winograd's F(4x4, 3x3) on tiles of an image, ReLU and max-pooling of squares. Needs LANES and TABLE.
 *
 * The matrices are those of winograd.c, used twice: y = A^T [(G g G^T) * (B^T d B)] A. A tile is worked on for LANES
 * channels at a time, first along its columns, then along its rows, with the 36 vectors between on the stack: they do
 * not fit the registers, and stay in the first cache. */
#include "nn/image_kernels.h"

#include <string.h>

#include "nn/vector_body.h"

enum { IN = 6, OUT = 4, TAPS = 3 };

/* ---- one dimension: rows of `s` vectors ---- */

/* B^T: six pixels to six points. */
INLINE void points_of_pixels(vec *v, size_t s, const vec *d, size_t ds)
{
    vec d0 = d[0], d1 = d[ds], d2 = d[2 * ds], d3 = d[3 * ds], d4 = d[4 * ds], d5 = d[5 * ds];
    vec even = d4 - 4.0f * d2, odd = d3 - 4.0f * d1, far = d4 - d2, twice = 2.0f * (d3 - d1);
    v[0] = 4.0f * d0 - 5.0f * d2 + d4;
    v[s] = even + odd;
    v[2 * s] = even - odd;
    v[3 * s] = far + twice;
    v[4 * s] = far - twice;
    v[5 * s] = 4.0f * d1 - 5.0f * d3 + d5;
}

/* A^T: six points to four pixels. */
INLINE void pixels_of_points(vec *y, size_t s, const vec *m, size_t ms)
{
    vec sum = m[ms] + m[2 * ms], gap = m[ms] - m[2 * ms];
    vec wide_sum = m[3 * ms] + m[4 * ms], wide_gap = m[3 * ms] - m[4 * ms];
    y[0] = m[0] + sum + wide_sum;
    y[s] = gap + 2.0f * wide_gap;
    y[2 * s] = sum + 4.0f * wide_sum;
    y[3 * s] = gap + 8.0f * wide_gap + m[5 * ms];
}

/* A: the gradient of four pixels to that of six points. */
INLINE void d_points_of_pixels(vec *m, size_t s, const vec *d, size_t ds)
{
    vec d0 = d[0], d1 = d[ds], d2 = d[2 * ds], d3 = d[3 * ds];
    vec even = d0 + d2, odd = d1 + d3, wide_even = d0 + 4.0f * d2, wide_odd = 2.0f * d1 + 8.0f * d3;
    m[0] = d0;
    m[s] = even + odd;
    m[2 * s] = even - odd;
    m[3 * s] = wide_even + wide_odd;
    m[4 * s] = wide_even - wide_odd;
    m[5 * s] = d3;
}

/* B: the gradient of six points to that of six pixels. */
INLINE void d_pixels_of_points(vec *d, size_t s, const vec *v, size_t vs)
{
    vec v0 = v[0], v5 = v[5 * vs];
    vec sum = v[vs] + v[2 * vs], gap = v[vs] - v[2 * vs];
    vec wide_sum = v[3 * vs] + v[4 * vs], wide_gap = v[3 * vs] - v[4 * vs];
    d[0] = 4.0f * v0;
    d[s] = 4.0f * v5 - 4.0f * gap - 2.0f * wide_gap;
    d[2 * s] = -5.0f * v0 - 4.0f * sum - wide_sum;
    d[3 * s] = gap + 2.0f * wide_gap - 5.0f * v5;
    d[4 * s] = v0 + sum + wide_sum;
    d[5 * s] = v5;
}

/* G^T: the gradient of six points to that of three taps. */
INLINE void d_taps_of_points(vec *g, size_t s, const vec *u, size_t us)
{
    vec sum = (u[us] + u[2 * us]) * (1.0f / 6), gap = (u[us] - u[2 * us]) * (1.0f / 6);
    vec wide_sum = u[3 * us] + u[4 * us], wide_gap = u[3 * us] - u[4 * us];
    g[0] = 0.25f * u[0] - sum + wide_sum * (1.0f / 24);
    g[s] = wide_gap * (1.0f / 12) - gap;
    g[2 * s] = wide_sum * (1.0f / 6) - sum + u[5 * us];
}

/* ---- one tile ---- */

static void tile_in(float *v, size_t plane, const float *in, size_t row, size_t pixel, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec t[IN * IN], line[IN];
        for (size_t x = 0; x < IN; x++) {
            for (size_t y = 0; y < IN; y++)
                line[y] = load(in + y * row + x * pixel + i);
            points_of_pixels(t + x, IN, line, 1);
        }
        for (size_t y = 0; y < IN; y++) {
            points_of_pixels(line, 1, t + y * IN, 1);
            for (size_t x = 0; x < IN; x++)
                store(v + (y * IN + x) * plane + i, line[x]);
        }
    }
}

static void tile_out(float *out, size_t row, size_t pixel, const float *m, size_t plane, const float *bias, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec t[OUT * IN], line[IN], b = load(bias + i);
        for (size_t x = 0; x < IN; x++) {
            for (size_t y = 0; y < IN; y++)
                line[y] = load(m + (y * IN + x) * plane + i);
            pixels_of_points(t + x, IN, line, 1);
        }
        for (size_t y = 0; y < OUT; y++) {
            pixels_of_points(line, 1, t + y * IN, 1);
            for (size_t x = 0; x < OUT; x++)
                store(out + y * row + x * pixel + i, line[x] + b);
        }
    }
}

static void tile_d_out(float *m, size_t plane, const float *d_out, size_t row, size_t pixel, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec t[IN * OUT], line[IN];
        for (size_t x = 0; x < OUT; x++) {
            for (size_t y = 0; y < OUT; y++)
                line[y] = load(d_out + y * row + x * pixel + i);
            d_points_of_pixels(t + x, OUT, line, 1);
        }
        for (size_t y = 0; y < IN; y++) {
            d_points_of_pixels(line, 1, t + y * OUT, 1);
            for (size_t x = 0; x < IN; x++)
                store(m + (y * IN + x) * plane + i, line[x]);
        }
    }
}

static void tile_d_in(float *d_in, size_t row, size_t pixel, const float *d_v, size_t plane, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec t[IN * IN], line[IN];
        for (size_t x = 0; x < IN; x++) {
            for (size_t y = 0; y < IN; y++)
                line[y] = load(d_v + (y * IN + x) * plane + i);
            d_pixels_of_points(t + x, IN, line, 1);
        }
        for (size_t y = 0; y < IN; y++) {
            d_pixels_of_points(line, 1, t + y * IN, 1);
            for (size_t x = 0; x < IN; x++) {
                float *to = d_in + y * row + x * pixel + i;
                store(to, load(to) + line[x]);
            }
        }
    }
}

/* ---- weights ---- */

static void d_weights(float *d_w, size_t d_tap, const float *d_u, size_t plane, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec t[TAPS * IN], line[IN];
        for (size_t x = 0; x < IN; x++) {
            for (size_t y = 0; y < IN; y++)
                line[y] = load(d_u + (y * IN + x) * plane + i);
            d_taps_of_points(t + x, IN, line, 1);
        }
        for (size_t y = 0; y < TAPS; y++) {
            d_taps_of_points(line, 1, t + y * IN, 1);
            for (size_t x = 0; x < TAPS; x++) {
                float *to = d_w + (y * TAPS + x) * d_tap + i;
                store(to, load(to) + line[x]);
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
