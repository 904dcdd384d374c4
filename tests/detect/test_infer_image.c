/* SPDX-License-Identifier: MIT
 * test_infer_image.c - an image of any size: strips give what a network of the whole width gives. */
#include "train_cases.h"

#include "detect/infer.h"

enum { HEIGHT = 37, WIDTH = 203, CELL = 4, COLUMNS = 51, ROWS = 10, CLASSES = 2 };

static const char network[] = "conv 3x3 6 local, conv 3x5 6 local, conv 1x1 2 linear, places";
static const char *const names[] = {"a", "b"};
static float *params;

/* The same weights for a strip of any width. */
static loco_model *model_of(const char *line, lc_net *net)
{
    lc_frontend_settings front;
    lc_decoding decoding = lc_decoding_default(LC_DECODE_MASS);
    loco_model *model = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_frontend_parse(&front, line, &err), LOCO_OK);
    CHECK_STATUS(
        lc_net_parse(net, network, strlen(network), lc_frontend_bins(&front), lc_frontend_channels(&front), &err),
        LOCO_OK);
    if (params == NULL) {
        lc_rng rng = lc_rng_seed(5);
        params = case_array(net->params, sizeof *params);
        lc_net_init(net, params, 1, -1, &rng);
    }
    front.usual = (lc_scale){.mean = {0.4}, .spread = {0.3}};
    CHECK_STATUS(lc_model_view(&model, net, params, names, &front, &decoding, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return model;
}

static lc_image noise(void)
{
    lc_rng rng = lc_rng_seed(6);
    lc_image image = {HEIGHT, WIDTH, 1, 1, case_array(HEIGHT * WIDTH, 1)};
    for (size_t i = 0; i < HEIGHT * WIDTH; i++)
        image.values[i] = (unsigned char)case_below(&rng, 256);
    return image;
}

/* The largest difference of logits. */
static double distance(const lc_logits *a, const lc_logits *b)
{
    double most = 0;
    for (size_t i = 0; i < a->T * a->K; i++)
        most = fmax(most, fabs((double)a->data[i] - (double)b->data[i]));
    return most;
}

static void strips_are_the_whole(void)
{
    static const char *const lines[] = {"image cell=4 width=203", "image cell=4 width=204", "image cell=4 width=100",
                                        "image cell=4 width=64", "image cell=4 width=36"};
    lc_image image = noise();
    lc_logits whole = {0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        lc_net net;
        lc_logits logits = {0};
        loco_model *model = model_of(lines[i], &net);
        CHECK_STATUS(lc_infer_image(&logits, model, &image, (lc_shift){0, 0}, NULL), LOCO_OK);
        CHECK_EQ(logits.columns, COLUMNS);
        CHECK_EQ(logits.T, (size_t)COLUMNS * ROWS);
        if (i == 0)
            whole = logits;
        CHECK_NEAR(distance(&whole, &logits), 0, 1e-4);
        loco_model_free(model);
        if (i > 0)
            free(logits.data);
    }
    free(whole.data);
    lc_image_free(&image);
}

/* Shifted by a cell, all rows and columns but the first are there, away from the edges. */
static void shifts_leave_out_the_edge(void)
{
    lc_image image = noise();
    lc_net net;
    lc_logits plain = {0}, moved = {0};
    loco_err err = {""};
    loco_model *model = model_of("image cell=4 width=203", &net);
    CHECK_STATUS(lc_infer_image(&plain, model, &image, (lc_shift){0, 0}, NULL), LOCO_OK);
    CHECK_STATUS(lc_infer_image(&moved, model, &image, (lc_shift){CELL, CELL}, NULL), LOCO_OK);
    CHECK_EQ(moved.columns, COLUMNS - 1);
    for (size_t row = 3; row < ROWS - 3; row++)
        for (size_t column = 5; column < COLUMNS - 6; column++)
            CHECK_NEAR(moved.data[(row * moved.columns + column) * CLASSES],
                       plain.data[((row + 1) * plain.columns + column + 1) * CLASSES], 1e-4);
    free(plain.data);
    free(moved.data);
    CHECK_STATUS(lc_infer_image(&moved, model, &image, (lc_shift){WIDTH, 0}, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "leaves nothing");
    loco_model_free(model);
    lc_image_free(&image);
}

static void other_inputs_are_refused(void)
{
    lc_net net;
    lc_logits logits = {0};
    loco_err err = {""};
    loco_model *model = model_of("image cell=4 width=203", &net);
    CHECK_STATUS(lc_infer_logits(&logits, model, &(lc_input){.path = "-"}, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "path of a file");
    CHECK_STATUS(lc_infer_logits(&logits, model, &(lc_input){.path = "take.wav"}, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "the model reads images");
    loco_model_free(model);
}

int main(void)
{
    RUN(strips_are_the_whole);
    RUN(shifts_leave_out_the_edge);
    RUN(other_inputs_are_refused);
    free(params);
    return check_done();
}
