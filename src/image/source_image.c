/* SPDX-License-Identifier: MIT
 * source_image.c - an image as a recording: a row of pixels is a moment, one a second, and its pixels are the channels.
 *   Columns are "grey" or "rgb"; as many are given as are wanted, those behind the edge like the one at the edge. With
 *   "windows" behind it, a moment is a square window, in the order of hilbert.h. */
#include "base/status.h"
#include "image/hilbert.h"
#include "image/image.h"
#include "signal/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 3 * 32768, CHUNK = 16 };

typedef struct image_source {
    lc_image image;
    size_t channels, width; /* of a pixel; pixels of a row */
    float *windows;         /* (T, size, size, channels); NULL: rows */
} image_source;

/* All windows of an image in memory, as many numbers each as columns are wanted. */
static loco_status cut_windows(lc_source *source, image_source *state, size_t wanted, loco_err *err)
{
    const lc_image *image = &state->image;
    size_t area = wanted / state->channels, size = (size_t)lround(sqrt((double)area));
    size_t row = image->width * state->channels;
    lc_windows windows;
    loco_status status = lc_windows_plan(&windows, image->height, image->width, state->channels, size, size / 4, err);
    if (status != LOCO_OK)
        return status;
    float *pixels = calloc(image->height, row * sizeof *pixels);
    state->windows = calloc(windows.T, windows.frame * sizeof *state->windows);
    if (pixels == NULL || state->windows == NULL) {
        free(pixels);
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory for %zu windows", source->name, windows.T);
    }
    for (size_t y = 0; y < image->height; y++)
        lc_image_row(image, y, 0, image->width, state->channels, pixels + y * row);
    lc_windows_cut(&windows, pixels, state->windows);
    free(pixels);
    source->memory = state->windows;
    source->frames = windows.T;
    source->channels = windows.frame;
    return LOCO_OK;
}

static loco_status open_image(lc_source *source, const char *path, lc_columns columns, loco_err *err)
{
    image_source *state = calloc(1, sizeof *state);
    const char *names = columns.names != NULL ? columns.names : "grey";
    bool header = names[0] == '\0'; /* only the length is wanted */
    if (state == NULL)
        return lc_err_set(err, LOCO_ENOMEM, "%s: out of memory", source->name);
    source->state = state;
    loco_status status = header ? lc_image_measure(&state->image, path, err) : lc_image_load(&state->image, path, err);
    state->channels = strncmp(names, "rgb", 3) == 0 ? 3 : 1;
    state->width = columns.n > 0 ? columns.n / state->channels : state->image.width;
    source->channels = state->width * state->channels;
    source->rate = 1;
    source->frames = state->image.height;
    source->chunk = CHUNK;
    if (status == LOCO_OK && columns.n > 0 && strstr(names, "windows") != NULL)
        status = cut_windows(source, state, columns.n, err);
    return status;
}

static loco_status read_rows(lc_source *source, size_t *got, loco_err *err)
{
    const image_source *state = source->state;
    if (state->windows != NULL)
        return lc_source_read_memory(source, got, err);
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
    free(state->windows);
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
