/* SPDX-License-Identifier: MIT
 * listener.h - the public listener, for the rest of detect/: at another speed, with the scale of a recording, and
 * reading an input to its end. */
#ifndef LC_DETECT_LISTENER_H
#define LC_DETECT_LISTENER_H

#include "detect/infer.h"
#include "detect/input.h"
#include "model/model.h"

typedef struct lc_listening {
    double rate;           /* of the samples, in Hz */
    size_t channels;       /* of the samples; of sound they are mixed */
    double speed;          /* the network reads the recording this many times as long; 1 as it is */
    const lc_scale *scale; /* of the recording; NULL: the model's own */
    const char *decoding;
    loco_event_take *take;
    void (*frame)(void *context, uint64_t frame, const float *probabilities);
    void *context;
} lc_listening;

LOCO_MUST_USE loco_status lc_listener_make(loco_listener **listener, const loco_model *model, const lc_listening *how,
                                           loco_err *err);

/* Samples at the model's rate, before their events. Returns how many seconds of sound an event can come behind its own. */
double lc_listener_tap(loco_listener *listener, lc_samples_take *take, void *context);

/* Reads an input to its end, and flushes. */
LOCO_MUST_USE loco_status lc_listener_read(loco_listener *listener, lc_reader *reader, loco_err *err);

#endif
