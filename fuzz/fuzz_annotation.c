/* SPDX-License-Identifier: MIT
 *
 * fuzz_annotation.c - any bytes at all as an annotation of lines `time label`, as MDB Drums and ENST-Drums have them.
 *   The first byte chooses whether labels may have numbers. Strokes that are accepted have times within the range,
 *   known labels, and lines in order; whatever is refused names file and line. */
#include "studio/import/strokes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const labels[][2] = {
    {"KD",  "kick" },
    {"bd",  "kick" },
    {"sd-", "snare"},
    {"chh", "hihat"},
    {"cr",  NULL   },
};
enum { LABELS = sizeof labels / sizeof labels[0] };

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_strokes(const lc_strokes *strokes)
{
    require(strokes->len > 0);
    for (size_t i = 0; i < strokes->len; i++) {
        const lc_stroke *s = &strokes->items[i];
        require(s->time >= 0 && s->time < LC_TIME_END && s->label < LABELS && s->line >= 1);
        require(i == 0 || strokes->items[i - 1].line < s->line);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    lc_vocabulary vocabulary = {"a set", labels, LABELS, data[0] % 2 == 1};
    size_t length = size - 1;
    char *text = malloc(length > 0 ? length : 1);
    if (text == NULL)
        return 0;
    memcpy(text, data + 1, length);
    lc_strokes strokes = {0};
    loco_err err = {""};
    loco_status status = lc_strokes_parse_lines(&strokes, &vocabulary, "input.txt", text, length, &err);
    if (status == LOCO_OK)
        check_strokes(&strokes);
    else
        require(status == LOCO_EDATA && strncmp(err.text, "input.txt:", 10) == 0);
    lc_strokes_free(&strokes);
    free(text);
    return 0;
}
