/* SPDX-License-Identifier: MIT
 * image.c - frames that are small images: 3x3 convolutions with zeros around, ReLU, max-pool 2x2; VGG's building block.
 *
 *     image 32x32 64 64, pool 2x2, image 128 128, pool 2x2, ..., lstm 48, dense 10
 *
 * The first one says height x width; a frame then holds (height, width, C) numbers. Later ones have the size that came
 * out. Several numbers of channels are several convolutions of one layer. No frame depends on another: no look-ahead,
 * and a stream runs as a clip does.
 *
 * Frames go through all convolutions of a layer in blocks (image_conv.c), since a deep map alone is too small for a
 * product. Maps between two convolutions are kept, except those from few input channels, which cost less to compute
 * again than to hold: for VGG-13 that is the largest map of all, 256 kB a frame. Gradients between them exist for one
 * block.
 *
 * Params: weight (3, 3, c, n) and bias (n) of each convolution. Kept for each frame: which pixel of each square won,
 * (pixels out, wide_n) bytes | maps between, after ReLU. Scratch: two buffers of z or dz of a block | maps computed
 * again | scratch of a convolution. */
#include "base/status.h"
#include "nn/image_conv.h"
#include "nn/layer.h"

#include <string.h>

/* Floats of a frame: the limit that line.c sets for the output of a layer holds for the maps inside this one, too. */
enum { MAP_MAX = 1 << 20 };

/* ---- description ---- */

static loco_status parse(lc_layer *layer, lc_words *words, loco_err *err)
{
    size_t length;
    const char *word = lc_words_peek(words, &length);
    loco_status status = LOCO_OK;
    layer->image.pool = 1;
    if (length > 0 && memchr(word, 'x', length) != NULL)
        status = lc_words_pair(words, &layer->image.height, &layer->image.width,
                               "the image as height x width, such as 32x32, each 1 to 64", err);
    do {
        long number = 1;
        if (status == LOCO_OK)
            status = lc_words_number(words, &number, 1, 4096, "a number of channels, 1 to 4096", err);
        if (status != LOCO_OK)
            return status;
        layer->image.channels[layer->image.channels_len++] = (size_t)number;
        word = lc_words_peek(words, &length);
    } while (length > 0 && *word >= '0' && *word <= '9' && layer->image.channels_len < LC_IMAGE_CONVS);
    return LOCO_OK;
}

static void format(const lc_layer *layer, lc_text *text)
{
    lc_text_string(text, "image");
    if (layer->image.height > 0)
        lc_text_format(text, " %zux%zu", layer->image.height, layer->image.width);
    for (size_t i = 0; i < layer->image.channels_len; i++)
        lc_text_format(text, " %zu", layer->image.channels[i]);
    if (layer->image.pool > 1)
        lc_text_string(text, ", pool 2x2");
}

/* As written, or else those of the layer before. */
static size_t height(const lc_layer *layer)
{
    return layer->image.height > 0 ? layer->image.height : layer->in.height;
}

static size_t width(const lc_layer *layer)
{
    return layer->image.height > 0 ? layer->image.width : layer->in.width;
}

/* Convolution i. The first reads as many channels as the numbers of a frame leave for its pixels. */
static lc_image_conv conv_of(const lc_layer *layer, size_t i)
{
    size_t H = height(layer), W = width(layer), values = layer->in.F * layer->in.C;
    return lc_image_conv_of(H, W, i == 0 ? values / (H * W) : layer->image.channels[i - 1], layer->image.channels[i]);
}

static size_t last_of(const lc_layer *layer)
{
    return layer->image.channels_len - 1;
}

/* Whether the map behind convolution i is kept for the backward pass; the output of the last one is the layer's own. */
static bool is_kept(const lc_layer *layer, size_t i)
{
    return i < last_of(layer) && conv_of(layer, i).way != LC_IMAGE_PATCHES;
}

/* A byte for each channel of each output pixel. */
static size_t which_floats(const lc_layer *layer)
{
    return layer->out.F * conv_of(layer, last_of(layer)).wide_n / 4;
}

/* Refuses an unknown size, a frame that is not such an image, a pool that leaves nothing, and maps beyond the limit. */
static loco_status check_image(const lc_layer *layer, loco_err *err)
{
    size_t H = height(layer), W = width(layer), values = layer->in.F * layer->in.C;
    if (H == 0)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: the size of the image is not known here; write it: image 32x32 64",
                          layer->column);
    if (values % (H * W) != 0)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: a frame of %zu numbers is not an image of %zux%zu with any "
                          "number of channels",
                          layer->column, values, H, W);
    if (H < layer->image.pool || W < layer->image.pool)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: pool 2x2 of an image of %zux%zu leaves none; use fewer pools",
                          layer->column, H, W);
    for (size_t i = 0; i <= last_of(layer); i++)
        if (H * W * layer->image.channels[i] > MAP_MAX)
            return lc_err_set(
                err, LOCO_EDATA,
                "network line, column %zu: %zu channels of %zux%zu are %zu numbers a frame; at most %d are "
                "possible",
                layer->column, layer->image.channels[i], H, W, H * W * layer->image.channels[i], MAP_MAX);
    return LOCO_OK;
}

/* Sums what the convolutions want; their scratch is one, since only one works at a time. */
static void add_up(lc_layer *layer)
{
    size_t scratch = 0, most = 0, again = 0;
    layer->keep = which_floats(layer);
    for (size_t i = 0; i <= last_of(layer); i++) {
        lc_image_conv conv = conv_of(layer, i);
        size_t wants = lc_image_conv_scratch(&conv), block = conv.frames * conv.out_size;
        layer->params.size += (LC_IMAGE_TAPS * conv.c + 1) * conv.n;
        layer->packed.size += lc_image_conv_packed(&conv);
        layer->grads.size += lc_image_conv_grads(&conv);
        layer->keep += is_kept(layer, i) ? conv.out_size : 0;
        again += i < last_of(layer) && !is_kept(layer, i) ? block : 0;
        scratch = wants > scratch ? wants : scratch;
        most = block > most ? block : most;
    }
    layer->scratch = 2 * most + again + scratch;
    layer->state = layer->keep; /* a stream's frame has no other place to keep it */
}

static loco_status shape(lc_layer *layer, loco_err *err)
{
    loco_status status = check_image(layer, err);
    if (status != LOCO_OK)
        return status;
    layer->out.height = height(layer) / layer->image.pool;
    layer->out.width = width(layer) / layer->image.pool;
    layer->out.F = layer->out.height * layer->out.width;
    layer->out.C = layer->image.channels[last_of(layer)];
    add_up(layer);
    return LOCO_OK;
}

static size_t tensors(const lc_layer *layer, lc_tensor *t)
{
    static const char *const weights[] = {"weight", "weight2", "weight3", "weight4"};
    static const char *const biases[] = {"bias", "bias2", "bias3", "bias4"};
    for (size_t i = 0; i < layer->image.channels_len; i++) {
        lc_image_conv conv = conv_of(layer, i);
        t[2 * i] = (lc_tensor){
            weights[i], {3, 3, conv.c, conv.n},
             4
        };
        t[2 * i + 1] = (lc_tensor){biases[i], {conv.n}, 1};
    }
    return 2 * layer->image.channels_len;
}

static void init(const lc_layer *layer, float *params, lc_rng *rng)
{
    for (size_t i = 0; i < layer->image.channels_len; i++) {
        lc_image_conv conv = conv_of(layer, i);
        size_t fan_in = LC_IMAGE_TAPS * conv.c;
        lc_init_he(params, fan_in * conv.n, fan_in, rng);
        memset(params + fan_in * conv.n, 0, conv.n * sizeof *params);
        params += (fan_in + 1) * conv.n;
    }
}

static void pack(const lc_layer *layer, const float *params, float *packed)
{
    for (size_t i = 0; i < layer->image.channels_len; i++) {
        lc_image_conv conv = conv_of(layer, i);
        lc_image_conv_pack(&conv, params, packed);
        params += (LC_IMAGE_TAPS * conv.c + 1) * conv.n;
        packed += lc_image_conv_packed(&conv);
    }
}

static void unpack(const lc_layer *layer, const float *grads, float *d_params)
{
    for (size_t i = 0; i < layer->image.channels_len; i++) {
        lc_image_conv conv = conv_of(layer, i);
        lc_image_conv_unpack(&conv, grads, d_params);
        d_params += (LC_IMAGE_TAPS * conv.c + 1) * conv.n;
        grads += lc_image_conv_grads(&conv);
    }
}

/* ---- one block of frames ---- */

/* What a block works on. */
typedef struct block {
    const lc_layer *layer;
    const lc_pass *pass;
    const lc_image_kernels *kernels;
    lc_image_conv convs[LC_IMAGE_CONVS];
    lc_images maps[LC_IMAGE_CONVS]; /* what each convolution but the last puts out, after ReLU */
    lc_image_pass calls[LC_IMAGE_CONVS];
    float *z, *other;     /* frames * out_size */
    size_t begin, frames; /* of the sequence */
} block;

/* The parts that are the same for all blocks. */
static block block_of(const lc_layer *layer, const lc_pass *pass)
{
    block b = {.layer = layer, .pass = pass, .kernels = lc_image_kernels_for(pass->kernels)};
    const float *packed = pass->packed;
    float *grads = pass->grads, *scratch = pass->scratch;
    size_t most = 0;
    for (size_t i = 0; i <= last_of(layer); i++) {
        lc_image_conv *conv = &b.convs[i];
        *conv = conv_of(layer, i);
        b.calls[i] = (lc_image_pass){.kernels = pass->kernels, .image = b.kernels, .packed = packed, .grads = grads};
        b.maps[i] = (lc_images){.frame = conv->out_size, .row = conv->out_row, .pixel = conv->wide_n};
        packed += lc_image_conv_packed(conv);
        grads = grads != NULL ? grads + lc_image_conv_grads(conv) : NULL;
        most = conv->frames * conv->out_size > most ? conv->frames * conv->out_size : most;
    }
    b.z = scratch;
    b.other = scratch + most;
    scratch += 2 * most;
    for (size_t i = 0; i < last_of(layer); i++) {
        if (is_kept(layer, i))
            continue;
        b.maps[i].data = scratch;
        scratch += b.convs[i].frames * b.convs[i].out_size;
    }
    for (size_t i = 0; i <= last_of(layer); i++)
        b.calls[i].scratch = scratch;
    return b;
}

/* Moves on to the frames from `begin`. */
static void block_move(block *b, size_t begin)
{
    const lc_layer *layer = b->layer;
    size_t left = b->pass->in.T - begin, most = b->convs[0].frames;
    float *kept = b->pass->keep + begin * layer->keep + which_floats(layer);
    b->begin = begin;
    b->frames = left < most ? left : most;
    for (size_t i = 0; i <= last_of(layer); i++) {
        b->calls[i].frames = b->frames;
        if (!is_kept(layer, i))
            continue;
        b->maps[i].data = kept;
        b->maps[i].frame = layer->keep;
        kept += b->convs[i].out_size;
    }
}

/* The frames of a map of the network as images. */
static lc_images images_of(const block *b, const lc_map *map)
{
    const lc_image_conv *conv = &b->convs[0];
    return (lc_images){.data = map->data != NULL ? map->data + b->begin * map->row : NULL,
                       .frame = map->row,
                       .row = conv->width * conv->c,
                       .pixel = conv->c};
}

static lc_images input_of(const block *b, size_t i)
{
    return i == 0 ? images_of(b, &b->pass->in) : b->maps[i - 1];
}

/* Convolution i and its ReLU, into its map. */
static void run_middle(const block *b, size_t i)
{
    lc_image_conv_forward(&b->convs[i], &b->calls[i], input_of(b, i), b->maps[i]);
    for (size_t f = 0; f < b->frames; f++)
        b->kernels->relu(b->maps[i].data + f * b->maps[i].frame, b->convs[i].out_size);
}

/* Pooling of frame f of the block. */
static lc_image_pool pool_of(const block *b, size_t f)
{
    const lc_layer *layer = b->layer;
    const lc_image_conv *conv = &b->convs[last_of(layer)];
    const lc_map *out = &b->pass->out, *d_out = &b->pass->d_out;
    size_t t = b->begin + f;
    return (lc_image_pool){
        .z = b->z + f * conv->out_size,
        .dz = b->z + f * conv->out_size,
        .y = out->data + t * out->row,
        .dy = d_out->data != NULL ? d_out->data + t * d_out->row : NULL,
        .which = (uint8_t *)(b->pass->keep + t * layer->keep),
        .row = conv->out_row,
        .wide = conv->wide_n,
        .height = layer->out.height,
        .width = layer->out.width,
        .n = conv->n,
        .pool = layer->image.pool,
    };
}

/* Block after block: all convolutions but the last into their maps, the last one into z, which is pooled into out. */
static void forward(const lc_layer *layer, const lc_pass *pass)
{
    block b = block_of(layer, pass);
    size_t last = last_of(layer);
    b.maps[last].data = b.z;
    for (size_t begin = 0; begin < pass->in.T; begin += b.frames) {
        block_move(&b, begin);
        for (size_t i = 0; i < last; i++)
            run_middle(&b, i);
        lc_image_conv_forward(&b.convs[last], &b.calls[last], input_of(&b, last), b.maps[last]);
        for (size_t f = 0; f < b.frames; f++) {
            lc_image_pool pool = pool_of(&b, f);
            b.kernels->pool(&pool);
        }
    }
}

/* ---- backward ---- */

/* The gradient of convolution i's bias: behind that of its weights. */
static float *d_bias_of(const block *b, size_t i)
{
    return b->calls[i].grads + LC_IMAGE_TAPS * b->convs[i].c * b->convs[i].wide_n;
}

/* dz of the last convolution, from d_out. */
static void unpool_block(const block *b)
{
    size_t last = last_of(b->layer);
    memset(b->z, 0, b->frames * b->convs[last].out_size * sizeof *b->z); /* pixels past the last square */
    for (size_t f = 0; f < b->frames; f++) {
        lc_image_pool pool = pool_of(b, f);
        pool.d_bias = d_bias_of(b, last);
        b->kernels->unpool(&pool);
    }
}

/* Convolution i > 0 in b->z: its gradient, then dz of the one before it, into b->other, and both change places. */
static void back_middle(block *b, size_t i)
{
    const lc_image_conv *before = &b->convs[i - 1];
    lc_images d = {.data = b->other, .frame = before->out_size, .row = before->out_row, .pixel = before->wide_n};
    memset(b->other, 0, b->frames * before->out_size * sizeof *b->other);
    lc_image_conv_backward(&b->convs[i], &b->calls[i], b->maps[i - 1], b->z, d);
    for (size_t f = 0; f < b->frames; f++)
        b->kernels->relu_back(b->other + f * before->out_size, d_bias_of(b, i - 1),
                              b->maps[i - 1].data + f * b->maps[i - 1].frame, before->out_size / before->wide_n,
                              before->wide_n);
    float *z = b->z;
    b->z = b->other;
    b->other = z;
}

/* Block after block, from the last convolution to the first; maps that were not kept are computed again before. */
static void backward(const lc_layer *layer, const lc_pass *pass)
{
    block b = block_of(layer, pass);
    for (size_t begin = 0; begin < pass->in.T; begin += b.frames) {
        block_move(&b, begin);
        for (size_t i = 0; i < last_of(layer); i++)
            if (!is_kept(layer, i))
                run_middle(&b, i);
        unpool_block(&b);
        for (size_t i = last_of(layer); i > 0; i--)
            back_middle(&b, i);
        lc_image_conv_backward(&b.convs[0], &b.calls[0], input_of(&b, 0), b.z, images_of(&b, &pass->d_in));
    }
}

const lc_layer_ops lc_image_ops = {
    .name = "image",
    .usage = "image [HEIGHTxWIDTH] CHANNELS..., at most 4, then perhaps: pool 2x2",
    .parse = parse,
    .format = format,
    .shape = shape,
    .tensors = tensors,
    .init = init,
    .pack = pack,
    .unpack = unpack,
    .forward = forward,
    .backward = backward,
    .step = lc_layer_step_pointwise,
};
