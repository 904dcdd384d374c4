/* SPDX-License-Identifier: MIT
 * start.c - training that starts from a model: its front end, its network, and its weights.
 *
 * All layers but the last are the same, and their parameters come first. The last is `dense K`, one matrix
 * (inputs + 1, K) with the biases in its last row, so that a class is a column:
 *
 *     model   | kick snare hihat |      net   | snare tom kick |      tom as it was initialised
 *
 * A network that ends in crop has weights that all its outputs, one a pitch, share: classes cannot be added to it or
 * dropped, and the data must have those of the model, in their order.
 *
 * Clips are cut and changed as the recipe in the model's file says: a model of clips of a second would else be given whole
 * recordings, which teach it little in a long time. */
#include "train/start.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* A third of the usual learning rate keeps what the model knows; ten recordings take some seconds. */
static const char *const settings[] = {"steps=300", "rate=0.001", "warm_up=20", "check=50"};

/* The comma before the last item of a line, or its beginning. */
static char *last_item(char *line)
{
    char *last = line;
    for (char *at = line; (at = strstr(at, ", ")) != NULL; at += 2)
        last = at;
    return last;
}

/* Taken over from the model: how clips are cut and changed, and how events are decoded. Not how long it was trained, what
 * was held out, or what it learned from. */
static const char *const kept[] = {"batch",  "start",   "context",  "shortest",  "longest", "gain", "noise",
                                   "tilt",   "speed",   "stretch",  "transpose", "mix",     "flip", "shape",
                                   "anchor", "sharpen", "decoding", "mirror",    "warp"};

static bool is_kept(const char *line, size_t length)
{
    const char *equals = memchr(line, '=', length);
    for (size_t i = 0; equals != NULL && i < sizeof kept / sizeof kept[0]; i++)
        if (strlen(kept[i]) == (size_t)(equals - line) && memcmp(kept[i], line, strlen(kept[i])) == 0)
            return true;
    return false;
}

/* A model without a recipe, of another maker, changes nothing. */
static loco_status take_settings(lc_recipe *recipe, const loco_model *from, loco_err *err)
{
    const char *line = lc_model_text(from, "recipe");
    char pair[LC_DECODING_BYTES + 16];
    loco_err cause;
    while (line != NULL && *line != 0) {
        size_t length = strcspn(line, "\n");
        if (is_kept(line, length)) {
            snprintf(pair, sizeof pair, "%.*s", (int)(length < sizeof pair ? length : sizeof pair), line);
            if (lc_recipe_set(recipe, pair, &cause) != LOCO_OK)
                return lc_err_set(err, LOCO_EDATA, "the recipe in the model's file: %.300s; choose a --preset",
                                  cause.text);
        }
        line += length + (line[length] == '\n');
    }
    return LOCO_OK;
}

/* Where the network of training ends in the line of a model: before the last layer, which training adds for its own
 * classes, or at the end where it adds none. */
static char *end_of(const lc_net *net, char *line)
{
    if (line == NULL || lc_net_has_outputs(net))
        return line != NULL ? line + strlen(line) : NULL;
    char *last = last_item(line);
    if (net->places > 1) { /* "conv 1x1 K linear, places" */
        *last = '\0';
        last = last_item(line);
    }
    return last;
}

static loco_status take_network(lc_recipe *recipe, const lc_net *net, loco_err *err)
{
    lc_text line = {0};
    lc_net_format(net, &line);
    char *last = line.failed ? NULL : end_of(net, line.bytes);
    loco_status status = LOCO_OK;
    if (line.failed || line.bytes == NULL)
        status = lc_err_set(err, LOCO_ENOMEM, "out of memory for a network");
    else if ((size_t)(last - line.bytes) >= sizeof recipe->network)
        status = lc_err_set(err, LOCO_EDATA, "the network of the model is longer than training takes, %zu bytes",
                            sizeof recipe->network);
    else
        memcpy(recipe->network, line.bytes, (size_t)(last - line.bytes));
    if (status == LOCO_OK)
        recipe->network[last - line.bytes] = 0;
    lc_text_free(&line);
    return status;
}

loco_status lc_start_recipe(lc_recipe *recipe, const loco_model *from, bool own, loco_err *err)
{
    const lc_layer *last = &from->net->layers[from->net->layers_len - 1];
    loco_status status = LOCO_OK;
    if (strcmp(last->ops->name, "dense") != 0 && from->net->places == 1 && !lc_net_has_outputs(from->net))
        return lc_err_set(err, LOCO_EDATA,
                          "the network ends in a layer %s, and only one that ends in dense has classes "
                          "to add and drop, and one that ends in crop as many as pitches",
                          last->ops->name);
    if (own)
        status = take_settings(recipe, from, err);
    for (size_t i = 0; status == LOCO_OK && i < sizeof settings / sizeof settings[0]; i++)
        status = lc_recipe_set(recipe, settings[i], err);
    recipe->frontend = from->frontend;
    return status == LOCO_OK ? take_network(recipe, from->net, err) : status;
}

/* The class of the model with this name; its number of classes when there is none. Where the model and the data (K) have
 * one class each, that is it, whatever its name: spots become cells. */
static size_t find(const loco_model *model, const char *name, size_t K)
{
    size_t k = 0;
    if (K == 1 && model->net->classes == 1)
        return 0;
    while (k < model->net->classes && strcmp(model->classes[k], name) != 0)
        k++;
    return k;
}

loco_status lc_start_check(const loco_model *from, const char *const *classes, size_t K, loco_err *err)
{
    size_t k = 0, have = from->net->classes;
    if (!lc_net_has_outputs(from->net))
        return LOCO_OK;
    if (K != have)
        return lc_err_set(err, LOCO_EDATA,
                          "the model has %zu outputs, one a pitch, whose weights they share, and the data have %zu "
                          "classes; give the data the classes of the model, \"%.40s\" to \"%.40s\"",
                          have, K, from->classes[0], from->classes[have - 1]);
    while (k < K && strcmp(from->classes[k], classes[k]) == 0)
        k++;
    if (k < K)
        return lc_err_set(
            err, LOCO_EDATA,
            "class %zu of the data is \"%.40s\", and output %zu of the model is the pitch \"%.40s\"; give "
            "the data the classes of the model, in its order",
            k + 1, classes[k], k + 1, from->classes[k]);
    return LOCO_OK;
}

size_t lc_start_params(float *params, const lc_net *net, const char *const *classes, const loco_model *from)
{
    const lc_layer *last = &net->layers[net->layers_len - 1];
    size_t K = net->classes, before = last->params.at, rows = last->params.size / K, known = 0;
    memcpy(params, from->params, before * sizeof *params); /* all, where the last layer is crop */
    for (size_t k = 0; k < K; k++) {
        size_t old = find(from, classes[k], K), width = from->net->classes;
        known += old < width;
        for (size_t i = 0; old < width && i < rows; i++)
            params[before + i * K + k] = from->params[before + i * width + old];
    }
    return known;
}
