/* SPDX-License-Identifier: MIT
 * rng.c - xoshiro256++ (Blackman and Vigna, 2019), its state filled by splitmix64.
 *   256 bits of state, so that streams of different seeds do not meet; about 1 ns a number. */
#include "base/rng.h"

#include <math.h>

static uint64_t rotate(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

/* splitmix64: seeds that differ in one bit give unrelated states, and never the state of all zeros. */
lc_rng lc_rng_seed(uint64_t seed)
{
    lc_rng rng;
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        uint64_t x = seed;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        rng.s[i] = x ^ (x >> 31);
    }
    return rng;
}

uint64_t lc_rng_next(lc_rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

/* The 53 highest bits: every multiple of 2^-53 below 1 is equally likely. */
double lc_rng_uniform(lc_rng *rng)
{
    return (double)(lc_rng_next(rng) >> 11) * 0x1p-53;
}

/* Box and Muller, one of the pair: the other is not kept, so that the state is all there is. */
double lc_rng_normal(lc_rng *rng)
{
    double radius = sqrt(-2 * log(1 - lc_rng_uniform(rng)));
    return radius * cos(6.283185307179586 * lc_rng_uniform(rng));
}
