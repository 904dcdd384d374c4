/* SPDX-License-Identifier: MIT
 * detect.h - events of a whole recording, for those who already have a listener or logits. */
#ifndef LC_DETECT_DETECT_H
#define LC_DETECT_DETECT_H

#include "detect/decoder.h"
#include "detect/listen.h"

/* The model's decoder; settings: NULL, a whole line, or single ones such as "threshold=0.4", which then holds for every
 * class. */
LOCO_MUST_USE loco_status lc_detect_decoder(lc_decoder **decoder, const loco_model *model, const char *settings,
                                            loco_err *err);

/* Frames to frames of the network's output: seconds. */
double lc_detect_hop(const loco_model *model);

/* The frames of a clip from start to end seconds, of T in all: a model that is late counts in frames that are as much
 * later. A clip from 0 on has all that is before, one without end all that follows. */
typedef struct lc_frames {
    size_t first, end;
} lc_frames;

lc_frames lc_detect_frames(const loco_model *model, size_t kind, double start, double end, size_t T);

/* What is listened to: a file, or raw samples or rows of a table on standard input. */
typedef struct lc_input {
    lc_sound *sound;
    FILE *raw; /* NULL: a file */
} lc_input;

/* Opens what path and raw mean, at a rate, with channels that stay apart or mixed; on failure there is nothing to close. */
LOCO_MUST_USE loco_status lc_input_open(lc_input *input, const char *path, const char *raw, double rate,
                                        lc_columns columns, loco_err *err);
void lc_input_close(lc_input *input);

#endif
