/* SPDX-License-Identifier: MIT
 *
 * fuzz_wfdb_annotation.c - any bytes as annotations in MIT format.
 *   Those that are accepted rise in time and have codes that exist; what is refused names the byte. */
#include "studio/import/wfdb_marks.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lc_wfdb_mark *marks = NULL;
    size_t len = 77;
    loco_err err = {""};
    loco_status status = lc_wfdb_marks_parse(&marks, &len, "input.atr", data, size, &err);
    if (status != LOCO_OK) {
        require(status == LOCO_EDATA && marks == NULL && len == 77);
        require(strncmp(err.text, "input.atr, byte ", 16) == 0);
        return 0;
    }
    require(2 * len < size);
    for (size_t i = 0; i < len; i++) {
        require(marks[i].code >= 1 && marks[i].code < 50);
        require(i == 0 || marks[i - 1].sample <= marks[i].sample);
    }
    free(marks);
    return 0;
}
