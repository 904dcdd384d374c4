/* SPDX-License-Identifier: MIT
 * kernels_body.h - the inner loops of the front end, LANES floats at a time.
 *
 * Power. z[j] = x[2j] + i x[2j+1] has the transform Z[k], k < M = n/2. The even and the odd samples alone have
 *     E = (Z[k] + conj Z[M-k]) / 2,   O = (Z[k] - conj Z[M-k]) / 2i,
 * and X[k] = E + w O, X[M-k] = conj(E - w O), w = exp(-2 pi i k / n). Each pair k, M-k is done at once. The difference
 * is formed before it is squared: |E|^2 + |O|^2 - 2 Re(...) would leave noise 72 dB below the other of the pair.
 *
 * Logarithm. x = 2^e m with m in [sqrt(1/2), sqrt(2)), z = (m-1) / (m+1), |z| < 0.172:
 *     log10 x = e log10 2 + 2/ln 10 (z + z^3/3 + z^5/5 + z^7/7 + z^9/9), remainder 2e-9 of it
 */
#include "signal/kernels.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "nn/vector_body.h"

/* out and the rest never overlap. */
static void window(const float *restrict x, const float *restrict w, float *restrict out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = x[i] * w[i];
}

INLINE vec backwards(vec x)
{
    return __builtin_shufflevector(x, x, BACKWARDS);
}

/* Power k and M - k, times 4, from Z[k] = a, Z[M-k] = b. */
INLINE void pair_of(vec ar, vec ai, vec br, vec bi, vec c, vec s, vec *low, vec *high)
{
    vec er = ar + br, ei = ai - bi, odd_r = ai + bi, odd_i = br - ar;
    vec tr = c * odd_r + s * odd_i, ti = c * odd_i - s * odd_r;
    vec pr = er + tr, pi = ei + ti, mr = er - tr, mi = ei - ti;
    *low = pr * pr + pi * pi;
    *high = mr * mr + mi * mi;
}

INLINE void load_complex(const float *z, vec *re, vec *im)
{
    vec a = load(z), b = load(z + LANES);
    *re = __builtin_shufflevector(a, b, EVENS);
    *im = __builtin_shufflevector(a, b, ODDS);
}

static void power_of(const float *restrict z, const float *restrict c, const float *restrict s, float *restrict power,
                     size_t half)
{
    size_t k = 1;
    power[0] = (z[0] + z[1]) * (z[0] + z[1]);
    power[half] = (z[0] - z[1]) * (z[0] - z[1]);
    for (; 2 * (k + LANES - 1) < half; k += LANES) {
        vec ar, ai, br, bi, low, high;
        load_complex(z + 2 * k, &ar, &ai);
        load_complex(z + 2 * (half - k - (LANES - 1)), &br, &bi);
        pair_of(ar, ai, backwards(br), backwards(bi), load(c + k), load(s + k), &low, &high);
        store(power + k, 0.25f * low);
        store(power + half - k - (LANES - 1), backwards(0.25f * high));
    }
    for (; 2 * k <= half; k++) {
        const float *a = z + 2 * k, *b = z + 2 * (half - k);
        vec low, high;
        pair_of(splat(a[0]), splat(a[1]), splat(b[0]), splat(b[1]), splat(c[k]), splat(s[k]), &low, &high);
        power[half - k] = 0.25f * high[0];
        power[k] = 0.25f * low[0];
    }
}

/* By halves; on vectors, for through memory it took as long as the sum of 100 products. */
INLINE float sum_of(vec x)
{
#if LANES == 8
    vec four = x + __builtin_shufflevector(x, x, 4, 5, 6, 7, 4, 5, 6, 7);
    vec two = four + __builtin_shufflevector(four, four, 2, 3, 2, 3, 4, 5, 6, 7);
#else
    vec two = x + __builtin_shufflevector(x, x, 2, 3, 2, 3);
#endif
    return two[0] + two[1];
}

static void sum_bands(const float *restrict power, const lc_band *restrict bands, const float *restrict weights,
                      float *restrict sums, size_t n)
{
    for (size_t b = 0; b < n; b++) {
        const float *p = power + bands[b].first;
        vec sum = splat(0);
        for (size_t i = 0; i < bands[b].length; i += LANES)
            sum += load(p + i) * load(weights + i);
        weights += bands[b].length;
        sums[b] = sum_of(sum);
    }
}

/* The exponent is found by subtracting the bits of sqrt(1/2): what is left of the mantissa cannot carry. */
INLINE vec vec_log10(vec x)
{
    x = choose(x > splat(FLT_MIN), x, splat(FLT_MIN));
    ivec e = ((ivec)x - 0x3f3504f3) >> 23;
    vec m = (vec)((ivec)x - e * (1 << 23));
    vec z = (m - 1.0f) / (m + 1.0f), zz = z * z;
    vec series = (((splat(1.0f / 9) * zz + 1.0f / 7) * zz + 1.0f / 5) * zz + 1.0f / 3) * zz + 1.0f;
    return __builtin_convertvector(e, vec) * 0x1.344136p-2f + z * 0x1.bcb7b2p-1f * series;
}

static void log10_of(const float *restrict x, float *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        store(y + i, vec_log10(load(x + i)));
}

/* Two chains: one would wait for each addition. */
static float dot(const float *restrict a, const float *restrict b, size_t n)
{
    vec even = splat(0), odd = splat(0);
    size_t i = 0;
    for (; i + 2 * LANES <= n; i += 2 * LANES) {
        even += load(a + i) * load(b + i);
        odd += load(a + i + LANES) * load(b + i + LANES);
    }
    for (; i < n; i += LANES)
        even += load(a + i) * load(b + i);
    return sum_of(even + odd);
}

/* The sums stay in registers along the taps; every output adds its taps in the same order, wherever it stands. */
static void filter(const float *restrict x, const float *restrict h, size_t taps, float *restrict y, size_t n)
{
    enum { SUMS = LC_FILTER_STEP / LANES };
    for (size_t i = 0; i < n; i += LC_FILTER_STEP) {
        vec sums[SUMS];
        for (size_t s = 0; s < SUMS; s++)
            sums[s] = load(y + i + s * LANES);
        for (size_t k = 0; k < taps; k++)
            for (size_t s = 0; s < SUMS; s++)
                sums[s] += splat(h[k]) * load(x + i + k + s * LANES);
        for (size_t s = 0; s < SUMS; s++)
            store(y + i + s * LANES, sums[s]);
    }
}

const lc_signal_kernels TABLE = {
    .window = window,
    .power = power_of,
    .bands = sum_bands,
    .log10 = log10_of,
    .dot = dot,
    .filter = filter,
};
