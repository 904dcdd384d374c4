/* SPDX-License-Identifier: MIT
 * winograd.c - convolutions of three frames with half the multiplications: Winograd's minimal filtering F(4, 3) along
 * time.
 *
 *   four outputs y = A^T [(G g) * (B^T d)] from six inputs d and three taps g (points 0, 1, -1, 2, -2, infinity)
 *
 *         4  0 -5  0  1  0           1/4    0     0
 *         0 -4 -4  1  1  0          -1/6  -1/6  -1/6          1  1  1  1  1  0
 *   B^T = 0  4 -4 -1  1  0      G = -1/6   1/6  -1/6    A^T = 0  1 -1  2 -2  0
 *         0 -2 -1  2  1  0          1/24  1/12   1/6          0  1  1  4  4  0
 *         0  2 -1 -2  1  0          1/24 -1/12   1/6          0  1 -1  8 -8  1
 *         0  4  0 -5  0  1            0     0     1
 *
 * The products in the middle run over channels and frequency: six matrix products of overlapping rows for four frames,
 * where the direct way needs twelve. The transforms are sums of whole rows. The way back is the exact transpose of
 *   every step: dU_p = V_p^T dM_p with dM = A dy;  dV_p = dM_p * (flipped U_p);  dx = B dV;  dg = G^T dU
 *
 * The gradient stays in the transformed domain, dU (6, kernel_f, c, n), while tiles and sequences are added: G^T is
 * linear, so that once a step (unpack) does for what would else be done for each tile. Larger tiles would save more,
 * but their constants grow, and with them the rounding errors of float.
 *
 * Scratch, rows of all six points p one behind the other:
 *   v    (6, v_row)       transformed input, bins + kernel_f - 1 bins of c channels
 *   m    (6, m_row)       forward: products; backward: (6, padded_row), dM with kernel_f - 1 bins of zeros at both ends
 *   d_v  (6, rows * wide) backward: gradient of v, in the end rows * c floats of each */
#include "nn/winograd.h"

#include "nn/layer.h"

#include <string.h>

static const float G[LC_TILE_IN][3] = {
    {1.0f / 4,  0,          0        },
    {-1.0f / 6, -1.0f / 6,  -1.0f / 6},
    {-1.0f / 6, 1.0f / 6,   -1.0f / 6},
    {1.0f / 24, 1.0f / 12,  1.0f / 6 },
    {1.0f / 24, -1.0f / 12, 1.0f / 6 },
    {0,         0,          1        },
};

static size_t depth(const lc_winograd *w)
{
    return w->kernel_f * w->c;
}

/* Floats of a transformed input row, output row, and output row with zeros around it for the way back. */
static size_t v_row(const lc_winograd *w)
{
    return (w->bins + w->kernel_f - 1) * w->c + LC_OVERRUN;
}

static size_t m_row(const lc_winograd *w)
{
    return w->bins * LC_COLUMNS(w->n);
}

/* An input bin is in the windows of up to kernel_f outputs; with zeros for those past the ends, the first bin is as
 * any other. */
static size_t padded_row(const lc_winograd *w)
{
    return (w->bins + 2 * (w->kernel_f - 1)) * LC_COLUMNS(w->n) + LC_OVERRUN;
}

size_t lc_winograd_weights(const lc_winograd *w)
{
    return LC_TILE_IN * depth(w) * LC_COLUMNS(w->n) + LC_OVERRUN;
}

size_t lc_winograd_back(const lc_winograd *w)
{
    return LC_TILE_IN * w->kernel_f * LC_COLUMNS(w->n) * LC_COLUMNS(w->c) + LC_OVERRUN;
}

size_t lc_winograd_scratch(const lc_winograd *w)
{
    size_t d_v = (w->bins + w->kernel_f - 1) * LC_COLUMNS(w->c) + LC_OVERRUN;
    return LC_TILE_IN * (v_row(w) + padded_row(w) + 2 * d_v) + LC_OVERRUN;
}

/* (G g) of one weight: element i of the three taps, `size` apart. */
static float transformed(const float *weight, size_t size, size_t i, int p)
{
    return G[p][0] * weight[i] + G[p][1] * weight[size + i] + G[p][2] * weight[2 * size + i];
}

void lc_winograd_pack(const lc_winograd *w, const float *weight, float *packed)
{
    size_t width = LC_COLUMNS(w->n), size = depth(w) * w->n;
    memset(packed, 0, lc_winograd_weights(w) * sizeof *packed);
    for (int p = 0; p < LC_TILE_IN; p++)
        for (size_t k = 0; k < depth(w); k++)
            for (size_t n = 0; n < w->n; n++)
                packed[((size_t)p * depth(w) + k) * width + n] = transformed(weight, size, k * w->n + n, p);
}

/* Rows (tap from the last to the first, n), columns c: an overlapping product with dM gives dV. */
void lc_winograd_pack_back(const lc_winograd *w, const float *weight, float *packed)
{
    size_t width = LC_COLUMNS(w->n), wide = LC_COLUMNS(w->c), size = depth(w) * w->n;
    memset(packed, 0, lc_winograd_back(w) * sizeof *packed);
    for (int p = 0; p < LC_TILE_IN; p++) {
        for (size_t i = 0; i < w->kernel_f; i++) {
            float *rows = packed + (((size_t)p * w->kernel_f + w->kernel_f - 1 - i) * width) * wide;
            for (size_t c = 0; c < w->c; c++)
                for (size_t n = 0; n < w->n; n++)
                    rows[n * wide + c] = transformed(weight, size, (i * w->c + c) * w->n + n, p);
        }
    }
}

void lc_winograd_unpack(const lc_winograd *w, const float *grads, float *d_weight)
{
    size_t width = LC_COLUMNS(w->n), size = depth(w) * w->n;
    for (int p = 0; p < LC_TILE_IN; p++)
        for (size_t k = 0; k < depth(w); k++)
            for (size_t n = 0; n < w->n; n++)
                for (size_t tap = 0; tap < 3; tap++)
                    d_weight[tap * size + k * w->n + n] += G[p][tap] * grads[((size_t)p * depth(w) + k) * width + n];
}

void lc_winograd_forward(const lc_winograd *w, const lc_nn_kernels *k, const float *packed, const float *bias,
                         const float *in, size_t in_row, float *z, float *scratch)
{
    size_t width = LC_COLUMNS(w->n);
    float *v = scratch, *m = v + LC_TILE_IN * v_row(w);
    k->winograd_in(v, v_row(w), in, in_row, (w->bins + w->kernel_f - 1) * w->c);
    for (size_t p = 0; p < LC_TILE_IN; p++)
        k->product(&(lc_product){
            .out = m + p * m_row(w),
            .out_stride = width,
            .a = v + p * v_row(w),
            .a_stride = w->c,
            .b = packed + p * depth(w) * width,
            .taps = 1,
            .rows = w->bins,
            .depth = depth(w),
            .columns = width,
        });
    k->winograd_out(z, m_row(w), m, m_row(w), bias, m_row(w));
}

/* dV of all six rows, by products of the padded dM, and back through B to the frames. */
static void backward_in(const lc_winograd *w, const lc_nn_kernels *k, const float *back, const float *m, float *d_in,
                        size_t in_row, float *scratch)
{
    size_t width = LC_COLUMNS(w->n), wide = LC_COLUMNS(w->c), rows = w->bins + w->kernel_f - 1,
           block = w->kernel_f * width;
    float *d_v = scratch;
    for (size_t p = 0; p < LC_TILE_IN; p++) {
        float *row = d_v + p * rows * wide;
        k->product(&(lc_product){
            .out = row,
            .out_stride = wide,
            .a = m + p * padded_row(w),
            .a_stride = width,
            .b = back + p * block * wide,
            .taps = 1,
            .rows = rows,
            .depth = block,
            .columns = wide,
        });
        /* without the padding columns dV lies as the frames do, and B is sums of whole rows */
        for (size_t f = 1; wide > w->c && f < rows; f++)
            memmove(row + f * w->c, row + f * wide, w->c * sizeof *row);
    }
    k->winograd_d_in(d_in, in_row, d_v, rows * wide, rows * w->c);
}

void lc_winograd_backward(const lc_winograd *w, const lc_nn_kernels *k, const float *back, const float *in,
                          size_t in_row, const float *dz, float *grads, float *d_in, float *scratch)
{
    size_t width = LC_COLUMNS(w->n), zeros = (w->kernel_f - 1) * width;
    float *v = scratch, *m = v + LC_TILE_IN * v_row(w), *rest = m + LC_TILE_IN * padded_row(w);
    k->winograd_in(v, v_row(w), in, in_row, (w->bins + w->kernel_f - 1) * w->c);
    memset(m, 0, LC_TILE_IN * padded_row(w) * sizeof *m);
    k->winograd_d_out(m + zeros, padded_row(w), dz, m_row(w), m_row(w));
    for (size_t p = 0; p < LC_TILE_IN; p++)
        k->outer(&(lc_outer){
            .out = grads + p * depth(w) * width,
            .a = v + p * v_row(w),
            .a_stride = w->c,
            .d = m + zeros + p * padded_row(w),
            .d_stride = width,
            .frames = 1,
            .rows = w->bins,
            .depth = depth(w),
            .columns = width,
        });
    if (d_in != NULL)
        backward_in(w, k, back, m, d_in, in_row, rest);
}
