/* SPDX-License-Identifier: MIT
 * product_body.h - matrix products on rows that may overlap: convolutions, dense and recurrent layers.
 *
 * A tile of 4 x 2, 8 x 1 or 3 x 3 vectors of outputs stays in registers: 8 independent sums just hide the latency of a
 * multiply-add. AVX2 has registers for 12 sums, and with them fewer loads, but a matrix of 16 channels is then done
 * after 16 steps, and 12 stores in a row held up the next tile: 0.19 ns a vector and multiply-add against 0.17, where
 * 0.16 is the best this machine does (product of 24 x 16 by 16 x 16; outer product 0.19 against 0.17). With the 32
 * registers of AVX-512, 12, 15 and 16 rows of one vector gained nothing either. */

enum { ROWS = 4, TALL = 8, MOST_ROWS = 10, FOUR = 4, WIDTH = 2 * LANES };

/* The columns are a multiple of 8: with 16 lanes the last vector of a row may be half empty, and only its part is
 * written; narrower vectors are always full. */
INLINE void store_columns(float *row, vec v, size_t column, size_t columns)
{
    if (LANES <= LC_COLUMN_BLOCK)
        store(row + column, v);
    else
        store_part(row, v, column, columns);
}

/* Rows `row` to `end`, a multiple of `rows` of them, of all products, by tiles of rows x vectors. Each shape is a
 * function of its own, and runs through all products: inlined into one, the shapes left no registers for the pointers,
 * and with a call for each product a tenth of the time went into calls. Copies, since for all that the compiler knows a
 * store changes *p. */
INLINE void product_tiles(const lc_product *p, size_t row, size_t end, size_t column, size_t rows, size_t vectors)
{
    const size_t depth = p->depth, columns = p->columns, taps = p->taps, more = p->more;
    const size_t a_stride = p->a_stride, out_stride = p->out_stride, tap_stride = p->tap_stride;
    const size_t out_next = p->out_next, a_next = p->a_next, b_next = p->b_next;
    const float *a_first = p->a + row * a_stride, *b_first = p->b + column,
                *bias = p->bias != NULL ? p->bias + column : NULL;
    float *out_first = p->out + row * out_stride + column;
    for (size_t i = 0; i <= more; i++, out_first += out_next, a_first += a_next, b_first += b_next) {
        const float *a = a_first;
        float *out = out_first;
        for (size_t m = row; m < end; m += rows, a += rows * a_stride, out += rows * out_stride) {
            vec sum[MOST_ROWS][3];
            for (size_t r = 0; r < rows; r++)
                for (size_t v = 0; v < vectors; v++)
                    sum[r][v] = bias != NULL ? load(bias + v * LANES) : (vec){0};
            const float *x = a, *b = b_first;
            for (size_t j = 0; j < taps; j++, x += tap_stride) {
                for (size_t k = 0; k < depth; k++, b += columns) {
                    vec b0 = load(b), b1 = vectors > 1 ? load(b + LANES) : b0;
                    vec b2 = vectors > 2 ? load(b + 2 * LANES) : b0;
                    for (size_t r = 0; r < rows; r++) {
                        sum[r][0] += splat(x[r * a_stride + k]) * b0;
                        if (vectors > 1)
                            sum[r][1] += splat(x[r * a_stride + k]) * b1;
                        if (vectors > 2)
                            sum[r][2] += splat(x[r * a_stride + k]) * b2;
                    }
                }
            }
            for (size_t r = 0; r < rows; r++)
                for (size_t v = 0; v < vectors; v++)
                    store_columns(out + r * out_stride, sum[r][v], v * LANES, columns - column);
        }
    }
}

/* Constants for rows and vectors: only then do the loops unroll and the sums stay in registers. */
#define PRODUCT_TILES(R, V)                                                                                          \
    static                                                                                                           \
        __attribute__((noinline)) void product_##R##x##V(const lc_product *p, size_t row, size_t end, size_t column) \
    {                                                                                                                \
        product_tiles(p, row, end, column, R, V);                                                                    \
    }

PRODUCT_TILES(1, 1)
PRODUCT_TILES(2, 1)
PRODUCT_TILES(3, 1)
PRODUCT_TILES(4, 1)
PRODUCT_TILES(5, 1)
PRODUCT_TILES(6, 1)
PRODUCT_TILES(7, 1)
PRODUCT_TILES(8, 1)
PRODUCT_TILES(9, 1)
PRODUCT_TILES(10, 1)
PRODUCT_TILES(1, 2)
PRODUCT_TILES(2, 2)
PRODUCT_TILES(3, 2)
PRODUCT_TILES(4, 2)
PRODUCT_TILES(5, 2)
PRODUCT_TILES(6, 2)
PRODUCT_TILES(1, 3)
PRODUCT_TILES(2, 3)
PRODUCT_TILES(3, 3)
PRODUCT_TILES(4, 3)

typedef void product_part(const lc_product *p, size_t row, size_t end, size_t column);

/* Small matrices whose rows lie side by side, as tiles along frequency have them (winograd.c), with constants for all
 * sizes: else 50 instructions, most of them for pointers, lead from one tile to the next, and 8 channels deep that is
 * as much as the work of a tile (0.187 ns a vector and multiply-add against 0.162; 16 deep 0.171 against 0.157). */
INLINE void product_small(lc_product p, size_t row, size_t end, size_t column, size_t depth, size_t columns)
{
    p.a_stride = p.depth = depth;
    p.out_stride = p.columns = columns;
    p.taps = 1;
    p.bias = NULL;
    product_tiles(&p, row, end, column, columns > LANES ? ROWS : TALL, columns > LANES ? 2 : 1);
}

#define PRODUCT_SMALL(D, C)                                                                                 \
    static __attribute__((noinline)) void product_of_##D##_##C(const lc_product *p, size_t row, size_t end, \
                                                               size_t column)                               \
    {                                                                                                       \
        product_small(*p, row, end, column, D, C);                                                          \
    }

PRODUCT_SMALL(8, 16)
PRODUCT_SMALL(16, 16)
PRODUCT_SMALL(16, 8)

/* NULL: of no such size. */
static product_part *product_of(const lc_product *p)
{
    bool packed = p->a_stride == p->depth && p->out_stride == p->columns && p->taps == 1 && p->bias == NULL;
    if (!packed || LANES < LC_COLUMN_BLOCK)
        return NULL;
    if (p->depth == 8 && p->columns == 16)
        return product_of_8_16;
    if (p->depth == 16 && p->columns == 16)
        return product_of_16_16;
    return p->depth == 16 && p->columns == 8 ? product_of_16_8 : NULL;
}

/* The columns from `column` on, one to three vectors. One or two rows left over are taken together with the tile before
 * them: alone they would wait for their own sums, half as long as a whole tile takes. */
static void product_rows(const lc_product *p, size_t column, size_t vectors)
{
    static product_part *const last_one[] = {product_1x1, product_2x1, product_3x1, product_4x1, product_5x1,
                                             product_6x1, product_7x1, product_8x1, product_9x1, product_10x1};
    static product_part *const last_two[] = {product_1x2, product_2x2, product_3x2,
                                             product_4x2, product_5x2, product_6x2};
    static product_part *const last_three[] = {product_1x3, product_2x3, product_3x3, product_4x3};
    static product_part *const *const last[] = {last_one, last_two, last_three};
    static product_part *const most[] = {product_8x1, product_4x2, product_3x3};
    static const size_t heights[] = {TALL, ROWS, 3}, alone[] = {3, 3, 2};
    size_t rows = heights[vectors - 1], left = p->rows % rows, end = p->rows - left;
    if (left > 0 && left < alone[vectors - 1] && end > 0)
        end -= rows;
    product_part *small = product_of(p);
    if (end > 0)
        (small != NULL ? small : most[vectors - 1])(p, 0, end, column);
    if (end < p->rows)
        last[vectors - 1][p->rows - end - 1](p, end, p->rows, column);
}

/* One row alone, as a stream has in its dense and recurrent layers: there the chains that hide the latency must stand
 * side by side. Each sum runs in the same order as in a tile. */
INLINE size_t product_row(const lc_product *p, size_t column, size_t vectors)
{
    vec sum[8];
    for (; column + vectors * LANES <= p->columns; column += vectors * LANES) {
        for (size_t v = 0; v < vectors; v++)
            sum[v] = p->bias != NULL ? load(p->bias + column + v * LANES) : (vec){0};
        for (size_t j = 0; j < p->taps; j++) {
            const float *a = p->a + j * p->tap_stride, *b = p->b + j * p->depth * p->columns + column;
            for (size_t k = 0; k < p->depth; k++, b += p->columns)
                for (size_t v = 0; v < vectors; v++)
                    sum[v] += splat(a[k]) * load(b + v * LANES);
        }
        for (size_t v = 0; v < vectors; v++)
            store(p->out + column + v * LANES, sum[v]);
    }
    return column;
}

/* Windows of FOUR bins of one channel, as a first layer has them: rows overlap by all but one value, and each is read
 * once for the rows that share it, while the four rows of b stay in registers (0.32 ns a vector and multiply-add by
 * tiles, 0.18 so). */
INLINE void slide_rows(const lc_product *p, const vec b[FOUR], size_t row, size_t column, size_t rows)
{
    vec sum[TALL];
    for (size_t r = 0; r < rows; r++)
        sum[r] = p->bias != NULL ? load(p->bias + column) : (vec){0};
    for (size_t i = 0; i + 1 < rows + FOUR; i++) {
        vec x = splat(p->a[row + i]);
        for (size_t k = 0; k < FOUR; k++)
            if (i >= k && i - k < rows)
                sum[i - k] += x * b[k];
    }
    for (size_t r = 0; r < rows; r++)
        store_columns(p->out + (row + r) * p->out_stride, sum[r], column, p->columns);
}

static __attribute__((noinline)) void product_slide(const lc_product *given)
{
    const lc_product p = *given;
    for (size_t column = 0; column < p.columns; column += LANES) {
        size_t row = 0;
        vec b[FOUR];
        for (size_t k = 0; k < FOUR; k++)
            b[k] = load(p.b + k * p.columns + column);
        for (; row + TALL <= p.rows; row += TALL)
            slide_rows(&p, b, row, column, TALL);
        for (; row < p.rows; row++)
            slide_rows(&p, b, row, column, 1);
    }
}

/* Chooses by shape: windows of one channel, one row alone, or tiles of two vectors of columns; at the end three rather
 * than two and one. */
static void product(const lc_product *p)
{
    size_t column = 0;
    if (p->a_stride == 1 && p->depth == FOUR && p->taps == 1 && p->more == 0) {
        product_slide(p);
        return;
    }
    if (p->rows == 1 && p->more == 0) {
        column = product_row(p, column, 8);
        column = product_row(p, column, 6);
    }
    for (; column + WIDTH <= p->columns && p->columns - column != 3 * LANES; column += WIDTH)
        product_rows(p, column, 2);
    if (column < p->columns)
        product_rows(p, column, (p->columns - column + LANES - 1) / LANES);
}

/* A tile is read and written once for about OUTER_ROWS rows, which are summed by themselves: were each product added
 * to the sum of all before it, long sequences would lose a digit. Twice as many for small matrices, whose calls are
 * short. */
enum { OUTER_ROWS = 16 };

/* out += sum */
INLINE void outer_flush(const lc_outer *o, size_t k, size_t column, vec sum[TALL][2], size_t rows, size_t vectors)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < vectors; v++) {
            float *row = o->out + (k + r) * o->columns;
            size_t at = column + v * LANES;
            store_columns(row, load(row + at) + sum[r][v], at, o->columns);
        }
}

/* Rows n of a frame. */
INLINE void outer_some(const lc_outer *o, const float *a, const float *d, size_t n, vec sum[TALL][2], size_t rows,
                       size_t vectors)
{
    for (size_t m = 0; m < n; m++, a += o->a_stride, d += o->d_stride) {
        vec d0 = load(d), d1 = vectors > 1 ? load(d + LANES) : d0;
        for (size_t r = 0; r < rows; r++) {
            vec x = splat(a[r]);
            sum[r][0] += x * d0;
            if (vectors > 1)
                sum[r][1] += x * d1;
        }
    }
}

/* `most` rows go into one sum, or less at the end of a frame; all of a call of OUTER_LONG rows or more, as images make
 * them: a step of the digits takes 1 % less so than in pieces. */
enum { OUTER_LONG = 64 };

INLINE void outer_tile(const lc_outer *o, size_t k, size_t column, size_t rows, size_t vectors, size_t most)
{
    most = o->rows >= OUTER_LONG ? o->rows : most;
    for (size_t t = 0; t < o->frames; t++) {
        const float *a = o->a + t * o->a_frame + k, *d = o->d + t * o->d_frame + column;
        for (size_t m = 0, n; m < o->rows; m += n, a += n * o->a_stride, d += n * o->d_stride) {
            vec sum[TALL][2] = {{{0}}};
            n = o->rows - m < most ? o->rows - m : most;
            outer_some(o, a, d, n, sum, rows, vectors);
            outer_flush(o, k, column, sum, rows, vectors);
        }
    }
}

/* Four rows of one vector, twice: alone they would be too few sums to hide the latency. */
INLINE void outer_four(const lc_outer *o, size_t k, size_t column)
{
    vec even[ROWS], odd[ROWS];
    for (size_t r = 0; r < ROWS; r++) {
        even[r] = (vec){0};
        odd[r] = (vec){0};
    }
    for (size_t t = 0; t < o->frames; t++) {
        const float *a = o->a + t * o->a_frame + k, *d = o->d + t * o->d_frame + column;
        size_t m = 0;
        for (; m + 2 <= o->rows; m += 2, a += 2 * o->a_stride, d += 2 * o->d_stride) {
            vec d0 = load(d), d1 = load(d + o->d_stride);
            for (size_t r = 0; r < ROWS; r++) {
                even[r] += splat(a[r]) * d0;
                odd[r] += splat(a[o->a_stride + r]) * d1;
            }
        }
        for (size_t r = 0; m < o->rows && r < ROWS; r++)
            even[r] += splat(a[r]) * load(d);
    }
    for (size_t r = 0; r < ROWS; r++) {
        float *row = o->out + (k + r) * o->columns;
        store_columns(row, load(row + column) + (even[r] + odd[r]), column, o->columns);
    }
}

/* Of small matrices whose rows lie side by side, with constants for all sizes, as for their product. */
INLINE void outer_small_of(lc_outer o, size_t depth, size_t columns)
{
    size_t rows = columns > LANES ? ROWS : TALL;
    o.a_stride = o.depth = depth;
    o.d_stride = o.columns = columns;
    o.frames = 1;
    for (size_t i = 0; i <= o.more; i++, o.out += o.out_next, o.a += o.a_next, o.d += o.d_next)
        for (size_t k = 0; k < depth; k += rows)
            outer_tile(&o, k, 0, rows, columns > LANES ? 2 : 1, 2 * OUTER_ROWS);
}

#define OUTER_SMALL(D, C)                                                       \
    static __attribute__((noinline)) void outer_of_##D##_##C(const lc_outer *o) \
    {                                                                           \
        outer_small_of(*o, D, C);                                               \
    }

OUTER_SMALL(8, 16)
OUTER_SMALL(16, 16)

/* Whether the sizes are those of outer_of_8_16 or outer_of_16_16; then it is done. */
static bool outer_small(const lc_outer *o)
{
    bool packed = o->a_stride == o->depth && o->d_stride == o->columns && o->frames == 1 && o->columns == 16;
    if (!packed || LANES < LC_COLUMN_BLOCK || (o->depth != 8 && o->depth != 16))
        return false;
    if (o->depth == 8)
        outer_of_8_16(o);
    else
        outer_of_16_16(o);
    return true;
}

/* All rows of `vectors` vectors of columns: by TALL, by ROWS, then what is left. */
INLINE void outer_rows(const lc_outer *o, size_t column, size_t vectors)
{
    size_t k = 0;
    for (; vectors == 1 && k + TALL <= o->depth; k += TALL)
        outer_tile(o, k, column, TALL, vectors, OUTER_ROWS);
    for (; vectors == 1 && k + ROWS <= o->depth; k += ROWS)
        outer_four(o, k, column);
    for (; k + ROWS <= o->depth; k += ROWS)
        outer_tile(o, k, column, ROWS, vectors, OUTER_ROWS);
    switch (o->depth - k) {
    case 3: outer_tile(o, k, column, 3, vectors, OUTER_ROWS); break;
    case 2: outer_tile(o, k, column, 2, vectors, OUTER_ROWS); break;
    case 1: outer_tile(o, k, column, 1, vectors, OUTER_ROWS); break;
    default: break;
    }
}

/* Windows of FOUR bins of one channel, as in product_slide: rows m.. m + rows, each in the sums of its parity. */
INLINE void outer_slide_rows(const float *a, const float *d, size_t d_stride, vec sum[2][FOUR], size_t rows)
{
    vec y[FOUR];
    for (size_t r = 0; r < rows; r++)
        y[r] = load(d + r * d_stride);
    for (size_t i = 0; i + 1 < rows + FOUR; i++) {
        vec x = splat(a[i]);
        for (size_t r = 0; r < rows; r++)
            if (i >= r && i - r < FOUR)
                sum[r % 2][i - r] += x * y[r];
    }
}

static __attribute__((noinline)) void outer_slide(const lc_outer *given)
{
    const lc_outer o = *given;
    for (size_t column = 0; column < o.columns; column += LANES) {
        vec sum[2][FOUR];
        size_t m = 0;
        for (size_t k = 0; k < FOUR; k++) {
            sum[0][k] = (vec){0};
            sum[1][k] = (vec){0};
        }
        for (; m + FOUR <= o.rows; m += FOUR)
            outer_slide_rows(o.a + m, o.d + m * o.d_stride + column, o.d_stride, sum, FOUR);
        for (; m < o.rows; m++)
            outer_slide_rows(o.a + m, o.d + m * o.d_stride + column, o.d_stride, sum, 1);
        for (size_t k = 0; k < FOUR; k++) {
            float *row = o.out + k * o.columns;
            store_columns(row, load(row + column) + (sum[0][k] + sum[1][k]), column, o.columns);
        }
    }
}

/* out += a^T d. The same choice: windows of one channel, small matrices, else tiles of two vectors and one at the end.
 */
static void outer(const lc_outer *first)
{
    if (first->a_stride == 1 && first->depth == FOUR && first->frames == 1 && first->more == 0) {
        outer_slide(first);
        return;
    }
    if (outer_small(first))
        return;
    lc_outer o = *first;
    for (size_t i = 0; i <= first->more; i++, o.out += o.out_next, o.a += o.a_next, o.d += o.d_next) {
        size_t column = 0;
        for (; column + LANES < o.columns; column += WIDTH)
            outer_rows(&o, column, 2);
        if (column < o.columns)
            outer_rows(&o, column, 1);
    }
}

/* `vectors` vectors of outputs, each in `chains` sums: a single row has no other sums to hide the latency behind. Eight
 * parameters rather than a struct: all calls are inlined, and vectors and chains must be constants there. */
INLINE void matvec_tile(float *out, const float *x, const float *b, size_t depth, size_t columns, size_t left,
                        size_t vectors, size_t chains)
{
    vec sum[4][6] = {{{0}}};
    size_t k = 0;
    for (size_t v = 0; v < vectors; v++)
        sum[0][v] = load(out + v * LANES);
    for (; k + chains <= depth; k += chains)
        for (size_t c = 0; c < chains; c++)
            for (size_t v = 0; v < vectors; v++)
                sum[c][v] += splat(x[k + c]) * load(b + (k + c) * columns + v * LANES);
    for (; k < depth; k++)
        for (size_t v = 0; v < vectors; v++)
            sum[0][v] += splat(x[k]) * load(b + k * columns + v * LANES);
    for (size_t v = 0; v < vectors; v++) {
        vec all = sum[0][v] + sum[1][v];
        store_part(out, chains > 2 ? all + (sum[2][v] + sum[3][v]) : all, v * LANES, left);
    }
}

/* Six vectors in two sums each, three in four, or one in four. */
static void matvec(float *out, const float *x, const float *b, size_t depth, size_t columns)
{
    size_t column = 0;
    for (; column + 6 * LANES <= columns; column += 6 * LANES)
        matvec_tile(out + column, x, b + column, depth, columns, columns - column, 6, 2);
    for (; column + 3 * LANES <= columns; column += 3 * LANES)
        matvec_tile(out + column, x, b + column, depth, columns, columns - column, 3, 4);
    for (; column < columns; column += LANES)
        matvec_tile(out + column, x, b + column, depth, columns, columns - column, 1, 4);
}
