/* SPDX-License-Identifier: MIT
 *
 * fuzz_tensors.c - any bytes at all as a safetensors file, and what is one as a model.
 *   Input that begins with { is a file in a readable form, so that seeds can be edited: the header up to the
 *   first new line, then the data; its length is put before it. What is accepted must lie within the file, without
 *   gap, and must come back unchanged when it is written and read again; whatever is refused must leave the result
 *   untouched and say why. */
#include "model/model_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void require_same(const lc_tensors *a, const lc_tensors *b)
{
    require(a->arrays_len == b->arrays_len && a->pairs_len == b->pairs_len);
    for (size_t i = 0; i < a->arrays_len; i++) {
        const lc_array *x = &a->arrays[i], *y = lc_tensors_find(b, x->name);
        size_t bytes;
        require(y != NULL && x->dtype == y->dtype && x->rank == y->rank);
        require(memcmp(x->shape, y->shape, sizeof x->shape) == 0);
        require(lc_array_bytes(x, &bytes) && memcmp(x->data, y->data, bytes) == 0);
    }
    for (size_t i = 0; i < a->pairs_len; i++) {
        const char *value = lc_tensors_value(b, a->pairs[i].key);
        bool sum = strcmp(a->pairs[i].key, LC_SUM_KEY) == 0; /* of the bytes, which may be written in another way */
        require(value != NULL && (sum || strcmp(value, a->pairs[i].value) == 0));
    }
}

static void check_accepted(const lc_tensors *file, size_t size)
{
    size_t total = 0, length;
    char *bytes;
    lc_tensors *again;
    for (size_t i = 0; i < file->arrays_len; i++) {
        size_t part;
        const char *at = file->arrays[i].data;
        require(lc_array_bytes(&file->arrays[i], &part) && at >= file->bytes + 8);
        require(part <= size && at + part <= file->bytes + size);
        total += part;
    }
    require(total <= size - 8);
    require(lc_tensors_format(&bytes, &length, file->arrays, file->arrays_len, file->pairs, file->pairs_len, NULL) ==
            LOCO_OK);
    require(lc_tensors_parse(&again, bytes, length, NULL) == LOCO_OK);
    require_same(file, again);
    lc_tensors_free(again);
    free(bytes);
}

static void check_model(const lc_tensors *file)
{
    lc_model_file *model = NULL;
    loco_err err = {""};
    loco_status status = lc_model_file_read(file, &model, &err);
    if (status != LOCO_OK) {
        require(status == LOCO_EDATA && model == NULL && strncmp(err.text, "model", 5) == 0);
        return;
    }
    require(model->net.params * sizeof(float) <= LC_FILE_BYTES && model->info.classes_len == model->net.classes);
    for (size_t i = 0; i < model->net.params; i++)
        require(isfinite(model->params[i]));
    lc_model_file_free(model);
}

/* Exactly as long as the file, so that one byte too far is seen; NULL when out of memory. */
static char *file_of(const uint8_t *data, size_t size, size_t *length)
{
    const uint8_t *line = size > 0 && data[0] == '{' ? memchr(data, '\n', size) : NULL;
    size_t header = line != NULL ? (size_t)(line - data) : 0, rest = line != NULL ? size - header - 1 : 0;
    *length = line != NULL ? 8 + header + rest : size;
    char *bytes = malloc(*length > 0 ? *length : 1);
    if (bytes == NULL)
        return NULL;
    if (line == NULL) {
        if (size > 0)
            memcpy(bytes, data, size);
        return bytes;
    }
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (char)(header >> 8 * i & 0xff);
    memcpy(bytes + 8, data, header);
    memcpy(bytes + 8 + header, line + 1, rest);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t length;
    lc_tensors *file = NULL;
    loco_err err = {""};
    char *bytes = file_of(data, size, &length);
    if (bytes == NULL)
        return 0;
    loco_status status = lc_tensors_parse(&file, bytes, length, &err);
    free(bytes);
    if (status == LOCO_OK) {
        check_accepted(file, length);
        check_model(file);
    } else {
        require(status == LOCO_EDATA && file == NULL);
        require(strncmp(err.text, "model", 5) == 0 && memchr(err.text, 0, sizeof err.text) != NULL);
    }
    lc_tensors_free(file);
    return 0;
}
