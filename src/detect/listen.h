/* SPDX-License-Identifier: MIT
 * listen.h - sound through a model's front end and network: logits, frame by frame, in bounded memory. */
#ifndef LC_DETECT_LISTEN_H
#define LC_DETECT_LISTEN_H

#include "detect/setup.h"
#include "signal/sound.h"

/* Called with the logits (K) of each frame, in order. */
typedef void lc_logits_take(void *context, const float *logits);

/* Frames that a network with layers that run both ways hears at once: the first comes out when all are in. */
enum { LC_LISTENER_WINDOW = 3072 };

typedef struct lc_listener lc_listener;

LOCO_MUST_USE loco_status lc_listener_new(lc_listener **listener, const loco_model *model, loco_err *err);
void lc_listener_free(lc_listener *listener);

/* Of a model of series with scale=record: measures the whole recording that comes next, in memory or in a file. Of all
 * others, and of standard input, which cannot be heard twice, they do nothing. */
void lc_listener_scale(lc_listener *listener, const float *samples, size_t n);
LOCO_MUST_USE loco_status lc_listener_scale_file(lc_listener *listener, const char *path, loco_err *err);

lc_frontend *lc_listener_front(lc_listener *listener); /* stays the listener's */
bool lc_listener_wants_scale(const lc_listener *listener);

/* Samples at the model's rate, as they come; then the end, after which a new sound may begin. */
void lc_listener_push(lc_listener *listener, const float *samples, size_t n, lc_logits_take *take, void *context);
void lc_listener_end(lc_listener *listener, lc_logits_take *take, void *context);

/* All of a sound that was opened at the model's rate, with lc_frontend_apart of its front end. */
LOCO_MUST_USE loco_status lc_listen(lc_listener *listener, lc_sound *sound, lc_logits_take *take, void *context,
                                    loco_err *err);

/* Logits that grow: a take for the two above. */
typedef struct lc_series {
    size_t K, T, capacity; /* capacity in frames */
    float *logits;         /* (T, K) */
    bool failed;           /* out of memory */
} lc_series;

void lc_series_take(void *series, const float *logits);

#endif
