/* SPDX-License-Identifier: MIT
 * winograd.c - convolutions of three frames with a half or a quarter of the multiplications: Winograd's minimal
 * filtering, F(4, 3) along time and, for kernels of r = 2 to 5 bins, F(7 - r, r) along frequency.
 */
#include "nn/winograd.h"

#include "nn/layer.h"

#include <string.h>

/* TILES_MIN: rows of a matrix product along frequency; narrow maps take several tiles of time together. */
enum { POINTS = LC_TILE_IN, TAPS = 3, TILES_MIN = 24 };

/* ---- sizes ---- */

/* Whether there are tiles along frequency too. */
static bool square(const lc_winograd *w)
{
    return w->kernel_f >= 2 && w->kernel_f <= 5 && w->c >= 8;
}

/* Bins from a tile to the next. */
static size_t step_of(const lc_winograd *w)
{
    return POINTS + 1 - w->kernel_f;
}

static size_t tiles_of(const lc_winograd *w)
{
    return (w->bins + step_of(w) - 1) / step_of(w);
}

/* Tiles of time of one call. */
static size_t group(const lc_winograd *w)
{
    return square(w) ? (TILES_MIN + tiles_of(w) - 1) / tiles_of(w) : 1;
}

/* Input bins that the windows cover, and bins of zeros before the outputs in a row of m. */
static size_t reach(const lc_winograd *w)
{
    return w->bins + w->kernel_f - 1;
}

static size_t zeros(const lc_winograd *w)
{
    return square(w) ? 0 : w->kernel_f - 1;
}

/* Bins of a row of v and of m. */
static size_t v_bins(const lc_winograd *w)
{
    return square(w) ? (tiles_of(w) - 1) * step_of(w) + POINTS : reach(w);
}

static size_t m_bins(const lc_winograd *w)
{
    return square(w) ? tiles_of(w) * step_of(w) : w->bins + 2 * zeros(w);
}

/* Floats of such a row, and of a plane of points along frequency. */
static size_t v_row(const lc_winograd *w)
{
    return v_bins(w) * LC_COLUMNS(w->c) + LC_OVERRUN;
}

static size_t m_row(const lc_winograd *w)
{
    return m_bins(w) * LC_COLUMNS(w->n) + LC_OVERRUN;
}

static size_t plane(const lc_winograd *w, size_t channels)
{
    return square(w) ? group(w) * tiles_of(w) * LC_COLUMNS(channels) + LC_OVERRUN : 0;
}

/* Matrices of weights for each point of time, and their rows. */
static size_t matrices(const lc_winograd *w)
{
    return square(w) ? POINTS : 1;
}

static size_t depth(const lc_winograd *w)
{
    return square(w) ? w->c : w->kernel_f * w->c;
}

size_t lc_winograd_frames(const lc_winograd *w)
{
    return LC_TILE * group(w);
}

size_t lc_winograd_weights(const lc_winograd *w)
{
    return POINTS * matrices(w) * depth(w) * LC_COLUMNS(w->n) + LC_OVERRUN;
}

size_t lc_winograd_back(const lc_winograd *w)
{
    return POINTS * (square(w) ? POINTS : w->kernel_f) * LC_COLUMNS(w->n) * LC_COLUMNS(w->c) + LC_OVERRUN;
}

size_t lc_winograd_scratch(const lc_winograd *w)
{
    return POINTS * (group(w) * (v_row(w) + m_row(w)) + plane(w, w->c) + plane(w, w->n)) + LC_OVERRUN;
}

/* ---- weights ---- */

/* Element (p, i) of G for so many taps. */
static double g_of(size_t p, size_t i, size_t taps)
{
    static const double point[] = {0, 0.70710678118654752, -0.70710678118654752, 1.4142135623730951,
                                   -1.4142135623730951};
    static const double scale[] = {1, -2.0 / 3, -2.0 / 3, 1.0 / 6, 1.0 / 6};
    if (p == POINTS - 1)
        return i + 1 == taps;
    double g = scale[p];
    for (; i > 0; i--)
        g *= point[p];
    return g;
}

/* What row k of matrix (p, q) has of row `from` of the weights as stored, (3, kernel_f * c) rows; the rows that have a
 * part in it are those with the same channel. */
static double part(const lc_winograd *w, size_t p, size_t q, size_t tap, size_t i)
{
    return g_of(p, tap, TAPS) * (square(w) ? g_of(q, i, w->kernel_f) : 1);
}

void lc_winograd_pack(const lc_winograd *w, const float *weight, float *packed)
{
    size_t width = LC_COLUMNS(w->n), d = depth(w), taps_f = square(w) ? w->kernel_f : 1;
    memset(packed, 0, lc_winograd_weights(w) * sizeof *packed);
    for (size_t p = 0; p < POINTS; p++)
        for (size_t q = 0; q < matrices(w); q++, packed += d * width)
            for (size_t tap = 0; tap < TAPS; tap++)
                for (size_t i = 0; i < taps_f; i++) {
                    float g = (float)part(w, p, q, tap, i);
                    const float *from = weight + (tap * taps_f + i) * d * w->n;
                    for (size_t k = 0; k < d; k++)
                        for (size_t n = 0; n < w->n; n++)
                            packed[k * width + n] += g * from[k * w->n + n];
                }
}

/* Rows n, columns c, of every matrix; along frequency by overlapping windows, taps from the last to the first. */
void lc_winograd_pack_back(const lc_winograd *w, const float *packed, float *back)
{
    size_t width = LC_COLUMNS(w->n), wide = LC_COLUMNS(w->c), each = square(w) ? POINTS : w->kernel_f;
    memset(back, 0, lc_winograd_back(w) * sizeof *back);
    for (size_t p = 0; p < POINTS; p++)
        for (size_t q = 0; q < each; q++, packed += w->c * width) {
            float *rows = back + (p * each + (square(w) ? q : each - 1 - q)) * width * wide;
            for (size_t c = 0; c < w->c; c++)
                for (size_t n = 0; n < w->n; n++)
                    rows[n * wide + c] = packed[c * width + n];
        }
}

void lc_winograd_unpack(const lc_winograd *w, const float *grads, float *d_weight)
{
    size_t width = LC_COLUMNS(w->n), d = depth(w), taps_f = square(w) ? w->kernel_f : 1;
    for (size_t p = 0; p < POINTS; p++)
        for (size_t q = 0; q < matrices(w); q++, grads += d * width)
            for (size_t tap = 0; tap < TAPS; tap++)
                for (size_t i = 0; i < taps_f; i++) {
                    float g = (float)part(w, p, q, tap, i);
                    float *to = d_weight + (tap * taps_f + i) * d * w->n;
                    for (size_t k = 0; k < d; k++)
                        for (size_t n = 0; n < w->n; n++)
                            to[k * w->n + n] += g * grads[k * width + n];
                }
}

/* ---- one point of time: a convolution along frequency ---- */

/* What both ways need; the arrays are those of the whole group, see above. */
typedef struct work {
    const lc_winograd *w;
    const lc_nn_kernels *k;
    size_t tiles; /* of time */
    float *v, *m, *v_points, *m_points;
} work;

static work work_of(const lc_winograd *w, const lc_nn_kernels *k, size_t tiles, float *scratch)
{
    work x = {.w = w, .k = k, .tiles = tiles, .v = scratch};
    x.m = x.v + POINTS * group(w) * v_row(w);
    x.v_points = x.m + POINTS * group(w) * m_row(w);
    x.m_points = x.v_points + POINTS * plane(w, w->c);
    return x;
}

static float *v_at(const work *x, size_t p)
{
    return x->v + p * group(x->w) * v_row(x->w);
}

static float *m_at(const work *x, size_t p)
{
    return x->m + p * group(x->w) * m_row(x->w) + zeros(x->w) * LC_COLUMNS(x->w->n);
}

static lc_tiles v_tiles(const work *x, size_t p, size_t channels)
{
    const lc_winograd *w = x->w;
    return (lc_tiles){.row = v_at(x, p),
                      .points = x->v_points,
                      .row_size = v_row(w),
                      .plane = plane(w, w->c),
                      .rows = x->tiles,
                      .tiles = tiles_of(w),
                      .step = step_of(w),
                      .channels = channels};
}

static lc_tiles m_tiles(const work *x, size_t p)
{
    const lc_winograd *w = x->w;
    return (lc_tiles){.row = m_at(x, p),
                      .points = x->m_points,
                      .row_size = m_row(w),
                      .plane = plane(w, w->n),
                      .rows = x->tiles,
                      .tiles = tiles_of(w),
                      .step = step_of(w),
                      .channels = LC_COLUMNS(w->n)};
}

static void point_forward(const work *x, size_t p, const float *packed)
{
    const lc_winograd *w = x->w;
    size_t width = LC_COLUMNS(w->n);
    lc_product product = {.out = m_at(x, p),
                          .out_stride = width,
                          .a = v_at(x, p),
                          .a_stride = w->c,
                          .b = packed + p * matrices(w) * depth(w) * width,
                          .taps = 1,
                          .rows = w->bins,
                          .depth = depth(w),
                          .columns = width};
    if (!square(w)) {
        x->k->product(&product);
        return;
    }
    lc_tiles from = v_tiles(x, p, w->c), to = m_tiles(x, p);
    x->k->tiles_in(&from);
    product.out = to.points;
    product.a = from.points;
    product.rows = x->tiles * to.tiles;
    product.more = POINTS - 1;
    product.out_next = to.plane;
    product.a_next = from.plane;
    product.b_next = depth(w) * width;
    x->k->product(&product);
    x->k->tiles_out(&to);
}

/* From dm to the gradient of the weights. Leaves the points of dm for what follows. */
static void point_grads(const work *x, size_t p, float *grads)
{
    const lc_winograd *w = x->w;
    size_t width = LC_COLUMNS(w->n);
    lc_outer outer = {.out = grads + p * matrices(w) * depth(w) * width,
                      .a = v_at(x, p),
                      .a_stride = w->c,
                      .d = m_at(x, p),
                      .d_stride = width,
                      .frames = 1,
                      .rows = w->bins,
                      .depth = depth(w),
                      .columns = width};
    if (square(w)) {
        lc_tiles a = v_tiles(x, p, w->c), d = m_tiles(x, p);
        x->k->tiles_in(&a);
        x->k->tiles_d_out(&d);
        outer.a = a.points;
        outer.d = d.points;
        outer.rows = x->tiles * a.tiles;
        outer.more = POINTS - 1;
        outer.out_next = depth(w) * width;
        outer.a_next = a.plane;
        outer.d_next = d.plane;
    }
    x->k->outer(&outer);
}

/* From dm to dv, in place of v. */
static void point_d_in(const work *x, size_t p, const float *back)
{
    const lc_winograd *w = x->w;
    size_t width = LC_COLUMNS(w->n), wide = LC_COLUMNS(w->c);
    lc_tiles to = v_tiles(x, p, wide);
    lc_product product = {.out = to.row,
                          .out_stride = wide,
                          .a = m_at(x, p) - zeros(w) * width,
                          .a_stride = width,
                          .b = back + p * w->kernel_f * width * wide,
                          .taps = 1,
                          .rows = reach(w),
                          .depth = w->kernel_f * width,
                          .columns = wide};
    if (square(w)) {
        product.out = to.points;
        product.a = x->m_points;
        product.b = back + p * POINTS * width * wide;
        product.rows = x->tiles * to.tiles;
        product.depth = width;
        product.more = POINTS - 1;
        product.out_next = to.plane;
        product.a_next = plane(w, w->n);
        product.b_next = width * wide;
    }
    x->k->product(&product);
    if (square(w))
        x->k->tiles_d_in(&to);
    /* without the padding columns dv lies as the frames do, and B is sums of whole rows */
    for (size_t t = 0; wide > w->c && t < x->tiles; t++)
        for (size_t f = 1; f < reach(w); f++)
            memmove(to.row + t * to.row_size + f * w->c, to.row + t * to.row_size + f * wide,
                    w->c * sizeof *to.row);
}

/* ---- tiles of time ---- */

static void rows_in(const work *x, const float *in, size_t in_row)
{
    const lc_winograd *w = x->w;
    size_t used = reach(w) * w->c, rest = (v_bins(w) - reach(w)) * w->c;
    for (size_t t = 0; t < x->tiles; t++)
        x->k->winograd_in(x->v + t * v_row(w), group(w) * v_row(w), in + t * LC_TILE * in_row, in_row, used);
    for (size_t p = 0; rest > 0 && p < POINTS; p++)
        for (size_t t = 0; t < x->tiles; t++)
            memset(v_at(x, p) + t * v_row(w) + used, 0, rest * sizeof *x->v);
}

static void rows_d_out(const work *x, const float *dz)
{
    const lc_winograd *w = x->w;
    size_t width = LC_COLUMNS(w->n), used = w->bins * width, before = zeros(w) * width,
           rest = (m_bins(w) - zeros(w)) * width - used;
    for (size_t t = 0; t < x->tiles; t++)
        x->k->winograd_d_out(m_at(x, 0) + t * m_row(w), group(w) * m_row(w), dz + t * LC_TILE * used, used, used);
    for (size_t p = 0; before + rest > 0 && p < POINTS; p++)
        for (size_t t = 0; t < x->tiles; t++) {
            float *row = m_at(x, p) + t * m_row(w);
            memset(row - before, 0, before * sizeof *row);
            memset(row + used, 0, rest * sizeof *row);
        }
}

void lc_winograd_forward(const lc_winograd *w, const lc_nn_kernels *k, const float *packed, const float *bias,
                         const float *in, size_t in_row, size_t tiles, float *z, float *scratch)
{
    work x = work_of(w, k, tiles, scratch);
    size_t used = w->bins * LC_COLUMNS(w->n);
    rows_in(&x, in, in_row);
    for (size_t p = 0; p < POINTS; p++)
        point_forward(&x, p, packed);
    for (size_t t = 0; t < tiles; t++)
        k->winograd_out(z + t * LC_TILE * used, used, m_at(&x, 0) + t * m_row(w), group(w) * m_row(w), bias, used);
}

void lc_winograd_backward(const lc_winograd *w, const lc_nn_kernels *k, const float *back, const float *in,
                          size_t in_row, size_t tiles, const float *dz, float *grads, float *d_in, float *scratch)
{
    work x = work_of(w, k, tiles, scratch);
    rows_in(&x, in, in_row);
    rows_d_out(&x, dz);
    for (size_t p = 0; p < POINTS; p++) {
        point_grads(&x, p, grads);
        if (d_in != NULL)
            point_d_in(&x, p, back);
    }
    for (size_t t = 0; d_in != NULL && t < tiles; t++)
        k->winograd_d_in(d_in + t * LC_TILE * in_row, in_row, x.v + t * v_row(w), group(w) * v_row(w),
                         reach(w) * w->c);
}
