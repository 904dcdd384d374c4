/* SPDX-License-Identifier: MIT
 * winograd_body.h - Winograd's transforms along time; points_body.h has those of one tile, tiles_body.h those along
 *   frequency.
 *   Vectors by hand: the compiler cannot know that the rows it writes are apart, and went
 *   value by value, several times slower (65 against 11 to 20 cycles a vector, on a busy machine). */

/* ---- along time: whole rows, one a frame or a point ---- */

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

INLINE void winograd_in_at(float *v, span to, const float *in, span from)
{
    vec d[6], p[6];
    for (size_t j = 0; j < 6; j++)
        d[j] = row_load(in, from, j);
    to_points(p, d);
    for (size_t j = 0; j < 6; j++)
        row_store(v, to, j, p[j]);
}

static void winograd_in(float *v, size_t v_row, const float *in, size_t in_row, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        winograd_in_at(v, (span){v_row, i, n, true}, in, (span){in_row, i, n, true});
    if (i < n)
        winograd_in_at(v, (span){v_row, i, n, false}, in, (span){in_row, i, n, false});
}

INLINE void winograd_out_at(float *out, span to, const float *m, span from, const float *bias)
{
    vec p[6], y[5], b = row_load(bias, from, 0);
    for (size_t j = 0; j < 6; j++)
        p[j] = row_load(m, from, j);
    to_outputs(y, p, 4);
    for (size_t r = 0; r < 4; r++)
        row_store(out, to, r, b + y[r]);
}

static void winograd_out(float *out, size_t out_row, const float *m, size_t m_row, const float *bias, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        winograd_out_at(out, (span){out_row, i, n, true}, m, (span){m_row, i, n, true}, bias);
    if (i < n)
        winograd_out_at(out, (span){out_row, i, n, false}, m, (span){m_row, i, n, false}, bias);
}

INLINE void winograd_d_out_at(float *m, span to, const float *d_out, span from)
{
    vec p[6], y[5];
    for (size_t r = 0; r < 4; r++)
        y[r] = row_load(d_out, from, r);
    from_outputs(p, y, 4);
    for (size_t j = 0; j < 6; j++)
        row_store(m, to, j, p[j]);
}

static void winograd_d_out(float *m, size_t m_row, const float *d_out, size_t d_row, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        winograd_d_out_at(m, (span){m_row, i, n, true}, d_out, (span){d_row, i, n, true});
    if (i < n)
        winograd_d_out_at(m, (span){m_row, i, n, false}, d_out, (span){d_row, i, n, false});
}

/* The first `held` rows are added to, the others set; a constant wherever this is called. */
INLINE void winograd_d_in_at(float *d_in, span to, const float *d_v, span from, size_t held)
{
    vec d[6], p[6];
    for (size_t j = 0; j < 6; j++)
        p[j] = row_load(d_v, from, j);
    from_points(d, p);
    for (size_t j = 0; j < 6; j++)
        row_store(d_in, to, j, j < held ? row_load(d_in, to, j) + d[j] : d[j]);
}

INLINE void winograd_d_in_rows(float *d_in, size_t in_row, const float *d_v, size_t v_row, size_t n, size_t held)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        winograd_d_in_at(d_in, (span){in_row, i, n, true}, d_v, (span){v_row, i, n, true}, held);
    if (i < n)
        winograd_d_in_at(d_in, (span){in_row, i, n, false}, d_v, (span){v_row, i, n, false}, held);
}

static void winograd_d_in(float *d_in, size_t in_row, const float *d_v, size_t v_row, size_t n, size_t held)
{
    switch (held) {
    case 0: winograd_d_in_rows(d_in, in_row, d_v, v_row, n, 0); break;
    case 2: winograd_d_in_rows(d_in, in_row, d_v, v_row, n, 2); break;
    default: winograd_d_in_rows(d_in, in_row, d_v, v_row, n, 6); break;
    }
}

/* Few vectors: a call of memset for each row took longer than all of them. */
static void winograd_clear(float *m, size_t m_row, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        for (size_t j = 0; j < 6; j++)
            store(m + j * m_row + i, splat(0));
}

/* ---- along time, with pooling ---- */

INLINE void four_frames(vec y[5], const float *m, size_t m_row)
{
    vec six[6];
    for (size_t k = 0; k < 6; k++)
        six[k] = load(m + k * m_row);
    to_outputs(y, six, 4);
}

/* Of which neighbour won, frame r has the byte r of a lane: no lane ever moves, and four frames are one store. */
INLINE ivec byte_of(size_t r, int32_t value)
{
    return (ivec){0} + (int32_t)((uint32_t)(value & 0xff) << (8 * r));
}

/* Neighbour j, y, against the best of those before it. */
INLINE void pool_next(vec best[4], ivec winner[4], const vec y[4], size_t j)
{
    for (size_t r = 0; r < 4; r++) {
        ivec more = y[r] > best[r]; /* of equals the first wins, and it alone has the gradient */
        best[r] = larger(y[r], best[r]);
        winner[r] = (winner[r] & ~more) | (byte_of(r, (int32_t)j) & more);
    }
}

/* Channels i..i + LANES of one output of four frames. The bias comes after the maximum, which it does not change. */
INLINE void pool_store(const lc_pooled *p, size_t q, size_t i, bool whole, const vec best[4], const ivec winner[4])
{
    vec bias = load(p->bias + i);
    ivec all = {0};
    for (size_t r = 0; r < 4; r++) {
        vec sum = best[r] + bias;
        ivec positive = sum > splat(0);
        vec out = choose(positive, sum, splat(0));
        all |= winner[r] | (~positive & byte_of(r, -1));
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

INLINE void winograd_pool_at(const lc_pooled *p, size_t q, size_t i, bool whole, size_t pool)
{
    const float *m = p->m + q * pool * p->width + i;
    vec best[5], y[5];
    ivec winner[4] = {{0}};
    four_frames(best, m, p->m_row);
    for (size_t j = 1; j < pool; j++) {
        four_frames(y, m + j * p->width, p->m_row);
        pool_next(best, winner, y, j);
    }
    pool_store(p, q, i, whole, best, winner);
}

/* Channels i..i + LANES of one pooled bin; their sum. */
INLINE vec winograd_unpool_at(const lc_pooled *p, size_t q, size_t i, bool whole, size_t pool)
{
    vec sum = {0}, d[4], y[5], six[6];
    ivec winner[4], all = (ivec)(whole ? load(p->which + q * p->c + i) : load_part(p->which + q * p->c, i, p->c));
    float *m = p->m + q * pool * p->width;
    for (size_t r = 0; r < 4; r++) {
        d[r] = whole ? load(p->y[r] + q * p->c + i) : load_part(p->y[r] + q * p->c, i, p->c);
        winner[r] = all & byte_of(r, -1);
    }
    for (size_t j = 0; j < pool; j++, m += p->width) {
        for (size_t r = 0; r < 4; r++)
            y[r] = choose(winner[r] == byte_of(r, (int32_t)j), d[r], splat(0));
        sum += (y[0] + y[1]) + (y[2] + y[3]);
        from_outputs(six, y, 4);
        for (size_t k = 0; k < 6; k++)
            store_columns(m + k * p->m_row, six[k], i, p->width);
    }
    return sum;
}

/* Whole vectors of channels, with a constant for the pool wherever this is called. */
INLINE void winograd_pool_by(const lc_pooled *p, size_t pool)
{
    for (size_t q = 0; q < p->bins; q++)
        for (size_t i = 0; i + LANES <= p->c; i += LANES)
            winograd_pool_at(p, q, i, true, pool);
}

/* One vector of channels after the other: the bias then has the sum of a tile at once, and not a long sum of all bins of all
 * tiles one by one, whose rounding was most of its error. */
INLINE void winograd_unpool_by(const lc_pooled *p, size_t pool)
{
    for (size_t i = 0; i + LANES <= p->c; i += LANES) {
        vec sum = {0};
        for (size_t q = 0; q < p->bins; q++)
            sum += winograd_unpool_at(p, q, i, true, pool);
        store(p->d_bias + i, load(p->d_bias + i) + sum);
    }
}

INLINE void winograd_pool_rest(const lc_pooled *p, size_t i)
{
    for (size_t q = 0; q < p->bins; q++)
        winograd_pool_at(p, q, i, false, p->pool);
}

INLINE void winograd_unpool_rest(const lc_pooled *p, size_t i)
{
    vec sum = {0};
    for (size_t q = 0; q < p->bins; q++)
        sum += winograd_unpool_at(p, q, i, false, p->pool);
    store_part(p->d_bias, load_part(p->d_bias, i, p->c) + sum, i, p->c);
}

#define LONE static __attribute__((noinline)) void

/* Constants for the pools that networks have keep the neighbours in registers; a function for each, as in
 * product_body.h, the pointers. */
#define WINOGRAD_LONE(name, pool)              \
    LONE name##_##pool(const lc_pooled *given) \
    {                                          \
        const lc_pooled p = *given;            \
        name##_by(&p, pool);                   \
    }

#define WINOGRAD_BY_POOL(name)                \
    WINOGRAD_LONE(name, 1)                    \
    WINOGRAD_LONE(name, 2)                    \
    WINOGRAD_LONE(name, 3)                    \
    LONE name##_any(const lc_pooled *given)   \
    {                                         \
        const lc_pooled p = *given;           \
        name##_by(&p, p.pool);                \
    }                                         \
    LONE name##_last(const lc_pooled *given)  \
    {                                         \
        const lc_pooled p = *given;           \
        name##_rest(&p, p.c / LANES * LANES); \
    }                                         \
    static void name(const lc_pooled *p)      \
    {                                         \
        switch (p->pool) {                    \
        case 1: name##_1(p); break;           \
        case 2: name##_2(p); break;           \
        case 3: name##_3(p); break;           \
        default: name##_any(p);               \
        }                                     \
        if (p->c % LANES > 0)                 \
            name##_last(p);                   \
    }

WINOGRAD_BY_POOL(winograd_pool)
WINOGRAD_BY_POOL(winograd_unpool)
