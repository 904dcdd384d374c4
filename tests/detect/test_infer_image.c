/* SPDX-License-Identifier: MIT
 * test_infer_image.c - an image of any size: strips give what a network of the whole width gives. */
#include "train_cases.h"

#include "detect/infer.h"
#include "detect/plane.h"
#include "image/view.h"

enum { HEIGHT = 37, WIDTH = 203, CELL = 4, COLUMNS = 51, ROWS = 10, CLASSES = 2 };

#define PICTURE "test_infer_image.png"

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
        CHECK_STATUS(lc_infer_image(&logits, model, &image, (lc_shift){0, 0}, 1, NULL), LOCO_OK);
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
    CHECK_STATUS(lc_infer_image(&plain, model, &image, (lc_shift){0, 0}, 1, NULL), LOCO_OK);
    CHECK_STATUS(lc_infer_image(&moved, model, &image, (lc_shift){CELL, CELL}, 1, NULL), LOCO_OK);
    CHECK_EQ(moved.columns, COLUMNS - 1);
    for (size_t row = 3; row < ROWS - 3; row++)
        for (size_t column = 5; column < COLUMNS - 6; column++)
            CHECK_NEAR(moved.data[(row * moved.columns + column) * CLASSES],
                       plain.data[((row + 1) * plain.columns + column + 1) * CLASSES], 1e-4);
    free(plain.data);
    free(moved.data);
    CHECK_STATUS(lc_infer_image(&moved, model, &image, (lc_shift){WIDTH, 0}, 1, &err), LOCO_EARG);
    CHECK_SAYS(err.text, "leaves nothing");
    loco_model_free(model);
    lc_image_free(&image);
}

/* The picture in a mirror. */
static lc_image turned(const lc_image *image, unsigned turn)
{
    lc_view view = lc_view_of(image, turn);
    lc_image made = {view.height, view.width, 1, 1, case_array(HEIGHT * WIDTH, 1)};
    float row[WIDTH];
    for (size_t y = 0; y < made.height; y++) {
        lc_view_row(&view, y, 0, made.width, 1, row);
        for (size_t x = 0; x < made.width; x++)
            made.values[y * made.width + x] = (unsigned char)lrintf(255 * row[x]);
    }
    return made;
}

/* Where place (r, c) of the image, which has cells of one pixel here, lies in a view. */
static size_t place_in(unsigned turn, size_t r, size_t c)
{
    size_t rows = HEIGHT, columns = WIDTH, kept = r;
    if ((turn & LC_TURN_DIAGONAL) != 0) {
        r = c;
        c = kept;
        rows = WIDTH;
        columns = HEIGHT;
    }
    r = (turn & LC_TURN_OVER) != 0 ? rows - 1 - r : r;
    c = (turn & LC_TURN_ACROSS) != 0 ? columns - 1 - c : c;
    return r * columns + c;
}

static void views_are_averaged(void)
{
    lc_image image = noise();
    lc_net net;
    lc_logits all = {0};
    double *sums = case_array((size_t)HEIGHT * WIDTH, sizeof *sums);
    loco_model *one = model_of("image cell=1 width=64", &net);
    for (unsigned turn = 0; turn < LC_TURNS; turn++) {
        lc_image seen = turned(&image, turn);
        lc_logits logits = {0};
        CHECK_STATUS(lc_infer_image(&logits, one, &seen, (lc_shift){0, 0}, 1, NULL), LOCO_OK);
        for (size_t r = 0; r < HEIGHT; r++)
            for (size_t c = 0; c < WIDTH; c++)
                sums[r * WIDTH + c] += lc_probability(logits.data[place_in(turn, r, c) * CLASSES + 1]) / LC_TURNS;
        free(logits.data);
        lc_image_free(&seen);
    }
    CHECK_STATUS(lc_infer_image(&all, one, &image, (lc_shift){0, 0}, LC_TURNS, NULL), LOCO_OK);
    for (size_t i = 0; i < (size_t)HEIGHT * WIDTH; i++)
        CHECK_NEAR(lc_probability(all.data[i * CLASSES + 1]), sums[i], 1e-5);
    free(all.data);
    free(sums);
    loco_model_free(one);
    lc_image_free(&image);
}

/* Cells of several pixels, of which the last one is not whole, and a shift: a mirror is the mean of itself and its mirror. */
static void views_share_their_places(void)
{
    static const lc_shift shifts[] = {
        {0,    0       },
        {-1,   -3      },
        {CELL, CELL + 1}
    };
    lc_image image = noise();
    lc_net net;
    loco_model *model = model_of("image cell=4 width=64", &net);
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        lc_logits plain = {0}, other = {0};
        lc_image seen = turned(&image, LC_TURN_DIAGONAL);
        CHECK_STATUS(lc_infer_image(&plain, model, &image, shifts[i], LC_TURNS, NULL), LOCO_OK);
        CHECK_STATUS(lc_infer_image(&other, model, &seen, (lc_shift){shifts[i].y, shifts[i].x}, LC_TURNS, NULL),
                     LOCO_OK);
        CHECK_EQ(plain.T, other.T);
        size_t rows = plain.T / plain.columns;
        for (size_t p = 0; p < plain.T; p++)
            CHECK_NEAR(plain.data[p * CLASSES], other.data[(p % plain.columns * rows + p / plain.columns) * CLASSES],
                       2e-3);
        free(plain.data);
        free(other.data);
        lc_image_free(&seen);
    }
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

/* Between the reading of a file and that of its size. */
static void changed_files_are_refused(void)
{
    static const char line[] = "dense 2";
    lc_decoding decoding = lc_decoding_default(LC_DECODE_MASS);
    lc_frontend_settings front;
    lc_image image = noise();
    lc_net net;
    lc_logits logits = {.K = CLASSES, .T = 3};
    loco_model *model = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_image_save(PICTURE, &image, &err), LOCO_OK);
    CHECK_STATUS(lc_frontend_parse(&front, "windows size=8", &err), LOCO_OK);
    CHECK_STATUS(lc_net_parse(&net, line, strlen(line), lc_frontend_bins(&front), 1, &err), LOCO_OK);
    float *weights = case_array(net.params, sizeof *weights);
    CHECK_STATUS(lc_model_view(&model, &net, weights, names, &front, &decoding, &err), LOCO_OK);
    CHECK_STATUS(lc_infer_windows(&logits, model, PICTURE, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "changed while it was read");
    loco_model_free(model);
    free(weights);
    lc_image_free(&image);
    remove(PICTURE);
}

int main(void)
{
    RUN(strips_are_the_whole);
    RUN(shifts_leave_out_the_edge);
    RUN(views_are_averaged);
    RUN(views_share_their_places);
    RUN(other_inputs_are_refused);
    RUN(changed_files_are_refused);
    free(params);
    return check_done();
}
