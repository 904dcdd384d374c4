/* SPDX-License-Identifier: MIT
 * winograd_body.h - Winograd's transforms F(4, 3) along time, of whole rows: six frames in, four out. winograd.c has
 *   the matrices. Vectors by hand: the compiler cannot know that the rows it writes are apart, and went value by
 *   value, several times slower (65 against 11 to 20 cycles a vector, on a busy machine). */

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

INLINE void row_add(float *x, span s, size_t r, vec v)
{
    row_store(x, s, r, row_load(x, s, r) + v);
}

/* v_p = sum_j B[p][j] in_j */
INLINE void winograd_in_at(float *v, span to, const float *in, span from)
{
    vec d0 = row_load(in, from, 0), d1 = row_load(in, from, 1), d2 = row_load(in, from, 2);
    vec d3 = row_load(in, from, 3), d4 = row_load(in, from, 4), d5 = row_load(in, from, 5);
    vec even = d4 - 4.0f * d2, odd = d3 - 4.0f * d1, far = d4 - d2, twice = 2.0f * (d3 - d1);
    row_store(v, to, 0, 4.0f * d0 - 5.0f * d2 + d4);
    row_store(v, to, 1, even + odd);
    row_store(v, to, 2, even - odd);
    row_store(v, to, 3, far + twice);
    row_store(v, to, 4, far - twice);
    row_store(v, to, 5, 4.0f * d1 - 5.0f * d3 + d5);
}

static void winograd_in(float *v, size_t v_row, const float *in, size_t in_row, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        winograd_in_at(v, (span){v_row, i, n, true}, in, (span){in_row, i, n, true});
    if (i < n)
        winograd_in_at(v, (span){v_row, i, n, false}, in, (span){in_row, i, n, false});
}

/* out_r = bias + sum_p A[r][p] m_p */
INLINE void winograd_out_at(float *out, span to, const float *m, span from, const float *bias)
{
    vec m1 = row_load(m, from, 1), m2 = row_load(m, from, 2);
    vec m3 = row_load(m, from, 3), m4 = row_load(m, from, 4);
    vec sum = m1 + m2, gap = m1 - m2, wide_sum = m3 + m4, wide_gap = m3 - m4, b = row_load(bias, from, 0);
    row_store(out, to, 0, b + row_load(m, from, 0) + sum + wide_sum);
    row_store(out, to, 1, b + gap + 2.0f * wide_gap);
    row_store(out, to, 2, b + sum + 4.0f * wide_sum);
    row_store(out, to, 3, b + gap + 8.0f * wide_gap + row_load(m, from, 5));
}

static void winograd_out(float *out, size_t out_row, const float *m, size_t m_row, const float *bias, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        winograd_out_at(out, (span){out_row, i, n, true}, m, (span){m_row, i, n, true}, bias);
    if (i < n)
        winograd_out_at(out, (span){out_row, i, n, false}, m, (span){m_row, i, n, false}, bias);
}

/* m_p = sum_r A[r][p] d_out_r */
INLINE void winograd_d_out_at(float *m, span to, const float *d_out, span from)
{
    vec d0 = row_load(d_out, from, 0), d1 = row_load(d_out, from, 1);
    vec d2 = row_load(d_out, from, 2), d3 = row_load(d_out, from, 3);
    vec even = d0 + d2, odd = d1 + d3, wide_even = d0 + 4.0f * d2, wide_odd = 2.0f * d1 + 8.0f * d3;
    row_store(m, to, 0, d0);
    row_store(m, to, 1, even + odd);
    row_store(m, to, 2, even - odd);
    row_store(m, to, 3, wide_even + wide_odd);
    row_store(m, to, 4, wide_even - wide_odd);
    row_store(m, to, 5, d3);
}

static void winograd_d_out(float *m, size_t m_row, const float *d_out, size_t d_row, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        winograd_d_out_at(m, (span){m_row, i, n, true}, d_out, (span){d_row, i, n, true});
    if (i < n)
        winograd_d_out_at(m, (span){m_row, i, n, false}, d_out, (span){d_row, i, n, false});
}

/* d_in_j += sum_p B[p][j] d_v_p */
INLINE void winograd_d_in_at(float *d_in, span to, const float *d_v, span from)
{
    vec v0 = row_load(d_v, from, 0), v1 = row_load(d_v, from, 1), v2 = row_load(d_v, from, 2);
    vec v3 = row_load(d_v, from, 3), v4 = row_load(d_v, from, 4), v5 = row_load(d_v, from, 5);
    vec sum = v1 + v2, gap = v1 - v2, wide_sum = v3 + v4, wide_gap = v3 - v4;
    row_add(d_in, to, 0, 4.0f * v0);
    row_add(d_in, to, 1, 4.0f * v5 - 4.0f * gap - 2.0f * wide_gap);
    row_add(d_in, to, 2, -5.0f * v0 - 4.0f * sum - wide_sum);
    row_add(d_in, to, 3, gap + 2.0f * wide_gap - 5.0f * v5);
    row_add(d_in, to, 4, v0 + sum + wide_sum);
    row_add(d_in, to, 5, v5);
}

static void winograd_d_in(float *d_in, size_t in_row, const float *d_v, size_t v_row, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        winograd_d_in_at(d_in, (span){in_row, i, n, true}, d_v, (span){v_row, i, n, true});
    if (i < n)
        winograd_d_in_at(d_in, (span){in_row, i, n, false}, d_v, (span){v_row, i, n, false});
}
