/* SPDX-License-Identifier: MIT
 * spectrum_body.h - the inner loops of spectra, LANES frames side by side (spectrum.h).
 *
 * Power. z[j] = x[2j] + i x[2j+1] has the transform Z[k], k < M = n/2. The even and the odd samples alone have
 *     E = (Z[k] + conj Z[M-k]) / 2,   O = (Z[k] - conj Z[M-k]) / 2i,
 * and X[k] = E + w O, X[M-k] = conj(E - w O), w = exp(-2 pi i k / n). Each pair k, M-k is done at once; the window
 * holds the 1/2. The difference is formed before it is squared: |E|^2 + |O|^2 - 2 Re(...) would leave noise 72 dB
 * below the other of the pair.
 *
 * Logarithm. x = 2^e m with m in [sqrt(1/2), sqrt(2)), z = (m-1) / (m+1), |z| < 0.172:
 *     log10 x = e log10 2 + 2/ln 10 (z + z^3/3 + z^5/5 + z^7/7 + z^9/9), remainder 2e-9 of it
 */
#include "signal/spectrum.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "nn/vector_body.h"
#include "signal/fft_body.h"
#include "signal/transpose_body.h"

/* z (LANES, LANES): numbers of the rows at x, x + hop, ... times the window. */
INLINE void gather_full(const float *x, size_t hop, const float *window, float *z)
{
    for (size_t q = 0; q < LANES; q += 4) {
        vec r[4];
        load_turned(x + q, hop, r);
        for (size_t k = 0; k < 4; k++)
            store(z + (q + k) * LANES, r[k] * splat(window[q + k]));
    }
}

/* The same with zeros behind n < LANES numbers; rows are not read there. */
static void gather_part(const float *x, size_t hop, const float *window, float *z, size_t n)
{
    float ends[LANES + 1][LANES];
    store(ends[LANES], load_part(window, 0, n));
    for (size_t l = 0; l < LANES; l++)
        store(ends[l], load_part(x + l * hop, 0, n));
    gather_full(ends[0], LANES, ends[LANES], z);
}

INLINE void gather_block(const float *x, size_t hop, const float *window, float *z, size_t n)
{
    if (n >= LANES)
        gather_full(x, hop, window, z);
    else
        gather_part(x, hop, window, z, n);
}

static void gather(const float *x, size_t hop, const float *window, float *z, size_t n)
{
    for (size_t i = 0; i < n; i += LANES)
        gather_block(x + i, hop, window + i, z + i * LANES, n - i);
}

/* Power k and M - k from Z[k] = a, Z[M-k] = b; cos and sin. */
INLINE void pair_of(complex_vec a, complex_vec b, const float *turn, vec *low, vec *high)
{
    vec c = splat(turn[0]), s = splat(turn[1]);
    vec er = a.re + b.re, ei = a.im - b.im, odd_r = a.im + b.im, odd_i = b.re - a.re;
    vec tr = c * odd_r + s * odd_i, ti = c * odd_i - s * odd_r;
    vec pr = er + tr, pi = ei + ti, mr = er - tr, mi = ei - ti;
    *low = pr * pr + pi * pi;
    *high = mr * mr + mi * mi;
}

/* Number 0 is also number M. */
INLINE void power_of_ends(complex_vec first, float *power, size_t half, size_t bins)
{
    vec even = 2.0f * (first.re + first.im), odd = 2.0f * (first.re - first.im);
    store(power, even * even);
    if (half < bins)
        store(power + half * LANES, odd * odd);
}

static void power_of(const lc_power_job *job, const float *restrict z, float *restrict power)
{
    size_t half = job->half, bins = job->bins;
    const unsigned *places = job->places;
    power_of_ends(load_complex(z + (size_t)places[0] * 2 * LANES), power, half, bins);
    for (size_t k = 1; 2 * k <= half && k < bins; k++) {
        vec low, high;
        complex_vec a = load_complex(z + (size_t)places[k] * 2 * LANES);
        complex_vec b = load_complex(z + (size_t)places[half - k] * 2 * LANES);
        pair_of(a, b, job->turns + 2 * k, &low, &high);
        if (half - k < bins)
            store(power + (half - k) * LANES, high);
        store(power + k * LANES, low);
    }
}

/* Four chains: one would wait for each addition. */
static void sum_bands(const float *restrict power, const lc_band *restrict bands, const float *restrict weights,
                      float *restrict sums, size_t n)
{
    for (size_t b = 0; b < n; b++) {
        const float *p = power + bands[b].first * LANES;
        size_t length = bands[b].length, i = 0;
        vec sum[4] = {splat(0), splat(0), splat(0), splat(0)};
        for (; i + 4 <= length; i += 4)
            for (size_t c = 0; c < 4; c++)
                sum[c] += splat(weights[i + c]) * load(p + (i + c) * LANES);
        for (; i < length; i++)
            sum[0] += splat(weights[i]) * load(p + i * LANES);
        weights += length;
        store(sums + b * LANES, (sum[0] + sum[1]) + (sum[2] + sum[3]));
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

static void scatter(const float *levels, float floor, float *rows, size_t n, size_t stride)
{
    for (size_t i = 0; i < n; i += LANES)
        for (size_t q = 0; q < LANES; q += 4) {
            vec r[4];
            load_turned(levels + i * LANES + q, LANES, r);
            for (size_t k = 0; k < 4; k++)
                store(rows + (q + k) * stride + i, larger(r[k], splat(floor)));
        }
}

/* By the compiler's vectors, of which each loop is simple enough. */
static void write_frame(const lc_frame_rule *rule, const float *restrict level, const float *restrict mean,
                        const float *restrict before, float *restrict frame, float *delta, size_t n)
{
    float shift = rule->shift, scale = rule->scale, delta_scale = rule->delta_scale;
    if (delta != NULL && rule->stride == 2) {
        for (size_t b = 0; b < n; b++) {
            frame[2 * b] = (level[b] - mean[b] + shift) * scale;
            frame[2 * b + 1] = (level[b] - before[b]) * delta_scale;
        }
        return;
    }
    size_t stride = rule->stride;
    if (stride > 1) {
        for (size_t b = 0; b < n; b++)
            frame[b * stride] = (level[b] - mean[b] + shift) * scale;
        for (size_t b = 0; delta != NULL && b < n; b++)
            delta[b * stride] = (level[b] - before[b]) * delta_scale;
        return;
    }
    for (size_t b = 0; b < n; b++)
        frame[b] = (level[b] - mean[b] + shift) * scale;
    for (size_t b = 0; delta != NULL && b < n; b++)
        delta[b] = (level[b] - before[b]) * delta_scale;
}

const lc_spectrum_kernels SPECTRUM_TABLE = {
    .lanes = LANES,
    .gather = gather,
    .pass4 = pass4,
    .pass8 = pass8,
    .multiply = multiply,
    .power = power_of,
    .bands = sum_bands,
    .log10 = log10_of,
    .scatter = scatter,
    .frame = write_frame,
};
