/* SPDX-License-Identifier: MIT
 * description.c - network, input and classes of a model, to and from JSON.
 *
 *     {"version":1,"network":"conv 3x5 16, gru 48, dense 3","input":[72,2],"classes":["kick","snare","hihat"]}
 *
 * It lies in the metadata of the safetensors file, under the key "loco". */
#include "model/description.h"

#include "base/cpu.h"
#include "base/json.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- classes, to be written or just read ---- */

static loco_status check_class(const char *where, const char *name, loco_err *err)
{
    size_t length = strlen(name);
    if (length == 0 || length > LC_CLASS_BYTES || !lc_show_passes(name))
        return lc_err_set(err, LOCO_EDATA, "%s: class \"%s\": a name has 1 to %d bytes of UTF-8, no control characters",
                          where, lc_show(name).text, LC_CLASS_BYTES);
    return LOCO_OK;
}

/* By sorting: comparing all pairs would let a description of 1 MiB ask for up to 2^33 comparisons. */
static loco_status check_repeats(const char *where, const char *const *classes, size_t n, loco_err *err)
{
    const char **sorted = malloc((n + 1) * sizeof *sorted);
    if (sorted == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", where);
    for (size_t i = 0; i < n; i++)
        sorted[i] = classes[i];
    const char *repeated = lc_names_repeated(sorted, n);
    free(sorted);
    if (repeated != NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: class \"%s\" is there twice", where, lc_show(repeated).text);
    return LOCO_OK;
}

static loco_status check_classes(const char *where, const lc_net *net, const char *const *classes, size_t n,
                                 loco_err *err)
{
    if (n != net->classes)
        return lc_err_set(err, LOCO_EDATA, "%s: %zu classes have a name, and the network gives %zu", where, n,
                          net->classes);
    for (size_t i = 0; i < n; i++) {
        loco_status status = check_class(where, classes[i], err);
        if (status != LOCO_OK)
            return status;
    }
    return check_repeats(where, classes, n, err);
}

/* ---- writing ---- */

loco_status lc_description_format(lc_text *text, const char *where, const lc_net *net, const char *const *classes,
                                  size_t classes_len, loco_err *err)
{
    loco_status status = check_classes(where, net, classes, classes_len, err);
    if (status != LOCO_OK)
        return status;
    lc_text line = {0};
    lc_net_format(net, &line);
    lc_text_format(text, "{\"version\":%d,\"network\":", LC_MODEL_VERSION);
    lc_json_append(text, line.bytes != NULL ? line.bytes : "");
    lc_text_format(text, ",\"input\":[%zu,%zu],\"classes\":[", net->in_F, net->in_C);
    for (size_t i = 0; i < classes_len; i++) {
        if (i > 0)
            lc_text_string(text, ",");
        lc_json_append(text, classes[i]);
    }
    lc_text_string(text, "]}");
    if (text->failed || line.failed)
        status = lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", where);
    lc_text_free(&line);
    return status;
}

/* ---- reading ---- */

/* The version comes first: of a newer description nothing else need be understood. */
static loco_status check_version(const cJSON *json, const char *where, loco_err *err)
{
    size_t version;
    if (!lc_json_size(cJSON_GetObjectItemCaseSensitive(json, "version"), &version) || version == 0)
        return lc_err_set(err, LOCO_EDATA, "%s: the description's \"version\" must be a whole number from 1", where);
    if (version > LC_MODEL_VERSION)
        return lc_err_set(err, LOCO_EDATA,
                          "%s has version %zu of the model format, and LoCo %s reads up to %d: please update LoCo",
                          where, version, loco_version(), LC_MODEL_VERSION);
    return LOCO_OK;
}

/* A misspelt or later key is refused, not skipped: skipped, it could change what the model means without a word.
 * item->string is never NULL here, since json was found to be an object. */
static loco_status check_keys(const cJSON *json, const char *where, loco_err *err)
{
    static const char *const keys[] = {"version", "network", "input", "classes"};
    enum { KEYS = sizeof keys / sizeof *keys };
    for (const cJSON *item = json->child; item != NULL; item = item->next) {
        size_t i = 0;
        while (i < KEYS && strcmp(keys[i], item->string) != 0)
            i++;
        if (i == KEYS)
            return lc_err_set(err, LOCO_EDATA,
                              "%s: the description's \"%s\" is unknown; the keys are version, network, input, classes",
                              where, lc_show(item->string).text);
    }
    return LOCO_OK;
}

/* The network's line, parsed for its input: what the tensors must look like follows from both. */
static loco_status read_network(lc_description *d, const char *where, loco_err *err)
{
    const char *line = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(d->json, "network"));
    const cJSON *input = cJSON_GetObjectItemCaseSensitive(d->json, "input");
    size_t F, C;
    lc_isa isa;
    loco_err inner = {""};
    if (line == NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: the description's \"network\" must be a string, such as \"dense 3\"",
                          where);
    if (!cJSON_IsArray(input) || cJSON_GetArraySize(input) != 2 || !lc_json_size(input->child, &F) ||
        !lc_json_size(input->child->next, &C))
        return lc_err_set(err, LOCO_EDATA, "%s: the description's \"input\" must be bins and channels, such as [64, 1]",
                          where);
    loco_status status = lc_isa_choose(&isa, err); /* first, because the file is not at fault */
    if (status != LOCO_OK)
        return status;
    /* inner: the parser knows the line alone; its message is written behind the name of the file. F and C are still
     * anything up to 2^53 here; list_parts in model_file.c compares what follows from them with the tensors. */
    if (lc_net_parse(&d->net, line, strlen(line), F, C, &inner) != LOCO_OK)
        return lc_err_set(err, LOCO_EDATA, "%s: %s", where, inner.text);
    return LOCO_OK;
}

/* Names point into the JSON tree, which the description owns. */
static loco_status read_classes(lc_description *d, const char *where, loco_err *err)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(d->json, "classes");
    if (!cJSON_IsArray(list))
        return lc_err_set(err, LOCO_EDATA, "%s: the description's \"classes\" must be an array of names", where);
    /* As many as are listed, not as the network has: that is compared below. LC_JSON_VALUES bounds the list. */
    d->classes = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *d->classes);
    if (d->classes == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", where);
    size_t n = 0;
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        if (!cJSON_IsString(item))
            return lc_err_set(err, LOCO_EDATA, "%s: the description's \"classes\" must be an array of names", where);
        d->classes[n++] = item->valuestring;
    }
    d->classes_len = n;
    return check_classes(where, &d->net, d->classes, n, err);
}

static loco_status read_all(lc_description *d, const char *where, const char *text, loco_err *err)
{
    char place[200];
    snprintf(place, sizeof place, "%s: description", where);
    loco_status status = lc_json_parse(&d->json, place, text, strlen(text), err);
    if (status != LOCO_OK)
        return status;
    if (!cJSON_IsObject(d->json))
        return lc_err_set(err, LOCO_EDATA, "%s: the description must be a JSON object", where);
    status = check_version(d->json, where, err);
    if (status == LOCO_OK)
        status = check_keys(d->json, where, err);
    if (status == LOCO_OK)
        status = read_network(d, where, err);
    return status == LOCO_OK ? read_classes(d, where, err) : status;
}

loco_status lc_description_parse(lc_description **description, const char *where, const char *text, loco_err *err)
{
    lc_description *result = calloc(1, sizeof *result);
    if (result == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", where);
    loco_status status = read_all(result, where, text, err);
    if (status == LOCO_OK)
        *description = result;
    else
        lc_description_free(result);
    return status;
}

void lc_description_free(lc_description *description)
{
    if (description == NULL)
        return;
    cJSON_Delete(description->json);
    free(description->classes);
    free(description);
}
