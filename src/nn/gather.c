/* SPDX-License-Identifier: MIT
 * gather.c - `gather O1 O2 ...`: (F, C) -> (F, C * n), the channels of bins f + O1, f + O2, ..., zeros past the ends.
 *   out[f][o * C + c] = in[f + offset_o][c]
 * With bins in semitones, offsets 12, 19, 24 are harmonics: one kernel then serves all pitches. */
#include "nn/layer.h"

#include <string.h>

/* At least one offset; all words up to the comma are offsets. */
static loco_status parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    size_t length;
    do {
        long offset;
        loco_status status = lc_words_number(words, &offset, -4096, 4096, "an offset in bins, such as -12 or 19", err);
        if (status != LOCO_OK)
            return status;
        layer->gather.offsets[layer->gather.offsets_len++] = (int)offset;
        lc_words_peek(words, &length);
    } while (length > 0 && layer->gather.offsets_len < LC_OFFSETS_MAX);
    return LOCO_OK;
}

static void format(const lc_layer *layer, lc_text *text)
{
    lc_text_string(text, "gather");
    for (size_t i = 0; i < layer->gather.offsets_len; i++)
        lc_text_format(text, " %d", layer->gather.offsets[i]);
}

static loco_status shape(lc_layer *layer, loco_err *err)
{
    (void)err;
    layer->out.F = layer->in.F;
    layer->out.C = layer->in.C * layer->gather.offsets_len;
    return LOCO_OK;
}

/* The first bin and the number of bins for which f + offset is inside. */
static size_t span(const lc_layer *layer, int offset, size_t *first)
{
    size_t away = (size_t)(offset < 0 ? -offset : offset);
    *first = offset < 0 ? away : 0;
    return away < layer->in.F ? layer->in.F - away : 0;
}

/* Bins for which f + offset is outside stay 0. Channels of one offset are neighbours, so that whole bins are copied. */
static void forward(const lc_layer *layer, const lc_pass *pass)
{
    size_t C = layer->in.C;
    for (size_t t = 0; t < pass->in.T; t++) {
        const float *in = pass->in.data + t * pass->in.row;
        float *out = pass->out.data + t * pass->out.row;
        memset(out, 0, layer->out.F * layer->out.C * sizeof *out);
        for (size_t o = 0; o < layer->gather.offsets_len; o++) {
            size_t first, n = span(layer, layer->gather.offsets[o], &first);
            const float *from = in + (first + (size_t)layer->gather.offsets[o]) * C;
            for (size_t i = 0; i < n; i++)
                memcpy(out + (first + i) * layer->out.C + o * C, from + i * C, C * sizeof *out);
        }
    }
}

/* The same walk, adding instead of copying: a bin is read once for each offset. */
static void backward(const lc_layer *layer, const lc_pass *pass)
{
    size_t C = layer->in.C;
    for (size_t t = 0; pass->d_in.data != NULL && t < pass->in.T; t++) {
        const float *d_out = pass->d_out.data + t * pass->d_out.row;
        float *d_in = pass->d_in.data + t * pass->d_in.row;
        for (size_t o = 0; o < layer->gather.offsets_len; o++) {
            size_t first, n = span(layer, layer->gather.offsets[o], &first);
            float *to = d_in + (first + (size_t)layer->gather.offsets[o]) * C;
            for (size_t i = 0; i < n; i++)
                for (size_t c = 0; c < C; c++)
                    to[i * C + c] += d_out[(first + i) * layer->out.C + o * C + c];
        }
    }
}

const lc_layer_ops lc_gather_ops = {
    .name = "gather",
    .usage = "gather OFFSET...",
    .parse = parse,
    .format = format,
    .shape = shape,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = forward,
    .backward = backward,
    .step = lc_layer_step_pointwise,
};
