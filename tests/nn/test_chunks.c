/* SPDX-License-Identifier: MIT
 * test_chunks.c - clips in chunks: logits and the gradient of every tensor are those of the whole clip, for every kind
 * of
 *   layer, for chunks of any length, also shorter than the reach of convolutions; and not a bit depends on threads, or
 *   on what ran before. */
#include "nets.h"

#include "nn/chunks.h"

enum { F = 8, WIDE = 36, C = 2, LONGEST = 150 };

typedef struct sample {
    const char *line;
    size_t bins;
} sample;

static const sample samples[] = {
    {"conv 3x3 4, pool 2, conv 5x3 6 norm, conv 3x2 3 causal linear, dense 3",                        F   },
    {"conv 3x8 9, pool 2, conv 3x3 17 causal norm, conv 3x3 5, dense 2",                              F   },
    {"conv 3x3 6, pool 2, conv 3x3 8, pool 2, gru 6, dense 3",                                        F   },
    {"conv 3x3 6, pool 2, conv 3x3 8, pool 2, lstm 6, dense 8 sigmoid, dense 3",                      F   },
    {"conv 4x3 4 as c, conv 1x3 4 stride 2, lstm 5, join c, dense 2",                                 F   },
    {"conv 3x5 5 stride 2 norm, dense 9 relu as d, dropout 0.2, gru 7, join d, dropout 0.4, dense 2", F   },
 /* convolutions behind a state: spans overlap there */
    {"lstm 5, conv 3x1 4, gru 4, conv 5x1 4 causal, dense 2",                                         F   },
    {"norm, bias as b, gather -1 0 1, gru 5, join b, conv 9x1 4, lstm 4, dense 1",                    F   },
    {"conv 3x1 4 as wide, conv 9x1 3 as w, conv 5x1 3 causal, join wide, gru 4, join w, dense 2",     F   },
    {"conv 3x3 4 dilate 2, conv 3x1 4 dilate 5 causal, gru 4, conv 5x1 3 dilate 4, dense 2",          F   },
    {"conv 3x3 4, gather -1 0 1, conv 1x1 3 norm, conv 5x1 3, bias, conv 1x1 1 linear, crop 1 2",     F   },
    {"image 4x4 3 4, pool 2x2, lstm 4, dense 2",                                                      F   },
    {"rnn 5 relu, shift 3, rnn 4, dense 2",                                                           F   },
    {"conv 3x1 4, lstmp 5, attend 2 3, lstmp 3, dense 2",                                             F   },
    {"attend 3 4 as a, attend 1 17, gru 4, shift 5, join a, dense 2",                                 F   },
    {"gru 3",                                                                                         F   },
    {"conv 1x3 4, dense 3",                                                                           F   },
 /* one channel */
    {"conv 1x1 1 linear, conv 3x4 5, pool 2, conv 3x4 16 causal, lstm 4, dense 2",                    F   },
 /* tiles of five frames */
    {"conv 1x1 8 linear, conv 3x4 16 linear, conv 3x4 16 causal linear, dense 9, norm",               WIDE},
    {"conv 1x1 8 linear, conv 3x4 16, pool 2, dense 9, norm",                                         WIDE},
};

enum { SAMPLES = sizeof samples / sizeof *samples };

static const size_t lengths[] = {LONGEST, 1, 2, 7, 64, 149, 33};
static const size_t chunks[] = {1, 2, 5, 8, 13, 32, 75, 149, 150, 1000};

enum { LENGTHS = sizeof lengths / sizeof *lengths, CHUNKS = sizeof chunks / sizeof *chunks };

static lc_pool *pools[3]; /* of 1 and 2 threads */

static lc_chunked *chunked_of(const lc_net *net, size_t frames, size_t chunk, unsigned threads)
{
    lc_chunked *run;
    loco_err err;
    if (lc_chunked_new(&run, net, frames, chunk, pools[threads], &err) != LOCO_OK) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return run;
}

/* ---- refusals ---- */

static void wrong_sizes_are_refused(void)
{
    lc_net net;
    lc_chunked *run = NULL;
    loco_err err = {""};
    net_of(&net, samples[0].line, F, C);
    CHECK_STATUS(lc_chunked_new(&run, &net, 0, 4, pools[1], &err), LOCO_EARG);
    CHECK_SAYS(err.text, "at least 1");
    CHECK_STATUS(lc_chunked_new(&run, &net, 4, 0, pools[1], &err), LOCO_EARG);
    CHECK_STATUS(lc_chunked_new(&run, &net, LC_CHUNKED_MOST + (size_t)1, 100, pools[1], &err), LOCO_EARG);
    CHECK_SAYS(err.text, "a clip of 268435457 frames; at most 268435456 are possible");
    CHECK_STATUS(lc_chunked_check(&net, LC_CHUNKED_MOST, &err), LOCO_OK);
    CHECK(run == NULL);
    lc_chunked_free(NULL);
}

static void both_directions_are_refused(void)
{
    lc_net net;
    lc_chunked *run = NULL;
    loco_err err = {""};
    net_of(&net, "conv 3x3 4, gru 6 both, dense 2", F, C);
    CHECK_STATUS(lc_chunked_new(&run, &net, 1000, 100, pools[1], &err), LOCO_EARG);
    CHECK_SAYS(err.text, "column 13: gru 6 both reads a clip from its end");
    CHECK_SAYS(err.text, "these have 1000: use shorter clips");
    CHECK(run == NULL);
}

/* ---- against the whole ---- */

/* What a clip gives, whole or in chunks. */
typedef struct result {
    float *logits, *lanes, *grads, *d_params;
} result;

static result result_new(const lc_net *net)
{
    return (result){
        .logits = case_array(LONGEST * net->classes, sizeof(float)),
        .lanes = case_array(LC_CHUNK_LANES * net->grads, sizeof(float)),
        .grads = case_array(net->grads, sizeof(float)),
        .d_params = case_array(net->params, sizeof(float)),
    };
}

static void result_free(result *r)
{
    free(r->logits);
    free(r->lanes);
    free(r->grads);
    free(r->d_params);
}

/* Sparse, so that what reaches across chunks is not lost in what is at home. */
static float *d_logits_of(const lc_net *net, size_t T, uint64_t seed)
{
    lc_rng rng = lc_rng_seed(seed);
    float *d = case_array(T * net->classes, sizeof *d);
    for (size_t i = 0; i < T * net->classes; i++)
        d[i] = lc_rng_uniform(&rng) < 0.2 ? (float)lc_rng_normal(&rng) : 0;
    return d;
}

static void run_whole(net_case *c, size_t T, const float *d_logits, uint64_t seed, result *r)
{
    size_t size = c->net.in_F * c->net.in_C, K = c->net.classes;
    lc_map in = lc_tape_input(&c->tape, &c->net, T);
    for (size_t t = 0; t < T; t++)
        memcpy(in.data + t * in.row, c->frames + t * size, size * sizeof(float));
    lc_net_forward_layers(&c->net, &c->tape, c->packed, 0, c->net.layers_len, &seed);
    lc_map out = c->tape.maps[c->net.layers_len], d = lc_tape_d_output(&c->tape, &c->net);
    for (size_t t = 0; t < T; t++) {
        memcpy(r->logits + t * K, out.data + t * out.row, K * sizeof(float));
        memcpy(d.data + t * d.row, d_logits + t * K, K * sizeof(float));
    }
    memset(r->grads, 0, c->net.grads * sizeof(float));
    memset(r->d_params, 0, c->net.params * sizeof(float));
    lc_net_backward(&c->net, &c->tape, c->packed, r->grads);
    lc_net_unpack(&c->net, r->grads, r->d_params);
}

static void run_cut(const net_case *c, lc_chunked *run, size_t T, const float *d_logits, uint64_t seed, result *r)
{
    memset(r->lanes, 0, LC_CHUNK_LANES * c->net.grads * sizeof(float));
    memset(r->d_params, 0, c->net.params * sizeof(float));
    lc_chunked_forward(run, c->packed, c->frames, T, &seed, r->logits);
    lc_chunked_backward(run, d_logits, r->lanes);
    memset(r->grads, 0, c->net.grads * sizeof(float));
    for (size_t i = 0; i < LC_CHUNK_LANES * c->net.grads; i++)
        r->grads[i % c->net.grads] += r->lanes[i];
    lc_net_unpack(&c->net, r->grads, r->d_params);
}

/* Each tensor by its own largest value: small ones must not hide behind large ones. */
static double worst_tensor(const lc_net *net, const float *a, const float *b)
{
    double worst = 0;
    for (size_t l = 0; l < net->layers_len; l++) {
        lc_tensor tensors[LC_TENSORS_MAX];
        size_t n = net->layers[l].ops->tensors(&net->layers[l], tensors), at = net->layers[l].params.at;
        for (size_t i = 0; i < n; i++) {
            size_t len = 1;
            double largest = 1e-3; /* some are all zeros: T of 1 has no recurrent weights */
            for (size_t j = 0; j < tensors[i].rank; j++)
                len *= tensors[i].shape[j];
            for (size_t j = at; j < at + len; j++)
                largest = fmax(largest, fabs((double)b[j]));
            for (size_t j = at; j < at + len; j++)
                worst_note(&worst, (double)a[j], (double)b[j], largest);
            at += len;
        }
    }
    return worst;
}

static void check_sample(const sample *s, double *worst_z, double *worst_g)
{
    net_case *c = net_case_new(s->line, s->bins, C, LONGEST, 3);
    result whole = result_new(&c->net), cut = result_new(&c->net);
    lc_net_pack(&c->net, c->params, c->packed);
    for (size_t k = 0; k < CHUNKS; k += CASE_SLOW ? 3 : 1) {
        lc_chunked *run = chunked_of(&c->net, LONGEST, chunks[k], 1 + k % 2);
        for (size_t i = 0; i < LENGTHS; i++) {
            float *d = d_logits_of(&c->net, lengths[i], i);
            run_whole(c, lengths[i], d, 7, &whole);
            run_cut(c, run, lengths[i], d, 7, &cut);
            for (size_t j = 0; j < lengths[i] * c->net.classes; j++)
                worst_note(worst_z, (double)cut.logits[j], (double)whole.logits[j], 1);
            double worst = worst_tensor(&c->net, cut.d_params, whole.d_params);
            *worst_g = fmax(*worst_g, worst);
            if (!(worst < 1e-4))
                printf("    %s: %zu frames in chunks of %zu: %.1e\n", s->line, lengths[i], chunks[k], worst);
            free(d);
        }
        lc_chunked_free(run);
    }
    result_free(&whole);
    result_free(&cut);
    net_case_free(c);
}

static void gradients_are_those_of_the_whole(void)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        double z = 0, g = 0;
        check_sample(&samples[i], &z, &g);
        printf("    logits %.1e, gradients %.1e: %s\n", z, g, samples[i].line);
        CHECK_WORST(z, 1e-5);
        CHECK_WORST(g, 1e-4);
    }
}

/* ---- the same bits ---- */

/* Threads, and what the tapes held before, change nothing. */
static void threads_and_history_change_nothing(void)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        net_case *c = net_case_new(samples[i].line, samples[i].bins, C, LONGEST, 4);
        result a = result_new(&c->net), b = result_new(&c->net);
        lc_net_pack(&c->net, c->params, c->packed);
        lc_chunked *one = chunked_of(&c->net, LONGEST, 6, 1), *two = chunked_of(&c->net, LONGEST, 6, 2);
        for (size_t n = 0; n < LENGTHS; n++) {
            size_t T = lengths[n];
            float *d = d_logits_of(&c->net, LONGEST, n);
            run_cut(c, two, LONGEST - T + 1, d, 1, &b); /* leaves other numbers behind */
            run_cut(c, one, T, d, 2, &a);
            run_cut(c, two, T, d, 2, &b);
            CHECK(case_same(a.logits, b.logits, T * c->net.classes * sizeof(float)));
            CHECK(case_same(a.lanes, b.lanes, LC_CHUNK_LANES * c->net.grads * sizeof(float)));
            free(d);
        }
        lc_chunked_free(one);
        lc_chunked_free(two);
        result_free(&a);
        result_free(&b);
        net_case_free(c);
    }
}

/* Without a seed nothing is dropped, and a second backward pass from other gradients is not mixed with the first. */
static void no_seed_drops_nothing(void)
{
    net_case *c = net_case_new("dropout 0.5, conv 3x3 4, dropout 0.9, gru 3, dense 2", F, C, 40, 5),
             *plain = net_case_new("conv 3x3 4, gru 3, dense 2", F, C, 40, 5);
    float *a = case_array(80, sizeof *a), *b = case_array(80, sizeof *b);
    lc_chunked *dropped = chunked_of(&c->net, 40, 9, 2), *whole = chunked_of(&plain->net, 40, 9, 2);
    uint64_t seed = 1;
    lc_net_pack(&c->net, plain->params, c->packed);
    lc_net_pack(&plain->net, plain->params, plain->packed);
    lc_chunked_forward(whole, plain->packed, c->frames, 40, &seed, b);
    lc_chunked_forward(dropped, c->packed, c->frames, 40, NULL, a);
    CHECK(case_same(a, b, 80 * sizeof *a));
    lc_chunked_forward(dropped, c->packed, c->frames, 40, &seed, a);
    CHECK(!case_same(a, b, 80 * sizeof *a));
    lc_chunked_free(dropped);
    lc_chunked_free(whole);
    free(a);
    free(b);
    net_case_free(c);
    net_case_free(plain);
}

/* ---- limits ---- */

static size_t tape_bytes(const lc_net *net, size_t frames)
{
    lc_tape tape;
    lc_arena arena = {0};
    lc_tape_layout_parts(&tape, net, frames, &arena);
    return arena.used;
}

static void limits_are_kept(void)
{
    static const char *const more[] = {"dense 4", "conv 9x1 500, conv 9x1 500, dense 1", "dense 65536, dense 2",
                                       "gru 24 both, dense 1"};
    for (size_t i = 0; i < 4; i++) {
        lc_net net;
        net_of(&net, more[i], F, C);
        size_t whole = lc_chunked_whole(&net), chunk = lc_chunked_chunk(&net),
               limit = (size_t)(i < 3 ? 256 : 2048) << 20;
        CHECK(tape_bytes(&net, whole) <= limit && tape_bytes(&net, whole + 1) > limit);
        CHECK(chunk >= 16 && chunk <= 1024);
        CHECK(tape_bytes(&net, chunk) <= (size_t)8 << 20 || chunk == 16);
    }
}

int main(void)
{
    loco_err err;
    for (unsigned threads = 1; threads <= 2; threads++)
        if (lc_pool_new(&pools[threads], threads, &err) != LOCO_OK)
            return 1;
    RUN(wrong_sizes_are_refused);
    RUN(both_directions_are_refused);
    RUN(gradients_are_those_of_the_whole);
    RUN(threads_and_history_change_nothing);
    RUN(no_seed_drops_nothing);
    RUN(limits_are_kept);
    lc_pool_free(pools[1]);
    lc_pool_free(pools[2]);
    return check_done();
}
