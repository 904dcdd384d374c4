/* SPDX-License-Identifier: MIT
 * detect.h - what detection and everything that decodes logits share: the model's decoder, latency, frames of a
 * clip. */
#ifndef LC_DETECT_DETECT_H
#define LC_DETECT_DETECT_H

#include "detect/decoder.h"
#include "model/model.h"

/* The model's decoder; settings: NULL, a whole line, or single ones such as "threshold=0.4", which then holds for every
 * class. */
LOCO_MUST_USE loco_status lc_detect_decoder(lc_decoder **decoder, const loco_model *model, const char *settings,
                                            loco_err *err);

/* Latency in seconds at the model's own sample rate, with a decoder of the model. Events that come early by their
 * offset make it negative. */
double lc_detect_latency(const loco_model *model, const lc_decoder *decoder);

/* Frames to frames of the network's output: seconds. */
double lc_detect_hop(const loco_model *model);

/* The frames of a clip from start to end seconds, of T in all, moved by the offset of the class. A clip that starts at
 * 0 has all frames before, one without end all that follow. */
typedef struct lc_frames {
    size_t first, end;
} lc_frames;

lc_frames lc_detect_frames(const loco_model *model, size_t kind, double start, double end, size_t T);

#endif
