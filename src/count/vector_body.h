/* SPDX-License-Identifier: MIT
 * vector_body.h - LANES doubles at a time: exp, log1p and sigmoid.
 *
 * exp: x = k log 2 + r, |r| <= 0.347, the polynomial of degree 11 that meets exp at the Chebyshev points (error 2e-17;
 *   the Taylor series needs degree 13), then 2^k by integer addition to the exponent. About 1 ulp; 0 below -708, where
 *   a double would lose digits.
 * log1p on [0, 1]: 2 atanh(s), s = x / (2 + x) <= 1/3, 16 terms of the odd series (remainder 2e-17); relative
 *   accuracy is kept down to the smallest x, which sums over many quiet frames need.
 * In the prototype of the tree glibc's scalar exp took more than half of the time. */

#define REAL double
#define INTEGER int64_t

#include "base/vector_body.h"

/* gcc and clang let a vector alias the type of its elements; arenas align to 64 bytes. */
typedef uint64_t uvec __attribute__((vector_size(8 * LANES)));

INLINE vec negative_abs(vec x)
{
    return (vec)((ivec)x | INT64_MIN);
}

/* From left to right, always: the order is part of the bits of a result. */
INLINE double vec_sum(vec v)
{
    double sum = v[0];
    for (int l = 1; l < LANES; l++)
        sum += v[l];
    return sum;
}

/* |x| <= 700. */
INLINE vec vec_exp_tame(vec x)
{
    static const double c[] = {
        0x1.0000000000000p+0,  0x1.0000000000000p+0,  0x1.0000000000011p-1,  0x1.555555555555ap-3,
        0x1.555555554f0cfp-5,  0x1.111111110f225p-7,  0x1.6c16c187fbe02p-10, 0x1.a01a01b14378fp-13,
        0x1.a01991ac8730ap-16, 0x1.71ddf5749d126p-19, 0x1.28b4057f44145p-22, 0x1.af631d0059becp-26,
    };
    const double shifter = 0x1.8p52; /* adding it rounds to an integer, whose bits are then the low ones */
    vec shifted = x * 0x1.71547652b82fep0 + shifter;
    vec k = shifted - shifter;
    vec r = x - k * 0x1.62e42fefap-1; /* log 2 in two parts: the first has 36 bits, its product with k is exact */
    r -= k * 0x1.cf79abc9e3b39p-40;
    /* Four short chains instead of one of 11, so that less of its latency shows. Not measured by itself. */
    vec r2 = r * r, r4 = r2 * r2;
    vec y0 = (c[8] * r4 + c[4]) * r4 + c[0], y1 = (c[9] * r4 + c[5]) * r4 + c[1];
    vec y2 = (c[10] * r4 + c[6]) * r4 + c[2], y3 = (c[11] * r4 + c[7]) * r4 + c[3];
    vec y = (y3 * r + y2) * r2 + (y1 * r + y0);
    return (vec)((uvec)y + ((uvec)shifted << 52));
}

/* x <= 700; 0 below -708. */
INLINE vec vec_exp(vec x)
{
    ivec tiny = x < -708.0;
    return choose(tiny, splat(0), vec_exp_tame(choose(tiny, splat(-708.0), x)));
}

/* 0 <= x <= 1. */
INLINE vec vec_log1p(vec x)
{
    vec s = x / (x + 2.0), w = s * s, ww = w * w, odd = splat(1.0 / 31), even = splat(1.0 / 33);
    for (int i = 14; i >= 0; i -= 2) {
        if (i < 14)
            odd = odd * ww + 1.0 / (2 * i + 3);
        even = even * ww + 1.0 / (2 * i + 1);
    }
    return 2.0 * s * (odd * w + even);
}

typedef struct sigma {
    vec p, q; /* sigmoid(u) and sigmoid(-u), both to full relative accuracy */
    vec e;    /* exp(-|u|) */
} sigma;

INLINE sigma vec_sigma(vec u)
{
    vec e = vec_exp(negative_abs(u));
    vec large = 1.0 / (1.0 + e), small = e * large;
    ivec up = u >= 0.0;
    return (sigma){.p = choose(up, large, small), .q = choose(up, small, large), .e = e};
}

/* softplus(u) = max(u, 0) + log1p(exp(-|u|)) */
INLINE vec vec_softplus(vec u, vec e)
{
    return choose(u > 0.0, u, splat(0)) + vec_log1p(e);
}

/* The n - i < LANES last values of z, padded with frames that hold no event. */
INLINE vec load_tail(const double *z, size_t i, size_t n)
{
    double tail[LANES];
    for (size_t l = 0; l < LANES; l++)
        tail[l] = i + l < n ? z[i + l] : LC_PADDING;
    return load(tail);
}

INLINE vec load_frames(const double *z, size_t i, size_t n)
{
    return i + LANES <= n ? load(z + i) : load_tail(z, i, n);
}

INLINE void store_frames(double *p, vec v, size_t i, size_t n)
{
    if (i + LANES <= n) {
        store(p + i, v);
    } else {
        for (size_t l = 0; i + l < n; l++)
            p[i + l] = v[l];
    }
}

/* ---- between arrays of floats and lanes ---- */

typedef float fvec __attribute__((vector_size(4 * LANES)));

/* One stage of a transposition: exchanges blocks of 2^stage elements between a and b. */
#if LANES == 2
#define EXCHANGE_1(a, b) EXCHANGE(a, b, (0, 2), (1, 3))
#elif LANES == 4
#define EXCHANGE_1(a, b) EXCHANGE(a, b, (0, 4, 2, 6), (1, 5, 3, 7))
#define EXCHANGE_2(a, b) EXCHANGE(a, b, (0, 1, 4, 5), (2, 3, 6, 7))
#else
#define EXCHANGE_1(a, b) EXCHANGE(a, b, (0, 8, 2, 10, 4, 12, 6, 14), (1, 9, 3, 11, 5, 13, 7, 15))
#define EXCHANGE_2(a, b) EXCHANGE(a, b, (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15))
#define EXCHANGE_4(a, b) EXCHANGE(a, b, (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15))
#endif

#define UNWRAP(...) __VA_ARGS__
#define EXCHANGE(a, b, low, high)                             \
    do {                                                      \
        vec low_ = __builtin_shufflevector(a, b, UNWRAP low); \
        (b) = __builtin_shufflevector(a, b, UNWRAP high);     \
        (a) = low_;                                           \
    } while (0)

/* Rows become columns. */
INLINE void transpose(vec m[LANES])
{
    for (int i = 0; i < LANES; i += 2)
        EXCHANGE_1(m[i], m[i + 1]);
#if LANES >= 4
    for (int i = 0; i < LANES; i += 4)
        for (int j = i; j < i + 2; j++)
            EXCHANGE_2(m[j], m[j + 2]);
#endif
#if LANES >= 8
    for (int j = 0; j < 4; j++)
        EXCHANGE_4(m[j], m[j + 4]);
#endif
}

/* m[i] = frame t + i of all lanes. */
INLINE void gather(vec m[LANES], const float *const *from, size_t t)
{
    for (int l = 0; l < LANES; l++) {
        fvec row;
        memcpy(&row, from[l] + t, sizeof row);
        m[l] = __builtin_convertvector(row, vec);
    }
    transpose(m);
}

INLINE void scatter(float *const *to, vec m[LANES], size_t t)
{
    transpose(m);
    for (int l = 0; l < LANES; l++) {
        fvec row = __builtin_convertvector(m[l], fvec);
        memcpy(to[l] + t, &row, sizeof row);
    }
}

/* The bits of |x| are ordered like |x|, with infinity and then NaN above all. */
static float reach(const float *x, size_t n)
{
    int32_t largest = 0;
    float value;
    for (size_t i = 0; i < n; i++) {
        int32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        bits &= INT32_MAX;
        largest = bits > largest ? bits : largest;
    }
    memcpy(&value, &largest, sizeof value);
    return value;
}
