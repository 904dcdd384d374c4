/* SPDX-License-Identifier: MIT
 * decoder.c - probabilities into events, one frame at a time. Definitions are in decoder.h.
 *   Of mass and peak, each class has at most one frame pending. A frame becomes pending when v reaches the threshold
 *   and exceeds the G values before it; it falls when a later one exceeds it, and is an event when G have not. A second
 *   one within G would have to exceed the first, which then falls. So a frame costs (2W + 1) K additions and one
 *   comparison a class; the G values before it are looked at only where v has reached the threshold.
 *   v is summed again for each frame, always in the same order: a running sum would drift, and break ties at random. */
#include "detect/decoder.h"

#include "base/status.h"
#include "detect/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A million classes, the most outputs of a network; a window or a gap may have as many frames. */
enum { CLASSES_MAX = 1 << 20, FRAMES_MAX = 1 << 20, OFFSET_MAX = 60 };

/* ---- plan and memory ---- */

static double in_frames(double seconds, double hop)
{
    return round(seconds / hop);
}

/* Thresholds and offsets of all classes. Messages name the class, not the value: its text would depend on the
 * locale. */
static loco_status check_classes(size_t classes, const double *thresholds, const double *offsets, loco_err *err)
{
    for (size_t k = 0; thresholds != NULL && k < classes; k++)
        if (!(thresholds[k] >= 1e-6 && thresholds[k] <= 1))
            return lc_err_set(err, LOCO_EARG, "the threshold of class %zu must lie in 0.000001 to 1", k);
    for (size_t k = 0; offsets != NULL && k < classes; k++)
        if (!(fabs(offsets[k]) <= OFFSET_MAX))
            return lc_err_set(err, LOCO_EARG, "the time offset of class %zu must lie in -%d to %d seconds", k,
                              OFFSET_MAX, OFFSET_MAX);
    return LOCO_OK;
}

static loco_status check_shape(size_t classes, double hop, loco_err *err)
{
    if (classes < 1 || classes > CLASSES_MAX)
        return lc_err_set(err, LOCO_EARG, "a decoder for %zu classes; 1 to %d are possible", classes, CLASSES_MAX);
    if (!(hop >= 1e-6 && hop <= 1e6))
        return lc_err_set(err, LOCO_EARG, "the seconds from frame to frame must lie in 0.000001 to 1000000");
    return LOCO_OK;
}

loco_status lc_decoder_plan(lc_decoder *decoder, const lc_decoding *decoding, size_t classes, double hop,
                            const double *thresholds, const double *offsets, loco_err *err)
{
    loco_status status = lc_decoding_check(decoding, err);
    if (status == LOCO_OK)
        status = check_shape(classes, hop, err);
    if (status == LOCO_OK)
        status = check_classes(classes, decoding->method == LC_DECODE_COUNT ? NULL : thresholds, offsets, err);
    if (status != LOCO_OK)
        return status;
    /* what the method does not have is 0 */
    double window = decoding->method == LC_DECODE_MASS ? in_frames(decoding->window, hop) : 0;
    double gap = decoding->method == LC_DECODE_COUNT ? 0 : fmax(1, fmax(2 * window, in_frames(decoding->gap, hop)));
    double reset = decoding->method == LC_DECODE_COUNT ? fmax(1, in_frames(decoding->reset, hop)) : 0;
    if (window > FRAMES_MAX || gap > FRAMES_MAX)
        return lc_err_set(err, LOCO_EARG, "window and gap are %.0f and %.0f frames; at most %d are possible", window,
                          gap, FRAMES_MAX);
    *decoder = (lc_decoder){
        .method = decoding->method,
        .classes = classes,
        .how = *decoding,
        .hop = hop,
        .threshold = decoding->threshold,
        .quiet = decoding->quiet,
        .half = (size_t)window,
        .reach = decoding->method == LC_DECODE_PEAK ? 1 : (size_t)window,
        .gap = (size_t)gap,
        .reset = (uint64_t)reset,
    };
    decoder->ring = decoder->gap + decoder->half + decoder->reach + 1;
    return LOCO_OK;
}

/* An array (rows, K); where it is too large for size_t, the arena says so. */
static double *take_rows(const lc_decoder *decoder, size_t rows, lc_arena *arena)
{
    return lc_arena_take(arena, rows, decoder->classes * sizeof(double));
}

void lc_decoder_layout(lc_decoder *decoder, lc_arena *arena)
{
    bool counts = decoder->method == LC_DECODE_COUNT;
    decoder->thresholds = take_rows(decoder, 1, arena);
    decoder->offsets = take_rows(decoder, 1, arena);
    decoder->offsets_x = take_rows(decoder, 1, arena);
    decoder->p = take_rows(decoder, decoder->ring, arena);
    decoder->v = take_rows(decoder, decoder->ring, arena);
    decoder->pending = lc_arena_take(arena, counts ? 0 : decoder->classes, sizeof *decoder->pending);
    decoder->count = take_rows(decoder, counts ? 1 : 0, arena);
    decoder->calm = lc_arena_take(arena, counts ? decoder->classes : 0, sizeof *decoder->calm);
}

void lc_decoder_start(lc_decoder *decoder, const double *thresholds, const double *offsets)
{
    for (size_t k = 0; k < decoder->classes; k++) {
        decoder->thresholds[k] = thresholds != NULL ? thresholds[k] : decoder->threshold;
        decoder->offsets[k] = offsets != NULL ? offsets[k] : 0;
        decoder->offsets_x[k] = 0;
    }
    lc_decoder_reset(decoder);
}

void lc_decoder_reset(lc_decoder *decoder)
{
    size_t K = decoder->classes;
    decoder->frames = 0;
    /* the rows of frames before the first are read, and are p = 0 */
    memset(decoder->p, 0, decoder->ring * K * sizeof *decoder->p);
    if (decoder->method == LC_DECODE_COUNT) {
        memset(decoder->count, 0, K * sizeof *decoder->count);
        memset(decoder->calm, 0, K * sizeof *decoder->calm);
    } else {
        memset(decoder->pending, 0, K * sizeof *decoder->pending);
    }
}

/* One block: the struct, then its arrays. */
loco_status lc_decoder_new(lc_decoder **decoder, const lc_decoding *decoding, size_t classes, double hop,
                           const double *thresholds, const double *offsets, loco_err *err)
{
    lc_decoder plan;
    lc_block block = {0};
    lc_arena arena = {0};
    loco_status status = lc_decoder_plan(&plan, decoding, classes, hop, thresholds, offsets, err);
    if (status != LOCO_OK)
        return status;
    lc_arena_take(&arena, 1, sizeof plan);
    lc_decoder_layout(&plan, &arena);
    if (!lc_block_reserve(&block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a decoder of %zu classes", classes);
    arena = lc_arena_over(&block);
    lc_decoder *result = lc_arena_take(&arena, 1, sizeof *result);
    *result = plan;
    lc_decoder_layout(result, &arena);
    lc_decoder_start(result, thresholds, offsets);
    *decoder = result;
    return LOCO_OK;
}

void lc_decoder_free(lc_decoder *decoder)
{
    free(decoder);
}

void lc_decoder_widen(lc_decoder *decoder, size_t places, const double *offsets_x)
{
    decoder->places = places;
    for (size_t k = 0; k < decoder->classes; k++)
        decoder->offsets_x[k] = offsets_x != NULL ? offsets_x[k] : 0;
}

size_t lc_decoder_frames(const lc_decoder *decoder)
{
    return decoder->gap + decoder->half;
}

double lc_decoder_latency(const lc_decoder *decoder)
{
    double before = decoder->method == LC_DECODE_MASS ? (double)decoder->half : 0.5;
    return ((double)lc_decoder_frames(decoder) + before) * decoder->hop;
}

/* ---- events ---- */

/* place: in frames, so that a time is one product of the index and nothing drifts. */
static void give(const lc_decoder *decoder, size_t k, double place, double probability, lc_event_take *take,
                 void *context)
{
    double time = place * decoder->hop - decoder->offsets[k];
    loco_event event = {.time = time > 0 ? time : 0, .kind = k, .probability = probability < 1 ? probability : 1};
    take(context, &event);
}

/* The row of frame t - back, for back <= ring; frames before the first have rows of their own. */
static size_t row(const lc_decoder *decoder, uint64_t t, size_t back)
{
    return ((size_t)(t % decoder->ring) + decoder->ring - back) % decoder->ring * decoder->classes;
}

/* The centroid of p around frame t. An event has v > 0, so the sum is not 0. */
static double centroid(const lc_decoder *decoder, uint64_t t, size_t k)
{
    double sum = 0, moment = 0;
    for (size_t i = 0; i <= 2 * decoder->reach; i++) {
        double p = decoder->p[row(decoder, t + decoder->reach, i) + k];
        sum += p;
        moment += p * ((double)decoder->reach - (double)i);
    }
    return (double)t + moment / sum;
}

/* ---- mass and peak ---- */

/* v of frame t; frames up to t + half are in. */
static void fill(const lc_decoder *decoder, uint64_t t)
{
    double *v = decoder->v + row(decoder, t, 0);
    memset(v, 0, decoder->classes * sizeof *v);
    for (size_t i = 0; i <= 2 * decoder->half; i++) {
        const double *p = decoder->p + row(decoder, t + decoder->half, i);
        for (size_t k = 0; k < decoder->classes; k++)
            v[k] += p[k];
    }
}

static bool exceeds_past(const lc_decoder *decoder, uint64_t t, size_t k, double v)
{
    for (size_t i = 1; i <= decoder->gap && i <= t; i++)
        if (decoder->v[row(decoder, t, i) + k] >= v)
            return false;
    return true;
}

/* v of frame t is known: the pending frame falls, waits or becomes an event. beyond: t is behind the last frame, and
 * stays below all. */
static void settle(lc_decoder *decoder, uint64_t t, bool beyond, lc_event_take *take, void *context)
{
    const double *values = decoder->v + row(decoder, t, 0);
    for (size_t k = 0; k < decoder->classes; k++) {
        double v = beyond ? -1 : values[k];
        if (decoder->pending[k] > 0) {
            uint64_t before = decoder->pending[k] - 1;
            double largest = decoder->v[row(decoder, before, 0) + k];
            if (v > largest) {
                decoder->pending[k] = 0;
            } else if (t - before == decoder->gap) {
                decoder->pending[k] = 0;
                give(decoder, k, centroid(decoder, before, k), largest, take, context);
            }
        }
        if (v >= decoder->thresholds[k] && exceeds_past(decoder, t, k, v))
            decoder->pending[k] = t + 1;
    }
}

static void push_local(lc_decoder *decoder, const float *logits, lc_event_take *take, void *context)
{
    uint64_t now = decoder->frames++;
    double *p = decoder->p + row(decoder, now, 0);
    for (size_t k = 0; k < decoder->classes; k++)
        p[k] = lc_probability(logits[k]);
    if (now >= decoder->half) {
        fill(decoder, now - decoder->half);
        settle(decoder, now - decoder->half, false, take, context);
    }
}

/* As many silent frames as the last event needs behind it. */
static void end_local(lc_decoder *decoder, lc_event_take *take, void *context)
{
    uint64_t frames = decoder->frames;
    for (uint64_t now = frames; frames > 0 && now < frames + decoder->gap + decoder->half; now++) {
        memset(decoder->p + row(decoder, now, 0), 0, decoder->classes * sizeof *decoder->p);
        if (now < decoder->half)
            continue;
        bool beyond = now - decoder->half >= frames;
        if (!beyond)
            fill(decoder, now - decoder->half);
        settle(decoder, now - decoder->half, beyond, take, context);
    }
}

/* ---- count ---- */

static void push_count(lc_decoder *decoder, const float *logits, lc_event_take *take, void *context)
{
    uint64_t now = decoder->frames++;
    for (size_t k = 0; k < decoder->classes; k++) {
        double p = lc_probability(logits[k]), *x = &decoder->count[k];
        /* p > 0: x may have been rounded up to 1/2 */
        if (p > 0 && *x + p >= 0.5) {
            give(decoder, k, (double)now - 0.5 + (0.5 - *x) / p, p, take, context);
            *x -= 1;
        }
        *x += p;
        decoder->calm[k] = p < decoder->quiet ? decoder->calm[k] + 1 : 0;
        if (decoder->calm[k] >= decoder->reset)
            *x = 0;
    }
}

/* ---- any method ---- */

void lc_decoder_push(lc_decoder *decoder, const float *logits, lc_event_take *take, void *context)
{
    if (decoder->method == LC_DECODE_COUNT)
        push_count(decoder, logits, take, context);
    else
        push_local(decoder, logits, take, context);
}

void lc_decoder_end(lc_decoder *decoder, lc_event_take *take, void *context)
{
    if (decoder->method != LC_DECODE_COUNT)
        end_local(decoder, take, context);
    lc_decoder_reset(decoder);
}

void lc_decoder_shift(const lc_decoder *d, lc_event_array *list, size_t from)
{
    for (size_t i = from; i < list->len; i++) {
        loco_event *event = &list->events[i];
        event->time = fmax(0, event->time - d->offsets[event->kind]);
        event->x = fmax(0, event->x - d->offsets_x[event->kind]);
    }
    lc_event_array_sort(list, from);
}

static loco_status run_image(const lc_decoder *d, const float *logits, size_t T, size_t columns, lc_event_array *list,
                             loco_err *err)
{
    size_t before = list->len;
    lc_plane plane = {T / columns, columns, d->classes, d->hop, logits};
    loco_status status = lc_plane_decode(list, &plane, &d->how, d->thresholds, err);
    if (status == LOCO_OK)
        lc_decoder_shift(d, list, before);
    return status;
}

loco_status lc_decoder_run_wide(lc_decoder *decoder, const float *logits, size_t T, size_t columns,
                                lc_event_array *list, loco_err *err)
{
    if (columns > 0)
        return run_image(decoder, logits, T, columns, list, err);
    return lc_decoder_run(decoder, logits, T, list, err);
}

loco_status lc_decoder_run(lc_decoder *decoder, const float *logits, size_t T, lc_event_array *list, loco_err *err)
{
    size_t before = list->len;
    if (decoder->places > 0)
        return run_image(decoder, logits, T, decoder->places, list, err);
    lc_decoder_reset(decoder);
    for (size_t t = 0; t < T; t++)
        lc_decoder_push(decoder, logits + t * decoder->classes, lc_event_array_take, list);
    lc_decoder_end(decoder, lc_event_array_take, list);
    if (list->failed) {
        list->len = before;
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the events of %zu frames", T);
    }
    lc_event_array_sort(list, before);
    return LOCO_OK;
}
