/* SPDX-License-Identifier: MIT
 * vector_body.h - LANES numbers at a time, by the vector types of gcc and clang: what the kernels of every folder begin
 *   with. Needs LANES; REAL, float or double; and INTEGER, the signed integer of the same size.
 *
 * Rows that overlap begin anywhere, so a vector in memory is `loose`: aligned as its elements are, one unaligned move.
 */
typedef REAL vec __attribute__((vector_size(sizeof(REAL) * LANES)));
typedef INTEGER ivec __attribute__((vector_size(sizeof(REAL) * LANES)));
typedef REAL loose __attribute__((vector_size(sizeof(REAL) * LANES), aligned(sizeof(REAL))));

#define INLINE static inline __attribute__((always_inline))

/* x - 0 is x for every x, and costs nothing; x + 0 would make 0 of -0, and the addition would have to be done. */
INLINE vec splat(REAL x)
{
    return x - (vec){0};
}

INLINE vec load(const REAL *x)
{
    return *(const loose *)x;
}

INLINE void store(REAL *x, vec v)
{
    *(loose *)x = v;
}

/* mask is all ones or all zeros in each lane, as comparisons give it. */
INLINE vec choose(ivec mask, vec yes, vec no)
{
    return (vec)(((ivec)yes & mask) | ((ivec)no & ~mask));
}
