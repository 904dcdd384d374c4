/* SPDX-License-Identifier: MIT
 *
 * fuzz_idx.c - any bytes as a file of MNIST's kind, plain or packed by gzip.
 *   What is accepted has at most as many values as such a file may hold, and all of them are set; what is refused leaves the
 *   result untouched and names the file. */
#include "image/idx.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 1 << 14 };

static void require(int holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_idx idx = {.n = 77};
    loco_err err = {""};
    if (size > MOST_BYTES)
        return 0;
    loco_status status = lc_idx_parse(&idx, "digits", data, size, &err);
    if (status == LOCO_OK) {
        size_t n = idx.n * idx.height * idx.width, sum = 0;
        require(n > 0 && n <= 1033 * size);
        for (size_t i = 0; i < n; i++)
            sum += idx.values[i];
        require(sum <= 255 * n);
        lc_idx_free(&idx);
    } else {
        require(status == LOCO_EDATA && idx.n == 77 && idx.values == NULL);
        require(strncmp(err.text, "digits: ", 8) == 0);
    }
    return 0;
}
