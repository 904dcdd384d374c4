/* SPDX-License-Identifier: MIT
 * infer.h - the one way from any input to logits: sample rate, front end, network.
 *
 *     lc_logits logits = {0};
 *     status = lc_infer_logits(&logits, model, &(lc_input){.path = "take.wav"}, err);
 *     ... logits.data[t * logits.K + k] ...
 *     free(logits.data);
 */
#ifndef LC_DETECT_INFER_H
#define LC_DETECT_INFER_H

#include "data/sounds.h"
#include "detect/input.h"
#include "image/image.h"
#include "model/model.h"

/* Receives the logits (K) of each frame, in order. */
typedef void lc_logits_take(void *context, const float *logits);

/* Frames that a network with layers in both directions reads together: its first logits are ready when all are
 * there. */
enum { LC_INFER_WINDOW = 3072 };

/* ---- block by block, or many recordings ---- */

typedef struct lc_infer lc_infer;

/* For samples at `rate` Hz, of as many channels as the front end reads. speed: the network reads the recording this
 * many times as long, and lower; 1 as it is. All memory is allocated here. model must outlive it. */
LOCO_MUST_USE loco_status lc_infer_new(lc_infer **infer, const loco_model *model, double rate, double speed,
                                       loco_err *err);
void lc_infer_free(lc_infer *infer);

/* The next frames of samples; then the end, after which a new recording may begin. */
LOCO_MUST_USE loco_status lc_infer_push(lc_infer *infer, const float *samples, size_t frames, lc_logits_take *take,
                                        void *context, loco_err *err);
LOCO_MUST_USE loco_status lc_infer_end(lc_infer *infer, lc_logits_take *take, void *context, loco_err *err);

/* Starts a new recording; frames that are not complete are dropped. The scale stays. */
void lc_infer_reset(lc_infer *infer);

/* Samples at the model's rate, also for somebody else, before the network gets them. Returns how many come at a time, at
 * most. */
typedef void lc_samples_take(void *context, const float *samples, size_t n);
size_t lc_infer_tap(lc_infer *infer, lc_samples_take *take, void *context);

/* The scale of what is pushed from now on; NULL: the model's own. Front ends without scale=record ignore it. */
void lc_infer_rescale(lc_infer *infer, const lc_scale *scale);

/* Logits that grow: lc_logits_append is a lc_logits_take. */
typedef struct lc_logits {
    size_t K, T, capacity; /* capacity in frames */
    float *data;           /* (T, K) */
    size_t columns;        /* of an image: places of a row; 0: those of the model */
    bool failed;           /* out of memory */
} lc_logits;

/* Logits of windows in the order of the curve become those of rows of an image. */
LOCO_MUST_USE loco_status lc_infer_windows(lc_logits *logits, const loco_model *model, const char *path, loco_err *err);

/* An image of any size: all of its logits, (rows, columns, K), row after row. shift: pixels that are left out at its left
 * and upper edge, for versions that vote; below 0, those of the edge are repeated there. views: how many are averaged; 1 but
 * for counts. */
typedef struct lc_shift {
    ptrdiff_t x, y;
} lc_shift;

LOCO_MUST_USE loco_status lc_infer_image(lc_logits *logits, const loco_model *model, const lc_image *image,
                                         lc_shift shift, size_t views, loco_err *err);

/* ---- whole recordings ---- */

/* Measures the scale of a recording: *wanted is false, and nothing is read, where the front end needs none, and of
 * standard input, which cannot be read twice. */
LOCO_MUST_USE loco_status lc_infer_measure(lc_scale *scale, bool *wanted, const loco_model *model,
                                           const lc_input *input, loco_err *err);

/* All logits of an input, frame by frame, in bounded memory. */
LOCO_MUST_USE loco_status lc_infer_run(const loco_model *model, const lc_input *input, lc_logits_take *take,
                                       void *context, loco_err *err);

/* As a lc_logits_take. */
void lc_logits_append(void *logits, const float *frame);

/* All logits of an input, in memory; the caller frees logits->data. An image must be a file. */
LOCO_MUST_USE loco_status lc_infer_logits(lc_logits *logits, const loco_model *model, const lc_input *input,
                                          loco_err *err);

/* The same to count by: of an image the mean of its views (image/front_image.c). */
LOCO_MUST_USE loco_status lc_infer_counted(lc_logits *logits, const loco_model *model, const lc_input *input,
                                           loco_err *err);

/* All logits of a recording of a data set: at most `seconds` of it, through an infer at the model's own rate; an image as
 * a whole, of any width. The caller frees logits->data. */
LOCO_MUST_USE loco_status lc_infer_recording(lc_logits *logits, lc_infer *infer, const lc_sounds *sounds,
                                             size_t recording, double seconds, loco_err *err);

/* ---- for pictures ---- */

/* The frames that the network reads of n frames of samples at the model's rate: (*T, bins * channels) floats that the
 * caller frees. scale: NULL for the model's own. */
LOCO_MUST_USE loco_status lc_infer_frames(float **frames, size_t *T, const loco_model *model, const lc_scale *scale,
                                          const float *samples, size_t n, loco_err *err);

#endif
