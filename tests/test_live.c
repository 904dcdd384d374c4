/* SPDX-License-Identifier: MIT
 * test_live.c - frames in, events out: the same events as the whole clip through the network and then the decoder,
 *   each as early as promised. */
#include "nets.h"

#include "detect/live.h"

enum { F = 7, C = 2, LONGEST = 120 };

static const char *const lines[] = {
    "dense 3",
    "conv 3x3 4, pool 2, conv 5x3 6 norm, dense 2",
    "conv 3x3 4 causal as c, lstm 5, join c, dense 3",
    "conv 3x3 4 as a, conv 5x3 4 as b, conv 7x3 2, join a, join b, gru 5, conv 3x1 2",
};

static const char *const decodings[] = {"mass threshold=0.5", "peak threshold=0.5", "count"};

static lc_decoding decoding_of(const char *line)
{
    lc_decoding decoding;
    if (lc_decoding_parse(&decoding, line, strlen(line), NULL) != LOCO_OK)
        exit(1);
    return decoding;
}

static void wrong_arguments_are_refused(void)
{
    lc_net net;
    lc_live *live = NULL;
    lc_decoding d = lc_decoding_usual(LC_DECODE_MASS);
    loco_err err = {""};
    float params[4096] = {0};
    net_of(&net, "gru 5 both, dense 2", F, C);
    CHECK_STATUS(lc_live_new(&live, &net, params, &d, 0.01, NULL, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "cannot run along");
    net_of(&net, "gru 5, dense 2", F, C);
    CHECK_STATUS(lc_live_new(&live, &net, params, &d, 0, NULL, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "seconds from frame to frame");
    d.gap = -1;
    CHECK_STATUS(lc_live_new(&live, &net, params, &d, 0.01, NULL, NULL, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "gap=-1 is out of range");
    CHECK(live == NULL);
    lc_live_free(NULL);
}

/* Logits of a stream and of a clip differ by 1e-5 and less, which can decide between two frames of nearly equal
 * height. Weights are large, so that this does not happen here. */
static net_case *case_of(const char *line, size_t T, uint64_t seed)
{
    net_case *c = net_case_new(line, F, C, T, seed);
    for (size_t i = 0; i < c->net.params; i++)
        c->params[i] *= 1.5f;
    return c;
}

typedef struct heard {
    lc_found list;
    const lc_live *live;
    size_t now;
    double hop;
    bool ended;
} heard;

static void hear(void *context, const loco_event *event)
{
    heard *h = context;
    lc_found_add(&h->list, event);
    CHECK((double)h->now * h->hop - event->time <= lc_live_latency(h->live) + 1e-9);
    if (!h->ended)
        CHECK(h->now >= lc_live_frames(h->live)); /* frame 0 needs as many behind it */
}

static void hear_clip(lc_live *live, const net_case *c, heard *h)
{
    h->list.len = 0;
    h->live = live;
    h->ended = false;
    for (h->now = 0; h->now < c->T; h->now++)
        lc_live_push(live, c->frames + h->now * F * C, hear, h);
    h->ended = true;
    h->now = 0;
    lc_live_end(live, hear, h);
    lc_events_sort(h->list.events, h->list.len);
}

static void check_same(const lc_found *a, const lc_found *b)
{
    CHECK_EQ(a->len, b->len);
    for (size_t i = 0; i < a->len && i < b->len; i++) {
        CHECK_EQ(a->events[i].kind, b->events[i].kind);
        CHECK_NEAR(a->events[i].time, b->events[i].time, 1e-5);
        CHECK_NEAR(a->events[i].probability, b->events[i].probability, 1e-5);
    }
}

static size_t check_case(const char *line, const char *how, size_t T, uint64_t seed)
{
    const double hop = 220.0 / 22050, offsets[3] = {0, 0, 0};
    net_case *c = case_of(line, T, seed);
    lc_decoding d = decoding_of(how);
    lc_decoder *decoder;
    lc_live *live;
    size_t K = c->net.classes;
    float *logits = case_array(T * K, sizeof *logits);
    heard h = {.hop = hop};
    lc_found whole = {0};
    if (lc_decoder_new(&decoder, &d, K, hop, NULL, offsets, NULL) != LOCO_OK ||
        lc_live_new(&live, &c->net, c->params, &d, hop, NULL, offsets, NULL) != LOCO_OK)
        exit(1);
    lc_map out = net_case_run(c, NULL);
    for (size_t t = 0; t < T; t++)
        memcpy(logits + t * K, out.data + t * out.row, K * sizeof *logits);
    CHECK_STATUS(lc_decoder_run(decoder, logits, T, &whole, NULL), LOCO_OK);
    CHECK_EQ(lc_live_frames(live), c->net.look_ahead + lc_decoder_frames(decoder));
    CHECK_NEAR(lc_live_latency(live), (double)c->net.look_ahead * hop + lc_decoder_latency(decoder), 1e-15);
    hear_clip(live, c, &h);
    check_same(&h.list, &whole);
    hear_clip(live, c, &h); /* the end has begun anew */
    check_same(&h.list, &whole);
    for (size_t t = 0; t < T / 2; t++)
        lc_live_push(live, c->frames + (T - 1 - t) * F * C, lc_found_take, &h.list);
    lc_live_reset(live); /* and so has a reset in the middle */
    hear_clip(live, c, &h);
    check_same(&h.list, &whole);
    size_t events = whole.len;
    lc_found_free(&whole);
    lc_found_free(&h.list);
    lc_decoder_free(decoder);
    lc_live_free(live);
    free(logits);
    net_case_free(c);
    return events;
}

static void live_equals_whole_clips(void)
{
    static const size_t lengths[] = {1, 2, 5, 17, LONGEST};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (size_t j = 0; j < 3; j++) {
            size_t events = 0;
            for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
                for (uint64_t seed = 0; seed < 4; seed++)
                    events += check_case(lines[i], decodings[j], lengths[n], 100 * i + 10 * n + seed);
            printf("    %5zu events  %s: %s\n", events, decodings[j], lines[i]);
            CHECK(events > 20);
        }
}

int main(void)
{
    RUN(wrong_arguments_are_refused);
    RUN(live_equals_whole_clips);
    return check_done();
}
