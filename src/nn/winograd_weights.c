/* SPDX-License-Identifier: MIT
 * winograd_weights.c - weights of a convolution by tiles: from taps to points, transposed for the backward pass, and
 * their gradient from points to taps. In double, rounded once: rounded at every sum they alone made the errors of a
 * drum network a third larger.
 *
 *   7 - r outputs y = A^T [(G g) * (B^T d)] from six inputs d and r taps g (points 0, +-a, +-b, infinity;
 *   a = sqrt(1/2), b = sqrt(2)):
 *
 *         1  0  -5/2  0    1   0          1      0     0     0            1   1   1    1    1   0
 *         0 -b  -2    a    1   0        -2/3  -2a/3  -1/3  -a/3           0   a  -a    b   -b   0
 *   B^T = 0  b  -2   -a    1   0    G = -2/3   2a/3  -1/3   a/3     A^T = 0  1/2 1/2   2    2   0
 *         0 -a  -1/2  b    1   0         1/6   b/6    1/3   b/3           0  a/2 -a/2  2b  -2b  1
 *         0  a  -1/2 -b    1   0         1/6  -b/6    1/3  -b/3
 *         0  1   0   -5/2  0   1          0     0     0     1
 *
 * G as for four taps: with fewer, its first columns, and the last row (infinity) has its 1 in the last of them. A^T as
 * for four outputs, likewise by rows. B is the same for all: six points are six points.
 *
 *   F(5, 3), seven inputs and three taps, points +-1/4, +-7/8, +-7/4, infinity. For +-p, with the other two r and s, a
 *   row of B^T has the coefficients of (x +- p)(x^2 - r^2)(x^2 - s^2), one of G is scale * (1, p, p^2), scale
 *   1 / (2p (p^2 - r^2)(p^2 - s^2)). Three pairs round less than 0, two pairs and a point alone (by 3.1 against 3.7,
 *   see winograd.c), and the two of a pair have halves in common.
 *
 *   F(5, 4), eight inputs and four taps, points 0, +-1/2, +-1, +-2, infinity; points_body.h has its B and A, where
 *   +-1/2 is multiplied by 4 and +-2 by 1/4, and G undoes that: rows scale * (1, p, p^2, p^3), scale 1, 8/45,
 *   -2/9, 2/45. */
#include "nn/winograd.h"

#include <string.h>

double lc_winograd_g(size_t p, size_t i, size_t taps, size_t order)
{
    static const double six[][2] = {
        {0,                    1       },
        {0.70710678118654752,  -2.0 / 3},
        {-0.70710678118654752, -2.0 / 3},
        {1.4142135623730951,   1.0 / 6 },
        {-1.4142135623730951,  1.0 / 6 },
    };
    static const double seven[][2] = {
        {0.25,   128.0 / 135     },
        {-0.25,  -128.0 / 135    },
        {0.875,  -16384.0 / 46305},
        {-0.875, 16384.0 / 46305 },
        {1.75,   128.0 / 3087    },
        {-1.75,  -128.0 / 3087   },
    };
    static const double eight[][2] = {
        {0,    1       },
        {0.5,  8.0 / 45},
        {-0.5, 8.0 / 45},
        {1,    -2.0 / 9},
        {-1,   -2.0 / 9},
        {2,    2.0 / 45},
        {-2,   2.0 / 45},
    };
    if (p + 1 == order)
        return i + 1 == taps;
    const double *at = order == 8 ? eight[p] : order == 7 ? seven[p] : six[p];
    double g = at[1];
    for (; i > 0; i--)
        g *= at[0];
    return g;
}

/* ---- taps and points ---- */

/* COLUMNS: done at once. The others: at most, and TAPS always along time. */
enum { COLUMNS = 8, TAPS = 3, TAPS_F = 5, POINTS = 8 };

/* G along time and along frequency, where it is (1) for tiles along time only. */

typedef struct to_taps {
    double time[POINTS][TAPS], frequency[POINTS][TAPS_F];
    size_t taps_f;
} to_taps;

static to_taps to_taps_of(const lc_winograd *w)
{
    to_taps g = {.frequency = {{1}}, .taps_f = w->square ? w->kernel_f : 1};
    for (size_t p = 0; p < w->points; p++)
        for (size_t tap = 0; tap < TAPS; tap++)
            g.time[p][tap] = lc_winograd_g(p, tap, TAPS, w->points);
    for (size_t q = 0; w->square && q < w->order; q++)
        for (size_t i = 0; i < w->kernel_f; i++)
            g.frequency[q][i] = lc_winograd_g(q, i, w->kernel_f, w->order);
    return g;
}

/* sum[n] += factor * x[n], with a constant for the usual number of columns. */
static inline void add_columns(double *sum, double factor, const float *x, size_t n)
{
    if (n == COLUMNS)
        for (size_t i = 0; i < COLUMNS; i++)
            sum[i] += factor * (double)x[i];
    else
        for (size_t i = 0; i < n; i++)
            sum[i] += factor * (double)x[i];
}

static inline void add_doubles(double *sum, double factor, const double *x)
{
    for (size_t i = 0; i < COLUMNS; i++)
        sum[i] += factor * x[i];
}

/* Up to COLUMNS columns of row k from the taps to all points. */
static void pack_columns(const lc_winograd *w, const to_taps *g, const float *weight, size_t n, float *packed)
{
    size_t next = w->depth * w->n;
    double half[TAPS][POINTS][COLUMNS] = {{{0}}};
    for (size_t tap = 0; tap < TAPS; tap++)
        for (size_t q = 0; q < w->matrices; q++)
            for (size_t i = 0; i < g->taps_f; i++)
                add_columns(half[tap][q], g->frequency[q][i], weight + (tap * g->taps_f + i) * next, n);
    for (size_t p = 0; p < w->points; p++)
        for (size_t q = 0; q < w->matrices; q++, packed += w->depth * w->width) {
            double sum[COLUMNS] = {0};
            for (size_t tap = 0; tap < TAPS; tap++)
                add_doubles(sum, g->time[p][tap], half[tap][q]);
            for (size_t i = 0; i < n; i++)
                packed[i] = (float)sum[i];
        }
}

void lc_winograd_pack(const lc_winograd *w, const float *weight, float *packed)
{
    to_taps g = to_taps_of(w);
    memset(packed, 0, w->weights * sizeof *packed);
    for (size_t k = 0; k < w->depth; k++)
        for (size_t n = 0; n < w->n; n += COLUMNS)
            pack_columns(w, &g, weight + k * w->n + n, w->n - n < COLUMNS ? w->n - n : COLUMNS,
                         packed + k * w->width + n);
}

/* Rows n, columns (kernel_f, c): whole windows. */
static void pack_windows(const lc_winograd *w, const float *packed, float *back)
{
    size_t width = w->width, d = w->depth;
    for (size_t p = 0; p < w->points; p++, packed += d * width, back += width * w->window)
        for (size_t k = 0; k < d; k++)
            for (size_t n = 0; n < w->n; n++)
                back[n * w->window + k] = packed[k * width + n];
}

/* Rows n, columns c, of every matrix; along frequency by overlapping windows, taps from the last to the first. */
void lc_winograd_pack_back(const lc_winograd *w, const float *packed, float *back)
{
    size_t width = w->width, wide = w->wide, each = w->square ? w->order : w->kernel_f;
    memset(back, 0, w->back * sizeof *back);
    if (w->window > 0) {
        pack_windows(w, packed, back);
        return;
    }
    for (size_t p = 0; p < w->points; p++)
        for (size_t q = 0; q < each; q++, packed += w->c * width) {
            float *rows = back + (p * each + (w->square ? q : each - 1 - q)) * width * wide;
            for (size_t c = 0; c < w->c; c++)
                for (size_t n = 0; n < w->n; n++)
                    rows[n * wide + c] = packed[c * width + n];
        }
}

/* Its transpose: adds to the gradient of the taps. */
static void unpack_columns(const lc_winograd *w, const to_taps *g, const float *grads, size_t n, float *d_weight)
{
    size_t next = w->depth * w->n;
    double half[TAPS][POINTS][COLUMNS] = {{{0}}};
    for (size_t p = 0; p < w->points; p++)
        for (size_t q = 0; q < w->matrices; q++, grads += w->depth * w->width)
            for (size_t tap = 0; tap < TAPS; tap++)
                add_columns(half[tap][q], g->time[p][tap], grads, n);
    for (size_t tap = 0; tap < TAPS; tap++)
        for (size_t i = 0; i < g->taps_f; i++, d_weight += next) {
            double sum[COLUMNS] = {0};
            for (size_t q = 0; q < w->matrices; q++)
                add_doubles(sum, g->frequency[q][i], half[tap][q]);
            for (size_t j = 0; j < n; j++)
                d_weight[j] += (float)sum[j];
        }
}

void lc_winograd_unpack(const lc_winograd *w, const float *grads, float *d_weight)
{
    to_taps g = to_taps_of(w);
    for (size_t k = 0; k < w->depth; k++)
        for (size_t n = 0; n < w->n; n += COLUMNS)
            unpack_columns(w, &g, grads + k * w->width + n, w->n - n < COLUMNS ? w->n - n : COLUMNS,
                           d_weight + k * w->n + n);
}
