/* SPDX-License-Identifier: MIT
 * vector_body.h - LANES doubles at a time: exp, log1p and sigmoid.
 *
 * exp: x = k log 2 + r, |r| <= 0.347, Taylor series of degree 13 (remainder 4e-18), then 2^k by integer addition
 *   to the exponent. Below 1 ulp of error; 0 below -708, where a double would lose digits.
 * log1p on [0, 1]: 2 atanh(s), s = x / (2 + x) <= 1/3, 16 terms of the odd series (remainder 2e-17); relative
 *   accuracy is kept down to the smallest x, which sums over many quiet frames need.
 * glibc's scalar exp took more than half of the time of a long sequence. */

typedef double vec __attribute__((vector_size(8 * LANES)));
typedef uint64_t uvec __attribute__((vector_size(8 * LANES)));
typedef int64_t ivec __attribute__((vector_size(8 * LANES)));

#define INLINE static inline __attribute__((always_inline))

INLINE vec splat(double x)
{
    return x - (vec){0};
}

INLINE vec load(const double *x)
{
    vec v;
    memcpy(&v, x, sizeof v);
    return v;
}

INLINE void store(double *x, vec v)
{
    memcpy(x, &v, sizeof v);
}

INLINE vec choose(ivec mask, vec yes, vec no)
{
    return (vec)(((ivec)yes & mask) | ((ivec)no & ~mask));
}

INLINE vec negative_abs(vec x)
{
    return (vec)((ivec)x | INT64_MIN);
}

INLINE double vec_sum(vec v)
{
    double sum = v[0];
    for (int l = 1; l < LANES; l++)
        sum += v[l];
    return sum;
}

/* x <= 700; 0 below -708. */
INLINE vec vec_exp(vec x)
{
    static const double inverse_factorial[] = {
        1.0,           1.0,           1.0 / 2,        1.0 / 6,         1.0 / 24,         1.0 / 120,         1.0 / 720,
        1.0 / 5040,    1.0 / 40320,   1.0 / 362880,   1.0 / 3628800,   1.0 / 39916800,   1.0 / 479001600,   1.0 / 6227020800,
    };
    const double shifter = 0x1.8p52; /* adding it rounds to an integer, whose bits are then the low ones */
    ivec tiny = x < -708.0;
    x = choose(tiny, splat(-708.0), x);
    vec shifted = x * 0x1.71547652b82fep0 + shifter;
    vec k = shifted - shifter;
    vec r = x - k * 0x1.62e42fefap-1; /* log 2 in two parts: the first has 35 bits, its product with k is exact */
    r -= k * 0x1.cf79abc9e3b39p-40;
    vec rr = r * r, odd = splat(inverse_factorial[13]), even = splat(inverse_factorial[12]);
    for (int i = 10; i >= 0; i -= 2) { /* two halves side by side: half the latency of one long chain */
        odd = odd * rr + inverse_factorial[i + 1];
        even = even * rr + inverse_factorial[i];
    }
    vec y = odd * r + even;
    y = (vec)((ivec)y + ((ivec)shifted << 52));
    return choose(tiny, splat(0), y);
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
