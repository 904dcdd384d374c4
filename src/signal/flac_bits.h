/* SPDX-License-Identifier: MIT
 * flac_bits.h - bits of a FLAC frame, highest first.
 *
 * word has the next `have` bits at its top; what is below them are bits of the file, too, or 0. A refill sets the 8 bytes
 * at next behind them, and so leaves 56 or more: no loop and no branch for the number of bytes.
 * The buffer goes on with zeros for LC_FLAC_MARGIN bytes behind its end. A reader that comes near the end of these stays
 * there and is `lost`; what it read then is nonsense, and may be any number, but lies in the buffer. */
#ifndef LC_SIGNAL_FLAC_BITS_H
#define LC_SIGNAL_FLAC_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LC_FLAC_MARGIN = 32 };

typedef struct lc_bits {
    uint64_t word;
    unsigned have;
    bool lost;
    const unsigned char *next, *last; /* last: where a refill may still read from */
} lc_bits;

static inline uint64_t lc_big_endian(const unsigned char *b)
{
    return (uint64_t)b[0] << 56 | (uint64_t)b[1] << 48 | (uint64_t)b[2] << 40 | (uint64_t)b[3] << 32 |
           (uint64_t)b[4] << 24 | (uint64_t)b[5] << 16 | (uint64_t)b[6] << 8 | (uint64_t)b[7];
}

static inline lc_bits lc_bits_of(const unsigned char *bytes, size_t length)
{
    return (lc_bits){.next = bytes, .last = bytes + length + LC_FLAC_MARGIN - sizeof(uint64_t)};
}

static inline void lc_bits_refill(lc_bits *bits)
{
    bits->word |= lc_big_endian(bits->next) >> bits->have;
    bits->next += (63 - bits->have) >> 3;
    bits->have |= 56;
    if (bits->next > bits->last) {
        bits->next = bits->last;
        bits->lost = true;
    }
}

/* n <= have. */
static inline void lc_bits_skip(lc_bits *bits, unsigned n)
{
    bits->word <<= n;
    bits->have -= n;
}

/* 0 to 32 bits. */
static inline uint32_t lc_bits_take(lc_bits *bits, unsigned n)
{
    if (bits->have < 32)
        lc_bits_refill(bits);
    uint32_t value = (uint32_t)(bits->word >> 1 >> (63 - n)); /* a shift by 64 is none */
    lc_bits_skip(bits, n);
    return value;
}

/* 1 to 32 bits with a sign. */
static inline int32_t lc_bits_take_signed(lc_bits *bits, unsigned n)
{
    uint32_t value = lc_bits_take(bits, n) << (32 - n);
    return (int32_t)value >> (32 - n);
}

/* Zeros before a 1, which is taken, too. */
static inline uint32_t lc_bits_unary(lc_bits *bits)
{
    uint32_t zeros = 0;
    if (bits->have < 32)
        lc_bits_refill(bits);
    while (bits->word >> (64 - bits->have) == 0 && !bits->lost) {
        zeros += bits->have;
        lc_bits_skip(bits, bits->have - 1); /* a shift by 64 is none */
        lc_bits_skip(bits, 1);
        lc_bits_refill(bits);
    }
    unsigned n = bits->lost ? 0 : (unsigned)__builtin_clzll(bits->word);
    lc_bits_skip(bits, n);
    lc_bits_skip(bits, bits->lost ? 0 : 1);
    return zeros + n;
}

/* Where the reader stands, when it stands at a whole byte. */
static inline const unsigned char *lc_bits_at(const lc_bits *bits)
{
    return bits->next - bits->have / 8;
}

#endif
