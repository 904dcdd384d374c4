/* SPDX-License-Identifier: MIT
 * fft.c - the power spectrum of real numbers by FFTW.
 *
 * n real numbers are taken for n/2 complex ones, transformed, and taken apart while the power is formed
 * (kernels_body.h). Measured, one core of a Zen 4, microseconds a transform:
 *
 *     n      real to complex, estimated / measured plan    n/2 complex, estimated / measured
 *     1024   1.23 / 1.15                                   0.53 / 0.54   and 0.1 to take apart
 *     2048   2.55 / 2.34                                   1.19 / 1.18
 *     8192   14.9 / 13.5                                   9.12 / 9.02
 *
 * So a measured plan gains nothing; it would cost 0.1 s at the start, and the result would depend on the weather.
 * FFTW's planner serves one thread at a time: plans are made and destroyed under a lock.
 */
#include "signal/fft.h"

#include "base/mem.h"
#include "base/status.h"
#include "signal/kernels.h"

#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct lc_fft {
    const lc_signal_kernels *kernels;
    fftwf_plan plan;
    size_t n;
    float *in;        /* (n) */
    float *out;       /* (n/2, 2): real, imaginary */
    float *cos, *sin; /* (n/4 + 1): of 2 pi k / n */
    lc_block block;
};

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static void layout(lc_fft *fft, lc_arena *arena)
{
    fft->in = lc_arena_take(arena, fft->n, sizeof *fft->in);
    fft->out = lc_arena_take(arena, fft->n, sizeof *fft->out);
    fft->cos = lc_arena_take(arena, fft->n / 4 + 1, sizeof *fft->cos);
    fft->sin = lc_arena_take(arena, fft->n / 4 + 1, sizeof *fft->sin);
}

static void fill_tables(lc_fft *fft)
{
    memset(fft->in, 0, fft->n * sizeof *fft->in);
    for (size_t k = 0; k <= fft->n / 4; k++) {
        double angle = 2 * acos(-1) * (double)k / (double)fft->n;
        fft->cos[k] = (float)cos(angle);
        fft->sin[k] = (float)sin(angle);
    }
}

static fftwf_plan make_plan(lc_fft *fft)
{
    void *in = fft->in, *out = fft->out;
    pthread_mutex_lock(&planner);
    fftwf_plan plan = fftwf_plan_dft_1d((int)(fft->n / 2), in, out, FFTW_FORWARD, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planner);
    return plan;
}

void lc_fft_free(lc_fft *fft)
{
    if (fft == NULL)
        return;
    pthread_mutex_lock(&planner);
    if (fft->plan != NULL)
        fftwf_destroy_plan(fft->plan);
    pthread_mutex_unlock(&planner);
    lc_block_free(&fft->block);
    free(fft);
}

loco_status lc_fft_new(lc_fft **fft, size_t n, loco_err *err)
{
    lc_isa isa;
    if (n < 16 || n > LC_FFT_MOST || n % 2 != 0)
        return lc_err_set(err, LOCO_EARG, "a transform of %zu numbers; it must be an even number, 16 to %d", n,
                          LC_FFT_MOST);
    loco_status status = lc_isa_choose(&isa, err);
    if (status != LOCO_OK)
        return status;
    lc_fft *f = calloc(1, sizeof *f);
    lc_arena arena = {0};
    if (f == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a transform of %zu numbers", n);
    f->n = n;
    f->kernels = lc_signal_kernels_of(isa);
    layout(f, &arena);
    if (lc_block_reserve(&f->block, arena.used)) {
        arena = lc_arena_over(&f->block);
        layout(f, &arena);
        f->plan = make_plan(f);
        fill_tables(f);
    }
    if (f->plan == NULL) {
        lc_fft_free(f);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a transform of %zu numbers", n);
    }
    *fft = f;
    return LOCO_OK;
}

float *lc_fft_input(lc_fft *fft)
{
    return fft->in;
}

void lc_fft_power(lc_fft *fft, float *power)
{
    fftwf_execute(fft->plan);
    fft->kernels->power(fft->out, fft->cos, fft->sin, power, fft->n / 2);
}
