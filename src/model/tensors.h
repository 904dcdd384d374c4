/* SPDX-License-Identifier: MIT
 * tensors.h - safetensors files: named arrays of numbers, and pairs of texts about them.
 *
 *   offset  bytes  content
 *   0       8      N, the length of the header, little-endian
 *   8       N      the header, JSON in UTF-8 from { to }, then spaces up to a multiple of 8 bytes
 *   8 + N   ...    the numbers, little-endian, rows first, one array behind the other
 *
 *     {"__metadata__":{"format":"loco-model"},"0.dense.bias":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}
 *
 * data_offsets count from the first number, begin and end. Arrays of 8-byte numbers are written before those of 4-byte
 * ones, else in the order given: so every number is aligned, and the same arrays give the same bytes.
 *
 * A file is read whole and checked against all rules of the format, so that no later code has to check an offset or a
 * shape. */
#ifndef LC_MODEL_TENSORS_H
#define LC_MODEL_TENSORS_H

#include "loco.h"

#include <stdbool.h>

/* Limits, so that a hostile file costs bounded time and memory, well above what a network needs (at most 512 arrays,
 * and 5 of a checkpoint). 4096 entries take some 2 MiB of header; the rest of its 16 MiB is for metadata. LC_FILE_BYTES
 * is the largest power of two that an enum, which is an int, and a %d can hold. */
enum {
    LC_ARRAYS_MAX = 4096,
    LC_ARRAY_RANK = 8,
    LC_PAIRS_MAX = 256,
    LC_NAME_BYTES = 255,       /* of an array's name or a pair's key */
    LC_VALUE_BYTES = 1 << 20,  /* of a pair's value */
    LC_HEADER_BYTES = 1 << 24, /* 16 MiB */
    LC_FILE_BYTES = 1 << 30    /* 1 GiB */
};

typedef enum lc_dtype { LC_F32, LC_F64, LC_U64 } lc_dtype;

/* float, double or uint64_t as this machine has them; those of a file that was read may lie at any address, hence
 * lc_array_copy. */
typedef struct lc_array {
    const char *name;
    lc_dtype dtype;
    size_t rank, shape[LC_ARRAY_RANK]; /* rank 0: one number */
    const void *data;
} lc_array;

typedef struct lc_pair {
    const char *key, *value;
} lc_pair;

/* Bytes of all numbers; false when they do not fit into a size_t. */
bool lc_array_bytes(const lc_array *array, size_t *bytes);

/* Copies all numbers to out, an array of the same type. */
void lc_array_copy(const lc_array *array, void *out);

const char *lc_dtype_name(lc_dtype dtype);
size_t lc_dtype_size(lc_dtype dtype);

/* ---- reading ---- */

enum { LC_WHERE_BYTES = 84 };

/* A file that was read. It owns all that it points to; none of it may be changed. */
typedef struct lc_tensors {
    char where[LC_WHERE_BYTES]; /* its name in messages: the end of its path, or "model" */
    const lc_array *arrays;     /* in the order of their numbers */
    size_t arrays_len;
    const lc_pair *pairs;
    size_t pairs_len;
    char *bytes;
    struct cJSON *header;
} lc_tensors;

/* Keeps a copy of data. */
LOCO_MUST_USE loco_status lc_tensors_parse(lc_tensors **file, const void *data, size_t length, loco_err *err);
LOCO_MUST_USE loco_status lc_tensors_load(const char *path, lc_tensors **file, loco_err *err);
void lc_tensors_free(lc_tensors *file);

const lc_array *lc_tensors_find(const lc_tensors *file, const char *name); /* NULL: not there */
const char *lc_tensors_value(const lc_tensors *file, const char *key);     /* NULL: not there */

/* LOCO_EDATA unless the file has an array of this name, type and shape. */
LOCO_MUST_USE loco_status lc_tensors_expect(const lc_tensors *file, const lc_array *wanted, loco_err *err);

/* ---- writing ---- */

/* The file as a block of length bytes, which the caller frees by free(). Names and keys must differ, and all texts be
 * UTF-8. */
LOCO_MUST_USE loco_status lc_tensors_format(char **bytes, size_t *length, const lc_array *arrays, size_t arrays_len,
                                            const lc_pair *pairs, size_t pairs_len, loco_err *err);

/* The same, saved all or nothing. */
LOCO_MUST_USE loco_status lc_tensors_save(const char *path, const lc_array *arrays, size_t arrays_len,
                                          const lc_pair *pairs, size_t pairs_len, loco_err *err);

/* ---- reading and writing ---- */

/* A pair "checksum": 16 hexadecimal digits, the sum (base/checksum.h) of all bytes of the file while these digits are 0.
 * Made anew where the pair is given, whatever its value; compared where a file has one. */
#define LC_SUM_KEY "checksum"
#define LC_SUM_ZEROS "0000000000000000"
enum { LC_SUM_DIGITS = 16 };

/* Where the digits of that pair stand in a header; NULL: it has none with this value. */
char *lc_tensors_sum(char *header, size_t length, const char *value);

/* Turns count numbers of size bytes from this machine's byte order into little-endian, or back: it is the same
 * exchange. */
void lc_little_endian(void *numbers, size_t count, size_t size);

/* The name of the file at path in messages; NULL: "model". */
void lc_tensors_where(char where[LC_WHERE_BYTES], const char *path);

#endif
