/* SPDX-License-Identifier: MIT
 * fft.c - power spectra of real numbers, as many frames side by side as a vector has lanes.
 *
 * n real numbers are taken for n/2 complex ones, transformed, and taken apart while the power is formed
 * (spectrum_body.h). A complex transform of a power of two is a list of passes of radix 8, and of radix 4 at the end;
 * it works in place, and leaves number k at places[k]. Blocks that do not fit the nearest cache take one pass, then
 * each of their parts goes through all of its passes before the next one.
 *
 * Measured, one core of a Xeon of 2023 (L1 of 48 KB), microseconds a frame in full groups, power included:
 *
 *     n      AVX-512, 16 lanes    without the parts one by one    AVX2, 8 lanes
 *     256    0.08                 0.08                            0.11
 *     1024   0.41                 0.49                            0.53
 *     2048   0.94                 0.96                            1.2
 *     8192   4.1                  4.6                             5.2    of a window of 1102
 *
 * Tried, and no faster: the first pass fused with the gathering of samples, and the power of each pair of parts as
 * soon as these are transformed. Errors are those of FFTW or less (test_fft.c).
 *
 * Other sizes M: Bluestein. With c[j] = exp(-i pi j^2 / M), and jk = (j^2 + k^2 - (k-j)^2) / 2,
 *     Z[k] = c[k] sum_j (z[j] c[j]) conj c[k-j]:
 * a convolution, done by transforms of a power of two from 2M - 1 on. The transform of conj c is kept; the inverse
 * transform is the conjugate of the transform of the conjugate. It takes five to ten times as long as the
 * nearest power of two.
 */
#include "signal/fft.h"

#include "base/mem.h"
#include "base/status.h"
#include "signal/spectrum.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES_MOST = 8, NEAR_BYTES = 16384 };

typedef struct pass {
    size_t radix, size;
    float *twiddles; /* (size / radix, radix - 1, 2) */
} pass;

struct lc_fft {
    const lc_spectrum_kernels *kernels;
    size_t n, length;
    size_t size; /* of the complex transform: n/2, or more where that is not a power of two */
    pass passes[PASSES_MOST];
    size_t passes_len;
    unsigned *places; /* (size) */
    unsigned *order;  /* (size): 0, 1, 2, ... */
    float *window;    /* (length), times 1/2 */
    float *turns;     /* (n/4 + 1, 2): cos, sin of 2 pi k / n */
    lc_power_job job;
    float *z;   /* (size, 2, lanes) */
    float *few; /* (lanes, length): frames of a group that is not full */
    /* of Bluestein */
    float *work;         /* (size, 2, lanes) */
    float *chirp, *back; /* (n/2, 2): c and its conjugate */
    float *kept;         /* (size, 2): transform of conj c, in the order of z, divided by size */
    lc_block block;
};

static bool is_direct(const lc_fft *f)
{
    return f->size == f->n / 2;
}

/* ---- tables ---- */

static void plan_passes(lc_fft *f)
{
    size_t bits = 0;
    while ((size_t)1 << bits < f->n / 2)
        bits++;
    if ((size_t)1 << bits != f->n / 2)
        bits++; /* 2M - 1 and more */
    f->size = (size_t)1 << bits;
    for (size_t left = f->size; left > 1; left /= f->passes[f->passes_len++].radix) {
        size_t rest = bits % 3; /* 1: two passes of 4; 2: one */
        bool by_four = (rest == 1 && left <= 16) || (rest == 2 && left <= 4);
        f->passes[f->passes_len] = (pass){.radix = by_four ? 4 : 8, .size = left};
    }
}

static void layout(lc_fft *f, lc_arena *arena)
{
    size_t lanes = f->kernels->lanes;
    for (size_t i = 0; i < f->passes_len; i++) {
        pass *p = &f->passes[i];
        p->twiddles = lc_arena_take(arena, p->size / p->radix * (p->radix - 1) * 2, sizeof *p->twiddles);
    }
    f->places = lc_arena_take(arena, f->size, sizeof *f->places);
    f->window = lc_arena_take(arena, f->length, sizeof *f->window);
    f->turns = lc_arena_take(arena, (f->n / 4 + 1) * 2, sizeof *f->turns);
    f->z = lc_arena_take(arena, f->size * 2 * lanes, sizeof *f->z);
    f->few = lc_arena_take(arena, f->length * lanes, sizeof *f->few);
    if (is_direct(f))
        return;
    f->order = lc_arena_take(arena, f->size, sizeof *f->order);
    f->work = lc_arena_take(arena, f->size * 2 * lanes, sizeof *f->work);
    f->chirp = lc_arena_take(arena, f->n, sizeof *f->chirp);
    f->back = lc_arena_take(arena, f->n, sizeof *f->back);
    f->kept = lc_arena_take(arena, f->size * 2, sizeof *f->kept);
}

/* exp(-2 pi i part / whole) */
static void set_turn(float *out, size_t part, size_t whole)
{
    double angle = 2 * acos(-1) * (double)part / (double)whole;
    out[0] = (float)cos(angle);
    out[1] = (float)-sin(angle);
}

static void fill_twiddles(const pass *p)
{
    float *w = p->twiddles;
    for (size_t j = 0; j < p->size / p->radix; j++)
        for (size_t q = 1; q < p->radix; q++, w += 2)
            set_turn(w, j * q % p->size, p->size);
}

/* Number k = q + R k' of a block is number k' of its part q. */
static unsigned place_of(const lc_fft *f, size_t k)
{
    size_t place = 0;
    for (size_t i = 0; i < f->passes_len; i++) {
        const pass *p = &f->passes[i];
        place += k % p->radix * (p->size / p->radix);
        k /= p->radix;
    }
    return (unsigned)place;
}

static void fill_tables(lc_fft *f, const float *window)
{
    for (size_t i = 0; i < f->passes_len; i++)
        fill_twiddles(&f->passes[i]);
    for (size_t k = 0; k < f->size; k++)
        f->places[k] = place_of(f, k);
    for (size_t i = 0; i < f->length; i++)
        f->window[i] = window != NULL ? 0.5f * window[i] : 0.5f;
    for (size_t k = 0; k <= f->n / 4; k++) {
        set_turn(f->turns + 2 * k, k, f->n);
        f->turns[2 * k + 1] = -f->turns[2 * k + 1];
    }
}

/* ---- transform ---- */

static void run_pass(const lc_fft *f, const pass *p, float *z, size_t blocks)
{
    const float *twiddles = p->size > p->radix ? p->twiddles : NULL;
    (p->radix == 8 ? f->kernels->pass8 : f->kernels->pass4)(z, twiddles, p->size, blocks);
}

/* A block goes through pass i and all that follow. */
static void transform(const lc_fft *f, float *z, size_t i)
{
    if (i == f->passes_len)
        return;
    const pass *p = &f->passes[i];
    size_t floats = p->size * 2 * f->kernels->lanes;
    if (floats * sizeof *z <= NEAR_BYTES) {
        for (size_t blocks = 1; i < f->passes_len; blocks *= f->passes[i++].radix)
            run_pass(f, &f->passes[i], z, blocks);
        return;
    }
    run_pass(f, p, z, 1);
    for (size_t q = 0; q < p->radix; q++)
        transform(f, z + q * (floats / p->radix), i + 1);
}

/* ---- Bluestein ---- */

static void fill_chirp(lc_fft *f)
{
    size_t M = f->n / 2, lanes = f->kernels->lanes;
    for (size_t j = 0; j < M; j++) {
        set_turn(f->chirp + 2 * j, j * j % f->n, f->n);
        f->back[2 * j] = f->chirp[2 * j];
        f->back[2 * j + 1] = -f->chirp[2 * j + 1];
        for (size_t l = 0; l < 2 * lanes; l++)
            f->z[2 * lanes * j + l] = f->z[2 * lanes * ((f->size - j) % f->size) + l] = f->back[2 * j + l / lanes];
    }
    for (size_t k = 0; k < f->size; k++)
        f->order[k] = (unsigned)k;
    transform(f, f->z, 0);
    for (size_t k = 0; k < f->size; k++)
        for (size_t part = 0; part < 2; part++)
            f->kept[2 * k + part] = f->z[(2 * f->places[k] + part) * lanes] / (float)f->size;
}

/* z becomes its transform of n/2 numbers, in order. */
static void convolve(lc_fft *f)
{
    size_t M = f->n / 2, row = 2 * f->kernels->lanes;
    f->kernels->multiply(f->z, f->order, f->chirp, 1, f->work, M);
    memset(f->work + M * row, 0, (f->size - M) * row * sizeof *f->work);
    transform(f, f->work, 0);
    f->kernels->multiply(f->work, f->places, f->kept, -1, f->z, f->size);
    transform(f, f->z, 0);
    f->kernels->multiply(f->z, f->places, f->back, -1, f->work, M);
}

/* ---- life ---- */

void lc_fft_free(lc_fft *fft)
{
    if (fft == NULL)
        return;
    lc_block_free(&fft->block);
    free(fft);
}

static loco_status check(size_t n, size_t length, size_t bins, loco_err *err)
{
    if (n < 16 || n > LC_FFT_MOST || n % 2 != 0)
        return lc_err_set(err, LOCO_EARG, "a transform of %zu numbers; it must be an even number, 16 to %d", n,
                          LC_FFT_MOST);
    if (length < 1 || length > n || bins < 1 || bins > n / 2 + 1)
        return lc_err_set(err, LOCO_EARG, "a transform of %zu numbers has a window of 1 to %zu, and %zu bins at most",
                          n, n, n / 2 + 1);
    return LOCO_OK;
}

loco_status lc_fft_new(lc_fft **fft, size_t n, const float *window, size_t length, size_t bins, loco_err *err)
{
    lc_isa isa;
    lc_arena arena = {0};
    loco_status status = check(n, length, bins, err);
    if (status == LOCO_OK)
        status = lc_isa_choose(&isa, err);
    if (status != LOCO_OK)
        return status;
    lc_fft *f = calloc(1, sizeof *f);
    if (f == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a transform of %zu numbers", n);
    *f = (lc_fft){
        .kernels = lc_spectrum_kernels_of(isa), .n = n, .length = length, .job.half = n / 2, .job.bins = bins};
    plan_passes(f);
    layout(f, &arena);
    if (!lc_block_zeros(&f->block, arena.used)) {
        lc_fft_free(f);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a transform of %zu numbers", n);
    }
    arena = lc_arena_over(&f->block);
    layout(f, &arena);
    fill_tables(f, window);
    if (!is_direct(f))
        fill_chirp(f);
    f->job.places = is_direct(f) ? f->places : f->order;
    f->job.turns = f->turns;
    *fft = f;
    return LOCO_OK;
}

/* ---- use ---- */

size_t lc_fft_lanes(const lc_fft *fft)
{
    return fft->kernels->lanes;
}

/* A full group as it lies; of fewer frames, what can be read for each lane: a single frame for all of them, else
 * copies, and what an earlier group left behind them. */
static const float *rows_of(lc_fft *f, const float *x, size_t *hop, size_t count)
{
    if (count == f->kernels->lanes)
        return x;
    for (size_t l = 0; l < count && count > 1; l++)
        memcpy(f->few + l * f->length, x + l * *hop, f->length * sizeof *x);
    *hop = count > 1 ? f->length : 0;
    return count > 1 ? f->few : x;
}

/* All numbers, and zeros behind them. */
static void gather(lc_fft *f, const float *x, size_t hop)
{
    size_t lanes = f->kernels->lanes, done = (f->length + lanes - 1) / lanes * lanes, all = f->size * 2;
    f->kernels->gather(x, hop, f->window, f->z, f->length);
    if (done < all)
        memset(f->z + done * lanes, 0, (all - done) * lanes * sizeof *f->z);
}

void lc_fft_power(lc_fft *f, const float *x, size_t hop, size_t count, float *power)
{
    x = rows_of(f, x, &hop, count);
    gather(f, x, hop);
    if (is_direct(f))
        transform(f, f->z, 0);
    else
        convolve(f);
    f->kernels->power(&f->job, is_direct(f) ? f->z : f->work, power);
}
