/* SPDX-License-Identifier: MIT
 * model_file.c - models to and from files. The layout is in model_file.h.
 *
 * A network lists its tensors by name and shape (list_parts). Saving hands this list to tensors_write.c; loading
 * compares it with the file, and only then allocates one block for the model, its parameters and its texts. */
#include "model/model_file.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/status.h"
#include "model/description.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PARTS bounds the array below for any network that parses. PART_NAME: an index of two digits, and two names that come
 * from the tables of the layers, never from a file. */
enum { PARTS = LC_NET_LAYERS * LC_TENSORS_MAX, PART_NAME = 64, OURS = 3 /* pairs */ };

static const char model_format[] = "loco-model", checkpoint_format[] = "loco-checkpoint";
const char *const lc_state_names[LC_STATE_ARRAYS] = {"adam.m", "adam.v", "average", "step", "random"};

/* ---- the tensors of a network ---- */

/* The layers' tensors under the names that they have in the file, then room for those of a checkpoint. */
typedef struct parts {
    size_t len;
    lc_array arrays[PARTS + LC_STATE_ARRAYS];
    char names[PARTS][PART_NAME];
} parts;

/* Lists a layer's tensors; params NULL: without numbers. Returns how many numbers they have, SIZE_MAX for too many. */
static size_t list_layer(parts *p, const lc_layer *layer, size_t index, const float *params)
{
    lc_tensor tensors[LC_TENSORS_MAX];
    size_t n = layer->ops->tensors(layer, tensors), used = 0;
    for (size_t i = 0; i < n; i++) {
        char *name = p->names[p->len];
        lc_array *array = &p->arrays[p->len++];
        size_t bytes;
        snprintf(name, PART_NAME, "%zu.%s.%s", index, layer->ops->name, tensors[i].name);
        *array = (lc_array){.name = name, .dtype = LC_F32, .rank = tensors[i].rank};
        memcpy(array->shape, tensors[i].shape, tensors[i].rank * sizeof *array->shape);
        /* Also keeps the sum: at most LC_TENSORS_MAX times LC_FILE_BYTES. */
        if (!lc_array_bytes(array, &bytes) || bytes > LC_FILE_BYTES)
            return SIZE_MAX;
        if (params != NULL)
            array->data = params + used;
        used += bytes / sizeof(float);
    }
    return used;
}

/* The caller frees. */
static loco_status list_parts(parts **result, const lc_net *net, const float *params, const char *where, loco_err *err)
{
    parts *p = calloc(1, sizeof *p);
    if (p == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", where);
    for (size_t i = 0; i < net->layers_len; i++) {
        const lc_layer *layer = &net->layers[i];
        size_t numbers = list_layer(p, layer, i, params != NULL ? params + layer->params.at : NULL);
        /* build() copies tensors into a block of net->params floats, one behind the other. That this ends where the
         * block ends rests on this line, whatever the parser of networks lets through: sizes whose product wraps would
         * write past it. */
        if (numbers != layer->params.size) {
            free(p);
            return lc_err_set(err, LOCO_EDATA,
                              "%s: layer %zu of the network, %s: %zu parameters, and its tensors have %zu", where,
                              i + 1, layer->ops->name, layer->params.size, numbers);
        }
    }
    *result = p;
    return LOCO_OK;
}

/* One NaN in a weight spreads to the outputs, and one in a moment spoils a weight at the next step: it is refused here,
 * with its number, and not noticed after a night of training. memcpy, because a file's numbers may be unaligned. */
loco_status lc_array_finite(const lc_array *array, const char *where, loco_err *err)
{
    size_t bytes;
    if (array->dtype != LC_F32 || !lc_array_bytes(array, &bytes))
        return LOCO_OK;
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        float value;
        memcpy(&value, (const char *)array->data + i * sizeof value, sizeof value);
        if (!isfinite(value))
            return lc_err_set(err, LOCO_EDATA, "%s: tensor \"%s\": number %zu is %s, and all must be finite", where,
                              lc_show(array->name).text, i, isnan(value) ? "not a number" : "infinite");
    }
    return LOCO_OK;
}

/* ---- saving ---- */

/* lc_tensors_save would also refuse such a key, as a duplicate; here the message can say why. */
static loco_status check_keys(const lc_model_info *info, const char *where, loco_err *err)
{
    for (size_t i = 0; i < info->pairs_len; i++) {
        const char *key = info->pairs[i].key;
        if (strcmp(key, "format") == 0 || strcmp(key, "loco") == 0 || strcmp(key, LC_SUM_KEY) == 0)
            return lc_err_set(err, LOCO_EARG, "%s: the key \"%s\" is for the model itself; choose another", where, key);
    }
    return LOCO_OK;
}

/* Format, description, then the user's own, then the checksum. The caller frees. */
static lc_pair *list_pairs(const lc_model_info *info, const char *format, const char *description)
{
    lc_pair *pairs = malloc((info->pairs_len + OURS) * sizeof *pairs);
    if (pairs == NULL)
        return NULL;
    pairs[0] = (lc_pair){"format", format};
    pairs[1] = (lc_pair){"loco", description};
    if (info->pairs_len > 0)
        memcpy(pairs + 2, info->pairs, info->pairs_len * sizeof *pairs);
    pairs[info->pairs_len + 2] = (lc_pair){LC_SUM_KEY, LC_SUM_ZEROS};
    return pairs;
}

static loco_status save_parts(const char *path, const char *where, const parts *p, bool checkpoint,
                              const lc_text *description, const lc_model_info *info, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; i < p->len && status == LOCO_OK; i++)
        status = lc_array_finite(&p->arrays[i], where, err);
    if (status != LOCO_OK)
        return status;
    lc_pair *pairs = list_pairs(info, checkpoint ? checkpoint_format : model_format, description->bytes);
    if (pairs == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", where);
    status = lc_tensors_save(path, p->arrays, p->len, pairs, info->pairs_len + OURS, err);
    free(pairs);
    return status;
}

loco_status lc_model_file_save_with(const char *path, const lc_net *net, const float *params, const lc_model_info *info,
                                    const lc_array *state, size_t state_len, loco_err *err)
{
    char where[LC_WHERE_BYTES];
    lc_text description = {0};
    parts *p = NULL;
    lc_tensors_where(where, path);
    loco_status status = check_keys(info, where, err);
    if (status == LOCO_OK)
        status = list_parts(&p, net, params, where, err);
    if (status == LOCO_OK)
        status = lc_description_format(&description, where, net, info->classes, info->classes_len, err);
    if (status == LOCO_OK) {
        for (size_t i = 0; i < state_len && i < LC_STATE_ARRAYS; i++)
            p->arrays[p->len++] = state[i];
        status = save_parts(path, where, p, state_len > 0, &description, info, err);
    }
    lc_text_free(&description);
    free(p);
    return status;
}

loco_status lc_model_file_save(const char *path, const lc_net *net, const float *params, const lc_model_info *info,
                               loco_err *err)
{
    return lc_model_file_save_with(path, net, params, info, NULL, 0, err);
}

/* ---- loading ---- */

bool lc_model_file_is_checkpoint(const lc_tensors *file)
{
    const char *format = lc_tensors_value(file, "format");
    return format != NULL && strcmp(format, checkpoint_format) == 0;
}

static loco_status check_format(const lc_tensors *file, loco_err *err)
{
    const char *format = lc_tensors_value(file, "format");
    if (format == NULL || (strcmp(format, model_format) != 0 && !lc_model_file_is_checkpoint(file)))
        return lc_err_set(err, LOCO_EDATA,
                          "%s is a safetensors file, but not a LoCo model: its \"format\" is \"%s\", not \"%s\"",
                          file->where, format != NULL ? lc_show(format).text : "", model_format);
    if (lc_tensors_value(file, "loco") == NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: the description is missing from the metadata, key \"loco\"",
                          file->where);
    return LOCO_OK;
}

static bool is_part(const parts *p, const lc_tensors *file, const char *name)
{
    for (size_t i = 0; i < p->len; i++) {
        if (strcmp(p->arrays[i].name, name) == 0)
            return true;
    }
    for (size_t i = 0; i < LC_STATE_ARRAYS && lc_model_file_is_checkpoint(file); i++) {
        if (strcmp(lc_state_names[i], name) == 0)
            return true;
    }
    return false;
}

/* Each part is in the file, with its shape and finite numbers, and nothing else is.
 * So net.params is no larger than what the file really holds: before this, a line of 20 bytes may claim any number of
 * parameters, and nothing has been allocated for them yet. At most 4096 tensors times 517 names are compared. */
static loco_status check_parts(const parts *p, const lc_tensors *file, loco_err *err)
{
    loco_status status = LOCO_OK;
    for (size_t i = 0; i < p->len && status == LOCO_OK; i++) {
        status = lc_tensors_expect(file, &p->arrays[i], err);
        if (status == LOCO_OK)
            status = lc_array_finite(lc_tensors_find(file, p->arrays[i].name), file->where, err);
    }
    for (size_t i = 0; i < file->arrays_len && status == LOCO_OK; i++) {
        if (!is_part(p, file, file->arrays[i].name))
            status = lc_err_set(err, LOCO_EDATA, "%s: tensor \"%s\" belongs to no layer of the network", file->where,
                                lc_show(file->arrays[i].name).text);
    }
    return status;
}

/* Here every text of a file passes, of which anybody may be the author: no escape sequence reaches a terminal. */
static const char *copy_string(const char *string, lc_arena *arena)
{
    size_t size = strlen(string) + 1;
    char *copy = lc_arena_take(arena, size, 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, string, size);
    lc_show_clean_lines(copy);
    return copy;
}

static bool is_own(const char *key)
{
    return strcmp(key, "format") != 0 && strcmp(key, "loco") != 0 && strcmp(key, LC_SUM_KEY) != 0;
}

/* The model and all that it owns; the model itself is first, so that freeing it frees all. */
static lc_model_file *layout(const lc_description *d, const lc_tensors *file, lc_arena *arena)
{
    lc_model_file *model = lc_arena_take(arena, 1, sizeof *model);
    float *params = lc_arena_take(arena, d->net.params, sizeof *params);
    const char **classes = lc_arena_take(arena, d->classes_len, sizeof *classes);
    lc_pair *pairs = lc_arena_take(arena, file->pairs_len, sizeof *pairs);
    size_t pairs_len = 0;
    for (size_t i = 0; i < d->classes_len; i++) {
        /* NULL while measuring: classes and pairs are NULL then as well, and only the sizes count. */
        const char *name = copy_string(d->classes[i], arena);
        if (name != NULL)
            classes[i] = name;
    }
    for (size_t i = 0; i < file->pairs_len; i++) {
        if (!is_own(file->pairs[i].key))
            continue;
        const char *key = copy_string(file->pairs[i].key, arena), *value = copy_string(file->pairs[i].value, arena);
        if (key != NULL)
            pairs[pairs_len++] = (lc_pair){key, value};
    }
    if (model != NULL)
        *model = (lc_model_file){
            d->net, params, {classes, d->classes_len, pairs, pairs_len}
        };
    return model;
}

static loco_status build(const parts *p, const lc_description *d, const lc_tensors *file, lc_model_file **model,
                         loco_err *err)
{
    lc_arena arena = {0};
    lc_block block = {0};
    (void)layout(d, file, &arena);
    if (!lc_block_reserve(&block, arena.used))
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", file->where);
    arena = lc_arena_over(&block);
    lc_model_file *result = layout(d, file, &arena);
    float *to = result->params;
    for (size_t i = 0; i < p->len; i++) {
        size_t bytes = 0;
        (void)lc_array_bytes(&p->arrays[i], &bytes);
        /* Found, and of this shape: check_parts. The order is that of the network, not of the file. */
        lc_array_copy(lc_tensors_find(file, p->arrays[i].name), to);
        to += bytes / sizeof *to;
    }
    *model = result;
    return LOCO_OK;
}

loco_status lc_model_file_read(const lc_tensors *file, lc_model_file **model, loco_err *err)
{
    lc_description *description;
    parts *p = NULL;
    loco_status status = check_format(file, err);
    if (status == LOCO_OK)
        status = lc_description_parse(&description, file->where, lc_tensors_value(file, "loco"), err);
    if (status != LOCO_OK)
        return status;
    status = list_parts(&p, &description->net, NULL, file->where, err);
    if (status == LOCO_OK)
        status = check_parts(p, file, err);
    if (status == LOCO_OK)
        status = build(p, description, file, model, err);
    lc_description_free(description);
    free(p);
    return status;
}

loco_status lc_model_file_load(const char *path, lc_model_file **model, loco_err *err)
{
    lc_tensors *file;
    loco_status status = lc_tensors_load(path, &file, err);
    if (status != LOCO_OK)
        return status;
    status = lc_model_file_read(file, model, err);
    lc_tensors_free(file);
    return status;
}

void lc_model_file_free(lc_model_file *model)
{
    free(model);
}
