/* SPDX-License-Identifier: MIT
 * first_body.h - a convolution of 3x4 from one channel with its pool, as the first layer of a network has it: the
 *   largest map, and too few channels for products of matrices.
 *
 *   Forward, the six points of time of all neighbours of a pool are multiplied, transformed and pooled in registers.
 *   Backward, the gradient of the weights from that of the pooled output:
 *
 *     dw[j][i][n] = sum over frames t, outputs q of d[t][q][n] * in[t + j][q * pool + winner[t][q][n] + i]
 *
 *   Of the neighbours of a pool only one has a gradient, another for each channel. To choose among the inputs of all
 *   and multiply once takes 12 choices and 12 multiply-adds an output of a pool of two, where unpooled there would be
 *   24, and by way of tiles (winograd.c) 12 and the transforms; all 12 sums stay in registers, and the gradient of the
 *   unpooled output is never made. */

/* Keeps the compiler from moving all loads of a loop before its sums, for which there are no registers. */
#if MASKS
#define KEEP_ORDER(v) __asm__ volatile("" : "+v"(v))
#else
#define KEEP_ORDER(v) ((void)(v))
#endif

enum { FIRST_TAPS = LC_FIRST_WINDOW, FIRST_FRAMES = 3, FIRST_POOL = LC_FIRST_POOL };

/* Which lanes: a register of its own kind where there are such. All lanes in which a bit of frame r is set; yes in
 * those lanes, no in the others. */
#if MASKS
typedef uint16_t lanes;
#else
typedef ivec lanes;
#endif

INLINE lanes lanes_of(ivec all, size_t r, int32_t bit)
{
#if MASKS && LANES == 16
    return _mm512_test_epi32_mask((__m512i)all, (__m512i)winner_bits(r, bit));
#elif MASKS
    return _mm256_test_epi32_mask((__m256i)all, (__m256i)winner_bits(r, bit));
#else
    return (all & winner_bits(r, bit)) != 0;
#endif
}

INLINE vec pick(lanes mask, vec yes, vec no)
{
#if MASKS && LANES == 16
    return (vec)_mm512_mask_blend_ps(mask, (__m512)no, (__m512)yes);
#elif MASKS
    return (vec)_mm256_mask_blend_ps((uint8_t)mask, (__m256)no, (__m256)yes);
#elif LANES == 8
    return __builtin_ia32_blendvps256(no, yes, (vec)mask);
#else
    return choose(mask, yes, no);
#endif
}

/* d: the gradients of four frames, channels i.. of output q; winner[r][j]: where neighbour j + 1 won. */
INLINE void first_winners(const lc_pooled *p, size_t q, size_t i, bool whole, vec d[LC_TILE], lanes winner[LC_TILE][2])
{
    ivec all = (ivec)(whole ? load(p->which + q * p->c + i) : load_part(p->which + q * p->c, i, p->c));
    for (size_t r = 0; r < LC_TILE; r++) {
        vec y = whole ? load(p->y[r] + q * p->c + i) : load_part(p->y[r] + q * p->c, i, p->c);
        d[r] = pick(lanes_of(all, r, (LC_NO_WINNER + 1) / 2), splat(0), y); /* none is positive */
        winner[r][0] = lanes_of(all, r, 1);
        winner[r][1] = lanes_of(all, r, 2);
    }
}

/* Adds d times the inputs that were chosen in one row to the sums of its taps. */
INLINE void first_taps(vec sum[FIRST_TAPS], const vec *x, vec d, const lanes winner[2], size_t pool)
{
    for (size_t k = 0; k < FIRST_TAPS; k++) {
        vec chosen = pool > 1 ? pick(winner[0], x[k + 1], x[k]) : x[k];
        if (pool > 2)
            chosen = pick(winner[1], x[k + 2], chosen);
        sum[k] += chosen * d;
    }
}

/* Channels i.. of all outputs of four frames; pool is a constant wherever this is called. */
INLINE void first_grads_by(const lc_first *f, size_t i, bool whole, size_t pool)
{
    const lc_pooled *p = &f->pooled;
    vec sum[FIRST_FRAMES][FIRST_TAPS] = {{{0}}}, bias = {0};
    for (size_t q = 0; q < p->bins; q++) {
        vec d[LC_TILE], x[FIRST_TAPS + FIRST_POOL - 1] = {{0}};
        lanes winner[LC_TILE][2];
        first_winners(p, q, i, whole, d, winner);
        bias += (d[0] + d[1]) + (d[2] + d[3]);
        const float *in = f->in + q * pool;
        __asm__("" : "+r"(in)); /* else the compiler keeps what the next output reads too, in memory */
#pragma GCC unroll 6
        for (size_t row = 0; row < LC_TILE + FIRST_FRAMES - 1; row++, in += f->in_row) {
            for (size_t k = 0; k + 1 < FIRST_TAPS + pool; k++)
                x[k] = splat(in[k]);
            KEEP_ORDER(x[0]);
            for (size_t r = 0; r < LC_TILE; r++)
                if (row >= r && row - r < FIRST_FRAMES)
                    first_taps(sum[row - r], x, d[r], winner[r], pool);
        }
    }
    for (size_t j = 0; j < FIRST_FRAMES; j++)
        for (size_t k = 0; k < FIRST_TAPS; k++) {
            float *to = f->grads + (j * FIRST_TAPS + k) * f->width;
            store_columns(to, load(to + i) + sum[j][k], i, f->width);
        }
    if (whole)
        store(p->d_bias + i, load(p->d_bias + i) + bias);
    else
        store_part(p->d_bias, load_part(p->d_bias, i, p->c) + bias, i, p->c);
}

/* Channels i.. of output q of four frames. The sums of all neighbours want 32 registers; by AVX2, which has 16, a drum
 * step takes as long as it took by way of memory. */
INLINE void first_pool_at(const lc_first *f, size_t q, size_t i, bool whole, size_t pool)
{
    vec six[FIRST_POOL][6], best[5], y[5], x[FIRST_TAPS + FIRST_POOL - 1] = {{0}};
    ivec winner[5] = {{0}};
    const float *in = f->in + q * pool, *w = f->weights + i;
#pragma GCC unroll 6
    for (size_t k = 0; k < 6; k++, in += f->in_row) {
        for (size_t t = 0; t + 1 < FIRST_TAPS + pool; t++)
            x[t] = splat(in[t]);
        KEEP_ORDER(x[0]);
        for (size_t t = 0; t < FIRST_TAPS; t++, w += f->width) {
            vec weight = load(w);
            for (size_t j = 0; j < pool; j++)
                six[j][k] = t == 0 ? x[j] * weight : six[j][k] + x[j + t] * weight;
        }
    }
    to_outputs(best, six[0], LC_TILE);
    for (size_t j = 1; j < pool; j++) {
        to_outputs(y, six[j], LC_TILE);
        pool_next(best, winner, y, j, LC_TILE);
    }
    pool_store(&f->pooled, q, i, whole, best, winner, LC_TILE);
}

/* All outputs of a tile; whole: all lanes are channels. */
INLINE void first_pool_by(const lc_first *f, size_t i, bool whole, size_t pool)
{
    for (size_t q = 0; q < f->pooled.bins; q++)
        first_pool_at(f, q, i, whole, pool);
}

/* Whole vectors of channels, then the rest; constants for the pools. */
#define FIRST_BY_POOL(name, POOL)                                              \
    static __attribute__((noinline)) void name##_##POOL(const lc_first *given) \
    {                                                                          \
        const lc_first f = *given;                                             \
        size_t i = 0;                                                          \
        for (; i + LANES <= f.pooled.c; i += LANES)                            \
            name##_by(&f, i, true, POOL);                                      \
        if (i < f.pooled.c)                                                    \
            name##_by(&f, i, false, POOL);                                     \
    }

#define FIRST(name)                     \
    FIRST_BY_POOL(name, 1)              \
    FIRST_BY_POOL(name, 2)              \
    FIRST_BY_POOL(name, 3)              \
    static void name(const lc_first *f) \
    {                                   \
        switch (f->pooled.pool) {       \
        case 1: name##_1(f); break;     \
        case 2: name##_2(f); break;     \
        default: name##_3(f); break;    \
        }                               \
    }

FIRST(first_pool)
FIRST(first_grads)
