/* SPDX-License-Identifier: MIT
 * moves.c - layers without parameters that move values, or put them together.
 *   crop FIRST COUNT  (F, C) -> (COUNT, C): out[f][c] = in[FIRST + f][c]. At the end of a network whose bins are pitches
 *                     it says which of them are classes: `conv 1x1 1 linear, bias, crop 0 88`. Training adds no dense
 *                     layer behind it.
 *   gather O1 O2 ...  (F, C) -> (F, C * n), the channels of bins f + O1, f + O2, ..., zeros past the ends:
 *                     out[f][o * C + c] = in[f + offset_o][c]. With bins in semitones, offsets 12, 19, 24 are
 *                     harmonics: one kernel then serves all pitches.
 *   join NAME         appends the output of an earlier layer: `dense 64 relu as wide, gru 48, join wide, dense 3`.
 *                     (F, C) and (F', C') become (1, F*C + F'*C'). In a stream the layers between hold back as many
 *                     frames as they look ahead: the frames of the earlier layer wait in the state, a queue of `lag`
 *                     frames and those of a block.
 *   fold G0 G1 ...    input k goes to output Gk, or nowhere (-1). An output is the logit of "an event in any of them":
 *                     out_g = log(exp(S) - 1), S = sum of softplus(in_k) over the k of g, and
 *                     d out_g / d in_k = sigmoid(in_k) / (1 - exp(-S)). Two outputs of 0.4 each, where a closed hi-hat
 *                     may as well be an open one, are 0.64 for a hi-hat.
 *   shift FRAMES      out[t] = in[t + FRAMES], zeros past the end: `gru 50, shift 3` reports an event of frame t from what
 *                     the cell knows three frames later, as if its target were three frames late. */
#include "base/status.h"
#include "nn/layer.h"

#include <math.h>
#include <string.h>

/* ---- crop ---- */

static loco_status crop_parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    long first, count;
    loco_status status = lc_words_number(words, &first, 0, 1 << 20, "the first bin, 0 or more", err);
    if (status == LOCO_OK)
        status = lc_words_number(words, &count, 1, 1 << 20, "the number of bins, 1 or more", err);
    if (status != LOCO_OK)
        return status;
    layer->crop.first = (size_t)first;
    layer->crop.count = (size_t)count;
    return LOCO_OK;
}

static void crop_format(const lc_layer *layer, lc_text *text)
{
    lc_text_format(text, "crop %zu %zu", layer->crop.first, layer->crop.count);
}

static loco_status crop_shape(lc_layer *layer, loco_err *err)
{
    if (layer->crop.first + layer->crop.count > layer->in.F)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: crop %zu %zu of %zu bins; the last one would be number %zu",
                          layer->column, layer->crop.first, layer->crop.count, layer->in.F,
                          layer->crop.first + layer->crop.count - 1);
    layer->out.F = layer->crop.count;
    layer->out.C = layer->in.C;
    return LOCO_OK;
}

static void crop_forward(const lc_layer *layer, const lc_pass *pass)
{
    size_t C = layer->in.C;
    for (size_t t = 0; t < pass->in.T; t++)
        memcpy(pass->out.data + t * pass->out.row, pass->in.data + t * pass->in.row + layer->crop.first * C,
               layer->crop.count * C * sizeof(float));
}

/* What was cut off has no gradient. */
static void crop_backward(const lc_layer *layer, const lc_pass *pass)
{
    size_t C = layer->in.C;
    for (size_t t = 0; pass->d_in.data != NULL && t < pass->in.T; t++)
        lc_add_row(pass->d_in.data + t * pass->d_in.row + layer->crop.first * C, pass->d_out.data + t * pass->d_out.row,
                   layer->crop.count * C);
}

const lc_layer_ops lc_crop_ops = {
    .name = "crop",
    .usage = "crop FIRST COUNT",
    .parse = crop_parse,
    .format = crop_format,
    .shape = crop_shape,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = crop_forward,
    .backward = crop_backward,
    .step = lc_layer_step_pointwise,
};

/* ---- gather ---- */

/* At least one offset; all words up to the comma are offsets. */
static loco_status gather_parse(lc_layer *layer, lc_words *words, loco_err *err)
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

static void gather_format(const lc_layer *layer, lc_text *text)
{
    lc_text_string(text, "gather");
    for (size_t i = 0; i < layer->gather.offsets_len; i++)
        lc_text_format(text, " %d", layer->gather.offsets[i]);
}

static loco_status gather_shape(lc_layer *layer, loco_err *err)
{
    (void)err;
    layer->out.F = layer->in.F;
    layer->out.C = layer->in.C * layer->gather.offsets_len;
    return LOCO_OK;
}

/* The first bin and the number of bins for which f + offset is inside. */
static size_t gather_span(const lc_layer *layer, int offset, size_t *first)
{
    size_t away = (size_t)(offset < 0 ? -offset : offset);
    *first = offset < 0 ? away : 0;
    return away < layer->in.F ? layer->in.F - away : 0;
}

/* Bins for which f + offset is outside stay 0. Channels of one offset are neighbours, so that whole bins are copied. */
static void gather_forward(const lc_layer *layer, const lc_pass *pass)
{
    size_t C = layer->in.C;
    for (size_t t = 0; t < pass->in.T; t++) {
        const float *in = pass->in.data + t * pass->in.row;
        float *out = pass->out.data + t * pass->out.row;
        memset(out, 0, layer->out.F * layer->out.C * sizeof *out);
        for (size_t o = 0; o < layer->gather.offsets_len; o++) {
            size_t first, n = gather_span(layer, layer->gather.offsets[o], &first);
            const float *from = in + (first + (size_t)layer->gather.offsets[o]) * C;
            for (size_t i = 0; i < n; i++)
                memcpy(out + (first + i) * layer->out.C + o * C, from + i * C, C * sizeof *out);
        }
    }
}

/* The same walk, adding instead of copying: a bin is read once for each offset. */
static void gather_backward(const lc_layer *layer, const lc_pass *pass)
{
    size_t C = layer->in.C;
    for (size_t t = 0; pass->d_in.data != NULL && t < pass->in.T; t++) {
        const float *d_out = pass->d_out.data + t * pass->d_out.row;
        float *d_in = pass->d_in.data + t * pass->d_in.row;
        for (size_t o = 0; o < layer->gather.offsets_len; o++) {
            size_t first, n = gather_span(layer, layer->gather.offsets[o], &first);
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
    .parse = gather_parse,
    .format = gather_format,
    .shape = gather_shape,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = gather_forward,
    .backward = gather_backward,
    .step = lc_layer_step_pointwise,
};

/* ---- join ---- */

static loco_status join_parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    size_t length;
    const char *name = lc_words_peek(words, &length);
    if (length == 0 || length >= LC_NAME_MAX || memchr(name, '\0', length) != NULL)
        return lc_words_refuse(words, "the name of an earlier layer, as in: dense 64 relu as wide, gru 48, join wide",
                               err);
    memcpy(layer->join.name, name, length);
    layer->join.name[length] = '\0';
    words->at += length;
    return LOCO_OK;
}

static void join_format(const lc_layer *layer, lc_text *text)
{
    lc_text_format(text, "join %s", layer->join.name);
}

/* Values of a frame of the input, and of the source. */
static size_t join_here(const lc_layer *layer)
{
    return layer->in.F * layer->in.C;
}

static size_t join_there(const lc_layer *layer)
{
    return layer->join.source_F * layer->join.source_C;
}

/* The source's frames of a block arrive before this layer's input of the same block, which belongs to the frames lag
 * pushes ago. */
static loco_status join_shape(lc_layer *layer, loco_err *err)
{
    (void)err;
    layer->out.F = 1;
    layer->out.C = join_here(layer) + join_there(layer);
    layer->state = 1 + (layer->join.lag + LC_STREAM_BLOCK) * join_there(layer);
    return LOCO_OK;
}

/* (in | source) of each frame. */
static void join_forward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; t < pass->in.T; t++) {
        float *out = pass->out.data + t * pass->out.row;
        memcpy(out, pass->in.data + t * pass->in.row, join_here(layer) * sizeof *out);
        memcpy(out + join_here(layer), pass->source.data + t * pass->source.row, join_there(layer) * sizeof *out);
    }
}

/* to += columns offset..offset + n - 1 of from, unless to is not wanted. */
static void join_add(lc_map to, lc_map from, size_t offset, size_t n)
{
    for (size_t t = 0; to.data != NULL && t < from.T; t++)
        for (size_t i = 0; i < n; i++)
            to.data[t * to.row + i] += from.data[t * from.row + offset + i];
}

static void join_backward(const lc_layer *layer, const lc_pass *pass)
{
    join_add(pass->d_in, pass->d_out, 0, join_here(layer));
    join_add(pass->d_source, pass->d_out, join_here(layer), join_there(layer));
}

/* Called when either input has new frames. State: the number of waiting frames, then the queue, oldest first. */
static size_t join_step(const lc_layer *layer, const lc_pass *pass)
{
    size_t n = join_there(layer), waiting = (size_t)pass->keep[0], T = pass->in.data != NULL ? pass->in.T : 0;
    float *queue = pass->keep + 1;
    if (pass->source.data != NULL) {
        memcpy(queue + n * waiting, pass->source.data, n * pass->source.T * sizeof *queue);
        waiting += pass->source.T;
    }
    for (size_t t = 0; t < T; t++) {
        float *out = pass->out.data + t * pass->out.row;
        memcpy(out, pass->in.data + t * pass->in.row, join_here(layer) * sizeof *queue);
        memcpy(out + join_here(layer), queue + n * t, n * sizeof *queue);
    }
    waiting -= T;
    memmove(queue, queue + n * T, n * waiting * sizeof *queue);
    pass->keep[0] = (float)waiting;
    return T;
}

const lc_layer_ops lc_join_ops = {
    .name = "join",
    .usage = "join NAME",
    .parse = join_parse,
    .format = join_format,
    .shape = join_shape,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = join_forward,
    .backward = join_backward,
    .step = join_step,
};

/* ---- fold ---- */

static loco_status fold_parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    size_t length;
    do {
        long group;
        loco_status status = lc_words_number(words, &group, -1, LC_OFFSETS_MAX - 1,
                                             "the output of each input, from 0 on; -1: none", err);
        if (status != LOCO_OK)
            return status;
        layer->fold.groups[layer->fold.groups_len++] = (int)group;
        lc_words_peek(words, &length);
    } while (length > 0 && layer->fold.groups_len < LC_OFFSETS_MAX);
    return LOCO_OK;
}

static void fold_format(const lc_layer *layer, lc_text *text)
{
    lc_text_string(text, "fold");
    for (size_t k = 0; k < layer->fold.groups_len; k++)
        lc_text_format(text, " %d", layer->fold.groups[k]);
}

/* Every output from 0 to the largest has an input. */
static loco_status fold_shape(lc_layer *layer, loco_err *err)
{
    int outputs = 0, seen[LC_OFFSETS_MAX] = {0};
    for (size_t k = 0; k < layer->fold.groups_len; k++) {
        int group = layer->fold.groups[k];
        outputs = group >= outputs ? group + 1 : outputs;
        if (group >= 0)
            seen[group] = 1;
    }
    for (int g = 0; g < outputs; g++)
        if (!seen[g])
            return lc_err_set(err, LOCO_EDATA, "network line, column %zu: no input of fold goes to output %d",
                              layer->column, g);
    if (outputs == 0 || layer->fold.groups_len != layer->in.F * layer->in.C)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: fold has %zu outputs of %zu inputs; the layer before has %zu",
                          layer->column, (size_t)outputs, layer->fold.groups_len, layer->in.F * layer->in.C);
    layer->out.F = 1;
    layer->out.C = (size_t)outputs;
    return LOCO_OK;
}

static float softplus(float z)
{
    return fmaxf(z, 0) + log1pf(expf(-fabsf(z)));
}

/* The sum S of output g, and how many inputs it has; last: one of them. */
static float sum_of(const lc_layer *layer, const float *in, int g, size_t *n, size_t *last)
{
    float sum = 0;
    *n = 0;
    for (size_t k = 0; k < layer->fold.groups_len; k++)
        if (layer->fold.groups[k] == g) {
            sum += softplus(in[k]);
            *last = k;
            ++*n;
        }
    return sum;
}

/* log(exp(S) - 1); S is far below 1 where nothing happens. */
static float logit_of(float sum)
{
    return sum > 1 ? sum + log1pf(-expf(-sum)) : logf(fmaxf(expm1f(sum), 1e-37f));
}

static void fold_forward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; t < pass->in.T; t++) {
        const float *in = pass->in.data + t * pass->in.row;
        float *out = pass->out.data + t * pass->out.row;
        for (size_t g = 0; g < layer->out.C; g++) {
            size_t n, last = 0;
            float sum = sum_of(layer, in, (int)g, &n, &last);
            out[g] = n == 1 ? in[last] : logit_of(sum);
        }
    }
}

static void fold_backward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; pass->d_in.data != NULL && t < pass->in.T; t++) {
        const float *in = pass->in.data + t * pass->in.row, *d_out = pass->d_out.data + t * pass->d_out.row;
        float *d_in = pass->d_in.data + t * pass->d_in.row;
        for (size_t k = 0; k < layer->fold.groups_len; k++) {
            int g = layer->fold.groups[k];
            size_t n, last = 0;
            float sum = g >= 0 ? sum_of(layer, in, g, &n, &last) : 0;
            if (g >= 0)
                d_in[k] += d_out[g] * (n == 1 ? 1 : 1 / (1 + expf(-in[k])) / fmaxf(-expm1f(-sum), 1e-37f));
        }
    }
}

const lc_layer_ops lc_fold_ops = {
    .name = "fold",
    .usage = "fold OUTPUT...",
    .parse = fold_parse,
    .format = fold_format,
    .shape = fold_shape,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = fold_forward,
    .backward = fold_backward,
    .step = lc_layer_step_pointwise,
};

/* ---- shift ---- */

static loco_status shift_parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    long frames;
    loco_status status = lc_words_number(words, &frames, 1, 64, "the frames to look ahead, 1 to 64", err);
    if (status == LOCO_OK)
        layer->shift.frames = (size_t)frames;
    return status;
}

static void shift_format(const lc_layer *layer, lc_text *text)
{
    lc_text_format(text, "shift %zu", layer->shift.frames);
}

/* State: the number of frames seen. */
static loco_status shift_shape(lc_layer *layer, loco_err *err)
{
    layer->pad.after = layer->look_ahead = layer->shift.frames;
    layer->state = 1;
    return lc_layer_same_shape(layer, err);
}

static void shift_forward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; t < pass->in.T; t++)
        memcpy(pass->out.data + t * pass->out.row, pass->in.data + (t + layer->shift.frames) * pass->in.row,
               layer->in.F * layer->in.C * sizeof(float));
}

/* What goes past the end of the clip is added to its padding, which nothing reads. */
static void shift_backward(const lc_layer *layer, const lc_pass *pass)
{
    for (size_t t = 0; pass->d_in.data != NULL && t < pass->in.T; t++)
        lc_add_row(pass->d_in.data + (t + layer->shift.frames) * pass->d_in.row, pass->d_out.data + t * pass->d_out.row,
                   layer->in.F * layer->in.C);
}

/* The first frames are never read; from then on each passes at once, and past the end zeros follow. */
static size_t shift_step(const lc_layer *layer, const lc_pass *pass)
{
    size_t done = 0, values = layer->in.F * layer->in.C;
    float *seen = pass->keep;
    for (size_t t = 0; t < pass->in.T; t++) {
        *seen = *seen < 1e6f ? *seen + 1 : *seen; /* stops long before a float no longer counts */
        if (*seen <= (float)layer->look_ahead)
            continue;
        float *out = pass->out.data + done++ * pass->out.row;
        if (pass->in.data != NULL)
            memcpy(out, pass->in.data + t * pass->in.row, values * sizeof *out);
        else
            memset(out, 0, values * sizeof *out);
    }
    return done;
}

const lc_layer_ops lc_shift_ops = {
    .name = "shift",
    .usage = "shift FRAMES",
    .parse = shift_parse,
    .format = shift_format,
    .shape = shift_shape,
    .tensors = lc_layer_no_tensors,
    .init = lc_layer_no_init,
    .pack = lc_layer_no_pack,
    .unpack = lc_layer_no_pack,
    .forward = shift_forward,
    .backward = shift_backward,
    .step = shift_step,
};
