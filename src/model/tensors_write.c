/* SPDX-License-Identifier: MIT
 * tensors_write.c - writing safetensors files. The layout is in tensors.h.
 *
 * The file is built in memory and saved as a whole; where a pair "checksum" is given, the sum of all bytes of the
 * file, with zeros as its value, then takes their place; its bytes depend on the arrays and pairs alone, not on time or
 * addresses. Files are written within the same limits that hold for reading. */
#include "base/checksum.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/status.h"
#include "base/text.h"
#include "model/tensors.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tensor_writer {
    char where[LC_WHERE_BYTES];
    const lc_array *arrays;
    const lc_pair *pairs;
    size_t arrays_len, pairs_len;
    size_t *order, *begins; /* arrays in the order of the file; where each begins, by its number in arrays */
    size_t data_len;
    lc_text header;
    loco_err *err;
} tensor_writer;

static loco_status out_of_memory(const tensor_writer *w)
{
    return lc_err_set(w->err, LOCO_ENOMEM, "%s: out of memory", w->where);
}

/* ---- what may be written ---- */

static loco_status check_name(const tensor_writer *w, const char *kind, const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > LC_NAME_BYTES || !lc_utf8_valid(name, length))
        return lc_err_set(w->err, LOCO_EARG, "%s: %s \"%s\" must be 1 to %d bytes of UTF-8", w->where, kind,
                          lc_show(name).text, LC_NAME_BYTES);
    return LOCO_OK;
}

static loco_status check_array(const tensor_writer *w, const lc_array *array, size_t *bytes)
{
    loco_status status = check_name(w, "tensor", array->name);
    if (status != LOCO_OK)
        return status;
    if (strcmp(array->name, "__metadata__") == 0)
        return lc_err_set(w->err, LOCO_EARG, "%s: no tensor may be called __metadata__", w->where);
    /* data_len never passes LC_FILE_BYTES, by this very check, so that the difference cannot wrap. */
    if (array->rank > LC_ARRAY_RANK || !lc_array_bytes(array, bytes) || *bytes > LC_FILE_BYTES - w->data_len)
        return lc_err_set(w->err, LOCO_EARG,
                          "%s: tensor \"%s\" is too large: a file has at most %d bytes, a shape %d sizes", w->where,
                          lc_show(array->name).text, LC_FILE_BYTES, LC_ARRAY_RANK);
    return LOCO_OK;
}

static loco_status check_pair(const tensor_writer *w, const lc_pair *pair)
{
    size_t length = strlen(pair->value);
    loco_status status = check_name(w, "metadata", pair->key);
    if (status == LOCO_OK && (length > LC_VALUE_BYTES || !lc_utf8_valid(pair->value, length)))
        status = lc_err_set(w->err, LOCO_EARG, "%s: metadata \"%s\" must be at most %d bytes of UTF-8", w->where,
                            lc_show(pair->key).text, LC_VALUE_BYTES);
    return status;
}

/* No name and no key twice.
 * Names and keys are sorted apart: a tensor and a pair may share a name, since they stand in different objects. */
static loco_status check_repeats(const tensor_writer *w)
{
    size_t n = w->arrays_len + w->pairs_len;
    const char **names = malloc((n + 1) * sizeof *names);
    if (names == NULL)
        return out_of_memory(w);
    for (size_t i = 0; i < w->arrays_len; i++)
        names[i] = w->arrays[i].name;
    for (size_t i = 0; i < w->pairs_len; i++)
        names[w->arrays_len + i] = w->pairs[i].key;
    const char *repeated = lc_names_repeated(names, w->arrays_len);
    if (repeated == NULL)
        repeated = lc_names_repeated(names + w->arrays_len, w->pairs_len);
    free(names);
    if (repeated != NULL)
        return lc_err_set(w->err, LOCO_EARG, "%s: the name \"%s\" is there twice", w->where, lc_show(repeated).text);
    return LOCO_OK;
}

/* How many there are first: what follows may then loop over them. */
static loco_status check_pairs(const tensor_writer *w)
{
    loco_status status = LOCO_OK;
    if (w->arrays_len > LC_ARRAYS_MAX || w->pairs_len > LC_PAIRS_MAX)
        return lc_err_set(w->err, LOCO_EARG, "%s: %zu tensors and %zu metadata; a file has at most %d and %d", w->where,
                          w->arrays_len, w->pairs_len, LC_ARRAYS_MAX, LC_PAIRS_MAX);
    for (size_t i = 0; i < w->pairs_len && status == LOCO_OK; i++)
        status = check_pair(w, &w->pairs[i]);
    return status;
}

/* ---- placing, then writing ---- */

/* Gives each array its place, the 8-byte numbers first, so that none of them lies at a multiple of 4 alone. */
static loco_status place(tensor_writer *w)
{
    size_t n = 0;
    for (size_t size = 8; size >= 4; size -= 4) {
        for (size_t i = 0; i < w->arrays_len; i++) {
            size_t bytes;
            if (lc_dtype_size(w->arrays[i].dtype) != size)
                continue;
            loco_status status = check_array(w, &w->arrays[i], &bytes);
            if (status != LOCO_OK)
                return status;
            w->order[n++] = i;
            w->begins[i] = w->data_len;
            w->data_len += bytes;
        }
    }
    return LOCO_OK;
}

static void write_pairs(tensor_writer *w)
{
    for (size_t i = 0; i < w->pairs_len; i++) {
        lc_text_string(&w->header, i == 0 ? "\"__metadata__\":{" : ",");
        lc_json_append(&w->header, w->pairs[i].key);
        lc_text_string(&w->header, ":");
        lc_json_append(&w->header, strcmp(w->pairs[i].key, LC_SUM_KEY) == 0 ? LC_SUM_ZEROS : w->pairs[i].value);
    }
    if (w->pairs_len > 0)
        lc_text_string(&w->header, "}");
}

/* "name":{"dtype":"F32","shape":[3,5],"data_offsets":[0,60]}; offsets count from the end of the header. */
static void write_entry(lc_text *header, const lc_array *array, size_t begin)
{
    size_t bytes = 0;
    (void)lc_array_bytes(array, &bytes);
    lc_json_append(header, array->name);
    lc_text_format(header, ":{\"dtype\":\"%s\",\"shape\":[", lc_dtype_name(array->dtype));
    for (size_t i = 0; i < array->rank; i++)
        lc_text_format(header, i > 0 ? ",%zu" : "%zu", array->shape[i]);
    lc_text_format(header, "],\"data_offsets\":[%zu,%zu]}", begin, begin + bytes);
}

static loco_status write_header(tensor_writer *w)
{
    lc_text_string(&w->header, "{");
    write_pairs(w);
    for (size_t i = 0; i < w->arrays_len; i++) {
        if (i > 0 || w->pairs_len > 0)
            lc_text_string(&w->header, ",");
        write_entry(&w->header, &w->arrays[w->order[i]], w->begins[w->order[i]]);
    }
    lc_text_string(&w->header, "}");
    /* With the 8 bytes of the length, the data then begins at a multiple of 8: numbers are aligned for programs that
     * map the file into memory. Spaces are what the format allows there. */
    while (w->header.length % 8 != 0 && !w->header.failed)
        lc_text_string(&w->header, " ");
    if (w->header.failed)
        return out_of_memory(w);
    if (w->header.length > LC_HEADER_BYTES || w->header.length + 8 > LC_FILE_BYTES - w->data_len)
        return lc_err_set(w->err, LOCO_EARG, "%s: header of %zu bytes and data of %zu are too much for one file",
                          w->where, w->header.length, w->data_len);
    return LOCO_OK;
}

/* The bytes of the file, or NULL when out of memory. */
static char *assemble(const tensor_writer *w)
{
    size_t header = w->header.length;
    char *bytes = malloc(8 + header + w->data_len);
    if (bytes == NULL)
        return NULL;
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (char)((uint64_t)header >> 8 * i & 0xff);
    memcpy(bytes + 8, w->header.bytes, header);
    for (size_t i = 0; i < w->arrays_len; i++) {
        const lc_array *array = &w->arrays[i];
        size_t size = lc_dtype_size(array->dtype), length = 0;
        char *at = bytes + 8 + header + w->begins[i];
        (void)lc_array_bytes(array, &length);
        lc_array_copy(array, at);
        lc_little_endian(at, length / size, size);
    }
    return bytes;
}

/* Puts the sum of the file in the place of the zeros, if they are there. */
static void add_checksum(char *bytes, size_t header, size_t length)
{
    char digits[LC_SUM_DIGITS + 1], *at = lc_tensors_sum(bytes + 8, header, LC_SUM_ZEROS);
    if (at == NULL)
        return;
    lc_checksum sum = lc_checksum_begin();
    lc_checksum_add(&sum, bytes, length);
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)lc_checksum_end(&sum));
    memcpy(at, digits, LC_SUM_DIGITS);
}

/* Offsets need sizes, the header needs offsets, and the file needs the length of the header. */
static loco_status format(tensor_writer *w, char **bytes, size_t *length)
{
    w->order = malloc((w->arrays_len + 1) * sizeof *w->order);
    w->begins = malloc((w->arrays_len + 1) * sizeof *w->begins);
    loco_status status = w->order != NULL && w->begins != NULL ? check_pairs(w) : out_of_memory(w);
    if (status == LOCO_OK)
        status = place(w);
    if (status == LOCO_OK)
        status = check_repeats(w);
    if (status == LOCO_OK)
        status = write_header(w);
    if (status == LOCO_OK) {
        char *result = assemble(w);
        if (result != NULL) {
            *length = 8 + w->header.length + w->data_len;
            *bytes = result;
            add_checksum(result, w->header.length, *length);
        } else {
            status = out_of_memory(w);
        }
    }
    lc_text_free(&w->header);
    free(w->order);
    free(w->begins);
    return status;
}

loco_status lc_tensors_format(char **bytes, size_t *length, const lc_array *arrays, size_t arrays_len,
                              const lc_pair *pairs, size_t pairs_len, loco_err *err)
{
    tensor_writer w = {.arrays = arrays, .arrays_len = arrays_len, .pairs = pairs, .pairs_len = pairs_len, .err = err};
    lc_tensors_where(w.where, NULL);
    return format(&w, bytes, length);
}

loco_status lc_tensors_save(const char *path, const lc_array *arrays, size_t arrays_len, const lc_pair *pairs,
                            size_t pairs_len, loco_err *err)
{
    char *bytes;
    size_t length;
    tensor_writer w = {.arrays = arrays, .arrays_len = arrays_len, .pairs = pairs, .pairs_len = pairs_len, .err = err};
    lc_tensors_where(w.where, path);
    loco_status status = format(&w, &bytes, &length);
    if (status != LOCO_OK)
        return status;
    status = lc_file_save(path, bytes, length, err);
    free(bytes);
    return status;
}
