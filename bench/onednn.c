/* SPDX-License-Identifier: MIT
 * onednn.c - times one layer in oneDNN, forward and backward, with the layouts that the library prefers.
 *     onednn conv SECONDS BATCH FRAMES BINS IN OUT POOL FIRST     3x4, same padding, ReLU, max-pool over POOL bins;
 *                                                                 FIRST 1: without the gradient of its input
 *     onednn lstm|gru SECONDS BATCH FRAMES IN OUT
 *     onednn dense SECONDS BATCH FRAMES IN OUT                    sigmoid
 *   Prints one JSON object as bench/layer does. ReLU and sigmoid are post-operations of the forward pass; pooling, the
 *   slope of the activation, gradient of the input and gradient of the weights are primitives of their own. Where a
 *   primitive wants another layout than the one before it made, a reorder stands between them and is timed.
 *   OMP_NUM_THREADS sets the threads. Without libdnnl-dev it says so and exits with 3. */
#include "clock.h"

#ifndef LOCO_ONEDNN

int main(void)
{
    fprintf(stderr, "bench/onednn: built without oneDNN; install libdnnl-dev and build again\n");
    return 3;
}

#else

#include <oneapi/dnnl/dnnl.h>
#include <stdbool.h>

enum { PRIMITIVES = 16, ARGUMENTS = 16 };

/* What runs in one pass, in order. */
typedef struct plan {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_t primitives[PRIMITIVES];
    dnnl_exec_arg_t args[PRIMITIVES][ARGUMENTS];
    int args_len[PRIMITIVES];
    int len;
} plan;

static void check(dnnl_status_t status, const char *what)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "bench/onednn: %s failed with status %d\n", what, (int)status);
    exit(2);
}

static dnnl_memory_desc_t any(int rank, const dnnl_dims_t dims)
{
    dnnl_memory_desc_t md;
    check(dnnl_memory_desc_init_by_tag(&md, rank, dims, dnnl_f32, dnnl_format_tag_any), "a description");
    return md;
}

static dnnl_memory_desc_t tagged(int rank, const dnnl_dims_t dims, dnnl_format_tag_t tag)
{
    dnnl_memory_desc_t md;
    check(dnnl_memory_desc_init_by_tag(&md, rank, dims, dnnl_f32, tag), "a description");
    return md;
}

static const dnnl_memory_desc_t *queried(const_dnnl_primitive_desc_t pd, dnnl_query_t what, int index)
{
    return dnnl_primitive_desc_query_md(pd, what, index);
}

/* Memory of this layout, filled with small numbers of both signs. */
static dnnl_memory_t make(const plan *p, const dnnl_memory_desc_t *md)
{
    dnnl_memory_t memory;
    float *data;
    check(dnnl_memory_create(&memory, md, p->engine, DNNL_MEMORY_ALLOCATE), "memory");
    check(dnnl_memory_get_data_handle(memory, (void **)&data), "memory");
    for (size_t i = 0; i < dnnl_memory_desc_get_size(md) / sizeof *data; i++)
        data[i] = (float)((int)(i * 2654435761u % 2001u) - 1000) / 4000;
    return memory;
}

/* The next primitive; its arguments follow by `arg`. */
static void add(plan *p, const_dnnl_primitive_desc_t pd)
{
    check(dnnl_primitive_create(&p->primitives[p->len++], pd), "a primitive");
}

static void arg(plan *p, int which, dnnl_memory_t memory)
{
    int i = p->len - 1;
    p->args[i][p->args_len[i]++] = (dnnl_exec_arg_t){which, memory};
}

static dnnl_primitive_desc_t described(const plan *p, const void *op, const_dnnl_primitive_attr_t attr,
                                       const_dnnl_primitive_desc_t forward)
{
    dnnl_primitive_desc_t pd;
    check(dnnl_primitive_desc_create(&pd, op, attr, p->engine, forward), "a primitive's description");
    return pd;
}

/* The same numbers in another layout: the memory itself when it has that layout. */
static dnnl_memory_t reordered(plan *p, dnnl_memory_t from, const dnnl_memory_desc_t *wanted)
{
    const dnnl_memory_desc_t *md;
    dnnl_primitive_desc_t pd;
    check(dnnl_memory_get_memory_desc(from, &md), "a layout");
    if (dnnl_memory_desc_equal(md, wanted))
        return from;
    dnnl_memory_t to = make(p, wanted);
    check(dnnl_reorder_primitive_desc_create(&pd, md, p->engine, wanted, p->engine, NULL), "a reorder");
    add(p, pd);
    arg(p, DNNL_ARG_FROM, from);
    arg(p, DNNL_ARG_TO, to);
    return to;
}

static dnnl_primitive_attr_t with_activation(dnnl_alg_kind_t kind)
{
    dnnl_primitive_attr_t attr;
    dnnl_post_ops_t ops;
    check(dnnl_primitive_attr_create(&attr), "attributes");
    check(dnnl_post_ops_create(&ops), "a post-operation");
    check(dnnl_post_ops_append_eltwise(ops, 1, kind, 0, 0), "a post-operation");
    check(dnnl_primitive_attr_set_post_ops(attr, ops), "a post-operation");
    return attr;
}

/* d of an activation's input, from d and the output. */
static dnnl_memory_t add_slope(plan *p, dnnl_alg_kind_t kind, dnnl_memory_t dst, dnnl_memory_t d_dst)
{
    const dnnl_memory_desc_t *md, *d_md;
    dnnl_eltwise_desc_t forward, op;
    check(dnnl_memory_get_memory_desc(dst, &md), "a layout");
    d_dst = reordered(p, d_dst, md);
    check(dnnl_memory_get_memory_desc(d_dst, &d_md), "a layout");
    check(dnnl_eltwise_forward_desc_init(&forward, dnnl_forward_training, kind, md, 0, 0), "an activation");
    check(dnnl_eltwise_backward_desc_init(&op, kind, d_md, md, 0, 0), "an activation");
    dnnl_primitive_desc_t pd = described(p, &op, NULL, described(p, &forward, NULL, NULL));
    dnnl_memory_t d_src = make(p, d_md);
    add(p, pd);
    arg(p, DNNL_ARG_DST, dst);
    arg(p, DNNL_ARG_DIFF_DST, d_dst);
    arg(p, DNNL_ARG_DIFF_SRC, d_src);
    return d_src;
}

/* ---- convolution ---- */

typedef struct pooling {
    dnnl_primitive_desc_t forward;
    dnnl_memory_t workspace, d_dst;
    dnnl_dim_t bins;
} pooling;

static pooling add_pool(plan *p, dnnl_memory_t src, dnnl_dim_t pool, const dnnl_dims_t out)
{
    dnnl_dims_t kernel = {1, pool}, none = {0, 0};
    const dnnl_memory_desc_t *md;
    dnnl_memory_desc_t dst = any(4, out);
    dnnl_pooling_desc_t op;
    check(dnnl_memory_get_memory_desc(src, &md), "a layout");
    check(dnnl_pooling_forward_desc_init(&op, dnnl_forward_training, dnnl_pooling_max, md, &dst, kernel, kernel, none,
                                         none),
          "pooling");
    pooling made = {.forward = described(p, &op, NULL, NULL), .bins = pool};
    const dnnl_memory_desc_t *dst_md = queried(made.forward, dnnl_query_dst_md, 0);
    made.workspace = make(p, queried(made.forward, dnnl_query_workspace_md, 0));
    made.d_dst = make(p, dst_md);
    add(p, made.forward);
    arg(p, DNNL_ARG_SRC, src);
    arg(p, DNNL_ARG_DST, make(p, dst_md));
    arg(p, DNNL_ARG_WORKSPACE, made.workspace);
    return made;
}

static dnnl_memory_t add_unpool(plan *p, const pooling *pool, const dnnl_memory_desc_t *d_src)
{
    dnnl_dims_t kernel = {1, pool->bins}, none = {0, 0};
    dnnl_pooling_desc_t op;
    check(dnnl_pooling_backward_desc_init(&op, dnnl_pooling_max, d_src, queried(pool->forward, dnnl_query_dst_md, 0),
                                          kernel, kernel, none, none),
          "pooling");
    dnnl_memory_t made = make(p, d_src);
    add(p, described(p, &op, NULL, pool->forward));
    arg(p, DNNL_ARG_DIFF_DST, pool->d_dst);
    arg(p, DNNL_ARG_WORKSPACE, pool->workspace);
    arg(p, DNNL_ARG_DIFF_SRC, made);
    return made;
}

typedef struct convolution {
    dnnl_memory_desc_t src, weights, bias, dst;
    dnnl_dims_t one, left, right;
    dnnl_primitive_desc_t forward;
    dnnl_memory_t src_memory, dst_memory;
} convolution;

static void add_conv(plan *p, convolution *c)
{
    dnnl_convolution_desc_t op;
    check(dnnl_convolution_forward_desc_init(&op, dnnl_forward_training, dnnl_convolution_direct, &c->src, &c->weights,
                                             &c->bias, &c->dst, c->one, c->left, c->right),
          "a convolution");
    c->forward = described(p, &op, with_activation(dnnl_eltwise_relu), NULL);
    c->src_memory = make(p, queried(c->forward, dnnl_query_src_md, 0));
    c->dst_memory = make(p, queried(c->forward, dnnl_query_dst_md, 0));
    add(p, c->forward);
    arg(p, DNNL_ARG_SRC, c->src_memory);
    arg(p, DNNL_ARG_WEIGHTS, make(p, queried(c->forward, dnnl_query_weights_md, 0)));
    arg(p, DNNL_ARG_BIAS, make(p, queried(c->forward, dnnl_query_weights_md, 1)));
    arg(p, DNNL_ARG_DST, c->dst_memory);
}

static void add_conv_back(plan *p, const convolution *c, dnnl_memory_t dz, bool first)
{
    dnnl_convolution_desc_t data, weights;
    if (!first) {
        check(dnnl_convolution_backward_data_desc_init(&data, dnnl_convolution_direct, &c->src, &c->weights, &c->dst,
                                                       c->one, c->left, c->right),
              "the gradient of the input");
        dnnl_primitive_desc_t pd = described(p, &data, NULL, c->forward);
        dnnl_memory_t d = reordered(p, dz, queried(pd, dnnl_query_diff_dst_md, 0));
        add(p, pd);
        arg(p, DNNL_ARG_DIFF_DST, d);
        arg(p, DNNL_ARG_WEIGHTS, make(p, queried(pd, dnnl_query_weights_md, 0)));
        arg(p, DNNL_ARG_DIFF_SRC, make(p, queried(pd, dnnl_query_diff_src_md, 0)));
    }
    check(dnnl_convolution_backward_weights_desc_init(&weights, dnnl_convolution_direct, &c->src, &c->weights, &c->bias,
                                                      &c->dst, c->one, c->left, c->right),
          "the gradient of the weights");
    dnnl_primitive_desc_t pd = described(p, &weights, NULL, c->forward);
    dnnl_memory_t src = reordered(p, c->src_memory, queried(pd, dnnl_query_src_md, 0));
    dnnl_memory_t d = reordered(p, dz, queried(pd, dnnl_query_diff_dst_md, 0));
    add(p, pd);
    arg(p, DNNL_ARG_SRC, src);
    arg(p, DNNL_ARG_DIFF_DST, d);
    arg(p, DNNL_ARG_DIFF_WEIGHTS, make(p, queried(pd, dnnl_query_diff_weights_md, 0)));
    arg(p, DNNL_ARG_DIFF_BIAS, make(p, queried(pd, dnnl_query_diff_weights_md, 1)));
}

/* n: batch, frames, bins, in, out, pool, first */
static void plan_conv(plan *p, const dnnl_dim_t *n)
{
    dnnl_dims_t src = {n[0], n[3], n[1], n[2]}, weights = {n[4], n[3], 3, 4}, bias = {n[4]};
    dnnl_dims_t dst = {n[0], n[4], n[1], n[2]}, out = {n[0], n[4], n[1], n[2] / n[5]};
    convolution c = {
        .src = any(4, src),
        .weights = any(4, weights),
        .bias = any(1, bias),
        .dst = any(4, dst),
        .one = {1, 1},
        .left = {1, 1},
        .right = {1, 2},
    };
    add_conv(p, &c);
    pooling pool = add_pool(p, c.dst_memory, n[5], out);
    const dnnl_memory_desc_t *md = queried(c.forward, dnnl_query_dst_md, 0);
    dnnl_memory_t d = add_unpool(p, &pool, md);
    add_conv_back(p, &c, add_slope(p, dnnl_eltwise_relu_use_dst_for_bwd, c.dst_memory, d), n[6] != 0);
}

/* ---- dense ---- */

/* n: batch, frames, in, out; the frames of all sequences are rows of one matrix */
static void plan_dense(plan *p, const dnnl_dim_t *n)
{
    dnnl_dims_t in = {n[0] * n[1], n[2]}, out = {n[0] * n[1], n[3]}, weights = {n[3], n[2]}, units = {n[3]};
    dnnl_memory_desc_t src = any(2, in), w = any(2, weights), bias = any(1, units), dst = any(2, out);
    dnnl_inner_product_desc_t op;
    check(dnnl_inner_product_forward_desc_init(&op, dnnl_forward_training, &src, &w, &bias, &dst), "a product");
    dnnl_primitive_desc_t forward = described(p, &op, with_activation(dnnl_eltwise_logistic), NULL), pd;
    dnnl_memory_t x = make(p, queried(forward, dnnl_query_src_md, 0));
    dnnl_memory_t y = make(p, queried(forward, dnnl_query_dst_md, 0));
    add(p, forward);
    arg(p, DNNL_ARG_SRC, x);
    arg(p, DNNL_ARG_WEIGHTS, make(p, queried(forward, dnnl_query_weights_md, 0)));
    arg(p, DNNL_ARG_BIAS, make(p, queried(forward, dnnl_query_weights_md, 1)));
    arg(p, DNNL_ARG_DST, y);
    dnnl_memory_t d_y = make(p, queried(forward, dnnl_query_dst_md, 0));
    dnnl_memory_t dz = add_slope(p, dnnl_eltwise_logistic_use_dst_for_bwd, y, d_y);
    check(dnnl_inner_product_backward_data_desc_init(&op, &src, &w, &dst), "the gradient of the input");
    pd = described(p, &op, NULL, forward);
    dnnl_memory_t d = reordered(p, dz, queried(pd, dnnl_query_diff_dst_md, 0));
    add(p, pd);
    arg(p, DNNL_ARG_DIFF_DST, d);
    arg(p, DNNL_ARG_WEIGHTS, make(p, queried(pd, dnnl_query_weights_md, 0)));
    arg(p, DNNL_ARG_DIFF_SRC, make(p, queried(pd, dnnl_query_diff_src_md, 0)));
    check(dnnl_inner_product_backward_weights_desc_init(&op, &src, &w, &bias, &dst), "the gradient of the weights");
    pd = described(p, &op, NULL, forward);
    dnnl_memory_t from = reordered(p, x, queried(pd, dnnl_query_src_md, 0));
    d = reordered(p, dz, queried(pd, dnnl_query_diff_dst_md, 0));
    add(p, pd);
    arg(p, DNNL_ARG_SRC, from);
    arg(p, DNNL_ARG_DIFF_DST, d);
    arg(p, DNNL_ARG_DIFF_WEIGHTS, make(p, queried(pd, dnnl_query_diff_weights_md, 0)));
    arg(p, DNNL_ARG_DIFF_BIAS, make(p, queried(pd, dnnl_query_diff_weights_md, 1)));
}

/* ---- recurrent ---- */

typedef struct recurrent {
    dnnl_memory_desc_t src, w, u, bias, dst, none;
    dnnl_rnn_desc_t forward, backward;
} recurrent;

static void describe_lstm(recurrent *r)
{
    check(dnnl_lstm_forward_desc_init(&r->forward, dnnl_forward_training, dnnl_unidirectional_left2right, &r->src,
                                      &r->none, &r->none, &r->w, &r->u, &r->bias, &r->dst, &r->none, &r->none, 0),
          "an lstm");
    check(dnnl_lstm_backward_desc_init(&r->backward, dnnl_backward, dnnl_unidirectional_left2right, &r->src, &r->none,
                                       &r->none, &r->w, &r->u, &r->bias, &r->dst, &r->none, &r->none, &r->src, &r->none,
                                       &r->none, &r->w, &r->u, &r->bias, &r->dst, &r->none, &r->none, 0),
          "an lstm");
}

/* The variant that PyTorch has, whose reset gate comes behind the product. */
static void describe_gru(recurrent *r)
{
    check(dnnl_lbr_gru_forward_desc_init(&r->forward, dnnl_forward_training, dnnl_unidirectional_left2right, &r->src,
                                         &r->none, &r->w, &r->u, &r->bias, &r->dst, &r->none, 0),
          "a gru");
    check(dnnl_lbr_gru_backward_desc_init(&r->backward, dnnl_backward, dnnl_unidirectional_left2right, &r->src,
                                          &r->none, &r->w, &r->u, &r->bias, &r->dst, &r->none, &r->src, &r->none, &r->w,
                                          &r->u, &r->bias, &r->dst, &r->none, 0),
          "a gru");
}

/* The backward pass has the weights in the layout that it prefers: they are arranged once a step, which is not timed. */
static void add_recurrent(plan *p, const recurrent *r)
{
    dnnl_primitive_desc_t forward = described(p, &r->forward, NULL, NULL);
    dnnl_primitive_desc_t back = described(p, &r->backward, NULL, forward);
    dnnl_memory_t x = make(p, queried(forward, dnnl_query_src_md, 0));
    dnnl_memory_t y = make(p, queried(forward, dnnl_query_dst_md, 0));
    dnnl_memory_t w = make(p, queried(forward, dnnl_query_weights_md, 0));
    dnnl_memory_t u = make(p, queried(forward, dnnl_query_weights_md, 1));
    dnnl_memory_t bias = make(p, queried(forward, dnnl_query_weights_md, 2));
    dnnl_memory_t workspace = make(p, queried(forward, dnnl_query_workspace_md, 0));
    add(p, forward);
    arg(p, DNNL_ARG_SRC_LAYER, x);
    arg(p, DNNL_ARG_WEIGHTS_LAYER, w);
    arg(p, DNNL_ARG_WEIGHTS_ITER, u);
    arg(p, DNNL_ARG_BIAS, bias);
    arg(p, DNNL_ARG_DST_LAYER, y);
    arg(p, DNNL_ARG_WORKSPACE, workspace);
    dnnl_memory_t w_back = make(p, queried(back, dnnl_query_weights_md, 0));
    dnnl_memory_t u_back = make(p, queried(back, dnnl_query_weights_md, 1));
    add(p, back);
    arg(p, DNNL_ARG_SRC_LAYER, x);
    arg(p, DNNL_ARG_WEIGHTS_LAYER, w_back);
    arg(p, DNNL_ARG_WEIGHTS_ITER, u_back);
    arg(p, DNNL_ARG_BIAS, bias);
    arg(p, DNNL_ARG_DST_LAYER, y);
    arg(p, DNNL_ARG_WORKSPACE, workspace);
    arg(p, DNNL_ARG_DIFF_DST_LAYER, make(p, queried(back, dnnl_query_diff_dst_md, 0)));
    arg(p, DNNL_ARG_DIFF_SRC_LAYER, make(p, queried(back, dnnl_query_diff_src_md, 0)));
    arg(p, DNNL_ARG_DIFF_WEIGHTS_LAYER, make(p, queried(back, dnnl_query_diff_weights_md, 0)));
    arg(p, DNNL_ARG_DIFF_WEIGHTS_ITER, make(p, queried(back, dnnl_query_diff_weights_md, 1)));
    arg(p, DNNL_ARG_DIFF_BIAS, make(p, queried(back, dnnl_query_diff_weights_md, 2)));
}

/* n: batch, frames, in, out */
static void plan_recurrent(plan *p, const dnnl_dim_t *n, bool lstm)
{
    dnnl_dim_t gates = lstm ? 4 : 3;
    dnnl_dims_t src = {n[1], n[0], n[2]}, w = {1, 1, n[2], gates, n[3]}, u = {1, 1, n[3], gates, n[3]};
    dnnl_dims_t bias = {1, 1, 4, n[3]}, dst = {n[1], n[0], n[3]};
    recurrent r = {
        .src = tagged(3, src, dnnl_tnc),
        .w = any(5, w),
        .u = any(5, u),
        .bias = tagged(4, bias, dnnl_ldgo),
        .dst = tagged(3, dst, dnnl_tnc),
    };
    if (lstm)
        describe_lstm(&r);
    else
        describe_gru(&r);
    add_recurrent(p, &r);
}

/* ---- timing ---- */

static double run_once(const plan *p)
{
    double start = now();
    for (int i = 0; i < p->len; i++)
        check(dnnl_primitive_execute(p->primitives[i], p->stream, p->args_len[i], p->args[i]), "a primitive");
    check(dnnl_stream_wait(p->stream), "the stream");
    return now() - start;
}

int main(int argc, char **argv)
{
    static plan p;
    dnnl_dim_t n[8] = {0};
    if (argc < 7 || argc > 10) {
        fprintf(stderr, "usage: onednn conv|lstm|gru|dense SECONDS NUMBER...; see bench/onednn.c\n");
        return 2;
    }
    for (int i = 3; i < argc; i++)
        n[i - 3] = strtol(argv[i], NULL, 10);
    check(dnnl_engine_create(&p.engine, dnnl_cpu, 0), "the engine");
    check(dnnl_stream_create(&p.stream, p.engine, dnnl_stream_default_flags), "the stream");
    if (strcmp(argv[1], "conv") == 0)
        plan_conv(&p, n);
    else if (strcmp(argv[1], "dense") == 0)
        plan_dense(&p, n);
    else
        plan_recurrent(&p, n, strcmp(argv[1], "lstm") == 0);
    double best = 1e9, end = now() + strtod(argv[2], NULL);
    for (int i = 0; i < 3 || now() < end; i++) {
        double took = run_once(&p);
        best = took < best ? took : best;
    }
    printf("{\"ms\":%.4f,\"mb\":%.1f}\n", 1e3 * best, peak_mb());
    return 0;
}

#endif
