/* SPDX-License-Identifier: MIT
 * conv_pass.c - a convolution at work: forward, backward, and in a stream. conv.c has its formula and its weights.
 *
 * A frame's window of kernel_f bins is contiguous in (T, F, C), so that one frame is a matrix product of overlapping
 * rows. The unpooled row lives in scratch and never reaches memory: the backward pass needs only which neighbour won,
 * and with norm the normalised row. Padding reads zeros that stand around the input.
 *
 * Backward, in blocks of `frames` (lc_conv_parts), so that their dz stays in cache: dw is an outer product of input
 * windows and dz; the gradient of the input is dz times the transposed weights, added over the overlapping windows.
 * Kernels of three frames go by tiles of four or five frames with a half or a quarter of the multiplications
 * (winograd.c), forward and backward, and with ReLU from the tile to the pooled output in one pass; a kernel of 3x4 on
 * one channel has kernels of its own (first_body.h). A stream does without tiles.
 *
 * Scratch: dz (frames of a block, bins, width), forward z in its place | dy (bins, n) and a spare bias gradient (width)
 * | g (bins, columns of weights), or Winograd's | what a stream would keep. Forward, Winograd's begins at dy, which
 * only the backward pass uses. Kept for each frame: which (out_F, n) bytes, then with norm x (bins, n) and 1 / sd;
 * where a tile is pooled at once, which of its frames lies together, bits of one float a value (lc_pooled). */
#include "nn/conv.h"

#include <string.h>

/* ---- forward ---- */

/* Rows of width floats become rows of n, in place. */
static void squeeze(float *z, size_t bins, size_t width, size_t n)
{
    for (size_t f = 1; width > n && f < bins; f++)
        memmove(z + f * n, z + f * width, n * sizeof *z);
}

/* What is normalised together: a frame, or each of its bins. */
static size_t norms_of(const lc_layer *layer)
{
    return layer->conv.local ? layer->conv.parts.bins : 1;
}

/* Part i of these. The mean is that of all channels together, so that a bias of one channel is not lost in it and stays a
 * parameter. */
static lc_frame_norm norm_of(const lc_layer *layer, const float *packed, float *kept, size_t i)
{
    size_t size = layer->conv.parts.bins / norms_of(layer) * layer->conv.units;
    return (lc_frame_norm){
        .gain = packed + layer->conv.parts.gain,
        .shift = packed + layer->conv.parts.shift,
        .kept = kept + layer->conv.parts.which + i * (size + 1),
        .size = size,
        .channels = layer->conv.units,
    };
}

/* One frame of z, directly: in points at its first window (row -before, bin -left). */
static void convolve_frame(const lc_layer *layer, const lc_pass *pass, const float *in, size_t row, float *z)
{
    size_t width = LC_COLUMNS(layer->conv.units);
    pass->kernels->product(&(lc_product){
        .out = z,
        .out_stride = width,
        .a = in,
        .a_stride = layer->conv.stride * layer->in.C,
        .tap_stride = layer->conv.dilate * row,
        .b = pass->packed + layer->conv.parts.weight,
        .bias = pass->packed + layer->conv.parts.bias,
        .taps = layer->conv.kernel_t,
        .rows = layer->conv.parts.bins,
        .depth = layer->conv.parts.window,
        .columns = width,
    });
}

/* From z, rows of width floats, to the output. */
static void finish_frame(const lc_layer *layer, const lc_pass *pass, float *z, float *out, float *kept)
{
    size_t bins = layer->conv.parts.bins, n = layer->conv.units, width = LC_COLUMNS(n);
    if (layer->conv.norm || layer->conv.activation != LC_RELU) {
        /* padding columns would count in mean and variance */
        squeeze(z, bins, width, n);
        width = n;
    }
    for (size_t i = 0; layer->conv.norm && i < norms_of(layer); i++) {
        lc_frame_norm norm = norm_of(layer, pass->packed, kept, i);
        pass->kernels->frame_norm_forward(&norm, z + i * norm.size);
    }
    if (layer->conv.activation == LC_RELU)
        pass->kernels->relu_pool(&(lc_frame_pool){(uint8_t *)kept, layer->out.F, n, width, layer->conv.pool}, out, z);
    else
        memcpy(out, z, bins * n * sizeof *out);
}

static lc_pooled pooled_of(const lc_layer *layer)
{
    return (lc_pooled){.bins = layer->out.F, .c = layer->conv.units, .pool = layer->conv.pool};
}

/* The frames from `begin` on, at most a tile, of the output or its gradient. A last tile may be short: the frames that
 * it lacks are `spare`, with room for one. */
static void set_tile(lc_pooled *pooled, const lc_layer *layer, const lc_pass *pass, const lc_map *map, size_t begin,
                     float *spare)
{
    pooled->which = pass->keep + begin * layer->keep;
    for (size_t r = 0; r < layer->conv.parts.w.tile; r++)
        pooled->y[r] = begin + r < map->T ? map->data + (begin + r - map->first) * map->row : spare;
}

/* A tile as the kernels of a first layer take it. */
static lc_first first_of(const lc_layer *layer, const lc_pass *pass, const lc_map *map, size_t begin, float *spare)
{
    lc_first first = {.pooled = pooled_of(layer), .width = layer->conv.parts.w.width};
    set_tile(&first.pooled, layer, pass, map, begin, spare);
    return first;
}

static void first_forward(const lc_layer *layer, const lc_pass *pass, size_t begin, const float *corner)
{
    const lc_conv_parts *p = &layer->conv.parts;
    float *spare = pass->scratch, *v = spare + p->frames * p->w.bins * p->w.width;
    lc_first first = first_of(layer, pass, &pass->out, begin, spare);
    first.pooled.bias = pass->packed + p->bias;
    first.in = v;
    first.in_row = p->w.v_row;
    first.weights = pass->packed + p->tiles;
    pass->kernels->winograd_in(&(lc_rows){
        .to = v, .to_row = p->w.v_row, .from = corner, .from_row = pass->in.row, .n = p->w.reach, .tile = p->w.tile});
    pass->kernels->first_pool(&first);
}

/* Tiles of frames from `begin` on. */
static void tiles_forward(const lc_layer *layer, const lc_pass *pass, size_t begin, size_t frames)
{
    const lc_conv_parts *p = &layer->conv.parts;
    const lc_winograd *w = &p->w;
    size_t row = pass->in.row, size = w->bins * w->width, tiles_t = (frames + w->tile - 1) / w->tile;
    float *z = pass->scratch;
    const float *corner = pass->in.data + begin * row - layer->pad.before * row - layer->pad.left * layer->in.C;
    if (layer->conv.parts.is_first) { /* one tile: its group is that */
        first_forward(layer, pass, begin, corner);
        return;
    }
    lc_winograd_call call = {w, pass->kernels, tiles_t, corner, row, z + p->frames * size};
    lc_winograd_forward(&call, pass->packed + p->tiles);
    lc_pooled pooled = pooled_of(layer);
    pooled.bias = pass->packed + p->bias;
    for (size_t t = 0; layer->conv.parts.pooled_at_once && t < tiles_t; t++) {
        set_tile(&pooled, layer, pass, &pass->out, begin + t * w->tile, z);
        lc_winograd_pool(&call, t, &pooled);
    }
    if (layer->conv.parts.pooled_at_once)
        return;
    lc_winograd_out(&call, pass->packed + p->bias_row, z);
    for (size_t t = 0; t < frames; t++)
        finish_frame(layer, pass, z + t * size, pass->out.data + (begin + t) * pass->out.row,
                     pass->keep + (begin + t) * layer->keep);
}

void lc_conv_forward(const lc_layer *layer, const lc_pass *pass)
{
    const lc_conv_parts *p = &layer->conv.parts;
    size_t row = pass->in.row, end = pass->end;
    const float *corner = pass->in.data - layer->pad.before * row - layer->pad.left * layer->in.C;
    for (size_t begin = pass->begin; layer->conv.parts.by_tiles && begin < end; begin += p->frames)
        tiles_forward(layer, pass, begin, end - begin < p->frames ? end - begin : p->frames);
    for (size_t t = pass->begin; !layer->conv.parts.by_tiles && t < end; t++) {
        convolve_frame(layer, pass, corner + t * row, row, pass->scratch);
        finish_frame(layer, pass, pass->scratch, pass->out.data + t * pass->out.row, pass->keep + t * layer->keep);
    }
}

/* ---- backward ---- */

/* Bins past the last whole pool have no gradient. */
static void clear_rest(const lc_layer *layer, float *d, size_t width)
{
    size_t used = layer->out.F * layer->conv.pool;
    memset(d + used * width, 0, (layer->conv.parts.bins - used) * width * sizeof *d);
}

/* dz of one frame with norm, rows of width floats; adds to the gradients of bias, gain and shift. */
static void frame_dz_norm(const lc_layer *layer, const lc_pass *pass, size_t t, float *dy, float *dz)
{
    size_t bins = layer->conv.parts.bins, n = layer->conv.units, width = LC_COLUMNS(n);
    const float *d_out = pass->d_out.data + (t - pass->d_out.first) * pass->d_out.row;
    float *kept = pass->keep + t * layer->keep, *d_bias = pass->grads + layer->conv.parts.grads;
    float *unused = dy + bins * n; /* the bias gradient of an unpooled frame, which norm does not want */
    if (layer->conv.activation == LC_RELU) {
        memset(unused, 0, width * sizeof *unused);
        lc_frame_pool pool = {(uint8_t *)kept, layer->out.F, n, n, layer->conv.pool};
        pass->kernels->relu_unpool(&pool, dy, unused, d_out);
        clear_rest(layer, dy, n);
    } else {
        memcpy(dy, d_out, bins * n * sizeof *dy);
    }
    for (size_t i = 0; layer->conv.norm && i < norms_of(layer); i++) {
        lc_frame_norm norm = norm_of(layer, pass->packed, kept, i);
        pass->kernels->frame_norm_backward(&norm, dy + i * norm.size, d_bias + width, d_bias + 2 * width);
    }
    for (size_t f = 0; f < bins; f++) {
        for (size_t i = 0; i < n; i++) {
            dz[f * width + i] = dy[f * n + i];
            d_bias[i] += dy[f * n + i];
        }
        memset(dz + f * width + n, 0, (width - n) * sizeof *dz);
    }
}

/* dz of one frame, rows of width floats, from its d_out; adds to the gradient of the bias. Columns past n are zeros. */
static void frame_dz(const lc_layer *layer, const lc_pass *pass, size_t t, float *dy, float *dz)
{
    size_t n = layer->conv.units, width = LC_COLUMNS(n);
    if (layer->conv.norm || layer->conv.activation != LC_RELU) {
        frame_dz_norm(layer, pass, t, dy, dz);
        return;
    }
    if (width > n)
        memset(dz, 0, layer->conv.parts.bins * width * sizeof *dz);
    lc_frame_pool pool = {(uint8_t *)(pass->keep + t * layer->keep), layer->out.F, n, width, layer->conv.pool};
    pass->kernels->relu_unpool(&pool, dz, pass->grads + layer->conv.parts.grads,
                               pass->d_out.data + (t - pass->d_out.first) * pass->d_out.row);
    clear_rest(layer, dz, width);
}

/* Adds dz of frame t, times the transposed weights, to the frames that its windows covered. */
static void frame_d_in(const lc_layer *layer, const lc_pass *pass, size_t t, const float *dz, float *g)
{
    size_t bins = layer->conv.parts.bins, n = layer->conv.units, size = layer->conv.parts.window,
           wide = LC_COLUMNS(layer->conv.parts.rows);
    pass->kernels->product(&(lc_product){
        .out = g,
        .out_stride = wide,
        .a = dz,
        .a_stride = LC_COLUMNS(n),
        .b = pass->packed + layer->conv.parts.back,
        .taps = 1,
        .rows = bins,
        .depth = n,
        .columns = wide,
    });
    float *corner = pass->d_in.data + (t - pass->d_in.first) * pass->d_in.row - layer->pad.before * pass->d_in.row -
                    layer->pad.left * layer->in.C;
    for (size_t j = 0; j < layer->conv.kernel_t; j++) {
        for (size_t f = 0; f < bins; f++) {
            float *to = corner + j * layer->conv.dilate * pass->d_in.row + f * layer->conv.stride * layer->in.C;
            const float *from = g + f * wide + j * size;
            for (size_t i = 0; i < size; i++)
                to[i] += from[i];
        }
    }
}

/* A block of frames without tiles:  dw[j] += sum over frames and bins of window^T dz. g: scratch for one frame's d_in.
 */
static void block_back(const lc_layer *layer, const lc_pass *pass, size_t begin, size_t frames, const float *dz,
                       float *g)
{
    size_t bins = layer->conv.parts.bins, width = LC_COLUMNS(layer->conv.units), frame = bins * width;
    const float *corner = pass->in.data - layer->pad.before * pass->in.row - layer->pad.left * layer->in.C;
    for (size_t t = 0; pass->d_in.data != NULL && t < frames; t++)
        frame_d_in(layer, pass, begin + t, dz + t * frame, g);
    for (size_t j = 0; j < layer->conv.kernel_t; j++)
        pass->kernels->outer(&(lc_outer){
            .out = pass->grads + j * layer->conv.parts.window * width,
            .a = corner + (begin + j * layer->conv.dilate) * pass->in.row,
            .a_stride = layer->conv.stride * layer->in.C,
            .a_frame = pass->in.row,
            .d = dz,
            .d_stride = width,
            .d_frame = frame,
            .frames = frames,
            .rows = bins,
            .depth = layer->conv.parts.window,
            .columns = width,
        });
}

static void first_back(const lc_layer *layer, const lc_pass *pass, size_t begin, const float *in, float *spare)
{
    lc_first first = first_of(layer, pass, &pass->d_out, begin, spare);
    first.pooled.d_bias = pass->grads + layer->conv.parts.grads;
    first.in = in;
    first.in_row = pass->in.row;
    first.grads = pass->grads;
    pass->kernels->first_grads(&first);
}

/* From the gradient of the pooled output of a block of tiles to the points of time; d_bias is added to. */
static void tiles_unpool(const lc_layer *layer, const lc_pass *pass, const lc_winograd_call *call, size_t begin,
                         float *d_bias, float *spare)
{
    lc_pooled pooled = pooled_of(layer);
    pooled.d_bias = d_bias;
    for (size_t t = 0; t < call->tiles; t++) {
        set_tile(&pooled, layer, pass, &pass->d_out, begin + t * call->w->tile, spare);
        lc_winograd_unpool(call, t, &pooled);
    }
}

/* Scratch of the backward pass, as in the header of this file. */
typedef struct back_scratch {
    float *dz;   /* (frames of a block, bins, width) */
    float *dy;   /* (bins, n) of one frame, then the spare bias gradient (width) */
    float *rest; /* g of one frame, or Winograd's */
} back_scratch;

/* dz of frames begin..begin + frames - 1. */
static void block_dz(const lc_layer *layer, const lc_pass *pass, size_t begin, size_t frames, const back_scratch *s)
{
    size_t frame = layer->conv.parts.bins * LC_COLUMNS(layer->conv.units);
    for (size_t t = 0; t < frames; t++)
        frame_dz(layer, pass, begin + t, s->dy, s->dz + t * frame);
}

/* A block of frames by tiles. */
static void tiles_back(const lc_layer *layer, const lc_pass *pass, size_t begin, size_t frames, const back_scratch *s)
{
    const lc_conv_parts *p = &layer->conv.parts;
    const lc_winograd *w = &p->w;
    size_t row = pass->in.row, frame = w->bins * w->width, tiles_t = (frames + w->tile - 1) / w->tile;
    size_t margin = layer->pad.before * row + layer->pad.left * layer->in.C;
    lc_winograd_call call = {w, pass->kernels, tiles_t, pass->in.data + begin * row - margin, row, s->rest};
    float *d_in = pass->d_in.data != NULL ? pass->d_in.data + (begin - pass->d_in.first) * row - margin : NULL;
    float *grads = pass->grads, *d_bias = grads + p->grads;
    if (layer->conv.parts.pooled_at_once && frames % w->tile > 0) /* frames past the end add nothing to any gradient */
        memset(s->dz, 0, frame * sizeof *s->dz);
    if (layer->conv.parts.is_first) {
        first_back(layer, pass, begin, call.in, s->dz);
        if (d_in == NULL)
            return;
        grads = NULL; /* what follows is for d_in alone */
        d_bias = memset(s->dy + w->bins * w->n, 0, w->width * sizeof *s->dy);
    }
    if (layer->conv.parts.pooled_at_once) {
        tiles_unpool(layer, pass, &call, begin, d_bias, s->dz);
    } else {
        block_dz(layer, pass, begin, frames, s);
        memset(s->dz + frames * frame, 0, (tiles_t * w->tile - frames) * frame * sizeof *s->dz);
        lc_winograd_d_out(&call, s->dz);
    }
    size_t held = pass->d_in_held ? w->points : begin > 0 ? w->points - w->tile : 0;
    lc_winograd_backward(&call, pass->packed + p->back, grads, d_in, held);
}

void lc_conv_backward(const lc_layer *layer, const lc_pass *pass)
{
    size_t bins = layer->conv.parts.bins, n = layer->conv.units, width = LC_COLUMNS(n), most = layer->conv.parts.frames;
    back_scratch s = {.dz = pass->scratch};
    s.dy = s.dz + most * bins * width;
    s.rest = s.dy + bins * n + width;
    for (size_t begin = pass->begin; begin < pass->end; begin += most) {
        size_t frames = pass->end - begin < most ? pass->end - begin : most;
        if (layer->conv.parts.by_tiles) {
            tiles_back(layer, pass, begin, frames, &s);
            continue;
        }
        block_dz(layer, pass, begin, frames, &s);
        block_back(layer, pass, begin, frames, s.dz, s.rest);
    }
}

/* ---- streams ---- */

/* State: the number of frames seen, then frames with their padding, as many as taps reach over before those that come. */
size_t lc_conv_step(const lc_layer *layer, const lc_pass *pass)
{
    size_t row = (layer->in.F + layer->pad.left + layer->pad.right) * layer->in.C, n = pass->in.T, done = 0;
    float *seen = pass->keep, *frames = pass->keep + 1, *next = frames + lc_conv_reach(layer) * row;
    float *kept = pass->scratch + layer->scratch - layer->keep; /* written, never read */
    for (size_t t = 0; t < n; t++) {
        float *frame = next + t * row + layer->pad.left * layer->in.C;
        if (pass->in.data != NULL)
            memcpy(frame, pass->in.data + t * pass->in.row, layer->in.F * layer->in.C * sizeof *frames);
        else
            memset(frame, 0, layer->in.F * layer->in.C * sizeof *frames);
        /* stops long before a float no longer counts; look_ahead is below 1024 */
        *seen = *seen < 1e6f ? *seen + 1 : *seen;
        if (*seen <= (float)layer->look_ahead)
            continue;
        convolve_frame(layer, pass, frames + t * row, row, pass->scratch);
        finish_frame(layer, pass, pass->scratch, pass->out.data + done++ * pass->out.row, kept);
    }
    memmove(frames, frames + n * row, lc_conv_reach(layer) * row * sizeof *frames);
    return done;
}
