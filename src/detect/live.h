/* SPDX-License-Identifier: MIT
 * live.h - frames in, events out: a network that runs along, and a decoder behind it.
 *
 *     lc_live_push(live, frame, take, context);    for each frame; events come with the frame that makes them certain
 *     lc_live_end(live, take, context);            the rest
 *
 * All memory is one block, made by lc_live_new; nothing after it allocates or fails. */
#ifndef LC_DETECT_LIVE_H
#define LC_DETECT_LIVE_H

#include "detect/decoder.h"
#include "nn/net.h"

typedef struct lc_live lc_live;

/* The network must be one that streams, and is used until the end; its parameters are copied. The rest is as in
 * lc_decoder_new, for net->classes classes. */
LOCO_MUST_USE loco_status lc_live_new(lc_live **live, const lc_net *net, const float *params,
                                      const lc_decoding *decoding, double hop, const double *thresholds,
                                      const double *offsets, loco_err *err);
void lc_live_free(lc_live *live);

/* The next frame, in_F * in_C numbers. */
void lc_live_push(lc_live *live, const float *frame, lc_event_take *take, void *context);

/* Nothing follows: gives out what is left, and begins anew. */
void lc_live_end(lc_live *live, lc_event_take *take, void *context);

/* Begins anew; what is under way is lost. */
void lc_live_reset(lc_live *live);

/* Frames, and seconds, as in lc_decoder_frames and lc_decoder_latency, with the network's look-ahead added. */
size_t lc_live_frames(const lc_live *live);
double lc_live_latency(const lc_live *live);

#endif
