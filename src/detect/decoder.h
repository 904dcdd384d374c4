/* SPDX-License-Identifier: MIT
 * decoder.h - probabilities into events, one frame at a time.
 *
 * Seconds become frames by rounding: W = window / hop, G = gap / hop, R = reset / hop. p_t is the probability of frame
 * t, 0 before the first and behind the last frame and where the logit is a NaN. Each class is on its own.
 *
 *   mass   v_t = sum of p within t-W..t+W,  reach = W,  G at least 2W: windows of two events do not overlap, which
 *          would give doubles
 *   peak   v_t = p_t,  reach = 1,  G at least 1
 *          An event is at t if v_t >= threshold, v_t > v_s for the G frames s before t, and v_t >= v_s for the G frames
 *          behind it: the largest of its neighbourhood, of equals the first. It is placed at the centroid of p within
 *          t-reach..t+reach, with probability min(1, v_t).
 *   count  x = 0; each frame adds p_t to x, spread evenly over t-1/2..t+1/2; where x reaches 1/2 is an event with
 *          probability p_t, and x falls by 1. After R frames (at least 1) that are all below quiet, x = 0: the running
 *          expected count becomes the nearest whole number.
 *
 * The time of an event is its place times hop, minus the offset of its class, and at least 0. An event is reported
 * with the first frame that makes it certain; events of one frame in the order of classes. Each definition looks a
 * fixed number of frames ahead, so latency is bounded, and the events are the same whether frames arrive one by one
 * or all together. */
#ifndef LC_DETECT_DECODER_H
#define LC_DETECT_DECODER_H

#include "base/mem.h"
#include "events/event_array.h"
#include "model/decoding.h"

#include <stdint.h>

typedef struct lc_decoder {
    lc_decode_method method;
    size_t classes;  /* K */
    size_t places;   /* of a row of an image, which lc_decoder_run alone decodes; else 0 */
    lc_decoding how; /* of an image, too */
    double hop;
    double threshold, quiet;
    size_t half, reach; /* frames on each side that v and the centroid take in */
    size_t gap;         /* G */
    uint64_t reset;     /* R */
    size_t ring;        /* rows of p and v: gap + half + reach + 1 */
    uint64_t frames;    /* pushed so far */
    double *thresholds; /* (K) */
    double *offsets;    /* (K) */
    double *offsets_x;  /* (K), of an image */
    double *p, *v;      /* (ring, K), frame t in row t % ring */
    uint64_t *pending;  /* (K): 1 + the frame that may still become an event, or 0 */
    double *count;      /* (K): x above */
    uint64_t *calm;     /* (K): quiet frames in a row, up to now */
} lc_decoder;

/* thresholds: one for each class in place of the common one (count has none, and ignores them), or NULL. offsets:
 * seconds to subtract, -60 to 60, or NULL. Both are copied. hop: seconds from frame to frame, 1e-6 to 1e6. */
LOCO_MUST_USE loco_status lc_decoder_new(lc_decoder **decoder, const lc_decoding *decoding, size_t classes, double hop,
                                         const double *thresholds, const double *offsets, loco_err *err);
void lc_decoder_free(lc_decoder *decoder);

/* Decodes images from now on: rows of so many places, `hop` pixels apart. offsets_x: pixels to subtract, copied, or NULL;
 * the others are then pixels, too, of y. */
void lc_decoder_widen(lc_decoder *decoder, size_t places, const double *offsets_x);

/* Logits (K) of the next frame. */
void lc_decoder_push(lc_decoder *decoder, const float *logits, lc_event_take *take, void *context);

/* The end of the input: reports the events that are left, and resets. */
void lc_decoder_end(lc_decoder *decoder, lc_event_take *take, void *context);

/* Back to the state before the first frame; pending events are dropped. */
void lc_decoder_reset(lc_decoder *decoder);

/* A whole recording: resets, adds the events of (T, K) logits to the list, and sorts these by time. On failure the list
 * is unchanged. */
LOCO_MUST_USE loco_status lc_decoder_run(lc_decoder *decoder, const float *logits, size_t T, lc_event_array *list,
                                         loco_err *err);

/* The same of an image whose rows have so many places; 0: as many as the model's. */
LOCO_MUST_USE loco_status lc_decoder_run_wide(lc_decoder *decoder, const float *logits, size_t T, size_t columns,
                                              lc_event_array *list, loco_err *err);

/* Events of an image, from number `from` on, are found too low and too far to the right by the offsets of their class:
 * subtracts these, and sorts. lc_decoder_run has done so. */
void lc_decoder_shift(const lc_decoder *decoder, lc_event_array *list, size_t from);

/* Frames behind the one with the largest v (count: the one where x reaches 1/2) that must be known: G + W, G or 0. */
size_t lc_decoder_frames(const lc_decoder *decoder);

/* The most seconds from the time of an event, before its offset, to the time of the last frame that must be known:
 * those frames, and how far the centroid can lie before its frame: W or, for peak and count, half a frame. */
double lc_decoder_latency(const lc_decoder *decoder);

/* ---- for callers with their own memory: plan, layout to measure, layout to hand out, start ---- */

LOCO_MUST_USE loco_status lc_decoder_plan(lc_decoder *decoder, const lc_decoding *decoding, size_t classes, double hop,
                                          const double *thresholds, const double *offsets, loco_err *err);
void lc_decoder_layout(lc_decoder *decoder, lc_arena *arena);
void lc_decoder_start(lc_decoder *decoder, const double *thresholds, const double *offsets);

#endif
