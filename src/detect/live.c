/* SPDX-License-Identifier: MIT
 * live.c - frames in, events out: a network that runs along, and a decoder behind it.
 *   Memory: the struct, packed weights, the stream's state and frames, the decoder's rows. */
#include "detect/live.h"

#include "base/status.h"
#include "nn/stream.h"

#include <stdlib.h>

struct lc_live {
    lc_stream stream;
    lc_decoder decoder;
    float *packed;
    lc_event_take *take; /* of the call under way */
    void *context;
};

static void layout(lc_live *live, const lc_net *net, lc_arena *arena)
{
    live->packed = lc_arena_take(arena, net->packed, sizeof *live->packed);
    lc_stream_layout(&live->stream, net, arena);
    lc_decoder_layout(&live->decoder, arena);
}

loco_status lc_live_new(lc_live **live, const lc_net *net, const float *params, const lc_decoding *decoding, double hop,
                        const double *thresholds, const double *offsets, loco_err *err)
{
    lc_live plan;
    lc_block block = {0};
    lc_arena arena = {0};
    if (!net->streams)
        return lc_err_set(err, LOCO_EARG,
                          "this network cannot run along: a layer with \"both\" reads the end before the begin");
    loco_status status = lc_decoder_plan(&plan.decoder, decoding, net->classes, hop, thresholds, offsets, err);
    if (status != LOCO_OK)
        return status;
    lc_arena_take(&arena, 1, sizeof plan);
    layout(&plan, net, &arena);
    if (!lc_block_reserve(&block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for live detection of %zu classes", net->classes);
    arena = lc_arena_over(&block);
    lc_live *result = lc_arena_take(&arena, 1, sizeof *result);
    *result = (lc_live){.decoder = plan.decoder};
    layout(result, net, &arena);
    lc_net_pack(net, params, result->packed);
    lc_stream_start(&result->stream, result->packed);
    lc_decoder_start(&result->decoder, thresholds, offsets);
    *live = result;
    return LOCO_OK;
}

void lc_live_free(lc_live *live)
{
    free(live);
}

/* A frame of logits has come out of the network. */
static void decode(void *context, const float *logits)
{
    lc_live *live = context;
    lc_decoder_push(&live->decoder, logits, live->take, live->context);
}

void lc_live_push(lc_live *live, const float *frame, lc_event_take *take, void *context)
{
    live->take = take;
    live->context = context;
    lc_stream_push(&live->stream, frame, decode, live);
}

void lc_live_end(lc_live *live, lc_event_take *take, void *context)
{
    live->take = take;
    live->context = context;
    lc_stream_end(&live->stream, decode, live);
    lc_decoder_end(&live->decoder, take, context);
    lc_stream_start(&live->stream, live->packed);
}

void lc_live_reset(lc_live *live)
{
    lc_stream_start(&live->stream, live->packed);
    lc_decoder_reset(&live->decoder);
}

size_t lc_live_frames(const lc_live *live)
{
    return live->stream.net->look_ahead + lc_decoder_frames(&live->decoder);
}

double lc_live_latency(const lc_live *live)
{
    return (double)live->stream.net->look_ahead * live->decoder.hop + lc_decoder_latency(&live->decoder);
}
