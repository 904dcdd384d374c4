/* SPDX-License-Identifier: MIT
 * line.c - the network line: parser and printer.
 *   line := item ("," item)*    item := (layer words | "pool" BINS | "pool" "2x2") ["as" NAME]
 * `pool` belongs to the convolution or image before it. Layers have limits, and so has their sum: shapes multiply (a
 * gather of 32 offsets makes 32 times as many channels), and without a limit a line of a few words asks for more than
 * all memory. */
#include "base/status.h"
#include "nn/net.h"

#include <string.h>

/* 4 MB a frame, 1 GB of weights. Checked layer by layer, so that a layer's own factors meet an input that is bounded:
 * the largest product, 64 x 64 taps by 2^20 inputs by 2^12 channels, is 2^44. */
enum { FRAME_MAX = 1 << 20, PARAMS_MAX = 1 << 28 };

static const lc_layer_ops *find_ops(lc_words *words)
{
    for (size_t i = 0; lc_layers[i] != NULL; i++)
        if (lc_words_take(words, lc_layers[i]->name))
            return lc_layers[i];
    return NULL;
}

static loco_status parse_pool(lc_net *net, lc_words *words, loco_err *err)
{
    lc_layer *layer = net->layers_len > 0 ? &net->layers[net->layers_len - 1] : NULL;
    long bins;
    bool image = layer != NULL && layer->ops == &lc_image_ops;
    bool conv = layer != NULL && layer->ops == &lc_conv_ops && layer->activation == LC_RELU;
    if ((!image && !conv) || layer->pool > 1)
        return lc_words_refuse(words, "pool must follow a conv that is not linear, or an image, that has no pool yet",
                               err);
    if (image) {
        layer->pool = 2;
        return lc_words_take(words, "2x2") ? LOCO_OK : lc_words_refuse(words, "images are pooled by 2x2", err);
    }
    loco_status status = lc_words_number(words, &bins, 2, 64, "the number of bins to pool, 2 to 64", err);
    if (status == LOCO_OK)
        layer->pool = (size_t)bins;
    return status;
}

/* Takes `as NAME` for the last layer. */
static loco_status parse_name(lc_net *net, lc_words *words, loco_err *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    lc_layer *layer = &net->layers[net->layers_len - 1];
    char name[LC_NAME_MAX] = "";
    size_t length;
    if (!lc_words_take(words, "as"))
        return LOCO_OK;
    const char *word = lc_words_peek(words, &length);
    if (length > 0 && length < LC_NAME_MAX)
        memcpy(name, word, length);
    if (length == 0 || length >= LC_NAME_MAX || strspn(name, letters) != length)
        return lc_words_refuse(words, "a name of 1 to 15 letters, digits, - and _", err);
    if (layer->name[0] != '\0')
        return lc_words_refuse(words, "this layer has a name already", err);
    for (size_t i = 0; i < net->layers_len; i++)
        if (strcmp(net->layers[i].name, name) == 0)
            return lc_words_refuse(words, "an earlier layer has this name", err);
    memcpy(layer->name, name, sizeof name);
    words->at += length;
    return LOCO_OK;
}

/* An image stays one in layers that leave the number of bins as it is, such as norm and dropout. */
static void connect_image(lc_layer *layer, const lc_layer *before)
{
    if (before == NULL || before->out_F != before->out_height * before->out_width)
        return;
    layer->in_height = layer->out_height = before->out_height;
    layer->in_width = layer->out_width = before->out_width;
}

/* Gives a layer its input and, to a join, its source; then its shape. */
static loco_status connect(lc_net *net, size_t index, loco_err *err)
{
    lc_layer *layer = &net->layers[index];
    layer->in_F = index == 0 ? net->in_F : net->layers[index - 1].out_F;
    layer->in_C = index == 0 ? net->in_C : net->layers[index - 1].out_C;
    connect_image(layer, index == 0 ? NULL : layer - 1);
    if (layer->ops == &lc_join_ops) {
        layer->source = index;
        for (size_t i = 0; i < index; i++)
            if (strcmp(net->layers[i].name, layer->join) == 0)
                layer->source = i;
        if (layer->source == index)
            return lc_err_set(err, LOCO_EDATA,
                              "network line, column %zu: no earlier layer is named \"%s\"; write \"as %s\" behind one",
                              layer->column, layer->join, layer->join);
        layer->source_F = net->layers[layer->source].out_F;
        layer->source_C = net->layers[layer->source].out_C;
        /* what the layers between hold back in a stream, the source's frames must wait for */
        for (size_t i = layer->source + 1; i < index; i++)
            layer->lag += net->layers[i].look_ahead;
    }
    return layer->ops->shape(layer, err);
}

static loco_status parse_item(lc_net *net, lc_words *words, loco_err *err)
{
    size_t length, column = (size_t)(lc_words_peek(words, &length) - words->line) + 1;
    const lc_layer_ops *ops = &lc_conv_ops;
    loco_status status;
    if (lc_words_take(words, "pool")) {
        if (net->layers_len > 0 && net->layers[net->layers_len - 1].ops == &lc_image_ops)
            ops = &lc_image_ops;
        status = parse_pool(net, words, err);
    } else {
        if (net->layers_len == LC_NET_LAYERS)
            return lc_words_refuse(words, "a network has at most 64 layers", err);
        lc_layer *layer = &net->layers[net->layers_len];
        ops = find_ops(words);
        if (ops == NULL)
            return lc_words_refuse(
                words, "a layer is conv, pool, dense, lstm, gru, norm, dropout, gather, bias, join or image", err);
        *layer = (lc_layer){.ops = ops};
        net->layers_len++;
        status = ops->parse(layer, words, err);
    }
    if (status == LOCO_OK)
        status = parse_name(net, words, err);
    if (status != LOCO_OK)
        return status;
    net->layers[net->layers_len - 1].column = column;
    lc_words_peek(words, &length);
    return length == 0 ? LOCO_OK : lc_words_refuse(words, ops->usage, err);
}

/* Small enough that no sum or product of sizes wraps. */
static loco_status check_size(const lc_net *net, const lc_layer *layer, loco_err *err)
{
    if (layer->out_F * layer->out_C > FRAME_MAX)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: this layer puts out %zu numbers a frame; at most %d are possible",
                          layer->column, layer->out_F * layer->out_C, FRAME_MAX);
    if (net->params > PARAMS_MAX)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: up to here the network has %zu weights; at most %d are possible",
                          layer->column, net->params, PARAMS_MAX);
    return LOCO_OK;
}

/* Shapes of all layers, and what they need in all. */
static loco_status shape_all(lc_net *net, loco_err *err)
{
    net->streams = true;
    for (size_t i = 0; i < net->layers_len; i++) {
        lc_layer *layer = &net->layers[i];
        loco_status status = connect(net, i, err);
        if (status != LOCO_OK)
            return status;
        layer->params_at = net->params;
        layer->packed_at = net->packed;
        layer->grads_at = net->grads;
        net->params += layer->params;
        net->packed += LC_TO_CACHE_LINE(layer->packed);
        net->grads += LC_TO_CACHE_LINE(layer->grads);
        net->scratch = layer->scratch > net->scratch ? layer->scratch : net->scratch;
        net->scratch_frame = layer->scratch_frame > net->scratch_frame ? layer->scratch_frame : net->scratch_frame;
        net->state += layer->state;
        net->look_ahead += layer->look_ahead;
        net->streams = net->streams && !layer->both;
        status = check_size(net, layer, err);
        if (status != LOCO_OK)
            return status;
    }
    const lc_layer *last = &net->layers[net->layers_len - 1];
    net->classes = last->out_F * last->out_C;
    return LOCO_OK;
}

loco_status lc_net_parse(lc_net *net, const char *line, size_t length, size_t F, size_t C, loco_err *err)
{
    lc_isa isa;
    loco_status status = lc_isa_choose(&isa, err);
    lc_net result = {.in_F = F, .in_C = C};
    if (status != LOCO_OK)
        return status;
    if (F < 1 || C < 1 || F > FRAME_MAX || C > FRAME_MAX / F)
        return lc_err_set(err, LOCO_EARG,
                          "input frames of %zu bins and %zu channels; 1 to %d numbers a frame are possible", F, C,
                          FRAME_MAX);
    result.kernels = lc_nn_kernels_of(isa);
    /* <=: an empty line and a comma at the end are an empty item, which parse_item refuses */
    for (const char *at = line; at <= line + length;) {
        const char *end = memchr(at, ',', (size_t)(line + length - at));
        lc_words words = {.line = line, .at = at, .end = end != NULL ? end : line + length};
        status = parse_item(&result, &words, err);
        if (status != LOCO_OK)
            return status;
        at = words.end + 1;
    }
    /* not while parsing: a pool comes after its convolution, and changes its shape */
    status = shape_all(&result, err);
    if (status == LOCO_OK)
        *net = result;
    return status;
}

void lc_net_format(const lc_net *net, lc_text *text)
{
    for (size_t i = 0; i < net->layers_len; i++) {
        const lc_layer *layer = &net->layers[i];
        if (i > 0)
            lc_text_string(text, ", ");
        layer->ops->format(layer, text);
        if (layer->name[0] != '\0')
            lc_text_format(text, " as %s", layer->name);
    }
}
