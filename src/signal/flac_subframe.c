/* SPDX-License-Identifier: MIT
 * flac_subframe.c - one channel of a FLAC frame (RFC 9639, section 9.2): constant, verbatim, or a linear prediction
 *     s[t] = r[t] + (sum_j c[j] s[t - 1 - j] >> shift)
 * with residuals r in Rice code: the upper bits of a number in unary, then `parameter` lower bits; signs are folded in,
 * 0 -1 1 -2 2 ... Fixed predictors are the same with c = 1 | 2 -1 | 3 -3 1 | 4 -6 4 -1 and no shift.
 * */
#include "signal/flac_subframe.h"

/* ---- residuals ---- */

static void take_plain(lc_bits *bits, unsigned width, int32_t *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        r[i] = width > 0 ? lc_bits_take_signed(bits, width) : 0;
}

/* The residuals of n samples but the first `order`, in 2^k parts with a parameter each. */
static bool take_residuals(lc_bits *bits, const lc_flac_kernels *kernels, unsigned order, int32_t *samples, size_t n)
{
    unsigned method = lc_bits_take(bits, 2), width = method == 0 ? 4 : 5, escape = (1u << width) - 1;
    unsigned parts = lc_bits_take(bits, 4);
    size_t length = n >> parts;
    if (method > 1 || length << parts != n || length < order)
        return false;
    int32_t *r = samples + order;
    for (size_t part = 0; part < (size_t)1 << parts && !bits->lost; part++) {
        size_t count = part == 0 ? length - order : length;
        unsigned parameter = lc_bits_take(bits, width);
        if (parameter == escape)
            take_plain(bits, lc_bits_take(bits, 5), r, count);
        else
            kernels->rice(bits, parameter, r, count);
        r += count;
    }
    return !bits->lost;
}

/* ---- subframes ---- */

static void take_first(lc_bits *bits, unsigned depth, unsigned order, int32_t *samples)
{
    for (unsigned i = 0; i < order; i++)
        samples[i] = lc_bits_take_signed(bits, depth);
}

static bool take_fixed(lc_bits *bits, const lc_flac_kernels *kernels, unsigned order, unsigned depth, int32_t *samples,
                       size_t n)
{
    static const lc_predictor fixed[] = {
        {.order = 0          },
        { .order = 1,            .c = {1}},
        { .order = 2,        .c = {2, -1}},
        { .order = 3,     .c = {3, -3, 1}},
        { .order = 4, .c = {4, -6, 4, -1}},
    };
    if (order >= sizeof fixed / sizeof *fixed || order > n)
        return false;
    take_first(bits, depth, order, samples);
    if (!take_residuals(bits, kernels, order, samples, n))
        return false;
    if (order > 0)
        kernels->restore(&fixed[order], depth, samples, n);
    return true;
}

static bool take_predicted(lc_bits *bits, const lc_flac_kernels *kernels, unsigned order, unsigned depth,
                           int32_t *samples, size_t n)
{
    lc_predictor p = {.order = order};
    if (order > n)
        return false;
    take_first(bits, depth, order, samples);
    unsigned precision = lc_bits_take(bits, 4) + 1;
    int32_t shift = lc_bits_take_signed(bits, 5);
    if (precision == 16 || shift < 0)
        return false;
    p.shift = (unsigned)shift;
    for (unsigned j = 0; j < order; j++)
        p.c[j] = lc_bits_take_signed(bits, precision);
    if (!take_residuals(bits, kernels, order, samples, n))
        return false;
    kernels->restore(&p, depth, samples, n);
    return true;
}

/* By the number of its kind, see RFC 9639, table 19. */
static bool take_kind(lc_bits *bits, const lc_flac_kernels *kernels, unsigned kind, unsigned depth, int32_t *samples,
                      size_t n)
{
    if (kind == 0) {
        samples[0] = lc_bits_take_signed(bits, depth);
        for (size_t i = 1; i < n; i++)
            samples[i] = samples[0];
        return true;
    }
    if (kind == 1) {
        take_plain(bits, depth, samples, n);
        return true;
    }
    if (kind >= 8 && kind <= 12)
        return take_fixed(bits, kernels, kind - 8, depth, samples, n);
    return kind >= 32 && take_predicted(bits, kernels, kind - 31, depth, samples, n);
}

bool lc_flac_subframe(lc_bits *bits, const lc_flac_kernels *kernels, unsigned depth, int32_t *samples, size_t n)
{
    unsigned header = lc_bits_take(bits, 8), wasted = 0;
    if ((header & 0x80) != 0)
        return false;
    if ((header & 1) != 0)
        wasted = lc_bits_unary(bits) + 1;
    if (wasted >= depth || !take_kind(bits, kernels, header >> 1, depth - wasted, samples, n))
        return false;
    for (size_t i = 0; wasted > 0 && i < n; i++)
        samples[i] = (int32_t)((uint32_t)samples[i] << wasted);
    return !bits->lost;
}
