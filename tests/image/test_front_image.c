/* SPDX-License-Identifier: MIT
 * test_front_image.c - rows of pixels as frames of cells: where each pixel goes, edges, scales. */
#include "cases.h"

#include "signal/frontend.h"

enum { WIDTH = 5, HEIGHT = 3, CELL = 2, BINS = 3, VALUES = BINS * CELL * CELL };

static lc_frontend *front_of(const char *line, lc_frontend_settings *s)
{
    lc_frontend *front = NULL;
    loco_err err = {""};
    CHECK_STATUS(lc_frontend_parse(s, line, &err), LOCO_OK);
    CHECK_STATUS(lc_frontend_new(&front, s, &err), LOCO_OK);
    CHECK_STR(err.text, "");
    return front;
}

/* Pixel (x, y) is 10 y + x. */
static void pixels_go_to_their_cells(void)
{
    lc_frontend_settings s;
    lc_frontend *front = front_of("image cell=2 width=5", &s);
    float rows[HEIGHT * WIDTH], frames[2 * VALUES];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        rows[i] = (float)(10 * (i / WIDTH) + i % WIDTH);
    CHECK_EQ(lc_frontend_bins(&s), BINS);
    CHECK_EQ(lc_frontend_channels(&s), CELL * CELL);
    CHECK_EQ(lc_frontend_places(&s), BINS);
    CHECK_EQ(lc_frontend_cell(&s), CELL);
    CHECK_EQ(lc_frontend_inputs(&s), WIDTH);
    size_t T = lc_frontend_push(front, rows, HEIGHT, frames);
    CHECK_EQ(T, 1);
    T += lc_frontend_finish(front, frames + VALUES);
    CHECK_EQ(T, 2);
    for (size_t i = 0; i < 2 * VALUES; i++) {
        size_t bin = i % VALUES / (CELL * CELL), dy = i % (CELL * CELL) / CELL, dx = i % CELL;
        size_t x = bin * CELL + dx, y = i / VALUES * CELL + dy;
        x = x < WIDTH ? x : WIDTH - 1; /* the last column and the last row are repeated */
        y = y < HEIGHT ? y : HEIGHT - 1;
        CHECK_NEAR(frames[i], 10 * (double)y + (double)x, 0);
    }
    lc_frontend_free(front);
}

static void scales_are_measured(void)
{
    lc_frontend_settings s;
    lc_scale scale;
    float rows[2 * 2 * 3] = {1, 5, 0, 3, 5, 0, 1, 5, 0, 3, 5, 0}, frames[6];
    lc_frontend *front = front_of("image cell=1 width=2 channels=3 scale=record", &s);
    CHECK(lc_frontend_wants_scale(&s));
    lc_frontend_measure(front, rows, 2);
    lc_frontend_measured(front, &scale);
    CHECK_NEAR(scale.mean[0], 2, 1e-12);
    CHECK_NEAR(scale.spread[0], 1, 1e-12);
    CHECK_NEAR(scale.mean[1], 5, 1e-12);
    CHECK_NEAR(scale.spread[1], 1, 1e-12); /* nothing to divide by */
    lc_frontend_rescale(front, &scale);
    CHECK_EQ(lc_frontend_push(front, rows, 1, frames), 1);
    CHECK_NEAR(frames[0], -1, 1e-6);
    CHECK_NEAR(frames[1], 0, 1e-6);
    lc_frontend_free(front);
}

static void wrong_lines_are_refused(void)
{
    static const struct {
        const char *line, *says;
    } wrongs[] = {
        {"image channels=2",                     "grey (1)"      },
        {"image cell=64 width=32768 channels=3", "values a frame"},
        {"image cell=0",                         "cell"          },
        {"image rate=2",                         "rate"          },
        {"image views=3",                        "2, 4 or 8"     },
        {"image views=0",                        "views"         },
        {"windows size=12",                      "8, 16"         },
        {"windows channels=2",                   "grey (1)"      },
    };
    lc_frontend_settings s;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        loco_err err = {""};
        CHECK_STATUS(lc_frontend_parse(&s, wrongs[i].line, &err), LOCO_EDATA);
        CHECK_SAYS(err.text, wrongs[i].says);
    }
}

static void windows_pass_as_they_are(void)
{
    lc_frontend_settings s;
    lc_frontend *front = front_of("windows size=8", &s);
    float windows[2 * 64], frames[2 * 64];
    for (size_t i = 0; i < 128; i++)
        windows[i] = (float)i;
    CHECK_EQ(lc_frontend_bins(&s), 64);
    CHECK_EQ(lc_frontend_places(&s), 1);
    CHECK_EQ(lc_frontend_cell(&s), 2);
    CHECK_EQ(lc_frontend_push(front, windows, 2, frames), 2);
    CHECK(case_same(windows, frames, sizeof frames));
    CHECK_EQ(lc_frontend_finish(front, frames), 0);
    lc_frontend_free(front);
}

int main(void)
{
    RUN(pixels_go_to_their_cells);
    RUN(scales_are_measured);
    RUN(wrong_lines_are_refused);
    RUN(windows_pass_as_they_are);
    return check_done();
}
