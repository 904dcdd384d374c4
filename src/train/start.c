/* SPDX-License-Identifier: MIT
 * start.c - training that starts from a model: its front end, its network, and its weights.
 *
 * All layers but the last are the same, and their parameters come first. The last is `dense K`, one matrix
 * (inputs + 1, K) with the biases in its last row, so that a class is a column:
 *
 *     model   | kick snare hihat |      net   | snare tom kick |      tom as it was initialised */
#include "train/start.h"

#include "base/status.h"

#include <string.h>

/* A third of the usual learning rate keeps what the model knows; ten recordings take some seconds. */
static const char *const settings[] = {"steps=300", "rate=0.001", "warm_up=20", "check=50"};

/* The line of the network without its last layer, which training adds for its own classes. */
static loco_status take_network(lc_recipe *recipe, const lc_net *net, loco_err *err)
{
    lc_text line = {0};
    lc_net_format(net, &line);
    char *last = line.bytes;
    for (char *at = line.bytes; !line.failed && at != NULL && (at = strstr(at, ", ")) != NULL; at += 2)
        last = at;
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

loco_status lc_start_recipe(lc_recipe *recipe, const loco_model *from, loco_err *err)
{
    const lc_layer *last = &from->net->layers[from->net->layers_len - 1];
    loco_status status = LOCO_OK;
    if (strcmp(last->ops->name, "dense") != 0)
        return lc_err_set(err, LOCO_EDATA,
                          "the network ends in a layer %s, and only one that ends in dense has classes "
                          "to add and drop",
                          last->ops->name);
    for (size_t i = 0; status == LOCO_OK && i < sizeof settings / sizeof settings[0]; i++)
        status = lc_recipe_set(recipe, settings[i], err);
    recipe->frontend = from->frontend;
    return status == LOCO_OK ? take_network(recipe, from->net, err) : status;
}

/* The class of the model with this name; its number of classes when there is none. */
static size_t find(const loco_model *model, const char *name)
{
    size_t k = 0;
    while (k < model->net->classes && strcmp(model->classes[k], name) != 0)
        k++;
    return k;
}

size_t lc_start_params(float *params, const lc_net *net, const char *const *classes, const loco_model *from)
{
    const lc_layer *last = &net->layers[net->layers_len - 1];
    size_t K = net->classes, before = last->params.at, rows = last->params.size / K, known = 0;
    memcpy(params, from->params, before * sizeof *params);
    for (size_t k = 0; k < K; k++) {
        size_t old = find(from, classes[k]), width = from->net->classes;
        known += old < width;
        for (size_t i = 0; old < width && i < rows; i++)
            params[before + i * K + k] = from->params[before + i * width + old];
    }
    return known;
}
