/* SPDX-License-Identifier: MIT
 * winograd_body.h - Winograd's transforms F(4, 3) along time, of whole rows: six frames in, four out. winograd.c has
 *   the matrices. Vectors by hand: the compiler cannot know that the rows it writes are apart, and went value by
 *   value, eight times slower. */

/* LANES values of a row from i on; the last of n may be fewer. */
INLINE vec row_load(const float *x, size_t row, size_t r, size_t i, size_t n)
{
    return load_part(x + r * row, i, n);
}

INLINE void row_store(float *x, size_t row, size_t r, vec v, size_t i, size_t n)
{
    store_part(x + r * row, v, i, n);
}

INLINE void row_add(float *x, size_t row, size_t r, vec v, size_t i, size_t n)
{
    row_store(x, row, r, row_load(x, row, r, i, n) + v, i, n);
}

/* v_p = sum_j B[p][j] in_j */
static void winograd_in(float *v, size_t v_row, const float *in, size_t in_row, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec d0 = row_load(in, in_row, 0, i, n), d1 = row_load(in, in_row, 1, i, n), d2 = row_load(in, in_row, 2, i, n);
        vec d3 = row_load(in, in_row, 3, i, n), d4 = row_load(in, in_row, 4, i, n), d5 = row_load(in, in_row, 5, i, n);
        vec even = d4 - 4.0f * d2, odd = d3 - 4.0f * d1, far = d4 - d2, twice = 2.0f * (d3 - d1);
        row_store(v, v_row, 0, 4.0f * d0 - 5.0f * d2 + d4, i, n);
        row_store(v, v_row, 1, even + odd, i, n);
        row_store(v, v_row, 2, even - odd, i, n);
        row_store(v, v_row, 3, far + twice, i, n);
        row_store(v, v_row, 4, far - twice, i, n);
        row_store(v, v_row, 5, 4.0f * d1 - 5.0f * d3 + d5, i, n);
    }
}

/* out_r = bias + sum_p A[r][p] m_p */
static void winograd_out(float *out, size_t out_row, const float *m, size_t m_row, const float *bias, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec m1 = row_load(m, m_row, 1, i, n), m2 = row_load(m, m_row, 2, i, n);
        vec m3 = row_load(m, m_row, 3, i, n), m4 = row_load(m, m_row, 4, i, n);
        vec sum = m1 + m2, gap = m1 - m2, wide_sum = m3 + m4, wide_gap = m3 - m4, b = load_part(bias, i, n);
        row_store(out, out_row, 0, b + row_load(m, m_row, 0, i, n) + sum + wide_sum, i, n);
        row_store(out, out_row, 1, b + gap + 2.0f * wide_gap, i, n);
        row_store(out, out_row, 2, b + sum + 4.0f * wide_sum, i, n);
        row_store(out, out_row, 3, b + gap + 8.0f * wide_gap + row_load(m, m_row, 5, i, n), i, n);
    }
}

/* m_p = sum_r A[r][p] d_out_r */
static void winograd_d_out(float *m, size_t m_row, const float *d_out, size_t d_row, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec d0 = row_load(d_out, d_row, 0, i, n), d1 = row_load(d_out, d_row, 1, i, n);
        vec d2 = row_load(d_out, d_row, 2, i, n), d3 = row_load(d_out, d_row, 3, i, n);
        vec even = d0 + d2, odd = d1 + d3, wide_even = d0 + 4.0f * d2, wide_odd = 2.0f * d1 + 8.0f * d3;
        row_store(m, m_row, 0, d0, i, n);
        row_store(m, m_row, 1, even + odd, i, n);
        row_store(m, m_row, 2, even - odd, i, n);
        row_store(m, m_row, 3, wide_even + wide_odd, i, n);
        row_store(m, m_row, 4, wide_even - wide_odd, i, n);
        row_store(m, m_row, 5, d3, i, n);
    }
}

/* d_in_j += sum_p B[p][j] d_v_p */
static void winograd_d_in(float *d_in, size_t in_row, const float *d_v, size_t v_row, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec v0 = row_load(d_v, v_row, 0, i, n), v1 = row_load(d_v, v_row, 1, i, n), v2 = row_load(d_v, v_row, 2, i, n);
        vec v3 = row_load(d_v, v_row, 3, i, n), v4 = row_load(d_v, v_row, 4, i, n), v5 = row_load(d_v, v_row, 5, i, n);
        vec sum = v1 + v2, gap = v1 - v2, wide_sum = v3 + v4, wide_gap = v3 - v4;
        row_add(d_in, in_row, 0, 4.0f * v0, i, n);
        row_add(d_in, in_row, 1, 4.0f * v5 - 4.0f * gap - 2.0f * wide_gap, i, n);
        row_add(d_in, in_row, 2, -5.0f * v0 - 4.0f * sum - wide_sum, i, n);
        row_add(d_in, in_row, 3, gap + 2.0f * wide_gap - 5.0f * v5, i, n);
        row_add(d_in, in_row, 4, v0 + sum + wide_sum, i, n);
        row_add(d_in, in_row, 5, v5, i, n);
    }
}
