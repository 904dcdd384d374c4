/* SPDX-License-Identifier: MIT
 * line.c - the network line: parser and printer.
 *   line := item ("," item)*    item := (layer words | "pool" BINS | "pool" "2x2") ["as" NAME]
 * `pool` belongs to the convolution or image before it. Layers have limits, and so has their sum: shapes multiply (a
 * gather of 32 offsets makes 32 times as many channels), and without a limit a line of a few words asks for more than
 * all memory. A message gives the column of the wrong word, from 1. */
#include "base/status.h"
#include "nn/net.h"

#include <string.h>

/* 4 MB a frame, 1 GB of weights. Checked layer by layer, so that the input of every layer is bounded:
 * the largest product, 64 x 64 taps by 2^20 inputs by 2^12 channels, is 2^44. */
enum { FRAME_MAX = 1 << 20, PARAMS_MAX = 1 << 28 };

/* Takes the name of a layer; NULL, and nothing taken, where the next word is not one. */
static const lc_layer_ops *find_ops(lc_words *words)
{
    for (size_t i = 0; lc_layers[i] != NULL; i++)
        if (lc_words_take(words, lc_layers[i]->name))
            return lc_layers[i];
    return NULL;
}

/* "a layer is conv, pool, dense, ... or image": the table, with pool behind conv. */
static loco_status refuse_layer(lc_words *words, loco_err *err)
{
    lc_text names = {0};
    for (size_t i = 0; lc_layers[i] != NULL; i++)
        lc_text_format(&names, "%s%s%s",
                       i == 0                     ? "a layer is "
                       : lc_layers[i + 1] != NULL ? ", "
                                                  : " or ",
                       lc_layers[i]->name, i == 0 ? ", pool" : "");
    loco_status status = lc_words_refuse(words, names.failed ? "not a layer" : names.bytes, err);
    lc_text_free(&names);
    return status;
}

/* `pool N` after a convolution, `pool 2x2` after an image: a setting of that layer, since both run as one. */
static loco_status parse_pool(lc_net *net, lc_words *words, loco_err *err)
{
    lc_layer *layer = net->layers_len > 0 ? &net->layers[net->layers_len - 1] : NULL;
    long bins;
    bool image = layer != NULL && layer->ops == &lc_image_ops && layer->image.pool == 1;
    bool conv = layer != NULL && layer->ops == &lc_conv_ops && layer->conv.activation == LC_RELU &&
                layer->conv.pool == 1;
    if (!image && !conv)
        return lc_words_refuse(words, "pool must follow a conv that is not linear, or an image, that has no pool yet",
                               err);
    if (image) {
        layer->image.pool = 2;
        return lc_words_take(words, "2x2") ? LOCO_OK : lc_words_refuse(words, "images are pooled by 2x2", err);
    }
    loco_status status = lc_words_number(words, &bins, 2, 64, "the number of bins to pool, 2 to 64", err);
    if (status == LOCO_OK)
        layer->conv.pool = (size_t)bins;
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

/* Finds the source of a join, and what the join has to know about it. */
static loco_status connect_join(lc_net *net, size_t index, loco_err *err)
{
    lc_join_layer *join = &net->layers[index].join;
    join->source = index;
    for (size_t i = 0; i < index; i++)
        if (strcmp(net->layers[i].name, join->name) == 0)
            join->source = i;
    if (join->source == index)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: no earlier layer is named \"%s\"; write \"as %s\" behind one",
                          net->layers[index].column, join->name, join->name);
    join->source_F = net->layers[join->source].out.F;
    join->source_C = net->layers[join->source].out.C;
    /* in a stream the source's frames wait for those that the layers between hold back */
    for (size_t i = join->source + 1; i < index; i++)
        join->lag += net->layers[i].look_ahead;
    return LOCO_OK;
}

/* Gives a layer its input and, to a join, its source; then its shape. An image stays one in layers that leave the
 * number of bins as it is, such as norm and dropout. */
static loco_status connect(lc_net *net, size_t index, loco_err *err)
{
    lc_layer *layer = &net->layers[index];
    layer->in = index == 0 ? (lc_frame_shape){.F = net->in_F, .C = net->in_C} : net->layers[index - 1].out;
    if (layer->in.F != layer->in.height * layer->in.width)
        layer->in.height = layer->in.width = 0;
    layer->out.height = layer->in.height;
    layer->out.width = layer->in.width;
    loco_status status = layer->ops == &lc_join_ops ? connect_join(net, index, err) : LOCO_OK;
    return status == LOCO_OK ? layer->ops->shape(layer, err) : status;
}

/* One item between commas: a new layer, or the pool of the last one, and perhaps a name; or `places`. */
static loco_status parse_item(lc_net *net, lc_words *words, loco_err *err)
{
    size_t length, column = (size_t)(lc_words_peek(words, &length) - words->line) + 1;
    const lc_layer_ops *ops = &lc_conv_ops;
    loco_status status;
    if (net->places > 0)
        return lc_words_refuse(words, "places is the last word of a network", err);
    if (net->layers_len > 0 && lc_words_take(words, "places")) {
        net->places = 1; /* how many, shape_all finds out */
        lc_words_peek(words, &length);
        return length == 0 ? LOCO_OK : lc_words_refuse(words, "places", err);
    }
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
            return refuse_layer(words, err);
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
    if (layer->out.F * layer->out.C > FRAME_MAX)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: this layer puts out %zu numbers a frame; at most %d are possible",
                          layer->column, layer->out.F * layer->out.C, FRAME_MAX);
    if (net->params > PARAMS_MAX)
        return lc_err_set(err, LOCO_EDATA,
                          "network line, column %zu: up to here the network has %zu weights; at most %d are possible",
                          layer->column, net->params, PARAMS_MAX);
    return LOCO_OK;
}

/* A join behind the first layers may append the last of these at the earliest: what comes before it is not kept. From the
 * last layer down, so that joins between an earlier and a later n count too. */
static void set_streamed(lc_net *net)
{
    size_t n = 0;
    while (n < net->layers_len && !net->layers[n].needs_end)
        n++;
    net->streams = n == net->layers_len;
    for (size_t i = net->layers_len; i-- > n;)
        if (net->layers[i].ops == &lc_join_ops && net->layers[i].join.source + 1 < n)
            n = net->layers[i].join.source + 1;
    for (size_t i = 0; i < n; i++)
        net->look_ahead += net->layers[i].look_ahead;
    net->streamed = n;
}

/* Shapes of all layers, and what they need in all. */
static loco_status shape_all(lc_net *net, loco_err *err)
{
    for (size_t i = 0; i < net->layers_len; i++) {
        lc_layer *layer = &net->layers[i];
        loco_status status = connect(net, i, err);
        if (status != LOCO_OK)
            return status;
        layer->params.at = net->params;
        layer->packed.at = net->packed;
        layer->grads.at = net->grads;
        net->params += layer->params.size;
        net->packed += LC_TO_CACHE_LINE(layer->packed.size);
        net->grads += LC_TO_CACHE_LINE(layer->grads.size);
        net->scratch = layer->scratch > net->scratch ? layer->scratch : net->scratch;
        net->scratch_frame = layer->scratch_frame > net->scratch_frame ? layer->scratch_frame : net->scratch_frame;
        net->state += layer->state;
        status = check_size(net, layer, err);
        if (status != LOCO_OK)
            return status;
    }
    set_streamed(net);
    const lc_layer *last = &net->layers[net->layers_len - 1];
    net->classes = net->places > 0 ? last->out.C : last->out.F * last->out.C;
    net->places = net->places > 0 ? last->out.F : 1;
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

/* Each layer writes its own words and pool; parsing the result gives the same network. */
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
    if (net->places > 1)
        lc_text_string(text, ", places");
}
