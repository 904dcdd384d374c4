/* SPDX-License-Identifier: MIT
 * test_hilbert.c - the curve passes every cell once and never jumps; windows are the image's pixels, one by one. */
#include "cases.h"

#include "image/hilbert.h"

#include <stdint.h>

/* ---- wrong arguments ---- */

static void impossible_cuts_are_refused(void)
{
    static const struct {
        size_t height, width, channels, size, step;
        const char *hint;
    } cuts[] = {
        {0,        4,     1,        2,        1,     "an image of 0x4"          },
        {4,        32769, 1,        2,        1,     "an image of 4x32769"      },
        {SIZE_MAX, 4,     1,        2,        1,     "1x1 to 32768x32768"       },
        {4,        4,     0,        2,        1,     "2x2 pixels and 0 channels"},
        {4,        4,     1,        0,        1,     "0x0 pixels"               },
        {4,        4,     1,        1025,     1,     "1 to 1048576 numbers"     },
        {4,        4,     SIZE_MAX, 2,        1,     "1 to 1048576 numbers"     },
        {4,        4,     1,        SIZE_MAX, 1,     "1 to 1048576 numbers"     },
        {4,        4,     1,        2,        0,     "a step of 0 pixels"       },
        {4,        4,     1,        2,        40000, "a step of 40000 pixels"   },
    };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        lc_windows w = {.T = 77};
        loco_err err = {""};
        CHECK_STATUS(
            lc_windows_plan(&w, cuts[i].height, cuts[i].width, cuts[i].channels, cuts[i].size, cuts[i].step, &err),
            LOCO_EARG);
        CHECK_SAYS(err.text, cuts[i].hint);
        CHECK_EQ(w.T, 77);
    }
}

/* ---- the curve ---- */

static size_t apart(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

static void check_curve(unsigned order)
{
    size_t side = (size_t)1 << order, cells = side * side, jumps = 0, twice = 0;
    uint8_t *seen = case_array(cells, 1);
    lc_grid_cell before = {0};
    for (size_t d = 0; d < cells; d++) {
        lc_grid_cell cell = lc_hilbert_cell(order, d);
        CHECK(cell.x < side && cell.y < side);
        twice += seen[cell.y * side + cell.x]++;
        jumps += d > 0 && apart(cell.x, before.x) + apart(cell.y, before.y) != 1;
        before = cell;
    }
    CHECK_EQ(twice, 0); /* as many cells as steps: so each is passed */
    CHECK_EQ(jumps, 0);
    CHECK(before.x == side - 1 && before.y == 0);
    free(seen);
}

static void the_curve_passes_every_cell_and_never_jumps(void)
{
    for (unsigned order = 0; order <= 7; order++)
        check_curve(order);
}

static void its_first_steps(void)
{
    static const lc_grid_cell cells[] = {
        {0, 0},
        {1, 0},
        {1, 1},
        {0, 1},
        {0, 2},
        {0, 3},
        {1, 3},
        {1, 2}
    };
    for (size_t d = 0; d < 8; d++) {
        lc_grid_cell cell = lc_hilbert_cell(2, d);
        CHECK(cell.x == cells[d].x && cell.y == cells[d].y);
    }
    lc_grid_cell end = lc_hilbert_cell(31, UINT64_MAX >> 2);
    CHECK(end.x == ((size_t)1 << 31) - 1 && end.y == 0);
}

/* ---- windows ---- */

/* Every pixel of every window against the image; a pixel is never 0, so that padding shows. */
static void check_cut(size_t height, size_t width, size_t channels, size_t size, size_t step)
{
    lc_windows w;
    CHECK_STATUS(lc_windows_plan(&w, height, width, channels, size, step, NULL), LOCO_OK);
    CHECK_EQ(w.T, (height + step - 1) / step * ((width + step - 1) / step));
    CHECK_EQ(w.frame, size * size * channels);
    float *image = case_array(height * width * channels, sizeof *image);
    float *frames = case_array(w.T * w.frame, sizeof *frames);
    lc_grid_cell *places = case_array(w.T, sizeof *places);
    uint8_t *seen = case_array(w.T, 1);
    size_t wrong = 0, again = 0;
    for (size_t i = 0; i < height * width * channels; i++)
        image[i] = (float)(i + 1);
    memset(frames, 0xff, w.T * w.frame * sizeof *frames);
    lc_windows_cut(&w, image, frames);
    lc_windows_places(&w, places);
    for (size_t t = 0; t < w.T; t++) {
        again += seen[places[t].y / step * ((width + step - 1) / step) + places[t].x / step]++;
        for (size_t i = 0; i < w.frame; i++) {
            ptrdiff_t y = (ptrdiff_t)(places[t].y + i / (size * channels)) - (ptrdiff_t)(size / 2);
            ptrdiff_t x = (ptrdiff_t)(places[t].x + i / channels % size) - (ptrdiff_t)(size / 2);
            bool inside = x >= 0 && y >= 0 && x < (ptrdiff_t)width && y < (ptrdiff_t)height;
            size_t at = inside ? ((size_t)y * width + (size_t)x) * channels + i % channels : 0;
            wrong += !(fabs((double)frames[t * w.frame + i] - (inside ? (double)image[at] : 0)) <= 0);
        }
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(again, 0);
    free(image);
    free(frames);
    free(places);
    free(seen);
}

static void windows_are_the_pixels_of_the_image(void)
{
    check_cut(64, 64, 1, 32, 8);
    check_cut(1, 1, 1, 1, 1);
    check_cut(1, 1, 3, 9, 4);
    check_cut(20, 37, 2, 6, 5);
    check_cut(33, 3, 1, 5, 2);
    check_cut(5, 40, 3, 3, 7);
    check_cut(16, 16, 1, 4, 16);
    check_cut(1, 32768, 1, 2, 1); /* does not take an hour */
    check_cut(32767, 2, 1, 1, 3);
}

/* 64 x 64 pixels in steps of 8: the paper's setting. */
static void windows_follow_the_curve(void)
{
    lc_windows w;
    lc_grid_cell places[64];
    CHECK_STATUS(lc_windows_plan(&w, 64, 64, 1, 32, 8, NULL), LOCO_OK);
    lc_windows_places(&w, places);
    CHECK_EQ(w.T, 64);
    for (size_t t = 0; t < 64; t++) {
        lc_grid_cell cell = lc_hilbert_cell(3, t);
        CHECK(places[t].x == 8 * cell.x + 4 && places[t].y == 8 * cell.y + 4);
    }
}

int main(void)
{
    RUN(impossible_cuts_are_refused);
    RUN(the_curve_passes_every_cell_and_never_jumps);
    RUN(its_first_steps);
    RUN(windows_are_the_pixels_of_the_image);
    RUN(windows_follow_the_curve);
    return check_done();
}
