/* SPDX-License-Identifier: MIT
 * winograd.c - convolutions of three frames with a half or a quarter of the multiplications: Winograd's minimal
 * filtering, F(4, 3) along time and, for kernels of r = 2 to 5 bins, F(7 - r, r) along frequency; F(5, 4) there, or
 * F(5, 3) along time, where that saves time.
 *
 *   outputs y = A^T [(G g) * (B^T d)] of inputs d and taps g; winograd_weights.c has the matrices.
 *
 * Rounding. Every product is rounded as it is added to its sum over channels, and A^T, whose outputs are differences of
 * larger numbers, makes that error larger, by this factor in one direction:
 *   six points     +-1, +-2 or +-1, +-1/2: 3.3;  +-sqrt(1/2), +-sqrt(2): 2.2 (2.18 is the least that any have), and as
 *                  few operations as any, for their squares 1/2, 2 and 5/2 are exact
 *   seven points   3.1 (3.09 is the least); all constants exact
 *   eight points   4.4, the least for 1/2, 1 and 2
 * So seven points are taken where they save time, and eight where they save a seventh of the products, never both, and
 * eight not from fewer than 16 channels: second layers read large maps of 8, through which the gradients of all before
 * them pass. Sums of outer products and of biases start again every few tiles. Errors of gradients of whole
 * networks then are 1.6 times those of PyTorch in float, the mean of all tensors, and for the worst tensor 2.4 (drums)
 * and 2.5 times (piano), 2.8 by root mean squares (drums, portable kernels; tests/nn/test_torch_gradients.py allows 3).
 * Eight points in the second layer of the drums saved 2 % of a step, and the worst tensor had 2.6 times, or 3.2 by root
 * mean squares; in 36, 18 and 9 bins they saved nothing. Seven in all layers of the drums save no more than in two,
 * and the worst tensor has 2.8 times, 6.6 by root mean squares.
 *
 * The products in the middle run over channels: 36 small matrices (tiles, c) * (c, n) for 4 * (7 - r) outputs, 42 for
 * 15 with seven points of time, or 48 for 20 with eight of frequency: 3, 2.8 or 2.4 for an output of a kernel of 3x4 in
 * place of 12. Other widths of kernels, and few channels, whose products do not outweigh the transforms (8 channels to
 * 8: as fast; 4 to 16: slower), go along time only: six products of overlapping rows, 6 for an output. So do windows
 * with a stride, whose backward pass adds one window after the other to the gradient of the input, as without tiles,
 * but for six rows in place of twelve.
 *
 * Order. The frames that a tile reads become as many rows of v, one a point of time; then for each point of time all of
 * frequency, which is a convolution along frequency of its own; then the rows of m become the frames of the tile. So v
 * and m of one point of time stay in the first cache, and the transforms along time run along whole rows. Narrow maps
 * take several tiles of time to a group, so that the matrices have TILES_MIN rows, or half of that.
 *
 * The backward pass is the exact transpose of every step:  dU = V^T dM, dM = A dy;  dV = dM U^T;  dx = B dV;  dg = G^T
 * dU. The gradient stays in the transformed domain, dU (points, order, c, n), while tiles and sequences are added: G^T
 * is linear, so that one transform a step (unpack) replaces one for each tile. V is computed again rather than
 * kept: it is three times the input, more than the second cache holds for a whole sequence.
 *
 * Scratch:
 *   v         (points, group, v_row)  transformed input, `reach` bins of c channels; then, backward, its gradient
 *   m         (points, group, m_row)  products, m_bins of width floats; along time only, with kernel_f - 1 bins of
 *                                     zeros before and behind
 *   v_points  (order, v_plane)        of a point of time, a plane (tiles of the group, c); then its gradient (.., wide)
 *   m_points  (order, m_plane)        a plane (tiles of the group, width)
 *   windows   (bins, window)          with a stride: what each window gives to the gradient of a row of v */
#include "nn/winograd.h"

#include "nn/layer.h"

#include <string.h>

/* POINTS, MORE: of frequency, where kernels have TAPS of time. TILES_MIN: rows of a matrix product along frequency,
 * half of it for a matrix of at most SMALL weights; narrow maps take several tiles of time together. MORE_MIN: input
 * channels of MORE points, at least; MORE_MAX: their weights of a matrix. LONG_MIN: tiles along frequency where those
 * of time have LC_TILE_MAX frames, at least. */
enum { POINTS = 6, MORE = 8, TAPS = 3 };
enum { TILES_MIN = 32, SMALL = 256, MORE_MIN = 16, MORE_MAX = 2048, LONG_MIN = 12 };

/* Whether tiles along frequency pay: measured, see above. */
static bool pays(size_t n, size_t c, size_t kernel_f, size_t stride)
{
    return stride == 1 && kernel_f >= 2 && kernel_f <= 5 && c >= 8 && c * n >= 128;
}

static size_t tiles_of(size_t bins, size_t kernel_f, size_t order)
{
    size_t step = order + 1 - kernel_f;
    return (bins + step - 1) / step;
}

/* Eight points for kernels of four bins, where rows are long enough that it makes a seventh fewer products (a ninth, as
 * for 36, 18 and 9 bins, gains nothing), and neither for the narrowest layers nor for the widest, see above. */
static size_t order_of(size_t bins, size_t kernel_f, size_t n, size_t c)
{
    size_t few = MORE * tiles_of(bins, kernel_f, MORE), many = POINTS * tiles_of(bins, kernel_f, POINTS);
    return kernel_f == 4 && 7 * few <= 6 * many && c >= MORE_MIN && c * n <= MORE_MAX ? MORE : POINTS;
}

/* Tiles of time of a call: so many that its matrices have TILES_MIN rows, and these a multiple of four, as the products
 * take them, up to twice as many. Small weights are soon read again, and half of the rows then leave more of the first
 * cache to the rest: a drum step 1 to 2 % less by AVX2 and by AVX-512, but 2 % more for the piano, whose weights are
 * larger (EPYC of the fourth generation). */
static size_t group_of(size_t tiles, size_t weights)
{
    size_t least = weights <= SMALL ? TILES_MIN / 2 : TILES_MIN, group = (least + tiles - 1) / tiles;
    while (group * tiles % 4 != 0 && (group + 1) * tiles <= 2 * least)
        group++;
    return group;
}

/* Along time only. With a stride, as many tiles of time as make TILES_MIN rows: fewer calls, and fewer times that the
 * gradient of the weights is read and written. */
static void sizes_of_rows(lc_winograd *w)
{
    w->reach = (w->bins - 1) * w->stride + w->kernel_f;
    w->m_bins = w->bins;
    if (w->stride == 1) {
        w->zeros = w->kernel_f - 1;
        w->m_bins += 2 * w->zeros;
        return;
    }
    w->group = (TILES_MIN + w->bins - 1) / w->bins;
    w->window = LC_COLUMNS(w->kernel_f * w->c);
}

/* Five frames have seven points of time, a fifteenth less of all that is between the transforms along time than four
 * with six. For small matrices on wide maps, as second and third layers of a network for sound have them: a drum step
 * takes 3 % less, and no less with five frames in its narrower maps too, where they would only cost accuracy, see
 * above. */
static size_t tile_of(const lc_winograd *w)
{
    bool longer = w->kernel_f == 4 && w->order == POINTS && w->c * w->n <= SMALL && w->tiles >= LONG_MIN;
    return longer ? LC_TILE_MAX : LC_TILE;
}

/* Along frequency too. */
static void sizes_of_tiles(lc_winograd *w)
{
    w->order = order_of(w->bins, w->kernel_f, w->n, w->c);
    w->step = w->order + 1 - w->kernel_f;
    w->tiles = tiles_of(w->bins, w->kernel_f, w->order);
    w->tile = tile_of(w);
    w->group = group_of(w->tiles, w->c * w->n);
    w->reach = (w->tiles - 1) * w->step + w->order;
    w->m_bins = w->tiles * w->step;
    w->v_plane = w->group * w->tiles * w->wide + LC_OVERRUN;
    w->m_plane = w->group * w->tiles * w->width + LC_OVERRUN;
}

lc_winograd lc_winograd_of(size_t bins, size_t n, size_t c, size_t kernel_f, size_t stride)
{
    lc_winograd w = {.bins = bins, .n = n, .c = c, .kernel_f = kernel_f, .stride = stride, .tile = LC_TILE, .group = 1};
    w.width = LC_COLUMNS(n);
    w.wide = LC_COLUMNS(c);
    w.square = pays(n, c, kernel_f, stride);
    if (w.square)
        sizes_of_tiles(&w);
    else
        sizes_of_rows(&w);
    w.points = w.tile + TAPS - 1;
    w.v_row = w.reach * w.wide + LC_OVERRUN;
    w.m_row = w.m_bins * w.width + LC_OVERRUN;
    w.matrices = w.square ? w.order : 1;
    w.depth = w.square ? c : kernel_f * c;
    w.weights = w.points * w.matrices * w.depth * w.width + LC_OVERRUN;
    w.back = w.points * (w.window > 0 ? w.width * w.window : (w.square ? w.order : kernel_f) * w.width * w.wide) +
             LC_OVERRUN;
    w.scratch = w.points * w.group * (w.v_row + w.m_row) + w.order * (w.v_plane + w.m_plane) + bins * w.window +
                LC_OVERRUN;
    return w;
}

/* ---- one point of time: a convolution along frequency ---- */

/* What the forward and backward pass need; arrays as above. */
typedef struct work {
    const lc_winograd *w;
    const lc_nn_kernels *k;
    size_t tiles; /* of time */
    float *v, *m, *v_points, *m_points;
    float *windows; /* (bins, window): the gradients of one row's windows, with a stride */
} work;

static work work_of(const lc_winograd_call *call)
{
    const lc_winograd *w = call->w;
    work x = {.w = w, .k = call->kernels, .tiles = call->tiles, .v = call->scratch};
    x.m = x.v + w->points * w->group * w->v_row;
    x.v_points = x.m + w->points * w->group * w->m_row;
    x.m_points = x.v_points + w->order * w->v_plane;
    x.windows = x.m_points + w->order * w->m_plane;
    return x;
}

static float *v_at(const work *x, size_t p)
{
    return x->v + p * x->w->group * x->w->v_row;
}

static float *m_at(const work *x, size_t p)
{
    return x->m + p * x->w->group * x->w->m_row + x->w->zeros * x->w->width;
}

static lc_tiles v_tiles(const work *x, size_t p, size_t channels)
{
    const lc_winograd *w = x->w;
    return (lc_tiles){.row = v_at(x, p),
                      .points = x->v_points,
                      .row_size = w->v_row,
                      .plane = w->v_plane,
                      .rows = x->tiles,
                      .tiles = w->tiles,
                      .order = w->order,
                      .step = w->step,
                      .channels = channels};
}

static lc_tiles m_tiles(const work *x, size_t p)
{
    const lc_winograd *w = x->w;
    return (lc_tiles){.row = m_at(x, p),
                      .points = x->m_points,
                      .row_size = w->m_row,
                      .plane = w->m_plane,
                      .rows = x->tiles,
                      .tiles = w->tiles,
                      .order = w->order,
                      .step = w->step,
                      .channels = w->width};
}

static void point_forward(const work *x, size_t p, const float *packed)
{
    const lc_winograd *w = x->w;
    const float *b = packed + p * w->matrices * w->depth * w->width;
    if (w->square) {
        lc_tiles from = v_tiles(x, p, w->c);
        lc_tiles_product product = {
            .to = m_tiles(x, p), .a = from.points, .b = b, .a_plane = from.plane, .depth = w->depth};
        x->k->tiles_in(&from);
        x->k->tiles_product_out(&product);
        return;
    }
    lc_product product = {.out = m_at(x, p),
                          .out_stride = w->width,
                          .a = v_at(x, p),
                          .a_stride = w->stride * w->c,
                          .b = b,
                          .taps = 1,
                          .rows = w->bins,
                          .depth = w->depth,
                          .columns = w->width,
                          .more = x->tiles - 1,
                          .out_next = w->m_row,
                          .a_next = w->v_row};
    x->k->product(&product);
}

/* From dm, along frequency from its points, to the gradient of the weights. */
static void point_grads(const work *x, size_t p, float *grads)
{
    const lc_winograd *w = x->w;
    size_t width = w->width;
    lc_outer outer = {.out = grads + p * w->matrices * w->depth * width,
                      .a = v_at(x, p),
                      .a_stride = w->stride * w->c,
                      .a_frame = w->v_row,
                      .d = m_at(x, p),
                      .d_stride = width,
                      .d_frame = w->m_row,
                      .frames = x->tiles,
                      .rows = w->bins,
                      .depth = w->depth,
                      .columns = width};
    if (w->square) {
        lc_tiles a = v_tiles(x, p, w->c);
        x->k->tiles_in(&a);
        outer.a = a.points;
        outer.d = x->m_points;
        outer.frames = 1;
        outer.rows = x->tiles * a.tiles;
        outer.more = w->order - 1;
        outer.out_next = w->depth * width;
        outer.a_next = a.plane;
        outer.d_next = w->m_plane;
    }
    x->k->outer(&outer);
}

/* From dm to dv, in place of v, with a stride: a product for what every window gives, and their sum. Rows of c
 * channels, without padding columns. */
static void point_d_in_strided(const work *x, size_t p, const float *back)
{
    const lc_winograd *w = x->w;
    lc_product product = {.out = x->windows,
                          .out_stride = w->window,
                          .a_stride = w->width,
                          .b = back + p * w->width * w->window,
                          .taps = 1,
                          .rows = w->bins,
                          .depth = w->n,
                          .columns = w->window};
    for (size_t t = 0; t < x->tiles; t++) {
        float *row = v_at(x, p) + t * w->v_row;
        product.a = m_at(x, p) + t * w->m_row;
        x->k->product(&product);
        memset(row, 0, w->reach * w->c * sizeof *row);
        for (size_t f = 0; f < w->bins; f++)
            lc_add_row(row + f * w->stride * w->c, x->windows + f * w->window, w->depth);
    }
}

/* From dm to dv, in place of v. */
static void point_d_in(const work *x, size_t p, const float *back)
{
    const lc_winograd *w = x->w;
    size_t width = w->width, wide = w->wide;
    lc_tiles to = v_tiles(x, p, wide);
    if (w->square) {
        lc_tiles_product product = {
            .to = to, .a = x->m_points, .b = back + p * w->order * width * wide, .a_plane = w->m_plane, .depth = width};
        x->k->tiles_product_d_in(&product);
    } else {
        lc_product product = {.out = to.row,
                              .out_stride = wide,
                              .a = m_at(x, p) - w->zeros * width,
                              .a_stride = width,
                              .b = back + p * w->kernel_f * width * wide,
                              .taps = 1,
                              .rows = w->reach,
                              .depth = w->kernel_f * width,
                              .columns = wide};
        x->k->product(&product);
    }
    /* without the padding columns dv lies as the frames do, and B is sums of whole rows */
    for (size_t t = 0; wide > w->c && t < x->tiles; t++)
        for (size_t f = 1; f < w->reach; f++)
            memmove(to.row + t * to.row_size + f * w->c, to.row + t * to.row_size + f * wide, w->c * sizeof *to.row);
}

/* ---- tiles of time ---- */

static void rows_in(const work *x, const float *in, size_t in_row)
{
    const lc_winograd *w = x->w;
    for (size_t t = 0; t < x->tiles; t++)
        x->k->winograd_in(&(lc_rows){.to = x->v + t * w->v_row,
                                     .to_row = w->group * w->v_row,
                                     .from = in + t * w->tile * in_row,
                                     .from_row = in_row,
                                     .n = w->reach * w->c,
                                     .tile = w->tile});
}

/* Zeros in the rows of m before the first of `bins` bins and behind the last. */
static void clear_around(const work *x, size_t t, size_t bins)
{
    const lc_winograd *w = x->w;
    size_t before = w->zeros * w->width, used = bins * w->width, behind = (w->m_bins - w->zeros) * w->width - used;
    float *row = m_at(x, 0) + t * w->m_row;
    x->k->winograd_clear(row - before, w->group * w->m_row, before, w->points);
    x->k->winograd_clear(row + used, w->group * w->m_row, behind, w->points);
}

void lc_winograd_forward(const lc_winograd_call *call, const float *packed)
{
    work x = work_of(call);
    rows_in(&x, call->in, call->in_row);
    for (size_t p = 0; p < x.w->points; p++)
        point_forward(&x, p, packed);
}

void lc_winograd_out(const lc_winograd_call *call, const float *bias_row, float *z)
{
    work x = work_of(call);
    const lc_winograd *w = x.w;
    size_t used = w->bins * w->width;
    for (size_t t = 0; t < x.tiles; t++)
        x.k->winograd_out(&(lc_rows){.to = z + t * w->tile * used,
                                     .to_row = used,
                                     .from = m_at(&x, 0) + t * w->m_row,
                                     .from_row = w->group * w->m_row,
                                     .bias = bias_row,
                                     .n = used,
                                     .tile = w->tile});
}

/* Tile t of m, for kernels that pool. */
static void set_pooled(lc_pooled *pooled, const work *x, size_t t)
{
    const lc_winograd *w = x->w;
    pooled->m = m_at(x, 0) + t * w->m_row;
    pooled->m_row = w->group * w->m_row;
    pooled->width = w->width;
    pooled->tile = w->tile;
}

void lc_winograd_pool(const lc_winograd_call *call, size_t t, lc_pooled *pooled)
{
    work x = work_of(call);
    set_pooled(pooled, &x, t);
    x.k->winograd_pool(pooled);
}

void lc_winograd_d_out(const lc_winograd_call *call, const float *dz)
{
    work x = work_of(call);
    const lc_winograd *w = x.w;
    size_t used = w->bins * w->width;
    for (size_t t = 0; t < x.tiles; t++) {
        clear_around(&x, t, w->bins);
        x.k->winograd_d_out(&(lc_rows){.to = m_at(&x, 0) + t * w->m_row,
                                       .to_row = w->group * w->m_row,
                                       .from = dz + t * w->tile * used,
                                       .from_row = used,
                                       .n = used,
                                       .tile = w->tile});
    }
}

void lc_winograd_unpool(const lc_winograd_call *call, size_t t, lc_pooled *pooled)
{
    work x = work_of(call);
    set_pooled(pooled, &x, t);
    /* padding columns must be zeros too */
    clear_around(&x, t, x.w->width > x.w->n ? 0 : pooled->bins * pooled->pool);
    x.k->winograd_unpool(pooled);
}

/* Prefetches a part, one for each point of time, of the frames that the next call will read, so that they arrive while
 * this one multiplies: each row begins in another page, where the processor's own prefetching ends. Only for wide
 * maps, which are the largest. Forward, and for groups of several tiles, it gained nothing. */
static void fetch(const work *x, size_t p, const float *frames, size_t row)
{
    const lc_winograd *w = x->w;
    size_t part = w->group == 1 ? w->tile * row / w->points : 0;
    const float *from = frames + w->points * row + p * part;
    for (size_t i = 0; i < part; i += LC_CACHE_LINE)
        __builtin_prefetch(from + i);
}

void lc_winograd_backward(const lc_winograd_call *call, const float *back, float *grads, float *d_in, size_t held)
{
    work x = work_of(call);
    const lc_winograd *w = x.w;
    if (grads != NULL)
        rows_in(&x, call->in, call->in_row);
    for (size_t p = 0; p < w->points; p++) {
        lc_tiles d = m_tiles(&x, p);
        if (w->square)
            x.k->tiles_d_out(&d);
        if (grads != NULL) {
            fetch(&x, p, call->in, call->in_row);
            point_grads(&x, p, grads);
        }
        if (d_in != NULL && w->window > 0)
            point_d_in_strided(&x, p, back);
        else if (d_in != NULL)
            point_d_in(&x, p, back);
    }
    for (size_t t = 0; d_in != NULL && t < x.tiles; t++)
        x.k->winograd_d_in(&(lc_rows){.to = d_in + t * w->tile * call->in_row,
                                      .to_row = call->in_row,
                                      .from = x.v + t * w->v_row,
                                      .from_row = w->group * w->v_row,
                                      .n = w->reach * w->c,
                                      .tile = w->tile},
                           t > 0 && held == 0 ? w->points - w->tile : held);
}
