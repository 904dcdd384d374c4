/* SPDX-License-Identifier: MIT
 * transpose_body.h - LANES x LANES numbers turned over on their way from memory.
 *
 * A vector is put together from quads of four numbers of rows g, g + 4, ...; four such vectors, g = 0..3, are then
 * turned over within their quads, as four rows of four would be. Quads put together while loading cost no shuffle of
 * vectors: half of all where whole rows are loaded. */

#if LANES > 4
#include <immintrin.h>
#endif

#define MIX(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/* The two halves of what two rows give, taken number by number or pair by pair, within quads. */
#if LANES == 4
#define SINGLES_LOW 0, 4, 1, 5
#define SINGLES_HIGH 2, 6, 3, 7
#define PAIRS_LOW 0, 1, 4, 5
#define PAIRS_HIGH 2, 3, 6, 7
#elif LANES == 8
#define SINGLES_LOW 0, 8, 1, 9, 4, 12, 5, 13
#define SINGLES_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#define PAIRS_LOW 0, 1, 8, 9, 4, 5, 12, 13
#define PAIRS_HIGH 2, 3, 10, 11, 6, 7, 14, 15
#else
#define SINGLES_LOW 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define SINGLES_HIGH 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define PAIRS_LOW 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define PAIRS_HIGH 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#endif

INLINE void turn_four(vec *r)
{
    vec a = MIX(r[0], r[1], SINGLES_LOW), b = MIX(r[0], r[1], SINGLES_HIGH);
    vec c = MIX(r[2], r[3], SINGLES_LOW), d = MIX(r[2], r[3], SINGLES_HIGH);
    r[0] = MIX(a, c, PAIRS_LOW);
    r[1] = MIX(a, c, PAIRS_HIGH);
    r[2] = MIX(b, d, PAIRS_LOW);
    r[3] = MIX(b, d, PAIRS_HIGH);
}

/* Four numbers of the rows at x, x + 4 hop, x + 8 hop, ... By instructions that put a quad from memory into its place:
 * of what gcc makes of shuffles, each takes the one unit that the rest of the turning needs. */
INLINE vec load_quads(const float *x, size_t hop)
{
#if LANES == 4
    (void)hop;
    return load(x);
#else
    __m256 low = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(x)), _mm_loadu_ps(x + 4 * hop), 1);
#if LANES == 8
    return (vec)low;
#else
    x += 8 * hop;
    __m256 high = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(x)), _mm_loadu_ps(x + 4 * hop), 1);
    return (vec)_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#endif
#endif
}

/* r[i] = number i of all rows. */
INLINE void load_turned(const float *x, size_t hop, vec r[4])
{
    for (size_t g = 0; g < 4; g++)
        r[g] = load_quads(x + g * hop, hop);
    turn_four(r);
}
