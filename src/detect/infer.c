/* SPDX-License-Identifier: MIT
 * infer.c - the one way from any input to logits.
 *
 *     samples -> converter -> front end -> network -> logits
 *      any rate              model's rate     frames
 *
 * A network gets every frame as soon as the front end has it. Its layers in both directions, and those behind them, get
 * windows of WINDOW frames, of which the middle is used; MARGIN frames on either side are context.
 * All memory is one block, laid out when the infer is made: reading allocates nothing. */
#include "detect/infer.h"

#include "base/status.h"
#include "nn/stream.h"
#include "signal/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16384, WIDE = 64, WINDOW = LC_INFER_WINDOW, MARGIN = 512 };

/* Samples at a time: fewer where they are rows of an image. */
static size_t chunk_of(size_t inputs)
{
    return inputs <= WIDE ? CHUNK : CHUNK * WIDE / inputs + 16;
}

struct lc_infer {
    const loco_model *model;
    lc_converter *converter;
    lc_frontend *front;
    lc_block block;
    lc_stream stream;
    lc_tape tape;
    size_t inputs;        /* channels of a sample */
    size_t chunk;         /* samples at a time */
    size_t size;          /* floats of a frame of a window */
    float *samples;       /* (chunk, inputs), at the model's rate */
    float *frames;        /* what a push of chunk samples can give */
    float *window;        /* (WINDOW, size): what the layers that stream put out, for those that do not */
    size_t held;          /* frames in window */
    size_t finished;      /* of these, the first that were already put out: context */
    lc_samples_take *tap; /* NULL: nobody else wants the samples */
    void *tap_context;
    bool unsound; /* an output was not a number: nothing is handed on any more */
};

/* ---- making ---- */

static void layout(lc_infer *l, size_t most, lc_arena *arena)
{
    const lc_net *net = l->model->net;
    l->samples = lc_arena_take(arena, l->chunk * l->inputs, sizeof(float));
    l->frames = lc_arena_take(arena, most * net->in_F * net->in_C, sizeof(float));
    lc_stream_layout(&l->stream, net, arena);
    if (!net->streams) {
        l->window = lc_arena_take(arena, WINDOW * l->size, sizeof(float));
        lc_tape_layout_end(&l->tape, net, net->streamed, WINDOW, arena);
    }
}

static loco_status reserve(lc_infer *l, loco_err *err)
{
    lc_arena arena = {0};
    size_t most = lc_frontend_most(l->front, l->chunk);
    layout(l, most, &arena);
    if (!lc_block_zeros(&l->block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory: the network needs %zu MiB", arena.used >> 20);
    arena = lc_arena_over(&l->block);
    layout(l, most, &arena);
    return LOCO_OK;
}

void lc_infer_reset(lc_infer *l)
{
    lc_converter_reset(l->converter);
    lc_frontend_reset(l->front);
    l->held = l->finished = 0;
    l->unsound = false;
    lc_stream_start(&l->stream, l->model->packed.data);
}

loco_status lc_infer_new(lc_infer **out, const loco_model *model, double rate, double speed, loco_err *err)
{
    const lc_frontend_settings *front = &model->frontend;
    lc_infer *l = calloc(1, sizeof *l);
    if (l == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for the network's input");
    l->model = model;
    l->inputs = lc_frontend_inputs(front);
    l->chunk = chunk_of(l->inputs);
    l->size = lc_stream_size(model->net);
    loco_status status = lc_frontend_new(&l->front, front, err);
    if (status == LOCO_OK)
        status = lc_converter_new(&l->converter, rate, front->rate * speed, l->inputs, lc_frontend_columns(front).n > 0,
                                  err);
    if (status == LOCO_OK)
        status = reserve(l, err);
    if (status != LOCO_OK) {
        lc_infer_free(l);
        return status;
    }
    lc_infer_reset(l);
    *out = l;
    return LOCO_OK;
}

void lc_infer_free(lc_infer *l)
{
    if (l == NULL)
        return;
    lc_converter_free(l->converter);
    lc_frontend_free(l->front);
    lc_block_free(&l->block);
    free(l);
}

size_t lc_infer_tap(lc_infer *l, lc_samples_take *take, void *context)
{
    l->tap = take;
    l->tap_context = context;
    return l->chunk;
}

void lc_infer_rescale(lc_infer *l, const lc_scale *scale)
{
    lc_frontend_rescale(l->front, scale);
}

/* ---- windows ---- */

/* Where frames go, through windows or at once. */
typedef struct through {
    lc_infer *infer;
    lc_logits_take *take;
    void *context;
} through;

/* Runs the window and puts out its frames from `finished` to `end`. */
static void run_window(lc_infer *l, size_t end, lc_logits_take *take, void *context)
{
    lc_map in = lc_tape_input(&l->tape, l->model->net, l->held);
    for (size_t t = 0; t < l->held; t++)
        memcpy(in.data + t * in.row, l->window + t * l->size, l->size * sizeof(float));
    lc_map out = lc_net_forward(l->model->net, &l->tape, l->model->packed.data, NULL);
    for (size_t t = l->finished; t < end; t++)
        take(context, out.data + t * out.row);
    l->finished = end;
}

/* A full window puts out all but its last MARGIN frames, which lack context from later frames. These, and the
 * MARGIN before them, begin the next window, the latter as context only:
 *
 *     | MARGIN: were put out | are put out now | MARGIN: too early |
 */
static void add_to_window(void *context, const float *frame)
{
    through *w = context;
    lc_infer *l = w->infer;
    memcpy(l->window + l->held * l->size, frame, l->size * sizeof(float));
    if (++l->held < WINDOW)
        return;
    run_window(l, WINDOW - MARGIN, w->take, w->context);
    size_t keep = 2 * MARGIN; /* context before what comes, and the frames that were only context so far */
    memmove(l->window, l->window + (WINDOW - keep) * l->size, keep * l->size * sizeof(float));
    l->held = keep;
    l->finished = MARGIN;
}

/* ---- places ---- */

/* Gives the places of each frame one after the other. */
typedef struct place_take {
    lc_logits_take *take;
    void *context;
    size_t places, K;
    bool *unsound;
} place_take;

/* Here every logit passes, of any input: finite weights that are very large may give others. */
static void take_places(void *context, const float *outputs)
{
    const place_take *p = context;
    for (size_t i = 0; i < p->places * p->K; i++)
        *p->unsound |= !isfinite(outputs[i]);
    for (size_t i = 0; i < p->places && !*p->unsound; i++)
        p->take(p->context, outputs + i * p->K);
}

static place_take places_of(lc_infer *l, lc_logits_take *take, void *context)
{
    return (place_take){take, context, l->model->net->places, l->model->net->classes, &l->unsound};
}

static loco_status check_sound(const lc_infer *l, loco_err *err)
{
    if (!l->unsound)
        return LOCO_OK;
    return lc_err_set(err, LOCO_EDATA,
                      "the model gives probabilities that are not numbers: its weights are damaged or far too large; "
                      "get its file again, or train it again");
}

/* ---- pushing ---- */

/* Frames of the front end to the network; then, `end`, what it still holds. */
static void push_frames(lc_infer *l, size_t frames, bool end, lc_logits_take *take, void *context)
{
    place_take places = places_of(l, take, context);
    through windows = {l, take_places, &places};
    lc_stream_take *next = l->model->net->streams ? take_places : add_to_window;
    void *with = l->model->net->streams ? (void *)&places : (void *)&windows;
    lc_stream_push(&l->stream, l->frames, frames, next, with);
    if (!end)
        return;
    lc_stream_end(&l->stream, next, with);
    if (l->held > l->finished)
        run_window(l, l->held, take_places, &places);
}

/* Converts a block, or (samples NULL) what the converter holds when the input is over, and hands on a chunk of samples at a
 * time, or all there is. */
loco_status lc_infer_push(lc_infer *l, const float *samples, size_t frames, lc_logits_take *take, void *context,
                          loco_err *err)
{
    size_t have = 0;
    for (bool more = true; more;) {
        size_t taken, got;
        loco_status status = lc_converter_run(l->converter, samples, frames, &taken, l->samples + have * l->inputs,
                                              l->chunk - have, &got, err);
        if (status != LOCO_OK)
            return status;
        have += got;
        frames -= taken;
        bool full = have == l->chunk;
        more = samples != NULL ? frames > 0 || full : got > 0;
        samples = samples != NULL ? samples + taken * l->inputs : NULL;
        if (full || !more) {
            if (l->tap != NULL)
                l->tap(l->tap_context, l->samples, have);
            push_frames(l, lc_frontend_push(l->front, l->samples, have, l->frames), false, take, context);
            have = 0;
        }
        more = more && !l->unsound;
    }
    return check_sound(l, err);
}

loco_status lc_infer_end(lc_infer *l, lc_logits_take *take, void *context, loco_err *err)
{
    loco_status status = lc_infer_push(l, NULL, 0, take, context, err);
    if (status == LOCO_OK) {
        push_frames(l, lc_frontend_finish(l->front, l->frames), true, take, context);
        status = check_sound(l, err);
    }
    lc_infer_reset(l);
    return status;
}

/* ---- recordings of a data set ---- */

static loco_status push_pieces(lc_infer *l, const lc_sounds *sounds, size_t recording, double total, lc_logits *logits,
                               loco_err *err)
{
    float *samples = calloc(l->chunk * l->inputs, sizeof *samples);
    loco_status status = samples == NULL ? lc_err_set(err, LOCO_ENOMEM, "out of memory to read a recording") : LOCO_OK;
    for (double at = 0; status == LOCO_OK && at < total; at += (double)l->chunk) {
        size_t n = total - at < (double)l->chunk ? (size_t)(total - at) : l->chunk;
        status = lc_sounds_read(sounds, recording, at / l->model->frontend.rate, 1, samples, n, err);
        if (status == LOCO_OK)
            status = lc_infer_push(l, samples, n, lc_logits_append, logits, err);
    }
    free(samples);
    return status;
}

static loco_status run_sounds(lc_infer *l, const lc_sounds *sounds, size_t recording, double seconds, lc_logits *logits,
                              loco_err *err)
{
    lc_scale scale;
    double total = floor(fmin(lc_sounds_seconds(sounds, recording), seconds) * l->model->frontend.rate);
    loco_status status = LOCO_OK;
    if (lc_frontend_wants_scale(&l->model->frontend)) {
        status = lc_sounds_scale(sounds, recording, l->front, &scale, err);
        if (status == LOCO_OK)
            lc_frontend_rescale(l->front, &scale);
    }
    if (status == LOCO_OK)
        status = push_pieces(l, sounds, recording, total, logits, err);
    if (status == LOCO_OK)
        return lc_infer_end(l, lc_logits_append, logits, err);
    lc_infer_reset(l);
    return status;
}

loco_status lc_infer_recording(lc_logits *logits, lc_infer *l, const lc_sounds *sounds, size_t recording,
                               double seconds, loco_err *err)
{
    lc_logits all = {.K = l->model->net->classes};
    const char *path = lc_sounds_path(sounds, recording);
    if (l->model->frontend.ops->picture)
        return lc_infer_logits(logits, l->model, &(lc_input){.path = path}, err);
    loco_status status = run_sounds(l, sounds, recording, seconds, &all, err);
    if (status == LOCO_OK && all.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for the probabilities of %.150s", path);
    if (status != LOCO_OK) {
        free(all.data);
        return status;
    }
    *logits = all;
    return LOCO_OK;
}
