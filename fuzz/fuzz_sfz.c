/* SPDX-License-Identifier: MIT
 *
 * fuzz_sfz.c - any bytes at all as an instrument in SFZ format. The part behind a byte of 0xff, if there is one, is the
 *   file that any #include gives.
 *   Regions that are accepted have keys and velocities in order, and the name of a sound that is not absolute; whatever
 *   is refused leaves the result untouched and says why. */
#include "studio/piano/sfz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

typedef struct included {
    const uint8_t *bytes;
    size_t length;
} included;

static loco_status open_any(void *context, const char *name, char **bytes, size_t *length, loco_err *err)
{
    const included *inner = context;
    (void)name;
    (void)err;
    *bytes = malloc(inner->length + 1);
    if (*bytes == NULL)
        return LOCO_ENOMEM;
    if (inner->length > 0)
        memcpy(*bytes, inner->bytes, inner->length);
    *length = inner->length;
    return LOCO_OK;
}

static void check(const lc_sfz *sfz)
{
    require(sfz->len > 0 && sfz->len <= LC_SFZ_REGIONS && sfz->about != NULL);
    for (size_t i = 0; i < sfz->len; i++) {
        const lc_sfz_region *r = &sfz->regions[i];
        require(r->lokey <= r->hikey && r->hikey < 128 && r->lovel <= r->hivel && r->hivel < 128);
        require(r->centre >= -24 && r->centre <= 151 && r->sample[0] != '\0' && r->sample[0] != '/');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *border = size > 0 ? memchr(data, 0xff, size) : NULL;
    size_t length = border != NULL ? (size_t)(border - data) : size;
    included inner = {.bytes = border != NULL ? border + 1 : data, .length = border != NULL ? size - length - 1 : 0};
    lc_store store = {0};
    lc_sfz sfz = {.len = 7777};
    loco_err err = {""};
    char *bytes = malloc(length > 0 ? length : 1);
    if (bytes == NULL)
        return 0;
    if (length > 0)
        memcpy(bytes, data, length);
    loco_status status = lc_sfz_parse(&sfz, &store, "input.sfz", bytes, length, open_any, &inner, &err);
    free(bytes);
    if (status == LOCO_OK)
        check(&sfz);
    else
        require(status == LOCO_EDATA && sfz.len == 7777 && err.text[0] != '\0');
    lc_store_free(&store);
    return 0;
}
