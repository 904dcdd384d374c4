/* SPDX-License-Identifier: MIT
 * flac_body.h - the inner loops of FLAC: Rice code and linear prediction, see flac_subframe.c. Needs TABLE.
 *
 * Numbers come from outside: sums run in unsigned arithmetic, which may wrap, where those of a true file never do. */
#include "signal/flac_kernels.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    PAIR = 28,     /* bits of each of two numbers after a refill */
    UNROLLED = 12, /* largest order with a loop of its own */
    NARROW = 9     /* largest order that a sum of products is not slower for */
};

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

/* In 64 bits, which hold 32 products of 32 and 15 bits, or in 32 where these do. With a constant order the compiler
 * unrolls the sum: 2.3 to 4.3 ns a sample in 64 bits, 2.1 to 3.9 in 32, and 4 to 14 without. */
INLINE void restore_order(const lc_predictor *p, unsigned order, bool in_64, int32_t *s, size_t n)
{
    int64_t c[LC_PREDICTOR_ORDER] = {0};
    unsigned shift = p->shift;
    for (unsigned j = 0; j < order; j++)
        c[j] = p->c[j];
    for (size_t t = order; t < n; t++) {
        int64_t sum = 0;
        uint32_t small = 0;
        for (unsigned j = order; j-- > 0;) { /* the newest last: the others need not wait for it */
            if (in_64)
                sum += c[j] * s[t - 1 - j];
            else
                small += (uint32_t)c[j] * (uint32_t)s[t - 1 - j];
        }
        s[t] = (int32_t)((uint32_t)s[t] + (uint32_t)(in_64 ? sum >> shift : (int32_t)small >> shift));
    }
}

INLINE void restore_any(const lc_predictor *p, bool in_64, int32_t *s, size_t n)
{
    switch (p->order) {
    case 1: restore_order(p, 1, in_64, s, n); break;
    case 2: restore_order(p, 2, in_64, s, n); break;
    case 3: restore_order(p, 3, in_64, s, n); break;
    case 4: restore_order(p, 4, in_64, s, n); break;
    case 5: restore_order(p, 5, in_64, s, n); break;
    case 6: restore_order(p, 6, in_64, s, n); break;
    case 7: restore_order(p, 7, in_64, s, n); break;
    case 8: restore_order(p, 8, in_64, s, n); break;
    case 9: restore_order(p, 9, in_64, s, n); break;
    case 10: restore_order(p, 10, in_64, s, n); break;
    case 11: restore_order(p, 11, in_64, s, n); break;
    case UNROLLED: restore_order(p, UNROLLED, in_64, s, n); break;
    default: restore_order(p, p->order, in_64, s, n); break;
    }
}

#ifdef __SSE4_1__
enum { WIDE = 1 };

typedef uint32_t quad __attribute__((vector_size(16)));

/* What is still to be added to the next 12 samples. */
typedef struct ahead {
    quad soon, middle, late;
} ahead;

/* A sample has come: all move on by one, and it adds to those that lie 5 to 12 samples ahead. */
INLINE ahead move_on(ahead a, quad c_middle, quad c_late, uint32_t sample)
{
    const quad none = {0};
    return (ahead){
        .soon = __builtin_shufflevector(a.soon, a.middle, 1, 2, 3, 4),
        .middle = __builtin_shufflevector(a.middle, a.late, 1, 2, 3, 4) + c_middle * sample,
        .late = __builtin_shufflevector(a.late, none, 1, 2, 3, 4) + c_late * sample,
    };
}

/* The same for orders above NARROW, to UNROLLED, in 32 bits. A processor does one product of whole numbers a cycle, and
 * twelve would take twelve. So only the last four samples are multiplied when they are needed; the products of the
 * others were added up before, eight at once by two vectors, while each sample waits for the one before: 2.6 ns a
 * sample at any order. */
static void restore_wide(const lc_predictor *p, int32_t *s, size_t n)
{
    uint32_t c[UNROLLED] = {0};
    for (unsigned j = 0; j < p->order; j++)
        c[j] = (uint32_t)p->c[j];
    quad c_middle = {c[4], c[5], c[6], c[7]}, c_late = {c[8], c[9], c[10], c[11]};
    uint32_t c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    unsigned shift = p->shift;
    ahead a = {{0}, {0}, {0}};
    for (size_t t = 0; t < p->order; t++)
        a = move_on(a, c_middle, c_late, (uint32_t)s[t]);
    for (size_t t = p->order; t < n; t++) {
        uint32_t sum = a.soon[0] + c3 * (uint32_t)s[t - 4] + c2 * (uint32_t)s[t - 3] + c1 * (uint32_t)s[t - 2];
        sum += c0 * (uint32_t)s[t - 1]; /* the newest last: the others need not wait for it */
        uint32_t sample = (uint32_t)s[t] + (uint32_t)((int32_t)sum >> shift);
        s[t] = (int32_t)sample;
        a = move_on(a, c_middle, c_late, sample);
    }
}
#else
enum { WIDE = 0 };

static void restore_wide(const lc_predictor *p, int32_t *s, size_t n)
{
    restore_any(p, false, s, n);
}
#endif

/* Whether a sum of products of true samples, each at most 2^(depth - 1), fits into 32 bits with its sign. By the
 * numbers and not by how many bits each may have: by those, no predictor of 16 bits, order 12 and the usual precision
 * would. */
static bool fits(const lc_predictor *p, unsigned depth)
{
    uint64_t sum = 0;
    for (unsigned j = 0; j < p->order; j++)
        sum += (uint64_t)(p->c[j] < 0 ? -(int64_t)p->c[j] : p->c[j]);
    return sum << (depth - 1) < (uint64_t)1 << 31;
}

static void restore(const lc_predictor *p, unsigned depth, int32_t *s, size_t n)
{
    if (!fits(p, depth))
        restore_any(p, true, s, n);
    else if (WIDE && p->order > NARROW && p->order <= UNROLLED)
        restore_wide(p, s, n);
    else
        restore_any(p, false, s, n);
}

const lc_flac_kernels TABLE = {
    .rice = take_rice,
    .restore = restore,
};
