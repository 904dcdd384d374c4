/* SPDX-License-Identifier: MIT
 * tiles_body.h - Winograd's transforms along frequency, of tiles of six or eight bins of one row, and the products
 *   between them; winograd_weights.c has the matrices, points_body.h the transforms of one tile. */

/* ---- transforms ---- */

/* p = B^T d of each tile. A vector past the last channel writes into the next tile, which is written later, or into the
 * LC_OVERRUN floats behind the plane. */
INLINE void tiles_in_step(const lc_tiles *t, size_t order, size_t step, size_t channels)
{
    for (size_t row = 0; row < t->rows; row++) {
        const float *x = t->row + row * t->row_size;
        float *v = t->points + row * t->tiles * channels;
        for (size_t q = 0; q < t->tiles; q++, x += step * channels, v += channels) {
            for (size_t i = 0; i < channels; i += LANES) {
                vec d[8] = {{0}}, p[8];
                for (size_t j = 0; j < order; j++)
                    d[j] = load(x + j * channels + i);
                if (order == 8)
                    to_points_8(p, d);
                else
                    to_points(p, d);
                for (size_t j = 0; j < order; j++)
                    store(v + j * t->plane + i, p[j]);
            }
        }
    }
}

/* d = B p, the transpose of tiles_in. Tiles overlap by order - step bins: what belongs to the next one stays in
 * registers, and each bin is written once. */
INLINE void tiles_d_in_step(const lc_tiles *t, size_t order, size_t step, size_t channels)
{
    for (size_t row = 0; row < t->rows; row++) {
        for (size_t i = 0; i < channels; i += LANES) {
            float *x = t->row + row * t->row_size;
            const float *v = t->points + row * t->tiles * channels + i;
            vec d[8], p[8] = {{0}}, rest[8] = {{0}};
            for (size_t q = 0; q < t->tiles; q++, x += step * channels, v += channels) {
                for (size_t j = 0; j < order; j++)
                    p[j] = load(v + j * t->plane);
                if (order == 8)
                    from_points_8(d, p);
                else
                    from_points(d, p);
                for (size_t j = 0; j < order - step; j++)
                    d[j] += rest[j];
                for (size_t j = 0; j < step; j++)
                    store_columns(x + j * channels, d[j], i, channels);
                for (size_t j = 0; j < order - step; j++)
                    rest[j] = d[j + step];
            }
            for (size_t j = 0; j < order - step; j++)
                store_columns(x + j * channels, rest[j], i, channels);
        }
    }
}

/* y = A^T p of each tile; tiles do not overlap on the side of the output. */
INLINE void tiles_out_step(const lc_tiles *t, size_t order, size_t step, size_t channels)
{
    for (size_t row = 0; row < t->rows; row++) {
        float *x = t->row + row * t->row_size;
        const float *m = t->points + row * t->tiles * channels;
        for (size_t q = 0; q < t->tiles; q++, x += step * channels, m += channels) {
            for (size_t i = 0; i < channels; i += LANES) {
                vec y[5] = {{0}}, p[8] = {{0}};
                for (size_t j = 0; j < order; j++)
                    p[j] = load(m + j * t->plane + i);
                if (order == 8)
                    to_outputs_8(y, p);
                else
                    to_outputs(y, p, step);
                for (size_t j = 0; j < step; j++)
                    store_columns(x + j * channels, y[j], i, channels);
            }
        }
    }
}

/* p = A y, the transpose of tiles_out. */
INLINE void tiles_d_out_step(const lc_tiles *t, size_t order, size_t step, size_t channels)
{
    for (size_t row = 0; row < t->rows; row++) {
        const float *x = t->row + row * t->row_size;
        float *m = t->points + row * t->tiles * channels;
        for (size_t q = 0; q < t->tiles; q++, x += step * channels, m += channels) {
            for (size_t i = 0; i < channels; i += LANES) {
                vec y[5] = {{0}}, p[8] = {{0}};
                for (size_t j = 0; j < step; j++)
                    y[j] = load(x + j * channels + i);
                if (order == 8)
                    from_outputs_8(p, y);
                else
                    from_outputs(p, y, step);
                for (size_t j = 0; j < order; j++)
                    store_columns(m + j * t->plane, p[j], i, channels);
            }
        }
    }
}

/* Constants for order and step: only then do the loops unroll and the numbers stay in registers. Constants for one and
 * for two vectors of channels: a loop of one turn took a third of the time of its work. */
#define TILES_BY_CHANNELS(name, order, step)                                             \
    static __attribute__((noinline)) void name##_##order##_##step(const lc_tiles *given) \
    {                                                                                    \
        const lc_tiles t = *given;                                                       \
        if (t.channels == LANES)                                                         \
            name##_step(&t, order, step, LANES);                                         \
        else if (t.channels == 2 * LANES)                                                \
            name##_step(&t, order, step, 2 * LANES);                                     \
        else                                                                             \
            name##_step(&t, order, step, t.channels);                                    \
    }

#define TILES_BY_STEP(name)             \
    TILES_BY_CHANNELS(name, 6, 2)       \
    TILES_BY_CHANNELS(name, 6, 3)       \
    TILES_BY_CHANNELS(name, 6, 4)       \
    TILES_BY_CHANNELS(name, 6, 5)       \
    TILES_BY_CHANNELS(name, 8, 5)       \
    static void name(const lc_tiles *t) \
    {                                   \
        if (t->order == 8) {            \
            name##_8_5(t);              \
            return;                     \
        }                               \
        switch (t->step) {              \
        case 2: name##_6_2(t); break;   \
        case 3: name##_6_3(t); break;   \
        case 4: name##_6_4(t); break;   \
        default: name##_6_5(t); break;  \
        }                               \
    }

TILES_BY_STEP(tiles_in)
TILES_BY_STEP(tiles_out)
TILES_BY_STEP(tiles_d_out)
TILES_BY_STEP(tiles_d_in)

/* ---- products, and the transforms of what they make ---- */

/* `order` products of matrices, one a point: (rows * tiles, depth) times (depth, channels). */
static void tiles_product(const lc_tiles_product *p)
{
    const lc_tiles *to = &p->to;
    product(&(lc_product){.out = to->points,
                          .out_stride = to->channels,
                          .a = p->a,
                          .a_stride = p->depth,
                          .b = p->b,
                          .taps = 1,
                          .rows = to->rows * to->tiles,
                          .depth = p->depth,
                          .columns = to->channels,
                          .more = to->order - 1,
                          .out_next = to->plane,
                          .a_next = p->a_plane,
                          .b_next = p->depth * to->channels});
}

/* With 32 registers all points of three or four tiles are summed at once, 24 sums, and transformed where they are: they
 * never reach memory. A drum step takes 1 % less with those of six points; of eight points, products and transform of 8
 * tiles from 16 channels took 3400 ticks of the time stamp so, 3470 one after the other (EPYC of the fourth
 * generation). No gain for eight points in the backward pass, where the overlap with the next tile needs registers too,
 * nor for 8 columns, where loads are the limit and not sums. */
typedef void product_at_once(const lc_tiles_product *p);

#if LANES == 16

enum { SUMS = 24, ABREAST = 4 };

/* Keeps a vector in a register: else the compiler loads it again for every product, and broadcasts the other number by
 * an instruction of its own. */
#if MASKS
#define HOLD(v) __asm__("" : "+v"(v))
#else
#define HOLD(v) ((void)(v))
#endif

/* Points of a tile, its outputs, and channels to sum over: constants wherever they are used. */
typedef struct kind {
    size_t order, step, depth;
} kind;

/* sum[r][j]: point j of tile r, of `tiles` tiles side by side. */
INLINE void points_of_tiles(vec sum[ABREAST][8], kind s, const lc_tiles_product *p, const float *a, size_t tiles)
{
    for (size_t r = 0; r < tiles; r++)
        for (size_t j = 0; j < s.order; j++)
            sum[r][j] = (vec){0};
    for (size_t k = 0; k < s.depth; k++)
        for (size_t j = 0; j < s.order; j++) {
            vec w = load(p->b + (j * s.depth + k) * LANES);
            HOLD(w);
            for (size_t r = 0; r < tiles; r++)
                sum[r][j] += splat(a[j * p->a_plane + r * s.depth + k]) * w;
        }
}

/* x: the first bin of the tiles. rest: unused, since outputs do not overlap. */
INLINE void product_out_tiles(const lc_tiles_product *p, kind s, const float *a, float *x, vec rest[6], size_t tiles)
{
    vec sum[ABREAST][8], y[5];
    (void)rest;
    points_of_tiles(sum, s, p, a, tiles);
    for (size_t r = 0; r < tiles; r++) {
        if (s.order == 8)
            to_outputs_8(y, sum[r]);
        else
            to_outputs(y, sum[r], s.step);
        for (size_t j = 0; j < s.step; j++)
            store(x + (r * s.step + j) * LANES, y[j]);
    }
}

/* Six points. rest: what the tile before has for the bins of this one. */
INLINE void product_d_in_tiles(const lc_tiles_product *p, kind s, const float *a, float *x, vec rest[6], size_t tiles)
{
    vec sum[ABREAST][8], d[6];
    points_of_tiles(sum, s, p, a, tiles);
    for (size_t r = 0; r < tiles; r++) {
        from_points(d, sum[r]);
        for (size_t j = 0; j < 6 - s.step; j++)
            d[j] += rest[j];
        for (size_t j = 0; j < s.step; j++)
            store(x + (r * s.step + j) * LANES, d[j]);
        for (size_t j = 0; j < 6 - s.step; j++)
            rest[j] = d[j + s.step];
    }
}

/* The tiles that are taken next of so many: no single one at the end of a row. */
INLINE size_t tiles_next(size_t left, size_t most)
{
    return left == most + 1 ? most - 1 : left < most ? left : most;
}

/* One row of tiles; what is left in rest at its end belongs to the bins behind. */
#define PRODUCT_ROW(name)                                                                                    \
    INLINE void name##_row(const lc_tiles_product *p, kind s, const float *a, float *x, bool back)           \
    {                                                                                                        \
        vec rest[6] = {{0}};                                                                                 \
        for (size_t left = p->to.tiles, n; left > 0; left -= n, a += n * s.depth, x += n * s.step * LANES) { \
            n = tiles_next(left, SUMS / s.order);                                                            \
            switch (n) {                                                                                     \
            case 1: name##_tiles(p, s, a, x, rest, 1); break;                                                \
            case 2: name##_tiles(p, s, a, x, rest, 2); break;                                                \
            case 3: name##_tiles(p, s, a, x, rest, 3); break;                                                \
            default: name##_tiles(p, s, a, x, rest, SUMS / s.order); break;                                  \
            }                                                                                                \
        }                                                                                                    \
        for (size_t j = 0; back && j < s.order - s.step; j++)                                                \
            store(x + j * LANES, rest[j]);                                                                   \
    }

PRODUCT_ROW(product_out)
PRODUCT_ROW(product_d_in)

/* Constants for all sizes, as for other small products. */
#define PRODUCT_AT_ONCE(name, O, S, D, BACK)                                                       \
    static __attribute__((noinline)) void name##_##O##_##S##_##D(const lc_tiles_product *given)    \
    {                                                                                              \
        const lc_tiles_product p = *given;                                                         \
        const kind s = {.order = (O), .step = (S), .depth = (D)};                                  \
        for (size_t row = 0; row < p.to.rows; row++)                                               \
            name##_row(&p, s, p.a + row * p.to.tiles * (D), p.to.row + row * p.to.row_size, BACK); \
    }

PRODUCT_AT_ONCE(product_out, 8, 5, 16, false)
PRODUCT_AT_ONCE(product_out, 6, 3, 8, false)
PRODUCT_AT_ONCE(product_out, 6, 3, 16, false)
PRODUCT_AT_ONCE(product_d_in, 6, 3, 16, true)

/* NULL: of no such size. */
static product_at_once *product_out_of(const lc_tiles_product *p)
{
    if (p->to.channels != LANES)
        return NULL;
    if (p->to.order == 8)
        return p->depth == 16 ? product_out_8_5_16 : NULL;
    if (p->to.step != 3)
        return NULL;
    return p->depth == 8 ? product_out_6_3_8 : p->depth == 16 ? product_out_6_3_16 : NULL;
}

static product_at_once *product_d_in_of(const lc_tiles_product *p)
{
    bool known = p->to.channels == LANES && p->depth == 16 && p->to.order == 6 && p->to.step == 3;
    return known ? product_d_in_6_3_16 : NULL;
}
#else
static product_at_once *product_out_of(const lc_tiles_product *p)
{
    (void)p;
    return NULL;
}

static product_at_once *product_d_in_of(const lc_tiles_product *p)
{
    (void)p;
    return NULL;
}
#endif

static void tiles_product_out(const lc_tiles_product *p)
{
    product_at_once *at_once = product_out_of(p);
    if (at_once != NULL) {
        at_once(p);
        return;
    }
    tiles_product(p);
    tiles_out(&p->to);
}

static void tiles_product_d_in(const lc_tiles_product *p)
{
    product_at_once *at_once = product_d_in_of(p);
    if (at_once != NULL) {
        at_once(p);
        return;
    }
    tiles_product(p);
    tiles_d_in(&p->to);
}
