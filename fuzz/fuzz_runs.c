/* SPDX-License-Identifier: MIT
 *
 * fuzz_runs.c - any bytes at all into lc_runs_add, twice, and what comes of it into a table.
 *   What is refused says why and adds nothing that cannot be read. */
#include "eval/runs.h"

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
    lc_runs runs = {0};
    lc_text out = {0};
    loco_err err = {""};
    char *text = size < 1 << 16 ? malloc(size + 1) : NULL;
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = 0;
    for (int i = 0; i < 2; i++) {
        size_t before = runs.len;
        if (lc_runs_add(&runs, i == 0 ? "a" : "b", "fuzz", text, size, &err) != LOCO_OK)
            require_that(err.text[0] != 0 && runs.len >= before);
        else
            require_that(runs.len > before && runs.classes_len >= 1);
    }
    lc_runs_table(&out, &runs, size % 2 == 1);
    lc_text_free(&out);
    lc_runs_free(&runs);
    free(text);
    return 0;
}
