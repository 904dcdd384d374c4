/* SPDX-License-Identifier: MIT
 * fft_body.h - passes of a transform of LANES frames side by side.
 *
 * Decimation in frequency, in place. A block of B numbers x is B/R times R numbers x[j + r B/R], r < R. Each of these R
 * numbers is transformed, and number q of the result, times w^(j q), w = exp(-2 pi i / B), goes back to j + q B/R:
 * part q of the block is then a block of its own, whose transform is X[q], X[q + R], ... So the last pass leaves X in
 * the order of reversed digits, which fft.c tables.
 *
 * Eight numbers: a = x[r] + x[r+4] give the even results, b = (x[r] - x[r+4]) w8^r the odd ones, each by a transform of
 * four. The factor sqrt(1/2) of b[1] and b[3] goes into the last sums, where it costs no operation of its own. */

typedef struct complex_vec {
    vec re, im;
} complex_vec;

INLINE complex_vec load_complex(const float *z)
{
    return (complex_vec){load(z), load(z + LANES)};
}

INLINE void store_complex(float *z, complex_vec x)
{
    store(z, x.re);
    store(z + LANES, x.im);
}

INLINE complex_vec add(complex_vec a, complex_vec b)
{
    return (complex_vec){a.re + b.re, a.im + b.im};
}

INLINE complex_vec subtract(complex_vec a, complex_vec b)
{
    return (complex_vec){a.re - b.re, a.im - b.im};
}

/* -i a */
INLINE complex_vec turn_back(complex_vec a)
{
    return (complex_vec){a.im, -a.re};
}

/* a + f b */
INLINE complex_vec add_times(complex_vec a, float f, complex_vec b)
{
    return (complex_vec){a.re + splat(f) * b.re, a.im + splat(f) * b.im};
}

INLINE complex_vec subtract_times(complex_vec a, float f, complex_vec b)
{
    return (complex_vec){a.re - splat(f) * b.re, a.im - splat(f) * b.im};
}

/* a times the number w[0] + i w[1] */
INLINE complex_vec times(complex_vec a, const float *w)
{
    vec re = splat(w[0]), im = splat(w[1]);
    return (complex_vec){a.re * re - a.im * im, a.re * im + a.im * re};
}

INLINE void transform4(complex_vec x[4])
{
    complex_vec a = add(x[0], x[2]), b = subtract(x[0], x[2]), c = add(x[1], x[3]), d = subtract(x[1], x[3]);
    d = turn_back(d);
    x[0] = add(a, c);
    x[1] = add(b, d);
    x[2] = subtract(a, c);
    x[3] = subtract(b, d);
}

INLINE void transform8(complex_vec x[8])
{
    const float half = 0x1.6a09e6p-1f; /* sqrt(1/2) */
    complex_vec even[4];
    for (size_t r = 0; r < 4; r++)
        even[r] = add(x[r], x[r + 4]);
    complex_vec b0 = subtract(x[0], x[4]), b1 = subtract(x[1], x[5]);
    complex_vec b2 = turn_back(subtract(x[2], x[6])), b3 = turn_back(subtract(x[3], x[7]));
    transform4(even);
    b1 = add(b1, turn_back(b1)); /* times (1 - i), where w8 = (1 - i) sqrt(1/2) */
    b3 = add(b3, turn_back(b3));
    complex_vec a = add(b0, b2), b = subtract(b0, b2), c = add(b1, b3), d = turn_back(subtract(b1, b3));
    for (size_t q = 0; q < 4; q++)
        x[2 * q] = even[q];
    x[1] = add_times(a, half, c);
    x[3] = add_times(b, half, d);
    x[5] = subtract_times(a, half, c);
    x[7] = subtract_times(b, half, d);
}

/* One butterfly of a pass, in place: z[r * step], r < radix, times w; w NULL: all are 1. */
INLINE void butterfly(size_t radix, float *z, size_t step, const float *w)
{
    complex_vec x[8];
    for (size_t r = 0; r < radix; r++)
        x[r] = load_complex(z + r * step);
    if (radix == 8)
        transform8(x);
    else
        transform4(x);
    store_complex(z, x[0]);
    for (size_t r = 1; r < radix; r++)
        store_complex(z + r * step, w != NULL ? times(x[r], w + 2 * (r - 1)) : x[r]);
}

/* radix is a constant where this is called, so that the compiler makes straight code of it. */
INLINE void pass(size_t radix, float *z, const float *twiddles, size_t size, size_t blocks)
{
    enum { NUMBER = 2 * LANES };
    if (twiddles == NULL) {
        for (size_t i = 0; i < blocks; i++, z += radix * NUMBER)
            butterfly(radix, z, NUMBER, NULL);
        return;
    }
    for (size_t i = 0; i < blocks; i++, z += size * NUMBER)
        for (size_t j = 0; j < size / radix; j++)
            butterfly(radix, z + j * NUMBER, size / radix * NUMBER, twiddles + 2 * (radix - 1) * j);
}

static void pass4(float *z, const float *twiddles, size_t size, size_t blocks)
{
    pass(4, z, twiddles, size, blocks);
}

static void pass8(float *z, const float *twiddles, size_t size, size_t blocks)
{
    pass(8, z, twiddles, size, blocks);
}

static void multiply(const float *restrict in, const unsigned *restrict places, const float *restrict factor,
                     float sign, float *restrict out, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        complex_vec x = times(load_complex(in + (size_t)places[k] * 2 * LANES), factor + 2 * k);
        x.im *= splat(sign);
        store_complex(out + 2 * LANES * k, x);
    }
}
