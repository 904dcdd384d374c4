/* SPDX-License-Identifier: MIT
 * spot_model.h - a model of images with chosen weights, and images with spots: class 0 fires in cells of 4 x 4 pixels that
 *   are light, class 1 in dark ones, a chosen number of cells off. For tests that need events in the plane without
 *   training. */
#ifndef TESTS_SPOT_MODEL_H
#define TESTS_SPOT_MODEL_H

#include "train_cases.h"

#include "image/image.h"
#include "model/model.h"

enum { SPOT_CELL = 4, SPOT_PIXELS = SPOT_CELL * SPOT_CELL, SPOT_CLASSES = 2 };
enum { SPOT_PARAMS = (9 * SPOT_PIXELS + 1) * SPOT_CLASSES };

static const char *const spot_names[] = {"light", "dark"};

/* Of "conv 3x3 2 linear", of which one of nine cells passes: (1, 1) is the cell itself, (0, 0) the one above it and to
 * the left, so that events are found a cell too low and too far to the right. The ground, 0.4, is the
 * mean of the front end. */
static inline void spot_params(float *params, size_t down, size_t right)
{
    memset(params, 0, SPOT_PARAMS * sizeof *params);
    for (size_t i = 0; i < SPOT_PIXELS; i++) {
        float *weights = params + (((down * 3 + right) * SPOT_PIXELS) + i) * SPOT_CLASSES;
        weights[0] = 2;
        weights[1] = -3;
    }
    params[9 * SPOT_PIXELS * SPOT_CLASSES] = -2 * SPOT_PIXELS * 0.3f;
    params[9 * SPOT_PIXELS * SPOT_CLASSES + 1] = -3 * SPOT_PIXELS * 0.2f;
}

/* A model file for images of any size that reads strips of `width` pixels. */
static inline void spot_model(const char *name, size_t width, size_t down, size_t right)
{
    char line[96];
    static const char network[] = "conv 3x3 2 linear, places", decoding_line[] = "mass window=3 threshold=0.5 gap=6";
    loco_err err = {""};
    lc_net net;
    lc_frontend_settings front;
    lc_decoding decoding;
    loco_model *model = NULL;
    float *params = case_array(SPOT_PARAMS, sizeof *params);
    snprintf(line, sizeof line, "image cell=%d width=%zu", SPOT_CELL, width);
    loco_status status = lc_frontend_parse(&front, line, &err);
    if (status == LOCO_OK)
        status = lc_net_parse(&net, network, strlen(network), lc_frontend_bins(&front), SPOT_PIXELS, &err);
    if (status == LOCO_OK)
        status = lc_decoding_parse(&decoding, decoding_line, strlen(decoding_line), &err);
    spot_params(params, down, right);
    front.usual = (lc_scale){.mean = {0.4}, .spread = {1}};
    if (status == LOCO_OK)
        status = lc_model_view(&model, &net, params, spot_names, &front, &decoding, &err);
    if (status == LOCO_OK)
        status = lc_model_save(run_path(name), model, NULL, 0, &err);
    loco_model_free(model);
    free(params);
    if (status != LOCO_OK) {
        fprintf(stderr, "%s: %s\n", name, err.text);
        exit(1);
    }
}

/* A spot that fills one cell: the place of its centre is 4 column + 1.5, 4 row + 1.5. */
typedef struct spot {
    size_t row, column, kind;
} spot;

static inline void spot_image(const char *name, size_t height, size_t width, const spot *spots, size_t n)
{
    lc_image image = {height, width, 1, 1, case_array(height * width, 1)};
    memset(image.values, 102, height * width);
    for (size_t i = 0; i < n; i++)
        for (size_t p = 0; p < SPOT_PIXELS; p++)
            image.values[(spots[i].row * SPOT_CELL + p / SPOT_CELL) * width + spots[i].column * SPOT_CELL +
                         p % SPOT_CELL] = spots[i].kind == 0 ? 255 : 0;
    CHECK_STATUS(lc_image_save(run_path(name), &image, NULL), LOCO_OK);
    lc_image_free(&image);
}

#endif
