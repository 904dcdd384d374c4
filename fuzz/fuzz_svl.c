/* SPDX-License-Identifier: MIT
 *
 * fuzz_svl.c - any bytes at all as a layer of Sonic Visualiser.
 *   Strokes that are accepted have times within the range, the label given, and lines in order; whatever is refused
 *   names file and line. */
#include "studio/import/strokes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LABEL = 2, RATE = 44100 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL)
        return 0;
    if (size > 0)
        memcpy(bytes, data, size);
    lc_strokes strokes = {0};
    loco_err err = {""};
    loco_status status = lc_strokes_parse_layer(&strokes, LABEL, RATE, "input.svl", bytes, size, &err);
    require(status == LOCO_OK || (status == LOCO_EDATA && strncmp(err.text, "input.svl:", 10) == 0));
    for (size_t i = 0; i < strokes.len; i++) {
        const lc_stroke *s = &strokes.items[i];
        require(s->time >= 0 && s->time < LC_TIME_END && s->label == LABEL && s->line >= 1);
        require(i == 0 || strokes.items[i - 1].line <= s->line);
    }
    lc_strokes_free(&strokes);
    free(bytes);
    return 0;
}
