/* SPDX-License-Identifier: MIT
 * image_conv.c - one 3x3 convolution of a block of small images, as products of matrices.
 *
 *   z[y][x] = bias + sum over taps (j, i) of in[y + j - 1][x + i - 1] w[j][i]
 *
 * Three methods with the same steps: V = spread(in), M_p = V_p U_p for each point p, z = join(M); the backward pass is
 * the transpose of every step: dU_p = V_p^T dM_p, dV_p = dM_p U_p^T.
 *
 *   patches  few channels, so that a window of 9 pixels is short: V has a row of 9 c values a pixel
 *   tiles    Winograd's F(4x4, 3x3): 36 products of c x n for 16 pixels instead of 144 (image_body.h). A row is a tile;
 *            tiles of several images are rows of one product, for an image of 4x4 has only one
 *   whole    images up to 2x2, where every window covers all pixels: one row an image, of all its pixels, and U holds
 *   the
 *            tap that joins each pair. Half of a 3x3 window would lie outside
 *
 * Weights are in panels of 16 columns, [point][panel][depth][16]: a panel is read from one end to the other, where rows
 * of 512 columns, 2 kB apart, would share the same few sets of the cache. For the same reason rows of V and M are 16
 * floats longer than what they hold.
 *
 * Packed: U | U transposed | bias. Gradient: weights (9 c, wide_n), bias (wide_n); that of U lives for one panel of
 * one call and is folded into the nine taps at once, since for VGG-13 the 36 points are 108 MB for each gradient lane.
 * Scratch: V, or dV (points, images * rows, v_stride) | M or dM, tiles only | d_u (points, depth, 16) | one image with
 * zeros around it. */
#include "nn/image_conv.h"

#include "nn/winograd.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = LC_IMAGE_BLOCK, SIZE = BLOCK * BLOCK, TILE = LC_IMAGE_TILE, TAPS = LC_IMAGE_TAPS };

/* Rows of a product: enough to pay for reading the weights, few enough for V and M of 36 points to stay in cache. A
 * multiple of the 6 rows of a tile of product_body.h. */
enum { ROWS = 96 };

/* Below this many channels Winograd's products are too short, and patches are small anyway. */
enum { FEW = 8 };

static size_t padded(size_t n)
{
    return (n + BLOCK - 1) / BLOCK * BLOCK;
}

static size_t up_to_one(size_t n)
{
    return n > 0 ? n : 1;
}

/* Chooses the method, and with it the sizes of its products. */
lc_image_conv lc_image_conv_of(size_t height, size_t width, size_t c, size_t n)
{
    lc_image_conv conv = {.height = height, .width = width, .c = c, .n = n, .wide_c = padded(c), .wide_n = padded(n)};
    size_t pixels = height * width;
    conv.tiles_y = (height + TILE - 1) / TILE;
    conv.tiles_x = (width + TILE - 1) / TILE;
    conv.points = 1;
    conv.columns = conv.m_stride = conv.wide_n;
    conv.out_row = width * conv.wide_n;
    conv.out_size = height * conv.out_row;
    if (height <= 2 && width <= 2) {
        conv.way = LC_IMAGE_WHOLE;
        conv.rows = 1;
        conv.depth = pixels * conv.wide_c;
        conv.columns = conv.m_stride = pixels * conv.wide_n;
    } else if (c < FEW) {
        conv.way = LC_IMAGE_PATCHES;
        conv.rows = pixels;
        conv.depth = TAPS * c;
    } else {
        conv.way = LC_IMAGE_TILES;
        conv.points = LC_IMAGE_POINTS;
        conv.rows = conv.tiles_y * conv.tiles_x;
        conv.depth = conv.wide_c;
        conv.m_stride = conv.wide_n + BLOCK;
        conv.out_row = conv.tiles_x * TILE * conv.wide_n;
        conv.out_size = conv.tiles_y * TILE * conv.out_row;
    }
    conv.v_stride = padded(conv.depth) + BLOCK;
    /* the same for all convolutions on images of this size: a layer takes its images in blocks through all of them */
    conv.frames = height <= 2 && width <= 2 ? ROWS : up_to_one(ROWS / (conv.tiles_y * conv.tiles_x));
    return conv;
}

/* ---- sizes ---- */

static size_t forward_floats(const lc_image_conv *conv)
{
    return conv->points * conv->depth * conv->columns;
}

static size_t back_floats(const lc_image_conv *conv)
{
    return conv->points * padded(conv->depth) * conv->columns;
}

size_t lc_image_conv_packed(const lc_image_conv *conv)
{
    return forward_floats(conv) + back_floats(conv) + conv->wide_n + LC_OVERRUN;
}

size_t lc_image_conv_grads(const lc_image_conv *conv)
{
    return (TAPS * conv->c + 1) * conv->wide_n;
}

static size_t v_floats(const lc_image_conv *conv)
{
    return conv->points * conv->frames * conv->rows * conv->v_stride;
}

static size_t m_floats(const lc_image_conv *conv)
{
    return conv->way == LC_IMAGE_TILES ? conv->points * conv->frames * conv->rows * conv->m_stride : 0;
}

static size_t d_u_floats(const lc_image_conv *conv)
{
    return conv->points * conv->depth * BLOCK;
}

/* An image with zeros around it, as far as tiles reach: pixels in a row, and in all. */
static size_t framed_width(const lc_image_conv *conv)
{
    return conv->tiles_x * TILE + 2;
}

static size_t framed_floats(const lc_image_conv *conv)
{
    return framed_width(conv) * (conv->tiles_y * TILE + 2) * conv->wide_c;
}

size_t lc_image_conv_scratch(const lc_image_conv *conv)
{
    return v_floats(conv) + m_floats(conv) + d_u_floats(conv) + framed_floats(conv) + LC_OVERRUN;
}

/* ---- weights ---- */

/* The tap by which input pixel `from` reaches output pixel `to` of an image up to 2x2. */
static size_t tap_between(const lc_image_conv *conv, size_t from, size_t to)
{
    size_t w = conv->width;
    return (from / w + 1 - to / w) * 3 + (from % w + 1 - to % w);
}

/* Rows `row`.. and columns `column`.. of point p, 16 x 16 of them, into both packings. */
static void put_block(const lc_image_conv *conv, float *packed, size_t p, size_t row, size_t column, const float *block)
{
    size_t panels = conv->columns / BLOCK, back_panels = padded(conv->depth) / BLOCK;
    float *u = packed + ((p * panels + column / BLOCK) * conv->depth + row) * BLOCK;
    float *back = packed + forward_floats(conv) + ((p * back_panels + row / BLOCK) * conv->columns + column) * BLOCK;
    memcpy(u, block, (size_t)SIZE * sizeof *u);
    for (size_t r = 0; r < BLOCK; r++)
        for (size_t i = 0; i < BLOCK; i++)
            back[i * BLOCK + r] = block[r * BLOCK + i];
}

/* The nine taps of input channels c.. and output channels n.., 16 x 16 each, zeros past the real ones. */
static void get_taps(const lc_image_conv *conv, const float *w, size_t c, size_t n, float *taps)
{
    size_t rows = conv->c - c < BLOCK ? conv->c - c : BLOCK, columns = conv->n - n < BLOCK ? conv->n - n : BLOCK;
    memset(taps, 0, (size_t)TAPS * SIZE * sizeof *taps);
    for (size_t tap = 0; tap < TAPS; tap++)
        for (size_t r = 0; r < rows; r++)
            memcpy(taps + (tap * BLOCK + r) * BLOCK, w + ((tap * conv->c + c + r) * conv->n + n),
                   columns * sizeof *taps);
}

enum { AT_ONCE = 8 }; /* numbers of a tap */

static inline void add_taps(double *sum, double factor, const float *x)
{
    for (size_t i = 0; i < AT_ONCE; i++)
        sum[i] += factor * (double)x[i];
}

static inline void set_points(float *to, const double g[3], double half[3][AT_ONCE])
{
    for (size_t i = 0; i < AT_ONCE; i++)
        to[i] = (float)(g[0] * half[0][i] + g[1] * half[1][i] + g[2] * half[2][i]);
}

/* G g G^T, in double and rounded once (see winograd.c): along the columns of taps, then along their rows. */
static void points_of_taps(float *points, const float *taps)
{
    double g[6][3];
    for (size_t p = 0; p < 6; p++)
        for (size_t tap = 0; tap < 3; tap++)
            g[p][tap] = lc_winograd_g(p, tap, 3, 6);
    for (size_t i = 0; i < SIZE; i += AT_ONCE)
        for (size_t y = 0; y < 6; y++) {
            double half[3][AT_ONCE] = {{0}};
            for (size_t x = 0; x < 3; x++)
                for (size_t k = 0; k < 3; k++)
                    add_taps(half[x], g[y][k], taps + (3 * k + x) * SIZE + i);
            for (size_t x = 0; x < 6; x++)
                set_points(points + (6 * y + x) * SIZE + i, g[x], half);
        }
}

/* Tiles: U_p[c][n], a matrix for each of 36 points. Whole: one matrix (pixels * c, pixels * n) of taps. Both in blocks
 * of 16 x 16, which transpose in the first cache. */
static void pack_blocks(const lc_image_conv *conv, const float *w, float *packed)
{
    float taps[TAPS * SIZE], points[LC_IMAGE_POINTS * SIZE];
    size_t pixels = conv->height * conv->width;
    for (size_t c = 0; c < conv->c; c += BLOCK) {
        for (size_t n = 0; n < conv->n; n += BLOCK) {
            get_taps(conv, w, c, n, taps);
            if (conv->way == LC_IMAGE_TILES) {
                points_of_taps(points, taps);
                for (size_t p = 0; p < LC_IMAGE_POINTS; p++)
                    put_block(conv, packed, p, c, n, points + p * SIZE);
                continue;
            }
            for (size_t from = 0; from < pixels; from++)
                for (size_t to = 0; to < pixels; to++)
                    put_block(conv, packed, 0, from * conv->wide_c + c, to * conv->wide_n + n,
                              taps + tap_between(conv, from, to) * SIZE);
        }
    }
}

/* A window's 9 c values are not padded tap by tap: with one channel that would be 144 for 9. */
static void pack_patches(const lc_image_conv *conv, const float *w, float *packed)
{
    float *back = packed + forward_floats(conv);
    memset(packed, 0, (forward_floats(conv) + back_floats(conv)) * sizeof *packed);
    for (size_t k = 0; k < conv->depth; k++) {
        for (size_t n = 0; n < conv->n; n++) {
            float x = w[k * conv->n + n];
            packed[(n / BLOCK * conv->depth + k) * BLOCK + n % BLOCK] = x;
            back[(k / BLOCK * conv->columns + n) * BLOCK + k % BLOCK] = x;
        }
    }
}

void lc_image_conv_pack(const lc_image_conv *conv, const float *params, float *packed)
{
    float *bias = packed + forward_floats(conv) + back_floats(conv);
    if (conv->way == LC_IMAGE_PATCHES)
        pack_patches(conv, params, packed);
    else
        pack_blocks(conv, params, packed);
    memset(bias, 0, (conv->wide_n + LC_OVERRUN) * sizeof *bias);
    memcpy(bias, params + TAPS * conv->c * conv->n, conv->n * sizeof *bias);
}

void lc_image_conv_unpack(const lc_image_conv *conv, const float *grads, float *d_params)
{
    for (size_t r = 0; r < TAPS * conv->c + 1; r++)
        for (size_t i = 0; i < conv->n; i++)
            d_params[r * conv->n + i] += grads[r * conv->wide_n + i];
}

/* ---- images to rows of products, and back ---- */

static const float *pixel_at(lc_images images, size_t f, size_t y, size_t x)
{
    return images.data + f * images.frame + y * images.row + x * images.pixel;
}

/* An image into the middle of one with zeros around it. */
static void frame_image(const lc_image_conv *conv, lc_images in, size_t f, float *framed)
{
    for (size_t y = 0; y < conv->height; y++)
        for (size_t x = 0; x < conv->width; x++)
            memcpy(framed + ((y + 1) * framed_width(conv) + x + 1) * conv->wide_c, pixel_at(in, f, y, x),
                   conv->c * sizeof *framed);
}

/* V = B^T in B of every tile, from an image with zeros around it. */
static void spread_tiles(const lc_image_conv *conv, const lc_image_pass *pass, lc_images in, float *v, float *framed)
{
    size_t wide = conv->wide_c, row = framed_width(conv) * wide, plane = pass->frames * conv->rows * conv->v_stride;
    memset(framed, 0, framed_floats(conv) * sizeof *framed);
    for (size_t f = 0; f < pass->frames; f++) {
        frame_image(conv, in, f, framed);
        for (size_t ty = 0; ty < conv->tiles_y; ty++)
            for (size_t tx = 0; tx < conv->tiles_x; tx++, v += conv->v_stride)
                pass->image->tile_in(v, plane, framed + ty * TILE * row + tx * TILE * wide, row, wide, wide);
    }
}

/* A row of V is the window of one pixel, (3, 3, c), zeros where it leaves the image. */
static void spread_patches(const lc_image_conv *conv, const lc_image_pass *pass, lc_images in, float *v)
{
    size_t c = conv->c;
    for (size_t f = 0; f < pass->frames; f++) {
        for (size_t y = 0; y < conv->height; y++) {
            for (size_t x = 0; x < conv->width; x++, v += conv->v_stride) {
                memset(v, 0, conv->depth * sizeof *v);
                for (size_t j = y > 0 ? 0 : 1; j < 3 && y + j <= conv->height; j++)
                    for (size_t i = x > 0 ? 0 : 1; i < 3 && x + i <= conv->width; i++)
                        memcpy(v + (j * 3 + i) * c, pixel_at(in, f, y + j - 1, x + i - 1), c * sizeof *v);
            }
        }
    }
}

/* A row of V is a whole image, (pixels, wide_c). */
static void spread_whole(const lc_image_conv *conv, const lc_image_pass *pass, lc_images in, float *v)
{
    for (size_t f = 0; f < pass->frames; f++, v += conv->v_stride) {
        memset(v, 0, conv->depth * sizeof *v);
        for (size_t p = 0; p < conv->height * conv->width; p++)
            memcpy(v + p * conv->wide_c, pixel_at(in, f, p / conv->width, p % conv->width), conv->c * sizeof *v);
    }
}

static void spread(const lc_image_conv *conv, const lc_image_pass *pass, lc_images in, float *v, float *framed)
{
    switch (conv->way) {
    case LC_IMAGE_TILES: spread_tiles(conv, pass, in, v, framed); break;
    case LC_IMAGE_PATCHES: spread_patches(conv, pass, in, v); break;
    case LC_IMAGE_WHOLE: spread_whole(conv, pass, in, v); break;
    }
}

static void add(lc_images d_in, size_t f, size_t y, size_t x, const float *d, size_t c)
{
    float *to = d_in.data + f * d_in.frame + y * d_in.row + x * d_in.pixel;
    for (size_t i = 0; i < c; i++)
        to[i] += d[i];
}

/* d_in += B dV B^T: tiles overlap by two pixels, so they are summed in the framed image first. */
static void unspread_tiles(const lc_image_conv *conv, const lc_image_pass *pass, lc_images d_in, const float *d_v,
                           float *framed)
{
    size_t wide = conv->wide_c, width = framed_width(conv), row = width * wide;
    size_t plane = pass->frames * conv->rows * conv->v_stride;
    for (size_t f = 0; f < pass->frames; f++) {
        memset(framed, 0, framed_floats(conv) * sizeof *framed);
        for (size_t ty = 0; ty < conv->tiles_y; ty++)
            for (size_t tx = 0; tx < conv->tiles_x; tx++, d_v += conv->v_stride)
                pass->image->tile_d_in(framed + ty * TILE * row + tx * TILE * wide, row, wide, d_v, plane, wide);
        for (size_t y = 0; y < conv->height; y++)
            for (size_t x = 0; x < conv->width; x++)
                add(d_in, f, y, x, framed + ((y + 1) * width + x + 1) * wide, conv->c);
    }
}

static void unspread_patches(const lc_image_conv *conv, const lc_image_pass *pass, lc_images d_in, const float *d_v)
{
    size_t c = conv->c;
    for (size_t f = 0; f < pass->frames; f++)
        for (size_t y = 0; y < conv->height; y++)
            for (size_t x = 0; x < conv->width; x++, d_v += conv->v_stride)
                for (size_t j = y > 0 ? 0 : 1; j < 3 && y + j <= conv->height; j++)
                    for (size_t i = x > 0 ? 0 : 1; i < 3 && x + i <= conv->width; i++)
                        add(d_in, f, y + j - 1, x + i - 1, d_v + (j * 3 + i) * c, c);
}

static void unspread_whole(const lc_image_conv *conv, const lc_image_pass *pass, lc_images d_in, const float *d_v)
{
    for (size_t f = 0; f < pass->frames; f++, d_v += conv->v_stride)
        for (size_t p = 0; p < conv->height * conv->width; p++)
            add(d_in, f, p / conv->width, p % conv->width, d_v + p * conv->wide_c, conv->c);
}

/* ---- forward ---- */

/* z = A^T M A + bias of every tile. */
static void join_tiles(const lc_image_conv *conv, const lc_image_pass *pass, const float *m, const float *bias,
                       lc_images out)
{
    size_t plane = pass->frames * conv->rows * conv->m_stride, wide = conv->wide_n;
    for (size_t f = 0; f < pass->frames; f++)
        for (size_t ty = 0; ty < conv->tiles_y; ty++)
            for (size_t tx = 0; tx < conv->tiles_x; tx++, m += conv->m_stride)
                pass->image->tile_out(out.data + f * out.frame + ty * TILE * out.row + tx * TILE * out.pixel, out.row,
                                      out.pixel, m, plane, bias, wide);
}

/* Without tiles a row of M is a pixel, or an image, of z itself. */
void lc_image_conv_forward(const lc_image_conv *conv, const lc_image_pass *pass, lc_images in, lc_images out)
{
    size_t rows = pass->frames * conv->rows, panels = conv->columns / BLOCK;
    bool tiles = conv->way == LC_IMAGE_TILES;
    const float *bias = pass->packed + forward_floats(conv) + back_floats(conv);
    float *v = pass->scratch, *m = tiles ? v + v_floats(conv) : out.data;
    size_t m_stride = conv->way == LC_IMAGE_WHOLE ? out.frame : conv->m_stride;
    spread(conv, pass, in, v, v + v_floats(conv) + m_floats(conv) + d_u_floats(conv));
    for (size_t p = 0; p < conv->points; p++)
        for (size_t panel = 0; panel < panels; panel++)
            pass->kernels->product(&(lc_product){
                .out = m + p * rows * m_stride + panel * BLOCK,
                .out_stride = m_stride,
                .a = v + p * rows * conv->v_stride,
                .a_stride = conv->v_stride,
                .b = pass->packed + (p * panels + panel) * conv->depth * BLOCK,
                .bias = tiles ? NULL : bias + panel * BLOCK % conv->wide_n,
                .taps = 1,
                .rows = rows,
                .depth = conv->depth,
                .columns = BLOCK,
            });
    if (tiles)
        join_tiles(conv, pass, m, bias, out);
}

/* ---- backward ---- */

/* dM = A dz A^T of every tile. */
static void unjoin_tiles(const lc_image_conv *conv, const lc_image_pass *pass, const float *dz, float *m)
{
    size_t plane = pass->frames * conv->rows * conv->m_stride, wide = conv->wide_n;
    for (size_t f = 0; f < pass->frames; f++, dz += conv->out_size)
        for (size_t ty = 0; ty < conv->tiles_y; ty++)
            for (size_t tx = 0; tx < conv->tiles_x; tx++, m += conv->m_stride)
                pass->image->tile_d_out(m, plane, dz + ty * TILE * conv->out_row + tx * TILE * wide, conv->out_row,
                                        wide, wide);
}

/* The gradient of one panel of U to that of the nine taps. */
static void fold(const lc_image_conv *conv, const lc_image_pass *pass, size_t panel, const float *d_u)
{
    size_t to = panel * BLOCK / conv->wide_n, wide = conv->wide_n, plane = conv->depth * BLOCK;
    float *d_w = pass->grads + panel * BLOCK % wide;
    if (conv->way == LC_IMAGE_TILES) {
        for (size_t c = 0; c < conv->c; c++)
            pass->image->d_weights(d_w + c * wide, conv->c * wide, d_u + c * BLOCK, plane, BLOCK);
        return;
    }
    size_t pixels = conv->way == LC_IMAGE_WHOLE ? conv->height * conv->width : 1;
    for (size_t from = 0; from < pixels; from++) {
        size_t first = conv->way == LC_IMAGE_WHOLE ? tap_between(conv, from, to) * conv->c : 0;
        size_t rows = conv->way == LC_IMAGE_WHOLE ? conv->c : conv->depth;
        for (size_t r = 0; r < rows; r++)
            for (size_t i = 0; i < BLOCK; i++)
                d_w[(first + r) * wide + i] += d_u[(from * conv->wide_c + r) * BLOCK + i];
    }
}

/* dU_p = V_p^T dM_p, one panel of 16 columns at a time, and its fold into the taps. */
static void backward_weights(const lc_image_conv *conv, const lc_image_pass *pass, const float *v, const float *m,
                             float *d_u)
{
    size_t rows = pass->frames * conv->rows, plane = conv->depth * BLOCK;
    for (size_t panel = 0; panel < conv->columns / BLOCK; panel++) {
        memset(d_u, 0, d_u_floats(conv) * sizeof *d_u);
        for (size_t p = 0; p < conv->points; p++)
            pass->kernels->outer(&(lc_outer){
                .out = d_u + p * plane,
                .a = v + p * rows * conv->v_stride,
                .a_stride = conv->v_stride,
                .d = m + p * rows * conv->m_stride + panel * BLOCK,
                .d_stride = conv->m_stride,
                .frames = 1,
                .rows = rows,
                .depth = conv->depth,
                .columns = BLOCK,
            });
        fold(conv, pass, panel, d_u);
    }
}

/* dV_p = dM_p U_p^T */
static void backward_in(const lc_image_conv *conv, const lc_image_pass *pass, const float *m, float *d_v)
{
    size_t rows = pass->frames * conv->rows, panels = padded(conv->depth) / BLOCK;
    const float *back = pass->packed + forward_floats(conv);
    for (size_t p = 0; p < conv->points; p++)
        for (size_t panel = 0; panel < panels; panel++)
            pass->kernels->product(&(lc_product){
                .out = d_v + p * rows * conv->v_stride + panel * BLOCK,
                .out_stride = conv->v_stride,
                .a = m + p * rows * conv->m_stride,
                .a_stride = conv->m_stride,
                .b = back + (p * panels + panel) * conv->columns * BLOCK,
                .taps = 1,
                .rows = rows,
                .depth = conv->columns,
                .columns = BLOCK,
            });
}

void lc_image_conv_backward(const lc_image_conv *conv, const lc_image_pass *pass, lc_images in, const float *dz,
                            lc_images d_in)
{
    bool tiles = conv->way == LC_IMAGE_TILES;
    float *v = pass->scratch, *d_m = v + v_floats(conv), *d_u = d_m + m_floats(conv), *framed = d_u + d_u_floats(conv);
    spread(conv, pass, in, v, framed);
    if (tiles)
        unjoin_tiles(conv, pass, dz, d_m);
    backward_weights(conv, pass, v, tiles ? d_m : dz, d_u);
    if (d_in.data == NULL)
        return;
    backward_in(conv, pass, tiles ? d_m : dz, v); /* dV over V, which is no longer needed */
    switch (conv->way) {
    case LC_IMAGE_TILES: unspread_tiles(conv, pass, d_in, v, framed); break;
    case LC_IMAGE_PATCHES: unspread_patches(conv, pass, d_in, v); break;
    case LC_IMAGE_WHOLE: unspread_whole(conv, pass, d_in, v); break;
    }
}
