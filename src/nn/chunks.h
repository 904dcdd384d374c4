/* SPDX-License-Identifier: MIT
 * chunks.h - a clip of any length through a network and back, in the memory of a few chunks: only the logits of all
 * frames and their gradient are kept whole, in memory of the caller. The gradient of the weights is that of the whole
 * clip, not of a truncated one; chunks.c says how.
 *
 *     lc_chunked_forward(run, packed, frames, T, &seed, logits);     all frames, chunk by chunk
 *     ... loss and d_logits of all frames at once ...
 *     lc_chunked_backward(run, d_logits, lanes);                     chunk by chunk again, from the last to the first
 */
#ifndef LC_NN_CHUNKS_H
#define LC_NN_CHUNKS_H

#include "base/pool.h"
#include "nn/net.h"

/* Chunks that are worked on at a time, whatever the number of threads: each adds to a gradient of its own. */
enum { LC_CHUNK_LANES = 8 };

/* Frames of a clip: 15 days at 200 a second, and 2 GiB of logits and their gradient for each class. */
enum { LC_CHUNKED_MOST = 1 << 28 };

typedef struct lc_chunked lc_chunked;

/* Frames of the longest clip that is run whole: its tape fits into 256 MiB, or, where a network cannot run in chunks,
 * into 2 GiB. Chunks are of up to 1024 frames, so that all of their tapes fit into 128 MiB. Both depend on the network
 * alone, not on the machine. */
size_t lc_chunked_whole(const lc_net *net);
size_t lc_chunked_chunk(const lc_net *net);

/* Refuses more than LC_CHUNKED_MOST frames, and a network that reads a clip from its end (lstm or gru `both`): the
 * state that a chunk begins with would come from both of its neighbours. */
LOCO_MUST_USE loco_status lc_chunked_check(const lc_net *net, size_t frames, loco_err *err);

/* For clips of up to `frames` frames, in chunks of `chunk`. net and pool must outlive it. */
LOCO_MUST_USE loco_status lc_chunked_new(lc_chunked **run, const lc_net *net, size_t frames, size_t chunk,
                                         lc_pool *pool, loco_err *err);
void lc_chunked_free(lc_chunked *run);

/* Logits (T, places * classes) of frames (T, F*C). seed: of dropout, NULL unless training; a clip that is run whole with the
 * same one drops the same values. Everything passed must stay until lc_chunked_backward, if that follows. */
void lc_chunked_forward(lc_chunked *run, const float *packed, const float *frames, size_t T, const uint64_t *seed,
                        float *logits);

/* The backward pass of the last lc_chunked_forward: adds the gradient of the packed weights to lanes (LC_CHUNK_LANES,
 * net->grads), whose sum it is. */
void lc_chunked_backward(lc_chunked *run, const float *d_logits, float *lanes);

#endif
