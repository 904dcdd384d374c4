/* SPDX-License-Identifier: MIT
 * listener.c - samples in, events out, block by block.
 *
 *     samples -> mix -> infer -> decoder -> take
 *                         '----------------> frame: probabilities
 *
 * loco_detect is written on it: a file is read in blocks and pushed, as a host does with what it has. */
#include "detect/listener.h"

#include "base/options.h"
#include "base/status.h"
#include "detect/detect.h"
#include "detect/infer.h"
#include "signal/convert.h"

#include <math.h>
#include <stdlib.h>

enum { MIXED = 1024 }; /* frames that are mixed at a time */

struct loco_listener {
    lc_infer *infer;
    lc_decoder *decoder;
    loco_event_take *take;
    void (*frame)(void *context, uint64_t frame, const float *probabilities);
    void *context;
    size_t channels;      /* of the samples */
    size_t classes;       /* K */
    uint64_t frames;      /* put out since time 0 */
    double latency;       /* seconds */
    double rate;          /* of the model */
    float *mono;          /* (MIXED); NULL: nothing is mixed */
    float *probabilities; /* (K) */
};

/* ---- making ---- */

static loco_status check(const lc_listening *how, const lc_frontend_settings *front, loco_err *err)
{
    size_t wanted = lc_frontend_inputs(front);
    bool mixed = lc_frontend_columns(front).n == 0;
    if (!(how->rate >= 1 && how->rate <= LC_SOUND_RATE))
        return lc_err_set(err, LOCO_EARG, "samples at %g Hz; the rate must be 1 to %d Hz", how->rate, LC_SOUND_RATE);
    if (how->channels < 1 || how->channels > LC_SOUND_CHANNELS)
        return lc_err_set(err, LOCO_EARG, "samples of %zu channels; there must be 1 to %d", how->channels,
                          LC_SOUND_CHANNELS);
    if (!mixed && how->channels != wanted)
        return lc_err_set(err, LOCO_EARG, "samples of %zu channels; the model reads %zu", how->channels, wanted);
    return LOCO_OK;
}

static loco_status prepare(loco_listener *l, const loco_model *model, const lc_listening *how, loco_err *err)
{
    double conversion;
    loco_status status = lc_converter_delay(&conversion, how->rate, model->frontend.rate * how->speed, err);
    if (status == LOCO_OK)
        status = lc_infer_new(&l->infer, model, how->rate, how->speed, err);
    if (status == LOCO_OK)
        status = lc_detect_decoder(&l->decoder, model, how->decoding, err);
    if (status != LOCO_OK)
        return status;
    l->latency = fmax(0, lc_detect_latency(model, l->decoder) + conversion);
    l->probabilities = calloc(l->classes, sizeof *l->probabilities);
    bool mixes = lc_frontend_columns(&model->frontend).n == 0 && l->channels > 1;
    l->mono = mixes ? calloc(MIXED, sizeof *l->mono) : NULL;
    if (l->probabilities == NULL || (mixes && l->mono == NULL))
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a listener");
    if (how->scale != NULL)
        lc_infer_rescale(l->infer, how->scale);
    return LOCO_OK;
}

loco_status lc_listener_make(loco_listener **listener, const loco_model *model, const lc_listening *how, loco_err *err)
{
    if (model->frontend.ops->picture)
        return lc_err_set(err, LOCO_EARG, "the model reads images, which have no stream; detect events in their files");
    loco_status status = check(how, &model->frontend, err);
    if (status != LOCO_OK)
        return status;
    loco_listener *l = calloc(1, sizeof *l);
    if (l == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory for a listener");
    *l = (loco_listener){.take = how->take,
                         .frame = how->frame,
                         .context = how->context,
                         .channels = how->channels,
                         .classes = model->net->classes,
                         .rate = model->frontend.rate};
    status = prepare(l, model, how, err);
    if (status == LOCO_OK)
        *listener = l;
    else
        loco_listener_free(l);
    return status;
}

loco_status loco_listener_new(loco_listener **listener, const loco_model *model, const loco_listen_options *options,
                              loco_err *err)
{
    loco_listen_options how;
    loco_status status = lc_options_read(&how, sizeof how, options, "loco_listen_options", err);
    if (status != LOCO_OK)
        return status;
    lc_listening listening = {.rate = how.rate > 0 || how.rate < 0 || isnan(how.rate) ? how.rate : model->frontend.rate,
                              .channels = how.channels > 0 ? how.channels : lc_frontend_inputs(&model->frontend),
                              .speed = 1,
                              .decoding = how.decoding,
                              .take = how.take,
                              .frame = how.frame,
                              .context = how.context};
    return lc_listener_make(listener, model, &listening, err);
}

void loco_listener_free(loco_listener *l)
{
    if (l == NULL)
        return;
    lc_infer_free(l->infer);
    lc_decoder_free(l->decoder);
    free(l->mono);
    free(l->probabilities);
    free(l);
}

double loco_listener_latency(const loco_listener *l)
{
    return l->latency;
}

double lc_listener_tap(loco_listener *l, lc_samples_take *take, void *context)
{
    return l->latency + (double)lc_infer_tap(l->infer, take, context) / l->rate;
}

/* ---- events ---- */

/* As a loco_event_take, for a listener without one. */
static void ignore(void *context, const loco_event *event)
{
    (void)context;
    (void)event;
}

static loco_event_take *take_of(const loco_listener *l)
{
    return l->take != NULL ? l->take : ignore;
}

/* As a lc_logits_take. */
static void take_frame(void *context, const float *logits)
{
    loco_listener *l = context;
    if (l->frame != NULL) {
        for (size_t k = 0; k < l->classes; k++)
            l->probabilities[k] = (float)lc_probability(logits[k]);
        l->frame(l->context, l->frames, l->probabilities);
    }
    l->frames++;
    lc_decoder_push(l->decoder, logits, take_of(l), l->context);
}

/* ---- samples ---- */

/* Samples that are known to be finite; as a lc_block_take. */
static loco_status push(void *context, const float *samples, size_t frames, loco_err *err)
{
    loco_listener *l = context;
    loco_status status = LOCO_OK;
    if (l->mono == NULL)
        return frames > 0 ? lc_infer_push(l->infer, samples, frames, take_frame, l, err) : LOCO_OK;
    for (size_t at = 0; status == LOCO_OK && at < frames; at += MIXED) {
        size_t n = frames - at < MIXED ? frames - at : MIXED;
        lc_mix(l->mono, samples + at * l->channels, n, l->channels);
        status = lc_infer_push(l->infer, l->mono, n, take_frame, l, err);
    }
    return status;
}

loco_status loco_listener_push(loco_listener *l, const float *samples, size_t frames, loco_err *err)
{
    if (samples == NULL && frames > 0)
        return lc_err_set(err, LOCO_EARG, "samples is NULL, but frames is %zu; pass samples, or 0 frames", frames);
    for (size_t i = 0; i < frames * l->channels; i++)
        if (!isfinite(samples[i]))
            return lc_err_set(err, LOCO_EDATA, "sample %zu of the block is not a finite number", i);
    return push(l, samples, frames, err);
}

loco_status loco_listener_flush(loco_listener *l, loco_err *err)
{
    loco_status status = lc_infer_end(l->infer, take_frame, l, err);
    if (status == LOCO_OK)
        lc_decoder_end(l->decoder, take_of(l), l->context);
    loco_listener_reset(l);
    return status;
}

void loco_listener_reset(loco_listener *l)
{
    lc_infer_reset(l->infer);
    lc_decoder_reset(l->decoder);
    l->frames = 0;
}

loco_status lc_listener_read(loco_listener *l, lc_reader *reader, loco_err *err)
{
    loco_status status = lc_reader_each(reader, push, l, err);
    return status == LOCO_OK ? loco_listener_flush(l, err) : status;
}
