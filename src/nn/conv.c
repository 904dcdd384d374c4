/* SPDX-License-Identifier: MIT
 * conv.c - convolution over (time, frequency), fused with bias, normalisation, ReLU and max-pooling.
 *
 *   z[t][f][n] = bias[n] + sum_(j, i, c) in[t + j - before][f * stride + i - left][c] * w[j][i][c][n]
 *   norm:  x = (z - mean_t) / sd_t over all bins and channels of the frame, y = gain[n] x + shift[n]
 *   out[t][q][n] = max(0, max over the pool of y)
 *
 * A frame's window of kernel_f bins is contiguous in (T, F, C), so that one frame is a matrix product of overlapping
 * rows. The unpooled row lives in scratch and never reaches memory: the way back needs only which neighbour won, and
 * with norm the normalised row. Padding reads zeros that stand around the input.
 *
 * Way back, in blocks of BLOCK frames so that their dz stays in cache: dw is an outer product of input windows and dz;
 * the gradient of the input is dz times the transposed weights, added over the overlapping windows. Kernels of three
 * frames go by tiles of four or five frames with a half or a quarter of the multiplications (winograd.c), both
 * ways, and with ReLU from the tile to the pooled output in one pass; a kernel of 3x4 on one channel has kernels of
 * its own (first_body.h). A stream goes the direct way.
 *
 * Scratch: dz (frames of a block, bins, width), forward z in its place | dy (bins, n) and a spare bias gradient (width)
 * | g (bins, columns of weights), or Winograd's | what a stream would keep. Forward, Winograd's begins at dy, which
 * only the way back uses. Kept for each frame: which (out_F, n) bytes, then with norm x (bins, n) and 1 / sd; where a
 * tile is pooled at once, which of its frames lies together, bits of one float a value (lc_pooled). */
#include "base/status.h"
#include "nn/layer.h"
#include "nn/winograd.h"

#include <string.h>

/* BLOCK: frames of one outer product, whose dz still fits the cache. What is handed on at once are BLOCKS of them or
 * BLOCK_TILES tiles of time, or one group of these (winograd.c) where that is more. */
enum { BLOCK = 8, BLOCKS = 2, BLOCK_TILES = 4 };

/* ---- description ---- */

static loco_status parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    long number = 1;
    loco_status status = lc_words_pair(words, &layer->kernel_t, &layer->kernel_f,
                                       "the kernel as frames x bins, such as 3x4, each 1 to 64", err);
    if (status != LOCO_OK)
        return status;
    status = lc_words_number(words, &number, 1, 4096, "the number of channels, 1 to 4096", err);
    layer->units = (size_t)number;
    layer->stride = layer->pool = 1;
    layer->activation = LC_RELU;
    for (size_t length; status == LOCO_OK && (lc_words_peek(words, &length), length > 0);) {
        if (lc_words_take(words, "stride")) {
            status = lc_words_number(words, &number, 1, 64, "the stride in bins, 1 to 64", err);
            layer->stride = (size_t)number;
        } else if (lc_words_take(words, "causal")) {
            layer->causal = true;
        } else if (lc_words_take(words, "norm")) {
            layer->norm = true;
        } else if (lc_words_take(words, "linear")) {
            layer->activation = LC_LINEAR;
        } else {
            break;
        }
    }
    return status;
}

static void format(const lc_layer *layer, lc_text *text)
{
    lc_text_format(text, "conv %zux%zu %zu", layer->kernel_t, layer->kernel_f, layer->units);
    if (layer->stride > 1)
        lc_text_format(text, " stride %zu", layer->stride);
    if (layer->causal)
        lc_text_string(text, " causal");
    if (layer->norm)
        lc_text_string(text, " norm");
    if (layer->activation == LC_LINEAR)
        lc_text_string(text, " linear");
    if (layer->pool > 1)
        lc_text_format(text, ", pool %zu", layer->pool);
}

static size_t conv_bins(const lc_layer *layer)
{
    return (layer->in_F + layer->stride - 1) / layer->stride;
}

static size_t window(const lc_layer *layer)
{
    return layer->kernel_f * layer->in_C;
}

static size_t weights(const lc_layer *layer)
{
    return layer->kernel_t * window(layer);
}

/* Floats for one byte an output value. Four frames of these have room for the float a value that a tile keeps. */
static size_t which_floats(const lc_layer *layer)
{
    return (layer->out_F * layer->units + 3) / 4;
}

/* Winograd's way pays even for one channel and a window of 4 (8 channels of 144 bins: 0.26 ms forward and 0.19 back for
 * 400 frames, where the direct way takes 0.29 and 0.28). */
static bool by_tiles(const lc_layer *layer)
{
    return layer->kernel_t == 3 && layer->stride <= layer->kernel_f && window(layer) >= 4;
}

/* Whether a tile goes from the points of time to the pooled output in one pass, and back. A pool of 64 has one
 * winner more than lc_pooled has numbers for. */
static bool pooled_at_once(const lc_layer *layer)
{
    return layer->activation == LC_RELU && !layer->norm && layer->pool <= LC_NO_WINNER;
}

/* Whether it has kernels of its own (first_body.h), as a first layer for sound: a drum step takes about 2 % less than
 * with those of any convolution. */
static bool is_first(const lc_layer *layer)
{
    return by_tiles(layer) && pooled_at_once(layer) && layer->in_C == 1 && layer->kernel_f == LC_FIRST_WINDOW &&
           layer->stride == 1 && layer->pool <= LC_FIRST_POOL;
}

typedef lc_conv_parts parts;

static parts parts_of(const lc_layer *layer)
{
    size_t width = LC_COLUMNS(layer->units), rows = weights(layer), bins = conv_bins(layer);
    parts p = {.grads = rows * width, .frames = BLOCK};
    p.bias = rows * width;
    p.gain = p.bias + width;
    p.shift = p.gain + width;
    p.back = LC_TO_CACHE_LINE(p.shift + width);
    if (!by_tiles(layer)) {
        p.end = p.back + layer->units * LC_COLUMNS(rows) + LC_OVERRUN;
        return p;
    }
    /* the direct weights stay even with Winograd: a stream needs them */
    p.w = lc_winograd_of(bins, layer->units, layer->in_C, layer->kernel_f, layer->stride);
    p.grads = is_first(layer) ? rows * width : p.w.weights;
    p.frames = p.w.tile * p.w.group;
    p.tiles = LC_TO_CACHE_LINE(p.back + p.w.back);
    p.bias_row = p.tiles + p.w.weights;
    p.end = p.bias_row + (pooled_at_once(layer) ? 0 : bins * width) + LC_OVERRUN;
    return p;
}

static loco_status shape(lc_layer *layer, loco_err *err)
{
    size_t bins = conv_bins(layer), n = layer->units, width = LC_COLUMNS(n);
    size_t reach = (bins - 1) * layer->stride + layer->kernel_f;
    size_t around = reach > layer->in_F ? reach - layer->in_F : 0;
    parts p = parts_of(layer);
    size_t least = by_tiles(layer) ? BLOCK_TILES * p.w.tile : BLOCKS * BLOCK;
    if (layer->pool > bins)
        return lc_err_set(
            err, LOCO_EDATA,
            "network line, column %zu: pool %zu on %zu bins leaves none; use a smaller one, or fewer pools",
            layer->column, layer->pool, bins);
    layer->out_F = bins / layer->pool;
    layer->out_C = n;
    layer->pad.before = layer->causal ? layer->kernel_t - 1 : (layer->kernel_t - 1) / 2;
    layer->look_ahead = layer->kernel_t - 1 - layer->pad.before;
    layer->tile = by_tiles(layer) ? p.w.tile : 1;
    layer->pad.after = layer->look_ahead + layer->tile - 1; /* the last tile may begin at the last frame */
    layer->pad.left = around / 2;
    layer->pad.right = around - layer->pad.left;
    if (by_tiles(layer)) /* the last tile may reach further */
        layer->pad.right = p.w.reach - layer->in_F - layer->pad.left;
    layer->sets_d_in = by_tiles(layer);
    layer->conv = p;
    layer->block = (least + p.frames - 1) / p.frames * p.frames;
    layer->params = weights(layer) * n + (layer->norm ? 3 : 1) * n;
    layer->packed = p.end;
    layer->grads = p.grads + 3 * width + LC_OVERRUN;
    layer->keep = which_floats(layer) + (layer->norm ? bins * n + 1 : 0);
    layer->scratch = p.frames * bins * width + bins * n + width + LC_OVERRUN +
                     (by_tiles(layer) ? p.w.scratch : bins * LC_COLUMNS(weights(layer)));
    layer->scratch += layer->keep; /* step has no tape to keep to */
    layer->state = 1 + (layer->kernel_t - 1 + LC_STREAM_BLOCK) * (layer->in_F + layer->pad.left + layer->pad.right) *
                           layer->in_C;
    return LOCO_OK;
}

static size_t tensors(const lc_layer *layer, lc_tensor *t)
{
    t[0] = (lc_tensor){
        "weight", {layer->kernel_t, layer->kernel_f, layer->in_C, layer->units},
         4
    };
    t[1] = (lc_tensor){"bias", {layer->units}, 1};
    t[2] = (lc_tensor){"gain", {layer->units}, 1};
    t[3] = (lc_tensor){"shift", {layer->units}, 1};
    return layer->norm ? 4 : 2;
}

static void init(const lc_layer *layer, float *params, lc_rng *rng)
{
    size_t n = layer->units, size = weights(layer) * n;
    lc_init_he(params, size, weights(layer), rng);
    memset(params + size, 0, (layer->params - size) * sizeof *params);
    for (size_t i = 0; layer->norm && i < n; i++)
        params[size + n + i] = 1;
}

static void pack(const lc_layer *layer, const float *params, float *packed)
{
    const parts *p = &layer->conv;
    size_t n = layer->units, rows = weights(layer), width = LC_COLUMNS(n);
    const float *rest = params + rows * n;
    lc_pack_rows(packed + p->weight, params, rows, n);
    lc_pack_rows(packed + p->bias, rest, 1, n);
    if (layer->norm) {
        lc_pack_rows(packed + p->gain, rest + n, 1, n);
        lc_pack_rows(packed + p->shift, rest + 2 * n, 1, n);
    }
    if (!by_tiles(layer)) {
        lc_pack_transposed(packed + p->back, params, rows, n);
        return;
    }
    lc_winograd_pack(&p->w, params, packed + p->tiles);
    lc_winograd_pack_back(&p->w, packed + p->tiles, packed + p->back);
    /* the bias once for each bin: the output transform then is one loop along the whole row */
    for (size_t f = 0; !pooled_at_once(layer) && f < p->w.bins; f++)
        memcpy(packed + p->bias_row + f * width, packed + p->bias, width * sizeof *packed);
}

static void unpack(const lc_layer *layer, const float *grads, float *d_params)
{
    size_t n = layer->units, rows = weights(layer), width = LC_COLUMNS(n);
    const parts *p = &layer->conv;
    if (by_tiles(layer) && !is_first(layer))
        lc_winograd_unpack(&p->w, grads, d_params);
    else
        lc_unpack_rows(d_params, grads, rows, n);
    for (size_t part = 0; part < (layer->norm ? 3u : 1u); part++)
        lc_unpack_rows(d_params + (rows + part) * n, grads + p->grads + part * width, 1, n);
}

/* ---- forward ---- */

/* Rows of width floats become rows of n, in place. */
static void squeeze(float *z, size_t bins, size_t width, size_t n)
{
    for (size_t f = 1; width > n && f < bins; f++)
        memmove(z + f * n, z + f * width, n * sizeof *z);
}

/* The mean is that of all channels together, so that a bias of one channel is not lost in it and stays a parameter. */
static lc_frame_norm norm_of(const lc_layer *layer, const parts *p, const float *packed, float *kept)
{
    return (lc_frame_norm){
        .gain = packed + p->gain,
        .shift = packed + p->shift,
        .kept = kept + which_floats(layer),
        .size = conv_bins(layer) * layer->units,
        .channels = layer->units,
    };
}

/* One frame of z, directly: in points at its first window (row -before, bin -left). */
static void convolve_frame(const lc_layer *layer, const lc_pass *pass, const parts *p, const float *in, size_t row,
                           float *z)
{
    size_t width = LC_COLUMNS(layer->units);
    pass->kernels->product(&(lc_product){
        .out = z,
        .out_stride = width,
        .a = in,
        .a_stride = layer->stride * layer->in_C,
        .tap_stride = row,
        .b = pass->packed + p->weight,
        .bias = pass->packed + p->bias,
        .taps = layer->kernel_t,
        .rows = conv_bins(layer),
        .depth = window(layer),
        .columns = width,
    });
}

/* From z, rows of width floats, to the output. */
static void finish_frame(const lc_layer *layer, const lc_pass *pass, const parts *p, float *z, float *out, float *kept)
{
    size_t bins = conv_bins(layer), n = layer->units, width = LC_COLUMNS(n);
    if (layer->norm || layer->activation != LC_RELU) {
        /* padding columns would count in mean and variance */
        squeeze(z, bins, width, n);
        width = n;
    }
    if (layer->norm) {
        lc_frame_norm norm = norm_of(layer, p, pass->packed, kept);
        pass->kernels->frame_norm_forward(&norm, z);
    }
    if (layer->activation == LC_RELU)
        pass->kernels->relu_pool(out, (uint8_t *)kept, z, layer->out_F, n, width, layer->pool);
    else
        memcpy(out, z, bins * n * sizeof *out);
}

static lc_pooled pooled_of(const lc_layer *layer)
{
    return (lc_pooled){.bins = layer->out_F, .c = layer->units, .pool = layer->pool};
}

/* The frames from `begin` on, at most a tile, of the output or its gradient. A last tile may be short: the frames that
 * it lacks are `spare`, with room for one. */
static void set_tile(lc_pooled *pooled, const lc_layer *layer, const lc_pass *pass, const lc_map *map, size_t begin,
                     float *spare)
{
    pooled->which = pass->keep + begin * layer->keep;
    for (size_t r = 0; r < layer->conv.w.tile; r++)
        pooled->y[r] = begin + r < map->T ? map->data + (begin + r - map->first) * map->row : spare;
}

/* What the kernels of a first layer need to know of a tile. */
static lc_first first_of(const lc_layer *layer, const lc_pass *pass, const parts *p, const lc_map *map, size_t begin,
                         float *spare)
{
    lc_first first = {.pooled = pooled_of(layer), .width = p->w.width};
    set_tile(&first.pooled, layer, pass, map, begin, spare);
    return first;
}

static void first_forward(const lc_layer *layer, const lc_pass *pass, const parts *p, size_t begin, const float *corner)
{
    float *spare = pass->scratch, *v = spare + p->frames * p->w.bins * p->w.width;
    lc_first first = first_of(layer, pass, p, &pass->out, begin, spare);
    first.pooled.bias = pass->packed + p->bias;
    first.in = v;
    first.in_row = p->w.v_row;
    first.weights = pass->packed + p->tiles;
    pass->kernels->winograd_in(&(lc_rows){
        .to = v, .to_row = p->w.v_row, .from = corner, .from_row = pass->in.row, .n = p->w.reach, .tile = p->w.tile});
    pass->kernels->first_pool(&first);
}

/* Tiles of frames from `begin` on. */
static void tiles_forward(const lc_layer *layer, const lc_pass *pass, const parts *p, size_t begin, size_t frames)
{
    const lc_winograd *w = &p->w;
    size_t row = pass->in.row, size = w->bins * w->width, tiles_t = (frames + w->tile - 1) / w->tile;
    float *z = pass->scratch, *rest = z + p->frames * size;
    const float *corner = pass->in.data + begin * row - layer->pad.before * row - layer->pad.left * layer->in_C;
    if (is_first(layer)) { /* one tile: its group is that */
        first_forward(layer, pass, p, begin, corner);
        return;
    }
    lc_winograd_forward(w, pass->kernels, pass->packed + p->tiles, corner, row, tiles_t, rest);
    lc_pooled pooled = pooled_of(layer);
    pooled.bias = pass->packed + p->bias;
    for (size_t t = 0; pooled_at_once(layer) && t < tiles_t; t++) {
        set_tile(&pooled, layer, pass, &pass->out, begin + t * w->tile, z);
        lc_winograd_pool(w, pass->kernels, t, &pooled, rest);
    }
    if (pooled_at_once(layer))
        return;
    lc_winograd_out(w, pass->kernels, pass->packed + p->bias_row, tiles_t, z, rest);
    for (size_t t = 0; t < frames; t++)
        finish_frame(layer, pass, p, z + t * size, pass->out.data + (begin + t) * pass->out.row,
                     pass->keep + (begin + t) * layer->keep);
}

static void forward(const lc_layer *layer, const lc_pass *pass)
{
    const parts *p = &layer->conv;
    size_t row = pass->in.row, end = pass->end;
    const float *corner = pass->in.data - layer->pad.before * row - layer->pad.left * layer->in_C;
    for (size_t begin = pass->begin; by_tiles(layer) && begin < end; begin += p->frames)
        tiles_forward(layer, pass, p, begin, end - begin < p->frames ? end - begin : p->frames);
    for (size_t t = pass->begin; !by_tiles(layer) && t < end; t++) {
        convolve_frame(layer, pass, p, corner + t * row, row, pass->scratch);
        finish_frame(layer, pass, p, pass->scratch, pass->out.data + t * pass->out.row, pass->keep + t * layer->keep);
    }
}

/* ---- backward ---- */

/* Bins past the last whole pool have no say. */
static void clear_rest(const lc_layer *layer, float *d, size_t width)
{
    size_t used = layer->out_F * layer->pool;
    memset(d + used * width, 0, (conv_bins(layer) - used) * width * sizeof *d);
}

/* dz of one frame with norm, rows of width floats; adds to the gradients of bias, gain and shift. */
static void frame_dz_norm(const lc_layer *layer, const lc_pass *pass, const parts *p, size_t t, float *dy, float *dz)
{
    size_t bins = conv_bins(layer), n = layer->units, width = LC_COLUMNS(n);
    const float *d_out = pass->d_out.data + (t - pass->d_out.first) * pass->d_out.row;
    float *kept = pass->keep + t * layer->keep, *d_bias = pass->grads + p->grads;
    float *unused = dy + bins * n; /* the bias gradient of an unpooled frame, which norm does not want */
    if (layer->activation == LC_RELU) {
        memset(unused, 0, width * sizeof *unused);
        pass->kernels->relu_unpool(dy, unused, d_out, (const uint8_t *)kept, layer->out_F, n, n, layer->pool);
        clear_rest(layer, dy, n);
    } else {
        memcpy(dy, d_out, bins * n * sizeof *dy);
    }
    if (layer->norm) {
        lc_frame_norm norm = norm_of(layer, p, pass->packed, kept);
        pass->kernels->frame_norm_backward(&norm, dy, d_bias + width, d_bias + 2 * width);
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
static void frame_dz(const lc_layer *layer, const lc_pass *pass, const parts *p, size_t t, float *dy, float *dz)
{
    size_t n = layer->units, width = LC_COLUMNS(n);
    if (layer->norm || layer->activation != LC_RELU) {
        frame_dz_norm(layer, pass, p, t, dy, dz);
        return;
    }
    if (width > n)
        memset(dz, 0, conv_bins(layer) * width * sizeof *dz);
    pass->kernels->relu_unpool(dz, pass->grads + p->grads, pass->d_out.data + (t - pass->d_out.first) * pass->d_out.row,
                               (const uint8_t *)(pass->keep + t * layer->keep), layer->out_F, n, width, layer->pool);
    clear_rest(layer, dz, width);
}

/* Adds dz of frame t, times the transposed weights, to the frames that its windows covered. */
static void frame_d_in(const lc_layer *layer, const lc_pass *pass, const parts *p, size_t t, const float *dz, float *g)
{
    size_t bins = conv_bins(layer), n = layer->units, size = window(layer), wide = LC_COLUMNS(weights(layer));
    pass->kernels->product(&(lc_product){
        .out = g,
        .out_stride = wide,
        .a = dz,
        .a_stride = LC_COLUMNS(n),
        .b = pass->packed + p->back,
        .taps = 1,
        .rows = bins,
        .depth = n,
        .columns = wide,
    });
    float *corner = pass->d_in.data + (t - pass->d_in.first) * pass->d_in.row - layer->pad.before * pass->d_in.row -
                    layer->pad.left * layer->in_C;
    for (size_t j = 0; j < layer->kernel_t; j++) {
        for (size_t f = 0; f < bins; f++) {
            float *to = corner + j * pass->d_in.row + f * layer->stride * layer->in_C;
            const float *from = g + f * wide + j * size;
            for (size_t i = 0; i < size; i++)
                to[i] += from[i];
        }
    }
}

/* A block of frames the direct way; g: scratch for one frame's d_in. */
static void block_back(const lc_layer *layer, const lc_pass *pass, const parts *p, size_t begin, size_t frames,
                       const float *dz, float *g)
{
    size_t bins = conv_bins(layer), width = LC_COLUMNS(layer->units), frame = bins * width;
    const float *corner = pass->in.data - layer->pad.before * pass->in.row - layer->pad.left * layer->in_C;
    for (size_t t = 0; pass->d_in.data != NULL && t < frames; t++)
        frame_d_in(layer, pass, p, begin + t, dz + t * frame, g);
    for (size_t j = 0; j < layer->kernel_t; j++)
        pass->kernels->outer(&(lc_outer){
            .out = pass->grads + j * window(layer) * width,
            .a = corner + (begin + j) * pass->in.row,
            .a_stride = layer->stride * layer->in_C,
            .a_frame = pass->in.row,
            .d = dz,
            .d_stride = width,
            .d_frame = frame,
            .frames = frames,
            .rows = bins,
            .depth = window(layer),
            .columns = width,
        });
}

static void first_back(const lc_layer *layer, const lc_pass *pass, const parts *p, size_t begin, const float *in,
                       float *spare)
{
    lc_first first = first_of(layer, pass, p, &pass->d_out, begin, spare);
    first.pooled.d_bias = pass->grads + p->grads;
    first.in = in;
    first.in_row = pass->in.row;
    first.grads = pass->grads;
    pass->kernels->first_grads(&first);
}

/* From the gradient of the pooled output of a block of tiles to the points of time; d_bias is added to. */
static void tiles_unpool(const lc_layer *layer, const lc_pass *pass, const parts *p, size_t begin, size_t tiles_t,
                         float *d_bias, float *spare, float *rest)
{
    lc_pooled pooled = pooled_of(layer);
    pooled.d_bias = d_bias;
    for (size_t t = 0; t < tiles_t; t++) {
        set_tile(&pooled, layer, pass, &pass->d_out, begin + t * p->w.tile, spare);
        lc_winograd_unpool(&p->w, pass->kernels, t, &pooled, rest);
    }
}

/* A block of frames by tiles; dy: scratch for one frame's. */
static void tiles_back(const lc_layer *layer, const lc_pass *pass, const parts *p, size_t begin, size_t frames,
                       float *dz, float *dy, float *rest)
{
    const lc_winograd *w = &p->w;
    size_t row = pass->in.row, frame = w->bins * w->width, tiles_t = (frames + w->tile - 1) / w->tile;
    size_t margin = layer->pad.before * row + layer->pad.left * layer->in_C;
    const float *in = pass->in.data + begin * row - margin;
    float *d_in = pass->d_in.data != NULL ? pass->d_in.data + (begin - pass->d_in.first) * row - margin : NULL;
    float *grads = pass->grads, *d_bias = grads + p->grads;
    if (pooled_at_once(layer) && frames % w->tile > 0) /* frames past the end add nothing to any gradient */
        memset(dz, 0, frame * sizeof *dz);
    if (is_first(layer)) {
        first_back(layer, pass, p, begin, in, dz);
        if (d_in == NULL)
            return;
        grads = NULL; /* what follows is for d_in alone */
        d_bias = memset(dy + w->bins * w->n, 0, w->width * sizeof *dy);
    }
    if (pooled_at_once(layer)) {
        tiles_unpool(layer, pass, p, begin, tiles_t, d_bias, dz, rest);
    } else {
        for (size_t t = 0; t < frames; t++)
            frame_dz(layer, pass, p, begin + t, dy, dz + t * frame);
        memset(dz + frames * frame, 0, (tiles_t * w->tile - frames) * frame * sizeof *dz);
        lc_winograd_d_out(w, pass->kernels, tiles_t, dz, rest);
    }
    lc_winograd_backward(w, pass->kernels, pass->packed + p->back, in, row, tiles_t, grads, d_in,
                         pass->d_in_held ? w->points
                         : begin > 0     ? w->points - w->tile
                                         : 0,
                         rest);
}

static void backward(const lc_layer *layer, const lc_pass *pass)
{
    const parts *p = &layer->conv;
    size_t bins = conv_bins(layer), frame = bins * LC_COLUMNS(layer->units);
    float *dz = pass->scratch, *dy = dz + p->frames * frame,
          *rest = dy + bins * layer->units + LC_COLUMNS(layer->units);
    for (size_t begin = pass->begin; begin < pass->end; begin += p->frames) {
        size_t frames = pass->end - begin < p->frames ? pass->end - begin : p->frames;
        if (by_tiles(layer)) {
            tiles_back(layer, pass, p, begin, frames, dz, dy, rest);
            continue;
        }
        for (size_t t = 0; t < frames; t++)
            frame_dz(layer, pass, p, begin + t, dy, dz + t * frame);
        block_back(layer, pass, p, begin, frames, dz, rest);
    }
}

/* ---- streams ---- */

/* State: the number of frames seen, then frames with their padding, the last kernel_t - 1 before those that come. */
static size_t step(const lc_layer *layer, const lc_pass *pass)
{
    size_t row = (layer->in_F + layer->pad.left + layer->pad.right) * layer->in_C, n = pass->in.T, done = 0;
    float *seen = pass->keep, *frames = pass->keep + 1, *next = frames + (layer->kernel_t - 1) * row;
    float *kept = pass->scratch + layer->scratch - layer->keep; /* written, never read */
    const parts *p = &layer->conv;
    for (size_t t = 0; t < n; t++) {
        float *frame = next + t * row + layer->pad.left * layer->in_C;
        if (pass->in.data != NULL)
            memcpy(frame, pass->in.data + t * pass->in.row, layer->in_F * layer->in_C * sizeof *frames);
        else
            memset(frame, 0, layer->in_F * layer->in_C * sizeof *frames);
        /* stops long before a float no longer counts; look_ahead is below 64 */
        *seen = *seen < 1e6f ? *seen + 1 : *seen;
        if (*seen <= (float)layer->look_ahead)
            continue;
        convolve_frame(layer, pass, p, frames + t * row, row, pass->scratch);
        finish_frame(layer, pass, p, pass->scratch, pass->out.data + done++ * pass->out.row, kept);
    }
    memmove(frames, frames + n * row, (layer->kernel_t - 1) * row * sizeof *frames);
    return done;
}

const lc_layer_ops lc_conv_ops = {
    .name = "conv",
    .usage = "conv FRAMESxBINS CHANNELS [stride N] [causal] [norm] [linear], then perhaps: pool BINS",
    .parse = parse,
    .format = format,
    .shape = shape,
    .tensors = tensors,
    .init = init,
    .pack = pack,
    .unpack = unpack,
    .forward = forward,
    .backward = backward,
    .step = step,
};
