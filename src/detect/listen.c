/* SPDX-License-Identifier: MIT
 * listen.c - sound through front end and network.
 *
 * A network that streams gets every frame as soon as the front end has it. One with layers that run both ways gets
 * windows of WINDOW frames, of which the middle counts; MARGIN frames on either side are context.
 * All memory is one block, laid out when the listener is made: listening allocates nothing. */
#include "detect/listen.h"

#include "base/status.h"
#include "nn/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16384, WINDOW = LC_LISTENER_WINDOW, MARGIN = 512 };

struct lc_listener {
    const loco_model *model;
    lc_frontend *front;
    lc_block block;
    lc_stream stream;
    lc_tape tape;
    size_t inputs;   /* channels of a sample */
    size_t size;     /* floats of a frame */
    float *frames;   /* what a push of CHUNK samples can give */
    float *window;   /* (WINDOW, size), for a network that does not stream */
    size_t held;     /* frames in window */
    size_t finished; /* of these, the first that were already given out: context */
    float *samples;  /* (CHUNK, inputs) */
};

/* ---- making ---- */

static void layout(lc_listener *l, size_t most, lc_arena *arena)
{
    const lc_net *net = l->model->net;
    l->samples = lc_arena_take(arena, CHUNK * l->inputs, sizeof(float));
    l->frames = lc_arena_take(arena, most * l->size, sizeof(float));
    if (net->streams) {
        lc_stream_layout(&l->stream, net, arena);
    } else {
        l->window = lc_arena_take(arena, WINDOW * l->size, sizeof(float));
        lc_tape_layout(&l->tape, net, WINDOW, arena);
    }
}

/* All state as at the first sample, for the next recording: nothing is allocated again. */
static void begin(lc_listener *l)
{
    lc_frontend_reset(l->front);
    l->held = l->finished = 0;
    if (l->model->net->streams)
        lc_stream_start(&l->stream, l->model->packed.data);
}

loco_status lc_listener_new(lc_listener **out, const loco_model *model, loco_err *err)
{
    lc_arena arena = {0};
    lc_listener *l = calloc(1, sizeof *l);
    if (l == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory to listen");
    l->model = model;
    l->inputs = lc_frontend_inputs(&model->frontend);
    l->size = lc_frontend_bins(&model->frontend) * lc_frontend_channels(&model->frontend);
    loco_status status = lc_frontend_new(&l->front, &model->frontend, err);
    if (status == LOCO_OK) {
        size_t most = lc_frontend_most(l->front, CHUNK);
        layout(l, most, &arena);
        if (lc_block_zeros(&l->block, arena.used)) {
            arena = lc_arena_over(&l->block);
            layout(l, most, &arena);
        } else {
            status = lc_err_set(err, LOCO_ENOMEM, "out of memory: listening needs %zu MiB", arena.used >> 20);
        }
    }
    if (status != LOCO_OK) {
        lc_listener_free(l);
        return status;
    }
    begin(l);
    *out = l;
    return LOCO_OK;
}

void lc_listener_free(lc_listener *l)
{
    if (l == NULL)
        return;
    lc_frontend_free(l->front);
    lc_block_free(&l->block);
    free(l);
}

/* ---- windows ---- */

/* Runs the window and gives out its frames from `finished` to `end`. */
static void run_window(lc_listener *l, size_t end, lc_logits_take *take, void *context)
{
    lc_map in = lc_tape_input(&l->tape, l->model->net, l->held);
    for (size_t t = 0; t < l->held; t++)
        memcpy(in.data + t * in.row, l->window + t * l->size, l->size * sizeof(float));
    lc_map out = lc_net_forward(l->model->net, &l->tape, l->model->packed.data, NULL);
    for (size_t t = l->finished; t < end; t++)
        take(context, out.data + t * out.row);
    l->finished = end;
}

/* A full window gives out all but its last MARGIN frames, which have not seen enough of what follows. These, and the
 * MARGIN before them, begin the next window, there as context alone:
 *
 *     | MARGIN: were given out | are given out now | MARGIN: too early |
 */
static void add_to_window(lc_listener *l, const float *frame, lc_logits_take *take, void *context)
{
    memcpy(l->window + l->held * l->size, frame, l->size * sizeof(float));
    if (++l->held < WINDOW)
        return;
    run_window(l, WINDOW - MARGIN, take, context);
    size_t keep = 2 * MARGIN; /* context before what comes, and the frames that were only context so far */
    memmove(l->window, l->window + (WINDOW - keep) * l->size, keep * l->size * sizeof(float));
    l->held = keep;
    l->finished = MARGIN;
}

/* ---- listening ---- */

/* Frames of the front end to whichever of the two ways the network takes. */
static void give(lc_listener *l, size_t frames, lc_logits_take *take, void *context)
{
    if (l->model->net->streams)
        lc_stream_push(&l->stream, l->frames, frames, take, context);
    else
        for (size_t t = 0; t < frames; t++)
            add_to_window(l, l->frames + t * l->size, take, context);
}

/* In pieces of CHUNK, the most for which there is room; frames do not depend on how the samples are cut. */
void lc_listener_push(lc_listener *l, const float *samples, size_t n, lc_logits_take *take, void *context)
{
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t len = n - at < CHUNK ? n - at : CHUNK;
        give(l, lc_frontend_push(l->front, samples + at * l->inputs, len, l->frames), take, context);
    }
}

void lc_listener_end(lc_listener *l, lc_logits_take *take, void *context)
{
    give(l, lc_frontend_finish(l->front, l->frames), take, context);
    if (l->model->net->streams)
        lc_stream_end(&l->stream, take, context);
    else if (l->held > l->finished)
        run_window(l, l->held, take, context);
    begin(l);
}

loco_status lc_listen(lc_listener *l, lc_sound *sound, lc_logits_take *take, void *context, loco_err *err)
{
    size_t got = 1;
    loco_status status = LOCO_OK;
    while (status == LOCO_OK && got > 0) {
        status = lc_sound_read(sound, l->samples, CHUNK, &got, err);
        if (status == LOCO_OK && got > 0)
            lc_listener_push(l, l->samples, got, take, context);
    }
    if (status == LOCO_OK)
        lc_listener_end(l, take, context);
    else
        begin(l);
    return status;
}

/* ---- scales ---- */

lc_frontend *lc_listener_front(lc_listener *l)
{
    return l->front;
}

bool lc_listener_wants_scale(const lc_listener *l)
{
    return lc_frontend_wants_scale(&l->model->frontend);
}

void lc_listener_scale(lc_listener *l, const float *samples, size_t n)
{
    lc_scale scale;
    if (!lc_frontend_wants_scale(&l->model->frontend))
        return;
    lc_frontend_reset(l->front);
    lc_frontend_measure(l->front, samples, n);
    lc_frontend_measured(l->front, &scale);
    lc_frontend_rescale(l->front, &scale);
}

loco_status lc_listener_scale_file(lc_listener *l, const char *path, loco_err *err)
{
    const lc_frontend_settings *front = &l->model->frontend;
    float *samples = NULL;
    size_t n = 0;
    if (!lc_frontend_wants_scale(front) || strcmp(path, "-") == 0)
        return LOCO_OK;
    loco_status status = lc_sound_load_channels(path, 0, INFINITY, front->rate, lc_frontend_apart(front), &samples, &n,
                                                err);
    if (status == LOCO_OK)
        lc_listener_scale(l, samples, n);
    free(samples);
    return status;
}

/* ---- keeping ---- */

/* Doubles; sticky failure, as in found.c. */
void lc_series_take(void *context, const float *logits)
{
    lc_series *s = context;
    if (s->T == s->capacity && !s->failed) {
        size_t wanted = s->capacity > 0 ? 2 * s->capacity : 4096, bytes;
        float *grown = lc_size_mul(wanted, s->K * sizeof(float), &bytes) ? realloc(s->logits, bytes) : NULL;
        s->failed = grown == NULL;
        s->logits = grown != NULL ? grown : s->logits;
        s->capacity = grown != NULL ? wanted : s->capacity;
    }
    if (s->failed)
        return;
    memcpy(s->logits + s->T * s->K, logits, s->K * sizeof(float));
    s->T++;
}
