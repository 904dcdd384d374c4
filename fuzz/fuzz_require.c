/* SPDX-License-Identifier: MIT
 *
 * fuzz_require.c - any bytes at all into lc_require_parse.
 *   What is accepted holds 1 to LC_REQUIRE_MAX demands, each possible; whatever is refused leaves the result untouched
 *   and says why. */
#include "eval/require.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require_that(int holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_require require = {.len = 77};
    loco_err err = {""};
    if (lc_require_parse(&require, (const char *)data, size, &err) != LOCO_OK) {
        require_that(require.len == 77);
        require_that(err.text[0] != '\0' && memchr(err.text, 0, sizeof err.text) != NULL);
        return 0;
    }
    require_that(require.len >= 1 && require.len <= LC_REQUIRE_MAX);
    for (size_t i = 0; i < require.len; i++) {
        require_that(require.item[i].metric <= LC_METRIC_COUNT);
        require_that(require.item[i].least >= 0 && require.item[i].least <= 1);
        require_that(require.item[i].tolerance >= 0 && require.item[i].tolerance <= 10);
    }
    return 0;
}
