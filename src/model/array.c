/* SPDX-License-Identifier: MIT
 * array.c - what reading and writing of safetensors files share: types, sizes, byte order. */
#include "base/mem.h"
#include "model/tensors.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
} dtypes[] = {
    [LC_F32] = {"F32", 4},
      [LC_F64] = {"F64", 8},
      [LC_U64] = {"U64", 8}
};

const char *lc_dtype_name(lc_dtype dtype)
{
    return dtypes[dtype].name;
}

size_t lc_dtype_size(lc_dtype dtype)
{
    return dtypes[dtype].size;
}

/* Shapes come from files, sizes up to 2^53 each: an unchecked product could wrap to a few bytes and pass the check. A 0
 * behind sizes that already overflow does not save the shape; that refuses nothing that anyone would write. */
bool lc_array_bytes(const lc_array *array, size_t *bytes)
{
    size_t product = lc_dtype_size(array->dtype);
    for (size_t i = 0; i < array->rank; i++) {
        if (!lc_size_mul(product, array->shape[i], &product))
            return false;
    }
    *bytes = product;
    return true;
}

/* memcpy and not a loop over numbers, because data may be unaligned: a foreign file may have a header of any length. */
void lc_array_copy(const lc_array *array, void *out)
{
    size_t bytes;
    if (lc_array_bytes(array, &bytes) && bytes > 0)
        memcpy(out, array->data, bytes);
}

/* Written with shifts, so that the same lines run everywhere; the compiler sees that they do nothing on a
 * little-endian machine. */
void lc_little_endian(void *numbers, size_t count, size_t size)
{
    unsigned char *at = numbers;
    for (size_t i = 0; i < count; i++, at += size) {
        uint64_t value = 0;
        for (size_t k = size; k-- > 0;)
            value = value << 8 | at[k];
        if (size == sizeof(uint32_t)) {
            uint32_t word = (uint32_t)value;
            memcpy(at, &word, sizeof word);
        } else {
            memcpy(at, &value, sizeof value);
        }
    }
}

/* Paths differ at their end more often than at their beginning. At most 83 bytes, so that two texts of lc_show fit
 * beside it into the 256 bytes of a loco_err. */
void lc_tensors_where(char where[LC_WHERE_BYTES], const char *path)
{
    const char *name = path != NULL ? path : "model";
    size_t length = strlen(name), most = LC_WHERE_BYTES - 4;
    snprintf(where, LC_WHERE_BYTES, "%s%s", length > most ? "..." : "", length > most ? name + length - most : name);
}
