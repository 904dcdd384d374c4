/* SPDX-License-Identifier: MIT
 *
 * fuzz_notes.c - any bytes at all as rows of notes, as MAPS has them.
 *   What is accepted has times within the range, pitches of 0 to 127, and lines in order; whatever is refused names file
 *   and line. */
#include "studio/import/strokes.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_notes(const lc_strokes *notes)
{
    require(notes->len > 0);
    for (size_t i = 0; i < notes->len; i++) {
        const lc_stroke *n = &notes->items[i];
        require(n->time >= 0 && n->time < LC_TIME_END && n->label < 128 && n->line >= 1);
        require(i == 0 || notes->items[i - 1].line < n->line);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size > 0 ? size : 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    lc_strokes notes = {0};
    loco_err err = {""};
    loco_status status = lc_strokes_parse_notes(&notes, "input.tsv", text, size, &err);
    if (status == LOCO_OK)
        check_notes(&notes);
    else
        require(status == LOCO_EDATA && strncmp(err.text, "input.tsv", 9) == 0);
    lc_strokes_free(&notes);
    free(text);
    return 0;
}
