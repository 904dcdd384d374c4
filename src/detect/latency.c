/* SPDX-License-Identifier: MIT
 * latency.c - how much sound behind an event must be heard before the event is told.
 *
 *   front end   the rest of the window around a frame:           (delay + 1) / rate
 *   network     look_ahead frames; with layers that run both ways, all others of a window (listen.h)
 *   decoder     what it waits for (decoder.h)
 *   offset      an event is told to be that much earlier than its frames: the largest of all classes
 *   stream      a read waits for a piece, and the resampler hands out blocks (lc_sound_delay)
 *
 * The sum is an upper bound, and is reached within a frame and a block. Not counted: the time to compute, and what lies
 * before standard input. */
#include "detect/detect.h"

#include <math.h>

/* Of a model and a decoder for it. */
static double latency(const loco_model *model, const lc_decoder *decoder)
{
    const lc_net *net = model->net;
    double hop = lc_detect_hop(model), offset = -INFINITY;
    size_t ahead = net->streams ? net->look_ahead : LC_LISTENER_WINDOW - 1;
    for (size_t k = 0; k < net->classes; k++)
        offset = fmax(offset, model->offsets[k]);
    return (double)(lc_frontend_delay(&model->frontend) + 1) / model->frontend.rate + (double)ahead * hop +
           lc_decoder_latency(decoder) + offset;
}

loco_status loco_detect_latency(const loco_model *model, const loco_detection *how, double *seconds, loco_err *err)
{
    lc_decoder *decoder = NULL;
    lc_raw_format format;
    double stream = 0;
    loco_status status = lc_detect_decoder(&decoder, model, how != NULL ? how->decoding : NULL, err);
    if (status == LOCO_OK && how != NULL && how->raw != NULL)
        status = lc_raw_parse(&format, how->raw, err) == LOCO_OK ? LOCO_OK : LOCO_EARG;
    if (status == LOCO_OK && how != NULL && how->raw != NULL)
        status = lc_sound_delay(&format, model->frontend.rate, &stream, err);
    if (status == LOCO_OK) {
        bool whole = how != NULL && (how->counts != NULL || how->ensemble > 1);
        *seconds = whole ? INFINITY : fmax(0, latency(model, decoder) + stream);
    }
    lc_decoder_free(decoder);
    return status;
}

/* A model was checked when it was loaded: what is left to fail is memory. */
double loco_model_latency(const loco_model *model)
{
    double seconds = INFINITY;
    return loco_detect_latency(model, NULL, &seconds, NULL) == LOCO_OK ? seconds : INFINITY;
}
