/* SPDX-License-Identifier: MIT
 * kernels_body.h - the inner loops of resampling, LANES floats at a time. It follows spectrum_body.h, whose vectors it
 * uses. */
#include "signal/kernels.h"

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

const lc_signal_kernels SIGNAL_TABLE = {
    .dot = dot,
    .filter = filter,
};
