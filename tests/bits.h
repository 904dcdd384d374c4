/* SPDX-License-Identifier: MIT
 * bits.h - writes bits, highest first, for tests of what reads them. */
#ifndef TESTS_BITS_H
#define TESTS_BITS_H

#include "signal/flac_bits.h"

#include <string.h>

enum { WRITTEN_MOST = 1 << 17 };

typedef struct written {
    unsigned char bytes[WRITTEN_MOST + LC_FLAC_MARGIN];
    size_t bits;
} written;

static inline void write_clear(written *w)
{
    memset(w, 0, sizeof *w);
}

/* The lowest n bits of value. */
static inline void write_bits(written *w, uint64_t value, unsigned n)
{
    while (n-- > 0 && w->bits < 8 * (size_t)WRITTEN_MOST) {
        w->bytes[w->bits / 8] |= (unsigned char)((value >> n & 1) << (7 - w->bits % 8));
        w->bits++;
    }
}

/* So many zeros and a 1. */
static inline void write_unary(written *w, size_t zeros)
{
    w->bits += zeros;
    write_bits(w, 1, 1);
}

static inline void write_rice(written *w, int32_t number, unsigned parameter)
{
    uint32_t folded = (uint32_t)number << 1 ^ (number < 0 ? UINT32_MAX : 0);
    write_unary(w, folded >> parameter);
    write_bits(w, folded, parameter);
}

static inline lc_bits read_written(const written *w)
{
    return lc_bits_of(w->bytes, (w->bits + 7) / 8);
}

#endif
