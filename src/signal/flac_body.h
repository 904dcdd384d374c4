/* SPDX-License-Identifier: MIT
 * flac_body.h - the inner loops of FLAC: Rice code and linear prediction, see flac_subframe.c. Needs TABLE.
 *
 * Numbers come from outside: sums run in unsigned arithmetic, which may wrap, where those of a true file never do. */
#include "signal/flac_kernels.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    PAIR = 28,
    UNROLLED = 12
}; /* bits of each of two numbers after a refill; largest order with a loop of its own */

INLINE int32_t unfold(uint32_t upper, uint32_t lower, unsigned parameter)
{
    uint32_t folded = upper << parameter | lower;
    return (int32_t)(folded >> 1 ^ (0u - (folded & 1)));
}

static int32_t take_long(lc_bits *bits, unsigned parameter)
{
    uint32_t upper = lc_bits_unary(bits);
    return unfold(upper, lc_bits_take(bits, parameter), parameter);
}

/* The sentinel keeps 0 from being counted, and is below what matters. */
INLINE unsigned leading_zeros(uint64_t word)
{
    return (unsigned)__builtin_clzll(word | 1);
}

/* The next number; word holds PAIR bits at least. The long way works on a copy: a reader whose address is known to
 * another function would stay in memory, and every number would wait for it. */
INLINE int32_t take_number(lc_bits *bits, unsigned parameter, unsigned most)
{
    unsigned zeros = leading_zeros(bits->word);
    if (zeros > most) {
        lc_bits copy = *bits;
        int32_t number = take_long(&copy, parameter);
        lc_bits_refill(&copy);
        *bits = copy;
        return number;
    }
    uint32_t lower = (uint32_t)(bits->word << zeros << 1 >> 1 >> (63 - parameter));
    lc_bits_skip(bits, zeros + 1 + parameter);
    return unfold(zeros, lower, parameter);
}

/* Two numbers for a refill: it leaves 56 bits, and longer numbers, of which there are few, go the long way. Tested for
 * each number, a refill is a branch that nothing foretells: it took half as long again. */
static void take_rice(lc_bits *bits, unsigned parameter, int32_t *r, size_t n)
{
    lc_bits b = *bits;
    size_t i = 0;
    for (; parameter < PAIR - 1 && i + 2 <= n && !b.lost; i += 2) {
        lc_bits_refill(&b);
        r[i] = take_number(&b, parameter, PAIR - 1 - parameter);
        r[i + 1] = take_number(&b, parameter, PAIR - 1 - parameter);
    }
    *bits = b;
    for (; i < n; i++)
        r[i] = take_long(bits, parameter);
}

/* In 32 bits. With a constant order the compiler unrolls the sum. */
INLINE void restore_short(const lc_predictor *p, unsigned order, int32_t *s, size_t n)
{
    uint32_t c[LC_PREDICTOR_ORDER] = {0};
    unsigned shift = p->shift;
    for (unsigned j = 0; j < order; j++)
        c[j] = (uint32_t)p->c[j];
    for (size_t t = order; t < n; t++) {
        uint32_t sum = 0;
        for (unsigned j = order; j-- > 0;) /* the newest last: the others need not wait for it */
            sum += c[j] * (uint32_t)s[t - 1 - j];
        s[t] = (int32_t)((uint32_t)s[t] + (uint32_t)((int32_t)sum >> shift));
    }
}

static void restore_long(const lc_predictor *p, int32_t *s, size_t n)
{
    for (size_t t = p->order; t < n; t++) {
        int64_t sum = 0; /* 32 products of 32 and 15 bits */
        for (unsigned j = p->order; j-- > 0;)
            sum += (int64_t)p->c[j] * s[t - 1 - j];
        s[t] = (int32_t)((uint32_t)s[t] + (uint32_t)(sum >> p->shift));
    }
}

static void restore(const lc_predictor *p, unsigned depth, int32_t *s, size_t n)
{
    unsigned bits = depth + p->precision;
    for (unsigned order = p->order; order > 1; order = (order + 1) / 2)
        bits++;
    if (bits > 32) {
        restore_long(p, s, n);
        return;
    }
    switch (p->order) {
    case 1: restore_short(p, 1, s, n); break;
    case 2: restore_short(p, 2, s, n); break;
    case 3: restore_short(p, 3, s, n); break;
    case 4: restore_short(p, 4, s, n); break;
    case 5: restore_short(p, 5, s, n); break;
    case 6: restore_short(p, 6, s, n); break;
    case 7: restore_short(p, 7, s, n); break;
    case 8: restore_short(p, 8, s, n); break;
    case 9: restore_short(p, 9, s, n); break;
    case 10: restore_short(p, 10, s, n); break;
    case 11: restore_short(p, 11, s, n); break;
    case UNROLLED: restore_short(p, UNROLLED, s, n); break;
    default: restore_short(p, p->order, s, n); break;
    }
}

const lc_flac_kernels TABLE = {
    .rice = take_rice,
    .restore = restore,
};
