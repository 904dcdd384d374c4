/* SPDX-License-Identifier: MIT
 * product_body.h - matrix products on rows that may overlap: convolutions, dense and recurrent layers.
 *
 * A tile of 4 x 2 or 8 x 1 vectors of outputs stays in registers: 8 independent sums just hide the latency of a
 * multiply-add. AVX2 has registers for 12 sums, and with them fewer loads, but a matrix of 16 channels is then done
 * after 16 steps, and 12 stores in a row held up the next tile: 0.19 ns a vector and multiply-add against 0.17, where
 * 0.16 is the best this machine does (product of 24 x 16 by 16 x 16; outer product 0.19 against 0.17). */

enum { ROWS = 4, TALL = 8, MOST_ROWS = 10, WIDTH = 2 * LANES };

/* The columns are a multiple of 8: with 16 lanes the last vector of a row may be half empty, and only its part is
 * written; narrower vectors are always full. */
INLINE void store_columns(float *row, vec v, size_t column, size_t columns)
{
    if (LANES <= LC_COLUMN_BLOCK)
        store(row + column, v);
    else
        store_part(row, v, column, columns);
}

INLINE void product_tile(const lc_product *p, size_t row, size_t column, size_t rows, size_t vectors)
{
    vec sum[MOST_ROWS][2];
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < vectors; v++)
            sum[r][v] = p->bias != NULL ? load(p->bias + column + v * LANES) : (vec){0};
    for (size_t j = 0; j < p->taps; j++) {
        const float *a = p->a + j * p->tap_stride + row * p->a_stride;
        const float *b = p->b + j * p->depth * p->columns + column;
        for (size_t k = 0; k < p->depth; k++, b += p->columns) {
            vec b0 = load(b), b1 = vectors > 1 ? load(b + LANES) : b0;
            for (size_t r = 0; r < rows; r++) {
                vec x = splat(a[r * p->a_stride + k]);
                sum[r][0] += x * b0;
                if (vectors > 1)
                    sum[r][1] += x * b1;
            }
        }
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < vectors; v++)
            store_columns(p->out + (row + r) * p->out_stride, sum[r][v], column + v * LANES, p->columns);
}

/* Each call has constants for rows and vectors: only then do the inlined loops unroll and the sums stay in registers.
 * Hence the cases for the last rows instead of one call with a variable. One or two rows left over are taken together
 * with the tile before them: alone they would wait for their own sums, half as long as a whole tile takes. */
INLINE void product_rows(const lc_product *p, size_t column, size_t vectors)
{
    size_t row = 0;
    for (; vectors == 1 && row + TALL + 3 <= p->rows; row += TALL)
        product_tile(p, row, column, TALL, vectors);
    for (; vectors == 2 && row + ROWS + 3 <= p->rows; row += ROWS)
        product_tile(p, row, column, ROWS, vectors);
    switch (p->rows - row) {
    case 10: product_tile(p, row, column, 10, 1); break;
    case 9: product_tile(p, row, column, 9, 1); break;
    case 8: product_tile(p, row, column, 8, 1); break;
    case 7: product_tile(p, row, column, 7, 1); break;
    case 6: product_tile(p, row, column, 6, vectors); break;
    case 5: product_tile(p, row, column, 5, vectors); break;
    case 4: product_tile(p, row, column, 4, vectors); break;
    case 3: product_tile(p, row, column, 3, vectors); break;
    case 2: product_tile(p, row, column, 2, vectors); break;
    case 1: product_tile(p, row, column, 1, vectors); break;
    default: break;
    }
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

static void product(const lc_product *first)
{
    lc_product p = *first;
    for (size_t i = 0; i <= first->more; i++, p.out += p.out_next, p.a += p.a_next, p.b += p.b_next) {
        size_t column = 0;
        if (p.rows == 1) {
            column = product_row(&p, column, 8);
            column = product_row(&p, column, 6);
        }
        for (; column + WIDTH <= p.columns; column += WIDTH)
            product_rows(&p, column, 2);
        if (column < p.columns)
            product_rows(&p, column, 1);
    }
}

/* The sums begin with what out holds, so that adding costs no pass of its own; a tile is read and written once for all
 * frames of the call, which is why callers pass several frames at a time. */
INLINE void outer_tile(const lc_outer *o, size_t k, size_t column, size_t rows, size_t vectors)
{
    vec sum[TALL][2];
    float *out = o->out + k * o->columns + column;
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < vectors; v++)
            sum[r][v] = load(out + r * o->columns + v * LANES);
    for (size_t t = 0; t < o->frames; t++) {
        const float *a = o->a + t * o->a_frame + k, *d = o->d + t * o->d_frame + column;
        for (size_t m = 0; m < o->rows; m++, a += o->a_stride, d += o->d_stride) {
            vec d0 = load(d), d1 = vectors > 1 ? load(d + LANES) : d0;
            for (size_t r = 0; r < rows; r++) {
                vec x = splat(a[r]);
                sum[r][0] += x * d0;
                if (vectors > 1)
                    sum[r][1] += x * d1;
            }
        }
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < vectors; v++)
            store_columns(o->out + (k + r) * o->columns, sum[r][v], column + v * LANES, o->columns);
}

/* Four rows of one vector, twice: alone they would be too few sums to hide the latency. */
INLINE void outer_four(const lc_outer *o, size_t k, size_t column)
{
    vec even[ROWS], odd[ROWS];
    for (size_t r = 0; r < ROWS; r++) {
        even[r] = load(o->out + (k + r) * o->columns + column);
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
    for (size_t r = 0; r < ROWS; r++)
        store_columns(o->out + (k + r) * o->columns, even[r] + odd[r], column, o->columns);
}

INLINE void outer_rows(const lc_outer *o, size_t column, size_t vectors)
{
    size_t k = 0;
    for (; vectors == 1 && k + TALL <= o->depth; k += TALL)
        outer_tile(o, k, column, TALL, vectors);
    for (; vectors == 1 && k + ROWS <= o->depth; k += ROWS)
        outer_four(o, k, column);
    for (; k + ROWS <= o->depth; k += ROWS)
        outer_tile(o, k, column, ROWS, vectors);
    switch (o->depth - k) {
    case 3: outer_tile(o, k, column, 3, vectors); break;
    case 2: outer_tile(o, k, column, 2, vectors); break;
    case 1: outer_tile(o, k, column, 1, vectors); break;
    default: break;
    }
}

static void outer(const lc_outer *first)
{
    lc_outer o = *first;
    for (size_t i = 0; i <= first->more; i++, o.out += o.out_next, o.a += o.a_next, o.d += o.d_next) {
        size_t column = 0;
        for (; column + WIDTH <= o.columns; column += WIDTH)
            outer_rows(&o, column, 2);
        if (column < o.columns)
            outer_rows(&o, column, 1);
    }
}

/* Up to 6 vectors of outputs, two sums each: one row alone has no other chains to hide the latency behind. */
INLINE void matvec_tile(float *out, const float *x, const float *b, size_t depth, size_t columns, size_t left,
                        size_t vectors)
{
    vec even[6], odd[6];
    size_t k = 0;
    for (size_t v = 0; v < vectors; v++) {
        even[v] = load(out + v * LANES);
        odd[v] = (vec){0};
    }
    for (; k + 1 < depth; k += 2) {
        vec x0 = splat(x[k]), x1 = splat(x[k + 1]);
        for (size_t v = 0; v < vectors; v++) {
            even[v] += x0 * load(b + k * columns + v * LANES);
            odd[v] += x1 * load(b + (k + 1) * columns + v * LANES);
        }
    }
    for (; k < depth; k++)
        for (size_t v = 0; v < vectors; v++)
            even[v] += splat(x[k]) * load(b + k * columns + v * LANES);
    for (size_t v = 0; v < vectors; v++)
        store_part(out, even[v] + odd[v], v * LANES, left);
}

static void matvec(float *out, const float *x, const float *b, size_t depth, size_t columns)
{
    size_t column = 0;
    for (; column + 6 * LANES <= columns; column += 6 * LANES)
        matvec_tile(out + column, x, b + column, depth, columns, columns - column, 6);
    for (; column + 2 * LANES <= columns; column += 2 * LANES)
        matvec_tile(out + column, x, b + column, depth, columns, columns - column, 2);
    for (; column < columns; column += LANES)
        matvec_tile(out + column, x, b + column, depth, columns, columns - column, 1);
}
