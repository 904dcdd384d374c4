/* SPDX-License-Identifier: MIT
 * test_stream.c - one frame at a time, and in blocks, against the whole clip: the same numbers to 1e-5, each
 * `look_ahead` frames after
 *   its own frame went in, for any length, on every instruction set that runs here. */
#include "nets.h"

#include "nn/stream.h"

enum { F = 7, WIDE = 36, C = 2, LONGEST = 40 };

typedef struct sample {
    const char *line;
    size_t look_ahead;
    size_t bins; /* WIDE: tiles of five frames */
} sample;

static const sample samples[] = {
    {"dense 3",                                                                                    0,  F   },
    {"dense 9 relu, dense 5 sigmoid, dense 3 tanh",                                                0,  F   },
    {"norm, bias, dropout 0.5, gather -1 0 2, dense 4",                                            0,  F   },
    {"conv 3x3 4 dilate 3, conv 5x1 3 dilate 2 norm, conv 2x1 3 dilate 9 causal, dense 3",         7,  F   },
    {"conv 3x3 4, dense 4, fold 1 0 -1 1",                                                         1,  F   },
    {"conv 3x3 4, bias, crop 2 3 as c, conv 3x1 2, crop 1 2, join c",                              2,  F   },
    {"conv 3x3 4 causal, pool 2, conv 5x3 6 causal norm, dense 3",                                 0,  F   },
    {"conv 3x3 4, pool 2, dense 3",                                                                1,  F   },
    {"conv 4x3 4, conv 6x2 3 linear, dense 3",                                                     5,  F   },
    {"conv 1x3 4, conv 2x1 3",                                                                     1,  F   },
    {"conv 3x8 8, conv 3x3 16 norm, pool 2, conv 3x2 5 causal linear, dense 3",                    2,  F   },
    {"conv 1x1 1 linear, conv 3x4 9 causal, pool 3, conv 3x2 5, dense 3",                          1,  F   },
    {"lstm 5, dense 2",                                                                            0,  F   },
    {"gru 5, dense 2",                                                                             0,  F   },
    {"rnn 5, rnn 7 relu, dense 2",                                                                 0,  F   },
    {"lstmp 5, lstmp 17, dense 2",                                                                 0,  F   },
    {"gru 5, shift 3, dense 2",                                                                    3,  F   },
    {"attend 2 5, dense 2",                                                                        2,  F   },
    {"dense 6 tanh as a, attend 19 3 as b, shift 1, join a, rnn 5, shift 17, join b, dense 2",     37, F   },
    {"conv 3x3 4 norm, lstm 17, gru 7, dense 2",                                                   1,  F   },
    {"conv 3x3 4 local, conv 3x3 9 local, dense 2",                                                2,  F   },
    {"conv 3x3 4 causal as c, lstm 5, join c, dense 2",                                            0,  F   },
    {"dense 6 tanh as a, conv 3x1 4, gru 4, join a, dense 2",                                      1,  F   },
    {"conv 3x3 4 as a, conv 5x3 4 as b, conv 7x3 2, join a, join b, dense 5, conv 3x1 2",          7,  F   },
    {"bias as x, dropout 0.3, conv 9x2 3, join x as y, conv 3x1 4, join x, join y, norm, dense 2", 5,  F   },
    {"dense 50, image 5x5 2 9, pool 2x2, dropout 0.5, image 3, conv 3x1 4, dense 2",               1,  F   },
    {"dense 4 as a, join a, join a, dense 2",                                                      0,  F   },
    {"conv 1x1 8, conv 3x4 16 causal, pool 2, conv 3x4 16 causal norm, dense 3",                   0,  WIDE},
    {"conv 3x4 8, conv 3x4 16, conv 3x4 16, pool 2, dense 9, norm",                                3,  WIDE},
};

enum { SAMPLES = sizeof samples / sizeof *samples };

typedef struct collected {
    float *outputs;
    size_t frames, classes;
} collected;

static void take(void *context, const float *output)
{
    collected *h = context;
    if (h->frames < LONGEST)
        memcpy(h->outputs + h->frames * h->classes, output, h->classes * sizeof *output);
    h->frames++;
}

/* A stream over memory of its own that holds NaNs. */
static void stream_open(lc_stream *stream, lc_block *block, const lc_net *net)
{
    lc_arena arena = {0};
    lc_stream_layout(stream, net, &arena);
    if (!lc_block_reserve(block, arena.used))
        exit(1);
    memset(block->data, 0xff, block->size);
    arena = lc_arena_over(block);
    lc_stream_layout(stream, net, &arena);
}

/* Runs the clip through the stream, so many frames at a time; the number of frames that have come out is checked. */
static void stream_clip(lc_stream *stream, const net_case *c, size_t block, collected *h)
{
    size_t size = c->net.in_F * c->net.in_C;
    h->frames = 0;
    lc_stream_start(stream, c->packed);
    for (size_t t = 0; t < c->T; t += block) {
        size_t n = c->T - t < block ? c->T - t : block;
        lc_stream_push(stream, c->frames + t * size, n, take, h);
        CHECK_EQ(h->frames, t + n > c->net.look_ahead ? t + n - c->net.look_ahead : 0);
    }
    lc_stream_end(stream, take, h);
    CHECK_EQ(h->frames, c->T);
}

static double distance(const collected *h, lc_map out)
{
    double worst = 0;
    for (size_t t = 0; t < out.T; t++)
        for (size_t k = 0; k < h->classes; k++)
            worst_note(&worst, (double)h->outputs[t * h->classes + k], (double)out.data[t * out.row + k], 1);
    return worst;
}

static const size_t blocks[] = {1, 2, 5, LC_STREAM_BLOCK, LC_STREAM_BLOCK + 3, LONGEST};

static void check_length(const sample *s, size_t T, uint64_t seed, double *worst)
{
    net_case *c = net_case_new(s->line, s->bins, C, T, seed);
    size_t K = c->net.classes;
    collected first = {case_array(LONGEST * K, sizeof(float)), 0, K}, second = first;
    second.outputs = case_array(LONGEST * K, sizeof(float));
    lc_stream stream;
    lc_block block = {0};
    CHECK(c->net.streams);
    CHECK_EQ(c->net.look_ahead, s->look_ahead);
    lc_map out = net_case_run(c, NULL);
    stream_open(&stream, &block, &c->net);
    stream_clip(&stream, c, 1, &first);
    worst_note(worst, distance(&first, out), 0, 1);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) { /* the same again, bit for bit, after a restart */
        stream_clip(&stream, c, blocks[i], &second);
        CHECK(case_same(first.outputs, second.outputs, T * K * sizeof(float)));
    }
    lc_block_free(&block);
    free(first.outputs);
    free(second.outputs);
    net_case_free(c);
}

static void streams_equal_clips(void)
{
    static const size_t lengths[] = {1, 2, 3, 5, 8, 21, LONGEST};
    for (size_t i = 0; i < SAMPLES; i++) {
        double worst = 0;
        for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
            check_length(&samples[i], lengths[n], 100 * i + n, &worst);
        printf("    %.1e  %s\n", worst, samples[i].line);
        CHECK_NEAR(worst, 0, 1e-5);
    }
}

/* Dropping a clip in its middle and starting again leaves nothing behind. */
static void a_restart_forgets(void)
{
    net_case *c = net_case_new("conv 5x3 4 as a, lstm 6, gru 5, join a, dense 2", F, C, 20, 3);
    collected h = {case_array(LONGEST * 2, sizeof(float)), 0, 2};
    lc_stream stream;
    lc_block block = {0};
    lc_map out = net_case_run(c, NULL);
    stream_open(&stream, &block, &c->net);
    lc_stream_start(&stream, c->packed);
    for (size_t t = 0; t < 11; t++)
        lc_stream_push(&stream, c->frames + (19 - t) * F * C, 1, take, &h);
    stream_clip(&stream, c, 7, &h);
    CHECK_NEAR(distance(&h, out), 0, 1e-5);
    lc_block_free(&block);
    free(h.outputs);
    net_case_free(c);
}

static void nothing_in_gives_nothing_out(void)
{
    net_case *c = net_case_new("conv 5x3 4, conv 3x3 2, lstm 3, dense 2", F, C, 1, 4);
    collected h = {case_array(LONGEST * 2, sizeof(float)), 0, 2};
    lc_stream stream;
    lc_block block = {0};
    stream_open(&stream, &block, &c->net);
    lc_net_pack(&c->net, c->params, c->packed);
    lc_stream_start(&stream, c->packed);
    lc_stream_end(&stream, take, &h);
    CHECK_EQ(h.frames, 0);
    lc_block_free(&block);
    free(h.outputs);
    net_case_free(c);
}

static void both_directions_do_not_stream(void)
{
    lc_net net;
    net_of(&net, "conv 3x3 4, lstm 5 both, dense 2", F, C);
    CHECK(!net.streams);
    net_of(&net, "gru 5 both", F, C);
    CHECK(!net.streams);
    net_of(&net, "gru 5", F, C);
    CHECK(net.streams);
}

int main(void)
{
    RUN(both_directions_do_not_stream);
    for (lc_isa isa = LC_ISA_REF; isa < LC_ISA_COUNT; isa++) {
        if (!lc_isa_runs(isa) || setenv("LOCO_KERNELS", lc_isa_name(isa), 1) != 0)
            continue;
        printf("%s\n", lc_isa_name(isa));
        RUN(streams_equal_clips);
        RUN(a_restart_forgets);
        RUN(nothing_in_gives_nothing_out);
    }
    return check_done();
}
