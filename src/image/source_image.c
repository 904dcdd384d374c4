/* SPDX-License-Identifier: MIT
 * source_image.c - an image as a recording: a row of pixels is a moment, one a second, and its pixels are the channels.
 *   Columns are "grey" or "rgb"; as many are given as are wanted, those behind the edge like the one at the edge. */
#include "base/status.h"
#include "image/image.h"
#include "signal/source.h"

#include <stdlib.h>
#include <string.h>

enum { WIDEST = 3 * 32768, CHUNK = 16 };

typedef struct image_source {
    lc_image image;
    size_t channels, width; /* of a pixel; pixels of a row */
} image_source;

static loco_status open_image(lc_source *source, const char *path, lc_columns columns, loco_err *err)
{
    image_source *state = calloc(1, sizeof *state);
    bool header = columns.names != NULL && columns.names[0] == '\0'; /* only the length is wanted */
    if (state == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name);
    source->state = state;
    loco_status status = header ? lc_image_measure(&state->image, path, err) : lc_image_load(&state->image, path, err);
    state->channels = columns.names != NULL && strcmp(columns.names, "rgb") == 0 ? 3 : 1;
    state->width = columns.n > 0 ? columns.n / state->channels : state->image.width;
    source->channels = state->width * state->channels;
    source->rate = 1;
    source->frames = state->image.height;
    source->chunk = CHUNK;
    return status;
}

static loco_status read_rows(lc_source *source, size_t *got, loco_err *err)
{
    const image_source *state = source->state;
    size_t left = (size_t)(source->frames - source->at);
    (void)err;
    *got = left < source->chunk ? left : source->chunk;
    for (size_t i = 0; i < *got; i++)
        lc_image_row(&state->image, (size_t)source->at + i, 0, state->width, state->channels,
                     source->block + i * source->channels);
    return LOCO_OK;
}

static void close_image(lc_source *source)
{
    image_source *state = source->state;
    lc_image_free(&state->image);
    free(state);
}

const lc_source_ops lc_source_image = {
    .name = "image",
    .recipe = "image",
    .widest = WIDEST,
    .claims = lc_image_claims,
    .open = open_image,
    .read = read_rows,
    .seek = lc_source_seek_memory,
    .close = close_image,
};
