/* SPDX-License-Identifier: MIT
 * latency.c - how much input behind an event must be read before the event is reported.
 *
 *   front end   the rest of the window around a frame:           (delay + 1) / rate
 *   network     look_ahead frames; with layers that run both ways, all others of a window (infer.h)
 *   decoder     what it waits for (decoder.h)
 *   offset      subtracted from the time of an event, so it adds to latency: the largest of all classes
 *   stream      a read waits for a piece, and the resampler hands out blocks (lc_sound_delay)
 *
 * The sum is an upper bound, and is reached within a frame and a block. Not counted: the time to compute, and what lies
 * before standard input. */
#include "base/options.h"
#include "detect/detect.h"
#include "detect/infer.h"

#include <math.h>

double lc_detect_latency(const loco_model *model, const lc_decoder *decoder)
{
    const lc_net *net = model->net;
    double hop = lc_detect_hop(model), offset = -INFINITY;
    size_t ahead = net->look_ahead + (net->streams ? 0 : LC_INFER_WINDOW - 1);
    for (size_t k = 0; k < net->classes; k++)
        offset = fmax(offset, model->offsets[k]);
    return (double)(lc_frontend_delay(&model->frontend) + 1) / model->frontend.rate + (double)ahead * hop +
           lc_decoder_latency(decoder) + offset;
}

loco_status loco_detect_latency(double *seconds, const loco_model *model, const loco_detect_options *options,
                                loco_err *err)
{
    lc_decoder *decoder = NULL;
    lc_raw_format format;
    double stream = 0;
    loco_detect_options how;
    loco_status status = lc_options_read(&how, sizeof how, options, "loco_detect_options", err);
    if (status == LOCO_OK)
        status = lc_detect_decoder(&decoder, model, how.decoding, err);
    if (status == LOCO_OK && how.raw != NULL)
        status = lc_raw_parse(&format, how.raw, err) == LOCO_OK ? LOCO_OK : LOCO_EARG;
    if (status == LOCO_OK && how.raw != NULL)
        status = lc_sound_delay(&format, model->frontend.rate, &stream, err);
    if (status == LOCO_OK)
        *seconds = how.counts != NULL || how.ensemble > 1 || model->frontend.ops->picture
                       ? INFINITY
                       : fmax(0, lc_detect_latency(model, decoder) + stream);
    lc_decoder_free(decoder);
    return status;
}

/* A model was checked when it was loaded: what is left to fail is memory. */
double loco_model_latency(const loco_model *model)
{
    double seconds = INFINITY;
    return loco_detect_latency(&seconds, model, NULL, NULL) == LOCO_OK ? seconds : INFINITY;
}
