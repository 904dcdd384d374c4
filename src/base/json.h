/* SPDX-License-Identifier: MIT
 * json.h - JSON as model files hold it: read into a tree of cJSON, written piece by piece into a text.
 *
 * Text is checked before cJSON sees it, for cJSON takes more than RFC 8259 allows (0001, a key twice, "\u0000" as the
 * end of a string, anything behind the value) and says neither where text is wrong nor whether it was the memory. What
 * passes the check is UTF-8, at most LC_JSON_DEPTH deep and LC_JSON_VALUES values large, and no object has a key
 * twice. */
#ifndef LC_BASE_JSON_H
#define LC_BASE_JSON_H

#include "base/show.h"
#include "base/text.h"
#include "loco.h"

#include <cjson/cJSON.h>

/* The largest file within the limits of tensors.h has 4096 arrays of up to 14 values and 256 pairs: less than half of
 * LC_JSON_VALUES. */
enum {
    LC_JSON_DEPTH = 16,
    LC_JSON_VALUES = 1 << 17, /* a tree of so many takes 15 MiB and its strings */
    LC_JSON_DIGITS = 40       /* characters of a number; cJSON cuts at 63 */
};

/* Reads length bytes, behind which a further byte must be readable: cJSON looks at it. Every sentence begins with
 * where. The caller frees root by cJSON_Delete. */
LOCO_MUST_USE loco_status lc_json_parse(cJSON **root, const char *where, const char *text, size_t length,
                                        loco_err *err);

/* The number as a size: whole, from 0 to 2^53, above which doubles skip numbers. False for all else. */
bool lc_json_size(const cJSON *item, size_t *size);

/* Appends string in quotation marks. It must be UTF-8. */
void lc_json_append(lc_text *text, const char *string);

/* Sorts names; returns one that is there twice, or NULL. */
const char *lc_names_repeated(const char **names, size_t n);

#endif
