/* SPDX-License-Identifier: MIT
 * kernels_avx512.c - the inner loops of the layers for AVX-512: vectors of 16 floats, or of 8 where the last one of 16
 *   would be half empty.
 *
 * That is the case for the 8 channels of a first layer, the largest map of a network, and for the 24 of others. A drum
 * step on one thread took 150 ms by vectors of 16 alone, 104 by AVX2 and 100 by 16 or 8; a layer of 24 channels, `conv
 * 3x3 24 stride 2 norm`, forward and back, 14.4, 9.6 and 9.5, one of 40 channels 13.4, 10.3 and 10.3 (EPYC of the
 * fourth generation, smallest times in turns). */
#include "nn/kernels.h"

enum { WIDE = 16, HALF = 8 };

/* The set whose last vector of a row of n is more than half used. */
static const lc_nn_kernels *set_of(size_t n)
{
    size_t last = n % WIDE;
    return last > 0 && last <= HALF ? &lc_nn_kernels_half_avx512 : &lc_nn_kernels_wide_avx512;
}

static void product(const lc_product *p)
{
    set_of(p->columns)->product(p);
}

static void outer(const lc_outer *o)
{
    set_of(o->columns)->outer(o);
}

static void matvec(float *out, const float *x, const float *b, size_t depth, size_t columns)
{
    set_of(columns)->matvec(out, x, b, depth, columns);
}

static void sigmoid(float *y, const float *x, size_t n)
{
    set_of(n)->sigmoid(y, x, n);
}

static void tanh_all(float *y, const float *x, size_t n)
{
    set_of(n)->tanh(y, x, n);
}

static void lstm_frame(const lc_lstm_frame *frame)
{
    set_of(frame->H)->lstm_frame(frame);
}

static void lstm_back(const lc_lstm_back *frame)
{
    set_of(frame->H)->lstm_back(frame);
}

static void relu_pool(const lc_frame_pool *p, float *y, const float *x)
{
    set_of(p->c)->relu_pool(p, y, x);
}

static void relu_unpool(const lc_frame_pool *p, float *d_x, float *d_bias, const float *d_y)
{
    set_of(p->c)->relu_unpool(p, d_x, d_bias, d_y);
}

static void frame_norm_forward(const lc_frame_norm *frame, float *x)
{
    set_of(frame->channels)->frame_norm_forward(frame, x);
}

static void frame_norm_backward(const lc_frame_norm *frame, float *d, float *d_gain, float *d_shift)
{
    set_of(frame->channels)->frame_norm_backward(frame, d, d_gain, d_shift);
}

/* Rows of whole frames are long: always 16. */
static void winograd_in(const lc_rows *r)
{
    lc_nn_kernels_wide_avx512.winograd_in(r);
}

static void winograd_out(const lc_rows *r)
{
    lc_nn_kernels_wide_avx512.winograd_out(r);
}

static void winograd_d_out(const lc_rows *r)
{
    lc_nn_kernels_wide_avx512.winograd_d_out(r);
}

static void winograd_d_in(const lc_rows *r, size_t held)
{
    lc_nn_kernels_wide_avx512.winograd_d_in(r, held);
}

static void winograd_clear(float *m, size_t m_row, size_t n, size_t rows)
{
    lc_nn_kernels_wide_avx512.winograd_clear(m, m_row, n, rows);
}

/* From here on by channels: kernels that pool, and tiles along frequency, work on vectors of channels. */
static void winograd_pool(const lc_pooled *p)
{
    set_of(p->c)->winograd_pool(p);
}

static void winograd_unpool(const lc_pooled *p)
{
    set_of(p->c)->winograd_unpool(p);
}

static void first_pool(const lc_first *f)
{
    set_of(f->pooled.c)->first_pool(f);
}

static void first_grads(const lc_first *f)
{
    set_of(f->pooled.c)->first_grads(f);
}

static void tiles_in(const lc_tiles *t)
{
    set_of(t->channels)->tiles_in(t);
}

static void tiles_product_out(const lc_tiles_product *p)
{
    set_of(p->to.channels)->tiles_product_out(p);
}

static void tiles_d_out(const lc_tiles *t)
{
    set_of(t->channels)->tiles_d_out(t);
}

static void tiles_product_d_in(const lc_tiles_product *p)
{
    set_of(p->to.channels)->tiles_product_d_in(p);
}

#define TABLE lc_nn_kernels_avx512

#include "nn/table_body.h"
