/* SPDX-License-Identifier: MIT
 * long.h - a clip of any length through a network and back, in the memory of a few chunks: what is kept of all frames
 * are the logits and their gradient alone, which are the caller's. The gradient of the weights is that of the whole clip,
 * not of a truncated one; long.c says how.
 *
 *     lc_long_forward(run, packed, frames, T, &seed, logits);     all frames, chunk by chunk
 *     ... loss and d_logits of all frames at once ...
 *     lc_long_backward(run, d_logits, lanes);                     chunk by chunk again, from the last to the first
 */
#ifndef LC_NN_LONG_H
#define LC_NN_LONG_H

#include "base/pool.h"
#include "nn/net.h"

/* Chunks that are worked on at a time, whatever the number of threads: each adds to a gradient of its own. */
enum { LC_LONG_LANES = 8 };

/* Frames of a clip: 15 days at 200 a second, and 2 GiB of logits and their gradient for each class. */
enum { LC_LONG_MOST = 1 << 28 };

typedef struct lc_long lc_long;

/* Frames of the longest clip that is run whole: its tape fits into 256 MiB, or, where a network cannot run in chunks, into
 * 2 GiB. Chunks are of up to 1024 frames, so that all of their tapes fit into 128 MiB. Both depend on the network alone,
 * not on the machine. */
size_t lc_long_whole(const lc_net *net);
size_t lc_long_chunk(const lc_net *net);

/* Refuses more than LC_LONG_MOST frames, and a network that reads a clip from its end (lstm or gru `both`): the state that
 * a chunk begins with would come from both of its neighbours. */
LOCO_MUST_USE loco_status lc_long_check(const lc_net *net, size_t frames, loco_err *err);

/* For clips of up to `frames` frames, in chunks of `chunk`. net and pool must outlive it. */
LOCO_MUST_USE loco_status lc_long_new(lc_long **run, const lc_net *net, size_t frames, size_t chunk, lc_pool *pool,
                                      loco_err *err);
void lc_long_free(lc_long *run);

/* Logits (T, classes) of frames (T, F*C). seed: of dropout, NULL unless training; a clip that is run whole with the same
 * one drops the same values. Everything passed must stay until lc_long_backward, if that follows. */
void lc_long_forward(lc_long *run, const float *packed, const float *frames, size_t T, const uint64_t *seed,
                     float *logits);

/* The way back of the clip that went forward last: adds the gradient of the packed weights to lanes (LC_LONG_LANES,
 * net->grads), whose sum it is. */
void lc_long_backward(lc_long *run, const float *d_logits, float *lanes);

#endif
