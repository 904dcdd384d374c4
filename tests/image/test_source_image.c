/* SPDX-License-Identifier: MIT
 * test_source_image.c - an image as a recording: rows, columns beyond the edge, windows along the curve. */
#include "train_cases.h"

#include "image/hilbert.h"
#include "image/image.h"
#include "signal/source.h"

enum { HEIGHT = 20, WIDTH = 11 };

/* Pixel (x, y) is 10 y + x of 255. */
static void save_picture(const char *name)
{
    unsigned char values[HEIGHT * WIDTH];
    lc_image image = {HEIGHT, WIDTH, 1, 1, values};
    for (size_t i = 0; i < sizeof values; i++)
        values[i] = (unsigned char)(10 * (i / WIDTH) + i % WIDTH);
    CHECK_STATUS(lc_image_save(run_path(name), &image, NULL), LOCO_OK);
}

/* All samples of a source, up to most. */
static size_t read_all(lc_source *source, float *samples, size_t most)
{
    size_t n = 0, got = 1;
    source->split = true;
    while (got > 0 && n < most) {
        CHECK_STATUS(lc_source_read(source, samples + n * source->channels, &got, NULL), LOCO_OK);
        n += got;
    }
    return n;
}

static void rows_are_moments(void)
{
    lc_source source;
    float rows[(HEIGHT + 16) * (WIDTH + 3)];
    CHECK_STR(lc_source_recipe(run_path("a.png")), "image");
    CHECK_STATUS(lc_source_open(&source, run_path("a.png"), (lc_columns){WIDTH + 3, "grey"}, NULL), LOCO_OK);
    CHECK_EQ(source.channels, WIDTH + 3);
    CHECK_NEAR(source.rate, 1, 0);
    CHECK_EQ(read_all(&source, rows, HEIGHT), HEIGHT);
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH + 3; x++)
            CHECK_NEAR(rows[y * (WIDTH + 3) + x] * 255, 10 * (double)y + fmin((double)x, WIDTH - 1), 1e-4);
    lc_source_close(&source);
}

static void colours_are_three_values(void)
{
    lc_source source;
    float rows[(HEIGHT + 16) * 3 * WIDTH];
    CHECK_STATUS(lc_source_open(&source, run_path("a.png"), (lc_columns){3 * WIDTH, "rgb"}, NULL), LOCO_OK);
    CHECK_EQ(read_all(&source, rows, HEIGHT), HEIGHT);
    CHECK_NEAR(rows[3 * 4] * 255, 4, 1e-4);
    CHECK_NEAR(rows[3 * 4 + 2] * 255, 4, 1e-4);
    lc_source_close(&source);
}

static void windows_are_moments(void)
{
    enum { SIZE = 8, STEP = 2 };
    lc_source source;
    lc_windows windows;
    CHECK_STATUS(lc_windows_plan(&windows, HEIGHT, WIDTH, 1, SIZE, STEP, NULL), LOCO_OK);
    lc_grid_cell *places = case_array(windows.T, sizeof *places);
    float *frames = case_array(windows.T + 16, windows.frame * sizeof *frames);
    lc_windows_places(&windows, places);
    CHECK_STATUS(lc_source_open(&source, run_path("a.png"), (lc_columns){SIZE * SIZE, "grey windows"}, NULL), LOCO_OK);
    CHECK_EQ(source.frames, windows.T);
    CHECK_EQ(read_all(&source, frames, windows.T), windows.T);
    for (size_t t = 0; t < windows.T; t++) /* the pixel in the middle */
        if (places[t].x < WIDTH && places[t].y < HEIGHT)
            CHECK_NEAR(frames[t * windows.frame + SIZE / 2 * SIZE + SIZE / 2] * 255,
                       10 * (double)places[t].y + (double)places[t].x, 1e-4);
    lc_source_close(&source);
    free(places);
    free(frames);
}

static void the_length_needs_no_pixels(void)
{
    double seconds, rate;
    loco_err err = {""};
    CHECK_STATUS(lc_sound_length(run_path("a.png"), &seconds, &rate, NULL), LOCO_OK);
    CHECK_NEAR(seconds, HEIGHT, 0);
    run_write("text.png", "no picture");
    CHECK_STATUS(lc_sound_length(run_path("text.png"), &seconds, &rate, &err), LOCO_EDATA);
    CHECK_SAYS(err.text, "text.png");
}

int main(void)
{
    run_begin();
    save_picture("a.png");
    RUN(rows_are_moments);
    RUN(colours_are_three_values);
    RUN(windows_are_moments);
    RUN(the_length_needs_no_pixels);
    return run_done();
}
