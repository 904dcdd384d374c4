/* SPDX-License-Identifier: MIT
 * winograd_body.h - Winograd's transforms along time; points_body.h has those of one tile, tiles_body.h those along
 *   frequency.
 *   Explicit vectors: the compiler cannot know that the rows it writes do not overlap, and made a loop of single
 *   values, several times slower (65 against 11 to 20 cycles a vector, on a busy machine). */

/* ---- along time: whole rows, one a frame or a point ----
 *
 * Tiles of four frames have six points, those of five seven: `tile`, a constant wherever these are called. */

enum { MORE_FRAMES = 2 }; /* points of a tile, or frames of its input, less those of its output */

INLINE void time_points(vec v[7], const vec d[7], size_t tile)
{
    if (tile == LC_TILE_MAX)
        to_points_7(v, d);
    else
        to_points(v, d);
}

INLINE void time_points_back(vec d[7], const vec v[7], size_t tile)
{
    if (tile == LC_TILE_MAX)
        from_points_7(d, v);
    else
        from_points(d, v);
}

INLINE void time_outputs(vec y[5], const vec m[7], size_t tile)
{
    if (tile == LC_TILE_MAX)
        to_outputs_7(y, m);
    else
        to_outputs(y, m, LC_TILE);
}

INLINE void time_outputs_back(vec m[7], const vec y[5], size_t tile)
{
    if (tile == LC_TILE_MAX)
        from_outputs_7(m, y);
    else
        from_outputs(m, y, LC_TILE);
}

/* Rows of n values, `row` floats apart, of which LANES from i on are worked on; `whole` is a constant wherever these
 * are called: a test for the end of the row at every access took a third of the time. */
typedef struct span {
    size_t row, i, n;
    bool whole; /* i + LANES <= n */
} span;

INLINE vec row_load(const float *x, span s, size_t r)
{
    return s.whole ? load(x + r * s.row + s.i) : load_part(x + r * s.row, s.i, s.n);
}

INLINE void row_store(float *x, span s, size_t r, vec v)
{
    if (s.whole)
        store(x + r * s.row + s.i, v);
    else
        store_part(x + r * s.row, v, s.i, s.n);
}

/* Rows of points from rows of frames: p = B^T d at i..i + LANES of each row. */
INLINE void winograd_in_at(const lc_rows *r, span to, span from, size_t tile)
{
    vec d[7], p[7];
    for (size_t j = 0; j < tile + MORE_FRAMES; j++)
        d[j] = row_load(r->from, from, j);
    time_points(p, d, tile);
    for (size_t j = 0; j < tile + MORE_FRAMES; j++)
        row_store(r->to, to, j, p[j]);
}

/* Rows of frames from rows of points: y = A^T m + bias. */
INLINE void winograd_out_at(const lc_rows *r, span to, span from, size_t tile)
{
    vec p[7], y[5], bias = row_load(r->bias, from, 0);
    for (size_t j = 0; j < tile + MORE_FRAMES; j++)
        p[j] = row_load(r->from, from, j);
    time_outputs(y, p, tile);
    for (size_t j = 0; j < tile; j++)
        row_store(r->to, to, j, bias + y[j]);
}

/* The transpose of winograd_out: m = A y. */
INLINE void winograd_d_out_at(const lc_rows *r, span to, span from, size_t tile)
{
    vec p[7], y[5];
    for (size_t j = 0; j < tile; j++)
        y[j] = row_load(r->from, from, j);
    time_outputs_back(p, y, tile);
    for (size_t j = 0; j < tile + MORE_FRAMES; j++)
        row_store(r->to, to, j, p[j]);
}

/* The transpose of winograd_in: d = B v. The first `held` rows are added to, the others set; a constant wherever this
 * is called. */
INLINE void winograd_d_in_at(const lc_rows *r, span to, span from, size_t tile, size_t held)
{
    vec d[7], p[7];
    for (size_t j = 0; j < tile + MORE_FRAMES; j++)
        p[j] = row_load(r->from, from, j);
    time_points_back(d, p, tile);
    for (size_t j = 0; j < tile + MORE_FRAMES; j++)
        row_store(r->to, to, j, j < held ? row_load(r->to, to, j) + d[j] : d[j]);
}

INLINE void winograd_d_in_none_at(const lc_rows *r, span to, span from, size_t tile)
{
    winograd_d_in_at(r, to, from, tile, 0);
}

INLINE void winograd_d_in_two_at(const lc_rows *r, span to, span from, size_t tile)
{
    winograd_d_in_at(r, to, from, tile, MORE_FRAMES);
}

INLINE void winograd_d_in_all_at(const lc_rows *r, span to, span from, size_t tile)
{
    winograd_d_in_at(r, to, from, tile, tile + MORE_FRAMES);
}

#define LONE static __attribute__((noinline)) void

/* All of a row, with a constant for the tile. */
#define WINOGRAD_ROWS_BY(name, tile)                                                                 \
    LONE name##_##tile(const lc_rows *given)                                                         \
    {                                                                                                \
        const lc_rows r = *given;                                                                    \
        size_t i = 0;                                                                                \
        for (; i + LANES <= r.n; i += LANES)                                                         \
            name##_at(&r, (span){r.to_row, i, r.n, true}, (span){r.from_row, i, r.n, true}, tile);   \
        if (i < r.n)                                                                                 \
            name##_at(&r, (span){r.to_row, i, r.n, false}, (span){r.from_row, i, r.n, false}, tile); \
    }

#define WINOGRAD_ROWS(name)            \
    WINOGRAD_ROWS_BY(name, 4)          \
    WINOGRAD_ROWS_BY(name, 5)          \
    static void name(const lc_rows *r) \
    {                                  \
        if (r->tile == LC_TILE_MAX)    \
            name##_5(r);               \
        else                           \
            name##_4(r);               \
    }

WINOGRAD_ROWS(winograd_in)
WINOGRAD_ROWS(winograd_out)
WINOGRAD_ROWS(winograd_d_out)
WINOGRAD_ROWS(winograd_d_in_none)
WINOGRAD_ROWS(winograd_d_in_two)
WINOGRAD_ROWS(winograd_d_in_all)

static void winograd_d_in(const lc_rows *r, size_t held)
{
    switch (held) {
    case 0: winograd_d_in_none(r); break;
    case MORE_FRAMES: winograd_d_in_two(r); break;
    default: winograd_d_in_all(r); break;
    }
}

/* Few vectors: a call of memset for each row took longer than all of them. */
static void winograd_clear(float *m, size_t m_row, size_t n, size_t rows)
{
    for (size_t i = 0; i < n; i += LANES)
        for (size_t j = 0; j < rows; j++)
            store(m + j * m_row + i, splat(0));
}

/* ---- along time, with pooling ---- */

/* The frames of one neighbour of a pool: y = A^T of its points. */
INLINE void frames_of(vec y[5], const float *m, size_t m_row, size_t tile)
{
    vec points[7];
    for (size_t k = 0; k < tile + MORE_FRAMES; k++)
        points[k] = load(m + k * m_row);
    time_outputs(y, points, tile);
}

/* Of which neighbour won, frame r has bits of its own of a lane: no lane ever moves, and all frames of a tile are one
 * store. */
INLINE ivec winner_bits(size_t r, int32_t value)
{
    return (ivec){0} + (int32_t)((uint32_t)value << (LC_WINNER_BITS * r));
}

/* Neighbour j, y, against the best of those before it. */
INLINE void pool_next(vec best[5], ivec winner[5], const vec y[5], size_t j, size_t tile)
{
    for (size_t r = 0; r < tile; r++) {
        ivec more = y[r] > best[r]; /* of equals the first wins, and it alone has the gradient */
        best[r] = larger(y[r], best[r]);
        winner[r] = (winner[r] & ~more) | (winner_bits(r, (int32_t)j) & more);
    }
}

/* Channels i..i + LANES of one output of a tile. The bias comes after the maximum, which it does not change. */
INLINE void pool_store(const lc_pooled *p, size_t q, size_t i, bool whole, const vec best[5], const ivec winner[5],
                       size_t tile)
{
    vec bias = load(p->bias + i);
    ivec all = {0};
    for (size_t r = 0; r < tile; r++) {
        vec sum = best[r] + bias;
        ivec positive = sum > splat(0);
        vec out = choose(positive, sum, splat(0));
        all |= winner[r] | (~positive & winner_bits(r, LC_NO_WINNER));
        if (whole)
            store(p->y[r] + q * p->c + i, out);
        else
            store_part(p->y[r] + q * p->c, out, i, p->c);
    }
    if (whole)
        store(p->which + q * p->c + i, (vec)all);
    else
        store_part(p->which + q * p->c, (vec)all, i, p->c);
}

/* Channels i..i + LANES of output q: the maximum over its neighbours, each transformed from its points in registers. */
INLINE void winograd_pool_at(const lc_pooled *p, size_t q, size_t i, bool whole, size_t pool, size_t tile)
{
    const float *m = p->m + q * pool * p->width + i;
    vec best[5], y[5];
    ivec winner[5] = {{0}};
    frames_of(best, m, p->m_row, tile);
    for (size_t j = 1; j < pool; j++) {
        frames_of(y, m + j * p->width, p->m_row, tile);
        pool_next(best, winner, y, j, tile);
    }
    pool_store(p, q, i, whole, best, winner, tile);
}

/* Channels i..i + LANES of one pooled bin; their sum. */
INLINE vec winograd_unpool_at(const lc_pooled *p, size_t q, size_t i, bool whole, size_t pool, size_t tile)
{
    vec sum = {0}, d[5], y[5], points[7];
    ivec winner[5], all = (ivec)(whole ? load(p->which + q * p->c + i) : load_part(p->which + q * p->c, i, p->c));
    float *m = p->m + q * pool * p->width;
    for (size_t r = 0; r < tile; r++) {
        d[r] = whole ? load(p->y[r] + q * p->c + i) : load_part(p->y[r] + q * p->c, i, p->c);
        winner[r] = all & winner_bits(r, LC_NO_WINNER);
    }
    for (size_t j = 0; j < pool; j++, m += p->width) {
        for (size_t r = 0; r < tile; r++)
            y[r] = choose(winner[r] == winner_bits(r, (int32_t)j), d[r], splat(0));
        sum += (y[0] + y[1]) + (y[2] + y[3]);
        if (tile > LC_TILE)
            sum += y[LC_TILE];
        time_outputs_back(points, y, tile);
        for (size_t k = 0; k < tile + MORE_FRAMES; k++)
            store_columns(m + k * p->m_row, points[k], i, p->width);
    }
    return sum;
}

/* Whole vectors of channels, with constants for the pool and the tile wherever this is called. */
INLINE void winograd_pool_by(const lc_pooled *p, size_t pool, size_t tile)
{
    for (size_t q = 0; q < p->bins; q++)
        for (size_t i = 0; i + LANES <= p->c; i += LANES)
            winograd_pool_at(p, q, i, true, pool, tile);
}

/* One vector of channels after the other: the bias then has the sum of a tile at once, and not a long sum of all bins
 * of all tiles one by one, whose rounding was most of its error. */
INLINE void winograd_unpool_by(const lc_pooled *p, size_t pool, size_t tile)
{
    for (size_t i = 0; i + LANES <= p->c; i += LANES) {
        vec sum = {0};
        for (size_t q = 0; q < p->bins; q++)
            sum += winograd_unpool_at(p, q, i, true, pool, tile);
        store(p->d_bias + i, load(p->d_bias + i) + sum);
    }
}

/* The last channels, fewer than LANES. */
INLINE void winograd_pool_rest(const lc_pooled *p, size_t i, size_t tile)
{
    for (size_t q = 0; q < p->bins; q++)
        winograd_pool_at(p, q, i, false, p->pool, tile);
}

INLINE void winograd_unpool_rest(const lc_pooled *p, size_t i, size_t tile)
{
    vec sum = {0};
    for (size_t q = 0; q < p->bins; q++)
        sum += winograd_unpool_at(p, q, i, false, p->pool, tile);
    store_part(p->d_bias, load_part(p->d_bias, i, p->c) + sum, i, p->c);
}

/* Constants for the pools that networks have keep the neighbours in registers; a function for each, as in
 * product_body.h, the pointers. */
#define WINOGRAD_LONE(name, tile, pool)                 \
    LONE name##_##tile##_##pool(const lc_pooled *given) \
    {                                                   \
        const lc_pooled p = *given;                     \
        name##_by(&p, pool, tile);                      \
    }

#define WINOGRAD_BY_POOL(name, tile)                  \
    WINOGRAD_LONE(name, tile, 1)                      \
    WINOGRAD_LONE(name, tile, 2)                      \
    WINOGRAD_LONE(name, tile, 3)                      \
    LONE name##_##tile##_any(const lc_pooled *given)  \
    {                                                 \
        const lc_pooled p = *given;                   \
        name##_by(&p, p.pool, tile);                  \
    }                                                 \
    LONE name##_##tile##_last(const lc_pooled *given) \
    {                                                 \
        const lc_pooled p = *given;                   \
        name##_rest(&p, p.c / LANES * LANES, tile);   \
    }                                                 \
    static void name##_##tile(const lc_pooled *p)     \
    {                                                 \
        switch (p->pool) {                            \
        case 1: name##_##tile##_1(p); break;          \
        case 2: name##_##tile##_2(p); break;          \
        case 3: name##_##tile##_3(p); break;          \
        default: name##_##tile##_any(p);              \
        }                                             \
        if (p->c % LANES > 0)                         \
            name##_##tile##_last(p);                  \
    }

#define WINOGRAD_BY_TILE(name)           \
    WINOGRAD_BY_POOL(name, 4)            \
    WINOGRAD_BY_POOL(name, 5)            \
    static void name(const lc_pooled *p) \
    {                                    \
        if (p->tile == LC_TILE_MAX)      \
            name##_5(p);                 \
        else                             \
            name##_4(p);                 \
    }

WINOGRAD_BY_TILE(winograd_pool)
WINOGRAD_BY_TILE(winograd_unpool)
