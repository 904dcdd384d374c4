/* SPDX-License-Identifier: MIT
 * tensors.c - reading safetensors files. The layout is in tensors.h.
 *
 * The numbers are turned into this machine's byte order once, where they lie; on a little-endian machine that leaves
 * them as they are. Names and texts stay in the tree that the header was read into. */
#include "model/tensors.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/show.h"
#include "base/status.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char metadata_key[] = "__metadata__";

enum { BEGINNING = 24 }; /* bytes that are shown of a file of another kind */

/* The file while it is being read. */
typedef struct tensor_reader {
    lc_tensors *file;
    lc_array *arrays;
    lc_pair *pairs;
    char *data; /* the first number */
    size_t data_len;
    loco_err *err;
} tensor_reader;

/* ---- reading the header ---- */

static loco_status refuse_tensor(const tensor_reader *r, const char *name, const char *problem)
{
    return lc_err_set(r->err, LOCO_EDATA, "%s: tensor \"%s\": %s", r->file->where, lc_show(name).text, problem);
}

static loco_status read_dtype(const tensor_reader *r, const cJSON *item, lc_array *array)
{
    const char *name = cJSON_GetStringValue(item);
    if (name == NULL)
        return refuse_tensor(r, array->name, "dtype must be a string, such as \"F32\"");
    for (lc_dtype dtype = LC_F32; dtype <= LC_U64; dtype++) {
        if (strcmp(name, lc_dtype_name(dtype)) == 0) {
            array->dtype = dtype;
            return LOCO_OK;
        }
    }
    return lc_err_set(r->err, LOCO_EDATA, "%s: tensor \"%s\": dtype \"%s\" is invalid; use F32, F64 or U64",
                      r->file->where, lc_show(array->name).text, lc_show(name).text);
}

static loco_status read_shape(const tensor_reader *r, const cJSON *item, lc_array *array)
{
    if (!cJSON_IsArray(item))
        return refuse_tensor(r, array->name, "shape must be an array, such as [3, 4]");
    for (const cJSON *size = item->child; size != NULL; size = size->next) {
        /* Before the write: the list may be as long as LC_JSON_VALUES, and shape has 8 places. */
        if (array->rank == LC_ARRAY_RANK)
            return refuse_tensor(r, array->name, "shape has more than 8 sizes");
        if (!lc_json_size(size, &array->shape[array->rank++]))
            return refuse_tensor(r, array->name, "each size of shape must be a whole number from 0 to 2^53");
    }
    return LOCO_OK;
}

static loco_status read_offsets(const tensor_reader *r, const cJSON *item, lc_array *array)
{
    size_t begin, end, bytes;
    const char *where = r->file->where;
    if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 2 || !lc_json_size(item->child, &begin) ||
        !lc_json_size(item->child->next, &end))
        return refuse_tensor(r, array->name, "data_offsets must be two whole numbers, such as [0, 48]");
    /* The one check between a file and a pointer outside of it. It compares and never adds, so nothing can wrap; and it
     * comes before end - begin is formed. */
    if (begin > end || end > r->data_len)
        return lc_err_set(r->err, LOCO_EDATA,
                          "%s: tensor \"%s\": data_offsets [%zu, %zu] do not lie in the %zu bytes of data", where,
                          lc_show(array->name).text, begin, end, r->data_len);
    if (!lc_array_bytes(array, &bytes))
        return refuse_tensor(r, array->name, "shape is larger than memory can be");
    if (bytes != end - begin)
        return lc_err_set(r->err, LOCO_EDATA, "%s: tensor \"%s\": shape needs %zu bytes, and data_offsets give %zu",
                          where, lc_show(array->name).text, bytes, end - begin);
    array->data = r->data + begin;
    return LOCO_OK;
}

static loco_status read_array(const tensor_reader *r, const cJSON *item, lc_array *array)
{
    size_t length = strlen(item->string);
    *array = (lc_array){.name = item->string};
    if (length == 0 || length > LC_NAME_BYTES)
        return refuse_tensor(r, item->string, "a name has 1 to 255 bytes");
    /* Three members, no key twice (lc_json_parse), and these three there: then there is no other. Case-sensitive, since
     * cJSON's plain lookup would take "Shape" for "shape". */
    const cJSON *dtype = cJSON_GetObjectItemCaseSensitive(item, "dtype");
    const cJSON *shape = cJSON_GetObjectItemCaseSensitive(item, "shape");
    const cJSON *offsets = cJSON_GetObjectItemCaseSensitive(item, "data_offsets");
    if (!cJSON_IsObject(item) || cJSON_GetArraySize(item) != 3 || dtype == NULL || shape == NULL || offsets == NULL)
        return refuse_tensor(r, item->string, "it must be an object of dtype, shape and data_offsets");
    loco_status status = read_dtype(r, dtype, array);
    if (status == LOCO_OK)
        status = read_shape(r, shape, array);
    return status == LOCO_OK ? read_offsets(r, offsets, array) : status;
}

static loco_status read_pairs(tensor_reader *r, const cJSON *metadata)
{
    const char *where = r->file->where;
    if (!cJSON_IsObject(metadata))
        return lc_err_set(r->err, LOCO_EDATA, "%s: __metadata__ must be an object of strings", where);
    for (const cJSON *item = metadata->child; item != NULL; item = item->next) {
        if (r->file->pairs_len == LC_PAIRS_MAX)
            return lc_err_set(r->err, LOCO_EDATA, "%s: __metadata__ has more than %d entries", where, LC_PAIRS_MAX);
        if (!cJSON_IsString(item))
            return lc_err_set(r->err, LOCO_EDATA, "%s: __metadata__ \"%s\" must be a string", where,
                              lc_show(item->string).text);
        size_t key = strlen(item->string);
        if (key == 0 || key > LC_NAME_BYTES || strlen(item->valuestring) > LC_VALUE_BYTES)
            return lc_err_set(r->err, LOCO_EDATA,
                              "%s: __metadata__ \"%s\": a key has 1 to %d bytes, its string up to %d", where,
                              lc_show(item->string).text, LC_NAME_BYTES, LC_VALUE_BYTES);
        r->pairs[r->file->pairs_len++] = (lc_pair){item->string, item->valuestring};
    }
    return LOCO_OK;
}

/* header_length found a {, so the root is an object and every item has a name. reserve_entries counted the arrays, and
 * __metadata__ is there once at most: arrays_len stays within arrays. */
static loco_status read_entries(tensor_reader *r)
{
    loco_status status = LOCO_OK;
    for (const cJSON *item = r->file->header->child; item != NULL && status == LOCO_OK; item = item->next) {
        if (strcmp(item->string, metadata_key) == 0)
            status = read_pairs(r, item);
        else
            status = read_array(r, item, &r->arrays[r->file->arrays_len++]);
    }
    return status;
}

/* ---- checks of the whole ---- */

/* Where an array's numbers end; its size was checked before. */
static const char *end_of(const lc_array *array)
{
    size_t bytes = 0;
    (void)lc_array_bytes(array, &bytes);
    return (const char *)array->data + bytes;
}

/* By begin, then by end, so that an empty array comes before the one at the same place. */
static int compare_places(const void *a, const void *b)
{
    const char *begin_a = ((const lc_array *)a)->data, *begin_b = ((const lc_array *)b)->data;
    const char *end_a = end_of(a), *end_b = end_of(b);
    if (begin_a != begin_b)
        return begin_a < begin_b ? -1 : 1;
    return end_a < end_b ? -1 : end_a > end_b;
}

/* Every byte belongs to one array.
 * No overlap: shared bytes would be turned twice by to_machine_order. No gap and no rest: nothing is carried along
 * unseen. Sorted, each array only has to begin where the one before ends; the ends themselves are within the data
 * (read_offsets). */
static loco_status check_places(const tensor_reader *r)
{
    size_t n = r->file->arrays_len;
    const char *at = r->data, *where = r->file->where;
    if (n > 0)
        qsort(r->arrays, n, sizeof *r->arrays, compare_places);
    for (size_t i = 0; i < n; i++) {
        const char *begin = r->arrays[i].data;
        if (begin != at)
            return lc_err_set(r->err, LOCO_EDATA,
                              "%s: tensor \"%s\": it must begin at byte %zu, where the one before ends, not at %zu",
                              where, lc_show(r->arrays[i].name).text, (size_t)(at - r->data),
                              (size_t)(begin - r->data));
        at = end_of(&r->arrays[i]);
    }
    size_t left = (size_t)(r->data + r->data_len - at);
    if (left > 0)
        return lc_err_set(r->err, LOCO_EDATA, "%s: the last %zu bytes belong to no tensor", where, left);
    return LOCO_OK;
}

/* Room for what the header lists. */
static loco_status reserve_entries(tensor_reader *r)
{
    int n = cJSON_GetArraySize(r->file->header);
    if (cJSON_GetObjectItemCaseSensitive(r->file->header, metadata_key) != NULL)
        n--;
    if (n > LC_ARRAYS_MAX)
        return lc_err_set(r->err, LOCO_EDATA, "%s: %d tensors, and at most %d are read", r->file->where, n,
                          LC_ARRAYS_MAX);
    r->file->arrays = r->arrays = calloc((size_t)n + 1, sizeof *r->arrays);
    r->file->pairs = r->pairs = calloc(LC_PAIRS_MAX, sizeof *r->pairs);
    if (r->arrays == NULL || r->pairs == NULL)
        return lc_err_set(r->err, LOCO_ENOMEM, "%s: out of memory", r->file->where);
    return LOCO_OK;
}

/* A file of another kind, often a table or a sound: its first line shows the user which. */
static loco_status no_model(const lc_tensors *file, size_t length, loco_err *err)
{
    size_t shown = 0;
    while (shown < length && shown < BEGINNING && file->bytes[shown] != '\n' && file->bytes[shown] != '\r')
        shown++;
    if (length == 0)
        return lc_err_set(err, LOCO_EDATA, "%s is not a LoCo model: it is empty; loco train makes one", file->where);
    return lc_err_set(err, LOCO_EDATA, "%s is not a LoCo model: it begins with \"%s\"; loco train makes one",
                      file->where, lc_show_bytes(file->bytes, shown).text);
}

/* The length that the first 8 bytes give, if so many can follow.
 * Compared as 64 bits, before the cast to a size_t that may have 32, and with length - 8, since 8 + said could wrap. A
 * file of another kind fails at the brace, nearly always. */
static loco_status header_length(const lc_tensors *file, size_t length, size_t *header, loco_err *err)
{
    uint64_t said = 0;
    if (length < 9)
        return no_model(file, length, err);
    for (int i = 7; i >= 0; i--)
        said = said << 8 | (unsigned char)file->bytes[i];
    if (said == 0 || file->bytes[8] != '{')
        return no_model(file, length, err);
    if (said > LC_HEADER_BYTES)
        return lc_err_set(err, LOCO_EDATA,
                          "%s is not a LoCo model: its header would have %llu bytes, and at most %d are read",
                          file->where, (unsigned long long)said, LC_HEADER_BYTES);
    if (said > length - 8)
        return lc_err_set(err, LOCO_EDATA, "%s is cut short: its header has %llu bytes, and only %zu are there",
                          file->where, (unsigned long long)said, length - 8);
    *header = (size_t)said;
    return LOCO_OK;
}

/* ---- the checksum ---- */

char *lc_tensors_sum(char *header, size_t length, const char *value)
{
    char pair[sizeof "\"" LC_SUM_KEY "\":\"" + LC_SUM_DIGITS];
    if (strlen(value) != LC_SUM_DIGITS)
        return NULL;
    size_t n = (size_t)snprintf(pair, sizeof pair, "\"" LC_SUM_KEY "\":\"%s", value);
    for (size_t at = 0; at + n <= length; at++)
        if (memcmp(header + at, pair, n) == 0)
            return header + at + n - LC_SUM_DIGITS;
    return NULL;
}

/* Whether a key is that of the sum but for one character: a damaged file must not pass because its sum is not found. */
static bool is_near_sum(const char *key)
{
    size_t differ = 0, i = 0;
    for (; key != NULL && i < sizeof LC_SUM_KEY - 1 && key[i] != 0; i++)
        differ += key[i] != LC_SUM_KEY[i];
    return i == sizeof LC_SUM_KEY - 1 && key[i] == 0 && differ == 1;
}

static loco_status check_sum(const tensor_reader *r, size_t header, size_t length)
{
    const char *value = lc_tensors_value(r->file, LC_SUM_KEY);
    bool good = true;
    for (size_t i = 0; i < r->file->pairs_len; i++)
        good &= !is_near_sum(r->file->pairs[i].key);
    if (value != NULL) {
        char digits[LC_SUM_DIGITS + 1] = "", *at = lc_tensors_sum(r->file->bytes + 8, header, value);
        lc_checksum sum = lc_checksum_begin();
        if (at != NULL) {
            memset(at, '0', LC_SUM_DIGITS); /* the header has been read */
            lc_checksum_add(&sum, r->file->bytes, length);
            snprintf(digits, sizeof digits, "%016llx", (unsigned long long)lc_checksum_end(&sum));
        }
        good &= strcmp(digits, value) == 0;
    }
    if (good)
        return LOCO_OK;
    return lc_err_set(r->err, LOCO_EDATA,
                      "%s is damaged: its checksum is wrong; get it again (if it was changed on purpose, remove "
                      "\"" LC_SUM_KEY "\" from its metadata)",
                      r->file->where);
}

static void to_machine_order(const tensor_reader *r)
{
    for (size_t i = 0; i < r->file->arrays_len; i++) {
        const lc_array *array = &r->arrays[i];
        size_t bytes = 0, size = lc_dtype_size(array->dtype), begin = (size_t)((const char *)array->data - r->data);
        (void)lc_array_bytes(array, &bytes);
        lc_little_endian(r->data + begin, bytes / size, size);
    }
}

/* Nothing is used before it is checked: the length of the header, its syntax, each entry by itself, all entries
 * together; the numbers are touched last. lc_json_parse may look at the byte behind the header: it is the first of the
 * data, or the 0 that both lc_tensors_parse and lc_file_load put behind the last. */
static loco_status read_file(lc_tensors *file, size_t length, loco_err *err)
{
    size_t header = 0; /* gcc does not see that header_length sets it */
    char where[LC_WHERE_BYTES + 16];
    loco_status status = header_length(file, length, &header, err);
    if (status != LOCO_OK)
        return status;
    snprintf(where, sizeof where, "%s: header", file->where);
    status = lc_json_parse(&file->header, where, file->bytes + 8, header, err);
    if (status != LOCO_OK)
        return status;
    tensor_reader r = {.file = file, .data = file->bytes + 8 + header, .data_len = length - 8 - header, .err = err};
    status = reserve_entries(&r);
    if (status == LOCO_OK)
        status = read_entries(&r);
    if (status == LOCO_OK)
        status = check_sum(&r, header, length);
    if (status == LOCO_OK)
        status = check_places(&r);
    if (status == LOCO_OK)
        to_machine_order(&r);
    return status;
}

/* Reads bytes, and owns them even when the file is refused. */
static loco_status adopt(lc_tensors **file, const char *path, char *bytes, size_t length, loco_err *err)
{
    lc_tensors *result = calloc(1, sizeof *result);
    if (result == NULL) {
        free(bytes);
        return lc_err_set(err, LOCO_ENOMEM, "out of memory while reading a model");
    }
    result->bytes = bytes;
    lc_tensors_where(result->where, path);
    loco_status status = read_file(result, length, err);
    if (status == LOCO_OK)
        *file = result;
    else
        lc_tensors_free(result);
    return status;
}

loco_status lc_tensors_parse(lc_tensors **file, const void *data, size_t length, loco_err *err)
{
    if (length > LC_FILE_BYTES)
        return lc_err_set(err, LOCO_EDATA, "model has %zu bytes, and at most %d are read", length, LC_FILE_BYTES);
    char *bytes = malloc(length + 1);
    if (bytes == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "out of memory while reading a model");
    if (length > 0)
        memcpy(bytes, data, length);
    bytes[length] = 0;
    return adopt(file, NULL, bytes, length, err);
}

loco_status lc_tensors_load(const char *path, lc_tensors **file, loco_err *err)
{
    char *bytes;
    size_t length;
    loco_status status = lc_file_load(path, LC_FILE_BYTES, &bytes, &length, err);
    return status == LOCO_OK ? adopt(file, path, bytes, length, err) : status;
}

void lc_tensors_free(lc_tensors *file)
{
    if (file == NULL)
        return;
    cJSON_Delete(file->header);
    free((void *)file->arrays);
    free((void *)file->pairs);
    free(file->bytes);
    free(file);
}

/* ---- contents ---- */

const lc_array *lc_tensors_find(const lc_tensors *file, const char *name)
{
    for (size_t i = 0; i < file->arrays_len; i++) {
        if (strcmp(file->arrays[i].name, name) == 0)
            return &file->arrays[i];
    }
    return NULL;
}

const char *lc_tensors_value(const lc_tensors *file, const char *key)
{
    for (size_t i = 0; i < file->pairs_len; i++) {
        const char *own = file->pairs[i].key;
        if (own != NULL && strcmp(own, key) == 0)
            return file->pairs[i].value;
    }
    return NULL;
}

/* "[3,4]" */
static lc_shown show_shape(const lc_array *array)
{
    /* A size of 64 bits has at most 20 digits and a comma, so snprintf never cuts and used stays within text. */
    char text[LC_ARRAY_RANK * 24 + 4] = "[";
    size_t used = 1;
    for (size_t i = 0; i < array->rank; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, i > 0 ? ",%zu" : "%zu", array->shape[i]);
    text[used] = ']';
    return lc_show(text);
}

loco_status lc_tensors_expect(const lc_tensors *file, const lc_array *wanted, loco_err *err)
{
    const lc_array *got = lc_tensors_find(file, wanted->name);
    lc_shown name = lc_show(wanted->name);
    if (got == NULL)
        return lc_err_set(err, LOCO_EDATA, "%s: tensor \"%s\" is missing", file->where, name.text);
    if (got->dtype != wanted->dtype)
        return lc_err_set(err, LOCO_EDATA, "%s: tensor \"%s\" holds %s, and must hold %s", file->where, name.text,
                          lc_dtype_name(got->dtype), lc_dtype_name(wanted->dtype));
    if (got->rank != wanted->rank || memcmp(got->shape, wanted->shape, got->rank * sizeof *got->shape) != 0)
        return lc_err_set(err, LOCO_EDATA, "%s: tensor \"%s\" has shape %s, and must have %s", file->where, name.text,
                          show_shape(got).text, show_shape(wanted).text);
    return LOCO_OK;
}
