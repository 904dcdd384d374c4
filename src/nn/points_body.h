/* SPDX-License-Identifier: MIT
 * points_body.h - Winograd's transforms of one tile, of six, seven or eight points; winograd_weights.c has the
 *   matrices. For convolutions over time and frequency and for those on images. */

#define NEAR 0.70710678118654752f /* the points: 0, +-sqrt(1/2), +-sqrt(2), infinity */
#define FAR 1.41421356237309505f

/* ---- six numbers, and 12 operations each ---- */

/* v = B^T d. Sums and differences in place of multiply-adds where it takes as many: those overwrite an operand, which
 * has to be copied first. */
INLINE void to_points(vec v[6], const vec d[6])
{
    vec near_even = d[4] - (d[2] + d[2]), near_odd = NEAR * d[3] - FAR * d[1];
    vec far_even = d[4] - 0.5f * d[2], far_odd = FAR * d[3] - NEAR * d[1];
    v[0] = d[0] + d[4] - 2.5f * d[2];
    v[1] = near_even + near_odd;
    v[2] = near_even - near_odd;
    v[3] = far_even + far_odd;
    v[4] = far_even - far_odd;
    v[5] = d[1] + d[5] - 2.5f * d[3];
}

/* d = B v: its transpose, for the backward pass */
INLINE void from_points(vec d[6], const vec v[6])
{
    vec sum = v[1] + v[2], gap = v[1] - v[2], far_sum = v[3] + v[4], far_gap = v[3] - v[4];
    d[0] = v[0];
    d[1] = v[5] - FAR * gap - NEAR * far_gap;
    d[2] = -2.5f * v[0] - 2.0f * sum - 0.5f * far_sum;
    d[3] = NEAR * gap + FAR * far_gap - 2.5f * v[5];
    d[4] = v[0] + sum + far_sum;
    d[5] = v[5];
}

/* y = A^T m, the first `many` (2 to 5) outputs; many is a constant wherever this is called */
INLINE void to_outputs(vec y[5], const vec m[6], size_t many)
{
    vec sum = m[1] + m[2], gap = m[1] - m[2], far_sum = m[3] + m[4], far_gap = m[3] - m[4];
    y[0] = m[0] + sum + far_sum;
    y[1] = NEAR * gap + FAR * far_gap;
    if (many > 2)
        y[2] = 0.5f * sum + 2.0f * far_sum;
    if (many > 3)
        y[3] = 0.5f * NEAR * gap + 2.0f * FAR * far_gap;
    if (many > 4)
        y[4] = 0.25f * sum + 4.0f * far_sum;
    y[many - 1] += m[5];
}

/* m = A y: its transpose, for the backward pass */
INLINE void from_outputs(vec m[6], const vec y[5], size_t many)
{
    vec near_even = y[0], far_even = y[0], near_odd = NEAR * y[1], far_odd = FAR * y[1];
    if (many > 2) {
        near_even += 0.5f * y[2];
        far_even += y[2] + y[2];
    }
    if (many > 3) {
        near_odd += 0.5f * NEAR * y[3];
        far_odd += 2.0f * FAR * y[3];
    }
    if (many > 4) {
        near_even += 0.25f * y[4];
        far_even += 4.0f * y[4];
    }
    m[0] = y[0];
    m[1] = near_even + near_odd;
    m[2] = near_even - near_odd;
    m[3] = far_even + far_odd;
    m[4] = far_even - far_odd;
    m[5] = y[many - 1];
}

/* ---- seven numbers, five outputs: points +-1/4, +-7/8, +-7/4 and infinity ----
 *
 * A row of B^T for +-p has the coefficients of (x +- p) q(x), q = (x^2 - r^2)(x^2 - s^2) with the other two: x q on the
 * odd inputs, p q on the even ones, so that a pair shares both halves. All constants are exact. */

#define LOW 0.25f
#define MIDDLE 0.875f
#define HIGH 1.75f

/* a - (r^2 + s^2) b + r^2 s^2 c */
INLINE vec without(float r, float s, vec a, vec b, vec c)
{
    return a - (r * r + s * s) * b + (r * r * s * s) * c;
}

/* v = B^T d */
INLINE void to_points_7(vec v[7], const vec d[7])
{
    vec low = without(MIDDLE, HIGH, d[5], d[3], d[1]), low_even = LOW * without(MIDDLE, HIGH, d[4], d[2], d[0]);
    vec middle = without(LOW, HIGH, d[5], d[3], d[1]), middle_even = MIDDLE * without(LOW, HIGH, d[4], d[2], d[0]);
    vec high = without(LOW, MIDDLE, d[5], d[3], d[1]), high_even = HIGH * without(LOW, MIDDLE, d[4], d[2], d[0]);
    v[0] = low + low_even;
    v[1] = low - low_even;
    v[2] = middle + middle_even;
    v[3] = middle - middle_even;
    v[4] = high + high_even;
    v[5] = high - high_even;
    v[6] = d[6] - (LOW * LOW + MIDDLE * MIDDLE + HIGH * HIGH) * d[4] +
           (LOW * LOW * MIDDLE * MIDDLE + (LOW * LOW + MIDDLE * MIDDLE) * HIGH * HIGH) * d[2] -
           (LOW * LOW * MIDDLE * MIDDLE * HIGH * HIGH) * d[0];
}

/* d = B v */
INLINE void from_points_7(vec d[7], const vec v[7])
{
    vec low = v[0] + v[1], middle = v[2] + v[3], high = v[4] + v[5];
    vec low_gap = LOW * (v[0] - v[1]), middle_gap = MIDDLE * (v[2] - v[3]), high_gap = HIGH * (v[4] - v[5]);
    float low2 = LOW * LOW, middle2 = MIDDLE * MIDDLE, high2 = HIGH * HIGH;
    d[0] = (middle2 * high2) * low_gap + (low2 * high2) * middle_gap + (low2 * middle2) * high_gap -
           (low2 * middle2 * high2) * v[6];
    d[1] = (middle2 * high2) * low + (low2 * high2) * middle + (low2 * middle2) * high;
    d[2] = (low2 * middle2 + (low2 + middle2) * high2) * v[6] - (middle2 + high2) * low_gap -
           (low2 + high2) * middle_gap - (low2 + middle2) * high_gap;
    d[3] = -(middle2 + high2) * low - (low2 + high2) * middle - (low2 + middle2) * high;
    d[4] = low_gap + middle_gap + high_gap - (low2 + middle2 + high2) * v[6];
    d[5] = low + middle + high;
    d[6] = v[6];
}

/* y = A^T m: row k has the k-th powers of the points, and the last one the point at infinity. */
INLINE void to_outputs_7(vec y[5], const vec m[7])
{
    vec low = m[0] + m[1], low_gap = LOW * (m[0] - m[1]), middle = m[2] + m[3], middle_gap = MIDDLE * (m[2] - m[3]);
    vec high = m[4] + m[5], high_gap = HIGH * (m[4] - m[5]);
    float low2 = LOW * LOW, middle2 = MIDDLE * MIDDLE, high2 = HIGH * HIGH;
    y[0] = low + middle + high;
    y[1] = low_gap + middle_gap + high_gap;
    y[2] = low2 * low + middle2 * middle + high2 * high;
    y[3] = low2 * low_gap + middle2 * middle_gap + high2 * high_gap;
    y[4] = (low2 * low2) * low + (middle2 * middle2) * middle + (high2 * high2) * high + m[6];
}

/* m = A y */
INLINE void from_outputs_7(vec m[7], const vec y[5])
{
    float low2 = LOW * LOW, middle2 = MIDDLE * MIDDLE, high2 = HIGH * HIGH;
    vec low = (low2 * low2) * y[4] + low2 * y[2] + y[0], low_odd = LOW * y[1] + (LOW * low2) * y[3];
    vec middle = (middle2 * middle2) * y[4] + middle2 * y[2] + y[0];
    vec middle_odd = MIDDLE * y[1] + (MIDDLE * middle2) * y[3];
    vec high = (high2 * high2) * y[4] + high2 * y[2] + y[0], high_odd = HIGH * y[1] + (HIGH * high2) * y[3];
    m[0] = low + low_odd;
    m[1] = low - low_odd;
    m[2] = middle + middle_odd;
    m[3] = middle - middle_odd;
    m[4] = high + high_odd;
    m[5] = high - high_odd;
    m[6] = y[4];
}

/* ---- eight numbers, five outputs: points 0, +-1/2, +-1, +-2 and infinity ----
 *
 * In A +-1/2 is multiplied by 4 and +-2 by 1/4, which G undoes: four constants then serve both ways, and all
 * numbers stay in registers. */

/* Where a multiply-add rounds once the rows of B^T are best as they stand; else differences of neighbours of the same
 * parity, which come before what is rounded. With eight points in the second layer of the drums, errors of gradients
 * were 6.1e-7 so and 8.0e-7 otherwise, but 6.1 and 5.6 with multiply-adds (mean of all tensors, 32 draws). */
INLINE void to_points_8(vec v[8], const vec d[8])
{
#if defined __FMA__ || defined __FP_FAST_FMAF || defined __ARM_FEATURE_FMA
    vec half_even = d[6] + 4.0f * d[2] - 5.0f * d[4], half_odd = 2.0f * d[1] - 2.5f * d[3] + 0.5f * d[5];
    vec one_even = d[2] + d[6] - 4.25f * d[4], one_odd = d[1] + d[5] - 4.25f * d[3];
    vec two_even = d[6] + 0.25f * d[2] - 1.25f * d[4], two_odd = 0.5f * d[1] - 2.5f * d[3] + (d[5] + d[5]);
    v[0] = d[0] - d[6] + 5.25f * (d[4] - d[2]);
    v[7] = d[7] - d[1] + 5.25f * (d[3] - d[5]);
#else
    vec low = d[1] - d[3], high = d[5] - d[3], low_even = d[2] - d[4], high_even = d[6] - d[4];
    vec half_even = high_even + 4.0f * low_even, half_odd = 2.0f * low + 0.5f * high;
    vec one_even = (low_even + high_even) - 2.25f * d[4], one_odd = (low + high) - 2.25f * d[3];
    vec two_even = high_even + 0.25f * low_even, two_odd = 0.5f * low + 2.0f * high;
    v[0] = (d[0] - d[6]) - 5.25f * low_even;
    v[7] = (d[7] - d[1]) - 5.25f * high;
#endif
    v[1] = half_even + half_odd;
    v[2] = half_even - half_odd;
    v[3] = one_even + one_odd;
    v[4] = one_even - one_odd;
    v[5] = two_even + two_odd;
    v[6] = two_even - two_odd;
}

/* d = B v */
INLINE void from_points_8(vec d[8], const vec v[8])
{
    vec half = v[1] + v[2], half_gap = v[1] - v[2], one = v[3] + v[4], one_gap = v[3] - v[4];
    vec two = v[5] + v[6], two_gap = v[5] - v[6];
    d[0] = v[0];
    d[1] = 2.0f * half_gap + 0.5f * two_gap + (one_gap - v[7]);
    d[2] = 4.0f * half + 0.25f * two + (one - 5.25f * v[0]);
    d[3] = 5.25f * v[7] - 4.25f * one_gap - 2.5f * (half_gap + two_gap);
    d[4] = 5.25f * v[0] - 4.25f * one - 5.0f * half - 1.25f * two;
    d[5] = 0.5f * half_gap + 2.0f * two_gap + (one_gap - 5.25f * v[7]);
    d[6] = half + one + (two - v[0]);
    d[7] = v[7];
}

/* y = A^T m */
INLINE void to_outputs_8(vec y[5], const vec m[8])
{
    vec half = m[1] + m[2], half_gap = m[1] - m[2], one = m[3] + m[4], one_gap = m[3] - m[4];
    vec two = m[5] + m[6], two_gap = m[5] - m[6];
    y[0] = m[0] + one + 4.0f * half + 0.25f * two;
    y[1] = one_gap + 2.0f * half_gap + 0.5f * two_gap;
    y[2] = one + half + two;
    y[3] = one_gap + 0.5f * half_gap + 2.0f * two_gap;
    y[4] = one + m[7] + 0.25f * half + 4.0f * two;
}

/* m = A y */
INLINE void from_outputs_8(vec m[8], const vec y[5])
{
    vec half_even = y[2] + 4.0f * y[0] + 0.25f * y[4], half_odd = 2.0f * y[1] + 0.5f * y[3];
    vec one_even = y[0] + y[2] + y[4], one_odd = y[1] + y[3];
    vec two_even = y[2] + 0.25f * y[0] + 4.0f * y[4], two_odd = 0.5f * y[1] + 2.0f * y[3];
    m[0] = y[0];
    m[1] = half_even + half_odd;
    m[2] = half_even - half_odd;
    m[3] = one_even + one_odd;
    m[4] = one_even - one_odd;
    m[5] = two_even + two_odd;
    m[6] = two_even - two_odd;
    m[7] = y[4];
}
