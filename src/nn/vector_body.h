/* SPDX-License-Identifier: MIT
 * vector_body.h - LANES floats at a time: exp, sigmoid, and rows whose length is not a multiple of LANES.
 *   exp: x = k log 2 + r, Taylor series of degree 7 (remainder 5e-9 of 1), then 2^k by integer addition to the
 *   exponent; 2 ulp, clamped to the range of a normal float. */

#define REAL float
#define INTEGER int32_t

#include "base/vector_body.h"

/* AVX-512 has masks for the ends of rows; the portable set of 4 lanes does without, whatever the compiler may use. */
#if defined __AVX512VL__ && LANES >= 8
#define MASKS 1
#include <immintrin.h>
#else
#define MASKS 0
#endif

/* a where a > b, else b: what one instruction does, which the compiler does not see in `choose`. */
INLINE vec larger(vec a, vec b)
{
#if LANES == 16 && MASKS
    return (vec)_mm512_max_ps((__m512)a, (__m512)b);
#elif LANES == 8
    return __builtin_ia32_maxps256(a, b);
#else
    return choose(a > b, a, b);
#endif
}

INLINE vec clamp(vec x, float low, float high)
{
    x = choose(x > splat(high), splat(high), x);
    return choose(x < splat(low), splat(low), x);
}

INLINE vec vec_exp(vec x)
{
    const float shifter = 0x1.8p23f; /* adding it rounds to an integer, whose bits are then the low ones */
    /* e^-87 is just above the least normal float, and e^88 below the largest: k fits the exponent */
    x = clamp(x, -87.0f, 88.0f);
    vec shifted = x * 0x1.715476p0f + shifter;
    vec k = shifted - shifter;
    vec r = x - k * 0x1.62e4p-1f; /* log 2 in two parts: the first has 15 bits, its product with k is exact */
    r -= k * 0x1.7f7d1cp-20f;
    vec rr = r * r;
    /* odd and even powers apart: two short chains instead of one long one */
    vec odd = ((splat(1.0f / 5040) * rr + 1.0f / 120) * rr + 1.0f / 6) * rr + 1.0f;
    vec even = ((splat(1.0f / 720) * rr + 1.0f / 24) * rr + 0.5f) * rr + 1.0f;
    return (vec)((ivec)(odd * r + even) + ((ivec)shifted << 23));
}

INLINE vec vec_sigmoid(vec x)
{
    return 1.0f / (1.0f + vec_exp(-x));
}

/* 2 sigmoid(2 x) - 1: absolute accuracy is what the layers need. */
INLINE vec vec_tanh(vec x)
{
    return 2.0f * vec_sigmoid(2.0f * x) - 1.0f;
}

/* The values i.. n of x, at most LANES, and zeros behind; store_part writes as many. i <= n. */
#if MASKS
INLINE uint16_t lanes_before(size_t i, size_t n)
{
    return (uint16_t)(n - i < LANES ? (1u << (n - i)) - 1 : (1u << LANES) - 1);
}

INLINE vec load_part(const float *x, size_t i, size_t n)
{
#if LANES == 16
    return (vec)_mm512_maskz_loadu_ps(lanes_before(i, n), x + i);
#else
    return (vec)_mm256_maskz_loadu_ps((uint8_t)lanes_before(i, n), x + i);
#endif
}

INLINE void store_part(float *y, vec v, size_t i, size_t n)
{
#if LANES == 16
    _mm512_mask_storeu_ps(y + i, lanes_before(i, n), (__m512)v);
#else
    _mm256_mask_storeu_ps(y + i, (uint8_t)lanes_before(i, n), (__m256)v);
#endif
}
#else
INLINE vec load_part(const float *x, size_t i, size_t n)
{
    if (i + LANES <= n)
        return load(x + i);
    float part[LANES] = {0};
    memcpy(part, x + i, (n - i) * sizeof *x);
    return load(part);
}

INLINE void store_part(float *y, vec v, size_t i, size_t n)
{
    if (i + LANES <= n) {
        store(y + i, v);
    } else {
        float part[LANES];
        store(part, v);
        memcpy(y + i, part, (n - i) * sizeof *y);
    }
}
#endif
